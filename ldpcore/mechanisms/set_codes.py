"""What rows of numbers, or of yes and no, have at the codes of sets."""

import numpy as np
from numpy.typing import NDArray

from ldpcore.set_randomizer import Sets, Vector


def at_codes(rows: NDArray, held: Sets) -> NDArray:
    """What each row (n, codes) has at the codes of its sets (n, sets, m), either with one row for all."""
    if len(held) == 1:
        return np.take(rows, held[0], axis=1)
    codes = rows.shape[1]
    begin = np.arange(len(held)) * codes if len(rows) > 1 else np.zeros(len(held), np.intp)
    return rows.ravel().take(held + begin[:, None, None])


def sum_at(rows: Vector, held: Sets) -> Vector:
    """What each row (n, codes) has at the codes of its sets (n, sets, m), in all: (n, sets), either with one row for
    all.

    Item by item: all reports at once, and the same to the last digit however many there are.
    """
    if len(held) == 1:
        return np.take(np.ascontiguousarray(rows.T), held[0].T, axis=0).sum(axis=0).T
    return np.ascontiguousarray(np.moveaxis(at_codes(rows, held), 2, 0)).sum(axis=0)


def count_at(rows: NDArray[np.bool_], held: Sets) -> NDArray[np.integer]:
    """Of how many codes of its sets (n, sets, m) each row (n, codes) says yes: (n, sets), as above."""
    kind = np.min_scalar_type(held.shape[2])
    if len(held) == 1:  # code by code: sums of rows as short as these take twenty times as long
        codes = np.take(np.ascontiguousarray(rows.T).view(np.uint8), held[0].T, axis=0)
        return np.add.reduce(codes, axis=0, dtype=kind).T
    return np.einsum("nsi->ns", at_codes(np.ascontiguousarray(rows).view(np.uint8), held), dtype=kind, casting="safe")
