"""Any file → Table. Nothing is written to disk and nothing is logged: uploads are other people's answers."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa

from ldpcore.baskets import Baskets
from ldpcore.data import (
    archives,
    columns,
    dates,
    delimited,
    dialects,
    excel,
    fixed_width,
    framing,
    layout,
    lines,
    parquet,
    public,
    recognisers,
    records,
    reshaping,
    spmf,
    survey_files,
    text,
    transactions,
)
from ldpcore.data.assumptions import Assumption, AssumptionKind
from ldpcore.data.bundled import BUNDLED, bundled, groups
from ldpcore.data.card import DatasetCard
from ldpcore.data.delimited import Raw
from ldpcore.data.errors import DataError
from ldpcore.data.options import ReadOptions
from ldpcore.data.recognisers import numeric, people
from ldpcore.data.recognisers.evidence import Evidence
from ldpcore.data.set_sources import ITEMS, SIZE, Lines
from ldpcore.data.table import Table

UPLOAD_LIMIT = 200_000_000
"""Bytes, packed and unpacked: a browser's tab and other people's sessions share the memory."""
RECOGNISE = ReadOptions()
"""Everything is left to the reader."""
FILE_LIMIT = 1_000_000_000
"""Bytes, for a path on one's own machine; US Census 1990 has 361 MB."""


