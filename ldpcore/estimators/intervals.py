"""Confidence intervals."""

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from ldpcore.estimators.consistency import norm_sub
from ldpcore.randomizer import Randomizer


def half_width(
    mechanism: Randomizer, estimate: NDArray[np.float64], n: int, level: float = 0.95
) -> NDArray[np.float64]:
    """Normal half-width (k,) round an unbiased estimate, from the exact variance at the nearest distribution.

    The variance hardly depends on the shares, so plugging the estimate in costs almost no coverage.
    """
    if not 0 < level < 1:
        raise ValueError(f"level must lie between 0 and 1, got {level:g}; 0.95 is usual")
    return stats.norm.ppf((1 + level) / 2) * np.sqrt(mechanism.variance(norm_sub(estimate), n))


def clopper_pearson(successes: int, trials: int, level: float = 0.95) -> tuple[float, float]:
    """Exact interval of a proportion (Clopper, Pearson 1934); (0, 1) without trials."""
    tail, missed = (1 - level) / 2, trials - successes
    low = special.betaincinv(successes, missed + 1, tail) if successes else 0.0
    high = special.betaincinv(successes + 1, missed, 1 - tail) if missed else 1.0
    return float(low), float(high)


def mean_interval(values: NDArray[np.float64], level: float = 0.95) -> tuple[float, float]:
    """t interval of a mean over repetitions (repeats,); the point itself when there is one repetition."""
    mean = float(np.mean(values))
    if len(values) < 2:
        return mean, mean
    reach = stats.t.ppf((1 + level) / 2, len(values) - 1) * float(np.std(values, ddof=1)) / np.sqrt(len(values))
    return mean - reach, mean + reach
