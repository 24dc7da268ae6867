"""DFDP (Liao and Feng 2017): candidates from the true counts, every candidate's count with Laplace noise of scale 1/s.

Not private, whatever s is: which sets are candidates, and when the search stops, is read off the data (candidates.py).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ldpcore.baskets import Baskets
from ldpcore.itemsets.candidates_by_length import MAX_CANDIDATES, Level, explore
from ldpcore.itemsets.counting import Tick, silent
from ldpcore.itemsets.given import baskets_of, threshold
from ldpcore.itemsets.ledger import Ledger, Spend, budget, laplace, limit
from ldpcore.itemsets.mined import MiningResult, ReleasedCandidates

LEAK = "which sets are candidates, and when the search stops, follow from the true counts"


def perturbed(
    data: Baskets,
    min_count: int,
    max_length: int | None = None,
    most: int = MAX_CANDIDATES,
    tick: Tick = silent,
) -> tuple[Level, ...]:
    """The levels to which DFDP adds noise: all up to the last that holds a truly frequent set, and always the first."""
    levels = tuple(explore(data, min_count, max_length, most, tick))
    deep = sum(bool(np.any(level.counts >= min_count)) for level in levels)
    return levels[: max(deep, 1)]


def candidate_count(levels: Sequence[Level]) -> int:
    """|∪C_k|: how many counts get noise. For a total ε as DFDP counts it, s = ε / this number."""
    return sum(len(level.items) for level in levels)


def dfdp(
    data: Any,
    min_count: float,
    s: float,
    rng: np.random.Generator,
    *,
    clip: float | None = None,
    max_length: int | None = None,
    max_candidates: int = MAX_CANDIDATES,
    levels: Sequence[Level] | None = None,
) -> MiningResult:
    """Noisy frequent sets at s per count; `clip` limits the noise as the paper's experiment does (10).

    `levels` from `perturbed` spares counting them again. `ledger.total` = |∪C_k|·s, as the paper counts.
    """
    baskets = baskets_of(data)
    least, each, largest = threshold(min_count, baskets.n), budget(s, "s (the budget of one count)"), limit(clip)
    released, spends = [], []
    for level in perturbed(baskets, least, max_length, max_candidates) if levels is None else levels:
        noisy = level.counts + laplace(len(level.counts), 1 / each, largest, rng)
        released.append(ReleasedCandidates(level.items, level.counts, noisy, noisy >= least))
        what = f"counts of {len(noisy)} candidates of {level.length}"
        spends.append(Spend(what, level.length, len(noisy), 1 / each, len(noisy) * each, largest))
    return MiningResult(baskets.labels, least, tuple(released), Ledger(tuple(spends), LEAK))
