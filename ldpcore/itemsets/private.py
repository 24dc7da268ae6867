"""The private miner: candidates from noisy counts, capped baskets, and a posterior where the noise is large.

A noisy histogram says what capping loses (theory/itemsets#capped). One basket moves each level's counts by at most the
cap in all and one bin of its histogram by one: baskets that hold no candidate are in no bin. Candidates and how deep it
looks follow from noisy numbers alone, and caps and shares are fixed beforehand: the whole release is ε-differentially
private for neighbours that differ in one whole basket, removed or emptied. n is public.
"""

from collections.abc import Sequence
from math import ceil, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldpcore.baskets import Baskets, Counts
from ldpcore.estimators.consistency import norm_sub
from ldpcore.itemsets.candidates_by_length import MAX_CANDIDATES, candidates, check_length
from ldpcore.itemsets.capped import capped_counts
from ldpcore.itemsets.counting import Items
from ldpcore.itemsets.given import baskets_of, threshold
from ldpcore.itemsets.ledger import Ledger, Spend, budget, laplace
from ldpcore.itemsets.mined import MiningResult, ReleasedCandidates

CAPS, SHARES = (3.0, 6.0, 2.0), (0.2, 0.6, 0.2)
DEEPER = ((12.0, 12.0, 8.0, 5.0), (0.28, 0.24, 0.14, 0.14))
"""Caps and shares behind the first level, where single items let independence expect frequent sets of LONG items."""
LONG = 4
LENGTHS = 0.05
"""Share of each level's ε for what capping leaves of the counts."""
REACH = 12
"""A basket's candidates are counted there up to so many times the cap."""
SINGLY = 12
"""Up to so many candidates each number has a bin of its own; then each begins half as far again. Fewer bins leave
less noise where nobody is, which would look like long baskets.
"""
Vector = NDArray[np.float64]


def private(
    data: Any,
    min_count: float,
    epsilon: float,
    rng: np.random.Generator,
    *,
    caps: Sequence[float] | None = None,
    shares: Sequence[float] | None = None,
    max_length: int | None = None,
    max_candidates: int = MAX_CANDIDATES,
) -> MiningResult:
    """Noisy frequent sets of up to len(caps) items at a total ε: `caps` are what a basket adds to each level at most.

    `shares` split ε among the levels. Where neither is given they are CAPS and SHARES, or behind the first level DEEPER
    where its noisy counts let longer sets be expected. Published are corrected counts; of pairs, posterior means.
    """
    baskets = baskets_of(data)
    least, total, longest = threshold(min_count, baskets.n), budget(epsilon), check_length(max_length)
    levels = declared(CAPS if caps is None else caps, SHARES if shares is None else shares)
    made = np.arange(baskets.k, dtype=np.int32)[:, None]
    released: list[ReleasedCandidates] = []
    spends: list[Spend] = []
    single = np.zeros(baskets.k)
    length = 0
    while length < min(len(levels), longest) and len(made):
        (cap, share), length = levels[length], length + 1
        each = total * share
        noisy, sd, counts, spent = _level(baskets, made, cap, each, rng)
        if length == 1:
            single = noisy[:]
            if caps is None and shares is None and expected_length(noisy - sd, least, baskets.n) >= LONG:
                levels = [levels[0], *zip(*DEEPER, strict=True)]
        elif length == 2:
            noisy = posterior(noisy, sd, single[made[:, 0]] * single[made[:, 1]] / baskets.n)
        # Beyond pairs the noise of hundreds of candidates would bring in false ones: they need one standard deviation.
        kept = noisy >= least + (sd if length > 2 else 0.0)
        released.append(ReleasedCandidates(made, counts, noisy, kept))
        spends.extend(spent)
        made = candidates(made[kept], max_candidates)
    return MiningResult(baskets.labels, least, tuple(released), Ledger(tuple(spends)))


