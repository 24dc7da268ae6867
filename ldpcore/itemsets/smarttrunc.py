"""SmartTrunc (Zeng, Naughton, Cai 2012): baskets cut to ℓ items, candidates from noisy counts, a budget per level.

One basket of ℓ items moves at most Δ = min(|C_k|, C(ℓ, k)) counts, so each level's noise has the scale Δ/ε_k. The
number of levels and ℓ are declared beforehand. `laplace_apriori` is the same without cutting.
The original's noisy lengths and levels (two small spends) are here the caller's public choice; its greedy cut is the
simple one: the items of largest noisy count (theory/itemsets#smarttrunc).
"""

from math import comb
from typing import Any

import numpy as np

from ldpcore import checks
from ldpcore.baskets import Baskets, Counts
from ldpcore.itemsets.candidates_by_length import MAX_CANDIDATES, candidates
from ldpcore.itemsets.counting import Items, pair_counts, ranked
from ldpcore.itemsets.few_holders import few_supports
from ldpcore.itemsets.given import baskets_of, threshold
from ldpcore.itemsets.ledger import Ledger, Spend, budget, laplace, limit
from ldpcore.itemsets.mined import MiningResult, ReleasedCandidates, exact_counts
from ldpcore.itemsets.truncation import cut

LENGTH, LEVELS = 8, 3


def smart_trunc(
    data: Any,
    min_count: float,
    epsilon: float | None = None,
    rng: np.random.Generator | None = None,
    *,
    s: float | None = None,
    length: int = LENGTH,
    levels: int = LEVELS,
    candidate_count: float | None = None,
    clip: float | None = None,
    max_candidates: int = MAX_CANDIDATES,
    moved: int | None = None,
) -> MiningResult:
    """Noisy frequent sets at a total ε in equal parts per level, or at s per level (ε = s·levels): give one of the two.

    A set is frequent at a noisy count of `min_count`, and makes candidates from `candidate_count` on: the lower one of
    the paper's two thresholds (None: the same). `clip` limits the noise, as the DFDP paper does here too. `moved`: of
    how many counts that one basket moves the noise is (None: of all that a cut basket does); with 1, the noise Lap(1/s)
    that the DFDP paper writes for both miners, a level costs as many times s as a basket moves counts.
    """
    baskets = baskets_of(data)
    least, largest = threshold(min_count, baskets.n), limit(clip)
    levels = checks.integer(levels, "levels (declared beforehand)", 1, 64)
    length = checks.integer(length, "length (items per basket after cutting)", 1)
    if (epsilon is None) == (s is None):
        raise TypeError("smart_trunc needs either epsilon, the total, or s, the budget of one level: give one of them")
    if rng is None:
        raise TypeError("smart_trunc needs rng, a numpy Generator: ldpcore.rng.stream(seed) makes one")
    each = budget(s, "s (the budget of one level)") if epsilon is None else budget(epsilon) / levels
    seeds = least if candidate_count is None else min(least, threshold(candidate_count, baskets.n))
    made = np.arange(baskets.k, dtype=np.int32)[:, None]
    released, spends, worth = [], [], np.zeros(baskets.k)
    for level in range(1, levels + 1):
        if not len(made):
            break
        touched = min(len(made), comb(length, level))
        scale = (touched if moved is None else checks.integer(moved, "moved (counts)", 1)) / each
        noise = laplace(len(made), scale, largest, rng)
        noisy = _cut_counts(baskets, made, length, worth, rng) + noise
        released.append(ReleasedCandidates(made, exact_counts(baskets, made), noisy, noisy >= least))
        what = f"counts of {len(made)} candidates of {level}, baskets cut to {length}"
        spends.append(Spend(what, level, len(made), scale, each if moved is None else touched / scale, largest))
        if level == 1:
            worth = noisy
        made = candidates(made[noisy >= seeds], max_candidates)
    return MiningResult(baskets.labels, least, tuple(released), Ledger(tuple(spends)))


def laplace_apriori(
    data: Any,
    min_count: float,
    epsilon: float,
    rng: np.random.Generator,
    *,
    longest: int | None = None,
    levels: int = LEVELS,
    clip: float | None = None,
    max_candidates: int = MAX_CANDIDATES,
) -> MiningResult:
    """The same without cutting: noise for baskets of up to `longest` items (None: all k; longer ones are cut to it)."""
    baskets = baskets_of(data)
    bound = max(1, baskets.k) if longest is None else longest
    return smart_trunc(
        baskets, min_count, epsilon, rng, length=bound, levels=levels, clip=clip, max_candidates=max_candidates
    )


def _cut_counts(data: Baskets, made: Items, length: int, worth: np.ndarray, rng: np.random.Generator) -> Counts:
    """Counts of the candidates in baskets cut to `length` of those items that some candidate holds."""
    used, ranks = ranked(made, data.k)
    baskets = data.onto(used)
    # Before any noisy count is there, the items that stay are drawn at random.
    value = rng.random(len(baskets.codes)) if made.shape[1] == 1 else worth[used][baskets.codes]
    short = cut(baskets, length, value)
    if made.shape[1] == 1:
        return short.counts[ranks[:, 0]]
    if made.shape[1] == 2:
        return pair_counts(short)[ranks[:, 0], ranks[:, 1]]
    return few_supports(short.select(short.lengths >= made.shape[1]).bits(), ranks)
