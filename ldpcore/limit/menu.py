"""What the search for the limit for sets tries: shapes of reports, and tables to climb from."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ldpcore.rng import stream

from .reports import LayeredCells, ReportColumns, Tables, cells, shapes
from .universe import Array, Ints, Universe

Shape = tuple[int, int, int]
"""i, w₁, w₂"""
SIZES, FEW = 24, 6
"""How many sizes of a class the search begins with, where layers differ in one number, and in two."""
COARSE = 6
"""How many of them are tried anew in every round, with anything disclosed, and in pairs."""
CUTS, STEPS = 10, 5
"""Thresholds in the layers that tables begin with; and where two are combined."""
PAIRS = 400
"""Most tables with a threshold on either side of a star."""
ALL = 10
"""So few cells that all tables are tried."""
LOTS = 3000
"""Cells of the tables that are drawn by lot."""
WIDEST = 3
"""Largest star to begin with, as a multiple of the items for each one in a set."""
HELD = 6
"""Largest subset that tables ask to be held whole at the beginning."""
NEAR = (0.02, 0.05, 0.1)
"""Steps from sizes in use."""


@dataclass(frozen=True, eq=False)
class ReportFamily:
    """Reports of one kind: one class or two, of S or of N."""

    universe: Universe
    cells: LayeredCells

    @property
    def pair(self) -> bool:
        """Two classes, not one."""
        return bool(self.cells.two.any())

    @property
    def _flat(self) -> bool:
        """The layers differ in one number only."""
        return len(self.universe.law) <= self.universe.m + 1

    def pool(self, disclosed: int) -> int:
        """How many items the classes are taken from."""
        return self.universe.sizes[2] - disclosed if self.cells.open else self.universe.sizes[0]

    def _sizes(self, disclosed: int, count: int) -> list[int]:
        pool = self.pool(disclosed)
        return np.unique(np.round(np.geomspace(1, pool - 1, count)).astype(int)).tolist() if pool > 1 else []

    @cached_property
    def coarse(self) -> list[Shape]:
        """Shapes that are tried anew in every round."""
        out: list[Shape] = []
        for i in self.universe.disclosures.tolist():
            some = self._sizes(i, COARSE)
            if self.pair:
                out += [(i, w, v) for w in some for v in some if w + v < self.pool(i)]
            else:
                out += [(i, 0, 0), *((i, w, 0) for w in some)]
        return out

    def near(self, used: list[Shape]) -> list[Shape]:
        """Shapes like those in use; the first of them first."""
        out: dict[Shape, None] = {}
        for i, w, v in used:
            if self.pair:
                tried = [(w, v), (w, v + 1), (w, v - 1), (w + 1, v), (w - 1, v), (w, w), (w, max(1, w // 2))]
            else:
                steps = sorted({1, *(max(1, round(part * w)) for part in NEAR)})
                tried = [(w, 0), *((w + sign * step, 0) for step in steps for sign in (1, -1))]
            least = 1 if self.pair else 0
            out |= {(i, x, y): None for x, y in tried if x >= 1 and y >= least and x + y < self.pool(i)}
        return list(out)

    def first(self) -> Iterator[ReportColumns]:
        """Thresholds in the layers, with and without stars; subsets held whole."""
        where = self.cells
        for i in self.universe.disclosures.tolist():
            yield self.columns([(i, 0, 0)], self._sides[:, where.layer])
            for r in range(1, min(HELD, self.pool(i) - 1) + 1):
                yield self.columns([(i, r, 0)], (where.one >= r)[None])
        # Far above pool/m a star is hit by nearly every set.
        widest = max(1, min(self.pool(0) - 1, WIDEST * self.pool(0) // self.universe.m))
        sizes = np.round(np.geomspace(1, widest, SIZES if self._flat else FEW)).astype(int)
        stars: list[Shape] = [(0, w, 0) for w in np.unique(sizes).tolist() if w < self.pool(0)]
        if stars:
            yield self.columns(stars, self._stars)

    def columns(self, some: list[Shape], tables: Tables) -> ReportColumns:
        """Every table with every shape."""
        every = shapes(self.universe, self.cells, np.array(some, np.int64))
        rows = np.repeat(np.arange(len(some)), len(tables))
        return every.at(rows).columns(np.tile(tables, (len(some), 1)))

    @cached_property
    def tables(self) -> Tables:
        """(n, cells) from which the search climbs."""
        where = self.cells
        if len(where.layer) <= ALL:
            return (np.arange(1 << len(where.layer))[:, None] >> np.arange(len(where.layer)) & 1).astype(bool)
        hit, sides = where.one >= 1, self._sides[:, where.layer]
        if self.pair:
            # Stars that are wider in some layers than in others.
            out = [np.where(sides, hit | (where.two >= 1), hit)]
        else:
            out = [hit & sides, hit | sides, ~hit & sides, *(where.one[None] >= j for j in range(2, HELD))]
            if len(sides) ** 2 <= PAIRS:
                out += [np.where(hit, side, sides) for side in sides]
        return np.unique(np.vstack([*out, *self._by_lot()]), axis=0)

    def _by_lot(self) -> Iterator[Tables]:
        """Thresholds on random scores of the classes, in all layers alike or not; always the same ones."""
        where, layers = self.cells, len(self.universe.law)
        rng = stream(len(where.layer), "limit for sets")
        count = int(np.clip(LOTS / len(where.layer), 10, 400))
        score: Array = rng.normal(size=(count, 2)) @ np.stack([where.one, where.two])
        bar = rng.normal(size=(count, layers)) * rng.integers(0, 2, (count, 1)) + rng.normal(size=(count, 1))
        turned = np.where(rng.random((count, layers)) < rng.random((count, 1)), 1.0, -1.0)
        yield score > bar[:, where.layer]
        yield score * turned[:, where.layer] > bar[:, where.layer]

    @cached_property
    def _stars(self) -> Tables:
        """E where the class is hit, with one threshold; or with one in e and one in b, so that dummies can count."""
        u, where = self.universe, self.cells
        hit, sides = where.one >= 1, self._sides[:, where.layer]
        out = [hit & sides]
        if not self._flat:
            out.append(hit | sides)
            dummies, others = (
                np.array([level >= step for step in _cuts(level, STEPS)])[:, where.layer] for level in (u.e, u.b)
            )
            out += [np.vstack([(hit | some) & others, (hit | some) & ~others]) for some in dummies]
        return np.unique(np.vstack(out), axis=0)

    @cached_property
    def _sides(self) -> Tables:
        """(n, layers): all; and the layers from each threshold on, or below it, in a, b or e."""
        u = self.universe
        out = [np.ones(len(u.law), bool)]
        for level in (u.a, u.b, u.e):
            for step in _cuts(level, CUTS):
                out += [level >= step, level < step]
        return np.unique(np.array(out), axis=0)


def menus(universe: Universe) -> list[ReportFamily]:
    return [ReportFamily(universe, cells(universe, classes, side)) for side in universe.pools for classes in (1, 2)]


def _cuts(level: Ints, most: int) -> Ints:
    """Thresholds between the values that occur, at most so many."""
    steps = np.unique(level)[1:]
    return steps[np.unique(np.round(np.linspace(0, len(steps) - 1, most)).astype(int))] if len(steps) else steps
