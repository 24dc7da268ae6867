"""Reports as a column of a file, `report`, whatever they are made of.

A number is a number. Anything else (packed bits, a hash with its value, a place on a ring) is its bytes, little end
first: fixed-size binary in Parquet, hexadecimal in CSV. Every one of them reads back to the bit.
"""

import binascii
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import csv

from ldpcore.collection import plan
from ldpcore.data import DataError
from ldpcore.data.foreign import bounded
from ldpcore.data.partition import Partition
from ldpcore.randomizer import Reports

REPORT = "report"
MARK = b"ldpcore.client"
"""Key of the client's digest in a Parquet file of reports."""
_WHOLE, _FLOAT = r"^-?[0-9]{1,18}$", r"^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?$"
"""Numbers as text, as `Writer` writes them: what else Arrow reads as one changes with its version."""


HANDED = r"^\s*([0-9]+)-(?i:{})\s*$"
"""A number with the mark of its client, as the page of phones shows it."""


def _is_number(form: Reports) -> bool:
    return form.ndim == 1 and form.dtype.names is None


def _width(form: Reports) -> int:
    """Bytes of a report."""
    return form.nbytes // len(form)


def packed(reports: Reports) -> pa.Array:
    """Reports (n, …) as one cell for each.

    >>> packed(np.array([[1, 255], [0, 2]], np.uint8)).to_pylist()
    [b'\\x01\\xff', b'\\x00\\x02']
    """
    if _is_number(reports):
        return pa.array(reports)
    kind = pa.binary(reports[:1].nbytes)
    return pa.FixedSizeBinaryArray.from_buffers(kind, len(reports), [None, pa.py_buffer(reports.tobytes())])


def unpacked(column: pa.ChunkedArray, form: Reports) -> Reports:
    """The reports (≤ n, …) of a column, in the form of this one; cells that cannot be one are left out."""
    column = column.drop_null()
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    kind = column.type
    text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
    if text:
        column = pc.utf8_trim_whitespace(column)
    if _is_number(form):
        return _numbers(column, form.dtype, text)
    return _bytes(column, form, text)


def _numbers(column: pa.ChunkedArray, wanted: np.dtype, text: bool) -> Reports:
    whole, kind = wanted.kind in "iu", column.type
    if text:
        column = column.filter(pc.match_substring_regex(column, _WHOLE if whole else _FLOAT))
    elif not (pa.types.is_integer(kind) or (pa.types.is_floating(kind) and not whole)):
        return np.empty(0, wanted)
    exact = column.cast(pa.int64() if whole else pa.float64(), safe=False).to_numpy()
    limits = np.iinfo(wanted) if whole else None
    # A code that does not fit was sent by nobody; cut to the type it would be another.
    fits = exact if limits is None else exact[(exact >= limits.min) & (exact <= limits.max)]
    return fits.astype(wanted)


def _bytes(column: pa.ChunkedArray, form: Reports, text: bool) -> Reports:
    width = _width(form)
    if text:
        right = pc.and_(
            pc.equal(pc.binary_length(column), 2 * width), pc.match_substring_regex(column, "^[0-9a-fA-F]*$")
        )
        content = binascii.unhexlify("".join(column.filter(right).to_pylist()))
    elif pa.types.is_fixed_size_binary(column.type) and column.type.byte_width == width:
        content = b"".join(
            memoryview(chunk.buffers()[1])[chunk.offset * width : (chunk.offset + len(chunk)) * width]
            for chunk in column.chunks
        )
    else:
        content = b""
    return np.frombuffer(content, form.dtype).reshape(-1, *form.shape[1:])


def _as_text(cells: pa.Array) -> pa.Array:
    """As CSV has them."""
    if not pa.types.is_fixed_size_binary(cells.type):
        return cells
    width = 2 * cells.type.byte_width
    offsets = np.arange(0, (len(cells) + 1) * width, width, dtype=np.int64)
    content = binascii.hexlify(cells.buffers()[1])
    return pa.LargeStringArray.from_buffers(len(cells), pa.py_buffer(offsets), pa.py_buffer(content))


def as_text(reports: Reports) -> list[str]:
    """Reports (n, …) as the cells of a CSV.

    >>> as_text(np.array([[1, 255], [0, 2]], np.uint8)), as_text(np.array([3, 0]))
    (['01ff', '0002'], ['3', '0'])
    """
    return [str(cell) for cell in _as_text(packed(reports)).to_pylist()]


