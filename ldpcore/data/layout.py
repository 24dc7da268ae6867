"""How a table holds baskets: where each column of sets comes from, and what can be recognised of it.

Recognition is a proposal. What was recognised stands in the table's notes, and ReadOptions.layout overrules it.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pandas as pd

from ldpcore.baskets import Baskets
from ldpcore.data import baskets, cells, long_table, of_table, profile, yes_words
from ldpcore.data.cells import SeveralAnswers
from ldpcore.data.errors import DataError, plural
from ldpcore.data.options import ReadOptions

ITEMS, ALL_COLUMNS = "items", "all columns"
"""Names of the columns of sets that have no name of their own."""
SIZE = "basket size"
"""Name of the column that counts each basket's items, where a file is a list of transactions."""

_USER = re.compile(
    r"(user|customer|client|member|person|household|patient|visitor|reader|viewer|session|basket|cart|order|invoice|"
    r"transaction|receipt)([ _-]?(id|no|nr|num|number|key|code))?s?",
    re.IGNORECASE,
)
_ITEM = re.compile(
    r"(item|product|article|stock[ _-]?code|stock|movie|film|anime|book|song|track|artist|game|page|place|venue|url|"
    r"site|drug|diagnosis|course|app)([ _-]?(id|no|nr|num|number|key|code|name|title))?s?",
    re.IGNORECASE,
)
_DESCRIPTION = re.compile(r"(item|product)?[ _-]?(description|title|name)", re.IGNORECASE)
_CATEGORY = re.compile(
    r"(item|product)?[ _-]?(category|categories|genre|genres|department|aisle|section|group)", re.IGNORECASE
)
MIN_ONE_HOT = 5
"""Fewer columns of yes and no are answers of their own, not a basket."""


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
    """A column for every item, yes or no. yes: the word for it, None for the English one or 1."""

    columns: tuple[str, ...]
    yes: str | None = None

    def collect(self, frame: pd.DataFrame) -> Baskets:
        return of_table.of_one_hot(frame[list(self.columns)], self.yes)


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
        base = source.source if isinstance(source, DescribedBaskets) else source
        return cls(base, {name: tuple(items) for name, items in groups.items()}, dict(names))

    def collect(self, frame: pd.DataFrame) -> Baskets:
        return baskets.described(self.source.collect(frame), self.groups, self.names)


def recognise(
    frame: pd.DataFrame, categories: tuple[str, ...], options: ReadOptions, differ: Mapping[str, int] | None = None
) -> Mapping[str, SetSource]:
    """The columns of sets of a table that is no list of transactions. DataError where the options do not fit it.

    categories: the columns that are categories by default. differ: how many values each column has, where it is known.
    """
    if options.layout == "pairs" or (options.layout is None and (options.user or options.item)):
        pairs = _wanted_pairs(frame, options)
        return {pairs.name: pairs}
    if options.layout == "one-hot":
        return {ITEMS: _wanted_one_hot(frame, options)}
    several = _several_answers(frame, options)
    if options.layout is None:
        pairs = recognised_pairs(frame, differ)
        if pairs is not None:
            return {**several, pairs.name: pairs}
        boxes = _one_hot(frame, options)
        if boxes is not None and not (
            options.blank == "missing" and frame[list(boxes.columns)].isna().to_numpy().any()
        ):
            return {**several, ITEMS: boxes}
    rest = tuple(name for name in categories if name not in several)
    return {**several, **({ALL_COLUMNS: AllColumns(rest)} if len(rest) > 1 else {})}


def _several_answers(frame: pd.DataFrame, options: ReadOptions) -> dict[str, SetSource]:
    """The columns whose cells hold several answers each: said, or recognised."""
    out: dict[str, SetSource] = {}
    for name in map(str, frame.columns):
        own = options.of(name)
        separator = cells.recognised(frame[name]) if own.inside is None and not own.order else own.inside
        if separator:
            out[name] = SeveralAnswers(name, separator)
    return out


def _wanted_one_hot(frame: pd.DataFrame, options: ReadOptions) -> OneHot:
    columns = one_hot_columns(frame)
    found = None if columns and options.yes is None else _one_hot(frame, options, fewest=1)
    if not columns and found is None:
        raise DataError(
            "These columns are no items.",
            "For one column per item, each must hold only 0 and 1, or only true and false, or two other answers of "
            "which one is the word for yes. Read it in another way.",
        )
    return found or OneHot(columns)


def _one_hot(frame: pd.DataFrame, options: ReadOptions, fewest: int = MIN_ONE_HOT) -> OneHot | None:
    """The columns of one basket: nearly all, or those whose names begin alike, with the same two answers."""
    columns = one_hot_columns(frame, 1)
    if options.yes is None and len(columns) >= fewest and len(columns) >= frame.shape[1] - 1:
        return OneHot(columns)
    held = two_answers(frame, options.yes)
    if options.yes is None:  # of columns of 1 and 0 nearly all must be some, as was asked above
        held = {answers: columns for answers, columns in held.items() if not answers <= baskets.YES | baskets.NO}
    if not held:
        return None
    answers, columns = max(held.items(), key=lambda entry: len(entry[1]))
    if len(columns) < fewest or not (len(columns) >= frame.shape[1] - 1 or _begin_alike(columns) or fewest == 1):
        return None
    return OneHot(columns, options.yes or yes_words.yes_of(answers))


