"""The nearest tables that shares can be: what variances are taken at. Estimates themselves are never projected."""

import numpy as np
from numpy.typing import NDArray

from ldpcore.estimators.consistency import norm_sub

Array = NDArray[np.float64]

ROUNDS = 20
"""Of fitting the margins: those of groups are then exact, those of answers nearly."""
SURE = 3.0
"""Standard errors above 0 from which on a group, or an answer, is told from an empty one."""


def plausible(tables: Array, n: int, is_open: bool) -> Array:
    """Tables (r, kx, ky) → shares (r, kx, ky), none 0.

    Margins are told far better than pairs, and variances hang on them: so the projected table, half a person spread
    independently, is fitted to the projected margins (IPF). Its own margins would not do: of 32 noisy pairs the
    projection leaves few, and a group of 5 % seems empty. Open groups keep their sizes, and each is projected by
    itself, half a person spread evenly.

    >>> plausible(np.array([[[0.7, -0.1], [0.2, 0.2]]]), 100, False).round(2).tolist()
    [[[0.6, 0.0], [0.3, 0.1]]]
    """
    if is_open:
        size = tables.sum(axis=2, keepdims=True)
        if np.all(size > 0):
            people, ky = n * size, tables.shape[2]
            return (people * norm_sub(tables / size) + 0.5 / ky) / (people + 0.5) * size
    fx, fy = (_margin(tables.sum(axis=axis), n) for axis in (2, 1))
    pairs = norm_sub(tables.reshape(len(tables), -1)).reshape(tables.shape)
    f = (n * pairs + 0.5 * fx[:, :, None] * fy[:, None, :]) / (n + 0.5)
    for _ in range(ROUNDS):
        f = f * (fy / f.sum(axis=1))[:, None, :]
        f = f * (fx / f.sum(axis=2))[:, :, None]
    return f


def _margin(shares: Array, n: int) -> Array:
    """The nearest shares (r, k), half a person spread evenly."""
    return (n * norm_sub(shares) + 0.5 / shares.shape[1]) / (n + 0.5)


def spread_rest(shares: Array, inside: NDArray[np.bool_], size: Array) -> Array:
    """The shares (r, K) outside, scaled so that all of them sum to 1 − size (r,); 0 inside."""
    rest = np.where(inside, 0.0, shares)
    total = rest.sum(axis=1)
    return rest * np.where(total > 0, (1 - size) / np.maximum(total, 1e-300), 0.0)[:, None]
