"""How much of a file is read: refused in a sentence before the step that would take the time or the memory."""

from ldpcore.data.errors import DataError, thousands

MAX_COLUMNS = 4_000
"""Every column is looked at by itself, some thousandths of a second each."""
_PER_CELL, _PER_ROW = 5, 40
"""Bytes of a file for each cell and row that may be in it: memory grows with all three."""
_INSTEAD = "Keep only the columns you need, or draw a sample of the rows."


def max_cells(limit: int) -> int:
    """Cells of a table whose file may have `limit` bytes: 40 million of an upload."""
    return limit // _PER_CELL


def max_rows(limit: int) -> int:
    """Rows of a table whose file may have `limit` bytes: 5 million of an upload."""
    return limit // _PER_ROW


def check_columns(count: int, name: str) -> None:
    """DataError for more columns than can be looked at."""
    if count > MAX_COLUMNS:
        raise DataError(
            f"“{name}” has too many columns.",
            f"Its first line has more than {thousands(MAX_COLUMNS)} fields. Keep only the columns you need; items that "
            "people have or have not are better saved as a line per person with the items on it.",
        )


def check_cells(rows: int, cells: int, name: str, limit: int, what: str = "cells") -> None:
    """DataError for more rows or cells than fit into memory, of a file that may have `limit` bytes."""
    if rows > max_rows(limit):
        raise _too_many(name, f"{thousands(rows)} rows", thousands(max_rows(limit)))
    if cells > max_cells(limit):
        raise _too_many(name, f"{thousands(cells)} {what}", thousands(max_cells(limit)))


def _too_many(name: str, size: str, most: str) -> DataError:
    return DataError(f"“{name}” is too large.", f"It has about {size}; up to {most} can be read here. {_INSTEAD}")
