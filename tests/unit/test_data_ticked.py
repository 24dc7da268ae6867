"""Boxes to tick, a column for each: an empty cell is a no, and nobody is left out for it."""

import numpy as np
import pytest

from ldpcore.data import read
from ldpcore.rng import stream

DRUGS = ("aspirin", "insulin", "none")


def survey(names: tuple[str, ...], labels: tuple[str, ...]):
    """Which boxes (300, 3) are ticked, and the table read of them, with a question that all have answered."""
    ticked = stream(0, "boxes").random((300, 3)) < 0.3
    rows = [[label if on else "" for label, on in zip(labels, row, strict=True)] for row in ticked]
    lines = [",".join([*names, "sex"]), *(",".join([*row, "fm"[i % 2]]) for i, row in enumerate(rows))]
    return ticked, read("\n".join(lines).encode(), "survey.csv")


@pytest.mark.parametrize(
    ("names", "labels"),
    [
        (tuple(f"Q5_{drug}" for drug in DRUGS), DRUGS),
        (("Which do you take? Aspirin", "Which do you take? Insulin", "Which do you take? None of these"),
         ("Aspirin", "Insulin", "None of these")),
        (("Q5_1", "Q5_2", "Q5_3"), DRUGS),
        (("Q5_1", "Q5_2", "Q5_3"), ("1", "1", "1")),
    ],
)  # fmt: skip
def test_an_empty_box_is_an_answer(names, labels):
    ticked, table = survey(names, labels)
    assert table.categorical("sex").n == 300
    for name, on in zip(names, ticked.T, strict=True):
        found = table.categorical(name)
        assert found.domain.labels == ("no", "yes")
        assert np.array_equal(found.counts, [np.count_nonzero(~on), np.count_nonzero(on)])
    assert sum("boxes to tick" in note for note in table.notes) == 1
    assert not any("missing" in note for note in table.notes)


@pytest.mark.parametrize(
    ("names", "labels"),
    [
        (("country", "survey", "wave"), ("Germany", "A", "first")),  # nothing says that they belong together
        (("address1", "address2", "address3"), ("Rome", "Rome", "Rome")),  # no tick
        (("Q5_aspirin", "Q6_insulin", "Q7"), ("aspirin", "?", "none")),  # a mark for "no answer", and a box alone
    ],
)
def test_what_is_no_box_stays_missing(names, labels):
    _, table = survey(names, labels)
    assert not any("boxes" in note for note in table.notes)
    assert any("missing" in note for note in table.notes)
