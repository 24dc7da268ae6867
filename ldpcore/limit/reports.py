"""The reports from which channels for sets are composed, and the climb to better ones.

A column is the probability of one report under every set. Under SULDP-joint a report that discloses D (i items of N)
has probability 0 under sets without D and lies within a factor E elsewhere; columns with entries 1 and E suffice there.
Of those we take the ones that know a set by its layer and by how many items it has in each of two disjoint classes
z₁, z₂ of S (or of N \\ D, where nothing of S is estimated or N is small): any table of 1 and E over (layer, h₁, h₂).
PrivSet, uPrivSet, uSS and GRR are mixtures of such columns: E where h₁ ≥ 1. By symmetry a column's orbit enters only
through its mean in each layer, and the mean over the sets with an item less that over those without, by item's class.

The error falls with a column's weight by Σ c (q·x)²/(q·f), x the estimates' weights now: convex in q. So the table that
is best for its tangent is better still (or the same): `climb` repeats that until nothing changes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ldpcore.subsets import log_binomials

from .universe import Array, Ints, ItemKind, Universe

Tables = NDArray[np.bool_]
"""(n, cells): where the report has E."""
CLIMBS = 12


@dataclass(frozen=True)
class ReportColumns:
    """n columns, scaled to mean 1 under the reference law."""

    mean: Array
    """(n, layers)"""
    vectors: tuple[Array, ...]
    """By estimated side: (n, classes, layers + both), divided by the root of the report's probability."""
    shape: Ints
    """(n, 4) i, w₁, w₂, and whether the classes are of N"""

    def at(self, rows: NDArray[np.integer] | NDArray[np.bool_]) -> "ReportColumns":
        return ReportColumns(self.mean[rows], tuple(v[rows] for v in self.vectors), self.shape[rows])


def joined(parts: list[ReportColumns]) -> ReportColumns:
    vectors = tuple(np.concatenate(v) for v in zip(*(part.vectors for part in parts), strict=True))
    return ReportColumns(np.vstack([p.mean for p in parts]), vectors, np.vstack([p.shape for p in parts]))


@dataclass(frozen=True, eq=False)
class LayeredCells:
    """What a table tells apart: (cells,) each; `start` (layers,): each layer's first."""

    layer: Ints
    one: Ints
    """h₁"""
    two: Ints
    """h₂"""
    start: Ints
    open: bool
    """The classes are of N, not of S."""

    @cached_property
    def held(self) -> tuple[Array, Array | None]:
        """h₁ and h₂ as the numbers that chances are multiplied by; None for a class that nothing is in."""
        return self.one.astype(float), self.two.astype(float) if self.two.any() else None


def cells(universe: Universe, classes: int, among_open: bool) -> LayeredCells:
    """classes: 1 or 2; of N, or of S."""
    most = universe.b if among_open else universe.a
    rows = [
        (layer, one, two)
        for layer, number in enumerate(most)
        for one in range(number + 1)
        for two in range(number - one + 1 if classes == 2 else 1)
    ]
    layer, one, two = np.array(rows, np.int64).T
    return LayeredCells(layer, one, two, np.searchsorted(layer, np.arange(len(most))), among_open)


