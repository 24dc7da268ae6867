"""A w-subset of the sensitive items, likelier when it meets the user's set: what PrivSet and uPrivSet share.

Both are a mixture: with some probability a uniform w-subset of S, else one that meets the user's sensitive items A.
uPrivSet (ours: theory/sets#uprivset) may instead disclose some of the unmarked items, and nothing else. A report is
a row of packed bits over the inner domain; an unmarked bit says which kind it is.
"""

from abc import abstractmethod
from collections.abc import Iterator
from functools import cached_property, partial
from itertools import combinations
from math import ceil, comb, exp, expm1, lcm, log

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.channel import SetColumn
from ldpcore.mechanisms import bits
from ldpcore.randomizer import Reports
from ldpcore.set_randomizer import SetRandomizer, Sets, Vector, check_sets
from ldpcore.subsets import log_binomial, spread
from ldpcore.tally import Tally

CELLS = 1 << 20
BLOCK_CELLS = 1 << 24
CACHED_CELLS = 1 << 22
"""Of what is looked up at random places."""
MAX_UNIT = 1 << 32


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


class Hitting(SetRandomizer):
    """The family. A member states w and the probabilities of disclosing; the subsets are common."""

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
    def rho(self) -> float:
        """Chance of each unmarked item to be the first that is disclosed; 0 where there is none."""

    @cached_property
    def _miss(self) -> Vector:
        """t_a, a = 0…m."""
        return missing(self.sigma, self.w, self.m)

    @cached_property
    def _z(self) -> float:
        """Z = E(1−t_m) + t_m."""
        return 1 + expm1(self.epsilon) * (1 - self._miss[-1])

    @cached_property
    def c(self) -> float:
        """c = (E−1)u_m/Z."""
        return expm1(self.epsilon) * self._miss[-1] * self.sigma / (self.sigma - self.m) / self._z

    @cached_property
    def _left(self) -> Vector:
        """1 − ρb (m + 1,): chance that nothing is disclosed. Written so that at large ε 1/Z remains of it."""
        b = np.arange(self.m + 1)
        return (1 - b / self.m) + b / (self.m * self._z) if self.rho else np.ones(self.m + 1)

    @cached_property
    def _levels(self) -> tuple[Vector, Vector]:
        """H and L (m + 1,) by the number of unmarked items: density against uniform of hitting and missing subsets."""
        b = np.arange(self.m + 1)
        a = self.m - b
        u = self._miss[a] * self.sigma / (self.sigma - a)
        low = self._left - self.c * (1 - self._miss[a]) / u
        # L is at least 1/Z; at large ε the difference of nearly equal numbers may be less.
        return self._left + self.c * (1 - a / self.sigma), np.maximum(low, 1 / self._z)

    @cached_property
    def _grow(self) -> tuple[Vector, Vector]:
        """g[b, i], chance that another item follows when i of b are out, and 1 − g: (m + 1, m + 1) each."""
        b, i = np.arange(self.m + 1)[:, None], np.arange(self.m + 1)[None]
        left = np.where((i >= 1) & (i < b), (b - i) / np.maximum(self.m - i, 1), 0.0)
        # Where all is left, 1 − g is 1/E, which the difference loses at large ε.
        return -expm1(-self.epsilon) * left, (1 - left) + left * exp(-self.epsilon)

    @cached_property
    def _size_law(self) -> Vector:
        """Pr[|D| = j | the first is out, b unmarked items]: (m + 1, m + 1)."""
        grow, stop = self._grow
        reached = np.ones((self.m + 1, self.m + 2))
        for i in range(1, self.m + 1):
            reached[:, i + 1] = reached[:, i] * grow[:, i]
        law = reached[:, :-1] * stop
        law[:, 0] = 0
        law[0] = 0
        return law

    @cached_property
    def _inside(self) -> NDArray[np.intp]:
        return np.flatnonzero(self.marked)

    @cached_property
    def _members(self) -> Vector:
        """Pr[j own items in a subset that hits], by their number a: (m + 1, m + 1), a hypergeometric law without 0."""
        law = np.zeros((self.m + 1, self.m + 1))
        for a in range(1, self.m + 1):
            for j in range(1, min(a, self.w) + 1):
                if self.w - j <= self.sigma - a:
                    ways = log(comb(a, j)) + log_binomial(self.sigma - a, self.w - j)
                    law[a, j] = exp(ways - log_binomial(self.sigma, self.w))
            law[a] /= law[a].sum()
        return law

    # the sampler -----------------------------------------------------------------------------------------------

    def perturb(self, sets: ArrayLike, rng: np.random.Generator) -> Reports:
        held = check_sets(sets, self.inner, self.m)
        return bits.in_blocks(held, self.inner, BLOCK_CELLS, partial(self._perturb_block, rng=rng))

    def _perturb_block(self, held: Sets, rng: np.random.Generator) -> NDArray[np.bool_]:
        out, b = self._disclose(held, rng)
        silent = np.flatnonzero(~out.any(axis=1))
        own = b[silent]
        high, _ = self._levels
        hits = rng.random(len(silent)) < (high * (1 - self._miss[::-1]) / self._left)[own]
        members = draw_from(self._members, np.where(hits, self.m - own, 0), rng)
        out[silent] = self._subsets(held[silent], members, rng)
        return out

    def _disclose(self, held: Sets, rng: np.random.Generator) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
        """Disclosed items (n, k + dummies), and every user's number of unmarked items."""
        out = np.zeros((len(held), self.inner), bool)
        inside = self.marked[held]
        b = self.m - np.count_nonzero(inside, axis=1)
        first = np.flatnonzero(rng.random(len(held)) < self.rho * b)
        size = draw_from(self._size_law, b[first], rng)
        # A uniformly random order of the user's items, unmarked ones first.
        order = np.argsort(rng.random((len(first), self.m)) + inside[first], axis=1)
        taken = np.arange(self.m)[None] < size[:, None]
        rows = np.repeat(first, size)
        out[rows, np.take_along_axis(held[first], order, axis=1)[taken]] = True
        return out, b

    def _subsets(self, held: Sets, members: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.bool_]:
        """Uniform w-subsets of S (n, k + dummies) with so many (n,) of the user's own items."""
        taken = np.zeros((len(held), self.inner), bool)
        for places in self._beside(held, self.w - members, rng):
            taken.ravel()[places] = True
        taken[self._own(held, members, rng)] = True
        return taken

    def _beside(self, held: Sets, picks: NDArray[np.intp], rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
        """So many (n,) items of S that are not the user's own, all subsets alike: places user·(k + dummies) + item.

        In rounds: as many as are still missing, all at once, and those that are there already are drawn again. No item
        is treated unlike another, so neither is any subset.
        """
        n, left = len(held), picks.copy()
        taken = np.zeros(n * self.inner, bool)
        taken[np.arange(n)[:, None] * self.inner + held] = True
        while left.any():
            users = np.repeat(np.arange(n), left)
            places = users * self.inner + self._inside[rng.integers(0, self.sigma, len(users))]
            places = np.sort(places[~taken[places]])
            places = places[np.diff(places, prepend=-1) > 0]
            taken[places] = True
            left -= np.bincount(places // self.inner, minlength=n)
            yield places

    def _own(
        self, held: Sets, members: NDArray[np.intp], rng: np.random.Generator
    ) -> tuple[NDArray[np.intp], NDArray[np.integer]]:
        """So many (n,) of the user's own sensitive items, all alike: users and items."""
        order = np.argsort(rng.random(held.shape) + ~self.marked[held], axis=1)
        chosen = np.arange(self.m)[None] < members[:, None]
        return np.repeat(np.arange(len(held)), members), np.take_along_axis(held, order, axis=1)[chosen]

    def simulate(self, sets: ArrayLike, rng: np.random.Generator, repeats: int) -> Vector:
        """The joint law, O(n·w) for those who send the truth and O(k·√w) for all others.

        A subset's law L·(any) + (H−L)·(hitting): the first needs no users, a histogram sweeps over S.
        """
        held = check_sets(sets, self.inner, self.m)
        out = np.empty((repeats, self.k))
        for row in out:
            row[:] = self._survey(held, rng) / len(held)
        return self.invert(out)

    def _survey(self, held: Sets, rng: np.random.Generator) -> Vector:
        total = np.zeros(self.inner, np.int64)
        high, low = self._levels
        truth = (high - low) * (1 - self._miss[::-1]) / self._left
        step, noise = max(1, CACHED_CELLS // self.inner), 0
        for start in range(0, len(held), step):
            part = held[start : start + step]
            b = np.count_nonzero(~self.marked[part], axis=1)
            silent = rng.random(len(part)) >= self.rho * b
            total += self._draw_disclosed(part[~silent], b[~silent], rng)
            part, b = part[silent], b[silent]
            kept = rng.random(len(part)) < truth[b]
            noise += int(np.count_nonzero(~kept))
            members = draw_from(self._members, self.m - b[kept], rng)
            for places in self._beside(part[kept], self.w - members, rng):
                total += np.bincount(places % self.inner, minlength=self.inner)
            total += np.bincount(self._own(part[kept], members, rng)[1], minlength=self.inner)
        total[self._inside] += spread(noise, self.sigma, self.w, rng)
        return total[: self.k].astype(float)

    def _draw_disclosed(self, held: Sets, b: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.int64]:
        """Totals (k + dummies,) of users who disclose: 1/|D| each, in whole units."""
        size = draw_from(self._size_law, b, rng)
        order = np.argsort(rng.random(held.shape) + self.marked[held], axis=1)
        taken = np.arange(self.m)[None] < size[:, None]
        named = np.take_along_axis(held, order, axis=1)[taken]
        total = np.zeros(self.inner, np.int64)
        np.add.at(total, named, np.repeat(self._parts[size], size))
        return total

    # the collector ---------------------------------------------------------------------------------------------

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

    # the likelihood --------------------------------------------------------------------------------------------

    def log_likelihood(self, reports: Reports, sets: ArrayLike) -> Vector:
        held = check_sets(sets, self.inner, self.m)
        out = np.empty((len(reports), len(held)))
        step = max(1, CELLS // max(1, held.size, self.inner))
        for start in range(0, len(reports), step):
            on = bits.unpack(reports[start : start + step], self.inner).astype(bool)
            out[start : start + step] = self._log_chance(on, held)
        return out

    def _log_chance(self, on: NDArray[np.bool_], held: Sets) -> Vector:
        """A subset: H or L over C(σ, w). Disclosed D: any order of it, |D|! ρ Π (1−1/E)/(m−i), and then none more."""
        b = np.count_nonzero(~self.marked[held], axis=1)
        own = on[:, held]
        size = np.count_nonzero(on & ~self.marked, axis=1)
        shown = np.count_nonzero(own & ~self.marked[held], axis=2)
        high, low = self._levels
        with np.errstate(divide="ignore", invalid="ignore"):
            subset = np.log(np.where((own & self.marked[held]).any(axis=2), high[b], low[b]))
            subset -= log_binomial(self.sigma, self.w)
            d = np.arange(1, self.m)
            # In logarithms: a factorial leaves the floats at 171 items.
            paths = np.r_[-np.inf, 0.0, np.cumsum(np.log(-expm1(-self.epsilon) * (d + 1) / (self.m - d)))]
            left = np.maximum(b[None] - size[:, None], 0) / np.maximum(self.m - size[:, None], 1)
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
        """⌈log₂ C(σ, w)⌉, exact where the binomial is small enough to be formed."""
        if self.sigma <= 4096:
            return (comb(self.sigma, self.w) - 1).bit_length()
        return ceil(log_binomial(self.sigma, self.w) / log(2))
