"""Confidence intervals: of a proportion, and of means over repetitions."""

from math import inf

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

CAUTION = 2.2
"""Degrees of freedom that a few skewed values seem to have, over those that are believed: their spread is more often
too small than too large. With this a 95 % interval of five or more errors covers 93 times in 100 and more where one of
a hundred estimates carries half of the error, the worst that a mechanism of the catalogue does (94 to 99 elsewhere)."""


def tail(level: float) -> float:
    """What an interval of this level leaves out at either end."""
    if not 0 < level < 1:
        raise ValueError(f"level must lie between 0 and 1, got {level:g}; 0.95 is usual")
    return (1 - level) / 2


def clopper_pearson(successes: int, trials: int, level: float = 0.95) -> tuple[float, float]:
    """Exact interval of a proportion (Clopper, Pearson 1934); (0, 1) without trials."""
    left, missed = tail(level), trials - successes
    low = special.betaincinv(successes, missed + 1, left) if successes else 0.0
    high = special.betaincinv(successes + 1, missed, 1 - left) if missed else 1.0
    return float(low), float(high)


def mean_interval(values: NDArray[np.float64], level: float = 0.95) -> tuple[float, float]:
    """t interval of a mean over repetitions (repeats,); the point itself when there is one repetition.

    For values that are nearly normal; for what cannot be negative, such as squared errors, see `error_interval`.
    """
    mean = float(np.mean(values))
    if len(values) < 2:
        return mean, mean
    reach = _student(level, len(values)) * float(np.std(values, ddof=1)) / np.sqrt(len(values))
    return mean - reach, mean + reach


def error_interval(
    values: ArrayLike, level: float = 0.95, freedom: tuple[float, float] = (1.0, inf), most: float = inf
) -> tuple[float, float]:
    """Interval of the mean, over repetitions (repeats,), of what cannot be negative: mean squared errors, or scores.

    A sum of squared normal errors is nearly a multiple of χ², whatever their covariance (Satterthwaite 1946). Its
    degrees of freedom are read off the spread of the values, with the width that t would give and CAUTION; `freedom`
    is what one value has at least and at most: (1, 1) for the square of a single normal error. Scores between 0 and
    `most` are measured from the nearer end. Values that are all equal, or a single one, give the point itself: what
    happens in few repetitions may have happened in none of these.
    """
    given = np.asarray(values, float)
    mean, repeats = float(given.mean()), len(given)
    if mean > most / 2:
        low, high = error_interval(most - given, level, freedom)
        return most - high, most - low
    spread = float(given.var(ddof=1)) if repeats > 1 else 0.0
    if repeats < 2 or (spread == 0 and freedom[1] == inf):
        return mean, mean
    left = tail(level)
    wider = CAUTION * (_student(level, repeats) / special.ndtri(left)) ** 2
    seen = 2 * mean**2 / (wider * spread) if spread else inf
    half = repeats * min(max(seen, freedom[0]), freedom[1]) / 2
    few, many = special.gammaincinv(half, left), special.gammainccinv(half, left)  # of χ²/2
    return float(mean * half / many), float(mean * half / few)


def _student(level: float, repeats: int) -> float:
    """Standard errors on either side of the mean of so many normal values."""
    return -float(special.stdtrit(repeats - 1, tail(level)))
