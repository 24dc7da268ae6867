"""Why a column has nothing to count."""

import pandas as pd

from ldpcore import data
from ldpcore.data.uncountable import unusable


def test_a_column_is_told_why_it_cannot_be_counted():
    frame = pd.DataFrame({
        "same": ["x"] * 300, "names": [f"person {i}" for i in range(300)], "town": ["a", "b", "c"] * 100,
        "n" * 60: ["y"] * 300,
    })  # fmt: skip
    table = data.read(frame.to_csv(index=False).encode(), "x.csv")
    told = {profile.name: unusable(profile) for profile in table.profile()}
    assert told["same"] == ("“same” has one value only.", "There is nothing to estimate and nothing to hide.")
    assert told["names"][0] == "“names” has its own value in nearly every row."
    assert told["town"] is None
    assert told["n" * 60][0] == f"“{'n' * 39}…” has one value only."