def two_answers(frame: pd.DataFrame, yes: str | None = None) -> dict[frozenset[str], tuple[str, ...]]:
    """Pairs of answers that say yes and no, or of which one is this yes → the columns with nothing else."""
    out: dict[frozenset[str], tuple[str, ...]] = {}
    for name in map(str, frame.columns):
        column = frame[name]
        if isinstance(column.dtype, pd.CategoricalDtype) and 1 <= len(column.cat.categories) <= 2:
            answers = frozenset(str(label).casefold() for label in column.cat.categories.tolist())
            pair = next((each for each in out if answers <= each), answers)
            if (yes.casefold() in pair) if yes else yes_words.yes_of(pair) is not None:
                out[pair] = (*out.get(pair, ()), name)
    return out


def _begin_alike(columns: tuple[str, ...]) -> bool:
    """Do the names share how they begin, as those of one question's boxes do?"""
    first, last = min(columns), max(columns)
    same = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), 0)
    return same >= 4


def said(sets: Mapping[str, SetSource]) -> list[str]:
    """The notes on what was recognised; none on an ordinary table."""
    out = []
    for name, source in sets.items():
        if isinstance(source, Pairs):
            extra = [f"their categories are in “{source.category}”"] if source.category else []
            extra += [f"their descriptions in “{source.description}”"] if source.description else []
            out.append(
                f"Every row looks like one item of a basket: “{name}” puts together the “{source.item}” of each "
                f"“{source.user}”" + (f"; {' and '.join(extra)}." if extra else ".")
            )
        elif isinstance(source, OneHot):
            out.append(f"“{name}”: {plural(len(source.columns), 'column')} of yes and no, read as one basket per row.")
    return out


def is_description(column: str) -> bool:
    """Is a column of this name likely to hold an item's name in words?"""
    return bool(_DESCRIPTION.fullmatch(column.strip()))


def one_hot_columns(frame: pd.DataFrame, others: int | None = None) -> tuple[str, ...]:
    """The columns that hold nothing but yes and no, in one spelling each. others: () with more columns than that."""
    out = []
    for at, name in enumerate(frame.columns):
        if others is not None and at - len(out) > others:
            return ()
        column = frame[name]
        if not isinstance(column.dtype, pd.CategoricalDtype):  # too many values, and all of them would be looked for
            continue
        codes = np.flatnonzero(np.bincount(column.cat.codes.to_numpy()[column.notna()], minlength=1))
        values = {str(column.cat.categories[code]).casefold() for code in codes[:5]}
        if values and values <= baskets.YES | baskets.NO and len(values) <= 2:
            out.append(str(name))
    return tuple(out)


def recognised_pairs(frame: pd.DataFrame, differ: Mapping[str, int] | None = None) -> Pairs | None:
    """A column named like a person and one named like an item, both with repeats, and hardly a pair twice over."""
    users = [name for name in map(str, frame.columns) if _USER.fullmatch(name.strip())]
    items = [name for name in map(str, frame.columns) if _ITEM.fullmatch(name.strip()) and name not in users]
    # A customer makes several orders: whoever comes first in the list of words is the person.
    users.sort(key=_rank)
    for user in users:
        for item in items:
            if _several(frame[user], differ) and _several(frame[item], differ):
                return _completed(frame, user, item)
    values = differ or {str(name): profile.distinct(pd.Series(frame[name])) for name in frame.columns}
    shaped = long_table.recognised(frame, values)
    return None if shaped is None else _completed(frame, *shaped)


def _rank(name: str) -> int:
    words = _USER.pattern[1:].split(")", 1)[0].split("|")
    return next(i for i, word in enumerate(words) if name.strip().casefold().startswith(word))


def _several(column: pd.Series, differ: Mapping[str, int] | None) -> bool:
    present, values = int(column.notna().sum()), (differ or {}).get(str(column.name)) or profile.distinct(column)
    return present >= 1.2 * max(values, 1) and values > 1


def _completed(frame: pd.DataFrame, user: str, item: str) -> Pairs:
    """With the columns that describe the items: those with about one value for each item."""
    others = [str(name) for name in frame.columns if name not in (user, item)]
    category = next((name for name in others if _CATEGORY.fullmatch(name.strip()) and _of(frame, item, name)), None)
    description = next((name for name in others if is_description(name) and _of(frame, item, name)), None)
    return Pairs(user, item, category, description)


def _of(frame: pd.DataFrame, item: str, column: str) -> bool:
    """Does the column say something of the item: in most rows what it says in that item's other rows?"""
    pairs = frame[[item, column]].dropna()
    if pairs.empty:
        return False
    sizes = pairs.groupby([item, column], observed=True).size()
    commonest = sizes.groupby(level=0, observed=True).max().sum()
    return bool(commonest >= 0.9 * len(pairs))


def _wanted_pairs(frame: pd.DataFrame, options: ReadOptions) -> Pairs:
    names = [str(name) for name in frame.columns]
    found = recognised_pairs(frame)
    user = options.user or (found.user if found else None)
    item = options.item or (found.item if found else None)
    if user is None or item is None:
        raise DataError(
            "Whose items these are is not known.",
            "For one row per item, name the column of the person and that of the item. "
            f"The columns are {', '.join(names[:20])}.",
        )
    for name in (user, item, options.category, options.description):
        if name is not None and name not in names:
            raise DataError(f"There is no column “{name}”.", f"The columns are {', '.join(names[:20])}. Choose one.")
    if user == item:
        raise DataError(f"“{user}” cannot be both the person and the item.", "Choose one column for each of the two.")
    completed = _completed(frame, user, item)
    return Pairs(user, item, options.category or completed.category, options.description or completed.description)
