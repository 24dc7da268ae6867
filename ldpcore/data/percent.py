"""Percentages and numbers without a sign in one column: "5%" beside "0.06" or "6"."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

PERCENTS = {
    "percent": "percentages too: 6 beside 5 % is 6 %",
    "share": "shares of 1: 0.06 beside 5 % is 6 %",
}
"""What numbers without a sign can be, in a column that has percentages."""


@dataclass(frozen=True)
class PercentExample:
    """An example of each, what the one without a sign is taken for in percent, and what else it could be.

    taken: one of PERCENTS; recognised: the one that the evidence speaks for.
    """

    signed: str
    bare: str
    value: float
    other: float
    taken: str
    recognised: str


def together(
    labels: pa.Array, values: NDArray[np.float64], signed: NDArray[np.bool_] | None, wanted: str | None
) -> tuple[NDArray[np.float64], PercentExample | None]:
    """Values (labels,), of which some had a percent sign → all of them in percent.

    Numbers without a sign are shares when none is beyond 1, some are between 0 and 1, and the percentages are not:
    then nothing else explains both. Otherwise the sign was left out. 0 is 0 in either case.
    """
    if signed is None:
        return values, None
    number = ~np.isnan(values)
    bare = number & ~signed & (values != 0)
    if not bare.any() or not (number & signed).any():
        return values, None
    sizes = np.abs(values[bare])
    shares = sizes.max() <= 1 and bool(np.any(sizes < 1)) and np.abs(values[number & signed]).max() > 1
    recognised = "share" if shares else "percent"
    taken = wanted or recognised
    at = int(np.flatnonzero(bare)[0])
    alone, hundredfold = float(values[at]), _hundredfold(values[at])
    read, other = (hundredfold, alone) if taken == "share" else (alone, hundredfold)
    if taken == "share":
        values = np.where(bare, [_hundredfold(value) for value in values], values)
    sample = labels[int(np.flatnonzero(number & signed)[0])].as_py()
    return values, PercentExample(sample, labels[at].as_py(), read, other, taken, recognised)


def _hundredfold(value: float) -> float:
    """0.07 → 7, where 100·0.07 is 7.000000000000001."""
    return float(f"{value * 100:.15g}")
