"""Who holds each of many sets that hardly anybody holds: noise makes millions of these.

Sets stand in lexicographic order, so that many begin alike: whoever holds a set holds its beginning. Where few hold the
beginnings, each of these few is looked up in the row of bits of a set's last item, instead of ANDing whole rows.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ldpcore.baskets import Bits, Counts
from ldpcore.itemsets.counting import step, supports

Places = NDArray[np.int64]

WORDS = 3
"""Looking one basket up takes about as long as ANDing and counting so many words (measured)."""
_BLOCK = 1 << 20
"""Baskets that are looked up at a time."""


@dataclass(frozen=True, eq=False)
class FewHolders:
    """sets (c, j ≥ 2): row numbers of `bits`. beginning (c,): which beginning each set has; baskets: who holds these,
    those of beginning b from starts[b] to starts[b + 1].
    """

    bits: Bits
    sets: NDArray[np.integer]
    beginning: Places
    starts: Places
    baskets: Places

    def each(self) -> Iterator[tuple[Places, Places]]:
        """Sets, and a basket that holds each: all pairs of them, in blocks."""
        sizes = np.diff(self.starts)[self.beginning]
        ends, words, first = np.cumsum(sizes), self.bits.shape[1], 0
        begins, rows, bits = self.starts[self.beginning], self.sets[:, -1].astype(np.int64) * words, self.bits.ravel()
        while first < len(sizes):
            done = int(ends[first] - sizes[first])
            end = max(first + 1, int(np.searchsorted(ends, done + _BLOCK, side="right")))
            some = sizes[first:end]
            which = np.repeat(np.arange(first, end), some)
            place = np.repeat(begins[first:end] - (np.cumsum(some) - some), some) + np.arange(len(which))
            basket = self.baskets[place]
            word = bits[np.repeat(rows[first:end], some) + (basket >> 6)] >> (basket & 63).view(np.uint64)
            hit = (word & np.uint64(1)).astype(bool)
            yield which[hit], basket[hit]
            first = end


def few_holders(bits: Bits, sets: NDArray[np.integer]) -> FewHolders | None:
    """Who holds these sets (c, j), rows of `bits`; None where that is less work by ANDing them."""
    if sets.shape[1] < 2 or not len(sets):
        return None
    new = np.concatenate([[True], np.any(sets[1:, :-1] != sets[:-1, :-1], axis=1)])
    beginning, begins = np.cumsum(new) - 1, sets[new, :-1]
    if 2 * len(begins) > len(sets):
        return None
    counts = supports(bits, begins)
    if WORDS * int(counts[beginning].sum()) > len(sets) * bits.shape[1]:
        return None
    return FewHolders(bits, sets, beginning, np.concatenate([[0], np.cumsum(counts)]), _held(bits, begins))


def _held(bits: Bits, sets: NDArray[np.integer]) -> Places:
    """The baskets that hold each of these sets, one set after the other."""
    out, size = [], step(bits.shape[1])
    for start in range(0, len(sets), size):
        first, *others = sets[start : start + size].T
        rows = bits[first]
        for column in others:
            rows &= bits[column]
        row, word = np.nonzero(rows)
        ones = np.unpackbits(rows[row, word].view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
        at, bit = np.nonzero(ones)
        out.append(64 * word[at] + bit)
    return np.concatenate(out)


def few_supports(bits: Bits, sets: NDArray[np.integer]) -> Counts:
    """Baskets that hold each set (c, j) → (c,), in the way that is less work."""
    few = few_holders(bits, sets)
    if few is None:
        return supports(bits, sets)
    out = np.zeros(len(sets), np.int64)
    for which, _ in few.each():
        if len(which):  # in order, and no set in two blocks: what a block says of sets is a slice
            first, last = int(which[0]), int(which[-1]) + 1
            out[first:last] = np.bincount(which - first, minlength=last - first)
    return out
