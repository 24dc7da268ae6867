"""One joint table for noisy tables of pairs of its columns: post-processing, which costs no ε (theory/itemsets#tables).

Cells are pulled towards what independent columns would give, tables are made non-negative and agree in their margins,
and the joint is the one nearest to independence that has them (iterative proportional fitting, Deming, Stephan 1940).
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

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
    sizes = [len(single) for single in singles]
    joint = np.full(sizes, total)
    for column, single in enumerate(singles):
        joint *= (single / total).reshape([-1 if place == column else 1 for place in range(len(sizes))])
    groups, before = grouped(tables, sizes), np.inf
    for _ in range(SWEEPS):
        gap = sum(_fit_group(joint, group, tables) for group in groups) / (total * max(len(tables), 1))
        if gap < NEAR or gap > SETTLED * before:
            break
        before = gap
    return joint


def grouped(tables: Tables, sizes: Sequence[int]) -> list[tuple[tuple[int, ...], list[Pair]]]:
    """Groups of columns of few cells that hold all tables: the joint is read twice for a group, not for each table."""
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


def _fit_group(joint: Vector, group: tuple[tuple[int, ...], list[Pair]], tables: Tables) -> float:
    """Fit the group's tables in place; how many people they missed before."""
    columns, pairs = group
    other = tuple(place for place in range(joint.ndim) if place not in columns)
    was = joint.sum(axis=other)
    now, gap = was.copy(), 0.0
    for turn in range(INNER):
        for pair in pairs:
            away = tuple(place for place, column in enumerate(columns) if column not in pair)
            sums = now.sum(axis=away)
            if turn == 0:
                gap += float(np.abs(sums - tables[pair]).sum()) / 2
            now *= np.expand_dims(_ratio(tables[pair], sums), away)
    joint *= np.expand_dims(_ratio(now, was), other)
    return gap


def _ratio(wanted: Vector, there: Vector) -> Vector:
    return np.where(there > _TINY, wanted / np.maximum(there, _TINY), 0.0)


def margins(joint: Vector, kept: Sequence[int]) -> Vector:
    """Every margin at once: along each axis the first `kept` values, and behind them the sum over all values."""
    for axis, many in enumerate(kept):
        some = joint[(slice(None),) * axis + (slice(many),)]
        joint = np.concatenate([some, joint.sum(axis=axis, keepdims=True)], axis=axis)
    return joint
