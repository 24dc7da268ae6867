"""The wheels: items are hashed onto the ring [0, 1), arcs of length p start there, y₀ falls on an own arc more often.

A report is a record: the seed of the user's hash, y₀ (both uint64, the ring in units of 2⁻⁶⁴) and the disclosed items,
sorted and padded with −1. The hash is a·M[v] + b (local_hashing): the plain linear a·v + b biases the estimates of the
neighbours of adjacent items, because y₀ depends on m hashes at once (theory/sets#the-hash).
"""

from abc import abstractmethod
from functools import cached_property
from math import exp, expm1

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.channel import SetColumn
from ldpcore.mechanisms.local_hashing import Words, coefficients, count_hits, multipliers
from ldpcore.mechanisms.set_codes import at_codes
from ldpcore.randomizer import BLOCK, Reports
from ldpcore.set_randomizer import SetRandomizer, Sets, Vector
from ldpcore.tally import Tally

RING = 2.0**64
SEED_BITS, PLACE_BITS = 64, 64
CELLS = 1 << 20


class Ring(SetRandomizer):
    """The family. A member states the arc, which items have arcs, the density of y₀, and what is disclosed."""

    hashed = True

    @property
    @abstractmethod
    def _ideal_arc(self) -> float:
        """p, before it is rounded to the ring's units."""

    @property
    @abstractmethod
    def slots(self) -> int:
        """Items that a report may disclose."""

    @property
    @abstractmethod
    def _turning(self) -> NDArray[np.bool_]:
        """The items whose arcs attract y₀: (k + dummies,)."""

    @cached_property
    def arc(self) -> int:
        """The arc in units of 2⁻⁶⁴."""
        return max(1, min(int(self._ideal_arc * RING), int(RING) // self.m - 1))

    @cached_property
    def p(self) -> float:
        """Length of an arc."""
        return self.arc / RING

    @cached_property
    def omega(self) -> float:
        """Ω = mpE + 1 − mp."""
        return 1 + self.m * self.p * expm1(self.epsilon)

    @cached_property
    def a(self) -> float:
        """pE/Ω: chance that y₀ falls on the arc of a held item."""
        return self.p * exp(self.epsilon) / self.omega

    @cached_property
    def _dtype(self) -> np.dtype:
        return np.dtype([("seed", np.uint64), ("place", np.uint64), ("disclosed", np.int64, (self.slots,))])

    @abstractmethod
    def _densities(self, b: NDArray[np.integer], union: Vector) -> tuple[Vector, Vector]:
        """Density of y₀ on and off the union of the arcs, for sets with b unmarked items and a union this long."""

    # the sampler -----------------------------------------------------------------------------------------------

    def perturb(self, sets: ArrayLike, rng: np.random.Generator, public: int | None = None) -> Reports:
        """`public`: one hash for all users (to test against its channel) instead of one each."""
        item_sets = checks.item_sets(sets, self.inner, self.m)
        out = np.zeros(len(item_sets), self._dtype)
        out["disclosed"] = -1
        for start in range(0, len(item_sets), BLOCK):
            block = out[start : start + BLOCK]
            n = len(block)
            block["seed"] = public if public is not None else rng.integers(0, 1 << 64, n, np.uint64)
            self._perturb_block(item_sets[start : start + BLOCK], block, rng)
        return out

    @abstractmethod
    def _perturb_block(self, held: Sets, out: Reports, rng: np.random.Generator) -> None:
        """Fill y₀ and the disclosed items."""

    def _hashes(self, seeds: Words, items: NDArray[np.intp]) -> Words:
        """(n,), (n, q) → (n, q)."""
        a, b = coefficients(seeds)
        return a[:, None] * multipliers(self.inner)[items] + b[:, None]

    def _cover(self, hashes: Words, turning: NDArray[np.bool_]) -> tuple[Words, Words, Words]:
        """Sorted starts (n, m) of the arcs, the stretch that each covers until the next begins, the hole behind it.

        A row's items without an arc stand at its last arc with neither cover nor hole; a row without any is one hole.
        """
        top = np.uint64(0xFFFFFFFFFFFFFFFF)
        starts = np.sort(np.where(turning, hashes, top), axis=1)
        count = np.count_nonzero(turning, axis=1)
        place = np.arange(self.m)
        following = np.where(place[None] + 1 < count[:, None], np.roll(starts, -1, axis=1), starts[:, :1])
        gap = following - starts
        real = place[None] < count[:, None]
        cover = np.where(real, np.minimum(gap - np.uint64(1), np.uint64(self.arc - 1)) + np.uint64(1), np.uint64(0))
        hole = np.where(real, gap - cover, np.uint64(0))
        nothing = count == 0
        starts[nothing, 0] = 0
        hole[nothing, 0] = top
        return starts, cover, hole

    def _place(self, on: NDArray[np.bool_], starts: Words, cover: Words, hole: Words, u: Vector) -> Words:
        """y₀ (n,), uniform on the covered part where `on`, else on the holes."""
        length = np.where(on[:, None], cover, hole)
        ends = np.cumsum(length, axis=1, dtype=np.uint64)
        total = ends[:, -1]
        target = np.minimum((u * total.astype(float)).astype(np.float64), RING - 4096).astype(np.uint64)
        target = np.minimum(target, total - np.uint64(1))
        j = np.count_nonzero(ends <= target[:, None], axis=1)
        row = np.arange(len(j))
        offset = target - (ends[row, j] - length[row, j])
        return starts[row, j] + np.where(on, np.uint64(0), cover[row, j]) + offset

    # the collector ---------------------------------------------------------------------------------------------

    def _lists_others(self, named: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether the disclosed items (n, slots) are unmarked ones in ascending order, each once, and then −1."""
        there = named >= 0
        known = np.where(there, ~self.marked[np.clip(named, 0, self.inner - 1)] & (named < self.inner), named == -1)
        follows = np.where(there[:, 1:], there[:, :-1] & (named[:, 1:] > named[:, :-1]), True)
        return np.logical_and(known.all(axis=1), follows.all(axis=1))

    def tally(self, reports: Reports) -> Tally:
        """How many y₀ lie on the arc of each sensitive item, and how many reports disclose each other item."""
        total = np.zeros(self.inner, np.int64)
        named = reports["disclosed"]
        total += np.bincount(named[named >= 0], minlength=self.inner)
        placed = reports[self._has_place(reports)]
        a, b = coefficients(np.ascontiguousarray(placed["seed"]))
        support = np.flatnonzero(self.marked[: self.k])
        # y₀ − (a·M[v] + b) < p, written for −a
        total[support] += count_hits(-a, placed["place"] - b, np.uint64(self.arc), support, self.inner)
        return Tally(len(reports), total[: self.k])

    def supported(self, reports: Reports) -> Vector:
        out = np.zeros((len(reports), self.inner + 1))
        named = np.where(reports["disclosed"] < 0, self.inner, reports["disclosed"])
        np.put_along_axis(out, named, 1.0, axis=1)
        codes = np.broadcast_to(np.arange(self.inner), (len(reports), self.inner))
        hashes = self._hashes(np.ascontiguousarray(reports["seed"]), codes)
        hit = reports["place"][:, None] - hashes < np.uint64(self.arc)
        placed = hit & self._has_place(reports)[:, None]
        return np.where(self.marked, placed, out[:, : self.inner])[:, : self.k]

    def _has_place(self, reports: Reports) -> NDArray[np.bool_]:
        return np.ones(len(reports), bool)

    # the likelihood --------------------------------------------------------------------------------------------

    def log_likelihood(self, reports: Reports, sets: ArrayLike) -> Vector:
        """Density of y₀ on the ring of length 1, given the hash; −∞ where the set would not disclose just this."""
        item_sets = checks.item_sets(sets, self.inner, self.m)[None]
        seeds, group = np.unique(reports["seed"], return_inverse=True)
        if len(seeds) == len(reports):
            return self._each(reports, item_sets)
        # One hash has the same arcs for all its reports.
        out = np.empty((len(reports), item_sets.shape[1]))
        order = np.argsort(group, kind="stable")
        bounds = np.searchsorted(group[order], np.arange(len(seeds) + 1))
        step = max(1, CELLS // max(1, item_sets.size))
        for g, seed in enumerate(seeds):
            hashes = self._hashes(np.array([seed]), np.arange(self.inner)[None])
            union = self._union(hashes, item_sets)
            rows = order[bounds[g] : bounds[g + 1]]
            for start in range(0, len(rows), step):
                part = rows[start : start + step]
                out[part] = self._log_density(reports[part], hashes, item_sets, union)
        return out

    def own_log_likelihood(self, reports: Reports, sets: ArrayLike) -> Vector:
        return self._each(reports, self._own_sets(sets))

    def _each(self, reports: Reports, held: Sets) -> Vector:
        """Reports whose hashes differ; held (n or 1, sets, m)."""
        out = np.empty((len(reports), held.shape[1]))
        step = max(1, CELLS // max(1, held[0].size, self.inner))
        for start in range(0, len(reports), step):
            part, sets = reports[start : start + step], held if len(held) == 1 else held[start : start + step]
            codes = np.broadcast_to(np.arange(self.inner), (len(part), self.inner))
            hashes = self._hashes(np.ascontiguousarray(part["seed"]), codes)
            out[start : start + step] = self._log_density(part, hashes, sets, self._union(hashes, sets))
        return out

    def _union(self, hashes: Words, held: Sets) -> Vector:
        """Length of the union of each set's arcs, straight from the distances of sorted starts.

        hashes (n, codes), held (n, sets, m), either with one row for all → (n, sets).
        """
        if self.m == 1:
            return np.where(self._turning[held][..., 0], self.p, 0.0)
        places = at_codes(hashes / RING, held)
        if self._turning.all():
            places.sort(axis=2)
            steps = np.minimum(places[..., 1:] - places[..., :-1], self.p)
            return steps.sum(axis=2) + np.minimum(places[..., 0] + 1 - places[..., -1], self.p)
        turning = self._turning[held]
        places = np.where(turning, places, np.inf)
        places.sort(axis=2)
        count = np.count_nonzero(turning, axis=2)
        with np.errstate(invalid="ignore"):
            steps = np.where(places[..., 1:] < np.inf, np.minimum(places[..., 1:] - places[..., :-1], self.p), 0.0)
        last = np.take_along_axis(places, np.maximum(count - 1, 0)[..., None], axis=2)[..., 0]
        with np.errstate(invalid="ignore"):
            wrap = np.where(count > 0, np.minimum(places[..., 0] + 1 - last, self.p), 0.0)
        return steps.sum(axis=2) + wrap

    @abstractmethod
    def _log_density(self, reports: Reports, hashes: Words, held: Sets, union: Vector) -> Vector:
        """ln density (n, sets) of reports, given their hashes (n, codes), of sets (n, sets, m), whose arcs cover
        `union` (n, sets): each of these three with one row for all reports, or one for each.
        """

    def _hits(self, reports: Reports, hashes: Words) -> NDArray[np.bool_]:
        """Whose arcs y₀ lies on: (n, k + dummies)."""
        return (reports["place"][:, None] - hashes) < np.uint64(self.arc)

    def _log_place(self, hit: NDArray[np.bool_], held: Sets, union: Vector) -> Vector:
        """ln density of y₀; `hit` (n, sets): whether it lies on an own arc."""
        b = np.count_nonzero(~self.marked[held], axis=2)
        with np.errstate(divide="ignore"):
            on, off = (np.log(part) for part in self._densities(b, union))
        return np.where(hit, on, off)

    # the channel -----------------------------------------------------------------------------------------------

    def _cuts(self, public: int) -> Words:
        """Where the ring is cut, so that inside a cell every likelihood is constant."""
        hashes = self._hashes(np.array([public], np.uint64), np.arange(self.inner)[None])[0]
        return np.unique(np.r_[hashes, hashes + np.uint64(self.arc)])

    def _sizes(self, outputs: Reports, public: int | None) -> Vector:
        cuts = self._cuts(public or 0)
        lengths = (np.roll(cuts, -1) - cuts).astype(float) / RING
        place = np.searchsorted(cuts, outputs["place"])
        return np.where(self._has_place(outputs), lengths[np.minimum(place, len(cuts) - 1)], 1.0)

    def _cell(self, reports: Reports, public: int | None) -> Reports:
        cuts = self._cuts(public or 0)
        out = reports.copy()
        placed = self._has_place(reports)
        out["place"][placed] = cuts[np.searchsorted(cuts, reports["place"][placed], side="right") - 1]
        return out

    def count_outputs(self) -> int:
        return 2 * self.inner

    def describe(self, outputs: Reports) -> list[SetColumn]:
        columns = []
        fields = self._has_place(outputs).tolist(), outputs["place"].tolist(), outputs["disclosed"].tolist()
        for placed, place, codes in zip(*fields, strict=True):
            named = tuple(v for v in codes if v >= 0)
            hidden = f"{place / RING:.6f} ({place})" if placed else ""
            columns.append(SetColumn(f"{hidden} {list(named)}".strip(), not named, None, named, hidden))
        return columns

    def measure_bits(self, reports: Reports) -> float:
        placed = self._has_place(reports).mean() * (SEED_BITS + PLACE_BITS)
        return float(placed + np.count_nonzero(reports["disclosed"] >= 0) / len(reports) * self.code_bits)


def hit_counts(m: int, p: float) -> Vector:
    """Binomial(m, p): (m + 1,)."""
    out = np.array([1.0])
    for _ in range(m):
        wider = np.zeros(len(out) + 1)
        wider[:-1] = out * (1 - p)
        wider[1:] += out * p
        out = wider
    return out


def draw_members(held: Sets, per_count: NDArray[np.integer], rng: np.random.Generator, items: int) -> NDArray[np.int64]:
    """How often each item is hit when per_count[j] different random users have j random items hit."""
    m, total = held.shape[1], np.zeros(items, np.int64)
    hit = np.zeros(len(held), np.min_scalar_type(m))
    hit[rng.choice(len(held), int(per_count[1:].sum()), replace=False)] = np.repeat(np.arange(1, m + 1), per_count[1:])
    for j in np.flatnonzero(per_count[1:]) + 1:
        users = np.flatnonzero(hit == j)
        count = len(users)
        picked: list[NDArray[np.int64]] = []
        for last in range(m - j, m):  # Floyd: a place not taken yet, or else the last one
            place = rng.integers(0, last + 1, count)
            taken = np.zeros(count, bool)
            for earlier in picked:
                taken |= earlier == place
            picked.append(np.where(taken, last, place))
        for place in picked:
            total += np.bincount(held[users, place], minlength=items)
    return total
