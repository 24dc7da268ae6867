"""Nested blocks with least squares: one formula for Identity, consistent trees and Privelet
(theory/ranges#nested-blocks).

Sizes 1 = s₀ | s₁ | … | s_H = N; Π_s averages over each block of s cells. If AᵀA = Σ_k λ_k (Π_{s_{k−1}} − Π_{s_k})
+ λ_tot Π_N, its inverse has 1/λ instead, and c(R) = Rᵀ(AᵀA)⁻¹R. What averaging loses, D_s = ‖R‖² − ‖Π_s R‖²,
comes only from the blocks that an end of R cuts: len(s − len)/s each. So

    c(R) = Σ_k (D_{s_k} − D_{s_{k−1}})/λ_k + |R|²/(N λ_tot):

2 numbers per level, nothing cancels, and over all ranges E D_s = (s² − 1)(2N + 2 − s)/(6 s (N + 1)).
"""

from collections.abc import Sequence

import numpy as np

from ldpcore.ranges.arguments import Cells, Vector


def lost(size: int, a: Cells, b: Cells) -> Vector:
    """D_s of the ranges [a, b)."""
    first, last = a // size, (b - 1) // size
    left = np.where(first == last, b - a, (first + 1) * size - a).astype(float)
    right = np.where(first == last, 0, b - last * size).astype(float)
    return (left * (size - left) + right * (size - right)) / size


def mean_lost(size: int, cells: int) -> float:
    """E D_s over all ranges of so many cells."""
    return (size * size - 1) * (2 * cells + 2 - size) / (6 * size * (cells + 1))


def coefficients(sizes: Sequence[int], precisions: Sequence[float], a: Cells, b: Cells) -> Vector:
    """c of the ranges [a, b). Sizes s₀ … s_H; precisions λ₁ … λ_H, λ_tot."""
    total = (b - a).astype(float) ** 2 / (sizes[-1] * precisions[-1])
    below = np.zeros(np.shape(a))
    for size, precision in zip(sizes[1:], precisions[:-1], strict=True):
        loss = lost(size, a, b)
        total = total + (loss - below) / precision
        below = loss
    return total


def average(sizes: Sequence[int], precisions: Sequence[float]) -> float:
    """c̄, with E|R|² = (N+1)(N+2)/6."""
    cells = sizes[-1]
    return mean(sizes, precisions, [mean_lost(size, cells) for size in sizes], (cells + 1) * (cells + 2) / 6)


def mean(sizes: Sequence[int], precisions: Sequence[float], losses: Sequence[float], squared: float) -> float:
    """The mean of c over ranges, all that is told of them: E D_s at each size, and E|R|²."""
    total = squared / (sizes[-1] * precisions[-1])
    return total + sum(
        (loss - below) / precision
        for below, loss, precision in zip(losses[:-1], losses[1:], precisions[:-1], strict=True)
    )


def covariance(sizes: Sequence[int], precisions: Sequence[float], i: Cells, j: Cells) -> Vector:
    """(AᵀA)⁻¹ at cells i, j (0-based): Π_s has 1/s where they share a block."""
    total = np.full(np.broadcast(i, j).shape, 1 / (sizes[-1] * precisions[-1]))
    for small, large, precision in zip(sizes[:-1], sizes[1:], precisions[:-1], strict=True):
        total = total + ((i // small == j // small) / small - (i // large == j // large) / large) / precision
    return total


def solved(sizes: Sequence[int], precisions: Sequence[float], a: int, b: int) -> Vector:
    """(AᵀA)⁻¹R of the range R = [a, b): (N,), in O(N)."""
    ones = np.zeros(sizes[-1])
    ones[a:b] = 1
    return least_squares(sizes, precisions, [ones, *(np.zeros(1) for _ in sizes[1:])])


def least_squares(sizes: Sequence[int], precisions: Sequence[float], moments: Sequence[Vector]) -> Vector:
    """x̂ = (AᵀA)⁻¹Aᵀy in O(N). moments[k]: what the level of s_k adds to Aᵀy, one number per block.

    Upwards: split what has come so far into block means and the rest, which no later level can touch; downwards: add
    up the rests, each over its λ. (Hay et al. 2010 reach the same with node weights, for equal levels only.)
    """
    rests = []
    mean = moments[0]
    for k in range(1, len(sizes)):
        children = mean.reshape(-1, sizes[k] // sizes[k - 1])
        mean = children.mean(axis=1)
        rests.append((children - mean[:, None]) / precisions[k - 1])
        mean = mean + moments[k]
    out = mean / precisions[-1]
    for rest in reversed(rests):
        out = (out[:, None] + rest).ravel()
    return out
