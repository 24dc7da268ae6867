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
    n, table = tally.n, design.table(tally)
    fx, fy = table.sum(axis=1), table.sum(axis=0)
    departure = table - np.outer(fx, fy)
    if design.is_apart:
        kx = design.kx
        wx = whitened(tally.moments[:kx, :kx] / n - np.outer(fx, fx))
        wy = whitened(tally.moments[kx:, kx:] / n - np.outer(fy, fy))
        return n * float(np.sum((wx.T @ departure @ wy) ** 2)), wx.shape[1] * wy.shape[1]
    turn = np.kron(np.eye(design.kx) - fx[:, None], np.eye(design.ky) - fy[:, None])
    free = np.zeros((design.kx, design.ky), bool)
    free[:-1, :-1] = True
    turn, mean = turn[free.ravel()], table.ravel()
    white = whitened(turn @ (tally.moments / n - np.outer(mean, mean)) @ turn.T)
    return n * float(np.sum((departure[:-1, :-1].ravel() @ white) ** 2)), white.shape[1]


def whitened(covariance: Array) -> Array:
    """W with W Wᵀ the pseudo-inverse: (k, rank)."""
    values, vectors = np.linalg.eigh(covariance)
    kept = values > SINGULAR * max(values.max(initial=0.0), 1e-300)
    return vectors[:, kept] / np.sqrt(values[kept])


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
    people = rng.multinomial(tally.n, shares.ravel() / shares.sum(), size=draws)
    return np.array([
        statistic(design, design.draw(each.reshape(shares.shape), rng, 1, "these")[0])[0] for each in people
    ])  # fmt: skip


def _is_near_empty(design: PairDesign, tally: PairTally) -> bool:
    """Whether a margin is below 3 standard errors."""
    table, n = design.table(tally), tally.n
    second = (tally.moments / n).reshape(design.kx, design.ky, design.kx, design.ky)
    for axis, own in ((1, "abad->a"), (0, "abcb->b")):
        share = table.sum(axis=axis)
        error = np.sqrt(np.maximum(np.einsum(own, second) - share**2, 0) / n)
        if np.any(share < SURE * error):
            return True
    return False
