"""Rows of packed bits: value v is bit v & 7 of byte v >> 3. One row per user, ⌈k/8⌉ bytes."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ldpcore.randomizer import BLOCK
from ldpcore.tally import Tally

Bytes = NDArray[np.uint8]
SLOTS = 1 << 16
_BITS = np.left_shift(1, np.arange(8)).astype(np.uint8)


def width(k: int) -> int:
    return (k + 7) // 8


def pack(bits: NDArray[np.bool_]) -> Bytes:
    """(..., k) bool → (..., ⌈k/8⌉) bytes."""
    return np.packbits(bits, axis=-1, bitorder="little")


def unpack(packed: Bytes, k: int) -> NDArray[np.uint8]:
    """(n, ⌈k/8⌉) bytes → (n, k) of 0 and 1."""
    return np.unpackbits(packed, axis=-1, count=k, bitorder="little")


def clean(packed: Bytes, k: int) -> NDArray[np.bool_]:
    """Which rows (n,) have no bit beyond the k-th."""
    return (packed[:, -1] >> np.uint8((k - 1) & 7) >> np.uint8(1)) == 0


def ones(packed: Bytes, of: NDArray[np.bool_]) -> NDArray[np.intp]:
    """How many of these bits, a mask (k,), each row (n,) has set."""
    return np.bitwise_count(packed & pack(of)).sum(axis=1, dtype=np.intp)


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


def random(out: Bytes, q: float, rng: np.random.Generator) -> None:
    """Fill `out` with bytes of independent bits, each set with probability q: exact up to doubles.

    A 16-bit draw names a slot; the few slots that the table leaves empty are drawn again from what was rounded off.
    """
    table, filled, rest = _byte_table(float(q))
    draw = rng.integers(0, SLOTS, out.shape, dtype=np.uint16)
    np.take(table, draw, out=out, mode="clip")  # "raise" would buffer
    if filled < SLOTS:
        empty = np.flatnonzero(draw.ravel() >= filled)
        out.flat[empty] = rng.choice(256, len(empty), p=rest).astype(np.uint8)


def in_blocks(
    held: NDArray[np.intp], k: int, cells: int, drawn: Callable[[NDArray[np.intp]], NDArray[np.bool_]]
) -> Bytes:
    """The packed rows of all users; drawn(some of them) → (…, k) bool. About so many cells are unpacked at once."""
    out, step = np.zeros((len(held), width(k)), np.uint8), max(1, cells // k)
    for start in range(0, len(held), step):
        out[start : start + step] = pack(drawn(held[start : start + step]))
    return out


def write(packed: Bytes, codes: NDArray[np.integer], on: NDArray[np.bool_]) -> None:
    """Set bit codes[i] of row i to on[i], in place."""
    place = np.arange(0, packed.size, packed.shape[1]) + (codes >> 3)
    bit = _BITS[codes & 7]
    flat = packed.reshape(-1)
    flat[place] = (flat[place] & ~bit) | bit * on


def tally(reports: Bytes, k: int) -> Tally:
    """How many rows have each bit set, of any number of rows."""
    total = np.zeros(k, np.int64)
    for start in range(0, len(reports), BLOCK):
        total += count(reports[start : start + BLOCK], k)
    return Tally(len(reports), total)


def count(packed: Bytes, k: int) -> NDArray[np.int64]:
    """How many rows have each bit set: (k,).

    Carry-save addition, 64 bits at a time: three rows of equal weight become a sum and a carry of twice the weight,
    so that only a few rows of each weight are ever unpacked.
    """
    n, size = packed.shape
    if size % 8 or not packed.flags.c_contiguous:
        padded = np.zeros((n, -(-size // 8) * 8), np.uint8)
        padded[:, :size] = packed
        packed = padded
    rows, weight = packed.view(np.uint64), 1
    total = np.zeros(rows.shape[1] * 64, np.int64)
    while len(rows):
        carries = []
        while len(rows) > 16:
            third = len(rows) // 3
            one, two, three = rows[:third], rows[third : 2 * third], rows[2 * third : 3 * third]
            half = one ^ two
            carries.append((one & two) | (half & three))
            rows = np.concatenate([half ^ three, rows[3 * third :]])
        total += weight * unpack(rows.view(np.uint8), len(total)).sum(axis=0, dtype=np.int64)
        rows, weight = np.concatenate(carries) if carries else rows[:0], weight * 2
    return total[:k]
