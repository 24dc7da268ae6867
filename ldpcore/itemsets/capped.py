"""Counts to which each basket adds at most `cap` in all: their L1 sensitivity is the cap, without sampling.

A basket that holds c > 0 of the candidates adds min(1, cap/c) to each of them (theory/itemsets#capped). Adding or
removing one basket therefore moves all counts together by at most the cap.
"""

import numpy as np
from numpy.typing import NDArray

from ldpcore.baskets import Baskets, Bits, Counts
from ldpcore.itemsets.counting import Items, weighted_pairs

Vector = NDArray[np.float64]

_BYTES = 1 << 22
"""Unpacked bits of candidates at a time."""


def capped_counts(data: Baskets, items: Items, cap: float) -> tuple[Vector, Counts]:
    """The capped counts (c,) of these candidates, and how many of them each basket holds (n,)."""
    used = np.unique(items)
    held, ranks = data.onto(used), np.searchsorted(used, items)
    if items.shape[1] == 1:
        inside = held.lengths
        weights = _weights(inside, cap)[held.people]
        return np.bincount(held.codes, weights, len(used)).astype(float)[ranks[:, 0]], inside
    if items.shape[1] == 2 and len(items) == len(used) * (len(used) - 1) // 2:  # all pairs
        inside = held.lengths * (held.lengths - 1) // 2
        return weighted_pairs(held, _weights(inside, cap))[ranks[:, 0], ranks[:, 1]], inside
    return _by_bits(held, ranks, cap)


def _weights(inside: Counts, cap: float) -> Vector:
    return np.minimum(1.0, cap / np.maximum(inside, 1))


def _by_bits(held: Baskets, ranks: NDArray[np.integer], cap: float) -> tuple[Vector, Counts]:
    """Twice over the baskets of all candidates, since they need not fit into memory."""
    bits = held.bits()
    size = max(1, _BYTES // (64 * bits.shape[1]))
    inside = np.zeros(64 * bits.shape[1], np.int64)
    for start in range(0, len(ranks), size):
        inside += _unpacked(bits, ranks[start : start + size]).sum(axis=0, dtype=np.int64)
    weights = _weights(inside, cap)
    capped = np.empty(len(ranks))
    for start in range(0, len(ranks), size):
        block = _unpacked(bits, ranks[start : start + size])
        # Flat indices are many times faster to find than pairs of them.
        which, baskets = np.divmod(np.flatnonzero(block.view(bool)), block.shape[1])
        capped[start : start + size] = np.bincount(which, weights[baskets], len(block))
    return capped, inside[: held.n]


def _unpacked(bits: Bits, ranks: NDArray[np.integer]) -> NDArray[np.uint8]:
    """1 where a basket holds a candidate: (candidates, baskets, filled up to whole words)."""
    rows = np.bitwise_and.reduce(bits[ranks.T], axis=0)
    return np.unpackbits(rows.view(np.uint8), axis=1, bitorder="little")
