"""Counts to which each basket adds at most `cap` in all: their L1 sensitivity is the cap, without sampling.

A basket that holds c > 0 of the candidates adds min(1, cap/c) to each of them (theory/itemsets#capped). Adding or
removing one basket therefore moves all counts together by at most the cap.
"""

import numpy as np
from numpy.typing import NDArray

from ldpcore.baskets import Baskets, Bits, Counts
from ldpcore.itemsets.counting import Items, ones, ranked, weighted_pairs
from ldpcore.itemsets.few_holders import FewHolders, few_holders
from ldpcore.memory import remembered

Vector = NDArray[np.float64]

_BYTES = 1 << 22
"""Unpacked bits of candidates at a time."""
_HOLDERS = 1 << 22
"""Candidates of baskets, so many in all, that are kept for the second time."""
_BYTE = 255
"""The largest sum that fits one."""


def capped_counts(data: Baskets, items: Items, cap: float) -> tuple[Vector, Counts, Counts]:
    """The capped counts (c,) of these candidates, the whole ones, and how many of them each basket holds (n,)."""
    used, ranks = ranked(items, data.k)
    baskets = data.onto(used)
    if items.shape[1] == 1:
        inside = baskets.lengths

        def summed() -> Vector:
            return np.bincount(baskets.codes, _weights(inside, cap)[baskets.people], len(used)).astype(float)

        capped = remembered(baskets, ("capped", cap), summed)  # every run begins with all items
        return capped[ranks[:, 0]], baskets.counts[ranks[:, 0]], inside
    if items.shape[1] == 2 and len(items) == len(used) * (len(used) - 1) // 2:  # all pairs
        inside = baskets.lengths * (baskets.lengths - 1) // 2
        tables = weighted_pairs(baskets, _weights(inside, cap), None)
        capped, counts = (table[ranks[:, 0], ranks[:, 1]] for table in tables)
        return capped, counts.astype(np.int64), inside
    few = few_holders(baskets.bits(), ranks)
    return _by_bits(baskets, ranks, cap) if few is None else _by_holders(few, baskets.n, cap)


def _weights(inside: Counts, cap: float) -> Vector:
    return np.minimum(1.0, cap / np.maximum(inside, 1))


def _by_holders(few: FewHolders, n: int, cap: float) -> tuple[Vector, Counts, Counts]:
    """Twice over who holds which candidate, looked up again where that does not fit into memory."""
    inside, seen, blocks = np.zeros(n, np.int64), 0, []
    for block in few.each():
        inside += np.bincount(block[1], minlength=n)
        seen += len(block[1])
        if seen <= _HOLDERS:
            blocks.append(block)
    weights, capped, counts = _weights(inside, cap), np.zeros(len(few.sets)), np.zeros(len(few.sets), np.int64)
    for which, baskets in few.each() if seen > _HOLDERS else blocks:
        if len(which):
            first, last = int(which[0]), int(which[-1]) + 1
            capped[first:last] = np.bincount(which - first, weights[baskets], minlength=last - first)
            counts[first:last] = np.bincount(which - first, minlength=last - first)
    return capped, counts, inside


def _by_bits(held: Baskets, ranks: NDArray[np.integer], cap: float) -> tuple[Vector, Counts, Counts]:
    """Twice over the baskets of all candidates, since they need not fit into memory."""
    bits = held.bits()
    size = max(1, _BYTES // (64 * bits.shape[1]))
    inside = np.zeros(64 * bits.shape[1], np.int64)
    for start in range(0, len(ranks), size):
        block = np.unpackbits(_holders(bits, ranks[start : start + size]).view(np.uint8), axis=1, bitorder="little")
        for first in range(0, len(block), _BYTE):  # sums that fit a byte are many times faster
            inside += np.add.reduce(block[first : first + _BYTE], axis=0, dtype=np.uint8)
    inside = inside[: held.n]
    # Baskets that hold equally many weigh the same: they stand in words of their own, which are counted at once.
    people = np.bincount(inside)
    many = np.flatnonzero(people)
    words = -(-people // 64)
    order = np.argsort(inside.astype(np.uint16) if len(people) <= 1 << 16 else inside, kind="stable")  # by radix
    skipped = 64 * (np.cumsum(words) - words) - (np.cumsum(people) - people)
    place = np.empty(held.n, np.int64)
    place[order] = np.arange(held.n) + skipped[inside[order]]
    bits = held.bits(place)
    weights = np.zeros(bits.shape[1])
    weights[: words.sum()] = np.repeat(_weights(many, cap), words[many])
    capped, counts = np.empty(len(ranks)), np.empty(len(ranks), np.int64)
    for start in range(0, len(ranks), size):
        block = _holders(bits, ranks[start : start + size])
        capped[start : start + size] = np.bitwise_count(block) @ weights
        counts[start : start + size] = ones(block)
    return capped, counts, inside


def _holders(bits: Bits, ranks: NDArray[np.integer]) -> Bits:
    """A bit for every basket that holds the candidate: (candidates, words)."""
    first, *others = ranks.T
    rows = bits[first]
    for column in others:
        rows &= bits[column]
    return rows
