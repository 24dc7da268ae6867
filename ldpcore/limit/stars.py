"""The columns from which the limit for sets is composed: stars, and what discloses.

A column is the probability of one report under every set. Under SULDP-joint a report that discloses D (i unmarked
items) has probability 0 under sets without D and lies within a factor E elsewhere. Of those columns we take, with a the
number of a set's marked items,

    stars (D = ∅):  E or 1 by whether the set meets a w-subset z of S, each side cut where a passes a threshold;
    disclosing:     E or 1 by whether a passes a threshold, or by whether the set holds a given subset of S.

PrivSet, uPrivSet, uSS and GRR are mixtures of such columns. By symmetry a column's orbit enters only through what it
says, in each layer a of sets, of one item v: how likely the report is (ν), how likely it is and concerns v, where v is
not held (out) and where it is (out + δ). A star concerns the items of z, a disclosing report those it discloses, and
the given subset of S.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ldpcore.subsets import log_binomials

Array = NDArray[np.float64]

SIZES = 24
"""How many w the search begins with."""
CUTS = 12
"""Thresholds tried on either side of a star that is taken in later."""
HELD = 6
"""Largest subset of S by which a disclosing column is split."""


@dataclass(frozen=True)
class Universe:
    """Sets of m among σ marked and τ other items; `law` (layers,): of a, the number of marked ones; `share` (layers,):
    the chance that such a set holds a given one of the marked items that are estimated.
    """

    sigma: int
    tau: int
    m: int
    growth: float
    """E = e^ε"""
    a: NDArray[np.int64]
    law: Array
    share: Array

    @property
    def b(self) -> NDArray[np.int64]:
        return self.m - self.a

    @property
    def largest(self) -> int:
        """w of the stars ends here: far above σ/m a star is met by nearly every set; 0 where one item is marked."""
        return min(self.sigma - 1, max(1, 6 * self.sigma // self.m)) if self.sigma > 1 else 0

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The w to begin with."""
        if not self.largest:
            return np.zeros(0, np.int64)
        return np.unique(np.round(np.geomspace(1, self.largest, SIZES)).astype(np.int64))

    def near(self, w: int) -> NDArray[np.int64]:
        """w and finer steps around it, down to its neighbours."""
        steps = np.unique(np.round(w * np.array([0.02, 0.05, 0.1])).astype(np.int64).clip(1))
        return np.unique(np.r_[w - steps, w, w + steps].clip(1, self.largest))


@dataclass(frozen=True)
class Concern:
    """Of an item of S, or of N: (n, layers)."""

    out: Array
    apart: Array
    """δ"""

    def at(self, rows: NDArray[np.integer]) -> "Concern":
        return Concern(self.out[rows], self.apart[rows])


@dataclass(frozen=True)
class Columns:
    """n orbits, scaled so that a random user sends each with probability 1."""

    mean: Array
    """ν (n, layers)"""
    inside: Concern
    outside: Concern

    def at(self, rows: NDArray[np.integer]) -> "Columns":
        return Columns(self.mean[rows], self.inside.at(rows), self.outside.at(rows))


def first(universe: Universe) -> tuple[Columns, NDArray[np.int64]]:
    """Stars with a threshold for the sets that meet them, and everything that discloses; w of each column (0: none)."""
    low, high = _sides(universe, universe.a)
    parts = [_stars(universe, int(w), np.ones_like(high[:1]), high) for w in universe.sizes]
    parts.append(_named(universe, 0, np.vstack([low, high])))
    sizes = [np.repeat(universe.sizes, len(high)), np.zeros(2 * len(high), np.int64)]
    for i in range(0, min(universe.m - int(universe.a[0]), universe.tau) + 1):
        layers = universe.a[universe.a <= universe.m - i]
        if i:
            parts.append(_named(universe, i, np.vstack(_sides(universe, layers))))
            sizes.append(np.zeros(2 * len(layers), np.int64))
        for r in range(1, min(int(layers[-1]), HELD, universe.sigma - 1) + 1):
            parts.append(_held(universe, i, r))
            sizes.append(np.zeros(1, np.int64))
    return joined(parts), np.concatenate(sizes)


