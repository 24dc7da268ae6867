"""Rows of packed bits: value v is bit v & 7 of byte v >> 3. One row per user, ⌈k/8⌉ bytes."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
SLOTS = 1 << 16


def width(k: int) -> int:
    return (k + 7) // 8


def pack(bits: NDArray[np.bool_]) -> Bytes:
    """(..., k) bool → (..., ⌈k/8⌉) bytes."""
    return np.packbits(bits, axis=-1, bitorder="little")


def unpack(packed: Bytes, k: int) -> NDArray[np.uint8]:
    """(n, ⌈k/8⌉) bytes → (n, k) of 0 and 1."""
    return np.unpackbits(packed, axis=-1, count=k, bitorder="little")


@lru_cache(maxsize=128)
def _byte_table(q: float) -> tuple[Bytes, int, NDArray[np.float64]]:
    """65 536 slots filled with the 256 bytes in proportion to their probability, and the rest left over."""
    ones = np.bitwise_count(np.arange(256, dtype=np.uint8)).astype(float)
    chance = q**ones * (1 - q) ** (8 - ones)
    slots = np.floor(chance * SLOTS).astype(int)
    table = np.zeros(SLOTS, np.uint8)
    filled = int(slots.sum())
    table[:filled] = np.repeat(np.arange(256, dtype=np.uint8), slots)
    rest = chance - slots / SLOTS
    return table, filled, rest / rest.sum() if filled < SLOTS else rest


def random(shape: tuple[int, int], q: float, rng: np.random.Generator) -> Bytes:
    """Bytes of independent bits, each set with probability q: exact up to doubles, two random bits per bit.

    A 16-bit draw names a slot; the few slots that the table leaves empty are drawn again from what was rounded off.
    """
    table, filled, rest = _byte_table(float(q))
    draw = rng.integers(0, SLOTS, shape, dtype=np.uint16)
    out = table[draw]
    if filled < SLOTS:
        empty = np.flatnonzero(draw.ravel() >= filled)
        out.ravel()[empty] = rng.choice(256, len(empty), p=rest).astype(np.uint8)
    return out


def write(packed: Bytes, codes: NDArray[np.integer], on: NDArray[np.bool_]) -> None:
    """Set bit codes[i] of row i to on[i], in place."""
    rows, place = np.arange(len(codes)), codes >> 3
    bit = np.left_shift(1, codes & 7).astype(np.uint8)
    cleared = packed[rows, place] & ~bit
    packed[rows, place] = cleared | np.where(on, bit, np.uint8(0))


def count(packed: Bytes, k: int) -> NDArray[np.int64]:
    """How many rows have each bit set: (k,).

    Carry-save addition: three rows of equal weight become a sum and a carry of twice the weight, 64 bits at a time,
    so that only a small remainder is ever unpacked.
    """
    n, size = packed.shape
    words = np.zeros((n, -(-size // 8) * 8), np.uint8)
    words[:, :size] = packed
    total = _count_words(words.view(np.uint64))
    return total[:k]


def _count_words(words: NDArray[np.uint64]) -> NDArray[np.int64]:
    if len(words) < 48:
        return unpack(words.view(np.uint8), words.shape[1] * 64).sum(axis=0, dtype=np.int64)
    third = len(words) // 3
    one, two, three = words[:third], words[third : 2 * third], words[2 * third : 3 * third]
    half = one ^ two
    total = 2 * _count_words((one & two) | (half & three)) + _count_words(half ^ three)
    rest = words[3 * third :]
    return total + _count_words(rest) if len(rest) else total
