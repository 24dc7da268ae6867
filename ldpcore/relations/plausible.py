"""The nearest tables that shares can be: what variances are taken at. Estimates themselves are never projected."""

import numpy as np
from numpy.typing import NDArray

from ldpcore.estimators.consistency import norm_sub

Array = NDArray[np.float64]

SURE = 3.0
"""Standard errors above 0 from which on a group, or an answer, is told from an empty one."""


def plausible(tables: Array, n: int, is_open: bool) -> Array:
    """Tables (r, kx, ky) → shares (r, kx, ky), none 0: half a person is spread evenly. Open groups keep their sizes,
    and each is projected by itself: projecting the whole table would move people between groups whose sizes everybody
    sees.

    >>> plausible(np.array([[[0.7, -0.1], [0.2, 0.2]]]), 100, False).round(3).tolist()
    [[[0.665, 0.001], [0.167, 0.167]]]
    """
    r, kx, ky = tables.shape
    if is_open:
        size = tables.sum(axis=2, keepdims=True)
        if np.all(size > 0):
            people = n * size
            return (people * norm_sub(tables / size) + 0.5 / ky) / (people + 0.5) * size
    flat = (n * norm_sub(tables.reshape(r, kx * ky)) + 0.5 / (kx * ky)) / (n + 0.5)
    return flat.reshape(r, kx, ky)


def spread_rest(shares: Array, inside: NDArray[np.bool_], size: Array) -> Array:
    """The shares (r, K) outside, scaled so that all of them sum to 1 − size (r,); 0 inside."""
    rest = np.where(inside, 0.0, shares)
    total = rest.sum(axis=1)
    return rest * np.where(total > 0, (1 - size) / np.maximum(total, 1e-300), 0.0)[:, None]
