"""Where the columns of sets of a table come from: lines, pairs of a person and an item, boxes to tick, all columns."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore.baskets import Baskets
from ldpcore.data import baskets, histogram, of_table

ITEMS, ALL_COLUMNS = "items", "all columns"
"""Names of the columns of sets that have no name of their own."""
SIZE = "basket size"
"""Name of the column that counts each basket's items, where a file is a list of transactions."""


class SetSource(Protocol):
    """Where a column of sets comes from."""

    def collect(self, frame: pd.DataFrame) -> Baskets:
        """The baskets, from the table's own columns."""
        ...


@dataclass(frozen=True)
class Lines:
    """One transaction per line: already collected."""

    baskets: Baskets

    def collect(self, frame: pd.DataFrame) -> Baskets:
        return self.baskets


@dataclass(frozen=True)
class Pairs:
    """A long table: a row for every item of a person."""

    user: str
    item: str
    category: str | None = None
    description: str | None = None

    @property
    def name(self) -> str:
        return f"{self.item} by {self.user}"

    def collect(self, frame: pd.DataFrame) -> Baskets:
        return of_table.of_pairs(frame, self.user, self.item, self.category, self.description)


@dataclass(frozen=True)
class OneHot:
    """A column for every item, yes or no. yes: the word for it, None for the English one or 1; words: pairs of a column
    and its own word.
    """

    columns: tuple[str, ...]
    yes: str | None = None
    words: tuple[tuple[str, str], ...] = ()

    def collect(self, frame: pd.DataFrame) -> Baskets:
        return of_table.of_one_hot(frame[list(self.columns)], self.yes, dict(self.words))


@dataclass(frozen=True)
class AllColumns:
    """Every answer of an ordinary table as an item "column = value"."""

    columns: tuple[str, ...]

    def collect(self, frame: pd.DataFrame) -> Baskets:
        return of_table.of_columns(frame[list(self.columns)])


@dataclass(frozen=True, eq=False)
class DescribedBaskets:
    """Baskets whose items another file describes: their categories, and names to call them by."""

    source: SetSource
    groups: Mapping[str, tuple[str, ...]]
    names: Mapping[str, str]

    @classmethod
    def over(
        cls, source: SetSource, groups: Mapping[str, Iterable[str]], names: Mapping[str, str]
    ) -> "DescribedBaskets":
        """In the place of an earlier description."""
        return cls(undescribed(source) or source, {name: tuple(items) for name, items in groups.items()}, dict(names))

    def collect(self, frame: pd.DataFrame) -> Baskets:
        return baskets.described(self.source.collect(frame), self.groups, self.names)


def collected(source: SetSource, frame: pd.DataFrame, weights: tuple[str, NDArray[np.float64]] | None) -> Baskets:
    """The baskets; where each row is a person, with what that row counts for. DataError: all weights are 0."""
    found = source.collect(frame)
    if weights is None or isinstance(undescribed(source), Pairs | Lines):
        return found
    column, values = histogram.weights_of(weights, np.ones(len(frame), bool))
    return replace(found, weights=values, weighted_by=column)


def undescribed(source: SetSource | None) -> SetSource | None:
    """Where the baskets come from, whatever describes their items."""
    return source.source if isinstance(source, DescribedBaskets) else source
