"""One joint table for noisy tables of pairs of its columns: post-processing, which costs no ε (theory/itemsets#tables).

Cells are pulled towards what independent columns would give, tables are made non-negative and agree in their margins,
and the joint is the one nearest to independence that has them (iterative proportional fitting, Deming, Stephan 1940).
"""

from collections.abc import Mapping, Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray

from ldpcore.marginals.factors import Factor, product, summed

Vector = NDArray[np.float64]
Pair = tuple[int, int]
Tables = Mapping[Pair, Vector]

SWEEPS, INNER, RAKES = 12, 3, 10
SETTLED = 0.9
"""A sweep that leaves more than so much of the gap is the last."""
NEAR = 1e-3
"""Share of all people that the tables may miss in the mean."""
BLOCK = 20_000
"""Cells of a group of columns whose tables are fitted together."""
_TINY = 1e-9


def simplex(values: Vector, total: float) -> Vector:
    """The nearest non-negative numbers with this sum (> 0); same shape (Held, Wolfe, Crowder 1974)."""
    falling = np.sort(values, axis=None)[::-1]
    over = (np.cumsum(falling) - total) / np.arange(1, falling.size + 1)
    return np.maximum(values - over[np.flatnonzero(falling > over)[-1]], 0.0)


def pulled(noisy: Vector, guess: Vector, variance: float) -> Vector:
    """Noisy counts pulled towards a guess, less where they are surely elsewhere: guess + τ²/(τ² + σ²)(noisy − guess).

    τ² is what the whole table shows beyond its noise, in proportion to the guess, or what the cell itself shows.
    """
    off = noisy - guess
    common = max(0.0, float((off**2).sum()) - off.size * variance) / max(float((guess**2).sum()), _TINY)
    spread = np.maximum(common * guess**2, off**2 - variance)
    return guess + spread / (spread + variance) * off


def agreeing(
    singles: Sequence[Vector], variances: Sequence[Vector], tables: Tables, cell: float, total: float
) -> list[Vector]:
    """One margin for each column, from its own counts and its tables' cells (of this variance), by their precision."""
    out = []
    for column, (counts, variance) in enumerate(zip(singles, variances, strict=True)):
        sums, weights = counts / variance, 1 / variance
        for columns, table in tables.items():
            if column in columns:
                across = 1 - columns.index(column)
                weight = 1 / (cell * table.shape[across])
                sums, weights = sums + weight * table.sum(axis=across), weights + weight
        out.append(simplex(sums / weights, total))
    return out


def raked(table: Vector, down: Vector, across: Vector) -> Vector:
    """The table with these margins, as nearly as its zeros allow."""
    for _ in range(RAKES):
        table = table * _ratio(down, table.sum(axis=1))[:, None]
        table = table * _ratio(across, table.sum(axis=0))
    return table


def fitted(singles: Sequence[Vector], tables: Tables, total: float) -> Vector:
    """The joint of these margins and tables: shape (values of column 1, …), sum about `total`."""
    groups, before = grouped(tables, [len(single) for single in singles]), np.inf
    factors = _independent(singles, total, [columns for columns, _ in groups])
    for _ in range(SWEEPS):
        gap = sum(_fit_group(factors, place, pairs, tables) for place, (_, pairs) in enumerate(groups))
        gap /= total * max(len(tables), 1)
        if gap < NEAR or gap > SETTLED * before:
            break
        before = gap
    return product(factors, range(len(singles)))


def _independent(singles: Sequence[Vector], total: float, groups: Sequence[tuple[int, ...]]) -> list[Factor]:
    """What independent columns would give: a factor for each group, and for each column that is in none."""
    alone = [(column,) for column in range(len(singles)) if not any(column in columns for columns in groups)]
    factors = [(columns, np.ones([len(singles[column]) for column in columns])) for columns in (*groups, *alone)]
    factors[0][1][...] = total
    for column, single in enumerate(singles):
        columns, factor = next(each for each in factors if column in each[0])
        factor *= (single / total).reshape([-1 if column == other else 1 for other in columns])
    return factors