def expected_length(counts: Vector, least: int, n: int) -> int:
    """How many items the longest frequent set would have if items were independent: those with the highest counts.

    >>> expected_length(np.array([90.0, 80, 70, 10]), 40, 100), expected_length(np.array([30.0, 20, 20]), 10, 100)
    (3, 1)
    """
    together = n * np.cumprod(np.sort(np.clip(counts, 0, n) / n)[::-1])
    return int(np.count_nonzero(together >= least))


def declared(caps: Sequence[float], shares: Sequence[float]) -> list[tuple[float, float]]:
    """What must be fixed beforehand, checked: the cap and the share of each level."""
    if not len(caps) or len(caps) != len(shares):
        raise ValueError(f"caps and shares need one entry for each level, got {len(caps)} and {len(shares)}")
    if min(caps) <= 0 or min(shares) <= 0 or abs(sum(shares) - 1) > 1e-9:
        raise ValueError(f"caps and shares must be positive, and shares sum to 1; got {list(caps)} and {list(shares)}")
    return list(zip(caps, shares, strict=True))


def _level(
    data: Baskets, made: Items, cap: float, epsilon: float, rng: np.random.Generator
) -> tuple[Vector, float, Counts, tuple[Spend, Spend]]:
    """Corrected noisy counts of these candidates, the standard deviation of their noise, the true counts (for the
    analyst), and what it costs.
    """
    length, first = made.shape[1], epsilon * LENGTHS
    rest = epsilon - first
    capped, counts, inside = capped_counts(data, made, cap)
    noisy = capped + laplace(len(made), cap / rest, None, rng)
    sizes, law = _held(inside, max(1, int(min(REACH * cap, len(made)))), first, rng)
    # Capping leaves this share of all counts: what was counted is divided by it.
    whole = float(sizes @ law)
    share = float(np.minimum(sizes, cap) @ law) / whole if whole > 0 else 1.0
    what = f"{len(made)} candidates of {length}"
    return (
        noisy / share,
        sqrt(2) * cap / rest / share,
        counts,
        (
            Spend(f"how many of {what} a basket holds", length, len(sizes), 1 / first, first, None, 1.0),
            Spend(f"counts of {what}, at most {cap:g} per basket", length, len(made), cap / rest, rest, None, cap),
        ),
    )


def _held(inside: Counts, most: int, epsilon: float, rng: np.random.Generator) -> tuple[Vector, Vector]:
    """How many candidates a basket holds, 1 to `most` and more as one, and what share of all baskets holds so many.

    The nearest shares to a noisy histogram that are not negative and have its own sum, at most 1: what is known of them
    takes most of the noise away. Baskets that hold none are not counted: an emptied one would be in a bin before and
    after, and move two.
    """
    starts = _starts(most)
    ends = np.append(starts[1:] - 1, most)
    counts = np.bincount(np.searchsorted(starts, inside, side="right"), minlength=len(starts) + 1)[1:]
    noisy = counts + laplace(len(starts), 1 / epsilon, None, rng)
    share = min(float(noisy.sum()) / len(inside), 1.0)
    law = share * norm_sub(noisy / len(inside) / share) if share > 0 else np.zeros(len(starts))
    return (starts + ends) / 2, law


def _starts(most: int) -> Counts:
    """Where the bins begin, the last one at `most`.

    >>> _starts(24).tolist()
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 18, 24]
    """
    starts = list(range(1, min(SINGLY, most) + 1))
    while starts[-1] < most:
        starts.append(min(most, ceil(1.5 * starts[-1])))
    return np.array(starts)


def posterior(noisy: Vector, sd: float, independent: Vector) -> Vector:
    """Noisy pair counts pulled towards what independent items would give, times their common lift, at least 0.3.

    The prior's standard deviation is 0.4 of its mean: post = pred + t²/(t² + sd²)(noisy − pred), t² = (0.4·pred)² + 1.
    """
    lift = max(0.3, float(noisy.sum() / max(independent.sum(), 1e-12)))
    guess = lift * np.maximum(independent, 0.0)
    spread = (0.4 * guess) ** 2 + 1
    return guess + spread / (spread + sd**2) * (noisy - guess)
