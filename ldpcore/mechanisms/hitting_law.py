"""The numbers of PrivSet and uPrivSet: how likely a user's set makes each subset of S, and what it discloses.

a of the user's items are sensitive and b = m − a are not; E = e^ε (theory/sets#uprivset).
"""

from dataclasses import dataclass
from functools import cached_property
from math import comb, exp, expm1, log

import numpy as np
from numpy.typing import NDArray

from ldpcore.set_randomizer import Vector
from ldpcore.subsets import log_binomial


def missing(pool: int, w: int, m: int) -> Vector:
    """t_a = C(pool−a, w)/C(pool, w), a = 0…m: chance that a uniform w-subset misses a given items. No big binomials."""
    a = np.arange(m)
    return np.r_[1.0, np.cumprod(np.maximum(pool - w - a, 0) / np.maximum(pool - a, 1))]


def draw_from(law: Vector, rows: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.intp]:
    """One draw (n,) from the given rows of a table of distributions; a row of zeros gives 0."""
    ends = np.cumsum(law, axis=1)
    whole = ends[:, -1:]
    ends = np.where(ends >= whole * (1 - 1e-12), np.where(whole > 0, 2.0, 0.0), ends)
    u = rng.random(len(rows))
    out = np.zeros(len(rows), np.intp)
    for j in range(law.shape[1] - 1):
        out += (ends[rows, j] <= u) & (whole[rows, 0] > 0)
    return out


@dataclass(frozen=True, eq=False)
class HittingLaw:
    """Sets of m items, σ items in S, subsets of w of them; `discloses`: whether unmarked items may be sent openly."""

    epsilon: float
    sigma: int
    m: int
    w: int
    discloses: bool

    @cached_property
    def miss(self) -> Vector:
        """t_a, a = 0…m."""
        return missing(self.sigma, self.w, self.m)

    @cached_property
    def z(self) -> float:
        """Z = E(1−t_m) + t_m."""
        return 1 + expm1(self.epsilon) * (1 - self.miss[-1])

    @cached_property
    def rho(self) -> float:
        """ρ = (1−1/Z)/m, chance of each unmarked item to be the first that is disclosed; 0 where there is none."""
        return (1 - 1 / self.z) / self.m if self.discloses else 0.0

    @cached_property
    def c(self) -> float:
        """c = (E−1)u_m/Z."""
        return expm1(self.epsilon) * self.miss[-1] * self.sigma / (self.sigma - self.m) / self.z

    @cached_property
    def left(self) -> Vector:
        """1 − ρb (m + 1,): chance that nothing is disclosed. Written so that at large ε 1/Z remains of it."""
        b = np.arange(self.m + 1)
        return (1 - b / self.m) + b / (self.m * self.z) if self.rho else np.ones(self.m + 1)

    @cached_property
    def levels(self) -> tuple[Vector, Vector]:
        """H and L (m + 1,) by the number of unmarked items: density against uniform of hitting and missing subsets."""
        b = np.arange(self.m + 1)
        a = self.m - b
        u = self.miss[a] * self.sigma / (self.sigma - a)
        low = self.left - self.c * (1 - self.miss[a]) / u
        # L is at least 1/Z; at large ε the difference of nearly equal numbers may be less.
        return self.left + self.c * (1 - a / self.sigma), np.maximum(low, 1 / self.z)

    @cached_property
    def grow(self) -> tuple[Vector, Vector]:
        """g[b, i], chance that another item follows when i of b are out, and 1 − g: (m + 1, m + 1) each."""
        b, i = np.arange(self.m + 1)[:, None], np.arange(self.m + 1)[None]
        left = np.where((i >= 1) & (i < b), (b - i) / np.maximum(self.m - i, 1), 0.0)
        # Where all is left, 1 − g is 1/E, which the difference loses at large ε.
        return -expm1(-self.epsilon) * left, (1 - left) + left * exp(-self.epsilon)

    @cached_property
    def size_law(self) -> Vector:
        """Pr[|D| = j | the first is out, b unmarked items]: (m + 1, m + 1)."""
        grow, stop = self.grow
        reached = np.ones((self.m + 1, self.m + 2))
        for i in range(1, self.m + 1):
            reached[:, i + 1] = reached[:, i] * grow[:, i]
        law = reached[:, :-1] * stop
        law[:, 0] = 0
        law[0] = 0
        return law

    @cached_property
    def members(self) -> Vector:
        """Pr[j own items in a subset that hits], by their number a: (m + 1, m + 1), a hypergeometric law without 0."""
        law = np.zeros((self.m + 1, self.m + 1))
        for a in range(1, self.m + 1):
            for j in range(1, min(a, self.w) + 1):
                if self.w - j <= self.sigma - a:
                    ways = log(comb(a, j)) + log_binomial(self.sigma - a, self.w - j)
                    law[a, j] = exp(ways - log_binomial(self.sigma, self.w))
            law[a] /= law[a].sum()
        return law
