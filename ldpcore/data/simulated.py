"""Invented baskets of one size: every set alike, as the SULDP paper makes its simulated data (§5.1), or items of
different popularity.
"""

import numpy as np
from numpy.typing import NDArray

from ldpcore import checks
from ldpcore.baskets import Baskets

_BLOCK = 1_000_000
"""Numbers that are drawn at once."""


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


def by_popularity(n: int, k: int, m: int, popularity: float, rng: np.random.Generator) -> NDArray[np.int32]:
    """n sets of m of k items, sorted rows (n, m), drawn one item after another, each of those left with a chance in
    proportion to r^−popularity: r = k for the first item, the rarest, and 1 for the last. ValueError when m > k.

    Each item waits for a time of this rate, and the first m come (Efraimidis, Spirakis 2006).
    """
    if checks.integer(m, "m (items per set)", 1) > k:
        raise ValueError(f"a set of m = {m} different items needs at least {m} of them, got k = {k}")
    mean_wait = np.arange(k, 0, -1) ** float(popularity)
    out = np.empty((n, m), np.int32)
    step = max(1, _BLOCK // k)
    for start in range(0, n, step):
        waits = rng.exponential(size=(min(step, n - start), k)) * mean_wait
        out[start : start + step] = np.argpartition(waits, m - 1, axis=1)[:, :m]
    return np.sort(out, axis=1)


def simulated(n: int, k: int, m: int, rng: np.random.Generator, popularity: float = 0.0) -> Baskets:
    """Sets of "item 1" … "item k": all alike, or the later the more popular.

    >>> from ldpcore.rng import stream
    >>> baskets = simulated(1_000, 4, 2, stream(1), popularity=1)
    >>> [round(share, 1) for share in (baskets.counts / 1_000).tolist()]
    [0.3, 0.4, 0.5, 0.8]
    """
    baskets = by_popularity(n, k, m, popularity, rng) if popularity else reservoir(n, k, m, rng)
    labels = tuple(f"item {i + 1}" for i in range(k))
    return Baskets(labels, baskets.ravel(), np.arange(n + 1, dtype=np.int64) * m)
