"""Two numbers of one person, each through a mechanism of its own: their covariance, correlation and regression.

Reports s and t are drawn apart given the numbers, so E[s t] = E[X Y], and the sample covariance is exactly unbiased. A
correlation needs Var X too, from E[s² | x] = a + b x²: so not of mechanisms whose squares say nothing of x, as Duchi's
two values (b = 0), and not where it is no such line. Numbers lie in [-1, 1], as the mechanisms have them.

>>> import numpy as np
>>> from ldpcore import catalog
>>> from ldpcore.rng import stream
>>> rng, m = stream(1), catalog.MEANS["PM"].build(epsilon=4.0)
>>> x = rng.uniform(-1, 1, 40_000)
>>> y = 0.5 * x + rng.uniform(-0.5, 0.5, 40_000)  # covariance 1/6, correlation .71
>>> s, t = m.perturb(x, rng), m.perturb(y, rng)
>>> result = covariance(m, s, m, t)
>>> round(result.value, 2), result.low < 1 / 6 < result.high, round(correlation(m, s, m, t), 1)
(0.17, True, 0.7)
>>> round(slope(x, m, t).value, 2)  # on an open x: ordinary least squares
0.5
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from ldpcore.estimators.intervals import tail
from ldpcore.numeric_randomizer import NumericRandomizer
from ldpcore.relations.relation import RelationEstimate

Array = NDArray[np.float64]

FLAT = 1e-9
"""A line in x² that rises less, or misses points by more, is none."""


def covariance(
    x: NumericRandomizer, x_reports: ArrayLike, y: NumericRandomizer, y_reports: ArrayLike, level: float = 0.95
) -> RelationEstimate:
    """Cov(X, Y) from reports (n,) of the same people, exactly unbiased; its interval by the products' spread (Wald)."""
    s, t = _together(x.scores(x_reports), y.scores(y_reports))
    products = (s - s.mean()) * (t - t.mean())
    n = len(s)
    half = -float(ndtri(tail(level))) * float(products.std(ddof=1)) / math.sqrt(n)
    value = float(products.sum()) / (n - 1)
    return RelationEstimate(value, value - half, value + half)


def correlation(x: NumericRandomizer, x_reports: ArrayLike, y: NumericRandomizer, y_reports: ArrayLike) -> float:
    """Pearson's correlation, clipped to [-1, 1]; nan where a spread is estimated at 0 or less. It has no interval.

    ValueError for a mechanism whose squared reports do not tell the spread.
    """
    both = covariance(x, x_reports, y, y_reports).value
    spread = _spread(x, x_reports) * _spread(y, y_reports)
    return float(np.clip(both / np.sqrt(spread), -1, 1)) if spread > 0 else float("nan")


def slope(x: ArrayLike, y: NumericRandomizer, y_reports: ArrayLike, level: float = 0.95) -> RelationEstimate:
    """The least-squares slope of a hidden Y on an open X, unbiased, with its robust interval (White 1980)."""
    open_, t = _together(np.asarray(x, float), y.scores(y_reports))
    centred = open_ - open_.mean()
    square = float(centred @ centred)
    if square <= 0:
        raise ValueError("everybody has the same open number, so nothing can depend on it")
    value = float(centred @ t) / square
    rest = t - t.mean() - value * centred
    half = -float(ndtri(tail(level))) * math.sqrt(float(np.sum((centred * rest) ** 2))) / square
    return RelationEstimate(value, value - half, value + half)


def _together(s: Array, t: Array) -> tuple[Array, Array]:
    if s.shape != t.shape or s.ndim != 1:
        raise ValueError(f"{s.size} numbers and {t.size} do not fit together; each person has one of either")
    if len(s) < 2:
        raise ValueError("a relation of numbers needs two people at least")
    return s, t


def _spread(mechanism: NumericRandomizer, reports: ArrayLike) -> float:
    """Var of the numbers themselves."""
    x = np.linspace(-1, 1, 9)
    mean, variance = mechanism.moments(x, "unbiased")
    square = np.asarray(variance) + np.asarray(mean) ** 2
    b, a = np.polyfit(x**2, square, 1)
    if b < FLAT or np.abs(a + b * x**2 - square).max() > 1e-6 * np.abs(square).max():
        raise ValueError(
            f"the squares of {type(mechanism).__name__}'s reports do not tell how numbers spread: there is no "
            "correlation from them, only the covariance; take PM or Laplace"
        )
    s = mechanism.scores(reports)
    return float((np.mean(s**2) - a) / b - (s.mean() ** 2 - s.var(ddof=1) / len(s)))
