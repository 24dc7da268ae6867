"""The exact frequent sets of more baskets than fit into memory: what parts of them count is added up.

Apriori's levels (Agrawal and Srikant 1994), each counted over all parts before the next is made. A part is read once
for the items, once for the pairs, and once for as many levels more as have few candidates: what would be a candidate if
all before it were frequent is counted with them, which costs less than to read everything again.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldpcore.baskets import Baskets, Counts
from ldpcore.itemsets.apriori import mined
from ldpcore.itemsets.candidates_by_length import (
    MAX_CANDIDATES,
    Level,
    TooManyCandidates,
    candidates,
    check_length,
    check_size,
)
from ldpcore.itemsets.counting import Items, Tick, pair_counts, silent, supports
from ldpcore.itemsets.given import baskets_of, threshold
from ldpcore.itemsets.mined import MiningResult
from ldpcore.workers import mapped, sharing

Part = Callable[[], Iterable[Any]]
"""A part of the baskets: when it is called it reads them, some at a time, each as `baskets_of` takes them. Picklable
where another process is to read it.
"""
Labels = tuple[Hashable, ...]
TOGETHER = 50_000
"""Candidates of several lengths that are counted at once."""


def apriori_of(
    parts: Sequence[Part],
    min_count: float,
    *,
    max_length: int | None = None,
    max_candidates: int = MAX_CANDIDATES,
    order: Callable[[Iterable[Any]], Iterable[Any]] = sorted,
    executor: Executor | None = None,
    tick: Tick = silent,
) -> tuple[MiningResult, int]:
    """What `apriori` finds in the baskets of all parts together, and how many these are.

    In memory is what a part gives at a time, for each process that counts, and the candidates. order: of the labels.
    executor: who reads and counts the parts, None: this process. tick: called with (items per set, parts done, of how
    many). ValueError without a basket, for a threshold outside 1…n; TooManyCandidates.

    >>> monday, tuesday = [["milk", "bread"], ["milk"]], [["bread", "milk"], ["tea"]]
    >>> found, n = apriori_of([lambda: [monday], lambda: [tuesday]], min_count=2)
    >>> n, found.itemsets["itemset"].tolist(), found.itemsets["count"].tolist()
    (4, [('bread',), ('milk',), ('bread', 'milk')], [2, 3, 2])
    """
    n, seen = 0, Counter[Hashable]()
    for done, (baskets, counts) in enumerate(mapped(_items, parts, executor), 1):
        n += baskets
        seen.update(counts)
        tick(1, done, len(parts))
    if not n:
        raise ValueError("there are no baskets; load at least one")
    labels = tuple(order(seen))
    counted = np.array([seen[label] for label in labels], np.int64)
    least = threshold(min_count, n)
    chosen = np.flatnonzero(counted >= least).astype(np.int32)
    there = _Parts(parts, tuple(labels[item] for item in chosen), executor, tick)
    levels = [Level(chosen[:, None], counted[chosen])] if len(chosen) else []
    levels += (
        Level(chosen[ranks], counts)
        for ranks, counts in _longer(there, least, check_length(max_length), max_candidates)
    )
    return mined(labels, least, levels), n


def _longer(parts: "_Parts", least: int, longest: int, most: int) -> Iterator[tuple[Items, Counts]]:
    """Frequent sets of two items, of three …: ranks of items (c, j) in their order, and counts (c,)."""
    k = len(parts.labels)
    check_size(k * (k - 1) // 2, 2, most)
    if longest < 2 or k < 2:
        return
    a, b = np.triu_indices(k, 1)
    waiting, counts = [np.stack([a, b], axis=1).astype(np.int32)], [parts.pairs()]
    while waiting:
        ranks = waiting[0]
        for made, support in zip(waiting, counts, strict=True):
            good = support >= least
            if not good.any():
                return
            ranks = made[good]
            yield ranks, support[good]
        waiting = _ahead(ranks, longest, most)
        counts = parts.supports(waiting)


def _ahead(ranks: Items, longest: int, most: int) -> list[Items]:
    """Candidates made of these frequent sets; and as long as all are few, those made of candidates."""
    made: list[Items] = []
    while ranks.shape[1] < longest:
        try:
            ranks = candidates(ranks, TOGETHER if made else most)
        except TooManyCandidates:
            if not made:
                raise
            break
        if not len(ranks) or (made and sum(map(len, made)) + len(ranks) > TOGETHER):
            break
        made.append(ranks)
    return made


@dataclass(frozen=True, eq=False)
class _Parts:
    """All parts, in which the items of `labels` alone are looked for."""

    parts: Sequence[Part]
    labels: Labels
    executor: Executor | None
    tick: Tick

    def pairs(self) -> Counts:
        """Baskets that hold each two items: (k (k − 1) / 2,), row after row of the upper triangle."""
        return self._summed(partial(_pairs, self.labels), self.labels, 2)

    def supports(self, sets: list[Items]) -> list[Counts]:
        """Baskets that hold each set, given as ranks (c, j)."""
        if not sets:
            return []
        support = self._summed(partial(_supports, self.labels, sets), sets, sets[0].shape[1])
        return np.split(support, np.cumsum([len(some) for some in sets])[:-1])

    def _summed(self, work: Callable[[Part], Counts], shared: Any, length: int) -> Counts:
        total = np.zeros(1, np.int64)
        with sharing(self.executor, shared):
            for done, counts in enumerate(mapped(work, self.parts, self.executor), 1):
                total = total + counts
                self.tick(length, done, len(self.parts))
        return total


def _items(part: Part) -> tuple[int, Counter[Hashable]]:
    """How many baskets a part has, and how many of them hold each item."""
    n, seen = 0, Counter[Hashable]()
    for baskets in map(baskets_of, part()):
        n += baskets.n
        seen.update(dict(zip(baskets.labels, baskets.counts.tolist(), strict=True)))
    return n, seen


def _pairs(labels: Labels, part: Part) -> Counts:
    upper = np.triu_indices(len(labels), 1)
    return sum((pair_counts(baskets)[upper] for baskets in _held(labels, part)), np.zeros(len(upper[0]), np.int64))


def _supports(labels: Labels, sets: list[Items], part: Part) -> Counts:
    total = np.zeros(sum(map(len, sets)), np.int64)
    for baskets in _held(labels, part):
        bits = baskets.select(baskets.lengths > 2).bits()
        total += np.concatenate([supports(bits, some) for some in sets])
    return total


def _held(labels: Labels, part: Part) -> Iterator[Baskets]:
    """The baskets of a part with these items alone, numbered as they stand here."""
    rank = {label: place for place, label in enumerate(labels)}
    for baskets in map(baskets_of, part()):
        ranks: NDArray[np.int32] = np.array([rank.get(label, -1) for label in baskets.labels], np.int32)[baskets.codes]
        left = baskets.keep(ranks >= 0)
        yield Baskets(labels, ranks[ranks >= 0], left.starts)