def grouped(tables: Tables, sizes: Sequence[int]) -> list[tuple[tuple[int, ...], list[Pair]]]:
    """Groups of columns of few cells that hold all tables: all else is summed once for a group, not for each table."""
    waiting, groups = sorted(tables), []
    while waiting:
        columns: set[int] = set(waiting[0])
        for pair in waiting[1:]:
            more = columns | set(pair)
            if np.prod([float(sizes[column]) for column in more]) <= BLOCK:
                columns = more
        inside = [pair for pair in waiting if columns.issuperset(pair)]
        waiting = [pair for pair in waiting if pair not in inside]
        groups.append((tuple(sorted(columns)), inside))
    return groups


def _fit_group(factors: list[Factor], place: int, pairs: list[Pair], tables: Tables) -> float:
    """Fit the group's tables by its factor, in place; how many people they missed before."""
    columns, factor = factors[place]
    was = np.multiply(factor, summed([*factors[:place], *factors[place + 1 :]], columns), order="C")
    now, gap = was.copy(), 0.0
    parts = [_around(factor.shape, columns.index(pair[0]), columns.index(pair[1])) for pair in pairs]
    for turn in range(INNER):
        for pair, shape in zip(pairs, parts, strict=True):
            cells = now.reshape(shape)
            sums = _sums(cells)
            if turn == 0:
                gap += float(np.abs(sums - tables[pair]).sum()) / 2
            before, down, between, across, behind = shape
            times = np.repeat(_ratio(tables[pair], sums), behind, axis=1)  # rows of numbers, not of a few each
            now.reshape(before, down, between, across * behind)[...] *= times[:, None]
    factor *= _ratio(now, was)
    return gap


def _around(sizes: tuple[int, ...], first: int, second: int) -> tuple[int, int, int, int, int]:
    """The axes before, of, between, of and behind two, each as one."""
    return (
        prod(sizes[:first]), sizes[first], prod(sizes[first + 1 : second]), sizes[second], prod(sizes[second + 1 :])
    )  # fmt: skip


def _sums(cells: Vector) -> Vector:
    """Sums over the first, the third and the last of five axes: by products of matrices, several times faster."""
    before, down, between, across, behind = cells.shape
    left = cells.reshape(-1, behind) @ np.ones(behind) if behind > 1 else cells
    left = np.ones(before) @ left.reshape(before, -1) if before > 1 else left
    return left.reshape(down, between, across).sum(axis=1)


def _ratio(wanted: Vector, there: Vector) -> Vector:
    return np.where(there > _TINY, wanted / np.maximum(there, _TINY), 0.0)


def margins(joint: Vector, kept: Sequence[int], least: float) -> tuple[NDArray[np.intp], Vector]:
    """The margins that reach `least`: places (m, columns) and sums (m,). A place is one of the first `kept` values of
    each column, or behind them that number itself: any value.

    Column by column; what is below `least` before the other columns are looked at, stays below.
    """
    places, cells = np.zeros((1, 0), np.intp), joint.reshape(1, -1)
    for many, size in zip(kept, joint.shape, strict=True):
        cells = cells.reshape(len(cells), size, cells.shape[1] // size)
        sums = cells @ np.ones(cells.shape[2])
        sums = np.column_stack([sums[:, :many], sums.sum(axis=1)])
        before, after = np.nonzero(sums >= least * (1 - _TINY))
        places, one = np.column_stack([places[before], after]), after < many
        left, any_value = np.empty((len(before), cells.shape[2])), before[~one]
        left[one] = cells[before[one], after[one]]
        left[~one] = (cells if len(any_value) == len(cells) else cells[any_value]).sum(axis=1)
        cells = left
    enough = cells[:, 0] >= least
    return places[enough], cells[enough, 0]
