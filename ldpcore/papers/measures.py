"""What several claims measure alike: ratios with intervals, and how a curve runs."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from ldpcore.estimators.intervals import mean_interval
from ldpcore.papers.claim import Number, shown

EPSILONS = (0.1, 0.2, 0.5, 1.0, 2.0, 4.0)
LEVEL = 0.99
"""Of all intervals: a claim has a dozen checks, and few of them should be decided by chance."""


def mean(what: str, values: ArrayLike) -> Number:
    """A mean over repetitions with its 99 % t interval."""
    given = np.asarray(values, float)
    return Number(what, float(given.mean()), *mean_interval(given, LEVEL))


def ratio(what: str, above: ArrayLike, below: ArrayLike) -> Number:
    """Ratio of the means of two independent samples, 99 % (delta method on the logarithm)."""
    a, b = np.asarray(above, float), np.asarray(below, float)
    value = a.mean() / b.mean()
    spread = np.sqrt(sum(x.var(ddof=1) / len(x) / x.mean() ** 2 for x in (a, b)))
    reach = stats.t.ppf((1 + LEVEL) / 2, min(len(a), len(b)) - 1) * spread
    return Number(what, float(value), float(value * np.exp(-reach)), float(value * np.exp(reach)))


def over(what: str, values: Sequence[float] | NDArray[np.float64]) -> Number:
    """The geometric mean of ratios over a grid, with the smallest and the largest as its interval."""
    given = np.asarray(values, float)
    return Number(what, float(np.exp(np.log(given).mean())), float(given.min()), float(given.max()), spans=True)


def steps(values: Sequence[float] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Each value over the one before."""
    given = np.asarray(values, float)
    return given[1:] / given[:-1]


def slope(x: Sequence[float], y: Sequence[float] | NDArray[np.float64]) -> float:
    """Exponent a of y ~ x^a, by least squares on logarithms."""
    return float(np.polyfit(np.log(x), np.log(np.asarray(y, float)), 1)[0])


def above(value: float) -> float:
    """The least number that is larger: for strict inequalities."""
    return float(np.nextafter(value, np.inf))


def below(value: float) -> float:
    return float(np.nextafter(value, -np.inf))


def within(gap: float) -> str:
    """How near two numbers are."""
    return "exactly" if gap == 0 else f"to within {shown(gap)}"
