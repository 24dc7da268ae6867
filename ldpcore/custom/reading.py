"""A channel as text: a CSV with or without names, as a person types it, and as `export` writes it."""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ldpcore import checks
from ldpcore.domain import Interval

from .table import EXACT, MOST_CELLS, ROUNDED, checked

Array = NDArray[np.float64]
CORNER = ("", "answer", "value", "answers", "values", "number", "numbers", "item", "items")
PADDING = "padding"
"""The row of a table for sets that is no item: what somebody with fewer than m items fills up with."""
MOST_TEXT = 40 * MOST_CELLS
"""Characters: more are not even looked at."""


@dataclass(frozen=True, eq=False)
class ParsedTable:
    """What was read: the table (k, outputs), its rows' and its reports' names ("" for none), and by how much rows were
    off 1 before they were divided by their sums.
    """

    matrix: Array
    answers: tuple[str, ...]
    reports: tuple[str, ...]
    rounded: float = 0.0


def read(text: str, labels: Sequence[str] | None = None) -> ParsedTable:
    """The channel of a CSV: rows are answers, columns are reports; names of both are optional.

    Names of reports stand in a first row whose first cell is empty or "answer"; names of answers in the first column.
    Cells are numbers or fractions such as 1/3, apart by commas, semicolons, tabs or spaces. labels: the answers of the
    column that it is for, k of them; named rows are put in their order, others are taken in it. ValueError with a
    sentence that says what to do.

    >>> given = read("answer,yes,no\\nsmoker,3/4,1/4\\nother,0.25,0.75", ["other", "smoker"])
    >>> given.matrix.tolist(), given.answers, given.reports
    ([[0.25, 0.75], [0.75, 0.25]], ('other', 'smoker'), ('yes', 'no'))
    """
    raw, answers, reports = _parsed(text)
    if labels is not None:
        raw, answers = _in_order(raw, answers, tuple(labels))
    return _checked(raw, answers, reports)


def read_numbers(text: str, public: Interval) -> tuple[ParsedTable, Array]:
    """The channel of a CSV whose rows are numbers of the public range, and these on [-1, 1], ascending (rows,).

    The numbers stand in the first column, in the column's units; without them rows are even steps from one end of the
    range to the other. ValueError with a sentence that says what to do.

    >>> read_numbers("number,yes,no\\n98,3/4,1/4\\n18,1/4,3/4", Interval(18, 98))[1].tolist()
    [-1.0, 1.0]
    """
    raw, answers, reports = _parsed(text, numbered=True)
    if not answers:
        return _checked(raw, answers, reports), np.linspace(-1, 1, len(raw))
    odd = [name for name in answers if _number(name) is None]
    if odd:
        raise ValueError(
            f"the rows are named {checks.name_list(odd)}, which is no number: a row stands for a number of the public "
            f"range {public.low:g} to {public.high:g}; without names, rows are even steps over it"
        )
    numbers = np.array([_number(name) for name in answers], float)
    order = np.argsort(numbers, kind="stable")
    at = (2 * numbers[order] - public.low - public.high) / (public.high - public.low)
    if np.abs(at[[0, -1]] - [-1, 1]).max() > ROUNDED:
        raise ValueError(
            f"the rows go from {answers[order[0]]} to {answers[order[-1]]}, but the public range from {public.low:g} "
            f"to {public.high:g}: give a row for both of its ends, and none beyond them, or change the range"
        )
    at[0], at[-1] = -1, 1
    if (np.diff(at) <= 0).any():
        raise ValueError("two rows are for the same number: every number has one row")
    return _checked(raw[order], tuple(answers[row] for row in order), reports), at


def read_sets(text: str, items: Sequence[str], padded: bool = True) -> ParsedTable:
    """The channel of a CSV whose rows are items, in this order, and after them padding. padded: whether anybody fills
    up with it; else the table needs no such row, and one that is named is left out.

    Names of rows stand in the first column; without them the rows are as the items are, and padding is the last.
    ValueError with a sentence that says what to do.

    >>> read_sets("item,A,B\\npadding,.2,.8\\nmilk,.9,.1\\ntea,.5,.5", ["tea", "milk"]).answers
    ('tea', 'milk', 'padding')
    """
    raw, answers, reports = _parsed(text)
    labels = tuple(items)
    given = PADDING in answers and PADDING not in labels if answers else padded and len(raw) == len(labels) + 1
    if padded and not given:
        rows = f"{len(labels) + 1} rows are expected: one for each of the {len(labels)} items, and one for padding"
        raise ValueError(
            f"the table has {len(raw)} rows, but {rows}, which people with fewer than m items fill up with: the last, "
            f"or named “{PADDING}”, and no mixture of the others. Items: {checks.name_list(labels)}"
        )
    raw, answers = _in_order(raw, answers, (*labels, PADDING) if given else labels)
    return _checked(raw, answers, reports) if padded else _checked(raw[: len(labels)], labels, reports)


def _checked(raw: Array, answers: tuple[str, ...], reports: tuple[str, ...]) -> ParsedTable:
    matrix = checked(raw, answers)
    off = float(np.abs(raw.sum(axis=1) - 1).max())
    return ParsedTable(matrix, answers, reports, off if off > EXACT else 0.0)


