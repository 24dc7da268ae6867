"""The least error for sets under SULDP-joint: of the channels made of stars, certified (limits-and-repairs.md §8).

Everyone holds m codes, σ' of all codes marked (S: the marks, and the dummies that pad short sets), τ not (N). An
estimate is unbiased at every set. The channel treats the codes of S alike and those of N alike, so it is described by
layers a = |s∩S|, and the error of an item v is that of a linear problem: a report y concerns v or does not (stars.py),
T_v takes a value for either, and of all T with E[T | s] = 1 where v ∈ s and 0 elsewhere, in every layer, the best has

    n·Var = hᵀ M⁻¹ h − f,    M = Σ_y Σ_i g_yi g_yiᵀ / Pr[y, i],    g_yi = Pr[y, i | a, v held or not],

f the mean share of the items and Pr[y, i] that of the people, so an item may be rarer than a dummy. With sets uniform
in each layer it is the limit of all channels made of stars, else the minimax over data with the same layers. With m = 1
it is the limit under ULDP, where those columns are all that matter. For larger m other columns may help a little: of 21
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
from .stars import Columns, Concern, Universe

Array = NDArray[np.float64]

EMPTY = 1e-9
"""A layer where nobody is gets this share of the people: an estimate is unbiased there too."""
NEVER = 1e-12
"""Chance below which a report does not concern an item."""
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
    real: ArrayLike | None = None,
) -> SetLimit:
    """The least error of unbiased shares of holders, from one report about a set of m items.

    k items, `marked` of them sensitive, `dummies` codes that pad short sets (sensitive, never estimated);
    law (m + 1,): shares of the people by how many sensitive codes they hold (None: uniform sets);
    real (m + 1,): how many of these codes are items and not dummies, on average (None: as in uniform sets);
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
    if sigma == 0:
        return SetLimit(0.0, nan, 0.0, 0.0)
    a, shares = _layers(sigma, tau, m, law)
    universe = Universe(sigma, tau, m, growth, a, shares, _share(marked, dummies, m, a, real))
    on_marked, on_other = WEIGHTS[weight]
    if (weight == "sensitive" and not marked) or (weight == "other" and not tau):
        return SetLimit(nan, nan, nan, 0.0)
    columns, found = _solve(universe, on_marked * marked, on_other * tau)
    inside = _marked(universe, columns).error(universe.law, found.weights) if on_marked and marked else nan
    outside = _other(universe, columns).error(universe.law, found.weights) if on_other and tau else nan
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


def _share(marked: int, dummies: int, m: int, a: NDArray[np.int64], real: ArrayLike | None) -> Array:
    """Chance (layers,) that a set holds a given marked item."""
    if real is None:
        return a / (marked + dummies)
    items = np.asarray(real, float)
    most = np.arange(m + 1)
    if items.shape != (m + 1,) or not np.all((items >= 0) & (items <= np.minimum(most, marked) + 1e-9)):
        raise ValueError(f"real must say of {m + 1} kinds of sets how many of 0 to {m} codes are items, got {real!r}")
    return items[a] / max(marked, 1)


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
        answers = [block.answer(found.weights) for block in blocks]
        parts, part_sizes, missed = [columns], [sizes], 0.0
        for w, wider in pool.items():
            there = _blocks(universe, wider, on_marked, on_other)
            gain = sum(block.gain(answer) for block, answer in zip(there, answers, strict=True))
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
    """What an estimate of an item of S, or of N, needs: to tell sets with it from those without, layer by layer."""

    items: int
    held: Array
    """(layers,) a, or b"""
    share: Array
    """(layers,) chance that a set of this layer holds one of the estimated items"""
    concern: Concern
    mean: Array
    """ν (n, layers)"""

    def block(self, law: Array, cost: float) -> Block:
        """Two ways: the report concerns the item, or not. Rows: the layer's average, and with the item less without."""
        part, out, apart = self.held / self.items, self.concern.out, self.concern.apart
        level = out + part * apart
        both = np.flatnonzero((part > 0) & (part < 1))
        concerned = (out + self.share * apart) @ law
        vectors = np.stack(
            [np.hstack([level, apart[:, both]]), np.hstack([self.mean - level, -apart[:, both]])],
            axis=1,
        )
        chance = np.stack([concerned, 1 - concerned], axis=1)
        # A way that never happens has no vector either.
        vectors = np.where(chance[:, :, None] > NEVER, vectors, 0.0) / np.sqrt(np.maximum(chance, NEVER))[:, :, None]
        return Block(cost, np.concatenate([part, np.ones(len(both))]), vectors)

    def error(self, law: Array, weights: Array) -> float:
        """n·Var per item, never below 0: at large ε what is left is a difference of nearly equal numbers."""
        return max(0.0, self.block(law, 1.0).value(weights) - float(self.share @ law))


def _marked(universe: Universe, columns: Columns) -> _Side:
    return _Side(universe.sigma, universe.a.astype(float), universe.share, columns.inside, columns.mean)


def _other(universe: Universe, columns: Columns) -> _Side:
    held = universe.b.astype(float)
    return _Side(universe.tau, held, held / max(universe.tau, 1), columns.outside, columns.mean)


def _blocks(universe: Universe, columns: Columns, on_marked: float, on_other: float) -> list[Block]:
    marked = [_marked(universe, columns).block(universe.law, on_marked)] if on_marked else []
    other = [_other(universe, columns).block(universe.law, on_other)] if on_other and universe.tau else []
    return marked + other
