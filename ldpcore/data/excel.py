"""Excel → names and columns."""

import datetime
import io
import zipfile

import pyarrow as pa

from ldpcore.data import doctype, heading, recognise
from ldpcore.data.delimited import Raw
from ldpcore.data.errors import DataError, Remedy, plural
from ldpcore.data.foreign import bounded
from ldpcore.data.options import ReadOptions
from ldpcore.data.text import too_large

MAX_EXACT = 2**53
"""Beyond it float64 cannot tell whole numbers apart."""
MAX_ROW = 1_048_576
"""The last row that Excel has; a damaged sheet may claim one of any number."""
MAX_CELLS = 20_000_000
"""Of a sheet, as wide as its widest row: a cell in the last of Excel's 16 384 columns makes every row as wide."""
_SLOWER = 4
"""Times that a workbook's cells take longer to read than those of text, byte for byte, and more."""
_WHAT = "an Excel file"


def is_excel(content: bytes, name: str) -> bool:
    """A zip archive with a workbook inside. DataError when it is an archive that cannot be opened."""
    if not content.startswith(b"PK\x03\x04"):
        return False
    with bounded(name, "a zip archive or an Excel file"), zipfile.ZipFile(io.BytesIO(content)) as archive:
        return "xl/workbook.xml" in archive.namelist()


def read(content: bytes, name: str, options: ReadOptions, limit: int) -> Raw:
    """One sheet of a workbook: the wanted one, or the first that holds anything."""
    with bounded(name, _WHAT), zipfile.ZipFile(io.BytesIO(content)) as archive:
        size = sum(entry.file_size for entry in archive.infolist())
        written = sum(part.file_size for part in archive.infolist() if not part.filename.startswith("xl/media/"))
        fits = size <= limit and written <= limit // _SLOWER
        hostile = fits and any(_declares(archive, part) for part in archive.infolist())
    if written > limit // _SLOWER:
        raise too_large(name, f"is a workbook of {written / 1e6:.0f} MB unpacked", limit // _SLOWER)
    if size > limit:
        raise too_large(name, f"unpacks to {size / 1e6:.0f} MB", limit)
    if hostile:
        raise DataError(
            f"“{name}” is no ordinary workbook.",
            "Its XML declares a document type, which can fill the memory and which no office program writes. "
            "Save it again, or as CSV.",
        )
    import openpyxl  # only where it is needed: to import it takes long

    with bounded(name, _WHAT):
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        sheets = [sheet.title for sheet in book.worksheets]
    if options.sheet is not None and options.sheet not in sheets:
        raise DataError(
            f"“{name}” has no sheet “{options.sheet}”.",
            f"Its sheets are {', '.join(sheets)}.",
            remedies=tuple(Remedy(f"Read “{sheet}”", {"sheet": sheet}) for sheet in sheets),
        )
    for title in [options.sheet] if options.sheet is not None else sheets:
        with bounded(name, _WHAT):
            sheet = book[title]
            sheet.reset_dimensions()  # a sheet formatted to its end claims 16 384 columns
            rows = sheet.iter_rows(max_row=MAX_ROW, values_only=True)
            held: list[list[object]] = [list(row) for row in rows if any(map(_filled, row))]
        if held:
            others = [other for other in sheets if other != title]
            return _from_rows(_rectangle(held, name), name, title, others, options)
    raise DataError(f"“{name}” is empty.", "No cell of its sheets holds anything. Choose another file or sheet.")


def _declares(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bool:
    with archive.open(entry) as part:
        return doctype.declared(part)


def _rectangle(rows: list[list[object]], name: str) -> list[list[object]]:
    """Every row as long as the longest."""
    width = max(max(j for j, value in enumerate(row) if _filled(value)) + 1 for row in rows)
    if len(rows) * width > MAX_CELLS:
        raise DataError(
            f"“{name}” is too large.",
            f"{plural(len(rows), 'row')} of {plural(width, 'column')} are more cells than can be read from a sheet. "
            "Perhaps something stands far to the right; otherwise save the table as CSV or Parquet.",
        )
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
    above = heading.titles(sample)
    titled, sample, rows = sample[:above], sample[above:], rows[above:]
    below = heading.described(sample)
    header = recognise.has_header(sample) if options.header is None else options.header
    if header and len(rows) == 1 + below:
        raise DataError(f"“{name}” has names but no rows.", "Choose a sheet with answers below the names.")
    notes = [f"Read from the sheet “{title}”; the others are {', '.join(others)}."] if others else []
    if header:
        names, found = recognise.tidy_names(heading.names(sample))
    else:
        names = [f"column {j}" for j in range(1, len(rows[0]) + 1)]
        found = ["The first line looks like data, so the columns are called “column 1” and so on."]
    first = 1 + below if header else 0
    columns = [_column([row[j] for row in rows[first:]]) for j in range(len(names))]
    return Raw(names, columns, notes + heading.said(titled, below if header else 0) + found, {})
