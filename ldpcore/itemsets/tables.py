"""The miner of tables: noisy tables of two columns each, and the sets that one table fitted to all of them holds.

One person falls into one cell of each table, whatever the answers are: with T tables, noise of scale T/ε. How many
tables there are follows from ε, n and the number of columns alone, which ones by the exponential mechanism; all else
is post-processing. After McKenna, Miklau and Sheldon 2021 (MST), with a full joint instead of a tree
(theory/itemsets#tables). Neighbours differ in one whole basket, removed or emptied.
"""

from math import ceil, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldpcore import checks
from ldpcore.baskets import Baskets
from ldpcore.itemsets.candidates_by_length import MAX_CANDIDATES, check_length, check_size
from ldpcore.itemsets.columns import Merged, Rows, kept_values, rows
from ldpcore.itemsets.frequent import frequent
from ldpcore.itemsets.given import baskets_of, threshold
from ldpcore.itemsets.ledger import Ledger, Spend, budget, laplace
from ldpcore.itemsets.mined import MiningResult, ReleasedCandidates, exact_counts
from ldpcore.marginals import drawn, fitting
from ldpcore.marginals.fitting import Pair
from ldpcore.marginals.measured import CELLS, CHOICE, SINGLES, Noisy, agreed, chosen, noisy, people, table_count

Vector = NDArray[np.float64]


def tables(
    data: Any,
    min_count: float,
    epsilon: float,
    rng: np.random.Generator,
    *,
    max_length: int | None = None,
    cells: int = CELLS,
    max_candidates: int = MAX_CANDIDATES,
) -> MiningResult:
    """Noisy frequent sets of a table's rows, of any length, at a total ε (central, for whole baskets).

    data: `table.baskets("all columns")`, whose columns are known, or baskets of at most 64 different items, each of
    which is then a column of yes and no. Published are the fitted counts (in baskets) of at least `min_count`. A joint
    of more than `cells`, its margins included, is not written down: rows are drawn that have all tables. n is public.
    NoTables (a ValueError) where the baskets have neither columns nor so few items, TooManyCandidates where more than
    `max_candidates` sets of one length look frequent.

    >>> from ldpcore.rng import stream
    >>> people = [["tea", "alone"]] * 300 + [["tea", "paired"]] * 100 + [["milk", "paired"]] * 400
    >>> found = tables(people, 150, 5.0, stream(1))
    >>> found.itemsets["itemset"].tolist()
    [('alone',), ('milk',), ('paired',), ('tea',), ('alone', 'tea'), ('milk', 'paired')]
    >>> round(found.ledger.total, 9), found.ledger.defended < 6
    (5.0, True)
    """
    baskets = baskets_of(data)
    least, total, longest = threshold(min_count, baskets.n), budget(epsilon), check_length(max_length)
    cells = checks.integer(cells, "cells (of the joint table, at most)", 2)
    table = rows(baskets)
    alone = longest == 1 or table.d == 1
    counts, spend = _singles(table, total if alone else total * SINGLES, rng)
    if alone:
        return MiningResult(baskets.labels, least, _of_one(baskets, table, counts, least), Ledger((spend,)))
    kept, rest = kept_values(counts, sqrt(2) * spend.scale, least)
    merged = table.merged(kept, rest)
    if not merged.sizes:
        return MiningResult(baskets.labels, least, (), Ledger((spend,)))
    singles = [_folded(counts[place], kept[place], rest[place], spend.scale) for place in merged.origin]
    pairs, choice = _chosen(merged, singles, total, baskets.n, rng)
    noisy_tables, counted = _noisy(merged, pairs, total * (1 - SINGLES) - choice.epsilon, rng)
    agree = agreed(singles, noisy_tables, counted.scale, baskets.n)
    if np.prod([len(items) + 1.0 for items in merged.items]) <= cells:
        frequent = fitting.margins(fitting.fitted(*agree), [len(items) for items in merged.items], least)
        released = _frequent(baskets, *frequent, merged, longest, max_candidates)
    else:
        made = drawn.rows(*agree, rng, drawn.ROWS)
        released = _drawn(baskets, made, merged, agree[-1], least, longest, max_candidates)
    spends = tuple(each for each in (spend, choice, counted) if each.epsilon > 0)
    return MiningResult(baskets.labels, least, released, Ledger(spends))


