"""PrivBasis (Li, Qardaji, Su, Cao 2012): a few items chosen privately, all their combinations counted at once.

Adapted to a threshold: how many items and pairs are chosen is declared beforehand (the paper spends a tenth of ε on
choosing it), and a set is published when its noisy count and those of its subsets reach min_count.
"""

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldpcore import checks
from ldpcore.baskets import Baskets
from ldpcore.itemsets.bases import WIDEST, Group, covering
from ldpcore.itemsets.candidates_by_length import check_length, closed
from ldpcore.itemsets.counting import pair_counts
from ldpcore.itemsets.given import baskets_of, threshold
from ldpcore.itemsets.ledger import Ledger, Spend, budget, laplace
from ldpcore.itemsets.mined import MiningResult, ReleasedCandidates, exact_counts

Vector = NDArray[np.float64]
ITEMS, PAIRS, CHOICE = 12, 12, 0.4


def privbasis(
    data: Any,
    min_count: float,
    epsilon: float,
    rng: np.random.Generator,
    *,
    items: int = ITEMS,
    pairs: int = PAIRS,
    choice: float = CHOICE,
    max_length: int | None = None,
) -> MiningResult:
    """Noisy frequent sets among so many items and pairs, chosen with the share `choice` of ε; the rest is for counts.

    One basket falls into one bin of each of the w groups, so every bin has noise of scale w/(the rest).
    """
    baskets = baskets_of(data)
    least, total = threshold(min_count, baskets.n), budget(epsilon)
    chosen = min(checks.integer(items, "items (how many are chosen)", 1), baskets.k)
    wanted = checks.integer(pairs, "pairs (how many are chosen)", 0) if chosen > WIDEST else 0
    wanted = min(wanted, chosen * (chosen - 1) // 2)
    if not 0 < choice < 1:
        raise ValueError(f"choice, the share of ε for choosing items and pairs, lies between 0 and 1, got {choice:g}")
    each = total * choice / (chosen + wanted)
    picked = np.sort(_top(baskets.counts, chosen, each, rng)).astype(np.int32)
    restricted = baskets.onto(picked)
    a, b = np.triu_indices(chosen, 1)
    edges = _top(pair_counts(restricted)[a, b], wanted, each, rng) if wanted else np.zeros(0, np.intp)
    groups = covering(chosen, list(zip(a[edges].tolist(), b[edges].tolist(), strict=True)))
    rest = total * (1 - choice)
    counts = combined(restricted, groups, len(groups) / rest, rng)
    bins = sum(2 ** len(group) for group in groups)
    ledger = Ledger(
        (
            Spend(f"which {chosen} items and {wanted} pairs", 1, chosen + wanted, 0.0, total * choice),
            Spend(
                f"{bins} bins of {len(groups)} groups of items", 1, bins, len(groups) / rest, rest, None, len(groups)
            ),
        )
    )
    return MiningResult(
        baskets.labels, least, _released(baskets, picked, counts, least, check_length(max_length)), ledger
    )


def _top(counts: NDArray[np.integer], many: int, epsilon: float, rng: np.random.Generator) -> NDArray[np.intp]:
    """So many by the exponential mechanism without replacement, ε each: the largest of ε·count + Gumbel noise.

    A basket more raises counts only, so e^(ε·count) needs no factor ½.
    """
    return np.argsort(-(epsilon * counts + rng.gumbel(size=len(counts))), kind="stable")[:many]


def combined(
    data: Baskets, groups: list[Group], scale: float, rng: np.random.Generator
) -> dict[tuple[int, ...], float]:
    """The noisy count of every combination within a group; in several groups, weighted by their precision."""
    sums: dict[tuple[int, ...], list[float]] = {}
    rows, columns = data.people, data.codes
    for group in groups:
        members = sorted(group)
        place = np.full(data.k, -1)
        place[members] = np.arange(len(members))
        inside = place[columns] >= 0
        pattern = np.bincount(rows[inside], weights=2.0 ** place[columns[inside]], minlength=data.n).astype(np.intp)
        bins = np.bincount(pattern, minlength=1 << len(members))
        bins[0] = 0  # who holds none of them is in no bin, or an emptied basket would move two; no set is above it
        above = bins + laplace(len(bins), scale, None, rng)
        for bit in range(len(members)):  # from bins to sums over all bins that hold a set
            cube = above.reshape(-1, 2, 1 << bit)
            cube[:, 0] += cube[:, 1]
        for size in range(1, len(members) + 1):
            precision = 2.0 ** (size - len(members))
            for some in combinations(range(len(members)), size):
                entry = sums.setdefault(tuple(members[i] for i in some), [0.0, 0.0])
                entry[0] += precision * float(above[sum(1 << i for i in some)])
                entry[1] += precision
    return {key: total / precision for key, (total, precision) in sums.items()}


def _released(
    data: Baskets, picked: NDArray[np.int32], counts: dict[tuple[int, ...], float], least: int, longest: int
) -> tuple[ReleasedCandidates, ...]:
    levels: list[ReleasedCandidates] = []
    for length in range(1, min(longest, max(map(len, counts))) + 1):
        keys = sorted(key for key in counts if len(key) == length)
        if not keys or (levels and not levels[-1].kept.any()):
            break
        items, noisy = picked[np.array(keys, np.intp)], np.array([counts[key] for key in keys])
        kept = noisy >= least
        if levels:
            below = levels[-1]
            kept &= closed(items, below.items[below.kept], every=True)
        levels.append(ReleasedCandidates(items, exact_counts(data, items), noisy, kept))
    return tuple(levels)
