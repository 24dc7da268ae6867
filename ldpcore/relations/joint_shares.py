"""The score interval of a joint share, in its own share t: n·Var = absent + (present − absent)t − (t² | t).

absent and present are taken from the plausible table; of an open group the rest is the group, not the table, as its
size is known. Half a step of continuity. Both ends are roots of a quadratic. An estimate below 0 or above 1 has the
ends of the nearest share that can be, and itself inside: of −.1 they would else be 0 and 0, as if it were sure.
"""

import numpy as np
from numpy.typing import NDArray

from ldpcore.relations.designs import PairDesign
from ldpcore.relations.plausible import plausible

Array = NDArray[np.float64]

NOTHING = 1e-12
"""n·Var below this is none."""


def joint_interval(design: PairDesign, tables: Array, n: int, z: float, about: str) -> tuple[Array, Array]:
    """Of every pair: low and high, (r, kx, ky) each, from tables (r, kx, ky). They hold the estimate."""
    f = plausible(tables, n, design.is_open)
    low, high = np.empty(tables.shape), np.empty(tables.shape)
    for x in range(design.kx):
        for y in range(design.ky):
            cell = np.zeros((design.kx, design.ky))
            cell[x, y] = 1
            square = design.squares(cell, cell).reshape(design.kx, design.ky)
            absent, present = _line(design, f, square, x, y)
            step = np.ptp(design.corners(np.arange(design.kx) == x, np.arange(design.ky) == y)[:, 0]) / (2 * n)
            share = tables[:, x, y]
            ends = _ends(np.clip(share, 0, 1), absent, present, step, z * z / n, about)
            low[:, x, y], high[:, x, y] = np.minimum(ends[0], share), np.maximum(ends[1], share)
    return low, high


def _line(design: PairDesign, f: Array, square: Array, x: int, y: int) -> tuple[Array, Array]:
    """n·E[s²] of the cell where nobody, and where everybody, has this pair: (r,) each."""
    present = np.full(len(f), square[x, y])
    if not design.is_open:
        absent = (f * square).sum(axis=(1, 2)) - f[:, x, y] * square[x, y]
        return absent / np.maximum(1 - f[:, x, y], 1e-300), present
    size = f[:, x].sum(axis=1)
    beside = (f[:, x] @ square[x] - f[:, x, y] * square[x, y]) / np.maximum(size - f[:, x, y], 1e-300)
    return size * beside, present - beside + size * beside


def _ends(t: Array, absent: Array, present: Array, step: float | Array, far: float, about: str) -> tuple[Array, Array]:
    """Where (e − t)² = far·(absent + (present − absent)t − κ(t)), κ = t² or t, e the estimate a step aside."""
    like = about == "like"
    given = np.array([[0.25 if like else 0.5], [1.0]])  # of t² or t, at ½ and 1
    noise = np.abs(absent + (present - absent) * np.array([[0.5], [1.0]]) - given).max(axis=0)
    step = np.where(np.maximum(noise, absent) > NOTHING, step, 0.0)  # where nothing is random nothing is corrected
    ends = []
    for sign in (-1, 1):
        e = t + sign * step
        a = 1 + (far if like else 0.0)
        b = -2 * e - far * (present - absent - (0.0 if like else 1.0))
        c = e * e - far * absent
        root = (-b + sign * np.sqrt(np.maximum(b * b - 4 * a * c, 0))) / (2 * a)
        # Of few people e may be so far outside that every share is on its one side: none on the other is rejected.
        ends.append(np.minimum(root, e) if sign < 0 else np.maximum(root, e))
    return ends[0], ends[1]