@contextmanager
def written(path: Path, form: Reports, digest: str) -> Iterator["Writer"]:
    """A file of reports, by its name Parquet or CSV; `Writer.write` adds some."""
    schema = pa.schema([(REPORT, packed(form).type)], {MARK: digest.encode()})
    if path.suffix == ".csv":
        plain = pa.schema([(REPORT, _as_text(packed(form)).type)])
        quotes = "needed" if pa.types.is_string(plain.field(0).type) else "none"  # a code of several has commas
        with csv.CSVWriter(path, plain, write_options=csv.WriteOptions(quoting_style=quotes)) as file:
            yield Writer(file, plain)
    else:
        # Codes repeat, so that a dictionary of them is smaller; noise does not.
        coded = _is_number(form) and form.dtype.kind in "iu"
        with pq.ParquetWriter(path, schema, use_dictionary=coded) as file:
            yield Writer(file, schema)


class Writer:
    """Of one file of reports."""

    def __init__(self, file: "csv.CSVWriter | pq.ParquetWriter", schema: pa.Schema):
        self._file, self._schema = file, schema

    def write(self, reports: Reports) -> None:
        """Add these."""
        cells = packed(reports)
        if isinstance(self._file, csv.CSVWriter):
            cells = _as_text(cells)
        self._file.write_table(pa.table([cells], schema=self._schema))


def whose(part: Partition) -> str:
    """The digest of the client that drew the reports of this file, as it or a plan above it says; else ""."""
    digest = b""
    if not part.is_text:
        with bounded(part.name, "a Parquet file"):
            digest = (pq.read_schema(part.source).metadata or {}).get(MARK, b"")
    listed = None if digest or not part.path else plan.of_file(Path(part.path))
    return digest.decode(errors="replace") if listed is None else listed.client


def check_mark(part: Partition, digest: str) -> None:
    """DataError where the reports of this file are said to be another client's."""
    if not part.number and whose(part) not in ("", digest):
        raise DataError(
            f"“{part.name}” holds reports of another client.",
            "They were drawn by another question, mechanism or ε than this client.json says: take theirs.",
        )


def unsaid(parts: list[Partition], mark: str) -> list[str]:
    """The files that do not say which client drew their reports: nor does a plan, nor any of the first handed in."""
    first = [part for part in parts if not part.number and not whose(part)]
    return [part.name for part in first if not (part.is_text and mark and _marked(part, mark))]


def _marked(part: Partition, mark: str) -> bool:
    table = next(part.tables([column_of(part)]), None)
    return table is not None and bool(pc.any(pc.match_substring_regex(table[0], HANDED.format(mark))).as_py())


def is_report(name: str) -> bool:
    """Whether a column is `report`, however its letters are; Qualtrics exports what a script wrote as `__js_report`."""
    return name.strip().lower().removeprefix("__js_") == REPORT


def column_of(part: Partition) -> str:
    """The column `report`, or the only one."""
    named = [name for name in part.columns if is_report(name)]
    if named or len(part.columns) == 1:
        return named[0] if named else part.columns[0]
    raise DataError(
        f"“{part.name}” has no column named {REPORT}.", f"It has {', '.join(part.columns[:8])}. Rename the one that is."
    )


def read(part: Partition, form: Reports, rows: int, mark: str = "") -> Iterator[tuple[Reports, int]]:
    """Reports of a partition in the form of this one, about so many at a time, and how many rows hold one or none.

    mark: of the client, on reports of text that were handed in; one with another mark is none.
    """
    name = column_of(part)
    for table in part.tables([name], rows):
        column = table[name]
        count = len(column)
        if part.is_text and len(part.columns) == 1:  # an empty line is nobody
            count -= int(pc.sum(pc.equal(pc.utf8_trim_whitespace(column), "")).as_py() or 0)
        if part.is_text and mark:
            column = pc.replace_substring_regex(column, HANDED.format(mark), r"\1")
        yield unpacked(column, form), count


def bulk(form: Reports, most: int) -> int:
    """How many reports fit into `most` bytes."""
    return max(1, most // max(_width(form), 8))
