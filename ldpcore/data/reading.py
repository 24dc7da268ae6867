"""Any file → Table. Nothing is written to disk and nothing is logged: uploads are other people's answers."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

from ldpcore.baskets import Baskets
from ldpcore.data import (
    archives,
    columns,
    dates,
    delimited,
    excel,
    layout,
    numbers,
    parquet,
    public,
    text,
    ticked,
    totals,
    transactions,
)
from ldpcore.data.bundled import BUNDLED, bundled, groups
from ldpcore.data.card import Card
from ldpcore.data.delimited import Raw
from ldpcore.data.errors import DataError, plural
from ldpcore.data.options import ReadOptions
from ldpcore.data.table import Table

UPLOAD_LIMIT = 200_000_000
"""Bytes, packed and unpacked: a browser's tab and other people's sessions share the memory."""
RECOGNISE = ReadOptions()
"""Everything is left to the reader."""
FILE_LIMIT = 1_000_000_000
"""Bytes, for a path on one's own machine; US Census 1990 has 361 MB."""


def read(content: bytes | Path, name: str, options: ReadOptions = RECOGNISE) -> Table:
    """A CSV, TSV, Parquet or Excel file, or one of these packed with gzip or alone in a zip archive → Table.

    content: the bytes of an upload (at most 200 MB, also unpacked) or a path (at most 1 GB). What the options leave
    open is recognised, and said in the table's notes. DataError when it is no table.
    """
    if isinstance(content, Path):
        return _read(_file(content), name, options, FILE_LIMIT)
    return _read(bytes(content), name, options, UPLOAD_LIMIT)


def load(reference: str | Path, options: ReadOptions = RECOGNISE) -> Table:
    """The table a Study names: a bundled one, "adult" or "census1990" (fetched once), or a path to a file."""
    if isinstance(reference, str) and reference in BUNDLED:
        path, card, orders = bundled(reference)
        table = _read(path.read_bytes(), reference, options, FILE_LIMIT, card, orders)
        return table.with_groups(groups(reference)) if groups(reference) else table
    if isinstance(reference, str) and reference in public.FETCHED:
        return _read(_file(public.fetch(reference)), reference, options, FILE_LIMIT, public.FETCHED[reference])
    path = Path(reference).expanduser()
    if not path.is_file():
        raise DataError(
            f"There is no data called “{reference}”.",
            f"It is no file here. Give the path of a file, or one of {', '.join([*BUNDLED, *public.FETCHED])}.",
        )
    return read(path, path.name, options)


def _file(path: Path) -> bytes:
    try:
        size = path.stat().st_size
        if size > FILE_LIMIT:
            raise text.too_large(path.name, f"has {size / 1e6:.0f} MB", FILE_LIMIT)
        return path.read_bytes()
    except OSError as error:
        raise DataError(
            f"“{path.name}” cannot be opened.", f"{error.strerror or 'It cannot be read'}. Check the path: {path}"
        ) from error


def _read(
    content: bytes,
    name: str,
    options: ReadOptions,
    limit: int,
    card: Card | None = None,
    orders: Mapping[str, tuple[str, ...]] | None = None,
) -> Table:
    content, opened = archives.unpack(text.unpack(content, name, limit), name, limit, options.member)
    if opened:
        content = text.unpack(content, name, limit)
    if not content:
        raise DataError(f"“{name}” is empty.", "It has 0 bytes. Choose another file.")
    digest = hashlib.sha256(content).hexdigest()
    card = card or public.by_digest(digest)
    digest = _marked(digest, separator=options.separator, header=options.header, encoding=options.encoding,
                     sheet=options.sheet)  # fmt: skip
    said = [opened] if opened else []
    is_parquet, is_excel = content.startswith(b"PAR1"), excel.is_excel(content, name)
    if options.layout == "baskets" and (is_parquet or is_excel):
        raise DataError(
            f"“{name}” has no lines to read as baskets.",
            "A Parquet or Excel file is a table. Read it with a row or a column per item, or save it as text.",
        )
    if is_parquet:
        raw = parquet.read(content, name, limit)
    elif is_excel:
        raw = totals.without(excel.read(content, name, options, limit))
    else:
        decoded, notes = text.decode(content, name, options.encoding)
        separator = _transactions(decoded, name, options)
        if separator is not None:
            held, found = transactions.read(decoded, name, separator, options, limit)
            return _of_lines(held, [*said, *notes, *found], name, digest, card)
        raw = totals.without(delimited.read(decoded, name, options, limit))
        raw.notes[:0] = notes
    typed = frozenset(name for name, cells in zip(raw.names, raw.columns, strict=True) if columns.is_typed(cells.type))
    tidied, reading, usual, settled = _tidy(raw, orders or {}, options)
    mixed = [column.facts.mixed for column in tidied.values() if column.facts.mixed]
    digest = _marked(
        digest,
        decimal=reading.decimal if reading.decimal != usual else None,
        percent=options.percent if any(beside.recognised != beside.taken for beside in mixed) else None,
    )
    frame, known, notes = _framed(tidied, name, [*said, *raw.notes], settled)
    table = Table(name, digest, frame, tuple(notes), card, known, reading=reading, typed=typed)
    categories = tuple(column.name for column in table.profile() if column.role == "category")
    sets = layout.recognise(frame, categories, options)
    timed = [dates.said(column.name, column.dates) for column in table.profile() if column.dates]
    made = replace(table, sets=sets, notes=(*table.notes, *timed, *layout.said(sets)))
    vars(made)["_profile"] = table.profile()  # of the same columns: it is not computed twice
    return made


