"""The search for the best channel: weights of the columns taken in, then columns that would lower the error, and again.

Rounds begin with rough weights, whose multipliers are steadier, and end with exact ones. The gap is over everything
that was compared in the last round: the weights' own, and what the best column not taken in would gain.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from .blocks import TARGET, InformationBlock, Solution, minimise
from .menu import ReportFamily, Shape, menus
from .reports import ReportColumns, joined, shapes
from .universe import Array, Ints, Universe

CELLS = 300_000
"""Table entries looked at in one round, of one kind of report."""
CLIMBERS, CLIMBED = 4, 40_000
"""From the best tables of a shape the search climbs, and from others too, up to so many table entries in all."""
STAYING = 12
"""Best tables of a shape that are compared as they are."""
MORE = 300
"""Columns taken in at a time."""
MOST, KEPT = 1500, 450
"""With more columns, or heavy work, only those of the least reduced costs are kept."""
USED = 1e-7
"""Weight above which a column counts as used, and shapes near it are tried."""
LOOSE, CLOSE, PART = 1e-2, 1e-4, 0.03
"""Gap of the first weights; that from which a round counts; and the next one's, as a part of what was missed."""
ENOUGH = 1e-5
"""Relative gap at which no more columns are taken in; and that of final weights where the work is heavy."""
STALL, LIGHT = (5e-4, 1e-5), 1e5
"""The search ends after two rounds in which the error fell by less, relatively; the second where the work is light."""
SINGLE = 1e-2
"""Reports with two classes are tried when those with one would gain no more than this."""
EFFORT, ROUNDS, HEAVY = 4e6, (4, 14), 1e7
"""Rounds: this over the work (columns × rows²), within these bounds; above the last, final weights are less exact."""


@dataclass(frozen=True, eq=False)
class Search:
    universe: Universe

    def best(self) -> tuple[ReportColumns, Solution]:
        """The columns and the best weights of them."""
        pool = joined([columns for menu in self._menus if not menu.pair for columns in menu.first()])
        before, stalled, target, missed = np.inf, 0, LOOSE, 0.0
        work = len(pool.mean) * sum(len(side.target) for side in self.universe.estimated) ** 2
        exact = TARGET if work < HEAVY else ENOUGH
        stall = STALL[work < LIGHT]
        rounds = int(np.clip(EFFORT / work, *ROUNDS))
        pairs = rounds == ROUNDS[0]
        left = rounds
        while True:
            left -= 1
            final = not left or stalled == 2
            optimum = minimise(self.blocks(pool), pool.mean, self.universe.reference, exact if final else target)
            if final and missed >= 1:
                break  # what is compared would prove nothing, as in the round before
            wider, missed = self._wider(optimum, pool, pairs or final)
            if final or (pairs and target <= TARGET and missed < ENOUGH):
                break
            stalled = stalled + 1 if pairs and target <= CLOSE and before - optimum.value < stall * optimum.value else 0
            pairs = pairs or missed < SINGLE or left == 2
            if len(pool.mean) > MOST or work > HEAVY:
                pool = pool.at(np.argsort(self._reduced(pool, optimum))[:KEPT])
            target = max(TARGET, min(target, PART * missed))
            pool, before = joined([pool, wider]), optimum.value
        return pool, replace(optimum, gap=optimum.gap + missed)

    def blocks(self, columns: ReportColumns) -> list[InformationBlock]:
        sides = zip(self.universe.estimated, columns.vectors, strict=True)
        return [InformationBlock(side.whole, side.target, vectors) for side, vectors in sides]

    @cached_property
    def _menus(self) -> list[ReportFamily]:
        return menus(self.universe)

    def _wider(self, found: Solution, pool: ReportColumns, pairs: bool) -> tuple[ReportColumns, float]:
        """Columns that would lower the error most, and by how much the best of all that were tried would."""
        parts, costs = [], []
        for menu in self._menus if pairs else [menu for menu in self._menus if not menu.pair]:
            some = _chosen(menu, _used(menu, found, pool))
            if some:
                columns, reduced = self._climbed(menu, some, found)
                parts.append(columns)
                costs.append(reduced)
        reduced = np.concatenate(costs)
        order = np.argsort(reduced)[:MORE]
        return joined(parts).at(order[reduced[order] < -ENOUGH / 100]), max(0.0, -float(reduced.min()))

    def _climbed(self, menu: ReportFamily, some: list[Shape], found: Solution) -> tuple[ReportColumns, Array]:
        """The best tables of each shape, climbed, without repetitions; and their reduced costs."""
        cost = self._reduced(menu.columns(some, menu.tables), found).reshape(len(some), -1)
        order = np.argsort(cost, axis=1)
        most = max(CLIMBERS, CLIMBED // (len(some) * len(menu.cells.layer)))
        rest = _evenly(order.shape[1] - CLIMBERS, most - CLIMBERS) + CLIMBERS
        begin = np.hstack([order[:, :CLIMBERS], order[:, rest]])
        every = shapes(self.universe, menu.cells, np.array(some, np.int64))
        climbing = np.repeat(np.arange(len(some)), begin.shape[1])
        climbed = every.at(climbing).climb(menu.tables[begin.ravel()], found.answers, found.multipliers)
        # Those not climbed too: once one star of a size is in use, its neighbours in the layers are wanted.
        staying = np.repeat(np.arange(len(some)), order[:, :STAYING].shape[1])
        rows = np.concatenate([climbing, staying])
        columns = every.at(rows).columns(np.vstack([climbed, menu.tables[order[:, :STAYING].ravel()]]))
        reduced = self._reduced(columns, found)
        _, once = np.unique(np.column_stack([rows, np.round(reduced, 9)]), axis=0, return_index=True)
        return columns.at(once), reduced[once]

    def _reduced(self, columns: ReportColumns, found: Solution) -> Array:
        gain = sum(block.gain(answer) for block, answer in zip(self.blocks(columns), found.answers, strict=True))
        return (-gain - columns.mean @ found.multipliers) / found.value


def _used(menu: ReportFamily, found: Solution, pool: ReportColumns) -> list[Shape]:
    """Shapes that carry weight, the most first."""
    mine = (found.weights > USED) & (pool.shape[:, 3] == menu.cells.open)
    used, which = np.unique(pool.shape[mine, :3], axis=0, return_inverse=True)
    carried = np.bincount(which.ravel(), found.weights[mine], len(used))
    return [(i, w, v) for i, w, v in used[np.argsort(-carried)].tolist()]


def _chosen(menu: ReportFamily, used: list[Shape]) -> list[Shape]:
    """As many as there is room for: those near the used ones, and of the others some, evenly."""
    room = max(CELLS // (len(menu.tables) * len(menu.cells.layer)), 4)
    close = menu.near(used)[:room]
    others = [shape for shape in menu.coarse if shape not in set(close)]
    most = max(room - len(close), room // 4)
    return close + [others[i] for i in _evenly(len(others), most)]


def _evenly(count: int, most: int) -> Ints:
    """At most so many of 0 … count − 1."""
    return np.unique(np.linspace(0, count - 1, max(0, min(most, count))).astype(np.int64))
