"""The frequent sets alone, fast: candidates are tested against the table of frequent pairs, and ANDed to their parents.

Items by ascending support, so that few sets share a beginning. About as fast as the best C code
(theory/itemsets#exact-mining).
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ldpcore.baskets import Baskets, Bits, Counts
from ldpcore.itemsets.candidates_by_length import MAX_CANDIDATES, Level, check_length, check_size, joined
from ldpcore.itemsets.counting import Items, Tick, ones, pair_counts, silent, step, supports

MAX_BITS = 1 << 28
"""Bytes of bits of frequent sets that are kept; beyond, they are made anew from the items' bits."""
Place = NDArray[np.integer]


def frequent(
    data: Baskets,
    min_count: int,
    max_length: int | None = None,
    most: int = MAX_CANDIDATES,
    tick: Tick = silent,
) -> Iterator[Level]:
    """Level after level the sets that at least `min_count` baskets hold, in no order; stop reading to stop the work."""
    longest = check_length(max_length)
    chosen = np.flatnonzero(data.counts >= min_count)
    chosen = chosen[np.argsort(data.counts[chosen], kind="stable")].astype(np.int32)
    if not len(chosen):
        return
    yield Level(chosen[:, None], data.counts[chosen])
    check_size(len(chosen) * (len(chosen) - 1) // 2, 2, most)
    if longest < 2 or len(chosen) < 2:
        return
    baskets = data.onto(chosen)
    table = pair_counts(baskets, tick)
    pair = np.triu(table >= min_count, 1)
    ranks, counts = np.argwhere(pair).astype(np.int32), table[pair]
    rows = _Rows(baskets.select(baskets.lengths > 2).bits(), min_count, tick)
    above, place = data.counts[chosen][ranks[:, 0]], rows.pairs(ranks)
    while len(ranks):
        yield Level(chosen[ranks], counts)
        if ranks.shape[1] == longest:
            return
        a, b = joined(ranks, most)
        likely = pair[ranks[a, -1], ranks[b, -1]]
        a, b = a[likely], b[likely]
        if place is None:
            made = np.concatenate([ranks[a], ranks[b, -1:]], axis=1)
            support, where = supports(rows.bits, made, tick), None
        else:
            support, where = rows.joined(a, b, counts, above, place, ranks.shape[1] + 1)
        good = support >= min_count
        a, b = a[good], b[good]
        made = np.empty((len(a), ranks.shape[1] + 1), np.int32)
        made[:, :-1], made[:, -1] = ranks[a], ranks[b, -1]
        ranks, counts, above, place = made, support[good], counts[a], None if where is None else where[good]


class _Rows:
    """A store of rows of bits to which the frequent sets' are added; sets held by the same baskets share one."""

    def __init__(self, bits: Bits, min_count: int, tick: Tick) -> None:
        self.bits, self.min_count, self.tick = bits, min_count, tick
        words = bits.shape[1]
        self._step = step(words)
        # Untouched memory costs nothing: the store is as large as it may become.
        self._store = np.empty((MAX_BITS // (8 * words), words), np.uint64)
        self._used = 0
        self._one, self._other = np.empty((2, self._step, words), np.uint64)

    def pairs(self, ranks: Items) -> Place | None:
        """Where the rows of these pairs are; None where there is no room for them. They are counted already."""
        if len(ranks) > len(self._store):
            return None
        self._used = len(ranks)
        for start in range(0, len(ranks), self._step):
            a, b = ranks[start : start + self._step].T
            block = np.take(self.bits, a, axis=0, out=self._store[start : start + len(a)], mode="clip")
            block &= np.take(self.bits, b, axis=0, out=self._other[: len(b)], mode="clip")
            self.tick(2, start, len(ranks))
        return np.arange(len(ranks))

    def joined(
        self, a: Place, b: Place, counts: Counts, above: Counts, place: Place, length: int
    ) -> tuple[Counts, Place | None]:
        """Counts of the sets made of siblings a and b, and where the rows of the frequent ones are.

        `above` counts the sets without their last item. Where all baskets of that beginning hold the last item of one
        sibling, the joined set is held by the baskets of the other: nothing to AND.
        """
        support, where = counts[a], place[a]
        same = counts == above
        swap = same[a] & ~same[b]
        support[swap], where[swap] = counts[b[swap]], place[b[swap]]
        work = np.flatnonzero(~(same[a] | same[b]))
        counted, added = self._added(place[a[work]], place[b[work]], length)
        support[work] = counted
        if added is None:
            return support, None
        where[work] = added
        return support, where

    def _added(self, a: Place, b: Place, length: int) -> tuple[Counts, Place | None]:
        """Rows a AND rows b of the store, counted; those of frequent sets are stored, and where."""
        counts, place, room = np.empty(len(a), np.int64), np.zeros(len(a), np.intp), True
        for start in range(0, len(a), self._step):
            batch = slice(start, start + self._step)
            size = len(a[batch])
            block = np.take(self._store, a[batch], axis=0, out=self._one[:size], mode="clip")
            block &= np.take(self._store, b[batch], axis=0, out=self._other[:size], mode="clip")
            self.tick(length, start, len(a))
            counts[batch] = ones(block)
            stay = np.flatnonzero(counts[batch] >= self.min_count)
            end = self._used + len(stay)
            room = room and end <= len(self._store)
            if room:
                np.take(block, stay, axis=0, out=self._store[self._used : end], mode="clip")
                place[start + stay] = np.arange(self._used, end)
                self._used = end
        return counts, place if room else None
