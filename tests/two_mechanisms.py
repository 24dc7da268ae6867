"""A survey of which one question is hidden as a whole by GRR, one by uRR, and a third is open."""

import numpy as np

from ldpcore import data
from ldpcore.study import Marks, Source, Study


def of_two_mechanisms() -> tuple[Study, data.Table]:
    rng = np.random.default_rng(3)
    frame = {"drinks": rng.choice(["no", "often", "now and then"], 900), "age": rng.choice(["old", "young"], 900),
             "pills": rng.choice(["yes", "no"], 900, p=[0.1, 0.9])}  # fmt: skip
    rows = [",".join(row) for row in zip(*frame.values(), strict=True)]
    table = data.read("\n".join([",".join(frame), *rows]).encode(), "file.csv")
    marks = Marks.of(["drinks = often", "drinks = now and then", "drinks = no", "pills = yes"])
    return Study(Source.of(table), "pills", marks, ("GRR", "uRR"), grid=(), repetitions=1, task="review"), table
