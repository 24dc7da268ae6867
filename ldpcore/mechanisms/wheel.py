"""Wheel and suWheel (SULDP §4): every item has an arc; each unmarked one whose arc misses y₀ is disclosed."""

from dataclasses import dataclass
from functools import cached_property
from math import comb, exp

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.mechanisms.local_hashing import Words
from ldpcore.mechanisms.marking import BasicSets
from ldpcore.mechanisms.ring import CELLS, PLACE_BITS, RING, SEED_BITS, Ring, draw_members, hit_counts
from ldpcore.mechanisms.set_codes import count_at
from ldpcore.policy import SULDPY0, Policy
from ldpcore.randomizer import Reports
from ldpcore.set_randomizer import Sets, Vector
from ldpcore.support_family import SupportFamily, chosen


class Disclosing(Ring):
    """Wheel and suWheel: every item has an arc; each unmarked one whose arc misses y₀ is disclosed."""

    @property
    def _ideal_arc(self) -> float:
        return 1 / (2 * self.m - 1 + self.m * exp(self.epsilon))

    @cached_property
    def _turning(self) -> NDArray[np.bool_]:
        return np.ones(self.inner, bool)

    def _densities(self, b: NDArray[np.integer], union: Vector) -> tuple[Vector, Vector]:
        high = exp(self.epsilon) / self.omega
        return np.full(union.shape, high), (1 - union * high) / (1 - union)

    def _perturb_block(self, held: Sets, out: Reports, rng: np.random.Generator) -> None:
        hashes = self._hashes(np.ascontiguousarray(out["seed"]), held)
        starts, cover, hole = self._cover(hashes, self._turning[held])
        union = cover.sum(axis=1, dtype=np.uint64) / RING
        on = rng.random(len(held)) < union * exp(self.epsilon) / self.omega
        place = self._place(on, starts, cover, hole, rng.random(len(held)))
        out["place"] = place
        if self.slots:
            shown = (place[:, None] - hashes >= np.uint64(self.arc)) & ~self.marked[held]
            named = np.sort(np.where(shown, held, self.inner), axis=1)
            out["disclosed"] = np.where(named < self.inner, named, -1)

    def accepts(self, reports: Reports) -> NDArray[np.bool_]:
        """Any y₀; of every disclosed item the arc misses it, and m items can be found that disclose no others."""
        named = reports["disclosed"]
        good = self._lists_others(named)
        if not self.slots:
            return good
        listed = np.where(good[:, None], named, -1)
        hashes = self._hashes(np.ascontiguousarray(reports["seed"]), np.maximum(listed, 0))
        hit = reports["place"][:, None] - hashes < np.uint64(self.arc)
        good &= ~(hit & (listed >= 0)).any(axis=1)
        # Beside marked items, the rest of the set are others whose arcs y₀ lies on.
        short = np.flatnonzero(good & (self.m - (listed >= 0).sum(axis=1) > self.sigma))
        others, step = np.flatnonzero(~self.marked), max(1, CELLS // self.inner)
        for start in range(0, len(short), step):
            rows = short[start : start + step]
            every = np.broadcast_to(others, (len(rows), len(others)))
            hashes = self._hashes(np.ascontiguousarray(reports["seed"][rows]), every)
            quiet = (reports["place"][rows, None] - hashes < np.uint64(self.arc)).sum(axis=1)
            good[rows] = (listed[rows] >= 0).sum(axis=1) + self.sigma + quiet >= self.m
        return good

    def families(self) -> tuple[SupportFamily, ...]:
        """Each arc as if it lay where one likes, and up to as many others disclosed as there are slots."""
        others, hidden = np.flatnonzero(~self.marked), np.flatnonzero(self.marked)
        choices = chosen(hidden, self.k, 0, len(hidden)), chosen(others, self.k, 0, self.slots)
        return (SupportFamily(self.invert(np.ones(self.k)), self.invert(np.zeros(self.k)), choices),)

    def invert(self, seen: Vector) -> Vector:
        inside = self.marked[: self.k]
        return np.where(inside, (seen - self.p) / (self.a - self.p), seen / (1 - self.a))

    def variance(self, freq: ArrayLike, n: int, company: ArrayLike | None = None) -> Vector:
        f, a, p = self.shares(freq), self.a, self.p
        inside = (f * a * (1 - a) + (1 - f) * p * (1 - p)) / (n * (a - p) ** 2)
        return np.where(self.marked[: self.k], inside, f * a / (1 - a) / n)

    def simulate(self, sets: ArrayLike, rng: np.random.Generator, repeats: int) -> Vector:
        """J of a user's arcs cover y₀, Pr[J=j] = C(m,j) p^j (1−p)^(m−j) E/Ω for j ≥ 1, a uniform subset of the items;
        arcs of others are hit independently. Only users with J ≥ 1 need a second draw.
        """
        item_sets = checks.item_sets(sets, self.inner, self.m)
        n = len(item_sets)
        holders = np.bincount(item_sets.ravel(), minlength=self.inner)[: self.k]
        inside = self.marked[: self.k]
        chance = hit_counts(self.m, self.p) * exp(self.epsilon) / self.omega
        out = np.empty((repeats, self.k))
        for row in out:
            per_count = rng.multinomial(n, np.r_[1 - chance[1:].sum(), chance[1:]])
            hits = draw_members(item_sets, per_count, rng, self.inner)[: self.k]
            row[:] = np.where(inside, hits + rng.binomial(n - holders, np.where(inside, self.p, 0)), holders - hits)
        return self.invert(out / n)

    def _log_density(self, reports: Reports, hashes: Words, held: Sets, union: Vector) -> Vector:
        hits = self._hits(reports, hashes)
        place = self._log_place(count_at(hits, held) > 0, held, union)
        if not self.slots:
            return place
        named = np.zeros((len(reports), self.inner + 1), bool)
        np.put_along_axis(named, np.where(reports["disclosed"] < 0, self.inner, reports["disclosed"]), True, axis=1)
        named = named[:, : self.inner]
        # Disclosed must be exactly the set's unmarked items whose arc misses y₀.
        right = count_at(named != (~hits & ~self.marked), held) == 0
        right &= count_at(named, held) == named.sum(axis=1, keepdims=True)
        return np.where(right, place, -np.inf)

    def outputs(self, public: int | None = None) -> Reports:
        """Every cell of the ring with everything that some set discloses there."""
        cuts, all_sets = self._cuts(public or 0), self.all_sets()
        cell = np.zeros(len(cuts), self._dtype)
        cell["seed"], cell["place"] = public or 0, cuts
        hits = self._hits(cell, self._hashes(np.array([public or 0], np.uint64), np.arange(self.inner)[None])[0])
        shown = ~hits[:, all_sets] & ~self.marked[all_sets]
        named = np.sort(np.where(shown, all_sets[None], self.inner), axis=2).reshape(-1, self.m)[:, : self.slots]
        out = np.repeat(cell, len(all_sets))
        out["disclosed"] = np.where(named < self.inner, named, -1)
        return np.unique(out)

    def count_outputs(self) -> int:
        """In each of 2(k + dummies) cells, the sets of unmarked items that it may disclose."""
        others = int(np.count_nonzero(~self.marked))
        return super().count_outputs() * sum(comb(others, d) for d in range(min(self.slots, others) + 1))

    def report_bits(self, freq: ArrayLike | None = None) -> float:
        """Seed, y₀, and the code of every disclosed item: mean |s∩N|·(1 − pE/Ω)."""
        return SEED_BITS + PLACE_BITS + self.open_mean(self.shares(freq)) * (1 - self.a) * self.code_bits


@dataclass(frozen=True, eq=False)
class SUWheel(Disclosing):
    """suWheel (SULDP §4): the Wheel for sets with unmarked items. Its promise is about y₀ alone."""

    uses_marks = True

    @property
    def policy(self) -> Policy:
        return SULDPY0(self.epsilon, self.marked)

    @property
    def slots(self) -> int:
        return self.m

    def disclosed(self, b: int) -> NDArray[np.float64]:
        """Law (m + 1,) of how many of b unmarked items a report discloses, the hash unknown
        (theory/sets#undisclosed-slot).
        """
        hits = hit_counts(self.m, self.p) * exp(self.epsilon) / self.omega
        hits[0] = 1 - hits[1:].sum()
        out = np.zeros(self.m + 1)
        for j in range(self.m + 1):
            for missed in range(max(0, j - (self.m - b)), min(j, b) + 1):
                # Which j of the m items are hit is uniform.
                out[b - missed] += hits[j] * comb(b, missed) * comb(self.m - b, j - missed) / comb(self.m, j)
        return out


@dataclass(frozen=True, eq=False)
class Wheel(BasicSets, Disclosing):
    """The Wheel mechanism (Wang et al., "Set-valued data publication with local privacy", 2020): no item is open."""

    @property
    def slots(self) -> int:
        return 0
