"""A part of a file of people's answers, read a batch at a time, wherever it is read."""

from collections.abc import Iterator, Sequence
from csv import reader as csv_reader
from dataclasses import dataclass
from functools import partial
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import BinaryIO

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
    that stand before it in its file. columns: the names of the file's columns, () where it is lines. separator: "" for
    Parquet.
    """

    path: str
    name: str
    number: int
    start: int
    stop: int
    first: int
    columns: tuple[str, ...]
    separator: str = ""

    @property
    def is_text(self) -> bool:
        """Text, not Parquet."""
        return bool(self.separator)

    def tables(self, columns: Sequence[str] | None = None, rows: int = BATCH) -> Iterator[pa.Table]:
        """These columns (None: all), at most so many rows at a time; those of text are text. DataError for one that is
        not there, and for a damaged file.
        """
        wanted = self.columns if columns is None else tuple(columns)
        if missing := [name for name in wanted if name not in self.columns]:
            raise DataError(
                f"“{self.name}” has no column {checks.name_list(f'“{name}”' for name in missing)}.",
                f"Its columns are {checks.name_list(self.columns, 20)}. Choose one of them.",
            )
        return self._cells(wanted, rows) if self.is_text else self._groups(wanted, rows)

    def content(self) -> bytes:
        """The bytes of a part of text: whole lines."""
        with opened(self.path, self.name) as file:
            file.seek(self.start)
            return file.read(self.stop - self.start)

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
        with bounded(self.name, "a Parquet file"):
            # Page after page of a row group, which may be larger than memory: without either of the two Arrow reads a
            # column of it whole.
            stepwise = {"pre_buffer": False, "buffer_size": BLOCK}
            file = pq.ParquetFile(self.path, **stepwise, page_checksum_verification=True)
            groups = range(self.start, self.stop)
            batches = file.iter_batches(rows, row_groups=list(groups), columns=list(wanted), use_threads=False)
        while True:
            with bounded(self.name, "a Parquet file"):
                batch = next(batches, None)
                if batch is None:
                    return
                # A name with points is a path to Arrow, and may bring more columns than it names.
                table = pa.Table.from_batches([batch]).select(list(wanted))
            yield table

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
        raise DataError(
            f"“{name}” cannot be opened.", f"{error.strerror or 'It cannot be read'}. Check the path: {path}"
        ) from error
