"""A table of people's answers: what its columns hold, and the histogram of one of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore import checks
from ldpcore.baskets import Baskets
from ldpcore.data import columns, framing, histogram, items, numbers, sentinels, weighing
from ldpcore.data import dictionary as dictionaries
from ldpcore.data.assumptions import Assumption
from ldpcore.data.card import DatasetCard
from ldpcore.data.columns import TEXT_ROLES, Column, tidy
from ldpcore.data.errors import DataError, plural, thousands
from ldpcore.data.histogram import MISSING_LABEL, Histogram, Missing
from ldpcore.data.numbers import Reading
from ldpcore.data.options import ReadOptions
from ldpcore.data.profile import ColumnProfile, profile
from ldpcore.data.sentinels import Sentinel
from ldpcore.data.set_sources import DescribedBaskets, Pairs, SetSource, collected, undescribed
from ldpcore.domain import Categorical, Interval


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
            raise histogram.too_many(column, int(series.nunique()), self.values(column) is not None)
        labels, codes = tuple(series.cat.categories), series.cat.codes.to_numpy(np.int64)
        return histogram.of_codes(column, labels, codes, self._keep(series, missing), missing, self.weights)

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
        weighing = None
        if self.weights is not None:
            cells = np.full(len(x), domain.k - 1)
            cells[keep] = interval.cells(x[keep], bins)
            who = np.ones(len(x), bool) if missing == "category" else keep
            weighing = histogram.weighed(self.weights, who, cells, domain.k)
        return Histogram(domain, counts, n, len(x) - n, interval.outside(x[keep]), weighing)

    def numbers(self, column: str, missing: Missing = "any") -> NDArray[np.float64]:
        """The numbers of a column, (n,) float64, in its units; rows without one are left out under every choice."""
        x, keep = self._numbers(column, missing)
        return x[keep]

    def number_weights(self, column: str, missing: Missing = "any") -> tuple[str, NDArray[np.float64]] | None:
        """The column of weights, and those (n,) of the rows that `numbers` has; None where nobody chose one."""
        return self.weights and histogram.weights_of(self.weights, self._numbers(column, missing)[1])

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
            self._baskets[column] = collected(self.sets[column], self.frame, self.weights)
        return self._baskets[column]

    def rows_of_one(self, column: str = "") -> int:
        r"""The most rows that one person has, where it is known whose they are: each is a report about this column with
        an ε, and that of the person is their sum. 1 where rows are people, or where a column of sets has all of one's.

        >>> from ldpcore.data import ReadOptions, read
        >>> visits = b"who,mood\nann,good\nann,bad\nbob,good\nann,good\n"
        >>> table = read(visits, "v.csv", ReadOptions().with_column("who", role="person"))
        >>> table.rows_of_one("mood"), read(visits, "v.csv").rows_of_one("mood")
        (3, 1)
        """
        if isinstance(undescribed(self.sets.get(column)), Pairs):
            return 1
        return self._most_rows

    @cached_property
    def weights(self) -> tuple[str, NDArray[np.float64]] | None:
        """The chosen column of weights, and all rows' weights (n,), in classes where that was asked for, or None."""
        column = framing.weight_of(map(str, self.frame.columns), self.options)
        values = None if column is None else self.values(column)
        if column is None or values is None:
            return None
        classes, values = self.options.of(column).classes, np.nan_to_num(values)
        return column, values if classes is None else weighing.rounded(values, classes)

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
        baskets = self.baskets(name)
        described = items.describe(info.frame, baskets, info.name)
        note = (
            f"{thousands(described.found)} of {plural(baskets.k, 'item')} are described in “{info.name}”: "
            f"{plural(len(described.groups), 'category')}.".replace("categorys", "categories")
        )
        return replace(self.with_groups(described.groups, described.names), notes=(*self.notes, note))

    def with_labels(self, dictionary: Mapping[str, Mapping[str, str]]) -> "Table":
        """The table with labels in the place of codes, in the dictionary's order. See ldpcore.data.labels.

        Codes that the dictionary does not name stay and come last. The digest changes with the labels, since marks and
        cached results refer to them.
        """
        if self.before is not None:
            codes = {name: dictionary.get(name, {}) for name in self.missing}
            called = {name: [codes[name].get(each, each) for each in values] for name, values in self.missing.items()}
            return self.before.with_labels(dictionary).with_missing(called)
        frame, orders, note = dictionaries.apply(self.frame, dictionary)
        digest = dictionaries.digest(self.digest, dictionary)
        return replace(self, frame=frame, digest=digest, notes=(*self.notes, note), orders={**self.orders, **orders})

    @cached_property
    def _most_rows(self) -> int:
        people = {name for name in map(str, self.frame.columns) if self.options.of(name).role == "person"}
        people |= {each.user for source in self.sets.values() if isinstance(each := undescribed(source), Pairs)}
        return max((int(self.frame[name].value_counts().max()) for name in people), default=1)

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
        roles = {name: self.options.of(name).role for name in self.frame.columns}
        return tuple(profile(name, self._column(name), self.values(name), roles[name]) for name in self.frame.columns)

    @cached_property
    def _sentinels(self) -> tuple[Sentinel, ...]:
        usable = [about.name for about in self.profile() if about.role not in ("identifier", "weight")]
        return tuple(each for name in usable for each in sentinels.found(name, self._column(name), self.values(name)))

    def _without(self, column: str, values: tuple[str, ...]) -> Column:
        """A column with nothing in the rows that hold one of these values."""
        cells = sentinels.emptied(self._column(column), self.values(column), values)
        options = self.options.with_column(column, missing=(), recode=())  # they are gone already
        return tidy(column, cells, self.orders.get(column), self._reading(column), options)

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
        histogram.check_missing(missing)
        return self._complete if missing == "any" else series.notna().to_numpy()

    def _numbers(self, column: str, missing: str) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """All rows' numbers (n,), NaN where there is none, and which rows count as numbers."""
        keep = self._keep(self._column(column), missing)
        x = self.values(column)
        if x is None:
            raise DataError(
                f"“{column}” holds text, not numbers.", "Use it as a category, or choose a column of numbers."
            )
        keep = keep & ~np.isnan(x)
        histogram.somebody(column, keep)
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
        return columns.reading_of(column, Reading() if column in self.typed else self.reading, self.options)