def _singles(held: Rows, epsilon: float, rng: np.random.Generator) -> tuple[list[Vector], Spend]:
    """Noisy counts of every column's values, those with none last."""
    scale = held.d / epsilon
    counts = [held.count(column) + laplace(len(held.items[column]) + 1, scale, None, rng) for column in range(held.d)]
    numbers = sum(map(len, counts))
    return counts, Spend(f"values of {held.d} columns", 1, numbers, scale, epsilon, None, held.d, True)


def _folded(count: Vector, kept: NDArray[np.intp], rest: bool, scale: float) -> Noisy:
    """The kept values, and the sum of all others where the column has a rest; with the variance of each."""
    left = np.delete(count, kept)
    folded = np.append(count[kept], left.sum()) if rest else count[kept]
    return folded, 2 * scale**2 * np.append(np.ones(len(kept)), [len(left)] * rest)


def _of_one(data: Baskets, held: Rows, counts: list[Vector], least: int) -> tuple[ReleasedCandidates, ...]:
    """Single values, by their own noisy counts."""
    noisy = np.empty(data.k)
    for items, count in zip(held.items, counts, strict=True):
        noisy[items] = count[:-1]
    items = np.arange(data.k, dtype=np.int32)[:, None]
    return (ReleasedCandidates(items, exact_counts(data, items), noisy, noisy >= least),)


def _chosen(
    merged: Merged, singles: list[Noisy], epsilon: float, n: int, rng: np.random.Generator
) -> tuple[list[Pair], Spend]:
    """The pairs of columns whose tables are measured, and what it costs to choose them."""
    every, many = len(singles) * (len(singles) - 1) // 2, table_count(epsilon, n, len(singles))
    spent = 0.0 if many == every else epsilon * CHOICE
    pairs = chosen(merged.table, singles, many, spent, people(singles, n), rng)
    if not spent:
        return pairs, Spend("all pairs of columns", 2, 0, 0.0, 0.0)
    return pairs, Spend(f"which {many} of {every} pairs of columns", 2, many, 0.0, spent)


def _noisy(
    merged: Merged, pairs: list[Pair], epsilon: float, rng: np.random.Generator
) -> tuple[dict[Pair, Vector], Spend]:
    """The tables of these pairs with noise for a person in one cell of each."""
    if not pairs:
        return {}, Spend("no pair of columns", 2, 0, 0.0, 0.0)
    scale = len(pairs) / epsilon
    tables = noisy(merged.table, pairs, scale, rng)
    cells = sum(table.size for table in tables.values())
    what = f"{cells} cells of {len(pairs)} tables of two columns"
    return tables, Spend(what, 2, cells, scale, epsilon, None, len(pairs), True)


def _frequent(
    data: Baskets, places: NDArray[np.intp], noisy: Vector, merged: Merged, longest: int, most: int
) -> tuple[ReleasedCandidates, ...]:
    """The sets at these places of the fitted joint, by length, with their true counts."""
    codes = np.empty(places.shape, np.int32)
    for column, items in enumerate(merged.items):
        codes[:, column] = np.append(items, data.k)[places[:, column]]  # k: any value
    codes.sort(axis=1)
    lengths = np.count_nonzero(codes < data.k, axis=1)
    levels = []
    for length in range(1, min(longest, int(lengths.max(initial=0))) + 1):
        of_length = lengths == length
        check_size(int(of_length.sum()), length, most)
        items = np.ascontiguousarray(codes[of_length, :length])
        levels.append(ReleasedCandidates(items, exact_counts(data, items), noisy[of_length], np.ones(len(items), bool)))
    return tuple(levels)


def _drawn(
    data: Baskets, made: NDArray[np.int32], merged: Merged, total: float, least: int, longest: int, most: int
) -> tuple[ReleasedCandidates, ...]:
    """The sets whose count among the drawn rows, which stand for so many people, reaches `least`, likewise."""
    items = np.full(made.shape, -1, np.int32)
    for column, (codes, size) in enumerate(zip(merged.items, merged.sizes, strict=True)):
        items[:, column] = np.append(codes, [-1] * (size - len(codes)))[made[:, column]]
    items.sort(axis=1)
    there, each = items >= 0, total / len(made)
    starts = np.concatenate([[0], np.cumsum(there.sum(axis=1))])
    synthetic = Baskets(data.labels, items[there], starts, data.columns)
    levels = []
    for level in frequent(synthetic, max(1, ceil(least / each)), longest, most):
        sets = np.sort(level.items, axis=1)
        levels.append(
            ReleasedCandidates(
                sets, exact_counts(data, sets), np.asarray(level.counts * each, float), np.ones(len(sets), bool)
            )
        )
    return tuple(levels)
