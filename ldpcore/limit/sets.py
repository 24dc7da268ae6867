"""The least error for sets under SULDP-joint: of the channels made of stars, certified (limits-and-repairs.md §8).

Everyone holds m of k items, σ' of them marked (S: the marks, and the codes that pad short sets), τ not (N). An estimate
is unbiased at every set. By symmetry (sets with equally many marked items equally likely; else the minimax over all
data with the same law of a) the information of a channel splits into blocks over the layers a = |s∩S|: what tells the
items of S apart, those of N, and a itself:

    Σ_S n·Var = (σ'−1)² κ_SᵀM_S⁻¹κ_S + aᵀM⁻¹a/σ' − E[a],   Σ_N n·Var = (τ−1)² κ_NᵀM_N⁻¹κ_N + bᵀM⁻¹b/τ − E[b],

b = m − a, κ_S = a(σ'−a)/(σ'(σ'−1)), κ_N likewise; M_S, M_N, M = Σ W δδᵀ/p with δ_S, δ_N, ν of stars.py. With m = 1 it
is the limit under ULDP, where those columns are all that matter. For larger m other columns may help a little: of 21
domains small enough to enumerate all columns, 20 agreed to six digits, and one had a channel 0.14 % better.
"""

from dataclasses import dataclass, replace
from math import exp, nan

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.subsets import log_binomials

from . import stars
from .blocks import Block, Solution, minimise
from .stars import Columns, Universe

Array = NDArray[np.float64]

EMPTY = 1e-9
"""A layer where nobody is gets this share of the people: an estimate is unbiased there too."""
ENOUGH = 1e-5
"""Relative gap over all columns at which no more of them are taken in."""
MORE = 12
"""Columns taken in of each size at a time."""
USED = 1e-7
"""Weight above which a size counts as used, and finer steps around it are tried."""
ROUNDS = 8
MOST_ITEMS = 16
"""Above this m the program is slow and no longer solved to many digits."""
WEIGHTS = {"all": (1.0, 1.0), "sensitive": (1.0, 0.0), "other": (0.0, 1.0)}


@dataclass(frozen=True)
class SetLimit:
    """n·Var of the best channel made of stars; conditional on the data."""

    mse: float
    """Over all k items; nan unless their error was minimised, and so on."""
    sensitive: float
    """Per marked item; nan where there is none."""
    other: float
    """Per other item; nan where there is none."""
    gap: float
    """Certified: no channel made of stars has an objective below objective·(1 − gap)."""


def best_sets(
    k: int,
    marked: int,
    m: int,
    epsilon: float,
    law: ArrayLike | None = None,
    dummies: int = 0,
    weight: str = "all",
) -> SetLimit:
    """The least error of unbiased shares of holders, from one report about a set of m items.

    k items, `marked` of them sensitive, `dummies` codes that pad short sets (sensitive, never estimated);
    law (m + 1,): shares of the people by how many sensitive codes they hold (None: uniform sets);
    weight: whose error is minimised: "all", "sensitive" or "other". Raises ValueError or TypeError with a sentence.
    """
    growth = exp(checks.epsilon(epsilon))
    checks.domain_size(k)
    checks.integer(marked, "marked (sensitive items)", 0, k)
    checks.integer(dummies, "dummies (codes that pad short sets)", 0)
    checks.integer(m, "m (items per set)", 1, min(k + dummies, MOST_ITEMS))
    if weight not in WEIGHTS:
        raise ValueError(f"weight is one of {', '.join(WEIGHTS)}, got {weight!r}")
    sigma, tau = marked + dummies, k - marked
    universe = Universe(sigma, tau, m, growth, *_layers(sigma, tau, m, law))
    if sigma == 0:
        return SetLimit(0.0, nan, 0.0, 0.0)
    on_marked, on_other = WEIGHTS[weight]
    if (weight == "sensitive" and not marked) or (weight == "other" and not tau):
        return SetLimit(nan, nan, nan, 0.0)
    columns, found = _solve(universe, on_marked * marked / sigma, on_other)
    inside = _error(universe, _marked(universe, columns), found.weights) if on_marked and marked else nan
    outside = _error(universe, _other(universe, columns), found.weights) if on_other and tau else nan
    mean = float(np.nansum([inside * marked, outside * tau]) / k) if weight == "all" else nan
    return SetLimit(mean, inside, outside, found.gap)