@dataclass(frozen=True, eq=False)
class Shapes:
    """n choices of i, w₁, w₂, one a row, over the same cells."""

    universe: Universe
    cells: LayeredCells
    shape: Ints
    """(n, 3)"""
    weight: Array
    """(n, cells) chance of the cell in its layer, among sets that hold D."""
    shown: Array
    """(n, layers) chance that a set holds D, up to a factor."""

    def at(self, rows: NDArray[np.integer]) -> "Shapes":
        return replace(self, shape=self.shape[rows], weight=self.weight[rows], shown=self.shown[rows])

    @cached_property
    def sizes(self) -> Array:
        """(n, 3) of z₁, z₂, and of what is in neither."""
        pool = self.universe.sizes[2] - self.shape[:, 0] if self.cells.open else self.universe.sizes[0]
        one, two = self.shape[:, 1], self.shape[:, 2]
        return np.stack([one, two, pool - one - two], axis=1).astype(float)

    @cached_property
    def drawn(self) -> Array:
        """(n, layers) items that a set with D has where the classes are."""
        u = self.universe
        if self.cells.open:
            return np.maximum(u.b - self.shape[:, :1], 0).astype(float)
        return np.tile(u.a.astype(float), (len(self.shape), 1))

    def beside(self, side: ItemKind) -> Array:
        """(n, layers) chance that a set with D holds a given item of the side that is not in D."""
        gone = self.shape[:, :1] if side is self.universe.other else 0
        return np.maximum(side.held - gone, 0) / np.maximum(side.size - gone, 1)

    def told_apart(self, side: ItemKind) -> bool:
        """Are the classes of this side?"""
        return (side is self.universe.other) == self.cells.open

    def shares(self, side: ItemKind) -> Array:
        """(n, classes) of the side's items: what is in no class, z₁, z₂ if they are of this side; of N then D."""
        gone = self.shape[:, :1] if side is self.universe.other else np.zeros((len(self.shape), 0))
        rest = self.sizes[:, [2, 0, 1]] if self.told_apart(side) else side.size - gone.sum(axis=1, keepdims=True)
        return np.hstack([rest, gone]) / side.size

    def moments(self, tables: Tables) -> tuple[Array, list[tuple[ItemKind, list[Array]]]]:
        """Mean (n, layers), and by estimated side, for each of its classes, the mean over the sets with an item less
        that over those without (n, layers), 0 outside of `both`; not scaled.
        """
        u, gain = self.universe, self.universe.e_epsilon - 1
        raised, (in_one, in_two) = self.weight * tables, self.cells.held
        level, one = self._sums(raised), self._sums(raised * in_one)
        two = np.zeros_like(level) if in_two is None else self._sums(raised * in_two)
        sizes = np.maximum(self.sizes, 1)[:, :, None]
        met = [(level * self.drawn - one - two) / sizes[:, 2], one / sizes[:, 0], two / sizes[:, 1]]
        mean = self.shown * (1 + gain * level)
        out: list[tuple[ItemKind, list[Array]]] = []
        for side in u.estimated:
            inside, outside = side.inverse
            tilt = self.beside(side) * (inside - outside) + outside
            if self.told_apart(side):
                least, rise = self.shown * (tilt + gain * level * outside), self.shown * (gain * (inside - outside))
                apart = [least + rise * h for h in met]
            else:
                apart = [mean * tilt]
            if side is u.other:
                apart.append(mean * inside)
            out.append((side, apart))
        return mean, out

    def columns(self, tables: Tables) -> ReportColumns:
        u = self.universe
        mean, sides = self.moments(tables)
        scale = mean @ u.reference
        chance = (mean @ u.law) / scale
        vectors = []
        for side, apart in sides:
            scaled = np.zeros((len(mean), u.classes(side), len(side.target)))
            by = np.sqrt(self.shares(side) / chance[:, None]) / scale[:, None]
            np.multiply(mean[:, None], by[:, :, None], out=scaled[:, : len(apart), : len(u.law)])
            for c, differences in enumerate(apart):
                np.multiply(differences[:, side.both], by[:, c, None], out=scaled[:, c, len(u.law) :])
            vectors.append(scaled)
        kind = np.full((len(mean), 1), self.cells.open)
        return ReportColumns(mean / scale[:, None], tuple(vectors), np.hstack([self.shape, kind]))

    def climb(self, tables: Tables, answers: Sequence[Array], multipliers: Array) -> Tables:
        """Tables (n, cells) from which no tangent leads to better ones."""
        rows = np.arange(len(tables))
        tables = tables.copy()
        for _ in range(CLIMBS):
            shapes = self.at(rows)
            better = shapes._tangent(tables[rows], answers, multipliers) > 0
            changed = np.any(better != tables[rows], axis=1)
            tables[rows] = better
            rows = rows[changed]
            if not len(rows):
                break
        return tables

    def _tangent(self, tables: Tables, answers: Sequence[Array], multipliers: Array) -> Array:
        """How fast the gain rises with each cell's entry, by the cell's own chance."""
        u, layers = self.universe, len(self.universe.law)
        mean, sides = self.moments(tables)
        chance = (mean @ u.law)[:, None]
        level = np.tile(multipliers, (len(mean), 1))
        slope = np.zeros((3, *mean.shape))
        for (side, apart), answer in zip(sides, answers, strict=True):
            by_layer = np.zeros(layers)
            by_layer[side.both] = answer[layers:]
            whole = mean @ answer[:layers]
            score = np.stack([whole + differences @ by_layer for differences in apart], axis=1) / chance
            pull = side.whole * self.shares(side) * score
            level += 2 * pull.sum(axis=1)[:, None] * answer[:layers] - (pull * score).sum(axis=1)[:, None] * u.law
            inside, outside = 2 * by_layer * side.inverse[0], 2 * by_layer * side.inverse[1]
            if side is u.other:
                level += pull[:, -1:] * inside
                pull = pull[:, :-1]
            if self.told_apart(side):
                level += pull.sum(axis=1)[:, None] * outside
                slope = (pull / np.maximum(self.sizes[:, [2, 0, 1]], 1)).T[:, :, None] * (inside - outside)
            else:
                beside = self.beside(side)
                level += pull * (beside * inside + (1 - beside) * outside)
        level = level + slope[0] * self.drawn
        at = self.cells.layer
        rise = level[:, at] + (slope[1] - slope[0])[:, at] * self.cells.one
        return rise + (slope[2] - slope[0])[:, at] * self.cells.two

    def _sums(self, values: Array) -> Array:
        return np.add.reduceat(values, self.cells.start, axis=1)


def shapes(universe: Universe, where: LayeredCells, shape: Ints) -> Shapes:
    """shape (n, 3): i, w₁, w₂."""
    out = Shapes(universe, where, shape, np.zeros(0), np.zeros(0))
    one, two, rest = (size[:, None] for size in out.sizes.astype(np.int64).T)
    drawn = (universe.b - shape[:, :1] if where.open else np.tile(universe.a, (len(shape), 1)))[:, where.layer]
    left = drawn - where.one - where.two
    logs = log_binomials(one, where.one) + log_binomials(two, where.two) + log_binomials(rest, left)
    possible = (drawn >= 0) & (left >= 0) & (where.one <= one) & (where.two <= two) & (left <= rest)
    total = log_binomials(one + two + rest, np.maximum(drawn, 0))
    weight = np.where(possible, np.exp(np.where(possible, logs - total, 0.0)), 0.0)
    shown = log_binomials(universe.b, shape[:, :1])
    return replace(out, weight=weight, shown=np.exp(shown - shown.max(axis=1, keepdims=True)))
