"""A first question that is answered at once: how many baskets make a set frequent, and how long the sets may be.

A search bounded by work, never by time, so that the same baskets get the same proposal on every machine. Like every
threshold read off the data it is not private: it serves who explores data that are at hand (theory/itemsets#proposal).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldpcore.baskets import Baskets, Counts
from ldpcore.itemsets.candidates_by_length import TooManyCandidates, check_length
from ldpcore.itemsets.counting import pair_counts
from ldpcore.itemsets.frequent import frequent
from ldpcore.itemsets.given import baskets_of, threshold
from ldpcore.itemsets.smarttrunc import LEVELS

SETS = 5_000
"""More frequent sets than that nobody compares at a glance."""
CANDIDATES = 100_000
"""Of one length, counted at most."""
WORDS = 1 << 27
"""Words of 64 baskets ANDed for the candidates of one length, at most: they bound the work where baskets are many."""
_ROUND = (1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9)


@dataclass(frozen=True)
class MiningProposal:
    """min_count: baskets that make a set frequent. max_length: items per set, None without a limit.

    bounded: whether the threshold or the length that was asked for would leave too many sets.
    """

    min_count: int
    max_length: int | None
    bounded: bool


def propose(data: Any, min_count: float, max_length: int | None = None, *, sets: int = SETS) -> MiningProposal:
    """The least change of a question with which at most `sets` sets are frequent, and quickly counted.

    What is asked, if it can be; else sets of up to three items (which the private miners stop at); else also the
    smallest round threshold above `min_count`; where not even n baskets do, shorter sets. ValueError for a threshold
    outside 1…n or a length below 1.

    >>> few, many = [["bread", "milk"]] * 60 + [["tea"]] * 40, [list(range(14))] * 60 + [[0, 1]] * 40
    >>> propose(few, 10)
    MiningProposal(min_count=10, max_length=None, bounded=False)
    >>> propose(many, 10)  # 16 383 sets, 469 of them of up to three items
    MiningProposal(min_count=10, max_length=3, bounded=True)
    >>> propose(many, 10, sets=100)
    MiningProposal(min_count=70, max_length=3, bounded=True)
    """
    baskets = baskets_of(data)
    least = threshold(min_count, baskets.n)
    if _fits(baskets, least, max_length, sets):
        return MiningProposal(least, max_length, False)
    steps = [least, *_round(least, baskets.n)]
    for length in range(min(LEVELS, check_length(max_length)), 0, -1):
        from_here, counts = _counted(baskets, steps, length)
        for step in steps:
            if step >= from_here and np.count_nonzero(counts >= step) <= sets:
                return MiningProposal(step, length, True)
    return MiningProposal(baskets.n, 1, True)


def _round(least: int, n: int) -> list[int]:
    """The round numbers between, and n."""
    powers = [10**power for power in range(len(str(n)))]
    counts = {int(digit * power) for power in powers for digit in _ROUND}
    return [*sorted(count for count in counts if least < count < n), n]


def _fits(data: Baskets, least: int, max_length: int | None, sets: int) -> bool:
    """Whether so few sets are frequent, and so few candidates on the way; stops at the first one too many."""
    total = 0
    try:
        for level in frequent(data, least, max_length, _most(data)):
            total += len(level.items)
            if total > sets:
                return False
    except TooManyCandidates:
        return False
    return True


def _most(data: Baskets) -> int:
    """Candidates of one length that are counted at most."""
    return min(CANDIDATES, max(1_000, WORDS // (data.n // 64 + 1)))


def _counted(data: Baskets, steps: list[int], length: int) -> tuple[int, Counts]:
    """The lowest of these thresholds that leaves few enough candidates, and the counts of all sets frequent there:
    one search tells how many are frequent at every higher one. Beyond n where there is none.
    """
    most, pairs = _most(data), None
    for step in steps:
        items = np.flatnonzero(data.counts >= step)
        if length > 1 and len(items) * (len(items) - 1) // 2 > most:
            continue
        if length > 2:
            pairs = pair_counts(data.onto(items)) if pairs is None else pairs
            if _triangles(pairs >= step) > most:
                continue
        return step, np.concatenate([level.counts for level in frequent(data, step, length)] or [items])
    return data.n + 1, np.zeros(0, np.int64)


def _triangles(joined: NDArray[np.bool_]) -> int:
    """Candidates of three items, of the frequent pairs of items (k, k)."""
    edges = joined.astype(float)
    return round(float(np.sum(edges @ edges * edges)) / 6)
