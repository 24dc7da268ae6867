"""Is there a relation at all? n × Pillai's trace, from the reports' own covariance.

    D̂ = F̂ − f̂_x f̂_yᵀ;   apart:  T = n·tr(V̂_x⁻¹ D̂ V̂_y⁻¹ D̂ᵀ), V̂ the sample covariance of each score
                          as one: T = n·D̂ᵀ(L Ĉ Lᵀ)⁻¹D̂, Ĉ that of the pairs' scores, L = (1 − f̂_x1ᵀ) ⊗ (1 − f̂_y1ᵀ)

Nothing hidden: Pearson's χ²; GRR apart: Pearson's χ² of the raw reports. A covariance at the estimated margins would
not do: it rejects independence up to 72 times in 100. Law: χ². Apart, reports are exchangeable under independence, so
for few people a permutation test is exact; of a pair asked as one surveys are drawn by the exact law at f̂_x ⊗ f̂_y.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc

from ldpcore.estimators.consistency import norm_sub
from ldpcore.relations.designs import PairDesign
from ldpcore.relations.plausible import SURE
from ldpcore.relations.tallies import PairTally

Array = NDArray[np.float64]

EXACT_BELOW, DRAWN_BELOW = 1000, 3000
"""People below whom reports are permuted, and whole surveys are drawn."""
SINGULAR = 1e-9
"""Directions with so small a part of the largest variance have none."""
TIE = 1e-9
"""Statistics this close are a tie."""


@dataclass(frozen=True)
class IndependenceTest:
    """statistic: T; df: its degrees of freedom, without answers that nobody gave; p: the chance of so large a T if the
    two answers have nothing to do with one another. how: "permutation" (exact), "drawn" (about, by `draws` surveys), or
    "chi-squared" (for many people).
    """

    statistic: float
    df: int
    p: float
    how: str


def statistic(design: PairDesign, tally: PairTally) -> tuple[float, int]:
    """T and its degrees of freedom."""
    values, df = statistics(design, tally.n, tally.moments[None])
    return float(values[0]), int(df[0])


def statistics(design: PairDesign, n: int, moments: Array) -> tuple[Array, NDArray[np.intp]]:
    """T and its degrees of freedom, (r,) each, from the moments (r, m, m) of tallies of n people."""
    kx, ky, second = design.kx, design.ky, moments / n
    table = second[:, :kx, kx:] if design.is_apart else second.sum(axis=2).reshape(-1, kx, ky)
    fx, fy = table.sum(axis=2), table.sum(axis=1)
    departure = table - fx[:, :, None] * fy[:, None, :]
    if design.is_apart:
        wx, rx = whitening(second[:, :kx, :kx] - fx[:, :, None] * fx[:, None, :])
        wy, ry = whitening(second[:, kx:, kx:] - fy[:, :, None] * fy[:, None, :])
        return n * np.sum((wx.transpose(0, 2, 1) @ departure @ wy) ** 2, axis=(1, 2)), rx * ry
    turn = turned(fx, fy)
    mean = table.reshape(len(table), -1)
    spread = turn @ (second - mean[:, :, None] * mean[:, None, :]) @ turn.transpose(0, 2, 1)
    white, rank = whitening(spread)
    free = departure[:, :-1, :-1].reshape(len(table), 1, -1)
    return n * np.sum((free @ white) ** 2, axis=(1, 2)), rank


def turned(fx: Array, fy: Array) -> Array:
    """L: the free contrasts of D, linear at these margins (r, kx), (r, ky): (r, (kx − 1)(ky − 1), K)."""
    lx = (np.eye(fx.shape[1]) - fx[:, :, None])[:, :-1]
    ly = (np.eye(fy.shape[1]) - fy[:, :, None])[:, :-1]
    both = lx[:, :, None, :, None] * ly[:, None, :, None, :]
    return both.reshape(len(fx), lx.shape[1] * ly.shape[1], -1)


def whitening(covariance: Array) -> tuple[Array, NDArray[np.intp]]:
    """W (r, k, k) with W Wᵀ the pseudo-inverse, and the rank (r,)."""
    values, vectors = np.linalg.eigh(covariance)
    kept = values > SINGULAR * np.maximum(values.max(axis=1, keepdims=True, initial=0.0), 1e-300)
    root = np.where(kept, 1 / np.sqrt(np.where(kept, values, 1.0)), 0.0)
    return vectors * root[:, None, :], kept.sum(axis=1)


def tested(design: PairDesign, tally: PairTally, rng: np.random.Generator, draws: int) -> IndependenceTest:
    """The test with the law that is right for so many people."""
    value, df = statistic(design, tally)
    if not df:
        return IndependenceTest(0.0, 0, 1.0, "permutation")
    apart = design.is_apart
    if apart and tally.n < EXACT_BELOW and tally.counts is not None:
        seen = permuted(design, tally.counts, rng, draws)
        return IndependenceTest(value, df, _rank(seen, value), "permutation")
    if (apart and tally.n < EXACT_BELOW) or (not apart and (tally.n < DRAWN_BELOW or _is_near_empty(design, tally))):
        return IndependenceTest(value, df, _rank(drawn_statistics(design, tally, rng, draws), value), "drawn")
    return IndependenceTest(value, df, float(chdtrc(df, value)), "chi-squared")


def _rank(seen: Array, value: float) -> float:
    return float((1 + np.count_nonzero(seen >= value - TIE * max(1.0, value))) / (len(seen) + 1))


def permuted(design: PairDesign, counts: NDArray[np.int64], rng: np.random.Generator, draws: int) -> Array:
    """T of the same reports, those of y in random order: (draws,)."""
    a, b = np.nonzero(counts)
    a, b = (np.repeat(codes, counts[a, b]) for codes in (a, b))
    left, right = _orthonormal(design.x.scores[a]), _orthonormal(design.y.scores[b])  # type: ignore[attr-defined]
    n = len(a)
    return np.array([n * np.sum((left.T @ right[rng.permutation(n)]) ** 2) for _ in range(draws)])


def _orthonormal(scores: Array) -> Array:
    """A basis (n, rank) of the centred scores."""
    u, s, _ = np.linalg.svd(scores - scores.mean(axis=0), full_matrices=False)
    return u[:, s**2 > SINGULAR * max((s**2).max(initial=0.0), 1e-300)]


def drawn_statistics(design: PairDesign, tally: PairTally, rng: np.random.Generator, draws: int) -> Array:
    """T of surveys drawn at the independent table with the margins seen: (draws,)."""
    table = design.table(tally)
    shares = np.outer(norm_sub(table.sum(axis=1)), norm_sub(table.sum(axis=0)))
    return statistics(design, tally.n, design.drawn_moments(shares, tally.n, rng, draws))[0]


def _is_near_empty(design: PairDesign, tally: PairTally) -> bool:
    """Whether a margin is below 3 standard errors."""
    table, n = design.table(tally), tally.n
    second = (tally.moments / n).reshape(design.kx, design.ky, design.kx, design.ky)
    for share, square in (
        (table.sum(axis=1), np.einsum("abad->a", second)),
        (table.sum(axis=0), np.einsum("abcb->b", second)),
    ):
        if np.any(share < SURE * np.sqrt(np.maximum(square - share**2, 0) / n)):
            return True
    return False
