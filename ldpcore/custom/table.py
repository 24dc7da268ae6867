"""A table of chances, checked."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
MOST_CELLS = 200_000
ROUNDED = 1e-3
"""How far a row may be from 1: its numbers were rounded, and it is divided by its sum."""
EXACT = 1e-12


def named(row: int, labels: tuple[str, ...]) -> str:
    """A row as a person finds it: its number from 1, and its name where it has one."""
    return f"row {row + 1} ({labels[row][:40]})" if labels else f"row {row + 1}"


def checked(matrix: ArrayLike, labels: tuple[str, ...] = ()) -> Array:
    """A read-only copy with rows that sum to 1. ValueError or TypeError with a sentence that says what to do.

    >>> checked([[0.9, 0.2], [0.2, 0.8]])
    Traceback (most recent call last):
    ValueError: row 1 sums to 1.1, not to 1: its chances are those of all reports of one value, so they must add up to 1
    """
    try:
        given = np.array(matrix, float)
    except (TypeError, ValueError) as error:
        raise TypeError("a channel is a table of numbers with rows of equal length; leave words out") from error
    if given.ndim != 2 or min(given.shape, default=0) < 2:
        raise ValueError(
            f"a channel has a row for each value and a column for each report, at least two of both; got shape "
            f"{given.shape}"
        )
    if given.size > MOST_CELLS:
        raise ValueError(
            f"this table has {given.shape[0]} × {given.shape[1]} = {given.size} cells, and at most {MOST_CELLS} are "
            "computed exactly: leave out reports that nobody sends, or take fewer values"
        )
    bad = ~np.isfinite(given)
    if bad.any():
        x, y = np.argwhere(bad)[0]
        raise ValueError(f"{named(x, labels)}, column {y + 1} holds no finite number: every cell needs a chance")
    if (given < 0).any():
        x, y = np.argwhere(given < 0)[0]
        raise ValueError(
            f"{named(x, labels)}, column {y + 1} is {given[x, y]:g}: a chance is not negative; these look like scores "
            "of an estimate, not like chances of reports"
        )
    sums = given.sum(axis=1)
    off = np.abs(sums - 1)
    if off.max() > ROUNDED:
        raise ValueError(_sums(given, sums, labels))
    if off.max() > EXACT:
        given /= sums[:, None]
    given.flags.writeable = False
    return given


def _sums(given: Array, sums: Array, labels: tuple[str, ...]) -> str:
    worst = int(np.argmax(np.abs(sums - 1) > ROUNDED))
    if np.allclose(given.sum(axis=0), 1, atol=ROUNDED):
        return (
            "the columns sum to 1, not the rows: rows are values and columns are reports, so exchange them "
            "(transpose the table)"
        )
    if np.allclose(sums, 100, atol=100 * ROUNDED):
        return "the rows sum to 100: these are percentages, so divide them by 100"
    why = "its chances are those of all reports of one value, so they must add up to 1"
    return f"{named(worst, labels)} sums to {sums[worst]:.6g}, not to 1: {why}"