def _marked(digest: str, **chosen: str | bool | None) -> str:
    """The digest of a file that a person has read differently: nothing kept of the usual reading may serve."""
    told = {name: value for name, value in chosen.items() if value is not None}
    return hashlib.sha256(f"{digest} {told}".encode()).hexdigest() if told else digest


def _transactions(content: bytes, name: str, options: ReadOptions) -> str | None:
    """The separator of the items, where the file is a list of transactions."""
    if options.layout == "baskets":
        return transactions.separator_of(content, name, options)
    if options.layout is None and not (options.user or options.item):
        return transactions.looks_like(content, options)
    return None


def _of_lines(held: Baskets, notes: list[str], name: str, digest: str, card: Card | None) -> Table:
    """A list of transactions as a table: the size of each basket, and beside it the baskets."""
    frame = pd.DataFrame({layout.SIZE: columns.tidy(layout.SIZE, pa.chunked_array([pa.array(held.lengths)])).series})
    return Table(name, digest, frame, (*notes, *held.notes), card, sets={layout.ITEMS: layout.Lines(held)})


def _tidy(
    raw: Raw, orders: Mapping[str, tuple[str, ...]], options: ReadOptions
) -> tuple[dict[str, columns.Column], numbers.Reading, str, bool]:
    """Tidy columns, how their numbers were read, the decimal mark that is recognised, and whether the file shows it.

    Numbers that could have either mark wait until all columns have been seen.
    """
    first = numbers.Reading(raw.decimal, options.percent)
    tidied, waiting = {}, {}
    for name in raw.names:
        cells = raw.columns.pop(0)  # let go of each column once it is tidy: memory peaks here
        given = orders.get(name) or raw.orders.get(name)
        tidied[name] = columns.tidy(name, cells, given, first)
        if tidied[name].facts.follows:
            waiting[name] = cells, given
        del cells
        pa.default_memory_pool().release_unused()
    mark, shown = numbers.decimal_mark((column.facts for column in tidied.values()), raw.decimal)
    reading = numbers.Reading(options.decimal or mark, options.percent)
    if reading != first:
        tidied |= {name: columns.tidy(name, cells, given, reading) for name, (cells, given) in waiting.items()}
    return tidied, reading, mark, shown and reading.decimal == mark


def _framed(
    tidied: dict[str, columns.Column], name: str, said: list[str], settled: bool
) -> tuple[pd.DataFrame, dict[str, tuple[str, ...]], list[str]]:
    """Frame, known orders, notes. Columns without any value and rows without any are left out, and said so."""
    empty = [column for column, tidy in tidied.items() if tidy.series.isna().all()]
    if len(empty) == len(tidied):
        raise DataError(f"“{name}” holds no answer.", "Every cell is empty or a missing mark. Choose another file.")
    kept, boxes = ticked.as_answers({column: tidy for column, tidy in tidied.items() if column not in empty})
    frame = pd.DataFrame({column: tidy.series for column, tidy in kept.items()}, copy=False)
    notes = list(said)
    if empty:
        notes.append(f"Left out, since nothing stands in {'it' if len(empty) == 1 else 'them'}: {', '.join(empty)}.")
    frame, blank = _without_blank_rows(frame)
    if blank:
        notes.append(f"{plural(blank, 'row')} without any answer left out.")
    known = {column: tidy.known for column, tidy in kept.items() if tidy.known}
    return frame, known, notes + boxes + columns.notes(kept, settled)


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
