"""Cutting long baskets, so that one basket moves few counts."""

import numpy as np
from numpy.typing import NDArray

from ldpcore.baskets import Baskets


def cut(data: Baskets, length: int, worth: NDArray[np.float64]) -> Baskets:
    """Baskets of at most `length` items: of a longer one the items worth most, `worth` being per entry of `codes`.

    Each basket is cut by itself, so a basket more or less changes no other.
    """
    long = np.flatnonzero(data.lengths > length)
    long = long[np.argsort(data.lengths[long], kind="stable")]
    sizes, begin = np.unique(data.lengths[long], return_index=True)
    keep = np.ones(len(data.codes), bool)
    # Baskets of one size are rows of a table: many small sorts in place of one of everything.
    for size, baskets in zip(sizes.tolist(), np.split(long, begin)[1:], strict=True):
        entries = data.starts[baskets][:, None] + np.arange(size)
        values = worth[entries]
        # The least that stays; only where others are worth as much, an order says which of them.
        stays = values >= np.partition(values, size - length, axis=1)[:, size - length, None]
        tied = np.flatnonzero(stays.sum(axis=1) > length)
        order = np.argsort(-values[tied], axis=1, kind="stable")
        stays[tied[:, None], order[:, length:]] = False
        keep[entries] = stays
    return data.keep(keep)
