"""Parquet and Excel → names and columns."""

import datetime
import io
import zipfile

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
from openpyxl.utils.exceptions import InvalidFileException

from ldpcore.data import recognise
from ldpcore.data.columns import MAX_VALUES
from ldpcore.data.delimited import Raw
from ldpcore.data.errors import DataError, Remedy, thousands
from ldpcore.data.options import ReadOptions
from ldpcore.data.text import too_large

MAX_CELLS = 100_000_000
"""A Parquet file of a few bytes can hold any number of equal rows."""


MAX_EXACT = 2**53
"""Beyond it float64 cannot tell whole numbers apart."""


def parquet(content: bytes, name: str, limit: int) -> Raw:
    """A flat Parquet table. Dictionary columns keep the order of their dictionary; nested columns are refused."""
    try:
        file = pq.ParquetFile(pa.BufferReader(content))
        about = file.metadata
        size = sum(about.row_group(i).total_byte_size for i in range(about.num_row_groups))
        if size > limit or about.num_rows * about.num_columns > MAX_CELLS:
            raise too_large(name, f"holds {thousands(about.num_rows)} rows, {size / 1e6:.0f} MB unpacked", limit)
        nested = [field.name for field in file.schema_arrow if pa.types.is_nested(field.type)]
        if nested:
            raise DataError(
                f"“{name}” has columns with lists or records inside: {', '.join(nested)}.",
                "Each cell must be one answer. Save the file with flat columns, or without these.",
            )
        table = file.read().unify_dictionaries()
        table.validate(full=True)  # text that is no UTF-8 would fail much later
    except pa.ArrowException:
        raise DataError(f"“{name}” is damaged.", "It begins as a Parquet file, but cannot be read.") from None
    names, notes = recognise.tidy_names(table.column_names)
    columns = [_no_bytes(column, label, name) for column, label in zip(table.columns, names, strict=True)]
    if table.num_columns == 0 or table.num_rows == 0:
        raise DataError(f"“{name}” has names but no rows.", "Choose a file with answers.")
    orders = {
        names[j]: tuple(map(str, table.column(j).chunk(0).dictionary.to_pylist()))
        for j, field in enumerate(table.schema)
        if pa.types.is_dictionary(field.type) and len(table.column(j).chunk(0).dictionary) <= MAX_VALUES
    }
    return Raw(names, columns, notes, orders)


def _no_bytes(column: pa.ChunkedArray, label: str, name: str) -> pa.ChunkedArray:
    """Some programs store text as bytes: read as UTF-8, or refused."""
    if not (pa.types.is_binary(column.type) or pa.types.is_large_binary(column.type)):
        return column
    try:
        return column.cast(pa.string())
    except pa.ArrowInvalid:
        raise DataError(
            f"“{name}” has bytes that are no text in “{label}”.", "Save the file without that column, or as text."
        ) from None


def is_excel(content: bytes) -> bool:
    """A zip archive with a workbook inside."""
    if not content.startswith(b"PK\x03\x04") or not zipfile.is_zipfile(io.BytesIO(content)):
        return False
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return "xl/workbook.xml" in archive.namelist()


def excel(content: bytes, name: str, options: ReadOptions, limit: int) -> Raw:
    """One sheet of a workbook: the wanted one, or the first that holds anything."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        size = sum(entry.file_size for entry in archive.infolist())
    if size > limit:
        raise too_large(name, f"unpacks to {size / 1e6:.0f} MB", limit)
    try:
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    except (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError):
        raise DataError(f"“{name}” is damaged.", "It begins as an Excel file, but cannot be read.") from None
    sheets = [sheet.title for sheet in book.worksheets]
    if options.sheet is not None and options.sheet not in sheets:
        raise DataError(
            f"“{name}” has no sheet “{options.sheet}”.",
            f"Its sheets are {', '.join(sheets)}.",
            remedies=tuple(Remedy(f"Read “{sheet}”", {"sheet": sheet}) for sheet in sheets),
        )
    for title in [options.sheet] if options.sheet is not None else sheets:
        rows = _rows(book[title])
        if rows:
            return _from_rows(rows, name, title, [other for other in sheets if other != title], options)
    raise DataError(f"“{name}” is empty.", "No cell of its sheets holds anything. Choose another file or sheet.")


def _rows(sheet) -> list[list[object]]:
    """The cells' values, without empty rows; every row as long as the longest."""
    sheet.reset_dimensions()  # a sheet formatted to its end claims 16 384 columns
    rows = [list(row) for row in sheet.iter_rows(values_only=True) if any(map(_filled, row))]
    width = max((max(j for j, value in enumerate(row) if _filled(value)) + 1 for row in rows), default=0)
    return [(row + [None] * width)[:width] for row in rows]


def _filled(value: object) -> bool:
    return bool(value.strip()) if isinstance(value, str) else value is not None


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    return str(value).strip()


def _is_exact(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < MAX_EXACT


def _column(values: list[object]) -> pa.ChunkedArray:
    """Numbers as numbers, since the point of their decimals is none of the person's; anything else as text."""
    given = [value for value in values if value is not None]
    if given and all(_is_exact(value) for value in given):
        return pa.chunked_array([pa.array(values, pa.float64())])
    return pa.chunked_array([pa.array([_cell(value) for value in values], pa.string())])


def _from_rows(rows: list[list[object]], name: str, title: str, others: list[str], options: ReadOptions) -> Raw:
    sample = [[_cell(value) for value in row] for row in rows[:1000]]
    header = recognise.has_header(sample) if options.header is None else options.header
    if header and len(rows) == 1:
        raise DataError(f"“{name}” has names but no rows.", "Choose a sheet with answers below the names.")
    notes = [f"Read from the sheet “{title}”; the others are {', '.join(others)}."] if others else []
    if header:
        names, found = recognise.tidy_names(sample[0])
    else:
        names = [f"column {j}" for j in range(1, len(rows[0]) + 1)]
        found = ["The first line looks like data, so the columns are called “column 1” and so on."]
    columns = [_column([row[j] for row in rows[header:]]) for j in range(len(names))]
    return Raw(names, columns, notes + found, {})
