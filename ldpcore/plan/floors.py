"""What nobody can do better, as a plan: for a mean and for sets; for one share it is `plan.limit`.

Certified alone: where no bound is proven there is no plan (None). Of sets a bound is proven for the worst data alone,
and of the share of one range under a curator's noise none is (theory/limits).
"""

import math
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore import limit as limits

from .solve import Plan, quantile

Vector = NDArray[np.float64]

GROUPS = 8
"""Groups of people in the limit's program for these numbers: more raise it a little, and take long."""
WORST = (5, 9)
"""Evenly spread numbers on which the worst data are sought: fewer are worse at a small ε, more at a large one."""
INSIDE = 1e-9
"""From the end of a marked interval to a number that is surely in it."""


def means_limit(
    promise: str,
    low: Any = (),
    *,
    confidence: float = 0.95,
    x: ArrayLike | None = None,
    counts: ArrayLike | None = None,
) -> Plan | None:
    """What no mean of numbers in [-1, 1] undercuts that is unbiased at every number (`limit.best_mean`), under "LDP",
    or "ULDP" with the intervals `low` not sensitive; None where nothing is sensitive.

    x (n,): the people's numbers, None for the worst, which err at least as those that are spread evenly over what is
    sensitive, or over what is not; counts (n,): how many people have each of them. Of numbers their groups are taken,
    whose averaged rows keep the promise and are unbiased at their mean, less what they differ inside: a little below
    the limit itself.

    >>> from ldpcore import plan
    >>> least = means_limit("LDP")
    >>> least.people(epsilon=1.0, within=0.05) < plan.means("HM").people(epsilon=1.0, within=0.05)
    True
    >>> print(means_limit("ULDP", [(-1.0, 1.0)]))
    None
    """
    if promise not in ("LDP", "ULDP"):
        raise ValueError(f'promise is "LDP" or "ULDP", got {promise!r}')
    unmarked = checks.intervals(low) if promise == "ULDP" else ()
    marked = _between(unmarked)
    if not marked:
        return None
    if x is None:
        groups = _worst(unmarked, marked)
    else:
        values = checks.scaled(x)
        weights = np.ones(len(values)) if counts is None else checks.masses(counts, len(values))
        groups = [_gathered(values, weights / weights.sum(), unmarked, marked)]

    @cache
    def alone(epsilon: float) -> float:
        floors = [limits.best_mean(epsilon, at, share, kept).low - inner for at, share, kept, inner in groups]
        return quantile(confidence) * math.sqrt(max(0.0, *floors))

    return Plan("limit", alone, steps=False)


def _between(unmarked: Any) -> list[tuple[float, float]]:
    """What is sensitive of [-1, 1], just inside its ends."""
    edges = [-1.0, *(float(end) for pair in sorted(map(tuple, unmarked)) for end in pair), 1.0]
    pairs = zip(edges[::2], edges[1::2], strict=True)
    inset = [(a + INSIDE * (a > -1), b - INSIDE * (b < 1)) for a, b in pairs]
    return [(a, b) for a, b in inset if b > a]


Groups = tuple[Vector, Vector, NDArray[np.bool_], float]
"""Where people are, their shares, which are sensitive, and the variance inside groups."""


def _worst(unmarked: Any, marked: list[tuple[float, float]]) -> list[Groups]:
    groups = [(_spread(marked, size), np.full(size, 1 / size), np.ones(size, bool), 0.0) for size in WORST]
    if len(unmarked):
        size = WORST[0]
        inside, shares = groups[0][:2]
        at = np.concatenate([_spread(sorted((float(a), float(b)) for a, b in unmarked), size), inside])
        groups.append((at, np.concatenate([shares, 0 * shares]), np.repeat([False, True], size), 0.0))
    return groups


def _spread(marked: list[tuple[float, float]], size: int) -> Vector:
    """Evenly over all that is sensitive, its ends among them."""
    widths = np.array([b - a for a, b in marked])
    starts = np.concatenate([[0.0], np.cumsum(widths)[:-1]])
    at = np.linspace(0.0, widths.sum(), size)
    where = np.clip(np.searchsorted(starts, at, side="right") - 1, 0, len(marked) - 1)
    return np.array([a for a, _ in marked])[where] + np.minimum(at - starts[where], widths[where])


def _gathered(x: Vector, shares: Vector, unmarked: Any, marked: list[tuple[float, float]]) -> Groups:
    """Groups' means, with the ends of what is sensitive."""
    open_ = np.zeros(len(x), bool)
    for first, last in unmarked:
        open_ |= (x >= first) & (x <= last)
    cell = np.clip(((x + 1) / 2 * GROUPS).astype(int), 0, GROUPS - 1)
    # No end of a mark within a group: what is between two of them is one by itself.
    part = np.searchsorted(np.sort([end for pair in unmarked for end in pair]), x)
    _, group = np.unique(np.stack([cell, part, open_]), axis=1, return_inverse=True)
    mass = np.bincount(group, shares)
    centre = np.bincount(group, shares * x) / np.where(mass > 0, mass, 1.0)
    inner = float(shares @ (x - centre[group]) ** 2)
    kept = np.bincount(group, open_) == 0
    there = mass > 0
    ends = np.array([marked[0][0], marked[-1][1]])
    return (
        np.concatenate([centre[there], ends]),
        np.concatenate([mass[there], [0.0, 0.0]]),
        np.concatenate([kept[there], [True, True]]),
        inner,
    )


def sets_limit(promise: str, k: int, m: int, marked: int = 0, *, confidence: float = 0.95) -> Plan | None:
    """What no shares of holders undercut that are unbiased for all sets of m of k items, of the worst item, on the
    worst data; None where no bound is proven: a promise that is no bound on the whole report, or too few items of it.

    Under "LDP" n·Σ Var ≥ m(1 − m/k)(k − 1)·4E/(E − 1)² + m²/k − m at uniform sets (theory/limits#sets); under
    "SULDP-joint" whoever holds protected items alone, `marked` of them, is under LDP among those.

    >>> from ldpcore import plan
    >>> least = sets_limit("LDP", k=64, m=4)
    >>> least.people(1.0, 0.01) <= plan.sets("PrivSet", 64, 4).people(1.0, 0.01)
    True
    >>> print(sets_limit("SULDP-joint", k=64, m=4, marked=2))
    None
    """
    checks.domain_size(k)
    checks.integer(marked, "marked (sensitive items)", 0, k)
    checks.integer(m, "m (items per set)", 1)
    size = {"LDP": k, "SULDP-joint": marked}.get(promise, 0)
    if size <= m:
        return None

    def alone(epsilon: float) -> float:
        noise = m * (1 - m / size) * (size - 1) / math.sinh(epsilon / 2) ** 2
        return quantile(confidence) * math.sqrt(max(0.0, noise + m**2 / size - m) / size)

    return Plan("limit", alone, steps=False)
