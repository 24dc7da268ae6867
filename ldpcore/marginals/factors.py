"""A joint as a product of factors of few columns each: its margins without its cells.

Summing a product over a column needs only the factors that have it (variable elimination: Zhang, Poole 1994): two
factors at a time are multiplied and summed over the columns that no other has, which is a product of matrices.
"""

from collections.abc import Collection, Sequence
from itertools import combinations
from math import prod

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Factor = tuple[tuple[int, ...], Vector]
"""Columns, and a number for each combination of their values: one axis for each column."""


def summed(factors: Sequence[Factor], kept: Sequence[int]) -> Vector:
    """The product of the factors, summed over all columns but the `kept`: an axis for each of these, of length 1 for
    one that no factor has.

    >>> import numpy as np
    >>> summed([((0, 1), np.array([[1.0, 2.0], [3.0, 4.0]])), ((1, 2), np.array([[1.0, 1.0], [0.0, 5.0]]))], [0])
    array([12., 26.])
    """
    waiting = list(factors) or [((), np.ones(()))]
    while len(waiting) > 1:
        results = {two: _needed(waiting, two, kept) for two in combinations(range(len(waiting)), 2)}
        first, second = min(results, key=lambda two: _cells(waiting, two, results[two]))
        made = _multiplied(waiting[first], waiting[second], results[first, second])
        waiting = [each for place, each in enumerate(waiting) if place not in (first, second)] + [made]
    columns, factor = _over(waiting[0], kept)
    there = [column for column in kept if column in columns]
    ordered = factor.transpose([columns.index(column) for column in there])
    return np.expand_dims(ordered, tuple(place for place, column in enumerate(kept) if column not in columns))


def product(factors: Sequence[Factor], columns: Sequence[int]) -> Vector:
    """Every cell: an axis for each of the columns, which are all that any factor has, ascending."""
    sizes = {column: size for each, factor in factors for column, size in zip(each, factor.shape, strict=True)}
    out = np.ones([sizes[column] for column in columns])
    for each, factor in factors:
        out *= np.expand_dims(factor, tuple(place for place, column in enumerate(columns) if column not in each))
    return out


def _needed(waiting: Sequence[Factor], two: tuple[int, int], kept: Collection[int]) -> set[int]:
    """The columns of these two that are kept or that another factor has."""
    others = {column for place, (columns, _) in enumerate(waiting) if place not in two for column in columns}
    return {*waiting[two[0]][0], *waiting[two[1]][0]} & (others | set(kept))


def _cells(waiting: Sequence[Factor], two: tuple[int, int], needed: Collection[int]) -> int:
    """How many cells the product of these two has."""
    sizes = {
        column: size for place in two for column, size in zip(waiting[place][0], waiting[place][1].shape, strict=True)
    }
    return prod(sizes[column] for column in needed)


def _over(factor: Factor, needed: Collection[int]) -> Factor:
    """The factor, summed over the columns that are not needed."""
    columns, numbers = factor
    away = tuple(place for place, column in enumerate(columns) if column not in needed)
    return tuple(column for column in columns if column in needed), numbers.sum(axis=away) if away else numbers


def _multiplied(one: Factor, other: Factor, needed: Collection[int]) -> Factor:
    """The product of two factors, summed over the columns that are not needed: matrices, one for each combination of
    values of the needed columns that both have.
    """
    (a, left), (b, right) = _over(one, {*needed, *other[0]}), _over(other, {*needed, *one[0]})
    shared = [column for column in a if column in b and column in needed]
    inner = [column for column in a if column in b and column not in needed]
    down, across = [column for column in a if column not in b], [column for column in b if column not in a]
    sizes = dict(zip(a, left.shape, strict=True)) | dict(zip(b, right.shape, strict=True))

    def matrices(columns: tuple[int, ...], numbers: Vector, *parts: list[int]) -> Vector:
        order = [columns.index(column) for part in parts for column in part]
        return numbers.transpose(order).reshape([prod(sizes[column] for column in part) for part in parts])

    made = matrices(a, left, shared, down, inner) @ matrices(b, right, shared, inner, across)
    columns = (*shared, *down, *across)
    return columns, made.reshape([sizes[column] for column in columns])
