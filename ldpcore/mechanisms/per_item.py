"""Every item on its own, with ε/m: suGRR and GRR with a split budget.

A report is the *multiset* of the m outputs, a sorted row: the paper's set would collapse duplicates and bias the
estimate (theory/sets#multisets).
"""

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, combinations_with_replacement
from math import comb, log

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln

from ldpcore import checks
from ldpcore.mechanisms.direct import GRR, URR
from ldpcore.mechanisms.marking import BasicSets, JointSets
from ldpcore.mechanisms.set_support import CELLS, PairedSets
from ldpcore.randomizer import Reports
from ldpcore.set_randomizer import Vector
from ldpcore.support_family import SupportFamily, chosen
from ldpcore.tally import Tally


class PerItem(PairedSets):
    """The family. A member states the mechanism of one item, which keeps it, else sends a uniform sensitive one."""

    others_alike = True

    @property
    @abstractmethod
    def single(self) -> GRR | URR:
        """What happens to one item, at ε/m."""

    @property
    def passed(self) -> int:
        return self.m

    @cached_property
    def _pair(self) -> tuple[Vector, Vector]:
        """a and b (k,): chance that an item comes out as v if it is v, and if it is not."""
        group = self.single.groups[0]
        b = np.where(self.marked, group.stray, 0.0)[: self.k]
        return group.keep + b, b

    @property
    def _missed(self) -> Vector:
        return self.single._missed[: self.k]

    def perturb(self, sets: ArrayLike, rng: np.random.Generator) -> Reports:
        item_sets = checks.item_sets(sets, self.inner, self.m)
        return np.sort(self.single.perturb(item_sets.ravel(), rng).reshape(item_sets.shape).astype(np.int32), axis=1)

    def accepts(self, reports: Reports) -> NDArray[np.bool_]:
        """m codes in ascending order, an item that is not marked at most once: only its holder sends it."""
        codes = np.asarray(reports)
        known = ((codes >= 0) & (codes < self.inner)).all(axis=1)
        hidden = self.marked[np.clip(codes[:, 1:], 0, self.inner - 1)]
        follows = np.where(hidden, codes[:, 1:] >= codes[:, :-1], codes[:, 1:] > codes[:, :-1])
        return np.logical_and(known, follows.all(axis=1))

    def tally(self, reports: Reports) -> Tally:
        return Tally(len(reports), self.single.tally(reports.ravel()).total[: self.k])

    def supported(self, reports: Reports) -> Vector:
        named = np.asarray(reports, np.int64)
        places = (np.arange(len(named))[:, None] * self.inner + named).ravel()
        return np.bincount(places, minlength=len(named) * self.inner).reshape(-1, self.inner)[:, : self.k].astype(float)

    def families(self) -> tuple[SupportFamily, ...]:
        """So many items that are not marked, each once, and one that is as often as is left."""
        hidden, others = np.flatnonzero(self.marked), np.flatnonzero(~self.marked)
        out, off = [], self.invert(np.zeros(self.k))
        for shown in range(min(self.m, len(others)) + 1):
            rest = self.m - shown
            if rest and not len(hidden):
                continue
            on = self.invert(np.where(self.marked[: self.k], float(rest), 1.0))
            often = chosen(hidden, self.k, min(rest, 1), min(rest, 1))
            out.append(SupportFamily(on, off, (often, chosen(others, self.k, shown, shown))))
        return tuple(out)

    def simulate(self, sets: ArrayLike, rng: np.random.Generator, repeats: int) -> Vector:
        """Items are perturbed independently, so their counts are enough: O(k)."""
        item_sets = checks.item_sets(sets, self.inner, self.m)
        counts = np.bincount(item_sets.ravel(), minlength=self.inner)
        return self.invert(self.single.draw(counts, rng, repeats)[:, : self.k] / len(item_sets))

    def log_likelihood(self, reports: Reports, sets: ArrayLike) -> Vector:
        """Σ over how many sensitive items were kept. Of r outputs, d disclose an item (kept), c_v are the sensitive v:
        κ^d Σ_j κ^j e_j(c of the set's items) · ((1−κ)/σ)^(m−d−j) (m−d−j)!/Π c_v!, e_j the elementary symmetric
        polynomials: they count the ways in which j of the set's sensitive items are among the outputs.
        """
        item_sets, keep = checks.item_sets(sets, self.inner, self.m), self.single.groups[0].keep
        out = np.empty((len(reports), len(item_sets)))
        step = max(1, CELLS // max(1, len(item_sets) * self.m))
        for start in range(0, len(reports), step):
            block = np.asarray(reports[start : start + step])
            seen = np.zeros((len(block), self.inner), np.int64)
            np.add.at(seen, (np.arange(len(block))[:, None], block), 1)
            out[start : start + step] = self._log_chance(seen, item_sets, keep)
        return out

    def _log_chance(self, seen: NDArray[np.int64], held: NDArray[np.intp], keep: float) -> Vector:
        named = np.where(self.marked, 0, seen)
        disclosed = named.sum(axis=1)
        fits = (np.minimum(named[:, held], 1).sum(axis=2) == disclosed[:, None]) & (named.max(axis=1) < 2)[:, None]
        counts = np.where(self.marked[held], seen[:, held], 0)
        ways = np.zeros((*counts.shape[:2], self.m + 1))
        ways[..., 0] = 1
        for i in range(self.m):
            ways[..., 1:] += counts[..., i, None] * ways[..., :-1]
        j = np.arange(self.m + 1)
        strays = self.m - disclosed[:, None] - j
        possible = strays >= 0
        rest = self.single.groups[0].stray
        stray = log(rest) if rest > 0 else -np.inf
        with np.errstate(invalid="ignore", divide="ignore"):
            moved = np.where(strays > 0, strays * stray, 0.0)
            part = (disclosed[:, None] + j) * np.log(keep) + moved + gammaln(np.maximum(strays, 0) + 1)
            total = np.einsum("xrj,xj->xr", ways, np.where(possible, np.exp(part), 0.0))
            repeats = gammaln(np.where(self.marked, seen, 0) + 1).sum(axis=1, keepdims=True)
            return np.where(fits, np.log(total) - repeats, -np.inf)

    def count_outputs(self) -> int:
        sigma, others = self.sigma, self.inner - self.sigma
        if not sigma:
            return comb(others, self.m)
        kinds = range(min(self.m, others) + 1)
        return sum(comb(others, d) * comb(sigma + self.m - d - 1, self.m - d) for d in kinds)

    def outputs(self, public: int | None = None) -> Reports:
        """Every set of disclosed items with every multiset of sensitive ones."""
        inside, others = np.flatnonzero(self.marked).tolist(), np.flatnonzero(~self.marked).tolist()
        rows = [
            sorted(named + hidden)
            for d in range(min(self.m, len(others)) + 1)
            for named in combinations(others, d)
            for hidden in combinations_with_replacement(inside, self.m - d)
        ]
        return np.array(rows, np.int32).reshape(-1, self.m)

    def _symbols(self, outputs: Reports) -> list[list[int]]:
        return outputs.tolist()

    def report_bits(self, freq: ArrayLike | None = None) -> float:
        """m codes."""
        return float(self.m * self.code_bits)


@dataclass(frozen=True, eq=False)
class SUGRR(JointSets, PerItem):
    """suGRR (SULDP §4): uRR with ε/m on each of the m items."""

    @cached_property
    def single(self) -> URR:
        return URR(self.epsilon / self.m, self.inner, self.marked)


@dataclass(frozen=True, eq=False)
class SplitGRR(BasicSets, PerItem):
    """GRR with ε/m on each of the m items (Kairouz, Bonawitz, Ramage 2016, composed m times)."""

    @cached_property
    def single(self) -> GRR:
        return GRR(self.epsilon / self.m, self.inner)
