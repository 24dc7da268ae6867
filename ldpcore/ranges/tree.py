"""Hierarchies: block sums at several nested sizes, read plainly (canonical nodes) or by least squares (Boost)."""

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from math import isfinite, log2

import numpy as np
from numpy.typing import ArrayLike

from ldpcore import checks
from ldpcore.ranges import arguments, blocks, canonical
from ldpcore.ranges.arguments import Cells, Vector
from ldpcore.ranges.strategy import RangeRelease, Strategy, measured


class Hierarchy(Strategy):
    """The family. A member states the sizes it measures and the weight of each."""

    h: int
    consistent: bool

    @property
    @abstractmethod
    def sizes(self) -> tuple[int, ...]:
        """Measured block sizes, rising, each a divisor of the next; the first is 1."""

    @property
    def weights(self) -> tuple[float, ...]:
        """w_j > 0: level j measures w_j times its block sums."""
        return (1.0,) * len(self.sizes)

    @property
    def size(self) -> int:
        return 1 << self.h

    @property
    def sensitivity(self) -> float:
        """Δ = Σ w_j: a person is in one block of every level."""
        return float(sum(self.weights))

    @cached_property
    def chain(self) -> tuple[tuple[int, ...], tuple[float, ...]]:
        """Sizes up to N, and λ₁ … λ_H, λ_tot: λ_k = Σ_{j<k} w_j² s_j (a total that is not measured adds nothing)."""
        gains = [weight * weight * size for weight, size in zip(self.weights, self.sizes, strict=True)]
        sums = tuple(accumulate(gains))
        if self.sizes[-1] == self.size:
            return self.sizes, sums
        return (*self.sizes, self.size), (*sums, sums[-1])

    def _coefficients(self, a: Cells, b: Cells) -> Vector:
        if self.consistent:
            return blocks.coefficients(*self.chain, a, b)
        counts = canonical.nodes(self.sizes, a, b)
        return np.sum([n / w**2 for n, w in zip(counts, self.weights, strict=True)], axis=0)

    def _loads(self, a: int, b: int) -> Vector:
        if not self.consistent:
            counts = canonical.nodes(self.sizes, np.array(a), np.array(b))
            return np.repeat(1 / np.array(self.weights), np.array(counts))
        solved = blocks.solved(*self.chain, a, b)
        levels = zip(self.sizes, self.weights, strict=True)
        return np.concatenate([weight * solved.reshape(-1, size).sum(axis=1) for size, weight in levels])

    def average_coefficient(self) -> float:
        if self.consistent:
            return blocks.average(*self.chain)
        counts = canonical.mean_nodes(self.sizes, self.size)
        return sum(n / w**2 for n, w in zip(counts, self.weights, strict=True))

    def covariance(self, i: ArrayLike, j: ArrayLike) -> Vector:
        """Of the released cells. A plain tree's cells are independent; its answer to a range is not their sum."""
        first, second = self._cells(i, j)
        if self.consistent:
            return blocks.covariance(*self.chain, first, second)
        return (first == second) / self.weights[0] ** 2

    def matrix(self) -> Vector:
        cells = np.eye(arguments.dense(self.size))
        levels = zip(self.sizes, self.weights, strict=True)
        return np.concatenate([w * cells.reshape(-1, s, self.size).sum(axis=1) for s, w in levels])

    def _release(self, x: Vector, scale: float, rng: np.random.Generator) -> RangeRelease:
        noisy = [
            measured(weight * x.reshape(-1, size).sum(axis=1), scale, rng)
            for size, weight in zip(self.sizes, self.weights, strict=True)
        ]
        if not self.consistent:
            return RangeRelease(self.sizes, tuple(level / w for level, w in zip(noisy, self.weights, strict=True)))
        moments = [level * w for level, w in zip(noisy, self.weights, strict=True)]
        sizes, precisions = self.chain
        moments += [np.zeros(1)] * (len(sizes) - len(moments))
        return RangeRelease((1,), (blocks.least_squares(sizes, precisions, moments),))


@dataclass(frozen=True)
class Identity(Hierarchy):
    """The flat histogram: noise on every cell; Δ = 1, c = r − l + 1, c̄ = (N+2)/3."""

    h: int
    consistent = True

    def __post_init__(self) -> None:
        arguments.height(self.h)

    @property
    def sizes(self) -> tuple[int, ...]:
        return (1,)

    @property
    def index_limit(self) -> float:
        return 0.0


@dataclass(frozen=True)
class Tree(Hierarchy):
    """A b-ary tree: blocks of 1, b, b², … cells, the top step completing to N = 2^h; b a power of two.

    Plain, a range is the sum of its canonical nodes; consistent, least squares over all nodes (b = 2: Boost, Hay,
    Rastogi, Miklau, Suciu 2010; other b: Qardaji, Yang, Li 2013). Without the root, Δ is one less.
    """

    h: int
    branching: int = 2
    consistent: bool = False
    root: bool = True

    def __post_init__(self) -> None:
        arguments.height(self.h)
        b = checks.integer(self.branching, "branching (children of a node)", 2)
        if b & (b - 1):
            raise ValueError(f"branching must be a power of two, so that blocks tile 2^h cells, got {b}")

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        step = int(self.branching).bit_length() - 1
        below = tuple(1 << k for k in range(0, self.h, step))
        return (*below, self.size) if self.root or not below else below

    @property
    def index_limit(self) -> float:
        """Plain (log₂b)³/(b−1); consistent 3b(log₂b)³/(b−1)²; the root does not matter
        (theory/ranges#accuracy-index).
        """
        b = self.branching
        return log2(b) ** 3 / (b - 1) * (3 * b / (b - 1) if self.consistent else 1)


@dataclass(frozen=True)
class NestedTree(Hierarchy):
    """Any nested sizes with any weights: the space in which `search` looks for the best hierarchy."""

    h: int
    sizes: tuple[int, ...] = (1,)
    weights: tuple[float, ...] = (1.0,)
    consistent: bool = True

    def __post_init__(self) -> None:
        arguments.height(self.h)
        sizes = [checks.integer(size, "a block size", 1, self.size) for size in self.sizes]
        nested = all(large % small == 0 and large > small for small, large in pairwise([*sizes, 2 * self.size]))
        if not sizes or sizes[0] != 1 or not nested:
            raise ValueError(f"sizes must begin with 1 and each divide the next and N = {self.size}, got {self.sizes}")
        if len(self.weights) != len(sizes) or not all(isfinite(w) and w > 0 for w in self.weights):
            raise ValueError(
                f"weights must be one positive number for each of the {len(sizes)} sizes, got {self.weights}; "
                "to leave a level out, leave out its size"
            )
