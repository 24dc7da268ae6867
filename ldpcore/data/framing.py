"""From raw columns to the frame of a table: a row per person, without what is no person."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from ldpcore import rng
from ldpcore.data import columns, extent, numbers, subtotals, ticked
from ldpcore.data.delimited import Raw
from ldpcore.data.errors import DataError, plural, thousands
from ldpcore.data.options import ReadOptions
from ldpcore.estimators import weighted


@dataclass(frozen=True, eq=False)
class Framed:
    """frame; columns: its columns as they were tidied; reading: how numbers were read, usual: the decimal mark that was
    recognised, settled: whether the file shows it; notes; boxes: columns read as boxes to tick.
    """

    frame: pd.DataFrame
    columns: Mapping[str, columns.Column]
    reading: numbers.Reading
    usual: str
    settled: bool
    notes: list[str]
    boxes: tuple[str, ...]


def framed(raw: Raw, name: str, orders: Mapping[str, tuple[str, ...]], options: ReadOptions, limit: int) -> Framed:
    """Columns without any value and rows without any are left out, and said so. DataError: nothing is left."""
    tidied, reading, usual, settled = _tidy(raw, orders, options)
    empty = [column for column, tidy in tidied.items() if tidy.series.isna().all()]
    if len(empty) == len(tidied):
        raise DataError(f"“{name}” holds no answer.", "Every cell is empty or a missing mark. Choose another file.")
    kept = {column: tidy for column, tidy in tidied.items() if column not in empty}
    boxes: tuple[str, ...] = ()
    if options.blank != "missing":
        kept, boxes = ticked.as_answers(kept)
    frame = pd.DataFrame({column: tidy.series for column, tidy in kept.items()}, copy=False)
    notes = list(raw.notes)
    if empty:
        notes.append(f"Left out, since nothing stands in {'it' if len(empty) == 1 else 'them'}: {', '.join(empty)}.")
    frame, blank = _without_blank_rows(frame)
    if blank:
        notes.append(f"{plural(blank, 'row')} without any answer left out.")
    frame, unweighted = _weighed(frame, reading, options)
    notes += unweighted
    return Framed(_people(frame, name, options, limit), kept, reading, usual, settled, notes, boxes)


def _tidy(
    raw: Raw, orders: Mapping[str, tuple[str, ...]], options: ReadOptions
) -> tuple[dict[str, columns.Column], numbers.Reading, str, bool]:
    """Tidy columns, how their numbers were read, the decimal mark that is recognised, and whether the file shows it.

    Numbers that could have either mark wait until all columns have been seen.
    """
    first = numbers.Reading(raw.decimal, options.percent)
    tidied, waiting = {}, {}

    def tidy(name: str, cells: pa.ChunkedArray, given: tuple[str, ...] | None, usual: numbers.Reading):
        reading = columns.reading_of(name, usual, options)
        return columns.tidy(name, cells, given, reading, options)

    for name in raw.names:
        cells = raw.columns.pop(0)  # let go of each column once it is tidy: memory peaks here
        given = orders.get(name) or raw.orders.get(name)
        tidied[name] = tidy(name, cells, given, first)
        if tidied[name].facts.follows:
            waiting[name] = cells, given
        del cells
        pa.default_memory_pool().release_unused()
    mark, shown = numbers.decimal_mark((column.facts for column in tidied.values()), raw.decimal)
    reading = numbers.Reading(options.decimal or mark, options.percent)
    if reading != first:
        tidied |= {name: tidy(name, cells, given, reading) for name, (cells, given) in waiting.items()}
    return tidied, reading, mark, shown and reading.decimal == mark


def _without_blank_rows(frame: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """A row without any answer is the end of a sheet, not a person; but in a single column it may be a person."""
    if frame.shape[1] < 2:
        return frame, 0
    answered = np.zeros(len(frame), bool)
    for column in frame.columns:
        answered |= frame[column].notna().to_numpy()
        if answered.all():
            return frame, 0
    return frame.loc[answered].reset_index(drop=True), int(np.count_nonzero(~answered))


def weight_of(names: Iterable[str], options: ReadOptions) -> str | None:
    """The column whose weights are used, of these: the first that somebody said is a weight."""
    return next((name for name in names if options.of(name).role == "weight"), None)


def _weighed(frame: pd.DataFrame, reading: numbers.Reading, options: ReadOptions) -> tuple[pd.DataFrame, list[str]]:
    """The rows that have a weight, and how many have none, as a note. DataError: weights that cannot be."""
    column = weight_of(map(str, frame.columns), options)
    if column is None:
        return frame, []
    values = numbers.of_series(pd.Series(frame[column]), columns.reading_of(column, reading, options))
    if values is None:
        raise DataError(f"“{column}” is no weight.", "It holds text. Choose a column of numbers.")
    there = ~np.isnan(values)
    try:
        weighted.checked(values[there], int(there.sum()))
    except ValueError as error:
        raise DataError(f"“{column}” is no weight.", f"{str(error)[:1].upper()}{str(error)[1:]}.") from error
    others = [name for name in map(str, frame.columns) if name != column and options.of(name).role == "weight"]
    notes = [f"“{column}” weighs the answers; {', '.join(others)} not, as one column does."] if others else []
    if there.all():
        return frame, notes
    lost = plural(int(np.count_nonzero(~there)), "row")
    return frame.loc[there].reset_index(drop=True), [*notes, f"{lost} without a weight in “{column}” left out."]


def _people(frame: pd.DataFrame, name: str, options: ReadOptions, limit: int) -> pd.DataFrame:
    """One row of each person where several are one's, and each as often as people stand behind it."""
    by_role = {role: [column for column in map(str, frame.columns) if options.of(column).role == role]
            for role in ("person", "count")}  # fmt: skip
    for role, candidates in by_role.items():
        if len(candidates) > 1:
            raise DataError(f"Two columns cannot be the {role}.", f"Choose one of {', '.join(candidates)}.")
    if by_role["person"] and options.rows in ("drawn", "first", "last"):
        frame = one_of_each(frame, by_role["person"][0], options.rows)
    if by_role["count"]:
        column = by_role["count"][0]
        times = counts_of(numbers.of_series(frame[column], numbers.Reading(forced=True)), column)
        times = np.where(subtotals.rows(frame.drop(columns=column), times.astype(float)), 0, times)
        extent.check_cells(int(times.sum()), int(times.sum()) * frame.shape[1], name, limit)
        rest = frame.drop(columns=column)
        frame = rest.take(np.repeat(np.arange(len(frame)), times)).reset_index(drop=True)
        if not len(frame) or not len(rest.columns):
            raise DataError(f"“{name}” counts nobody.", f"“{column}” adds up to {thousands(int(times.sum()))}.")
    return frame


