"""What a column holds, at a glance."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore.data import dates
from ldpcore.data.columns import MANY_NUMBERS, MAX_VALUES

Role = Literal["category", "number", "identifier", "constant"]

_FEW_ROWS = 50
"""Below so many rows all values may differ by chance, and nothing is called an identifier for it."""


@dataclass(frozen=True)
class ColumnProfile:
    """role: how to use it by default. distinct and missing count values and rows. numeric: it can be binned.

    low, high: the range of its numbers, None for text. examples: up to five values, the commonest first.
    dates: where its categories are dates, one for each way in which they are spelled.
    """

    name: str
    role: Role
    distinct: int
    missing: int
    numeric: bool
    low: float | None
    high: float | None
    examples: tuple[str, ...]
    dates: tuple[str, ...] = ()


def profile(name: str, series: pd.Series, values: NDArray[np.float64] | None) -> ColumnProfile:
    """The profile of one tidy column, given the numbers behind it (n,) if there are any."""
    counted = series.value_counts()
    counted = pd.Series(counted[counted > 0])  # categories that occur in no row
    present = None if values is None else values[~np.isnan(values)]
    low, high = (None, None) if present is None or present.size == 0 else (float(present.min()), float(present.max()))
    missing = int(series.isna().sum())
    role = _role(len(counted), len(series) - missing, present)
    return ColumnProfile(
        name,
        role,
        len(counted),
        missing,
        present is not None,
        low,
        high,
        tuple(f"{label:.12g}" if isinstance(label, float) else str(label) for label in counted.index[:5]),
        dates.spellings(map(str, counted.index)) if role == "category" and values is None else (),
    )


def _role(distinct: int, rows: int, present: NDArray[np.float64] | None) -> Role:
    if distinct < 2:
        return "constant"
    all_differ = distinct == rows >= _FEW_ROWS
    if present is None or present.size == 0:
        return "identifier" if all_differ or distinct > MAX_VALUES else "category"
    whole = bool(np.all(present == np.floor(present)))
    if all_differ and whole:
        return "identifier"
    return "number" if distinct > MANY_NUMBERS or not whole else "category"
