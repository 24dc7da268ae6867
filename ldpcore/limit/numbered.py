"""The reports of channels that are sampled orbit by orbit: which orbit, and which values the report holds."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.randomizer import BLOCK, Randomizer, Reports
from ldpcore.subsets import holders, sweep
from ldpcore.tally import Tally

Array = NDArray[np.float64]
Counts = NDArray[np.int64]
Mask = NDArray[np.bool_]
NUMBER = 2
"""Bytes of an orbit's number."""


@dataclass(frozen=True, eq=False)
class GroupReports:
    """How reports hold the values of one group, orbit by orbit, the disclosing one last: (orbits,) each.

    `same`, `mate`: Pr[orbit, v held | the user holds v, another value of its group].
    """

    codes: NDArray[np.intp]
    held: Counts
    """How many values of this group a report of the orbit holds."""
    met: Array
    """Pr[orbit | a value of this group]."""
    same: Array
    mate: Array
    inside: Counts
    """The points of a held value."""
    outside: Counts

    @cached_property
    def kept(self) -> Array:
        """κ by orbit: kept with κ, else uniform, κ + (1 − κ)·(held/size) = Pr[own value held]."""
        noise = self.held / max(len(self.codes), 1)
        truth = np.where(self.met > 0, self.same / np.where(self.met > 0, self.met, 1.0), 0.0)
        return np.clip(np.where(noise < 1, (truth - noise) / np.where(noise < 1, 1 - noise, 1.0), 0.0), 0.0, 1.0)


