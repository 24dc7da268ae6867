"""Cutting long baskets, so that one basket moves few counts."""

import numpy as np
from numpy.typing import NDArray

from ldpcore.itemsets.transactions import Transactions


def cut(data: Transactions, length: int, worth: NDArray[np.float64]) -> Transactions:
    """Baskets of at most `length` items: of a longer one the items worth most, `worth` being per entry of `codes`.

    Each basket is cut by itself, so a basket more or less changes no other.
    """
    long = np.flatnonzero(np.repeat(data.lengths > length, data.lengths))
    owners = data.owners[long]
    order = long[np.lexsort((-worth[long], owners))]  # basket by basket, as before, the worthiest first
    keep = np.ones(len(data.codes), bool)
    keep[order] = long - data.starts[owners] < length
    return data.keep(keep)
