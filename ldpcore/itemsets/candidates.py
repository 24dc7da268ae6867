"""The candidate leak: a set that DFDP may publish for these baskets, and cannot for the same baskets without one.

A truly frequent Y held by exactly min_count baskets makes candidates; without one of its baskets it makes none. Each
candidate Z ⊃ Y is then published with probability p = Pr[count(Z) + noise ≥ min_count] > 0 or exactly 0, and no finite
ε allows that (theory/itemsets#leak-of-candidates). As count(Z) ≤ min_count, p ≤ ½; one of several: 1 − Π(1 − p_i).
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore import checks
from ldpcore.baskets import Baskets
from ldpcore.itemsets.candidates_by_length import Level, found, keys
from ldpcore.itemsets.dfdp import perturbed
from ldpcore.itemsets.given import baskets_of, threshold
from ldpcore.itemsets.ledger import at_least, budget, limit
from ldpcore.itemsets.mined import names

TRIES = 20


@dataclass(frozen=True, eq=False)
class CandidateLeak:
    """Two data sets that differ in one basket, and what DFDP can publish for the first alone."""

    before: Baskets
    after: Baskets
    removed: tuple[Hashable, ...]
    """The basket that only `before` has."""
    taken: int
    """How many baskets were taken out of the loaded data to make `before`; 0: it is the loaded data."""
    hinge: tuple[Hashable, ...]
    """Y, held by exactly min_count baskets of `before`."""
    witnesses: pd.DataFrame
    """itemset, count (in `before`), p; the likeliest first."""

    @property
    def p(self) -> float:
        """The chance that the likeliest witness is published; 0 without that one basket."""
        return float(self.witnesses["p"].iloc[0])

    @property
    def any(self) -> float:
        """The chance that at least one of them is: 1 − Π(1 − p_i)."""
        return float(-np.expm1(np.log1p(-self.witnesses["p"].to_numpy()).sum()))


def leak(
    data: object,
    min_count: float,
    s: float,
    *,
    clip: float | None = None,
    taken: int | None = None,
    levels: Sequence[Level] | None = None,
) -> CandidateLeak:
    """The neighbours with the likeliest witness, after at most `taken` baskets (None: 1 % of them) were left out first.

    ValueError where there is none. `levels` from `perturbed` spare a search.
    """
    baskets = baskets_of(data)
    least, scale, largest = threshold(min_count, baskets.n), 1 / budget(s, "s (the budget of one count)"), limit(clip)
    most = baskets.n // 100 if taken is None else checks.integer(taken, "taken (baskets left out first)", 0)
    searched = perturbed(baskets, least) if levels is None else tuple(levels)
    for hinge in _hinges(searched, least, most)[:TRIES]:
        made = _at(baskets, searched, hinge, least, scale, largest)
        if made is not None:
            return made
    raise ValueError(
        f"no neighbours show the candidates' leak at min_count = {least} with at most {most} baskets left out: no set "
        "held so often makes a candidate that the noise can lift; choose another min_count, or a larger taken"
    )


@dataclass(frozen=True)
class _Hinge:
    """A frequent set Y (a row of a level) and the candidate Z of the next level that contains it, by row."""

    gap: int  # what Z lacks of min_count once Y is down to it
    excess: int  # baskets of Y above min_count
    place: int
    row: int
    child: int


def _hinges(levels: Sequence[Level], least: int, most: int) -> list[_Hinge]:
    """Every Y within reach with its commonest Z, the likeliest first."""
    out: list[_Hinge] = []
    for place, (level, after) in enumerate(pairwise(levels)):
        reach = np.flatnonzero((level.counts >= least) & (level.counts <= least + most))
        base = int(max(level.items.max(), after.items.max())) + 1
        codes = keys(level.items[reach], base)
        order = np.argsort(codes)
        common = np.argsort(-after.counts, kind="stable")
        first: dict[int, int] = {}
        for dropped in range(after.length):
            wanted = keys(np.delete(after.items[common], dropped, axis=1), base)
            inside = np.flatnonzero(found(wanted, codes[order]))
            for child, at in zip(inside, order[np.searchsorted(codes[order], wanted[inside])], strict=True):
                first[int(at)] = min(first.get(int(at), int(child)), int(child))
        for at, child in first.items():
            count, row = int(after.counts[common[child]]), int(reach[at])
            out.append(_Hinge(max(0, least - count), int(level.counts[row]) - least, place, row, int(common[child])))
    return sorted(out, key=lambda hinge: (hinge.gap, hinge.excess))


def _at(
    data: Baskets, levels: Sequence[Level], hinge: _Hinge, least: int, scale: float, clip: float | None
) -> CandidateLeak | None:
    """The neighbours that hinge on this set; None where its candidates get no noise, or not enough."""
    items, child = levels[hinge.place].items[hinge.row], levels[hinge.place + 1].items[hinge.child]
    before, left = data, levels
    if hinge.excess:
        # Baskets with Y and without Z go first, so that Z stays as frequent as it can.
        holders = np.flatnonzero(_holds(data, items))
        keep = np.ones(data.n, bool)
        keep[holders[np.argsort(_holds(data, child)[holders], kind="stable")][: hinge.excess]] = False
        before = data.select(keep)
        left = perturbed(before, least)
    if hinge.place + 1 >= len(left):
        return None
    level = left[hinge.place + 1]
    mine = np.isin(level.items, items).sum(axis=1) == len(items)
    p = at_least(least - level.counts[mine].astype(float), scale, clip)
    order = np.argsort(-p, kind="stable")[: int(np.count_nonzero(p > 0))]
    if not len(order):
        return None
    witnesses = pd.DataFrame({"count": level.counts[mine][order], "p": p[order]})
    witnesses.insert(0, "itemset", pd.Series(names(data.labels, level.items[mine][order]), dtype=object))
    last = int(np.flatnonzero(_holds(before, items))[-1])
    return CandidateLeak(
        before,
        before.select(np.arange(before.n) != last),
        tuple(data.labels[code] for code in before.codes[before.starts[last] : before.starts[last + 1]]),
        hinge.excess,
        tuple(data.labels[code] for code in items),
        witnesses,
    )


def _holds(data: Baskets, items: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Which baskets hold all of these items: (n,)."""
    inside = np.isin(data.codes, items)
    return np.bincount(data.people[inside], minlength=data.n) == len(items)