class Numbered(Randomizer):
    """A report is a byte pair with the orbit's number, then the packed bits of the values it holds."""

    slow_draw = True

    @property
    @abstractmethod
    def _groups(self) -> Sequence[GroupReports]:
        """The values fall into these: all of a group are held alike."""

    @property
    @abstractmethod
    def _inverse(self) -> tuple[Array, Array]:
        """(own, sums): f̂ in group g is (seen − sums[g] @ (Σ seen over each group))/own[g]."""

    def perturb(self, values: ArrayLike, rng: np.random.Generator) -> Reports:
        values = checks.codes(values, self.k)
        out = np.zeros((len(values), NUMBER + (self.k + 7) // 8), np.uint8)
        for start in range(0, len(values), BLOCK // 4):
            block = slice(start, start + BLOCK // 4)
            out[block] = self._write(*self._sampled(values[block], rng))
        return out

    def _sampled(self, values: NDArray[np.integer], rng: np.random.Generator) -> tuple[Counts, Mask]:
        """Of every user (n,) the orbit (n,) and the values that the report holds (n, k)."""
        n, orbit = len(values), np.empty(len(values), np.int64)
        mine = [np.isin(values, group.codes) for group in self._groups]
        for group, members in zip(self._groups, mine, strict=True):
            if len(group.codes):
                orbit[members] = rng.choice(len(group.met), int(members.sum()), p=group.met / group.met.sum())
        holds = np.zeros((n, self.k), bool)
        for group, members in zip(self._groups, mine, strict=True):
            truthful = members & (rng.random(n) < group.kept[orbit])
            for v, taken in holders(group.codes, group.held[orbit], values, truthful, rng):
                holds[:, v] = taken
        return orbit, holds

    def draw(self, counts: ArrayLike, rng: np.random.Generator, repeats: int) -> NDArray[np.int64]:
        """Orbit by orbit: who keeps their value there, and uniform subsets for everybody else."""
        given, total = checks.counts(counts, self.k), np.zeros((repeats, self.k), np.int64)
        drawn = [_drawn(group, given, rng, repeats) for group in self._groups]
        for c in range(len(self._groups[0].met)):
            everybody = np.sum([met[:, :, c].sum(axis=1) for _, met in drawn], axis=0)
            for group, (kept, _) in zip(self._groups, drawn, strict=True):
                truthful = kept[:, :, c]
                holders = truthful.copy()
                if group.held[c] and len(group.codes):
                    holders += sweep(truthful, everybody - truthful.sum(axis=1), int(group.held[c]), rng)
                rise = group.inside[c] - group.outside[c]
                total[:, group.codes] += group.outside[c] * everybody[:, None] + rise * holders
        return total

    def tally(self, reports: Reports) -> Tally:
        """Points: for every value what the reports' orbits give for holding it, and for not."""
        total = np.zeros(self.k, np.int64)
        for start in range(0, len(reports), BLOCK // 4):
            orbit, holds = self._read(reports[start : start + BLOCK // 4])
            for group in self._groups:
                points = np.where(holds[:, group.codes], group.inside[orbit][:, None], group.outside[orbit][:, None])
                total[group.codes] += points.sum(axis=0)
        return Tally(len(reports), total)

    def invert(self, seen: Array) -> Array:
        scale, correction = self._inverse
        sums = np.stack([seen[..., group.codes].sum(axis=-1) for group in self._groups], axis=-1)
        out = np.empty(np.shape(seen))
        for g, group in enumerate(self._groups):
            out[..., group.codes] = (seen[..., group.codes] - (sums @ correction[g])[..., None]) / scale[g]
        return out

    @cached_property
    def orbit_scores(self) -> list[tuple[Array, Array]]:
        """For every group: what a report adds to the estimate of a value that it holds, and of another: by orbit."""
        scale, correction = self._inverse
        sums = np.array([
            group.outside * len(group.codes) + (group.inside - group.outside) * group.held for group in self._groups
        ])  # fmt: skip
        return [
            ((group.inside - correction[g] @ sums) / scale[g], (group.outside - correction[g] @ sums) / scale[g])
            for g, group in enumerate(self._groups)
        ]

    def step(self) -> Array:
        """Of the scores of reports that can be sent."""
        out = np.zeros(self.k)
        sent = np.max([group.met for group in self._groups if len(group.codes)], axis=0) > 0
        for group, (inside, outside) in zip(self._groups, self.orbit_scores, strict=True):
            if len(group.codes):
                able = [inside[sent & (group.held > 0)], outside[sent & (group.held < len(group.codes))]]
                out[group.codes] = np.ptp(np.concatenate(able))
        return out

    def names(self, outputs: Reports) -> Mask:
        """The values that a report raises, or discloses."""
        return self._read(outputs)[1]

    @staticmethod
    def _write(orbit: Counts, held: Mask) -> NDArray[np.uint8]:
        """Orbits (n,) and values held (n, k) as reports."""
        number = np.stack([orbit & 255, orbit >> 8], axis=1).astype(np.uint8)
        return np.hstack([number, np.packbits(held, axis=1, bitorder="little")])

    def _read(self, reports: Reports) -> tuple[Counts, Mask]:
        """The other way round."""
        rows = np.asarray(reports, np.uint8)
        orbit = rows[:, 0].astype(np.int64) | rows[:, 1].astype(np.int64) << 8
        return orbit, np.unpackbits(rows[:, NUMBER:], axis=1, count=self.k, bitorder="little").astype(bool)


def _drawn(
    group: GroupReports, given: NDArray[np.integer], rng: np.random.Generator, repeats: int
) -> tuple[Counts, Counts]:
    """Of the users of each value (repeats, values, orbits): who keeps it in the orbit, and who meets the orbit."""
    orbits, truthful = len(group.met), group.met * group.kept
    # Two equal numbers may differ by rounding, so nothing is below 0.
    chance = np.concatenate([truthful, np.maximum(group.met - truthful, 0.0)])
    both = np.empty((repeats, len(group.codes), 2 * orbits), np.int64)
    for place, v in enumerate(group.codes):
        both[:, place] = rng.multinomial(given[v], chance / chance.sum(), repeats)
    return both[..., :orbits], both[..., :orbits] + both[..., orbits:]
