"""How well a miner did: sets found, missed and false against the truth, and how far its counts are off."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import NDArray

from ldpcore.itemsets.candidates_by_length import found, keys
from ldpcore.itemsets.mined import MiningResult, ReleasedCandidates

MANY = 8
"""Times as many candidates as true sets."""


@dataclass(frozen=True)
class MiningScores:
    """Found, missed and false sets. F is 0 where nothing right is returned, and undefined (NaN) where nothing is true.

    `mae_found`: mean |noisy − true| over the sets found; `mae_candidates`: over all candidates that got noise; NaN
    where there is none (theory/itemsets#scores).
    """

    found: int
    missed: int
    false: int
    mae_found: float = nan
    mae_candidates: float = nan

    @property
    def precision(self) -> float:
        returned = self.found + self.false
        return self.found / returned if returned else nan

    @property
    def recall(self) -> float:
        true = self.found + self.missed
        return self.found / true if true else nan

    @property
    def f(self) -> float:
        """2PR/(P + R) = 2·found/(2·found + missed + false)."""
        return 2 * self.found / (2 * self.found + self.missed + self.false) if self.found + self.missed else nan


def hits(truth: MiningResult, level: ReleasedCandidates) -> NDArray[np.bool_]:
    """Which candidates of a level are truly frequent: bool (c,)."""
    base = len(truth.labels)
    known = [np.sort(keys(true.items, base)) for true in truth.levels if true.length == level.length]
    wanted = keys(level.items, base)
    if not known:
        return np.zeros(len(wanted), bool)
    if len(wanted) <= MANY * len(known[0]) or wanted.dtype != np.int64 or np.any(wanted[1:] <= wanted[:-1]):
        return found(wanted, known[0])
    # Millions of candidates in order: the few true sets are looked up among them.
    out = np.zeros(len(wanted), bool)
    out[np.searchsorted(wanted, known[0][found(known[0], wanted)])] = True
    return out


def scores(mined: MiningResult, truth: MiningResult) -> MiningScores:
    """Against `apriori` of the same baskets (the same items in the same order) at the same threshold."""
    return scored(mined, truth)[0]


def by_length(mined: MiningResult, truth: MiningResult) -> dict[int, MiningScores]:
    """The same for the sets of each length that is true or tried."""
    return scored(mined, truth)[1]


def scored(mined: MiningResult, truth: MiningResult) -> tuple[MiningScores, dict[int, MiningScores]]:
    """Both: over all sets, and those of each length."""
    if any(level.items.size and level.items.max() >= len(truth.labels) for level in mined.levels):
        raise ValueError("the truth is about fewer items than the result: mine both from the same baskets")
    true = {level.length: len(level.items) for level in truth.levels}
    tried = {level.length: _compared(level, truth) for level in mined.levels}
    lengths = {
        length: _summed([tried[length]] if length in tried else [], true.get(length, 0))
        for length in sorted({*true, *tried})
    }
    return _summed(list(tried.values()), sum(true.values())), lengths


@dataclass(frozen=True)
class _Compared:
    """The candidates of one length: how many are right, returned and tried, and how far off those and these are."""

    right: int
    returned: int
    tried: int
    off_right: float
    off_tried: float


def _compared(level: ReleasedCandidates, truth: MiningResult) -> _Compared:
    right, off = level.kept & hits(truth, level), np.abs(level.noisy - level.counts)
    sizes = int(np.count_nonzero(right)), int(np.count_nonzero(level.kept)), len(off)
    return _Compared(*sizes, float(off[right].sum()), float(off.sum()))


def _summed(levels: Sequence[_Compared], true: int) -> MiningScores:
    right, returned = sum(level.right for level in levels), sum(level.returned for level in levels)
    tried = sum(level.tried for level in levels)
    return MiningScores(
        right,
        true - right,
        returned - right,
        sum(level.off_right for level in levels) / right if right else nan,
        sum(level.off_tried for level in levels) / tried if tried else nan,
    )