def _layers(sigma: int, tau: int, m: int, law: ArrayLike | None) -> tuple[NDArray[np.int64], Array]:
    """The possible numbers of marked items, and the law of them."""
    a = np.arange(max(0, m - tau), min(m, sigma) + 1)
    if law is None:
        logs = log_binomials(sigma, a) + log_binomials(tau, m - a)
        shares = np.exp(logs - logs.max())
    else:
        given = np.asarray(law, float)
        if given.shape != (m + 1,) or not np.all(np.isfinite(given)) or given.min() < 0 or given.sum() <= 0:
            raise ValueError(f"law must be {m + 1} shares, of the people with 0 to m marked items, got {law!r}")
        if given.sum() - given[a].sum() > 1e-9 * given.sum():
            raise ValueError(f"law has people with fewer than {a[0]} or more than {a[-1]} marked items, which none has")
        shares = given[a]
    shares = np.maximum(shares / shares.sum(), EMPTY)
    return a, shares / shares.sum()


def _solve(universe: Universe, on_marked: float, on_other: float) -> tuple[Columns, Solution]:
    """The best weights, taking in more stars near those in use as long as one would lower the value."""
    columns, sizes = stars.first(universe)
    pool: dict[int, Columns] = {}
    for left in reversed(range(ROUNDS)):
        blocks = _blocks(universe, columns, on_marked, on_other)
        found = minimise(blocks, columns.mean, universe.law)
        used = np.unique(sizes[found.weights > USED])
        wanted = {int(v) for w in used if w for v in universe.near(w)}
        pool |= {w: stars.more(universe, w) for w in wanted - set(pool)}
        costs = [(block.cost, block.answer(found.weights)) for block in blocks]
        parts, part_sizes, missed = [columns], [sizes], 0.0
        for w, wider in pool.items():
            there = _blocks(universe, wider, on_marked, on_other)
            gain = sum(c * (block.vectors @ phi) ** 2 for block, (c, phi) in zip(there, costs, strict=True))
            reduced = (-gain - wider.mean @ found.multipliers) / found.value
            missed = max(missed, -float(reduced.min()))
            rows = np.argsort(reduced)[:MORE]
            rows = rows[reduced[rows] < -ENOUGH / 10]
            parts.append(wider.at(rows))
            part_sizes.append(np.full(len(rows), w))
        if missed < ENOUGH or not left:
            break
        columns, sizes = stars.joined(parts), np.concatenate(part_sizes)
    return columns, replace(found, gap=found.gap + missed)


@dataclass(frozen=True)
class _Side:
    """What an estimate of the items of S, or of N, needs: telling them apart, and how many of them a set has."""

    items: int
    held: Array
    """(layers,) a, or b"""
    apart: Array
    """δ (n, layers)"""
    mean: Array
    """ν (n, layers)"""

    def blocks(self, cost: float) -> list[Block]:
        out = [Block(cost / self.items, self.held, self.mean)]
        spread = self.held * (self.items - self.held) / (self.items * max(self.items - 1, 1))
        layers = np.flatnonzero(spread > 0)
        if len(layers):
            out.append(Block(cost * (self.items - 1) ** 2, spread[layers], self.apart[:, layers]))
        return out


def _marked(universe: Universe, columns: Columns) -> _Side:
    return _Side(universe.sigma, universe.a.astype(float), columns.inside, columns.mean)


def _other(universe: Universe, columns: Columns) -> _Side:
    return _Side(universe.tau, universe.b.astype(float), columns.outside, columns.mean)


def _blocks(universe: Universe, columns: Columns, on_marked: float, on_other: float) -> list[Block]:
    marked = _marked(universe, columns).blocks(on_marked) if on_marked else []
    other = _other(universe, columns).blocks(on_other) if on_other and universe.tau else []
    return marked + other


def _error(universe: Universe, side: _Side, weights: Array) -> float:
    """n·Var per item, never below 0: at large ε what is left is a difference of nearly equal numbers."""
    total = sum(block.value(weights) for block in side.blocks(1.0))
    return max(0.0, (total - float(side.held @ universe.law)) / side.items)
