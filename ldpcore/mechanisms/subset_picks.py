"""One uniform subset of a given size for every user, as rows of packed bits.

Two ways to the same law: pick by pick, or random bits of about the right number, of which some are then turned on or
off: given their number, independent bits of one chance are a uniform subset, and it stays one when a uniform member
leaves it or a uniform other joins it. The first takes w steps, the second about √w, and a byte for eight values.
"""

from math import exp, pi, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from ldpcore.mechanisms import bits
from ldpcore.randomizer import BLOCK

BYTE, TURN, REST = 0.35, 1.0, 3.0
"""What random bits take for each byte, for each bit that is tried to be turned, and else, in picks (measured)."""
AT_ONCE = 3
"""Bits of each row that are tried before it is asked which rows are done."""


def add(
    out: NDArray[np.uint8], pool: NDArray[np.intp], w: int, certain: NDArray[np.integer], rng: np.random.Generator
) -> None:
    """Sets in `out` (n, bytes), packed bits, all unset before, those of a uniform w-subset of `pool` (codes) for each
    user, by the way that is faster.

    certain: the place in the pool (n,) of a value that is in the subset for certain, or −1.
    """
    (turn_bits if REST + BYTE * out.shape[1] + TURN * _tries(len(pool), w) < w else add_picks)(
        out, pool, w, certain, rng
    )


def add_picks(
    out: NDArray[np.uint8], pool: NDArray[np.intp], w: int, certain: NDArray[np.integer], rng: np.random.Generator
) -> None:
    """Floyd's way, of as many steps as there are picks: the i-th draws a place among the first m − w + i + 1 of the m
    others, and takes the last of these instead where that one is taken.
    """
    n, width = out.shape
    flat, rows = out.reshape(-1), np.arange(n) * width
    byte, bit = pool >> 3, np.left_shift(1, pool & 7).astype(np.uint8)
    users = np.flatnonzero(certain >= 0)
    flat[rows[users] + byte[certain[users]]] |= bit[certain[users]]
    skipped = np.where(certain >= 0, certain, len(pool))
    for i in range(w):
        if i == w - 1 and len(users):  # who has one for certain picks one less
            rest = np.flatnonzero(certain < 0)
            rows, skipped = rows[rest], skipped[rest]
        last = len(pool) - w + i
        place = rng.integers(0, last + 1, len(rows), dtype=np.int32)
        place += place >= skipped
        at, one = rows + byte[place], bit[place]
        taken = (flat[at] & one) != 0
        again = np.flatnonzero(taken)
        if len(again):
            place = last + (last >= skipped[again])
            at[again], one[again] = rows[again] + byte[place], bit[place]
        flat[at] |= one


def turn_bits(
    out: NDArray[np.uint8], pool: NDArray[np.intp], w: int, certain: NDArray[np.integer], rng: np.random.Generator
) -> None:
    """Independent bits, and one's own; then a random place of each row is tried, turned where that brings the row
    nearer to w bits, until it has w.
    """
    n, width = out.shape
    for start in range(0, n, step := max(1, BLOCK // width)):
        bits.random(out[start : start + step], _chance(len(pool), w), rng)
    if len(pool) < 8 * width:
        among = np.zeros(8 * width, bool)
        among[pool] = True
        out &= bits.pack(among)
    flat, rows = out.reshape(-1), np.arange(0, n * width, width)
    byte, bit = pool >> 3, np.left_shift(1, pool & 7).astype(np.uint8)
    sure = np.flatnonzero(certain >= 0)
    flat[rows[sure] + byte[certain[sure]]] |= bit[certain[sure]]
    missing = w - np.bitwise_count(out).sum(axis=1, dtype=np.int32)
    kind = np.uint16 if len(pool) < 1 << 16 else np.uint32
    left, over, certain = np.abs(missing), missing < 0, certain.astype(kind)  # −1 becomes no place at all
    while len(active := np.flatnonzero(left)):
        rows, left, over, certain = rows[active], left[active], over[active], certain[active]
        for place in rng.integers(0, len(pool), (AT_ONCE, len(rows)), kind):
            at, one = byte[place], bit[place]
            at += rows
            packed = flat[at]
            turned = (packed & one != 0) == over
            turned &= place != certain
            turned &= left > 0
            one *= turned
            packed ^= one
            flat[at] = packed
            left -= turned


def _spread(m: int, w: int) -> tuple[float, float]:
    """Of the number of bits among m, w of them on average: its standard deviation, and how many of these below w it
    should be on average, so that the fewest bits are tried: a row with too many bits needs m/w tries to lose one, a row
    with too few m/(m − w) to gain one.
    """
    return sqrt(w * (1 - w / m)), float(ndtri(1 - w / m))


def _chance(m: int, w: int) -> float:
    if w == m:
        return 1.0
    sd, below = _spread(m, w)
    return min(max((w - below * sd) / m, 0.0), 1.0)


def _tries(m: int, w: int) -> float:
    """Bits of a row that are tried on average, by the normal law."""
    if w == m:
        return 0.0
    sd, below = _spread(m, w)
    return sd * exp(-below * below / 2) / sqrt(2 * pi) * m * m / (w * (m - w))
