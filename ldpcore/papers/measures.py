"""What several claims measure alike: means, ratios and errors with their intervals, and how a curve runs.

Quantiles are SciPy's functions without the checks of its distributions, which take thirty times as long.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import optimize, special

from ldpcore.estimators.intervals import mean_interval
from ldpcore.papers.check import CHANCE, Number, shown

EPSILONS = (0.1, 0.2, 0.5, 1.0, 2.0, 4.0)
"""Of the figures."""
SAID = EPSILONS[:-1]
"""Where words about "different ε" are checked: the axes of the papers' figures are lost, ε = 1 is what they take where
one ε is given. What changes at 4 is a caveat."""


def share(checks: int) -> float:
    """The chance to miss of each of so many intervals of one claim."""
    return CHANCE / checks


def mean(what: str, values: ArrayLike, chance: float = CHANCE) -> Number:
    """A mean over repetitions with its t interval."""
    given = np.asarray(values, float)
    return Number(what, float(given.mean()), *mean_interval(given, 1 - chance), chance=chance)


def ratio(what: str, above: ArrayLike, below: ArrayLike, chance: float = CHANCE) -> Number:
    """Ratio of the means of two independent samples that vary little (delta method on the logarithm)."""
    a, b = np.asarray(above, float), np.asarray(below, float)
    value = a.mean() / b.mean()
    spread = np.sqrt(sum(x.var(ddof=1) / len(x) / x.mean() ** 2 for x in (a, b)))
    reach = special.stdtrit(min(len(a), len(b)) - 1, 1 - chance / 2) * spread
    return Number(what, float(value), float(value * np.exp(-reach)), float(value * np.exp(reach)), chance=chance)


def errors(what: str, above: ArrayLike | float, below: ArrayLike, chance: float = CHANCE) -> Number:
    """Ratio of two mean squared errors from independent samples of squared errors; a number above is exact.

    By the F law (χ² beside an exact one): right for normal errors without bias, and wider than needed with one, since
    n·(mean square)/MSE then varies less than χ²ₙ. A t interval is too short here: squared errors are skewed.
    """
    a, b = np.asarray(above, float), np.asarray(below, float)
    value = float(a.mean() / b.mean())
    tails, n = np.array([chance / 2, 1 - chance / 2]), b.size
    low, high = value * (_chi2(tails, n) / n if a.ndim == 0 else special.fdtri(n, a.size, tails))
    return Number(what, value, float(low), float(high), chance=chance)


def _chi2(tails: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    """Quantiles of χ²ₙ."""
    return np.asarray(2 * special.gammaincinv(n / 2, tails), float)


def square(what: str, values: ArrayLike, chance: float = CHANCE) -> Number:
    """A mean squared error from squared errors, by the same law."""
    given = np.asarray(values, float)
    value, n = float(given.mean()), given.size
    low, high = (value * n / float(end) for end in _chi2(np.array([1 - chance / 2, chance / 2]), n))
    return Number(what, value, low, high, chance=chance)


def bias(what: str, estimates: NDArray[np.float64], truth: ArrayLike, variance: ArrayLike, chance: float) -> Number:
    """Root mean square over values of bias/standard error of one survey, from `estimates` (repeats, k).

    `variance` (k,) is exact. k·(mean squared z) is taken as noncentral χ² with k/2 degrees of freedom: fewer than k,
    because the estimates of one survey depend on one another a little.
    """
    repeats, k = estimates.shape
    freedom = k / 2
    z2 = float(np.mean((estimates.mean(axis=0) - truth) ** 2 / (np.asarray(variance) / repeats)))

    def at(tail: float) -> float:
        """The δ at which the observed mean square has this probability below it; 0 where none has."""
        gap = lambda noncentral: special.chndtr(freedom * z2, freedom, noncentral) - tail  # noqa: E731
        if gap(1e-9) < 0:
            return 0.0
        return float(np.sqrt(optimize.brentq(gap, 1e-9, 10 * freedom * (z2 + 10)) / freedom / repeats))

    value = np.sqrt(max(z2 - 1, 0.0) / repeats)
    return Number(what, float(value), at(1 - chance / 2), at(chance / 2), chance=chance)


def over(what: str, values: Sequence[float] | NDArray[np.float64]) -> Number:
    """Exact ratios over a grid: the smallest and the largest, which decide, and their geometric mean."""
    given = np.asarray(values, float)
    return Number(what, float(np.exp(np.log(given).mean())), float(given.min()), float(given.max()), spans=True)


def steps(values: Sequence[float] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Each value over the one before."""
    given = np.asarray(values, float)
    return given[1:] / given[:-1]


def slope(x: Sequence[float], y: Sequence[float] | NDArray[np.float64]) -> float:
    """Exponent a of y ~ x^a, by least squares on logarithms."""
    return float(np.polyfit(np.log(x), np.log(np.asarray(y, float)), 1)[0])


def within(gap: float) -> str:
    """How near two numbers are."""
    return "exactly" if gap == 0 else f"to within {shown(gap)}"
