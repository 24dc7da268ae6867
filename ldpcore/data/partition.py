"""A part of a file of people's answers, read a batch at a time, wherever it is read."""

import hashlib
from collections.abc import Iterator, Sequence
from csv import reader as csv_reader
from dataclasses import dataclass, field
from functools import partial
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import csv

from ldpcore import checks
from ldpcore.data.errors import DataError, thousands
from ldpcore.data.foreign import bounded

BATCH = 1 << 16
"""Rows that are in memory at once."""
BLOCK = 1 << 22
"""Bytes of a file that are read at once."""


@dataclass(frozen=True)
class Partition:
    """Part `number` (from 0) of the file `name`: row groups of Parquet, or bytes of text, from `start` to `stop`.

    path: where it is read. name: the file as its folder knows it, with “/”. first: rows of Parquet, or lines of text,
    that stand before it in its file; rows: that are in it. columns: the names of the file's columns, () where it is
    lines. separator: "" for Parquet. state: of the file when it was cut into parts, `state_of`. digest: what
    `fingerprint` said of the column that will be read. Of a file that changes after that, reading ends in a DataError.
    """

    path: str
    name: str
    number: int
    start: int
    stop: int
    first: int
    columns: tuple[str, ...]
    separator: str = ""
    rows: int = 0
    state: tuple[int, int] | None = None
    digest: str = ""

    @property
    def is_text(self) -> bool:
        """Text, not Parquet."""
        return bool(self.separator)

    @property
    def source(self) -> Any:
        """What Arrow opens Parquet by."""
        return self.path

    def tables(self, columns: Sequence[str] | None = None, rows: int = BATCH) -> Iterator[pa.Table]:
        """These columns (None: all), at most so many rows at a time; those of text are text. DataError for one that is
        not there, and for a damaged file.
        """
        wanted = self.columns if columns is None else tuple(columns)
        if missing := [name for name in wanted if name not in self.columns]:
            raise self._lacking(missing)
        return self._cells(wanted, rows) if self.is_text else self._groups(wanted, rows)

    def content(self) -> bytes:
        """The bytes of a part of text: whole lines."""
        with opened(self.path, self.name) as file:
            file.seek(self.start)
            read = file.read(self.stop - self.start)
        self._unchanged(len(read), self.stop - self.start)
        if self.digest and hashlib.sha256(read).hexdigest() != self.digest:
            raise self._changed()
        return read

    def fingerprint(self, *columns: str) -> str:
        """SHA-256 of all that its content hangs on: the bytes of text, or those of these columns in Parquet."""
        digest = hashlib.sha256()
        chunks = [each for column in columns for each in self._chunks(column)] if not self.is_text else []
        for start, stop in [(self.start, self.stop)] if self.is_text else chunks:
            with opened(self.path, self.name) as file:
                file.seek(start)
                while start < stop and (block := file.read(min(BLOCK, stop - start))):
                    digest.update(block)
                    start += len(block)
            self._unchanged(start, stop)
        return digest.hexdigest()

    def _chunks(self, column: str) -> list[tuple[int, int]]:
        """Where the bytes of this column begin and end, row group by row group."""
        if column not in self.columns:
            raise self._lacking([column])
        with bounded(self.name, "a Parquet file"):
            about, chunks = pq.read_metadata(self.path), []
            for group in range(self.start, self.stop):
                every = (about.row_group(group).column(i) for i in range(about.num_columns))
                # A name with points is a path to Arrow: the chunks of “a” and “a.b” both are of “a”.
                for chunk in (each for each in every if f"{each.path_in_schema}.".startswith(f"{column}.")):
                    start = chunk.dictionary_page_offset or chunk.data_page_offset
                    chunks.append((start, start + chunk.total_compressed_size))
        return chunks

    def _unchanged(self, found: int, wanted: int) -> None:
        """DataError where there is less, or more, or the file is another than that which was cut into parts."""
        if found != wanted or self.state not in (None, state_of(self.path, self.name)):
            raise self._changed()

    def _changed(self) -> DataError:
        return DataError(
            f"“{self.name}” has changed since it was first looked at.",
            "Somebody writes to it, or put another file there: people could be lost, or count twice. Begin again with "
            "files that stay as they are.",
        )

    def _lacking(self, missing: list[str]) -> DataError:
        return DataError(
            f"“{self.name}” has no column {checks.name_list(f'“{name}”' for name in missing)}.",
            f"Its columns are {checks.name_list(self.columns, 20)}. Choose one of them.",
        )

    def place(self, row: int) -> str:
        """Where the row-th row (from 0) of this part stands, for a sentence: “row 17” of Parquet, “line 18” of text."""
        if not self.is_text:
            return f"row {thousands(self.first + row + 1)}"
        if not self.columns:
            return f"line {thousands(self.first + row + 1)}"
        content = self.content().decode("utf-8", errors="replace")
        lines = csv_reader(StringIO(content, newline=""), delimiter=self.separator)
        # An empty line is a row of one column, and none of several.
        ends = (lines.line_num for record in lines if record or len(self.columns) < 2)
        return f"line {thousands(self.first + next(islice(ends, row, None), row + 1))}"

    def _groups(self, wanted: tuple[str, ...], rows: int) -> Iterator[pa.Table]:
        self._unchanged(0, 0)
        if self.digest and self.fingerprint(*wanted) != self.digest:
            raise self._changed()
        read = 0
        with bounded(self.name, "a Parquet file"):
            # Page after page of a row group, which may be larger than memory: without either of the two Arrow reads a
            # column of it whole.
            stepwise = {"pre_buffer": False, "buffer_size": BLOCK}
            file = pq.ParquetFile(self.source, **stepwise, page_checksum_verification=True)
            groups = range(self.start, self.stop)
            batches = file.iter_batches(rows, row_groups=list(groups), columns=list(wanted), use_threads=False)
        while True:
            with bounded(self.name, "a Parquet file"):
                batch = next(batches, None)
                if batch is None:
                    break
                # A name with points is a path to Arrow, and may bring more columns than it names.
                table = pa.Table.from_batches([batch]).select(list(wanted))
            read += len(table)
            yield table
        self._unchanged(read, self.rows)

    def _cells(self, wanted: tuple[str, ...], rows: int) -> Iterator[pa.Table]:
        skipped: list[str] = []
        single = len(self.columns) == 1
        source = self.content()
        if single:  # an empty line is an empty answer there, unless it ends the file
            source = source.rstrip(b"\r\n")
        if not source.strip():
            return
        names = list(self.columns)
        shape = csv.ParseOptions(
            delimiter=self.separator, newlines_in_values=True, ignore_empty_lines=not single,
            invalid_row_handler=partial(_noted, skipped),
        )  # fmt: skip
        kinds = csv.ConvertOptions(
            include_columns=list(wanted), column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False
        )
        how = csv.ReadOptions(column_names=names, block_size=BLOCK, use_threads=False)
        try:
            for batch in csv.open_csv(pa.BufferReader(source), how, shape, kinds):
                for begin in range(0, batch.num_rows, rows):
                    yield pa.Table.from_batches([batch.slice(begin, rows)])
        except pa.ArrowInvalid as error:
            raise self._irregular(skipped) from error

    def _irregular(self, skipped: list[str]) -> DataError:
        if skipped:
            return DataError(
                f"“{self.name}” has a line without {len(self.columns)} fields.",
                f"It begins “{skipped[0].strip()[:80]}”. Perhaps a text holds the separator and needs quotes.",
            )
        return DataError(
            f"“{self.name}” cannot be read as a table after line {thousands(self.first)}.",
            "A quotation mark opens there and is never closed, or its letters are not UTF-8. Save it again as CSV in "
            "UTF-8.",
        )