def _parsed(text: str, numbered: bool = False) -> tuple[Array, tuple[str, ...], tuple[str, ...]]:
    """The table, and the names of rows and columns; numbered: what names a row is a number."""
    if len(text) > MOST_TEXT:
        raise ValueError(
            f"this table is {len(text) // 1_000_000} MB of text, and at most {MOST_CELLS} cells are computed exactly: "
            "leave out reports that nobody sends, or take fewer values"
        )
    rows = _rows(text.lstrip("\ufeff"))
    reports: tuple[str, ...] = ()
    if _is_head(rows[0]):
        head, *rows = rows
        reports = tuple(cell.strip() for cell in head)
    if not rows:
        raise ValueError("there are names of reports, but no row of chances below them: add a row for each answer")
    named = any(_number(row[0]) is None for row in rows) or (bool(reports) and reports[0].lower() in CORNER)
    named = named or (numbered and _begin_with_numbers(rows))
    answers = tuple(row[0].strip() for row in rows) if named else ()
    cells = [row[1:] if named else row for row in rows]
    if reports and len(reports) == len(rows[0]):
        reports = reports[1:] if named else reports
    _same_length(cells, reports, answers)
    return (
        np.array([[_cell(cell, x, y) for y, cell in enumerate(row)] for x, row in enumerate(cells)]),
        answers,
        reports,
    )


def _begin_with_numbers(rows: list[list[str]]) -> bool:
    """Whether the first cells are no chances: in every row the others sum to 1 without it, and some row not with it."""
    table = [[_number(cell) for cell in row] for row in rows]
    if any(None in row or len(row) < 3 or len(row) != len(table[0]) for row in table):
        return False
    cells = np.array(table, float)
    others = np.abs(cells[:, 1:].sum(axis=1) - 1).max()
    return bool(others <= ROUNDED < np.abs(cells.sum(axis=1) - 1).max())


def _rows(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    if not lines:
        raise ValueError("nothing is given: paste a table with a row for each answer and a column for each report")
    if len(lines) > MOST_CELLS:
        raise ValueError(f"{len(lines)} rows are given; at most {MOST_CELLS} cells are computed exactly")
    first = lines[0]
    cut = next((sign for sign in ";\t," if sign in first), None)
    if cut is None:
        return [re.split(r"\s+", line.strip().strip("[]")) for line in lines]
    cells = list(csv.reader(io.StringIO("\n".join(lines)), delimiter=cut, skipinitialspace=True))
    if cut == ";":  # where a comma stands for the decimal point
        cells = [[cell.replace(",", ".") if _number(cell.replace(",", ".")) is not None else cell for cell in row]
                 for row in cells]  # fmt: skip
    return [row[:-1] if len(row) > 1 and not row[-1].strip() else row for row in cells]


def _is_head(row: list[str]) -> bool:
    if row[0].strip().lower() in CORNER:
        return True
    return all(_number(cell) is None for cell in row)


def _number(cell: str) -> float | None:
    """A number or a fraction; None for words."""
    top, bar, bottom = cell.strip().partition("/")
    try:
        return float(top) / float(bottom) if bar else float(top)
    except (ValueError, ZeroDivisionError):
        return None


def _cell(cell: str, x: int, y: int) -> float:
    value = _number(cell)
    if value is None:
        raise ValueError(
            f"row {x + 1}, column {y + 1} holds “{cell.strip()[:40]}”, which is no number: write chances such as 0.25 "
            "or 1/4; names stand in the first column, or in a first row that begins with “answer”"
        )
    return value


def _same_length(cells: list[list[str]], reports: tuple[str, ...], answers: tuple[str, ...]) -> None:
    width = len(reports) or len(cells[0])
    odd = next((x for x, row in enumerate(cells) if len(row) != width), None)
    if odd is not None:
        what = "there are names of reports" if reports else "cells in row 1"
        raise ValueError(
            f"row {odd + 1} has {len(cells[odd])} chances, but {width} {what.removeprefix('there are ')}: every row "
            "needs a chance for each report, 0 where a value never sends it"
        )
    if len(set(answers)) < len(answers):
        raise ValueError(
            f"{checks.name_list({name for name in answers if answers.count(name) > 1})} stands in several rows: every "
            "answer has one row"
        )


def _in_order(raw: Array, answers: tuple[str, ...], labels: tuple[str, ...]) -> tuple[Array, tuple[str, ...]]:
    if len(raw) != len(labels):
        raise ValueError(
            f"the table has {len(raw)} rows, but this column has {len(labels)} values ({checks.name_list(labels)}): "
            "give a row for each, or choose another column"
        )
    if not answers:
        return raw, labels
    unknown = [name for name in answers if name not in labels]
    if unknown:
        raise ValueError(
            f"the rows are named {checks.name_list(unknown)}, which are no values of this column; it has "
            f"{checks.name_list(labels)}. Without names in the first column, rows are taken in this order"
        )
    place = {name: x for x, name in enumerate(answers)}
    return raw[[place[name] for name in labels]], labels
