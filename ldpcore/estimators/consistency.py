"""Named post-processing: what is done to an unbiased estimate to make it look like shares.

Each lowers the error where shares are small and brings a bias, so its error is always shown apart from the raw one.
`norm_sub` *is* the Euclidean projection on the simplex (Wang et al. 2020, Theorem 1; Duchi et al. 2008).
EM is possible only where the tally is the histogram of the reports, and says why elsewhere.
"""

from collections.abc import Callable
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from ldpcore import em
from ldpcore.randomizer import Randomizer
from ldpcore.tally import Tally

Shares = NDArray[np.float64]


class _Products(Protocol):
    """What a mechanism with `tally_is_histogram` offers beside the contract: f ↦ fM and w ↦ Mw."""

    def support(self, freq: Shares) -> Shares: ...
    def expectation(self, weights: Shares) -> Shares: ...


class Unavailable(ValueError):
    """This post-processing does not exist for this mechanism; the message says why."""


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


POSTPROCESSING: dict[str, Callable[[Shares], Shares]] = {"clip": clip, "norm": norm, "norm-sub": norm_sub}
"""Those that need the estimate alone."""


def maximum_likelihood(mechanism: Randomizer, tally: Tally) -> Shares:
    """The maximum-likelihood shares (k,), by EM on the mechanism's channel."""
    if not mechanism.tally_is_histogram:
        raise Unavailable(
            f"EM needs to know how often each kind of report came; {type(mechanism).__name__}'s tally keeps only how "
            "many reports support each value"
        )
    products = cast(_Products, mechanism)
    return em.fit(tally.total, products.support, products.expectation, mechanism.k).freq
