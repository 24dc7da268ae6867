"""A w-subset of the sensitive items, likelier when it meets the user's set: what PrivSet and uPrivSet share.

Both are a mixture: with some probability a uniform w-subset of S, else one that meets the user's sensitive items A.
uPrivSet (ours: theory/sets#uprivset) may instead disclose some of the unmarked items, and nothing else. A report is
a row of packed bits over the inner domain; an unmarked bit says which kind it is.
"""

from abc import abstractmethod
from collections.abc import Iterator
from functools import cached_property, partial
from itertools import combinations
from math import comb, exp, expm1, lcm

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.channel import SetColumn
from ldpcore.mechanisms import bits
from ldpcore.mechanisms.hitting_law import HittingLaw, draw_from
from ldpcore.mechanisms.set_codes import count_at
from ldpcore.randomizer import Reports
from ldpcore.set_randomizer import SetRandomizer, Sets, Vector
from ldpcore.subsets import log_binomial, spread, subset_bits
from ldpcore.support_family import SupportFamily, chosen
from ldpcore.tally import Tally

CELLS = 1 << 20
BLOCK_CELLS = 1 << 24
CACHED_CELLS = 1 << 22
"""Of what is looked up at random places."""
MAX_UNIT = 1 << 32


class Hitting(SetRandomizer):
    """The family. A member states w and whether it discloses; the subsets are common."""

    others_alike = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.sigma <= self.m:
            name = type(self).__name__  # in the catalogue UPrivSet is called uPrivSet
            name = name[0].lower() + name[1:] if name[:2].isupper() else name
            raise ValueError(
                f"{name} draws its subsets beside the user's items: it needs more than m = {self.m} "
                f"sensitive items (dummies included), got {self.sigma}; choose a smaller m, or mark more items"
            )

    @property
    @abstractmethod
    def w(self) -> int:
        """Items in a subset."""

    @property
    @abstractmethod
    def discloses(self) -> bool:
        """Whether unmarked items may be sent openly."""

    def _law_of(self, w: int) -> HittingLaw:
        return HittingLaw(self.epsilon, self.sigma, self.m, w, self.discloses)

    @cached_property
    def _law(self) -> HittingLaw:
        return self._law_of(self.w)

    @property
    def rho(self) -> float:
        """Chance of each unmarked item to be the first that is disclosed; 0 where there is none."""
        return self._law.rho

    @property
    def c(self) -> float:
        return self._law.c

    @cached_property
    def _inside(self) -> NDArray[np.intp]:
        return np.flatnonzero(self.marked)

    # the sampler -----------------------------------------------------------------------------------------------

    def perturb(self, sets: ArrayLike, rng: np.random.Generator) -> Reports:
        item_sets = checks.item_sets(sets, self.inner, self.m)
        return bits.in_blocks(item_sets, self.inner, BLOCK_CELLS, partial(self._perturb_block, rng=rng))

    def _perturb_block(self, held: Sets, rng: np.random.Generator) -> NDArray[np.bool_]:
        out, b = self._disclose(held, rng)
        silent = np.flatnonzero(~out.any(axis=1))
        unmarked = b[silent]
        high, _ = self._law.levels
        hits = rng.random(len(silent)) < (high * (1 - self._law.miss[::-1]) / self._law.left)[unmarked]
        members = draw_from(self._law.members, np.where(hits, self.m - unmarked, 0), rng)
        out[silent] = self._subsets(held[silent], members, rng)
        return out

    def _disclose(self, held: Sets, rng: np.random.Generator) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
        """Disclosed items (n, k + dummies), and every user's number of unmarked items."""
        out = np.zeros((len(held), self.inner), bool)
        inside = self.marked[held]
        b = self.m - np.count_nonzero(inside, axis=1)
        first = np.flatnonzero(rng.random(len(held)) < self.rho * b)
        size = draw_from(self._law.size_law, b[first], rng)
        # A uniformly random order of the user's items, unmarked ones first.
        order = np.argsort(rng.random((len(first), self.m)) + inside[first], axis=1)
        taken = np.arange(self.m)[None] < size[:, None]
        rows = np.repeat(first, size)
        out[rows, np.take_along_axis(held[first], order, axis=1)[taken]] = True
        return out, b

    def _subsets(self, held: Sets, members: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.bool_]:
        """Uniform w-subsets of S (n, k + dummies) with so many (n,) of the user's own items."""
        taken = np.zeros((len(held), self.inner), bool)
        for _ in self._beside(held, self.w - members, rng, taken):
            pass
        taken[self._own(held, members, rng)] = True
        return taken

    def _beside(
        self, held: Sets, picks: NDArray[np.intp], rng: np.random.Generator, taken: NDArray[np.bool_]
    ) -> Iterator[NDArray[np.int32]]:
        """So many (n,) items of S that are not the user's own, all subsets alike: the codes, and they are marked in
        `taken` (n, k + dummies), which begins with nothing.

        In rounds: as many as are still missing, all at once, and those that are there already are drawn again. No item
        is treated unlike another, so neither is any subset.
        """
        left, begin, taken = picks.copy(), np.arange(len(held)) * self.inner, taken.ravel()
        barred = (begin[:, None] + held).ravel()
        taken[barred] = True
        inside, rows = self._inside.astype(np.int32), np.flatnonzero(left)
        while len(rows):
            wanted = np.arange(left[rows].max()) < left[rows, None]
            item = np.full(wanted.shape, -1, np.int32)
            item[wanted] = inside[rng.integers(0, self.sigma, np.count_nonzero(wanted), dtype=np.int32)]
            item.sort(axis=1)  # short rows of narrow numbers: all users' at once take twenty times as long
            new = item >= 0
            new[:, 1:] &= item[:, 1:] != item[:, :-1]
            places, item = (begin[rows, None] + item)[new], item[new]
            fresh = ~taken[places]
            taken[places[fresh]] = True
            new[new] = fresh
            left[rows] -= np.count_nonzero(new, axis=1)
            yield item[fresh]
            rows = rows[left[rows] > 0]
        taken[barred] = False

    def _own(
        self, held: Sets, members: NDArray[np.intp], rng: np.random.Generator
    ) -> tuple[NDArray[np.intp], NDArray[np.integer]]:
        """So many (n,) of the user's own sensitive items, all alike: users and items."""
        lots, one, more = rng.random(held.shape), np.flatnonzero(members == 1), np.flatnonzero(members > 1)
        lots += ~self.marked.take(held)
        least = held[one, np.argmin(lots[one], axis=1)]  # most have one: no need to sort
        order = np.argsort(lots[more], axis=1)
        chosen = np.arange(self.m)[None] < members[more, None]
        rest = np.take_along_axis(held[more], order, axis=1)[chosen]
        return np.concatenate([one, np.repeat(more, members[more])]), np.concatenate([least, rest])

    def simulate(self, sets: ArrayLike, rng: np.random.Generator, repeats: int) -> Vector:
        """The joint law, O(n·w) for those who send the truth and O(k·√w) for all others.

        A subset's law L·(any) + (H−L)·(hitting): the first needs no users, a histogram sweeps over S.
        """
        item_sets = checks.item_sets(sets, self.inner, self.m)
        out = np.empty((repeats, self.k))
        for row in out:
            row[:] = self._survey(item_sets, rng) / len(item_sets)
        return self.invert(out)

    def _survey(self, held: Sets, rng: np.random.Generator) -> Vector:
        total = np.zeros(self.inner, np.int64)
        high, low = self._law.levels
        truth = (high - low) * (1 - self._law.miss[::-1]) / self._law.left
        step, noise = max(1, CACHED_CELLS // self.m), 0
        for start in range(0, len(held), step):
            part = held[start : start + step]
            b = self.m - np.einsum("ij->i", self.marked.take(part).astype(np.int64))
            shows = rng.random(len(part)) < self.rho * b
            total += self._draw_disclosed(part[shows], b[shows], rng)
            silent = np.flatnonzero(~shows)
            kept = silent[rng.random(len(silent)) < truth[b[silent]]]
            noise += len(silent) - len(kept)
            members = draw_from(self._law.members, self.m - b[kept], rng)
            truthful = part[kept]
            total += self._count_beside(truthful, self.w - members, rng)
            total += np.bincount(self._own(truthful, members, rng)[1], minlength=self.inner)
        total[self._inside] += spread(noise, self.sigma, self.w, rng)
        return total[: self.k].astype(float)

    def _count_beside(self, held: Sets, picks: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.int64]:
        """How many users (k + dummies,) have each item of S that is not their own among so many (n,) picks."""
        total, step = np.zeros(self.inner, np.int64), max(1, CACHED_CELLS // self.inner)
        taken = np.zeros((min(step, len(held)), self.inner), bool)
        for start in range(0, len(held), step):
            part = held[start : start + step]
            for items in self._beside(part, picks[start : start + step], rng, taken[: len(part)]):
                total += np.bincount(items, minlength=self.inner)
            taken[:] = False  # memory that is new every time takes longer than the draws
        return total

    def _draw_disclosed(self, held: Sets, b: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.int64]:
        """Totals (k + dummies,) of users who disclose: 1/|D| each, in whole units."""
        size = draw_from(self._law.size_law, b, rng)
        order = np.argsort(rng.random(held.shape) + self.marked[held], axis=1)
        taken = np.arange(self.m)[None] < size[:, None]
        named = np.take_along_axis(held, order, axis=1)[taken]
        total = np.zeros(self.inner, np.int64)
        np.add.at(total, named, np.repeat(self._parts[size], size))
        return total

    # the collector ---------------------------------------------------------------------------------------------

    def accepts(self, reports: Reports) -> NDArray[np.bool_]:
        """w items of S, or 1 to m others alone where these are sent openly."""
        hidden, shown = bits.ones(reports, self.marked), bits.ones(reports, ~self.marked)
        subset = (hidden == self.w) & (shown == 0)
        disclosed = (hidden == 0) & (shown >= 1) & (shown <= (self.m if self.rho else 0))
        return bits.clean(reports, self.inner) & (subset | disclosed)

    @cached_property
    def unit(self) -> int:
        """What a whole report adds for the items that it discloses, so that 1/|D| is a whole number."""
        whole = lcm(*range(1, self.m + 1)) if self.rho else 1
        return whole if whole <= MAX_UNIT else MAX_UNIT

    @cached_property
    def _parts(self) -> NDArray[np.int64]:
        """1/|D| in units (m + 1,). Above m = 22 no unit is divisible by every size: rounded to 2⁻³²."""
        return np.r_[0, self.unit // np.arange(1, self.m + 1)].astype(np.int64)

    def tally(self, reports: Reports) -> Tally:
        """Subsets that hold each sensitive item; for each other item the sum of 1/|D|, in units of `unit`."""
        total = np.zeros(self.inner, np.int64)
        if not self.rho:
            return Tally(len(reports), bits.count(reports, self.inner)[: self.k])
        step = max(1, BLOCK_CELLS // self.inner)
        for start in range(0, len(reports), step):
            on = bits.unpack(reports[start : start + step], self.inner).astype(bool)
            size = np.count_nonzero(on & ~self.marked, axis=1)
            row, item = np.nonzero(on)
            np.add.at(total, item, np.where(size == 0, 1, self._parts[size])[row])
        return Tally(len(reports), total[: self.k])

    def supported(self, reports: Reports) -> Vector:
        on = bits.unpack(np.asarray(reports, np.uint8), self.inner).astype(bool)
        if not self.rho:
            return on[:, : self.k].astype(float)
        size = np.count_nonzero(on & ~self.marked, axis=1)
        return (on * np.where(size == 0, 1, self._parts[size])[:, None])[:, : self.k].astype(float)

    def families(self) -> tuple[SupportFamily, ...]:
        """w items of S, or so many others alone, each a part of the report."""
        others, inside = np.flatnonzero(~self.marked), self.marked[: self.k]
        on, off = (self.invert(np.where(inside, seen, 0.0)) for seen in (1.0, 0.0))
        out = [SupportFamily(on, off, (chosen(self._inside, self.k, self.w, self.w),))]
        for shown in range(1, min(self.m, len(others)) + 1 if self.rho else 1):
            part = self._parts[shown]
            beside = self.invert(np.where(inside, 0.0, part * shown / len(others)))  # the estimate of S hears the sum
            on, off = np.where(inside, beside, self.invert(np.full(self.k, float(part)))), np.where(inside, beside, 0.0)
            out.append(SupportFamily(on, off, (chosen(others, self.k, shown, shown),)))
        return tuple(out)

    # the likelihood --------------------------------------------------------------------------------------------

    def log_likelihood(self, reports: Reports, sets: ArrayLike) -> Vector:
        return self._log_chances(reports, checks.item_sets(sets, self.inner, self.m)[None])

    def own_log_likelihood(self, reports: Reports, sets: ArrayLike) -> Vector:
        return self._log_chances(reports, self._own_sets(sets))

    def _log_chances(self, reports: Reports, held: Sets) -> Vector:
        """held (n or 1, sets, m)"""
        out = np.empty((len(reports), held.shape[1]))
        step = max(1, CELLS // max(1, held[0].size, self.inner))
        for start in range(0, len(reports), step):
            on = bits.unpack(reports[start : start + step], self.inner).astype(bool)
            out[start : start + step] = self._log_chance(on, held if len(held) == 1 else held[start : start + step])
        return out

    def _log_chance(self, on: NDArray[np.bool_], held: Sets) -> Vector:
        """A subset: H or L over C(σ, w). Disclosed D: any order of it, |D|! ρ Π (1−1/E)/(m−i), and then none more."""
        b = np.count_nonzero(~self.marked[held], axis=2)
        size = np.count_nonzero(on & ~self.marked, axis=1)
        shown = count_at(on & ~self.marked, held)
        high, low = self._law.levels
        with np.errstate(divide="ignore", invalid="ignore"):
            subset = np.log(np.where(count_at(on & self.marked, held) > 0, high[b], low[b]))
            subset -= log_binomial(self.sigma, self.w)
            d = np.arange(1, self.m)
            # In logarithms: a factorial leaves the floats at 171 items.
            paths = np.r_[-np.inf, 0.0, np.cumsum(np.log(-expm1(-self.epsilon) * (d + 1) / (self.m - d)))]
            left = np.maximum(b - size[:, None], 0) / np.maximum(self.m - size[:, None], 1)
            last = (1 - left) + left * exp(-self.epsilon)
            disclosed = np.log(self.rho) + paths[size][:, None] + np.log(last)
            return np.where(size[:, None] == 0, subset, np.where(shown == size[:, None], disclosed, -np.inf))

    def count_outputs(self) -> int:
        others = self.inner - self.sigma
        return comb(self.sigma, self.w) + sum(comb(others, d) for d in range(1, min(self.m, others) + 1))

    def outputs(self, public: int | None = None) -> Reports:
        """Every w-subset of S, and every set of at most m others."""
        inside, others = self._inside.tolist(), np.flatnonzero(~self.marked).tolist()
        named = [items for d in range(1, self.m + 1) for items in combinations(others, d)]
        rows = [*combinations(inside, self.w), *named]
        out = np.zeros((len(rows), self.inner), bool)
        for line, items in zip(out, rows, strict=True):
            line[list(items)] = True
        return bits.pack(out)

    def describe(self, outputs: Reports) -> list[SetColumn]:
        columns = []
        for row in bits.unpack(outputs, self.inner).astype(bool):
            named = tuple(np.flatnonzero(row & ~self.marked).tolist())
            hidden = str(np.flatnonzero(row & self.marked).tolist())
            columns.append(SetColumn(str(np.flatnonzero(row).tolist()), not named, None, named, hidden))
        return columns

    @cached_property
    def _subset_bits(self) -> int:
        return subset_bits(self.sigma, self.w)
