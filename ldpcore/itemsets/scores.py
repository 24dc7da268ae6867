"""How well a miner did: sets found, missed and false against the truth, and how far its counts are off."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import NDArray

from ldpcore.itemsets.candidates_by_length import found, keys
from ldpcore.itemsets.mined import MiningResult, ReleasedCandidates


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
    known = [keys(true.items, base) for true in truth.levels if true.length == level.length]
    return found(keys(level.items, base), np.sort(known[0])) if known else np.zeros(len(level.items), bool)


def scores(mined: MiningResult, truth: MiningResult) -> MiningScores:
    """Against `apriori` of the same baskets (the same items in the same order) at the same threshold."""
    return _scored(mined.levels, truth, sum(len(level.items) for level in truth.levels))


def by_length(mined: MiningResult, truth: MiningResult) -> dict[int, MiningScores]:
    """The same for the sets of each length that is true or tried."""
    true = {level.length: len(level.items) for level in truth.levels}
    tried = {level.length: [level] for level in mined.levels}
    return {length: _scored(tried.get(length, []), truth, true.get(length, 0)) for length in sorted({*true, *tried})}


def _scored(levels: Sequence[ReleasedCandidates], truth: MiningResult, true: int) -> MiningScores:
    if any(level.items.size and level.items.max() >= len(truth.labels) for level in levels):
        raise ValueError("the truth is about fewer items than the result: mine both from the same baskets")
    right = [level.kept & hits(truth, level) for level in levels]
    off = [np.abs(level.noisy - level.counts) for level in levels]
    count = sum(int(np.count_nonzero(mask)) for mask in right)
    returned = sum(int(np.count_nonzero(level.kept)) for level in levels)
    return MiningScores(
        count,
        true - count,
        returned - count,
        _mean([each[mask] for each, mask in zip(off, right, strict=True)]),
        _mean(off),
    )


def _mean(parts: Sequence[NDArray[np.float64]]) -> float:
    size = sum(map(len, parts))
    return sum(float(part.sum()) for part in parts) / size if size else nan