def more(universe: Universe, w: int) -> Columns:
    """Stars of this size with a threshold on either side, in either direction, or two for the sets that miss them."""
    layers = universe.a
    if len(layers) > CUTS:
        layers = layers[np.unique(np.round(np.linspace(0, len(layers) - 1, CUTS)).astype(np.int64))]
    sides = np.vstack(_sides(universe, layers))
    miss, hit = np.repeat(sides, len(sides), axis=0), np.tile(sides, (len(sides), 1))
    if len(layers) == len(universe.a):
        low, high = np.triu_indices(len(layers))
        within = (universe.a >= layers[low, None]) & (universe.a <= layers[high, None])
        between = np.where(np.vstack([within, ~within]), universe.growth, 1.0)
        miss, hit = np.vstack([miss, between]), np.vstack([hit, np.full_like(between, universe.growth)])
    return _stars(universe, w, miss, hit)


def _sides(universe: Universe, thresholds: NDArray[np.int64]) -> tuple[Array, Array]:
    """(thresholds, layers): E below each, and E from each on."""
    from_ = universe.a[None] >= thresholds[:, None]
    return np.where(from_, 1.0, universe.growth), np.where(from_, universe.growth, 1.0)


def _stars(universe: Universe, w: int, miss: Array, hit: Array) -> Columns:
    a, sigma = universe.a, universe.sigma
    missing = np.exp(log_binomials(sigma - w, a) - log_binomials(sigma, a))
    # The others of z miss the set, where v is in z and not in the set; nothing of S is not where a = σ.
    alone = np.exp(log_binomials(sigma - w, a) - log_binomials(sigma - 1, np.minimum(a, sigma - 1)))
    mean = missing * miss + (1 - missing) * hit
    out, apart = w / sigma * (alone * miss + (1 - alone) * hit), w / sigma * alone * (hit - miss)
    return _scaled(universe, mean, (out, apart), (np.zeros_like(mean), np.zeros_like(mean)))


def _named(universe: Universe, i: int, values: Array) -> Columns:
    """Disclosing i items: `values` (n, layers) under the sets that hold them."""
    mean = _chance(universe.b, i) * values
    nothing = np.zeros_like(mean)
    return _scaled(universe, mean, (nothing, nothing), (nothing, _disclosed(mean, universe.b, i)))


def _held(universe: Universe, i: int, r: int) -> Columns:
    """Disclosing i items, E times likelier under the sets that hold r given marked ones too."""
    a, sigma = universe.a, universe.sigma
    extra = (universe.growth - 1) * np.exp(log_binomials(a, r) - log_binomials(sigma, r))
    named = _chance(universe.b, i)
    mean = (named * (1 + extra))[None]
    inside = (named * r / sigma)[None], _disclosed((named * extra)[None], a, r)
    return _scaled(universe, mean, inside, (np.zeros_like(mean), _disclosed(mean, universe.b, i)))


def _chance(held: NDArray[np.int64], i: int) -> Array:
    """Chance (layers,) that a set with this many items holds i given ones, up to a common factor."""
    return np.exp(log_binomials(held, i) - log_binomials(int(held.max()), i))


def _disclosed(mean: Array, held: NDArray[np.int64], i: int) -> Array:
    """Of reports that only sets with i given items send: those that concern a held item."""
    return mean * i / np.maximum(held, 1)


def _scaled(universe: Universe, mean: Array, inside: tuple[Array, Array], outside: tuple[Array, Array]) -> Columns:
    chance = (mean @ universe.law)[:, None]
    return Columns(mean / chance, *(Concern(out / chance, apart / chance) for out, apart in (inside, outside)))


def joined(parts: list[Columns]) -> Columns:
    def whole(concerns: list[Concern]) -> Concern:
        return Concern(np.vstack([c.out for c in concerns]), np.vstack([c.apart for c in concerns]))

    return Columns(
        np.vstack([part.mean for part in parts]),
        whole([part.inside for part in parts]),
        whole([part.outside for part in parts]),
    )