@dataclass(frozen=True)
class UploadedPartition(Partition):
    """A whole file that is in memory alone: nothing of it is on a disk. upload: its bytes; it has no path."""

    upload: bytes = field(default=b"", repr=False)

    @property
    def source(self) -> Any:
        return pa.BufferReader(self.upload)

    def content(self) -> bytes:
        return self.upload[self.start : self.stop]

    def _unchanged(self, found: int, wanted: int) -> None:
        if found != wanted:
            raise self._changed()


def _noted(skipped: list[str], row: csv.InvalidRow) -> str:
    if row.text.strip():
        skipped.append(row.text)
        return "error"
    return "skip"


def opened(path: str | Path, name: str) -> BinaryIO:
    """For reading bytes; DataError where it cannot be."""
    try:
        return Path(path).open("rb")
    except OSError as error:
        raise _unopened(path, name, error) from error


def state_of(path: str | Path, name: str) -> tuple[int, int]:
    """The size of a file, and when it was last written (ns); DataError where it is gone."""
    try:
        about = Path(path).stat()
    except OSError as error:
        raise _unopened(path, name, error) from error
    return about.st_size, about.st_mtime_ns


def _unopened(path: str | Path, name: str, error: OSError) -> DataError:
    return DataError(f"“{name}” cannot be opened.", f"{error.strerror or 'It cannot be read'}. Check the path: {path}")
