"""The Haar transform under local privacy: HaarHRR."""

# ruff: noqa: E741 (l and r are the contract's names for the ends of a range)

from dataclasses import dataclass
from math import exp

import numpy as np

from ldpcore.mechanisms.walsh import odd, transform
from ldpcore.ranges import arguments
from ldpcore.ranges.arguments import Cells, Vector
from ldpcore.ranges.local import Counts, Local, checked
from ldpcore.ranges.privelet import Privelet, synthesise
from ldpcore.ranges.strategy import RangeRelease


@dataclass(frozen=True)
class LocalHaar(Local):
    """HaarHRR: the user's Haar coefficient at the drawn height, ±1 at one of M nodes, by Hadamard response: a uniform
    row j of a Hadamard matrix, and the sign times H[j, node], kept with probability E/(E+1). m₀ = m₁ = ((E+1)/(E−1))².

    Its noise is the only part, so a range needs O(log N). m₀ is OUE's V_F·n plus 1: equal for small ε only.
    """

    h: int
    epsilon: float

    def __post_init__(self) -> None:
        checked(self.h, self.epsilon)

    @property
    def levels(self) -> int:
        return self.h

    @property
    def _keep(self) -> float:
        return 1 / (1 + exp(-self.epsilon))

    @property
    def moments(self) -> tuple[float, float]:
        second = (2 * self._keep - 1) ** -2
        return second, second

    def noise_coefficient(self, l: int, r: int) -> float:
        return self.h * float(sum(Privelet(self.h).parts(*arguments.ends(l, r, self.size))))

    def average_noise_coefficient(self) -> float:
        """Privelet's, without its total."""
        n = self.size
        return self.h * (Privelet(self.h).average_coefficient() - (n + 1) * (n + 2) / (6 * n * n))

    def _share(self, width: int) -> float:
        return width / self.size

    def _bits(self, level: int) -> float:
        """The row's number, of as many as there are nodes, and a sign."""
        return self.h - level

    def _send(self, level: int, values: Cells, rng: np.random.Generator) -> Vector:
        nodes = self.size >> (level + 1)
        row = rng.integers(0, nodes, len(values))
        minus = odd(row, values >> (level + 1)) ^ ((values >> level) & 1).astype(bool)
        minus ^= rng.random(len(values)) >= self._keep
        return self._invert(np.bincount(row, np.where(minus, -1.0, 1.0), nodes).astype(float))

    def _draw(self, level: int, counts: Counts, rng: np.random.Generator) -> Vector:
        """A user at a node sends each of the M rows truly with keep/M and falsely with (1 − keep)/M."""
        nodes = self.size >> (level + 1)
        users = counts.reshape(nodes, 2, -1).sum(axis=2)
        chances = np.repeat([self._keep, 1 - self._keep], nodes) / nodes
        rows = np.arange(nodes)
        totals = np.zeros(nodes)
        for node in np.flatnonzero(users.sum(axis=1)):
            sent = rng.multinomial(users[node], chances).reshape(2, 2, nodes)
            net = (sent[0, 0] - sent[0, 1]) - (sent[1, 0] - sent[1, 1])
            totals += np.where(odd(rows, np.asarray(node)), -net, net)
        return self._invert(totals)

    def _invert(self, totals: Vector) -> Vector:
        return transform(totals) / (2 * self._keep - 1)

    def _answer(self, estimates: list[Vector]) -> RangeRelease:
        return RangeRelease((1,), (synthesise(np.ones(1), estimates),))