def read(content: bytes | Path, name: str, options: ReadOptions = RECOGNISE) -> Table:
    r"""A CSV, TSV, Parquet, Excel, JSON, SPSS, Stata or SAS file, or one of these packed with gzip or alone in a zip
    archive → Table.

    content: the bytes of an upload (at most 200 MB, also unpacked) or a path (at most 1 GB). What the options leave
    open is recognised, and said in the table's assumptions and notes. DataError when it is no table.

    >>> days = b"days\n" + b"3\n8\n30\n12\n15\n5\n" * 5 + b"88\n" * 40 + b"99\n99\n"
    >>> first = read(days, "days.csv")
    >>> [(each.kind.value, each.column, each.alternatives[0].label) for each in first.assumptions]
    [('missing', 'days', '88 and 99 are no answer')]
    >>> read(days, "days.csv", first.assumptions[0].alternatives[0].options).numbers("days").mean().round(2)
    np.float64(12.17)
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
    card: DatasetCard | None = None,
    orders: Mapping[str, tuple[str, ...]] | None = None,
) -> Table:
    content, opened = archives.unpack(text.unpack(content, name, limit), name, limit, options.member)
    if opened:
        content = text.unpack(content, name, limit)
    if not content:
        raise DataError(f"“{name}” is empty.", "It has 0 bytes. Choose another file.")
    digest = hashlib.sha256(content).hexdigest()
    card = card or public.by_digest(digest)
    digest = _marked(digest, **options.of_cells(("decimal", "percent", "member")))
    opening = [opened] if opened else []
    raw = _typed(content, name, options, limit)
    if raw is None:
        decoded, notes, stated = text.decode(content, name, options)
        made = _of_text(decoded, name, options, limit)
        if isinstance(made, transactions.Transactions):
            return _of_lines(made, [*opening, *notes], stated, name, digest, card, options)
        raw = made
        raw.notes[:0] = notes
        raw.assumptions[:0] = stated
    raw.notes[:0] = opening
    raw = reshaping.as_said(lines.without(raw, options, raw.behind), options)
    return _table(raw, name, digest, card, orders or {}, options, limit)


def _typed(content: bytes, name: str, options: ReadOptions, limit: int) -> Raw | None:
    """What is a table already; None for text."""
    kind = survey_files.kind_of(content, name)
    is_parquet, is_excel = content.startswith(b"PAR1"), kind is None and excel.is_excel(content, name)
    if options.layout == "baskets" and (is_parquet or is_excel or kind):
        raise DataError(
            f"“{name}” has no lines to read as baskets.",
            "A Parquet or Excel file is a table. Read it with a row or a column per item, or save it as text.",
        )
    if is_parquet:
        return parquet.read(content, name, limit)
    if kind is not None:
        return survey_files.read(content, name, kind, limit)
    return excel.read(content, name, options, limit) if is_excel else None


def _of_text(content: bytes, name: str, options: ReadOptions, limit: int) -> "Raw | transactions.Transactions":
    """UTF-8 text: records, lines of transactions, or a table."""
    if options.format in (None, "records") and records.is_records(content):
        return records.read(content, name, limit)
    text.refuse_json(content, name)
    dialects.refuse(content, name, options)
    content, separator, stated = dialects.plain(content, name, options)
    if separator is not None:
        raw = delimited.read(content, name, replace(options, separator=separator), limit)
        return replace(raw, assumptions=[*stated, *raw.assumptions])
    names: dict[str, str] = {}
    if options.format in (None, "spmf"):
        content, names, stated = spmf.plain(content, options)
    separator = " " if stated and options.layout is None else _transactions(content, name, options)
    if separator is None:
        return delimited.read(content, name, options, limit)
    fixed_width.refuse(content, name, separator, options)
    baskets = transactions.found(content, name, separator, options, limit)
    return baskets.named(names, stated) if stated else baskets


def _table(
    raw: Raw, name: str, digest: str, card: DatasetCard | None, orders: Mapping[str, tuple[str, ...]],
    options: ReadOptions, limit: int,
) -> Table:  # fmt: skip
    typed = frozenset(name for name, cells in zip(raw.names, raw.columns, strict=True) if columns.is_typed(cells.type))
    stated, texts, behind = tuple(raw.assumptions), dict(raw.texts), dict(raw.sets)
    made = framing.framed(raw, name, orders, options, limit)
    mixed = [column.facts.mixed for column in made.columns.values() if column.facts.mixed]
    digest = _marked(
        digest,
        decimal=made.reading.decimal if made.reading.decimal != made.usual else None,
        percent=options.percent if any(beside.recognised != beside.taken for beside in mixed) else None,
    )
    known = {column: tidy.known for column, tidy in made.columns.items() if tidy.known and column in made.frame}
    table = Table(
        name, digest, made.frame, (), card, known, reading=made.reading, typed=typed, options=options, texts=texts
    )
    differ = {column.name: column.distinct for column in table.profile()}
    categories = tuple(column.name for column in table.profile() if column.role == "category")
    usual = options
    for column, inside in behind.items():
        if options.of(column).inside is None:
            usual = usual.with_column(column, inside=inside)
    placed = _knowing(replace(table, sets=layout.recognise(made.frame, categories, usual, differ)), table)
    evidence = Evidence(placed, options, made.columns, stated, made.settled, made.boxes, frozenset(behind))
    assumptions = recognisers.recognised(evidence)
    sure = [*made.notes, *numeric.spelled(evidence), *columns.missing_notes(made.columns)]
    sure += [*people.repeated(evidence), *people.weighed(evidence)]
    return _with_notes(placed, sure, assumptions)


def _with_notes(table: Table, sure: list[str], assumptions: tuple[Assumption, ...]) -> Table:
    """With what was recognised: what is certain as notes, what is not as assumptions, and their sentences as notes."""
    timed = {each.column for each in assumptions if each.kind == AssumptionKind.DATES}
    sure += [dates.said(each.name, each.dates) for each in table.profile() if each.dates and each.name not in timed]
    sentences = dict.fromkeys(each.sentence for each in assumptions)
    return _knowing(replace(table, notes=(*sure, *sentences), assumptions=assumptions), table)


_KNOWN = ("_profile", "_sentinels", "_sizes", "_no_numbers")
"""What a table computes once, of its columns alone."""


def _knowing(made: Table, table: Table) -> Table:
    """A table of the same columns, for which nothing is computed twice."""
    vars(made).update({name: vars(table)[name] for name in _KNOWN if name in vars(table)})
    return made


def _marked(digest: str, **chosen: Any) -> str:
    """The digest of a file that a person has read differently: nothing kept of the usual reading may serve."""
    given = {name: value for name, value in chosen.items() if value is not None}
    return hashlib.sha256(f"{digest} {given}".encode()).hexdigest() if given else digest


def _transactions(content: bytes, name: str, options: ReadOptions) -> str | None:
    """The separator of the items, where the file is a list of transactions."""
    if options.layout == "baskets":
        return transactions.separator_of(content, name, options)
    if options.layout is None and not (options.user or options.item):
        return transactions.looks_like(content, options)
    return None


def _of_lines(
    found: "transactions.Transactions", notes: list[str], stated: list[Assumption], name: str, digest: str,
    card: DatasetCard | None, options: ReadOptions,
) -> Table:  # fmt: skip
    """A list of transactions as a table: the size of each basket, and beside it the baskets."""
    baskets: Baskets = found.baskets
    sizes = columns.tidy(SIZE, pa.chunked_array([pa.array(baskets.lengths)])).series
    frame, sets = pd.DataFrame({SIZE: sizes}), {ITEMS: Lines(baskets)}
    table = Table(name, digest, frame, (), card, sets=sets, options=options)
    evidence = Evidence(table, options, {}, (*stated, *found.assumptions))
    return _with_notes(table, [*notes, *found.notes, *baskets.notes], recognisers.recognised(evidence))
