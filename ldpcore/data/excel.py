"""Excel → names and columns."""

import datetime
import io
import re
import zipfile
from typing import Any

import numpy as np
import pyarrow as pa

from ldpcore.data import extent, heading, of_sheets, recognise, sheet_cells, sheet_values, workbook, worksheet
from ldpcore.data.delimited import Raw
from ldpcore.data.errors import DataError, Remedy, plural, thousands
from ldpcore.data.foreign import bounded
from ldpcore.data.options import ReadOptions
from ldpcore.data.text import too_large
from ldpcore.data.workbook import Workbook
from ldpcore.data.worksheet import Worksheet

MAX_EXACT = 2**53
"""Beyond it float64 cannot tell whole numbers apart."""
_PER_CELL = 25
"""Bytes that a file may have for each cell between the first and the last of a sheet: empty ones are kept, too."""
_TEXT = 2
"""Bytes that a file may have for each letter of its cells, written out: a text of the workbook can stand in many."""
_ZEROS = re.compile(r"0{2,}")
"""A format that fills a number with zeros, as those of postcodes and other codes."""
_WHAT = "an Excel file"


def is_excel(content: bytes, name: str) -> bool:
    """A zip archive with a workbook inside. DataError when it is an archive that cannot be opened."""
    if not content.startswith(b"PK\x03\x04"):
        return False
    with bounded(name, "a zip archive or an Excel file"), zipfile.ZipFile(io.BytesIO(content)) as archive:
        return "xl/workbook.xml" in archive.namelist()


def read(content: bytes, name: str, options: ReadOptions, limit: int) -> Raw:
    """One sheet of a workbook: the wanted one, or the first that holds anything."""
    with bounded(name, _WHAT):
        book = workbook.opened(content, name, limit)
    sheets = list(book.sheets)
    if options.sheet is not None and options.sheet not in sheets:
        raise DataError(
            f"“{name}” has no sheet “{options.sheet}”.",
            f"Its sheets are {', '.join(sheets)}.",
            remedies=tuple(Remedy(f"Read “{sheet}”", {"sheet": sheet}) for sheet in sheets),
        )
    shown = sorted(sheets, key=lambda title: title in book.hidden)
    for title in [options.sheet] if options.sheet is not None else shown:
        with bounded(name, _WHAT):
            xml = book.archive.read(book.sheets[title])
            cells = sheet_cells.scanned(xml, book.plain)
            sheet = cells.sheet if cells else worksheet.scanned(xml)
            _check_extent(sheet, name, limit)
            _check_texts(book, xml, sheet, name, limit)
            rows = _rows(book, xml, cells) if sheet.cells else []
            codes = _codes(book, sheet) if any(map(_is_filled, rows)) else {}
        if any(map(_is_filled, rows)):
            stated = of_sheets.assumptions(title, shown, book, sheet, options)
            rows = of_sheets.people(rows, sheet, options)
            raw = _from_rows(_without_empty(rows), codes, name, _said(sheet), options)
            raw.assumptions[:0] = stated
            return raw
    raise DataError(f"“{name}” is empty.", "No cell of its sheets holds anything. Choose another file or sheet.")


def _is_filled(row: list[object]) -> bool:
    return any(map(_filled, row))


def _without_empty(rows: list[list[object]]) -> list[list[object]]:
    """The rows that hold something: all, where one column alone has something in each."""
    if any(all(map(_filled, set(column))) for column in zip(*rows, strict=True)):
        return rows
    return [row for row in rows if _is_filled(row)]


def _check_extent(sheet: Worksheet, name: str, limit: int) -> None:
    """DataError for more cells from the first to the last than fit into memory, or more columns than are looked at."""
    (row, column), (top, left) = sheet.last, sheet.first
    if sheet.area > limit // _PER_CELL:
        raise DataError(
            f"“{name}” is too large.",
            f"Its cells lie as far apart as row {thousands(top)} and row {thousands(row)}, column "
            f"{worksheet.letters(left)} and column {worksheet.letters(column)}: {thousands(sheet.area)} cells, of "
            f"which {thousands(sheet.cells)} hold something; up to {thousands(limit // _PER_CELL)} can be read here. "
            "Delete the rows and columns beyond the table and save it again, or save it as CSV or Parquet.",
        )
    extent.check_columns(column - left + 1 if sheet.cells else 0, name)


