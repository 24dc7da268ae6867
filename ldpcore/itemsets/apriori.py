"""The exact frequent sets (Agrawal and Srikant 1994): the truth that every private miner is compared with."""

from collections.abc import Hashable, Iterable
from math import inf
from typing import Any

import numpy as np

from ldpcore.itemsets.candidates_by_length import MAX_CANDIDATES, Level
from ldpcore.itemsets.counting import Tick, silent
from ldpcore.itemsets.frequent import frequent
from ldpcore.itemsets.given import baskets_of, threshold
from ldpcore.itemsets.ledger import Ledger, Spend
from ldpcore.itemsets.mined import MiningResult, ReleasedCandidates


def apriori(
    data: Any,
    min_count: float,
    *,
    max_length: int | None = None,
    max_candidates: int = MAX_CANDIDATES,
    tick: Tick = silent,
) -> MiningResult:
    """All sets that at least `min_count` baskets hold (a number, or a share below 1), of any length or at most so long.

    `tick` is called between blocks of work. ValueError for a threshold outside 1…n; TooManyCandidates (a ValueError)
    before a level that cannot be counted.
    """
    baskets = baskets_of(data)
    least = threshold(min_count, baskets.n)
    return mined(baskets.labels, least, frequent(baskets, least, max_length, max_candidates, tick))


def mined(labels: tuple[Hashable, ...], min_count: int, levels: Iterable[Level]) -> MiningResult:
    """The frequent sets, level after level, as what a miner gives that publishes exact counts."""
    released, spends = [], []
    for level in levels:
        items = level.items if level.length == 1 else np.sort(level.items, axis=1)
        released.append(ReleasedCandidates(items, level.counts, level.counts.astype(float), np.ones(len(items), bool)))
        spends.append(Spend(f"exact counts of {level.length} items", level.length, len(items), 0.0, inf))
    return MiningResult(labels, min_count, tuple(released), Ledger(tuple(spends), "every count is exact"))
