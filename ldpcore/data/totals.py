"""The sums that a sheet ends with: no person's answers."""

import re
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ldpcore.data import columns, numbers
from ldpcore.data.delimited import Raw

_CALLED = re.compile(
    r"((grand|overall)[ -]?)?totals?|sums?|(gesamt|end)?summe|gesamt|insgesamt|total gén[eé]ral|ensemble|somme|totale|"
    r"somma|suma|total general|soma|totaal|summa|yhteensä|razem|og[oó][lł]em|celkem|összesen|toplam|итого|всего|合计|"
    r"总计|合計|総計|합계|المجموع|الإجمالي",
    re.IGNORECASE,
)
_FEWEST = 5
"""Rows with a number above, below which numbers add up by chance."""
_EMPTY = 20
"""Lines without anything that may follow: spreadsheets write them."""


def is_called(cell: str) -> bool:
    """Is it a word for a sum?"""
    return _CALLED.fullmatch(cell.strip(" :=")) is not None


def without(raw: Raw) -> Raw:
    """The table without a last row that is called a total and holds the sum of the numbers above it, or nothing else.

    Both are asked: a person may have the answer "total", and a last number may be the sum of others by chance.
    """
    last, row = _last(raw)
    called = [cell for cell in row if is_called(cell)]
    if len(called) != 1:
        return raw
    above = [column.slice(0, last) for column in raw.columns]
    contents = "sums of the rows above it"
    if last >= _FEWEST and len(row) > 1 and not any(cell for cell in row if cell != called[0]):
        if any(pc.any(pc.equal(column.cast(pa.string()), called[0])).as_py() for column in above):
            return raw  # an answer of others too
        contents = "nothing else"  # a formula that was not saved, or the number of rows that nobody wrote
    elif not any(_adds_up(column, cell, mark) for column, cell in zip(above, row, strict=True) for mark in ".,"):
        return raw
    note = f"Left out: the last row, “{called[0]}”, which holds {contents}."
    return replace(raw, columns=above, notes=[*raw.notes, note])


def _last(raw: Raw) -> tuple[int, list[str]]:
    """The position of the last row that holds anything, and its cells as text."""
    rows = len(raw.columns[0])
    for at in range(rows - 1, max(-1, rows - 1 - _EMPTY), -1):
        cells = [column[at].as_py() for column in raw.columns]
        texts = ["" if cell is None else str(cell).strip() for cell in cells]
        if any(texts):
            return at, texts
    return rows, []


def _adds_up(above: pa.ChunkedArray, cell: str, mark: str) -> bool:
    """Is this cell the sum of the numbers above it, with this decimal mark, and are they several?"""
    if not cell or is_called(cell):
        return False
    texts = pc.utf8_trim_whitespace(columns.one_chunk(above).cast(pa.string()))
    present = texts.filter(pc.invert(pc.is_in(texts, value_set=pa.array([*columns.MISSING_MARKS, None], pa.string()))))
    labels = pa.concat_arrays([present, pa.array([cell], pa.string())])
    parsed = numbers.parse(labels, np.ones(len(labels), np.int64), numbers.Reading(mark))
    if parsed is None or np.isnan(parsed.values[-1]):
        return False
    sizes = np.nan_to_num(parsed.values[:-1])
    return bool(np.count_nonzero(sizes) >= _FEWEST and np.isclose(parsed.values[-1], sizes.sum(), rtol=1e-6))
