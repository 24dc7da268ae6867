"""Confidence intervals: of a proportion, and of means over repetitions."""

from math import inf

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

Vector = NDArray[np.float64]

NORMAL_95 = 1.959964
"""Standard errors on either side that hold 95 of 100 normal errors."""
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
    low, high = proportion_ends(np.array([successes]), np.array([trials]), level)
    return float(low[0]), float(high[0])


def proportion_ends(successes: Vector, trials: Vector, level: float = 0.95) -> tuple[Vector, Vector]:
    """`clopper_pearson` of many proportions at once: low and high, each (q,) like `successes` and `trials`."""
    left, missed = tail(level), trials - successes
    low = np.where(successes > 0, special.betaincinv(np.where(successes > 0, successes, 1), missed + 1, left), 0.0)
    high = np.where(missed > 0, special.betaincinv(successes + 1, np.where(missed > 0, missed, 1), 1 - left), 1.0)
    return low, high


def mean_interval(values: NDArray[np.float64], level: float = 0.95) -> tuple[float, float]:
    """t interval of a mean over repetitions (repeats,); the point itself when there is one repetition.

    For values that are nearly normal; for what cannot be negative, such as squared errors, see `error_interval`.
    """
    low, high = mean_ends(*_moments(values), level)
    return float(low[0]), float(high[0])


def mean_ends(mean: Vector, variance: Vector, repeats: Vector, level: float = 0.95) -> tuple[Vector, Vector]:
    """`mean_interval` of many means (q,) at once, of so many values (q,) with this variance (q,), by n − 1."""
    reach = np.where(repeats > 1, _student(level, np.maximum(repeats, 2)) * np.sqrt(variance / repeats), 0.0)
    return mean - reach, mean + reach


def error_interval(
    values: ArrayLike, level: float = 0.95, freedom: tuple[float, float] = (1.0, inf), most: float = inf
) -> tuple[float, float]:
    """Interval of the mean, over repetitions (repeats,), of what cannot be negative: mean squared errors, or scores.

    A sum of squared normal errors is nearly a multiple of χ², whatever their covariance (Satterthwaite 1946). Its
    degrees of freedom are read off the spread of the values, with the width that t would give and CAUTION; `freedom`
    is what one value has at least and at most: (1, 1) for the square of a single normal error. Scores between 0 and
    `most` are measured from the nearer end, and their interval ends at either. Values that are all equal, or a single
    one, give the point itself: what happens in few repetitions may have happened in none of these.
    """
    low, high = error_ends(*_moments(values), level, freedom, most)
    return float(low[0]), float(high[0])


def error_ends(
    mean: Vector,
    variance: Vector,
    repeats: Vector,
    level: float = 0.95,
    freedom: tuple[float, float] = (1.0, inf),
    most: float = inf,
) -> tuple[Vector, Vector]:
    """`error_interval` of many means (q,) at once, of so many values (q,) with this variance (q,), by n − 1."""
    far = mean > most / 2
    near = np.where(far, most - mean, mean) if most < inf else mean
    left = tail(level)
    known = (repeats > 1) & ((variance > 0) | (freedom[1] < inf))
    wider = CAUTION * (_student(level, np.maximum(repeats, 2)) / special.ndtri(left)) ** 2
    # Squares beyond the largest float have no interval: NaN.
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        seen = np.where(variance > 0, 2 * near**2 / (wider * variance), inf)
        half = repeats * np.clip(seen, *freedom) / 2
        few, many = special.gammaincinv(half, left), special.gammainccinv(half, left)  # of χ²/2
        low, high = (np.where(known, near * half / end, near) for end in (many, few))
    if most < inf:
        # Few values leave so much open that the other end is passed: no score is there.
        low, high = np.minimum(low, most), np.minimum(high, most)
        return np.where(far, most - high, low), np.where(far, most - low, high)
    return low, high


def squares_by_chance(errors: ArrayLike, expected: ArrayLike, level: float = 0.95) -> tuple[float, float]:
    """Between which the mean of the squares of these errors (repeats, k) would lie, as a multiple of the `expected`
    ones (k,), if those are true: a sum of squared normal errors is nearly a multiple of χ² (Satterthwaite 1946).

    Its degrees of freedom, (tr Σ)² / tr Σ², are the expected squares' and, for what the k errors have in common, the
    products of any two repetitions', which are right on average; at most those of errors that add up to 0. Two
    repetitions at least.

    >>> low, high = squares_by_chance([[1.0, -1.0], [0.5, -0.5], [-2.0, 2.0]], [1.0, 1.0])  # two errors that are one
    >>> round(low, 2), round(high, 2)
    (0.07, 3.12)
    """
    rows, each = np.asarray(errors, float), np.asarray(expected, float)
    repeats, k = rows.shape
    if repeats < 2:
        raise ValueError("one repetition does not tell what its errors have in common; two do")
    least = float((each**2).sum()) * (k / (k - 1) if k > 1 else 1.0)
    products = (rows @ rows.T) ** 2 - (rows**2) @ (rows.T**2)
    # By one pair of repetitions it is too small more often than too large.
    common = max(float(products.sum() - np.trace(products)), 0.0) / (repeats * (repeats - 1))
    common *= (repeats + 1) / (repeats - 1)
    total = float(each.sum()) ** 2
    half = repeats * total / min(max(least, float((each**2).sum()) + common), total) / 2
    left = tail(level)
    return float(special.gammaincinv(half, left) / half), float(special.gammainccinv(half, left) / half)


def _moments(values: ArrayLike) -> tuple[Vector, Vector, Vector]:
    """Mean, variance and number of one cell's values, as arrays of one."""
    given = np.asarray(values, float)
    spread = given.var(ddof=1) if len(given) > 1 else 0.0
    return np.array([given.mean()]), np.array([spread]), np.array([len(given)], float)


def _student(level: float, repeats: Vector) -> Vector:
    """Standard errors on either side of the mean of so many normal values."""
    return np.asarray(-special.stdtrit(repeats - 1, tail(level)), float)
