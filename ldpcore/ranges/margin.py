"""How far the answer to a range may be off: the exact quantile of a weighted sum of Laplace noises.

The answer's noise is Σ wⱼ Lap(Δ/ε), w the strategy's `loads`. Of one load it is Laplace (ln 20/√2 = 2.12 standard
errors hold 95 %), of many it is nearly normal (1.96). In between, its characteristic function Π 1/(1 + bⱼ²t²) is
inverted by the midpoint rule (Abate, Whitt 1992): P(|X| < x) = (2/π) Σⱼ sin((j+½)δx) φ((j+½)δ)/(j+½).
"""

import numpy as np
from scipy.optimize import brentq

from ldpcore import checks
from ldpcore.ranges.arguments import Vector
from ldpcore.ranges.strategy import Strategy

_STEP, _TERMS = 0.15, 4000
"""δ and how many terms, where the standard error is 1: the rule errs by P(|X| > 2π/δ − x) and the rest by less than
10⁻⁹.
"""
_WIDEST = 25.0
"""Standard errors that hold all but 10⁻¹⁵ of a Laplace noise, which has the longest tails among the sums."""


def margin(strategy: Strategy, l: int, r: int, epsilon: float, level: float = 0.95) -> float:  # noqa: E741
    """To either side of the count of cells l to r (1-based, inclusive), in counts: so many of all releases answer
    within it. Exact whatever the data; O(N). ValueError for a range that is none, or a level outside (0, 1).

    >>> from ldpcore.ranges import Identity, Privelet
    >>> round(margin(Identity(7), 16, 16, 1.0), 4)  # one Laplace noise: ln 20
    2.9957
    >>> round(margin(Privelet(7), 16, 35, 1.0), 2), round(Privelet(7).variance(16, 35, 1.0) ** 0.5, 2)
    (24.11, 12.11)
    """
    if not 0 < level < 1:
        raise ValueError(f"the level is a share between 0 and 1, such as 0.95, got {level!r}")
    scale = strategy.sensitivity / checks.epsilon(epsilon)
    loads = strategy.loads(l, r)
    error = scale * float(np.sqrt(2 * np.sum(loads**2)))
    return error * _quantile(scale * loads / error, level)


def _quantile(scales: Vector, level: float) -> float:
    """Of |Σ bⱼ Lap(1)|, bⱼ the scales, whose standard error is 1."""
    # Loads come in few sizes: a level of a tree has one for each of its blocks that the range holds.
    squares, times = np.unique(np.round(scales**2, 15), return_counts=True)
    half = np.arange(_TERMS) + 0.5
    terms = np.exp(-np.log1p(np.multiply.outer((_STEP * half) ** 2, squares)) @ times) / half

    def missing(x: float) -> float:
        return 2 / np.pi * float(np.sin(_STEP * x * half) @ terms) - level

    return float(brentq(missing, 0.0, _WIDEST, xtol=1e-12))
