"""Named post-processing: what is done to an unbiased estimate to make it look like shares.

Each lowers the error where shares are small and brings a bias, so its error is always shown apart from the raw one.
`norm_sub` *is* the Euclidean projection on the simplex (Wang et al. 2020, Theorem 1; Duchi et al. 2008). Maximum
likelihood needs more than the estimate: `likelihood`.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

Shares = NDArray[np.float64]


def clip(estimate: Shares) -> Shares:
    """Negative shares become 0 and shares above 1 become 1; the sum is then no longer 1. (..., k) → (..., k)."""
    return np.clip(estimate, 0.0, 1.0)


def norm(estimate: Shares) -> Shares:
    """Clip at 0, then divide by the sum ("Norm-Mul"); all-zero rows become uniform. (..., k) → (..., k)."""
    positive = np.maximum(estimate, 0.0)
    total = positive.sum(axis=-1, keepdims=True)
    with np.errstate(invalid="ignore"):
        return np.where(total > 0, positive / total, 1 / estimate.shape[-1])


def norm_sub(estimate: Shares) -> Shares:
    """The nearest distribution: subtract one amount from every share, clip at 0, sum 1. (..., k) → (..., k)."""
    k = estimate.shape[-1]
    ordered = -np.sort(-estimate, axis=-1)
    excess = (np.cumsum(ordered, axis=-1) - 1) / np.arange(1, k + 1)
    kept = np.sum(ordered > excess, axis=-1, keepdims=True)
    return np.maximum(estimate - np.take_along_axis(excess, kept - 1, axis=-1), 0.0)


def at_most(estimate: Shares, total: float) -> Shares:
    """The nearest shares between 0 and 1 that sum to at most `total`: several items per person. (..., k) → (..., k).

    Where clipping leaves more than `total`, one amount is subtracted from every share first; bisection finds it to the
    last digit.
    """
    clipped = clip(estimate)
    low, high = np.zeros((*estimate.shape[:-1], 1)), np.maximum(estimate.max(axis=-1, keepdims=True), 0.0)
    for _ in range(60):
        middle = (low + high) / 2
        over = clip(estimate - middle).sum(axis=-1, keepdims=True) > total
        low, high = np.where(over, middle, low), np.where(over, high, middle)
    return np.where(clipped.sum(axis=-1, keepdims=True) > total, clip(estimate - high), clipped)


def base_cut(estimate: Shares, deviation: ArrayLike, level: float = 0.05) -> Shares:
    """Shares that a value nobody holds would reach become 0 ("Base-Cut"); the others stay. (..., k) → (..., k).

    deviation (..., k): the standard error of the estimate. Of k values that nobody holds, some passes in `level` of all
    surveys at most (Bonferroni, as in RAPPOR's decoder).
    """
    if not 0 < level < 1:
        raise ValueError(f"level, the share of surveys in which an empty value may pass, lies in (0, 1), got {level:g}")
    least = -special.ndtri(level / estimate.shape[-1]) * np.asarray(deviation, float)
    return np.where(estimate > least, np.minimum(estimate, 1.0), 0.0)


POSTPROCESSING: dict[str, Callable[[Shares], Shares]] = {"clip": clip, "norm": norm, "norm-sub": norm_sub}
"""Those that need the estimate alone."""
