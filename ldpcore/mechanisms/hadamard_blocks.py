"""Hadamard response's layout: into how many blocks of symbols the values go, by the exact error of each."""

from functools import lru_cache
from math import expm1
from typing import NamedTuple

import numpy as np

from ldpcore.mechanisms.walsh import transform


def best(sigma: int, share: float, epsilon: float) -> int:
    """B, a power of two: with the least exact error over all values, σ of them in S, held by this share of the people,
    evenly in S.
    """
    return min((1 << i for i in range(sigma.bit_length() + 1)), key=lambda blocks: total(sigma, share, epsilon, blocks))


def total(sigma: int, share: float, epsilon: float, blocks: int) -> float:
    """Σ over all values, the σ of S held evenly by this share of the people, of n times their variance:
    `Hadamard.variance`, summed.
    """
    wide, f = width(sigma, blocks), share / sigma
    half, K = wide // 2, blocks * wide
    rarest = 1 / (K + half * expm1(epsilon))
    keep = half * expm1(epsilon) * rarest
    disclosed = (1 - share) * K * rarest / keep
    if half == 1:
        a, b, missed = keep + rarest, rarest, (K - 1) * rarest
        return disclosed + sigma * (f * a * missed + (1 - f) * b * (1 - b)) / keep**2
    sums, c = _owners(sigma, blocks), 2 * half * rarest / keep
    squares = keep * f / half * sums.held + rarest * sums.sent
    return disclosed + 4 / keep**2 * squares - 2 * c * f * sums.rest - c**2 * sums.rest_squared - f * sigma


def width(sigma: int, blocks: int) -> int:
    """b: a block's symbols, with room for its share of σ values beside row 0."""
    return 1 << (-(-sigma // blocks)).bit_length()


class _Owners(NamedTuple):
    """What a layout of values in blocks adds to their variances whatever ε is, with c owners of a symbol, m values in
    its block, g = c/(m+1), and u = c(1 − 2g) + m g²: Σ c·u and Σ u over the symbols, Σ 1/(m+1) and Σ 1/(m+1)² over the
    values.
    """

    held: float
    sent: float
    rest: float
    rest_squared: float


@lru_cache(256)
def _owners(sigma: int, blocks: int) -> _Owners:
    wide = width(sigma, blocks)
    number = np.arange(sigma)
    rows = np.zeros((blocks, wide))
    rows[number // (wide - 1), number % (wide - 1) + 1] = 1.0
    m = rows.sum(axis=1, keepdims=True)
    c = (m + transform(rows)) / 2
    g = c / (m + 1)
    u = c * (1 - 2 * g) + m * g**2
    return _Owners(float((c * u).sum()), float(u.sum()), float((m / (m + 1)).sum()), float((m / (m + 1) ** 2).sum()))
