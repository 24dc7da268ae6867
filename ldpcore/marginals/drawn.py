"""Rows instead of cells, where a joint of all columns would be too large to write down: post-processing, free of ε.

Rows are drawn from the tree of tables that tell most (Chow, Liu 1968), then weighed until they have the other tables
too: iterative proportional fitting again, on the cells that were drawn, so nearest to the tree instead of to
independence (theory/itemsets#tables).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ldpcore.marginals.fitting import NEAR, SETTLED, SWEEPS, Pair, Tables

Vector = NDArray[np.float64]
Codes = NDArray[np.int32]
ROWS = 100_000
"""Rows that are drawn: their own chance is small beside the noise of the tables."""
MOST = 1e3
"""The most that one table multiplies a weight by at a time."""
_TINY = 1e-9


def rows(margins: Sequence[Vector], tables: Tables, total: float, rng: np.random.Generator, many: int) -> Codes:
    """Rows (many, d) of equal weight that have these margins and tables, whose sums are about `total`.

    >>> from ldpcore.rng import stream
    >>> both, like = np.array([[30.0, 10.0], [10.0, 50.0]]), np.array([40.0, 60.0])
    >>> made = rows([like, like], {(0, 1): both}, 100.0, stream(1), 1000)
    >>> np.bincount(made[:, 0] * 2 + made[:, 1]).round(-1).tolist()
    [300, 100, 100, 500]
    """
    codes = _from_tree(margins, tables, rng, many)
    upto = np.cumsum(_weights(codes, margins, tables, total))
    return codes[np.minimum(np.searchsorted(upto, _even(rng, many) * upto[-1]), many - 1)]


def tree(tables: Tables) -> list[Pair]:
    """The tables that join all columns they are about without a ring, those with the most mutual information first."""
    part: dict[int, int] = {column: column for pair in tables for column in pair}
    edges = []
    for a, b in sorted(tables, key=lambda pair: -_information(tables[pair])):
        if part[a] != part[b]:
            edges.append((a, b))
            part = {column: part[a] if root == part[b] else root for column, root in part.items()}
    return edges


def _information(table: Vector) -> float:
    p = table / max(table.sum(), _TINY)
    apart = np.outer(p.sum(axis=1), p.sum(axis=0))
    return float((p[p > 0] * np.log(p[p > 0] / apart[p > 0])).sum())


def _even(rng: np.random.Generator, many: int) -> Vector:
    """Ascending numbers in [0, 1), one in each of `many` equal parts: shares are met to one row."""
    return (np.arange(many) + rng.random()) / max(many, 1)


def _from_tree(margins: Sequence[Vector], tables: Tables, rng: np.random.Generator, many: int) -> Codes:
    """Column by column: the first of each tree by its margin, every other given the one it hangs on."""
    out, waiting, left = np.empty((many, len(margins)), np.int32), tree(tables), list(range(len(margins)))
    while left:
        reached = [left.pop(0)]
        out[:, reached[0]] = _given(np.zeros(many, np.intp), margins[reached[0]][None], margins[reached[0]], rng)
        for a in reached:  # grows
            for b in [sum(pair) - a for pair in waiting if a in pair]:
                if b in left:
                    table = tables[a, b] if (a, b) in tables else tables[b, a].T
                    out[:, b] = _given(out[:, a], table, margins[b], rng)
                    left.remove(b)
                    reached.append(b)
    return out


def _given(parent: NDArray[np.integer], table: Vector, margin: Vector, rng: np.random.Generator) -> NDArray[np.intp]:
    """A value for each row, by its parent's row of the table; by the margin where that row is empty."""
    rising = np.cumsum(np.where(table.sum(axis=1, keepdims=True) > _TINY, table, margin), axis=1)
    out = np.empty(len(parent), np.intp)
    order = np.argsort(parent, kind="stable")
    for value, part in enumerate(np.split(order, np.cumsum(np.bincount(parent, minlength=len(table)))[:-1])):
        last = rising[value, -1]
        out[part] = np.searchsorted(rising[value], rng.permutation(_even(rng, len(part))) * last, side="right")
    return np.minimum(out, table.shape[1] - 1)


def _weights(codes: Codes, margins: Sequence[Vector], tables: Tables, total: float) -> Vector:
    """Weights (rows,) with which the rows have the tables, as nearly as what was drawn allows."""
    weights, before = np.full(len(codes), total / len(codes)), np.inf
    cells = {(a, b): codes[:, a] * len(margins[b]) + codes[:, b] for a, b in tables}
    for _ in range(SWEEPS):
        gap = 0.0
        for pair, table in tables.items():
            there = np.bincount(cells[pair], weights, table.size)
            gap += float(np.abs(there - table.ravel()).sum()) / 2
            weights *= np.minimum(table.ravel() / np.maximum(there, _TINY), MOST)[cells[pair]]
        gap /= total * max(len(tables), 1)
        if gap < NEAR or gap > SETTLED * before:
            break
        before = gap
    return weights
