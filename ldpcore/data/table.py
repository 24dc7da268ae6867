"""A table of people's answers: what its columns hold, and the histogram of one of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore import checks
from ldpcore.baskets import Baskets
from ldpcore.data import columns, items, numbers, sentinels
from ldpcore.data import dictionary as dictionaries
from ldpcore.data.assumptions import Assumption
from ldpcore.data.card import DatasetCard
from ldpcore.data.columns import MAX_VALUES, TEXT_ROLES, Column, tidy
from ldpcore.data.errors import DataError, plural, thousands
from ldpcore.data.layout import DescribedBaskets, SetSource
from ldpcore.data.numbers import Reading
from ldpcore.data.options import ReadOptions
from ldpcore.data.profile import ColumnProfile, profile
from ldpcore.data.sentinels import Sentinel
from ldpcore.domain import Categorical, Interval
from ldpcore.memory import Remembering

Missing = Literal["any", "column", "category"]
MISSING = ("any", "column", "category")
MISSING_LABEL = "(missing)"


@dataclass(frozen=True, eq=False)
class Histogram(Remembering):
    """How many people gave each answer: counts (k,) of n people; dropped and clipped say whom the choices touched."""

    domain: Categorical
    counts: NDArray[np.int64]
    n: int
    dropped: int
    clipped: int = 0


@dataclass(frozen=True, eq=False)
class Table:
    """One row per person. Build it with ldpcore.data.read or load.

    frame: each column is a pandas Categorical of text in its order (up to 1000 distinct values), else int64 or float64,
    else str; a missing answer is NaN. orders: the columns whose order is known, not merely natural. digest: SHA-256 of
    the unpacked file. notes: plain sentences on what was recognised. sets: the columns of sets, which
    stand beside the frame, and where each comes from. reading: how numbers are read that can be read in two ways.
    typed: the columns that are numbers in the file itself, where a point can mean nothing else. missing: values that
    somebody declared to be no answers, by column; before: the table without that. options: how the file was to be read;
    assumptions: what was decided beyond that and could change a number, the most harmful first. texts: what columns
    are called in words, where the file has a question's text beside its name.
    """

    name: str
    digest: str
    frame: pd.DataFrame
    notes: tuple[str, ...] = ()
    card: DatasetCard | None = None
    orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sets: Mapping[str, SetSource] = field(default_factory=dict)
    reading: Reading = field(default_factory=Reading)
    typed: frozenset[str] = frozenset()
    missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    before: "Table | None" = None
    options: ReadOptions = field(default_factory=ReadOptions)
    assumptions: tuple[Assumption, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)

    def profile(self) -> tuple[ColumnProfile, ...]:
        """What each column holds; computed once."""
        return self._profile

    @cached_property
    def profiles(self) -> Mapping[str, ColumnProfile]:
        """The same by the columns' names."""
        return {each.name: each for each in self._profile}

    def categorical(self, column: str, missing: Missing = "any") -> Histogram:
        """The histogram of a column's values, in their order.

        missing: "any" leaves out the rows incomplete in any column, "column" those in this column, "category" counts a
        missing answer as the value "(missing)". The domain is every value of the file, whoever is left out, so that
        marks stay valid. DataError: no such column, over 1000 values, a single value, nobody left.
        """
        series = self._column(column)
        if not isinstance(series.dtype, pd.CategoricalDtype):
            raise self._too_many(column, series)
        codes = series.cat.codes.to_numpy(np.int64)
        labels = tuple(series.cat.categories)
        keep = self._keep(series, missing)
        if missing == "category" and not keep.all():
            labels, codes, keep = self._with_missing(labels, codes)
        if len(labels) < 2:
            raise DataError(
                f"“{column}” has {'a single value, “' + labels[0] + '”' if labels else 'no value'}.",
                "Where everybody answers the same there is nothing to estimate and nothing to hide. "
                "Choose another column.",
            )
        n = self._somebody(column, keep)
        counts = np.bincount(codes[keep], minlength=len(labels)).astype(np.int64)
        return Histogram(Categorical(labels), counts, n, len(keep) - n)

    def binned(self, column: str, low: float, high: float, bins: int, missing: Missing = "any") -> Histogram:
        """The histogram of a column of numbers over equal bins of the public range [low, high] (in its units).

        Numbers outside count in the first or last bin, and in .clipped. A code that is no number is missing.
        """
        try:
            interval = Interval(low, high)
            _, domain = interval.bins(bins)
        except (TypeError, ValueError) as error:
            raise DataError(f"“{column}” cannot be cut into these bins.", f"{error}.") from error
        x, keep = self._numbers(column, missing)
        counts = np.bincount(interval.cells(x[keep], domain.k), minlength=domain.k).astype(np.int64)
        if missing == "category" and not keep.all():
            domain = Categorical((*domain.labels, MISSING_LABEL))
            counts = np.append(counts, np.count_nonzero(~keep))
        n = int(counts.sum())
        return Histogram(domain, counts, n, len(x) - n, interval.outside(x[keep]))

    def numbers(self, column: str, missing: Missing = "any") -> NDArray[np.float64]:
        """The numbers of a column, (n,) float64, in its units; rows without one are left out under every choice."""
        x, keep = self._numbers(column, missing)
        return x[keep]

    def baskets(self, column: str) -> Baskets:
        """The baskets of a column of sets (one of `self.sets`); computed once. DataError: no such column, no basket."""
        if column not in self.sets:
            raise DataError(
                f"“{self.name}” has no baskets called “{column}”.",
                f"It has {', '.join(f'“{name}”' for name in self.sets)}. Choose one of them."
                if self.sets
                else "Nothing in it looks like several items per person. Choose how the file is to be read.",
            )
        if column not in self._baskets:
            self._baskets[column] = self.sets[column].collect(self.frame)
        return self._baskets[column]

    def sentinels(self) -> tuple[Sentinel, ...]:
        """What may stand for no answer: "unknown", and numbers such as 999 far from all others; computed once."""
        return self._sentinels

    def with_missing(self, missing: Mapping[str, Iterable[str]]) -> "Table":
        r"""The table in which these values, column → texts or numbers, are no answers; {} takes that back.

        It is as if their cells were empty in the file. The digest changes with them. DataError: a column or a value
        that is not there.

        >>> from ldpcore.data import read
        >>> table = read(b"age,city\n34,Rome\n51,Oslo\n999,Rome\n999,Oslo\n", "people.csv")
        >>> [(each.column, each.value, each.rows) for each in table.sentinels()]
        [('age', '999', 2)]
        >>> told = table.with_missing({"age": ["999"]})
        >>> told.categorical("age", "column").domain.labels, told.digest == table.digest
        (('34', '51'), False)
        """
        base, declared = self.before or self, {name: tuple(values) for name, values in missing.items() if values}
        if declared == self.missing:
            return self
        if not declared:
            return base
        tidied = {name: base._without(name, values) for name, values in declared.items()}
        frame = base.frame.assign(**{name: column.series for name, column in tidied.items()})
        orders = {**base.orders, **{name: column.known for name, column in tidied.items() if column.known}}
        digest = dictionaries.digest(base.digest, {name: dict.fromkeys(declared[name], "") for name in declared})
        return replace(base, frame=frame, orders=orders, digest=digest, missing=declared, before=base)

    def with_groups(self, groups: Mapping[str, Iterable[str]], labels: Mapping[str, str] | None = None) -> "Table":
        """The table whose baskets know these categories of their items, and call items by these labels.

        The digest changes where labels do, since marks refer to them; categories change no result.
        """
        if self.before is not None:
            return self.before.with_groups(groups, labels).with_missing(self.missing)
        sets = {name: DescribedBaskets.over(source, groups, labels or {}) for name, source in self.sets.items()}
        digest = dictionaries.digest(self.digest, {"items": labels}) if labels else self.digest
        return replace(self, sets=sets, digest=digest)

    def with_items(self, info: "Table") -> "Table":
        """The table whose baskets know the categories and names that another table has for their items.

        DataError: no baskets, or no column of the other table that calls the items as they do.
        """
        name = next(iter(self.sets), None)
        if name is None:
            raise DataError(f"“{self.name}” has no baskets to describe.", "Choose how the file is to be read first.")
        held = self.baskets(name)
        said = items.describe(info.frame, held, info.name)
        note = (
            f"{thousands(said.found)} of {plural(held.k, 'item')} are described in “{info.name}”: "
            f"{plural(len(said.groups), 'category')}.".replace("categorys", "categories")
        )
        return replace(self.with_groups(said.groups, said.names), notes=(*self.notes, note))

    def with_labels(self, dictionary: Mapping[str, Mapping[str, str]]) -> "Table":
        """The table with labels in the place of codes, in the dictionary's order. See ldpcore.data.labels.

        Codes that the dictionary does not name stay and come last. The digest changes with the labels, since marks and
        cached results refer to them.
        """
        if self.before is not None:
            codes = {name: dictionary.get(name, {}) for name in self.missing}
            called = {name: [codes[name].get(each, each) for each in told] for name, told in self.missing.items()}
            return self.before.with_labels(dictionary).with_missing(called)
        frame, orders, note = dictionaries.apply(self.frame, dictionary)
        digest = dictionaries.digest(self.digest, dictionary)
        return replace(self, frame=frame, digest=digest, notes=(*self.notes, note), orders={**self.orders, **orders})

    @cached_property
    def _no_numbers(self) -> set[str]:
        """Columns that are known to be text."""
        return set()

    @cached_property
    def _sizes(self) -> dict[str, list[NDArray[np.float64]]]:
        """What the labels of a category are worth, once that is known: it is asked for many times."""
        return {}

    @cached_property
    def _baskets(self) -> dict[str, Baskets]:
        return {}

    @cached_property
    def _profile(self) -> tuple[ColumnProfile, ...]:
        told = {name: self.options.of(name).role for name in self.frame.columns}
        return tuple(profile(name, self._column(name), self.values(name), told[name]) for name in self.frame.columns)

    @cached_property
    def _sentinels(self) -> tuple[Sentinel, ...]:
        usable = [about.name for about in self.profile() if about.role != "identifier"]
        return tuple(each for name in usable for each in sentinels.found(name, self._column(name), self.values(name)))

    def _without(self, column: str, values: tuple[str, ...]) -> Column:
        """A column with nothing in the rows that hold one of these values."""
        cells = sentinels.emptied(self._column(column), self.values(column), values)
        told = self.options.with_column(column, missing=(), recode=())  # they are gone already
        return tidy(column, cells, self.orders.get(column), self._reading(column), told)

    @cached_property
    def _complete(self) -> NDArray[np.bool_]:
        """Which rows (n,) have an answer in every column."""
        out = np.ones(len(self.frame), bool)
        for name in self.frame.columns:
            out &= self.frame[name].notna().to_numpy()
        return out

    def _column(self, column: str) -> pd.Series:
        if column not in self.frame.columns:
            raise DataError(
                f"“{self.name}” has no column “{column}”.",
                f"Its columns are {checks.name_list(self.frame.columns, 20)}. Choose one of them.",
            )
        return pd.Series(self.frame[column])

    def _keep(self, series: pd.Series, missing: str) -> NDArray[np.bool_]:
        """Which rows (n,) count."""
        if missing not in MISSING:
            raise DataError(f"“{missing}” is no way to treat missing answers.", f"Choose one of {', '.join(MISSING)}.")
        return self._complete if missing == "any" else series.notna().to_numpy()

    def _somebody(self, column: str, keep: NDArray[np.bool_]) -> int:
        n = int(np.count_nonzero(keep))
        if n == 0:
            raise DataError(
                f"Nobody is left in “{column}”.",
                "Every row misses an answer. Leave out only the rows that miss this column, or count a missing answer "
                "as a value of its own.",
            )
        return n

    def _with_missing(
        self, labels: tuple[str, ...], codes: NDArray[np.integer]
    ) -> tuple[tuple[str, ...], NDArray[np.signedinteger], NDArray[np.bool_]]:
        label = MISSING_LABEL
        while label in labels:  # a file may use these very words
            label += "*"
        return (*labels, label), np.where(codes < 0, len(labels), codes.astype(np.int32)), np.ones(len(codes), bool)

    def _too_many(self, column: str, series: pd.Series) -> DataError:
        count = thousands(int(series.nunique()))
        if self.values(column) is not None:
            return DataError(
                f"“{column}” has {count} different numbers.",
                f"A category has at most {thousands(MAX_VALUES)} values. Use it as a number, with a range and bins.",
            )
        return DataError(
            f"“{column}” has {count} different values and looks like an identifier.",
            f"A category has at most {thousands(MAX_VALUES)} values. Choose another column.",
        )

    def _numbers(self, column: str, missing: str) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """All rows' numbers (n,), NaN where there is none, and which rows count as numbers."""
        keep = self._keep(self._column(column), missing)
        x = self.values(column)
        if x is None:
            raise DataError(
                f"“{column}” holds text, not numbers.", "Use it as a category, or choose a column of numbers."
            )
        keep = keep & ~np.isnan(x)
        self._somebody(column, keep)
        return x, keep

    def values(self, column: str) -> NDArray[np.float64] | None:
        """The numbers behind a column (n,), NaN where there is none; None for a column of text."""
        series = self._column(column)
        if column in self._no_numbers or self.options.of(column).role in TEXT_ROLES:
            return None
        values = numbers.of_series(series, self._reading(column), self._sizes.setdefault(column, []))
        if values is None:
            self._no_numbers.add(column)
        return values

    def _reading(self, column: str) -> Reading:
        """How the numbers of a column are read."""
        usual = Reading() if column in self.typed else self.reading
        return columns.reading_of(column, usual, self.options)
