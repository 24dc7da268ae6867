"""How many baskets hold each of many itemsets: rows of bits, ANDed and counted in blocks that stay in the cache."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ldpcore.baskets import Baskets, Bits, Counts

Items = NDArray[np.int32]
"""Itemsets of one length j as rows (c, j)."""

Tick = Callable[[int, int, int], object]
"""Called between blocks with (items per set, done, of how many): what it raises ends the work."""

_CHUNK = 1 << 19
"""Bytes of bits at a time: they stay in the second-level cache."""
_EVEN = np.uint64(0x00FF00FF00FF00FF)
_SHIFT = np.uint64(8)
_LANES = 511
"""So many words of four 16-bit lanes with at most 128 each add up without overflow."""
_PAIRS = 1 << 20
"""Pairs that are collected before they are tallied."""
_NARROW = 1 << 31
_WORDS_PER_PAIR = 6
"""Counting a pair in a list takes about as long as ANDing so many words (measured)."""


def ranked(items: NDArray[np.integer], k: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The items of these sets, ascending, and each set (c, j) by its items' places among them; codes are below k.

    >>> used, ranks = ranked(np.array([[2, 7], [2, 9]]), 12)
    >>> used.tolist(), ranks.tolist()
    ([2, 7, 9], [[0, 1], [0, 2]])
    """
    there, place = np.zeros(k, bool), np.empty(k, np.intp)
    there[items] = True
    used = np.flatnonzero(there)
    place[used] = np.arange(len(used))
    return used, place[items]


def silent(length: int, done: int, total: int) -> None:
    """Nobody waits."""


def ones(rows: Bits) -> Counts:
    """Bits that are set in each row (m, words) → (m,)."""
    lanes = np.bitwise_count(rows).view(np.uint64)
    wide = lanes & _EVEN
    lanes >>= _SHIFT
    lanes &= _EVEN
    wide += lanes
    four = (
        np.add.reduceat(wide, np.arange(0, wide.shape[1], _LANES), axis=1)
        if wide.shape[1] > _LANES
        else (wide.sum(axis=1, keepdims=True))
    )
    return four.view(np.uint16).sum(axis=1, dtype=np.int64)


def step(words: int) -> int:
    """Rows of bits per block."""
    return max(1, _CHUNK // (8 * words))


def supports(bits: Bits, sets: NDArray[np.integer], tick: Tick = silent) -> Counts:
    """Baskets that hold each set, given as row numbers of `bits` (c, j) → (c,)."""
    out = np.empty(len(sets), np.int64)
    size = step(bits.shape[1])
    for start in range(0, len(sets), size):
        some = sets[start : start + size]
        rows = bits[some[:, 0]]
        for column in some.T[1:]:
            rows &= bits[column]
        out[start : start + size] = ones(rows)
        tick(sets.shape[1], start, len(sets))
    return out


def pair_counts(data: Baskets, tick: Tick = silent) -> Counts:
    """Baskets that hold items a and b together: symmetric (k, k), diagonal 0.

    By ANDing rows of bits, or basket by basket where that is less work.
    """
    several = data.lengths > 1
    words = -(-np.count_nonzero(several) // 64)
    if int((data.lengths * (data.lengths - 1)).sum()) * _WORDS_PER_PAIR <= data.k**2 * words:
        upper = weighted_pairs(data, None)[0].astype(np.int64)
        return upper + upper.T
    bits, table = data.select(several).bits(), np.zeros((data.k, data.k), np.int64)
    size = step(bits.shape[1])
    for a in range(data.k):
        for start in range(a + 1, data.k, size):
            table[a, start : start + size] = ones(bits[start : start + size] & bits[a])
        tick(2, a, data.k)
    return table + table.T


def weighted_pairs(data: Baskets, *weights: NDArray[np.float64] | None) -> list[NDArray[np.float64]]:
    """The same above the diagonal, each basket counted with its weight (n,), None: 1; a table for each of the weights.

    For each distance the pairs so far apart in their baskets; the longest baskets come first, to look at few only.
    """
    lengths, k, longest = data.lengths, data.k, int(data.lengths.max(initial=0))
    # Narrow numbers: half as much to go through, and lengths are sorted by radix.
    kind = np.int32 if max(k * k, len(data.codes)) < _NARROW else np.int64
    order = np.argsort((longest - lengths).astype(np.min_scalar_type(longest)), kind="stable")
    sizes = lengths[order]
    ends = np.cumsum(sizes)
    place = np.arange(len(data.codes), dtype=kind)
    items = data.codes[np.repeat((data.starts[:-1][order] - ends + sizes).astype(kind), sizes) + place].astype(kind)
    left = np.repeat(ends.astype(kind), sizes) - place  # items from here to the end of the basket
    owner = np.repeat(order, sizes) if any(weight is not None for weight in weights) else None
    tables, first = [np.zeros(k * k) for _ in weights], items * kind(k)
    waiting: list[tuple[NDArray[np.integer], NDArray[np.intp] | None]] = []
    pairs, distances = 0, np.arange(1, longest)
    # Of the baskets with more items than that: where the last one ends.
    upto = np.concatenate([[0], ends])[np.searchsorted(-sizes, -distances)]
    for apart, end in zip(distances.tolist(), upto.tolist(), strict=True):
        together = left[: end - apart] > apart
        codes = (first[: end - apart] + items[apart:end])[together]
        waiting.append((codes, None if owner is None else owner[: end - apart][together]))
        pairs += len(codes)
        if pairs > max(_PAIRS, k * k):
            _tally(waiting, weights, tables)
            waiting, pairs = [], 0
    if waiting:
        _tally(waiting, weights, tables)
    return [table.reshape(k, k) for table in tables]


def _tally(
    waiting: list[tuple[NDArray[np.integer], NDArray[np.intp] | None]],
    weights: tuple[NDArray[np.float64] | None, ...],
    tables: list[NDArray[np.float64]],
) -> None:
    """Add these pairs, each of a basket, to the tables."""
    codes = np.concatenate([codes for codes, _ in waiting])
    owners = np.concatenate([owners for _, owners in waiting if owners is not None] or [np.array([], np.intp)])
    for table, weight in zip(tables, weights, strict=True):
        table += np.bincount(codes, None if weight is None else weight[owners], minlength=len(table))