def one_of_each(frame: pd.DataFrame, person: str, which: str) -> pd.DataFrame:
    """One row of each person, in the file's order: the first, the last, or one drawn, of a file always the same. Rows
    without a person stay, since they are nobody's other row.

    Drawn, every row of a person is as likely, so that means and shares are unbiased for people: each counts once,
    however many rows are theirs.
    """
    at = np.arange(len(frame))
    if which == "drawn":
        at = rng.stream(0, "a row of each person").permutation(len(frame))
    column = frame[person].iloc[at]
    again = column.duplicated(keep="last" if which == "last" else "first") & column.notna()
    return frame.iloc[np.sort(at[~again.to_numpy()])].reset_index(drop=True)


def counts_of(values: NDArray[np.float64] | None, column: str) -> NDArray[np.int64]:
    """How often each row counts. DataError: no whole number from 0 on."""
    if values is None:
        raise DataError(f"“{column}” counts no people.", "It holds text. Choose a column of whole numbers.")
    there = np.nan_to_num(values)
    if np.any(there < 0) or np.any(there != np.floor(there)) or there.sum() > 1e9:
        raise DataError(
            f"“{column}” counts no people.",
            "It holds numbers that are not whole, below 0 or too large. It may be a weight.",
        )
    return there.astype(np.int64)
