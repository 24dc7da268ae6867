"""A tree under local privacy, a frequency oracle per level."""

# ruff: noqa: E741 (l and r are the contract's names for the ends of a range)

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import inf

import numpy as np

from ldpcore.mechanisms.unary import OUE, RAPPOR
from ldpcore.ranges import arguments, blocks, canonical
from ldpcore.ranges.arguments import Cells, Vector
from ldpcore.ranges.local import Counts, Local, checked
from ldpcore.ranges.strategy import RangeRelease
from ldpcore.ranges.tree import Tree


@dataclass(frozen=True)
class LocalTree(Local):
    """A b-ary tree without root (the total is known); a user unary-encodes the own block of the drawn level.

    Plain: canonical nodes. Consistent: least squares over the levels and the total. oracle: OUE or RAPPOR.
    """

    h: int
    epsilon: float
    branching: int = 2
    consistent: bool = True
    oracle: type[OUE] | type[RAPPOR] = OUE

    def __post_init__(self) -> None:
        checked(self.h, self.epsilon)
        Tree(self.h, self.branching)
        if self.oracle not in (OUE, RAPPOR):
            raise ValueError(f"oracle must be OUE or RAPPOR, whose bits are independent, got {self.oracle!r}")

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        return Tree(self.h, self.branching, root=False).sizes

    @property
    def levels(self) -> int:
        return len(self.sizes)

    def _oracle(self, level: int) -> OUE | RAPPOR:
        return self.oracle(self.epsilon, self.size // self.sizes[level])

    @property
    def moments(self) -> tuple[float, float]:
        """E Z² = Var Z + its mean squared, 0 or 1; these oracles' variance does not depend on the number of blocks."""
        held_variance, none = self.oracle(self.epsilon, 2).variance([1.0, 0.0], 1)
        return float(none), float(held_variance) + 1

    @cached_property
    def _chain(self) -> tuple[tuple[int, ...], tuple[float, ...]]:
        """A level's precision is 1/L; the total is known, so its own is infinite."""
        return (*self.sizes, self.size), (*accumulate(size / self.levels for size in self.sizes), inf)

    def noise_coefficient(self, l: int, r: int) -> float:
        a, b = arguments.ends(l, r, self.size)
        if self.consistent:
            return float(blocks.coefficients(*self._chain, a, b))
        return self.levels * float(sum(canonical.nodes(self.sizes, a, b)))

    def average_noise_coefficient(self) -> float:
        if self.consistent:
            return blocks.average(*self._chain)
        return self.levels * sum(canonical.mean_nodes(self.sizes, self.size))

    def _own(self, a: Cells, b: Cells, freq: Vector) -> float:
        none, held_moment = self.moments
        blocks_ = (freq.reshape(-1, size).sum(axis=1) for size in self.sizes)
        spread = sum(weights**2 @ f for weights, f in zip(self._weights(a, b), blocks_, strict=True))
        return (held_moment - none) * self.levels * float(spread)

    def _weights(self, a: Cells, b: Cells) -> list[Vector]:
        """c_jv: canonical nodes, or (1/L)·block sums of (AᵀA)⁻¹R."""
        arguments.dense(self.size)
        if not self.consistent:
            out = []
            for size, ((low, high), (from_, to)) in zip(self.sizes, canonical.runs(self.sizes, a, b), strict=True):
                node = np.arange(self.size // size)
                out.append(((low <= node) & (node < high) & ~((from_ <= node) & (node < to))).astype(float))
            return out
        cells = np.arange(self.size)
        pulled = self._solve([((a <= cells) & (cells < b)).astype(float)])
        return [pulled.reshape(-1, size).sum(axis=1) / self.levels for size in self.sizes]

    def _solve(self, moments: list[Vector]) -> Vector:
        sizes, precisions = self._chain
        zeros = [np.zeros(self.size // size) for size in sizes[len(moments) :]]
        return blocks.least_squares(sizes, precisions, [*moments, *zeros])

    def _share(self, width: int) -> float:
        return width / self.size if self.consistent else 0.0

    def _bits(self, level: int) -> float:
        return self._oracle(level).report_bits()

    def _send(self, level: int, values: Cells, rng: np.random.Generator) -> Vector:
        oracle = self._oracle(level)
        if not len(values):
            return np.zeros(oracle.k)
        return len(values) * oracle.estimate(oracle.tally(oracle.perturb(values // self.sizes[level], rng)))

    def _draw(self, level: int, counts: Counts, rng: np.random.Generator) -> Vector:
        users = counts.reshape(-1, self.sizes[level]).sum(axis=1)
        n = int(users.sum())
        return n * self._oracle(level).simulate(users, rng, 1)[0] if n else np.zeros(len(users))

    def _answer(self, estimates: list[Vector]) -> RangeRelease:
        if not self.consistent:
            return RangeRelease(self.sizes, tuple(estimates))
        return RangeRelease((1,), (self._solve([level / self.levels for level in estimates]) + 1 / self.size,))


def local_flat(h: int, epsilon: float, oracle: type[OUE] | type[RAPPOR] = OUE) -> LocalTree:
    """Without a tree: everybody unary-encodes the own cell, and a range is the sum of its cells.

    >>> local_flat(4, 1.0).levels
    1
    """
    checked(h, epsilon)
    return LocalTree(h, epsilon, 1 << h, False, oracle)
