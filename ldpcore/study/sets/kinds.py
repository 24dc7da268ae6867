"""Kinds of people: who has equally many items, and equally many unmarked ones among them, is sampled alike."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ldpcore.baskets import Baskets
from ldpcore.data.weighing import classes
from ldpcore.memory import remembered
from ldpcore.subsets import hypergeometric_law

Shares = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Kinds:
    """Whatever m is: the people of each kind, and who of them holds what."""

    items: NDArray[np.int64]
    """How many items each kind has (kinds,)."""
    unmarked: NDArray[np.int64]
    """How many of them are unmarked (kinds,)."""
    people: NDArray[np.int64] | Shares
    """How many people are of each kind (kinds,), or what they count for."""
    holders: sparse.csr_array
    """How many people of each kind hold each item (k, kinds), or what they count for."""

    def kept(self, m: int) -> Shares:
        """The law (kinds, m + 1) of how many unmarked items a set of m keeps: of o unmarked among L > m items
        hypergeometric.
        """
        length, free = self.items[:, None], self.unmarked[:, None]
        b = np.arange(m + 1)[None]
        drawn = hypergeometric_law(b, np.maximum(length, m), np.minimum(free, np.maximum(length, m)), m)
        return np.where(length > m, drawn, (b == free).astype(float))


Counted = Literal["people", "weights", "squares", "drawn"]
"""Everybody alike, by weight, by its square, or as in simulations: by the mean of the weight's class."""


def mass(baskets: Baskets, by: Counted) -> Shares | None:
    """What everybody counts for (n,); None: alike."""
    weights = baskets.weights
    if by == "people" or weights is None:
        return None
    if by == "drawn":
        different, place = remembered(baskets, ("weights", "classes"), lambda: classes(weights))
        return different[place]
    return weights if by == "weights" else weights**2


def of(baskets: Baskets, marked: NDArray[np.bool_], by: Counted = "people") -> Kinds:
    """The kinds of these people where these items (k,) are marked; kept with the baskets."""
    each = mass(baskets, by)
    at = "kinds", marked.tobytes(), "people" if each is None else by
    return remembered(baskets, at, lambda: _of(baskets, marked, each), 8)


def _of(baskets: Baskets, marked: NDArray[np.bool_], each: Shares | None) -> Kinds:
    unmarked = np.bincount(baskets.people, ~marked[baskets.codes], baskets.n).astype(np.int64)
    # One number for the pair: NumPy sorts pairs as bytes, thirty times slower.
    most = int(unmarked.max(initial=0)) + 1
    pairs, kind, people = np.unique(baskets.lengths * most + unmarked, return_inverse=True, return_counts=True)
    ones = np.ones(len(baskets.codes)) if each is None else each[baskets.people]
    holders = sparse.coo_array((ones, (baskets.codes, kind[baskets.people])), (baskets.k, len(pairs))).tocsr()
    counted = people.astype(np.int64) if each is None else np.bincount(kind, each, len(pairs))
    return Kinds(pairs // most, pairs % most, counted, holders)
