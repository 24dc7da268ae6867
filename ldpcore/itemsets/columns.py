"""A table behind baskets: one row per person, one column per question, its values merged where too few hold them.

The rows are those of people with any item. An item is a value of its column, everything else that a person may have
there (nothing, or a value that is not kept) one value more, the rest, which is never published. Where no columns are
known every item is a column of its own: held or not (theory/itemsets#tables).
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ldpcore.baskets import Baskets
from ldpcore.marginals.fitting import Pair

MOST_ITEMS = 64
"""Baskets of more different items are no table of yes and no."""
Vector = NDArray[np.float64]


class NoTables(ValueError):
    """Baskets of so many different items have no tables that could be fitted."""


@dataclass(frozen=True, eq=False)
class Rows:
    """codes (people, d): the value of each column, −1 for none of them; items: the item of each value, by column."""

    codes: NDArray[np.int32]
    items: tuple[NDArray[np.int32], ...]

    @property
    def d(self) -> int:
        return len(self.items)

    def count(self, column: int) -> Vector:
        """People by value, those with none last: (values + 1,). One person counts once."""
        size = len(self.items[column]) + 1
        return np.bincount(self.codes[:, column] % size, minlength=size).astype(float)

    def merged(self, kept: list[NDArray[np.intp]], rest: list[bool]) -> "Merged":
        """Only these values of each column; the others are its rest where it has one, else they count nowhere."""
        codes = np.empty((len(self.codes), self.d), np.int32)
        for place, (values, more) in enumerate(zip(kept, rest, strict=True)):
            new = np.full(len(self.items[place]) + 1, len(values) if more else -1, np.int32)
            new[values] = np.arange(len(values))
            codes[:, place] = new[self.codes[:, place]]
        used = [place for place, values in enumerate(kept) if len(values)]
        sizes = tuple(len(kept[place]) + rest[place] for place in used)
        return Merged(
            np.asfortranarray(codes[:, used]),
            sizes,
            tuple(self.items[place][kept[place]] for place in used),
            tuple(used),
        )


@dataclass(frozen=True, eq=False)
class Merged:
    """codes (people, d), −1 where a person counts nowhere; sizes: values of each column; items: of all but the rest;
    origin: which columns of the table these are."""

    codes: NDArray[np.int32]
    sizes: tuple[int, ...]
    items: tuple[NDArray[np.int32], ...]
    origin: tuple[int, ...]

    def table(self, pair: Pair) -> Vector:
        """People by the values of two columns: one person counts in one cell at most."""
        a, b = (self.codes[:, place].astype(np.intp) for place in pair)
        shape = self.sizes[pair[0]], self.sizes[pair[1]]
        if not self._everywhere[list(pair)].all():
            both = (a >= 0) & (b >= 0)
            a, b = a[both], b[both]
        a *= shape[1]
        a += b
        return np.bincount(a, minlength=shape[0] * shape[1]).reshape(shape).astype(float)

    @cached_property
    def _everywhere(self) -> NDArray[np.bool_]:
        """Whether everybody counts somewhere in each column."""
        return np.asarray((self.codes >= 0).all(axis=0))


def refusal(data: Baskets) -> str:
    """Why these baskets have no tables, in a sentence that says what to do; "" where they have."""
    if data.columns is not None or data.k <= MOST_ITEMS:
        return ""
    return (
        f"it fits the columns of a table, or baskets of at most {MOST_ITEMS} different items, and these have {data.k} "
        "items and no columns; choose a table in which everybody answers the same questions, or another miner"
    )


def rows(data: Baskets) -> Rows:
    """The table behind these baskets. NoTables where there is none; ValueError where somebody has two values in one."""
    if why := refusal(data):
        raise NoTables(f"there are no tables to fit: {why}")
    columns = np.arange(data.k) if data.columns is None else data.columns
    names, column = np.unique(columns, return_inverse=True)
    items = tuple(np.flatnonzero(column == place).astype(np.int32) for place in range(len(names)))
    value = np.empty(data.k, np.int32)
    for members in items:
        value[members] = np.arange(len(members))
    who, where = data.people, column[data.codes]
    if np.bincount(who.astype(np.int64) * len(names) + where).max(initial=0) > 1:
        raise ValueError("a person has two values of one column; in a table everybody has one, or none")
    codes = np.full((data.n, len(names)), -1, np.int32)
    codes[who, where] = value[data.codes]
    return Rows(codes[data.lengths > 0], items)


def kept_values(counts: list[Vector], sd: float, least: int) -> tuple[list[NDArray[np.intp]], list[bool]]:
    """From noisy counts alone: which values of each column may be frequent, and whether its others are some at all.

    A value stays within one standard deviation below `least`.
    """
    kept = [np.flatnonzero(count[:-1] >= least - sd) for count in counts]
    return kept, [_others(count, values, sd) for count, values in zip(counts, kept, strict=True)]


def _others(count: Vector, kept: NDArray[np.intp], sd: float) -> bool:
    left = np.delete(count, kept)
    return bool(left.sum() > sd * np.sqrt(len(left)))
