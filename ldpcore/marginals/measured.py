"""Noisy tables of two columns, and the joint fitted to them: what miners, clusters and whoever else then asks.

One person falls into one cell of each table, whatever the answers are: with T tables, noise of scale T/ε. How many
tables there are follows from ε, the number of people and of columns alone, which ones by the exponential mechanism; all
else is post-processing (theory/itemsets#tables).
"""

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ldpcore.marginals import fitting
from ldpcore.marginals.fitting import Pair

SINGLES, CHOICE = 0.15, 0.05
"""Shares of ε for the counts of single values, and for choosing the pairs of columns; the rest is for their tables."""
ALIKE = 1300.0
"""ε·n at which there are as many tables as columns."""
CELLS = 10_000_000
"""Cells of the joint table, with its margins, that is fitted at most; beyond, rows are drawn (`drawn.rows`)."""

Vector = NDArray[np.float64]
Noisy = tuple[Vector, Vector]
"""Counts, and the variance of each."""
Counted = Callable[[Pair], Vector]
"""A pair of columns → people by the values of both."""


def table_count(epsilon: float, n: float, columns: int) -> int:
    """Tables of two columns: d·(ε·n/1300)^¼, rounded, from d − 1 (as many as a tree has) to all d(d − 1)/2."""
    wanted = round(columns * (epsilon * n / ALIKE) ** 0.25)
    return min(max(wanted, columns - 1), columns * (columns - 1) // 2)


def chosen(
    counted: Counted, singles: Sequence[Noisy], many: int, epsilon: float, total: float, rng: np.random.Generator
) -> list[Pair]:
    """The `many` pairs of columns that are the least independent; all of them cost nothing, fewer `epsilon`.

    The score is Σ|table − what independence predicts from noisy counts|, which one person moves by 1 at most; so many
    by the exponential mechanism without replacement, the largest of score·ε/2 + Gumbel noise. total: how many people
    there are, from noisy numbers or public.
    """
    every = list(combinations(range(len(singles)), 2))
    if many == len(every):
        return every
    margins = [fitting.simplex(count, total) for count, _ in singles]
    apart = [np.abs(counted((a, b)) - np.outer(margins[a], margins[b]) / total).sum() for a, b in every]
    worth = np.array(apart) * epsilon / many / 2 + rng.gumbel(size=len(every))
    return [every[place] for place in np.sort(np.argsort(-worth, kind="stable")[:many])]


def noisy(counted: Counted, pairs: Sequence[Pair], scale: float, rng: np.random.Generator) -> dict[Pair, Vector]:
    """The tables of these pairs with Laplace noise of this scale: len(pairs)/ε for a person in one cell of each."""
    tables = ((pair, counted(pair)) for pair in pairs)
    return {pair: table + rng.laplace(0.0, scale, table.size).reshape(table.shape) for pair, table in tables}


def joint(singles: Sequence[Noisy], tables: dict[Pair, Vector], scale: float, most: float) -> Vector:
    """The joint of all that was measured, from noisy numbers alone; at most so many people."""
    return fitting.fitted(*agreed(singles, tables, scale, most))


def agreed(
    singles: Sequence[Noisy], tables: dict[Pair, Vector], scale: float, most: float
) -> tuple[list[Vector], dict[Pair, Vector], float]:
    """Margins and tables that agree with one another, and how many people they count: at most so many."""
    cell = 2 * scale**2
    total = people([*singles, *((table, np.full(table.shape, cell)) for table in tables.values())], most)
    margins = [fitting.simplex(count, total) for count, _ in singles]
    one = fitting.agreeing([count for count, _ in singles], [variance for _, variance in singles], tables, cell, total)
    made = {}
    for (a, b), table in tables.items():
        guess = np.outer(margins[a], margins[b]) / total
        made[a, b] = fitting.raked(fitting.simplex(fitting.pulled(table, guess, cell), total), one[a], one[b])
    return one, made, total


def people(measured: Sequence[Noisy], most: float) -> float:
    """How many people the tables count: their sums weighted by precision, at least 1 and at most so many."""
    weights = np.array([1 / variance.sum() for _, variance in measured])
    return min(float(most), max(1.0, float(weights @ [counts.sum() for counts, _ in measured] / weights.sum())))
