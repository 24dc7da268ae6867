"""Cutting long baskets, so that one basket moves few counts."""

import numpy as np
from numpy.typing import NDArray

from ldpcore.baskets import Baskets

ALIKE = 1.25
"""Baskets of up to so many times the items stand in one table."""


def cut(data: Baskets, length: int, worth: NDArray[np.float64]) -> Baskets:
    """Baskets of at most `length` items: of a longer one the items worth most, `worth` being per entry of `codes`.

    Each basket is cut by itself, so a basket more or less changes no other.
    """
    long = np.flatnonzero(data.lengths > length)
    long = long[np.argsort(data.lengths[long], kind="stable")]
    sizes, keep = data.lengths[long], np.ones(len(data.codes), bool)
    first = 0
    # Baskets of about one size are rows of a table: some small sorts in place of one of everything.
    while first < len(long):
        end = int(np.searchsorted(sizes, int(ALIKE * sizes[first]), side="right"))
        each, widest = sizes[first:end, None], int(sizes[end - 1])
        entries = data.starts[long[first:end]][:, None] + np.arange(widest)
        inside = np.arange(widest) < each
        values = np.where(inside, worth[np.minimum(entries, len(worth) - 1)], -np.inf)
        keep[entries[inside]] = _best(values, length)[inside]
        first = end
    return data.keep(keep)


def _best(values: NDArray[np.float64], length: int) -> NDArray[np.bool_]:
    """The `length` largest of each row, of equal ones the first."""
    # The least that stays; only where others are worth as much, an order says which of them.
    place = values.shape[1] - length
    stays = values >= np.partition(values, place, axis=1)[:, place, None]
    if np.count_nonzero(stays) > length * len(values):
        tied = np.flatnonzero(stays.sum(axis=1) > length)
        order = np.argsort(-values[tied], axis=1, kind="stable")
        stays[tied[:, None], order[:, length:]] = False
    return stays
