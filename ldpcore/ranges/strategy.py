"""The one face of all strategies, and what a release answers (theory/ranges#strategies; Wu, Chen, Cai, Wang 2018,
§2–3).

A strategy measures A·x with noise Lap(Δ/ε), Δ = the largest column of |A|; a range I is a linear function of the
noisy measurements, so its variance is (2Δ²/ε²)·c(I), whatever the data. c(I) is its coefficient.
"""

# ruff: noqa: E741 (l and r are the contract's names for the ends of a range)

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from math import log2

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.ranges import arguments, canonical
from ldpcore.ranges.arguments import Cells, Vector


@dataclass(frozen=True, eq=False)
class RangeRelease:
    """Noisy sums over blocks, ready for any range. Consistent releases have blocks of one cell only."""

    sizes: tuple[int, ...]
    levels: tuple[Vector, ...]
    """For each size, the noisy sums of its blocks, (N/size,)."""

    @property
    def cells(self) -> Vector:
        """Estimates (N,), unbiased: they may be negative or not whole."""
        return self.levels[0]

    @cached_property
    def _prefix(self) -> list[Vector]:
        return [np.concatenate([[0.0], np.cumsum(level)]) for level in self.levels]

    def range(self, l: int, r: int) -> float:
        """The noisy count of cells l to r (1-based, inclusive)."""
        return float(self.ranges(l, r))

    def ranges(self, l: ArrayLike, r: ArrayLike) -> Vector:
        """Many at once; arrays that broadcast."""
        a, b = arguments.ends(l, r, len(self.cells))
        return canonical.sums(self.sizes, self._prefix, a, b)


class Strategy(ABC):
    """What is measured, how much noise that costs, and what any range then costs."""

    @property
    @abstractmethod
    def size(self) -> int:
        """N, the number of cells."""

    @property
    @abstractmethod
    def sensitivity(self) -> float:
        """Δ: the most that one person, added or removed, changes the measurements, in L1."""

    @property
    def index_limit(self) -> float | None:
        """Where the accuracy index goes as N grows; None for a strategy that belongs to no family in N."""
        return None

    @abstractmethod
    def _coefficients(self, a: Cells, b: Cells) -> Vector:
        """c of the half-open 0-based ranges [a, b), which are checked."""

    @abstractmethod
    def average_coefficient(self) -> float:
        """c̄: the mean of c over all N(N+1)/2 ranges, without visiting them."""

    @abstractmethod
    def covariance(self, i: ArrayLike, j: ArrayLike) -> Vector:
        """Covariance of the released cells i and j (1-based), in units of 2Δ²/ε²; arrays that broadcast."""

    @abstractmethod
    def _loads(self, a: int, b: int) -> Vector:
        """How much of each measurement's noise is in the answer to [a, b), 0-based; zeros may be left out."""

    @abstractmethod
    def matrix(self) -> Vector:
        """A itself, (measurements, N), for small N: to look at, and to check against."""

    @abstractmethod
    def _release(self, x: Vector, scale: float, rng: np.random.Generator) -> RangeRelease:
        """Measure x with Lap(scale) on each measurement."""

    def coefficient(self, l: int, r: int) -> float:
        """c of cells l to r (1-based, inclusive), O(log N); ValueError if the range is none."""
        return float(self.coefficients(l, r))

    def coefficients(self, l: ArrayLike, r: ArrayLike) -> Vector:
        """c of many ranges; l and r broadcast."""
        return self._coefficients(*arguments.ends(l, r, self.size))

    def variance(self, l: int, r: int, epsilon: float) -> float:
        """(2Δ²/ε²)·c(l, r), in squared counts: exact, whatever the data."""
        return self.noise(epsilon) * self.coefficient(l, r)

    def loads(self, l: int, r: int) -> Vector:
        """By how much each noisy measurement counts in the answer to l to r, whose noise is loads·Lap(Δ/ε); O(N).

        Their squares add up to c(l, r). Measurements that do not count may be left out.
        """
        a, b = arguments.ends(l, r, self.size)
        return self._loads(int(a), int(b))

    def average_variance(self, epsilon: float) -> float:
        """(2Δ²/ε²)·c̄."""
        return self.noise(epsilon) * self.average_coefficient()

    def noise(self, epsilon: float) -> float:
        """2Δ²/ε², the variance of one measurement."""
        return 2 * (self.sensitivity / checks.epsilon(epsilon)) ** 2

    def accuracy_index(self) -> float:
        """(log₂ N)³/(Δ² c̄), larger = more accurate (the paper, §4, whose index is the limit of this)."""
        return log2(self.size) ** 3 / (self.sensitivity**2 * self.average_coefficient())

    def covariance_matrix(self) -> Vector:
        """All of it, (N, N), in units of 2Δ²/ε²."""
        cells = np.arange(1, arguments.dense(self.size) + 1)
        return self.covariance(cells[:, None], cells)

    def release(self, x: ArrayLike, epsilon: float, rng: np.random.Generator) -> RangeRelease:
        """An ε-DP release of the histogram x (N,), in O(N); neighbours differ by one person added or removed."""
        scale = self.sensitivity / checks.epsilon(epsilon)
        return self._release(arguments.histogram(x, self.size), scale, rng)

    def _cells(self, i: ArrayLike, j: ArrayLike) -> tuple[Cells, Cells]:
        """0-based, checked."""
        return arguments.ends(i, i, self.size)[0], arguments.ends(j, j, self.size)[0]


def measured(exact: Vector, scale: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Laplace noise on top."""
    return exact + rng.laplace(0.0, scale, exact.shape)
