"""A bit for every item, each flipped independently with ε/m per item: suRAP and RAPPOR on the multi-hot vector."""

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.mechanisms import bits
from ldpcore.mechanisms.marking import BasicSets, JointSets
from ldpcore.mechanisms.set_codes import count_at, sum_at
from ldpcore.mechanisms.set_support import CELLS, BitSets
from ldpcore.mechanisms.unary import RAPPOR, URAP, Unary
from ldpcore.randomizer import BLOCK, Reports
from ldpcore.set_randomizer import Sets, Vector


class MultiHot(BitSets):
    """The family. A member states the encoding of one item, at ε/m, whose pair (a, b) every bit uses."""

    others_alike = True

    @property
    @abstractmethod
    def single(self) -> Unary:
        """The encoding of one item, at ε/m."""

    @property
    def _most_shown(self) -> int:
        return self.m

    @cached_property
    def _pair(self) -> tuple[Vector, Vector]:
        a, b = self.single._pair
        return a[: self.k], b[: self.k]

    @property
    def _missed(self) -> Vector:
        return self.single._missed[: self.k]

    def perturb(self, sets: ArrayLike, rng: np.random.Generator) -> Reports:
        item_sets = checks.item_sets(sets, self.inner, self.m)
        out = np.zeros((len(item_sets), bits.width(self.inner)), np.uint8)
        a, b = self.single._pair
        for start in range(0, len(item_sets), BLOCK):
            block, rows = out[start : start + BLOCK], item_sets[start : start + BLOCK]
            if b.any():
                bits.random(block, float(b.max()), rng)
            block &= bits.pack(b > 0)
            for item in rows.T:
                bits.write(block, item, rng.random(len(rows)) < a[item])
        return out

    def accepts(self, reports: Reports) -> NDArray[np.bool_]:
        """Any bits of hidden items, and at most m of those that only their holders set."""
        return bits.clean(reports, self.inner) & (bits.ones(reports, self.single._pair[1] == 0) <= self.m)

    def simulate(self, sets: ArrayLike, rng: np.random.Generator, repeats: int) -> Vector:
        """All bits are independent: two binomials per item, O(k)."""
        item_sets = checks.item_sets(sets, self.inner, self.m)
        n, (a, b) = len(item_sets), self._pair
        holders = np.bincount(item_sets.ravel(), minlength=self.inner)[: self.k]
        shape = (repeats, self.k)
        return self.invert((rng.binomial(holders, a, shape) + rng.binomial(n - holders, b, shape)) / n)

    def log_likelihood(self, reports: Reports, sets: ArrayLike) -> Vector:
        """Σ over the bits; a set bit with b = 0 needs its item in the set."""
        return self._log_chances(reports, checks.item_sets(sets, self.inner, self.m)[None])

    def own_log_likelihood(self, reports: Reports, sets: ArrayLike) -> Vector:
        return self._log_chances(reports, self._own_sets(sets))

    def _log_chances(self, reports: Reports, held: Sets) -> Vector:
        """held (n or 1, sets, m)"""
        a, b = self.single._pair
        out = np.empty((len(reports), held.shape[1]))
        step = max(1, CELLS // max(1, held[0].size, self.inner))
        for start in range(0, len(reports), step):
            on = bits.unpack(reports[start : start + step], self.inner).astype(bool)
            sets, named = held if len(held) == 1 else held[start : start + step], on & (b == 0)
            with np.errstate(divide="ignore"):
                absent = np.where(on, np.where(b == 0, 0.0, np.log(b)), np.log1p(-b))
                present = np.where(on, np.log(a), np.log(self.single._missed))
            chance = absent.sum(axis=1, keepdims=True) + sum_at(present - absent, sets)
            shown = count_at(named, sets) == np.count_nonzero(named, axis=1)[:, None]
            out[start : start + step] = np.where(shown, chance, -np.inf)
        return out

    def count_outputs(self) -> int:
        others = self.inner - self.sigma
        return sum(comb(others, d) for d in range(min(self.m, others) + 1)) << self.sigma

    def outputs(self, public: int | None = None) -> Reports:
        """Every pattern of the sensitive bits, with every set of at most m others."""
        inside, others = np.flatnonzero(self.marked), np.flatnonzero(~self.marked)
        patterns = (np.arange(1 << len(inside))[:, None] >> np.arange(len(inside))) & 1
        out = []
        for d in range(min(self.m, len(others)) + 1):
            for named in combinations(others.tolist(), d):
                rows = np.zeros((len(patterns), self.inner), bool)
                rows[:, inside] = patterns
                rows[:, list(named)] = True
                out.append(rows)
        return bits.pack(np.concatenate(out))


@dataclass(frozen=True, eq=False)
class SURAP(JointSets, MultiHot):
    """suRAP (SULDP §4): the multi-hot vector through uRAP with ε/m per item."""

    @cached_property
    def single(self) -> Unary:
        return URAP(self.epsilon / self.m, self.inner, self.marked)


@dataclass(frozen=True, eq=False)
class SplitRAPPOR(BasicSets, MultiHot):
    """RAPPOR on the multi-hot vector with ε/m per item (Erlingsson, Pihur, Korolova 2014, composed m times)."""

    @cached_property
    def single(self) -> Unary:
        return RAPPOR(self.epsilon / self.m, self.inner)
