"""What another reading of the same file changes: the number that changes most, and the rows in which it does."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore.data.errors import DataError
from ldpcore.data.set_sources import Lines, Pairs, undescribed
from ldpcore.data.table import Table
from ldpcore.data.weighing import Weighing

_Z = 1.959963984540054
_MOST_COLUMNS = 60
"""Columns that are compared where an assumption is about the whole file."""
_LOOK, _WIDE = 20_000, 12
"""Rows and columns that are looked at for a row that is left out."""
_MANY = 0.2
"""So large a change of the number of people comes before that of a share or a mean."""


class MeasureKind(StrEnum):
    """Which number changes."""

    PEOPLE = "people"
    MEAN = "mean"
    SHARE = "share"


@dataclass(frozen=True)
class Difference:
    """One number under two readings of a file.

    measure: people (a count), mean (in the column's units) or share (a fraction of people). column, and the answer
    whose share it is; None of people. before and after: None where the reading has no such number, as a mean of words.
    people: how many it is of, under each reading. margin: the 95 % sampling error of `after`, in its
    units, of a share the larger one of both; 0 of people.

    >>> Difference(MeasureKind.MEAN, "days", None, 24.0, 5.7, (300, 280), 0.6).matters
    True
    """

    measure: MeasureKind
    column: str | None
    answer: str | None
    before: float | None
    after: float | None
    people: tuple[int, int]
    margin: float = 0.0

    @property
    def matters(self) -> bool:
        """Whether the change is larger than the number's own ±."""
        if self.before is None or self.after is None:
            return True
        return abs(self.after - self.before) > self.margin

    @property
    def size(self) -> float:
        """The change in units of its own ±: what changes most has the largest one."""
        if self.before is None or self.after is None:
            return math.inf
        change = abs(self.after - self.before)
        return change / self.margin if self.margin else math.inf if change else 0.0


@dataclass(frozen=True)
class Row:
    """number: of the row in the file's table, from 1; cells: as they were read; changed: which of them the other
    reading changes, all of them where it leaves the row out.
    """

    number: int
    cells: tuple[str, ...]
    changed: tuple[bool, ...]

    @property
    def is_changed(self) -> bool:
        return any(self.changed)


def difference(before: Table, after: Table, columns: Iterable[str] = ()) -> Difference | None:
    """The number that changes most between two readings, of these columns or of all; None where none does.

    The number of people, where it changes by a fifth or more; else the mean or share that changes most in units of its
    95 % sampling error, z·s/√n of the second reading or the larger z·√(p(1 − p)/n) of both (normal approximation);
    else people.

    >>> from ldpcore.data import ReadOptions, read
    >>> content = b"age,city\\n34,Rome\\n51,Oslo\\n999,Rome\\n65,Oslo\\n"
    >>> declared = ReadOptions().with_column("age", missing=["999"])
    >>> found = difference(read(content, "p.csv"), read(content, "p.csv", declared), ["age"])
    >>> print(found.measure, found.before, found.after, found.people)
    mean 287.25 50.0 (4, 3)
    """
    counts = people(before), people(after)
    of_people = Difference(MeasureKind.PEOPLE, None, None, float(counts[0]), float(counts[1]), counts)
    changed = counts[0] != counts[1]
    if changed and abs(counts[1] - counts[0]) >= _MANY * min(counts):
        return of_people
    differences = [each for name in _compared(before, after, columns) for each in _of_column(before, after, name)]
    best = max(differences, key=lambda each: each.size, default=None)
    if changed and (best is None or not best.matters):
        return of_people
    return best


def people(table: Table) -> int:
    """How many people a table is about: baskets, where rows or lines were put together as such; the persons, where
    somebody said whose the rows are, and who is not named is one more; else rows.
    """
    for name, source in table.sets.items():
        if isinstance(undescribed(source), Pairs | Lines):
            try:
                return table.baskets(name).n
            except DataError:  # no basket: the rows remain
                break
    for name in map(str, table.frame.columns):
        if table.options.of(name).role == "person":
            persons = pd.Series(table.frame[name])
            return int(persons.nunique()) + int(persons.isna().sum())
    return len(table.frame)


def _compared(before: Table, after: Table, columns: Iterable[str]) -> list[str]:
    known = [set(map(str, (*each.frame.columns, *each.sets))) for each in (before, after)]
    # Weights change every share, and their own column none.
    wanted = list(columns) if (before.weights is None) == (after.weights is None) else []
    wanted = wanted or [*map(str, before.frame.columns), *before.sets]
    return [name for name in dict.fromkeys(wanted) if name in known[0] & known[1]][:_MOST_COLUMNS]


def _of_column(before: Table, after: Table, name: str) -> Iterator[Difference]:
    means = _mean(before, name), _mean(after, name)
    if means != (None, None):
        if means[0] is None or means[1] is None or means[0][:2] != means[1][:2]:
            first, second = means[0] or (None, 0, 0.0), means[1] or (None, 0, 0.0)
            yield Difference(MeasureKind.MEAN, name, None, first[0], second[0], (first[1], second[1]), second[2])
        return
    first, second = _counts(before, name), _counts(after, name)
    if first is None or second is None:
        return
    (one, m), (other, n) = first, second
    # Of answers that become one, it is said how many have that one, not that the other is gone.
    answers = other if m == n and other.keys() < one.keys() else dict.fromkeys((*other, *one))
    for answer in answers:
        p, q = one.get(answer, 0) / m, other.get(answer, 0) / n
        if p != q:
            yield Difference(MeasureKind.SHARE, name, answer, p, q, (m, n), max(_error(p, m), _error(q, n)))


def _error(share: float, n: int) -> float:
    """The ± of a share of n people; of none or of all that of one."""
    at = min(max(share, 1 / n), 1 - 1 / n) if n > 1 else 0.5
    return _Z * math.sqrt(at * (1 - at) / n)


def _mean(table: Table, name: str) -> tuple[float, int, float] | None:
    """(mean, n, its ±) of a column of numbers."""
    profile = table.profiles.get(name)
    values = table.values(name) if profile is not None and profile.numeric and name not in table.sets else None
    if values is None:
        return None
    present = values[~np.isnan(values)]
    if not len(present):
        return None
    error = _Z * float(present.std(ddof=1)) / math.sqrt(len(present)) if len(present) > 1 else math.inf
    return float(present.mean()), len(present), error


def _counts(table: Table, name: str) -> tuple[Mapping[str, float], int] | None:
    """(answer → people, people) of a category, or of a column of sets; where people have weights, so many of all."""
    if name in table.sets:
        try:
            baskets = table.baskets(name)
        except DataError:
            return None
        return dict(zip(baskets.labels, map(int, baskets.counts), strict=True)), baskets.n
    series = pd.Series(table.frame[name])
    if not isinstance(series.dtype, pd.CategoricalDtype) or not series.notna().any():
        return None
    codes, labels = series.cat.codes.to_numpy(), series.cat.categories
    column, weights = table.weights or (name, np.zeros(len(codes)))
    if name != column and weights[codes >= 0].any():
        mine = Weighing.of(column, weights[codes >= 0], codes[codes >= 0], len(labels))
        n = mine.n
        return {str(label): n * float(share) for label, share in zip(labels, mine.freq, strict=True) if share}, n
    counts = series.value_counts()
    return {str(label): int(n) for label, n in counts.items() if n}, int(counts.sum())


def rows(before: Table, after: Table, columns: Iterable[str], most: int = 4) -> tuple[Row, ...]:
    """At most so many rows in the file's order, as they were read first: half of them those that the other reading
    changes or leaves out, half others. Lines that the first reading left out are shown as the other one has them.

    Cells are those of these columns. Where no row changes they are the first; none where a column is not there.

    >>> from ldpcore.data import ReadOptions, read
    >>> content = b"age,city\\n34,Rome\\n51,Oslo\\n65,Rome\\n999,Oslo\\n"
    >>> declared = ReadOptions().with_column("age", missing=["999"])
    >>> shown = rows(read(content, "p.csv"), read(content, "p.csv", declared), ["age"], 2)
    >>> [(row.number, row.cells, row.is_changed) for row in shown]
    [(1, ('34',), False), (4, ('999',), True)]
    """
    shown = before
    if len(after.frame) > len(before.frame) and list(after.frame.columns) == list(before.frame.columns):
        shown = after  # lines that were left out are seen in the other reading
    names = [name for name in columns if name in shown.frame.columns]
    if not names or not len(shown.frame):
        return ()
    cells = _changed(before, after, names, len(shown.frame))
    changed = cells.any(axis=1)
    first = np.flatnonzero(changed)[: max(most // 2, most - int((~changed).sum()))]
    others = np.flatnonzero(~changed)[: most - len(first)]
    texts = {name: pd.Series(shown.frame[name]) for name in names}
    return tuple(
        Row(int(i) + 1, tuple(_text(texts[name].iloc[i]) for name in names), tuple(cells[i].tolist()))
        for i in sorted((*first.tolist(), *others.tolist()))
    )


def _changed(before: Table, after: Table, names: list[str], n: int) -> NDArray[np.bool_]:
    """Which cells (n, columns) of the rows that are shown another reading changes, or leaves out."""
    changed = np.zeros((n, len(names)), bool)
    if len(before.frame) != len(after.frame):
        if list(before.frame.columns) == list(after.frame.columns):
            gone = _left_out(*sorted((before, after), key=lambda each: -len(each.frame)))
            changed[: len(gone)] = gone[:, None]
        return changed
    for j, name in enumerate(names):
        if name in before.frame.columns and name in after.frame.columns:
            changed[:, j] = _cells(before, name, n) != _cells(after, name, n)
    if not changed.any():
        for j, name in enumerate(names):
            changed[:, j] = _several(before, after, name)
    return changed


def _left_out(longer: Table, shorter: Table) -> NDArray[np.bool_]:
    """Which of the longer table's first rows are not in the shorter one, which has the others in their order."""
    names = list(map(str, longer.frame.columns))[:_WIDE]
    many, few = (list(zip(*(_cells(each, name, _LOOK) for name in names), strict=True)) for each in (longer, shorter))
    place, out = 0, np.zeros(len(many), bool)
    for i, row in enumerate(many):
        out[i] = place >= len(few) or row != few[place]
        place += not out[i]
    return out


def _cells(table: Table, name: str, most: int) -> NDArray[np.object_]:
    return np.array([_text(cell) for cell in pd.Series(table.frame[name]).iloc[:most]], object)


def _several(before: Table, after: Table, name: str) -> NDArray[np.bool_]:
    """Which cells (n,) are several answers in one of the readings."""
    read = before if name in before.sets else after
    series = pd.Series(read.frame[name])
    if name not in read.sets:
        return np.zeros(len(series), bool)
    known = set(read.baskets(name).labels)
    return np.array([_text(cell) != "" and _text(cell) not in known for cell in series], bool)


def _text(cell: object) -> str:
    """A cell as it is shown; "" for a missing one."""
    if isinstance(cell, float | np.floating):
        return "" if math.isnan(cell) else f"{float(cell):.12g}"
    return "" if cell is None or cell is pd.NA else str(cell)
