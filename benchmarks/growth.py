"""The exponent of a growth curve: least squares of log seconds on log size."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Fit:
    """y ∝ size^exponent, and the standard error of the exponent."""

    exponent: float
    error: float


def fit(sizes: Sequence[float], values: Sequence[float]) -> Fit:
    """The exponent and its standard error, from the residuals; ValueError for fewer than three points, or y ≤ 0.

    >>> found = fit([1, 10, 100], [2, 20, 200])
    >>> round(found.exponent, 6), round(found.error, 6)
    (1.0, 0.0)
    """
    if len(sizes) != len(values) or len(set(sizes)) < 3:
        raise ValueError(f"an exponent with its error takes three sizes and as many values, got {len(set(sizes))}")
    if min(*sizes, *values) <= 0:
        raise ValueError("sizes and values must be positive: logarithms are fitted")
    x, y = np.log(np.asarray(sizes, float)), np.log(np.asarray(values, float))
    spread = float(((x - x.mean()) ** 2).sum())
    exponent = float((x - x.mean()) @ (y - y.mean()) / spread)
    left = y - y.mean() - exponent * (x - x.mean())
    return Fit(exponent, math.sqrt(float(left @ left) / (len(x) - 2) / spread))
