"""Padding and sampling: sets of any length become sets of m distinct items (Qin et al. 2016; theory/sets#padding).

Longer: a uniform m-subset. Shorter: filled with distinct dummies, codes k … k + m − 1, a uniform subset of them. Build
the mechanism with `dummies=m`: there dummies are sensitive, so that padding shows nothing.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.baskets import Baskets

Vector = NDArray[np.float64]
Codes = NDArray[np.intp]


Held = Sequence[Iterable[int]] | Baskets
"""What each user holds: a list of codes for each, or Baskets."""


def _flat(held: Held, k: int) -> tuple[Codes, Codes, Codes]:
    """(user, item) pairs without duplicates, ordered by user, and every user's number of items."""
    checks.domain_size(k)
    if isinstance(held, Baskets):
        return held.people.astype(np.intp), held.codes.astype(np.intp), held.lengths
    rows = [np.asarray(items if isinstance(items, np.ndarray) else list(items)) for items in held]
    sizes = np.array([len(row) for row in rows], np.intp)
    item = np.concatenate([row for row in rows if len(row)]) if sizes.any() else np.zeros(0, np.intp)
    if not np.issubdtype(item.dtype, np.integer):
        raise TypeError(f"baskets must hold integer codes, got dtype {item.dtype}; encode labels first")
    if item.size and (item.min() < 0 or item.max() >= k):
        raise ValueError(f"baskets must hold codes from 0 to {k - 1}, got {item.min()} to {item.max()}")
    pair = np.unique(np.repeat(np.arange(len(rows)), sizes) * k + item.astype(np.intp))
    user = pair // k
    return user, pair % k, np.bincount(user, minlength=len(rows))


def pad_and_sample(held: Held, k: int, m: int, rng: np.random.Generator) -> Codes:
    """Item codes of each user → (n, m) codes below k + m, sorted. Duplicates count once; an empty set: all dummies."""
    user, item, sizes = _flat(held, k)
    m = checks.integer(m, "m (items per set)", 1)
    n, begin, chance = len(sizes), np.cumsum(sizes) - sizes, rng.random(len(user))
    out = k + np.argsort(rng.random((n, m)), axis=1)
    short = (sizes <= m)[user]
    out[user[short], (np.arange(len(user)) - begin[user])[short]] = item[short]
    for size in np.unique(sizes[sizes > m]):  # as a matrix, whose rows are sorted ten times as fast
        who = np.flatnonzero(sizes == size)
        places = begin[who, None] + np.arange(size)
        first = np.argsort(chance[places], axis=1)[:, :m]
        out[who] = item[np.take_along_axis(places, first, axis=1)]
    return np.sort(out, axis=1)


def truncated_shares(held: Held, k: int, m: int) -> tuple[Vector, Vector]:
    """Shares of the holders of each item, before and (expected) after sampling: (k,), (k,). What is estimated is the
    second; their difference is the truncation bias.
    """
    user, item, sizes = _flat(held, k)
    m = checks.integer(m, "m (items per set)", 1)
    if not len(sizes):
        raise ValueError("there are no baskets, so there are no shares; load at least one")
    kept = np.minimum(1.0, m / np.maximum(sizes, 1))
    whole = np.bincount(item, minlength=k) / len(sizes)
    return whole, np.bincount(item, weights=kept[user], minlength=k) / len(sizes)


def kept_whole(lengths: ArrayLike, m: ArrayLike) -> Vector:
    """Share of the users with at most m items, for one m or several: as m."""
    ordered = np.sort(np.asarray(lengths))
    if not ordered.size:
        raise ValueError("there are no lengths, so no share is kept; load at least one basket")
    return np.searchsorted(ordered, np.asarray(m), side="right") / ordered.size


def suggest_m(lengths: ArrayLike, whole: float = 0.9) -> int:
    """The least m that keeps at least this share of the users whole: a larger one costs every estimate accuracy."""
    if not 0 < whole <= 1:
        raise ValueError(f"whole, the share of users kept whole, lies in (0, 1], got {whole:g}; 0.9 is usual")
    ordered = np.sort(np.asarray(lengths))
    if not ordered.size:
        raise ValueError("there are no lengths to suggest m from; load at least one basket")
    return max(1, int(ordered[int(np.ceil(whole * ordered.size - 1e-9)) - 1]))