def _check_texts(book: Workbook, xml: bytes, sheet: Worksheet, name: str, limit: int) -> None:
    """DataError where texts that the workbook has once would fill the memory, written out in every cell."""
    most = limit // _TEXT
    lengths = book.lengths() if sheet.shared else []
    if sheet.shared * max(lengths, default=0) <= most:
        return
    size = sum(lengths[text] * cells for text, cells in worksheet.pointed(xml).items() if text < len(lengths))
    if size > most:
        raise too_large(name, f"holds {size / 1e6:,.0f} MB of text, written out in every cell", most)


def _rows(book: Workbook, xml: bytes, cells: sheet_cells.SheetCells | None) -> list[list[object]]:
    """All rows from the first that holds something, equally long; "" where a cell is empty."""
    rows = sheet_values.rows(cells, lambda asked: _by_library(book, asked)) if cells else None
    return _by_library(book, xml) if rows is None else rows


def _by_library(book: Workbook, xml: bytes) -> list[list[object]]:
    """The same, of this XML as a sheet of the workbook."""
    import python_calamine  # only where it is needed

    with python_calamine.load_workbook(io.BytesIO(book.alone(xml))) as made:
        return [list[object](row) for row in made.get_sheet_by_index(0).to_python()]


def _codes(book: Workbook, sheet: Worksheet) -> dict[int, int]:
    """Column, from 0 → digits to which zeros fill all of its numbers where they are shown."""
    formats = dict(enumerate(book.formats))
    shown = {column - sheet.first[1]: {formats.get(style, "") for style in sheet.styles[column]}
             for column in sorted(sheet.styles)}  # fmt: skip
    return {column: len(form) for column, (form, *more) in shown.items() if not more and _ZEROS.fullmatch(form)}


def _said(sheet: Worksheet) -> list[str]:
    """What a table of values alone would not show."""
    notes = []
    if sheet.uncomputed:
        notes.append(
            f"Read as missing: {plural(sheet.uncomputed, 'formula')} without a stored result. Open the file in a "
            "spreadsheet and save it again to have them."
        )
    if sheet.errors:
        notes.append(f"Read as missing: {plural(sheet.errors, 'cell')} with an error, such as #DIV/0!.")
    return notes


def _filled(value: object) -> bool:
    return bool(value.strip()) if isinstance(value, str) else value is not None


def _cell(value: object) -> str:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    return str(value).strip()


def _column(values: list[Any], digits: int = 0) -> pa.ChunkedArray:
    """Numbers as numbers, since the point of their decimals is none of the person's; anything else as text. digits:
    to which whole numbers are filled with zeros.
    """
    kinds = set(map(type, values))
    if kinds == {str}:
        texts = {text: _filled_with_zeros(text.strip(), digits) for text in set(values)}
        return pa.chunked_array([pa.array([texts[text] for text in values])])
    if kinds <= {int, float, str} and not digits:
        given = [None if value == "" else value for value in values] if str in kinds else values
        if str not in set(map(type, given)):
            numbers = np.array(given, float)
            if np.nanmax(np.abs(numbers)) < MAX_EXACT:
                return pa.chunked_array([pa.array(numbers, from_pandas=True)])
    return pa.chunked_array([pa.array([_filled_with_zeros(_cell(value), digits) for value in values], pa.string())])


def _filled_with_zeros(text: str, digits: int) -> str:
    return text.zfill(digits) if text.isdecimal() else text


def _from_rows(
    rows: list[list[object]], codes: dict[int, int], name: str, notes: list[str], options: ReadOptions
) -> Raw:
    sample = [[_cell(value) for value in row] for row in rows[:1000]]
    above = heading.titles(sample)
    titled, sample, rows = sample[:above], sample[above:], rows[above:]
    below = heading.described(sample, options.described)
    votes = recognise.header_votes(sample, options.described)
    header = votes[0] >= votes[1] if options.header is None else options.header
    if header and len(rows) == 1 + below:
        raise DataError(f"“{name}” has names but no rows.", "Choose a sheet with answers below the names.")
    if header:
        names, more = recognise.tidy_names(heading.names(sample, options.described))
    else:
        names, more = [f"column {j}" for j in range(1, len(rows[0]) + 1)], []
    first = 1 + below if header else 0
    columns = [_column([row[j] for row in rows[first:]], codes.get(j, 0)) for j in range(len(names))]
    filled = [names[j] for j in codes]
    if filled:
        more.append(f"Read with the zeros that the sheet shows before numbers: {', '.join(filled)}.")
    described = below if header and not heading.generic(sample, options.described) else 0
    stated = heading.assumptions(sample, options, header, None, votes)
    for j, column in enumerate(names):
        stated += of_sheets.dates_among(column, [row[j] for row in rows[first:]], options)
    return Raw(names, columns, notes + heading.said(titled, described) + more, {}, assumptions=stated)
