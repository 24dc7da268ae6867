"""Ranges of one's own instead of all of them: what a strategy costs on just these."""

# ruff: noqa: E741 (l and r are the contract's names for the ends of a range)

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.ranges import arguments, blocks
from ldpcore.ranges.arguments import Vector
from ldpcore.ranges.strategy import Strategy


@dataclass(frozen=True, eq=False)
class Workload:
    """Ranges l, r (q,), 1-based inclusive, among N = size cells, with weights (q,), equal if None."""

    size: int
    l: ArrayLike
    r: ArrayLike
    weights: ArrayLike | None = None

    def __post_init__(self) -> None:
        a, b = arguments.ends(np.atleast_1d(np.asarray(self.l)), np.atleast_1d(np.asarray(self.r)), self.size)
        if a.ndim != 1 or not len(a):
            raise ValueError(f"a workload needs at least one range, as two lists l and r, got shape {a.shape}")
        weights = np.ones(len(a)) if self.weights is None else np.asarray(self.weights, float)
        if weights.shape != a.shape or not np.all(np.isfinite(weights)) or np.any(weights < 0) or not weights.any():
            raise ValueError(f"weights must be one number, not negative, for each of the {len(a)} ranges, not all zero")
        object.__setattr__(self, "l", a + 1)
        object.__setattr__(self, "r", b)
        object.__setattr__(self, "weights", weights / weights.sum())

    def coefficient(self, strategy: Strategy) -> float:
        """The weighted mean of c over these ranges."""
        self.check(strategy.size)
        return float(strategy.coefficients(self.l, self.r) @ np.asarray(self.weights))

    def variance(self, strategy: Strategy, epsilon: float) -> float:
        """The weighted mean of the ranges' variances, in squared counts."""
        return strategy.noise(epsilon) * self.coefficient(strategy)

    def check(self, size: int) -> None:
        """ValueError where a strategy has another number of cells."""
        if size != self.size:
            raise ValueError(f"the ranges are among {self.size} cells, the strategy has {size}; use one N")

    def mean_lost(self, size: int) -> float:
        """The weighted mean of what averaging over blocks of so many cells loses of a range (D_s, see blocks)."""
        return float(blocks.lost(size, np.asarray(self.l) - 1, np.asarray(self.r)) @ np.asarray(self.weights))

    def mean_squared_length(self) -> float:
        """The weighted mean of |R|²."""
        lengths = (np.asarray(self.r) - np.asarray(self.l) + 1).astype(float)
        return float(lengths**2 @ np.asarray(self.weights))

    def gram(self) -> Vector:
        """Σ weight·I Iᵀ, (N, N), by differences: each range adds a square block."""
        steps = np.zeros((arguments.dense(self.size) + 1,) * 2)
        a, b, w = np.asarray(self.l) - 1, np.asarray(self.r), np.asarray(self.weights)
        for first, second, sign in ((a, a, 1), (a, b, -1), (b, a, -1), (b, b, 1)):
            np.add.at(steps, (first, second), sign * w)
        return steps.cumsum(axis=0).cumsum(axis=1)[:-1, :-1]


def gram_of_all(size: int) -> Vector:
    """The mean of I Iᵀ over all ranges: i(N−j+1)/#ranges for i ≤ j (the paper's (12))."""
    cells = np.arange(1, arguments.dense(size) + 1.0)
    return np.minimum(cells[:, None], cells) * (size + 1 - np.maximum(cells[:, None], cells)) / (size * (size + 1) / 2)


def mean_coefficient(strategy: Strategy, workload: Workload | None = None) -> float:
    """c̄ over all ranges, or over a workload."""
    return strategy.average_coefficient() if workload is None else workload.coefficient(strategy)


def cost(strategy: Strategy, workload: Workload | None = None) -> float:
    """Δ²·c̄: half the mean variance at ε = 1, what a search makes small."""
    return strategy.sensitivity**2 * mean_coefficient(strategy, workload)
