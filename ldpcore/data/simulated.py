"""Invented baskets of one size, every set alike: how the SULDP paper makes its simulated data (§5.1)."""

import numpy as np
from numpy.typing import NDArray

from ldpcore import checks
from ldpcore.baskets import Baskets


def reservoir(n: int, k: int, m: int, rng: np.random.Generator) -> NDArray[np.int32]:
    """n uniform m-subsets of k items, sorted rows (n, m): reservoir sampling over the items, which skips ahead to the
    next one that is taken (Li 1994, algorithm L). ValueError when m > k.
    """
    n, k = checks.integer(n, "n (people)", 1), checks.domain_size(k)
    if checks.integer(m, "m (items per set)", 1) > k:
        raise ValueError(f"a set of m = {m} different items needs at least {m} of them, got k = {k}")
    baskets = np.tile(np.arange(m, dtype=np.int32), (n, 1))
    active, place = np.arange(n), np.full(n, m - 1)
    reach = _uniform(rng, n) ** (1 / m)
    while len(active):
        with np.errstate(divide="ignore"):  # a reach of 1 in floats never moves on
            skip = np.floor(np.log(_uniform(rng, len(active))) / np.log1p(-reach))
        place = place + 1 + np.minimum(skip, k).astype(np.int64)
        on = place < k
        active, place, reach = active[on], place[on], reach[on]
        baskets[active, rng.integers(0, m, len(active))] = place
        reach = reach * _uniform(rng, len(active)) ** (1 / m)
    return np.sort(baskets, axis=1)


def _uniform(rng: np.random.Generator, size: int) -> NDArray[np.float64]:
    """In (0, 1]: never 0."""
    return 1 - rng.random(size)


def simulated(n: int, k: int, m: int, rng: np.random.Generator) -> Baskets:
    """The same as baskets of "item 1" … "item k"."""
    baskets = reservoir(n, k, m, rng)
    labels = tuple(f"item {i + 1}" for i in range(k))
    return Baskets(labels, baskets.ravel(), np.arange(n + 1, dtype=np.int64) * m)
