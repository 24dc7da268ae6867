"""How the numbers of a column lie, beside those that may stand for no answer: what a small picture of both needs."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from ldpcore import checks
from ldpcore.data.table import Table

BINS = 24
"""Bars between the smallest and the largest of the others."""


@dataclass(frozen=True)
class NumberPicture:
    """low, high: the range of the other numbers. counts: people in equal bins between them, the first and the last one
    closed. below, above: special numbers at either side, as they are written, each with its people; those that lie
    among the others are `within`.

    >>> from ldpcore.data import read
    >>> table = read(b"days\\n1\\n2\\n3\\n-9\\n99\\n99\\n", "d.csv")
    >>> picture(table, "days", ["99", "-9"], 2)
    NumberPicture(low=1.0, high=3.0, counts=(1, 2), below=(('-9', 1),), within=(), above=(('99', 2),))
    """

    low: float
    high: float
    counts: tuple[int, ...]
    below: tuple[tuple[str, int], ...] = ()
    within: tuple[tuple[str, int], ...] = ()
    above: tuple[tuple[str, int], ...] = ()

    @property
    def most(self) -> int:
        """The people of the highest bar."""
        return max(*self.counts, *(n for _, n in (*self.below, *self.within, *self.above)), 1)


def picture(table: Table, column: str, special: Collection[str], bins: int = BINS) -> NumberPicture | None:
    """The numbers of a column with and without the special ones; None where it has no others, or no numbers."""
    values = table.values(column) if column in table.frame.columns else None
    codes = {float(text): text for text in special if checks.is_number(text)}
    if values is None or not codes:
        return None
    present = values[~np.isnan(values)]
    is_code = np.isin(present, list(codes))
    others = present[~is_code]
    if not len(others) or others.min() == others.max():
        return None
    low, high = float(others.min()), float(others.max())
    people = {code: int(np.count_nonzero(present == code)) for code in sorted(codes)}
    counts, _ = np.histogram(others, bins=min(bins, max(2, len(np.unique(others)))), range=(low, high))

    def those(wanted: Collection[bool]) -> tuple[tuple[str, int], ...]:
        return tuple((codes[code], people[code]) for code, is_there in zip(people, wanted, strict=True) if is_there)

    return NumberPicture(
        low, high, tuple(counts.tolist()),
        those([code < low for code in people]), those([low <= code <= high for code in people]),
        those([code > high for code in people]),
    )  # fmt: skip
