"""Text with separators → names and columns of text. Arrow parses; what it cannot guess comes from recognise."""

import re
from csv import reader as csv_reader
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from ldpcore.data import blanks, escapes, extent, heading, recognise
from ldpcore.data.assumptions import Assumption, AssumptionKind, assumed
from ldpcore.data.errors import DataError, plural, thousands
from ldpcore.data.options import ReadOptions

MAX_IRREGULAR = 0.05
"""With more irregular lines than this share, the file is not the table it seems to be."""
_BLOCK = 1 << 23
_NO_CELL = ("".join(recognise.SEPARATORS) + ' \r\n"').encode()


@dataclass(frozen=True, eq=False)
class Raw:
    """A table before its columns are tidied: names, columns of any flat type (n,) with nulls, notes, known orders.

    decimal: the mark that its numbers have where they show none: programs write a semicolon between the columns where
    the comma is taken. assumptions: what was assumed so far. texts: what columns are called in words. sets: separators
    inside the cells of columns that the file itself has as lists. behind: rows that follow the last empty line.
    """

    names: list[str]
    columns: list[pa.ChunkedArray]
    notes: list[str]
    orders: dict[str, tuple[str, ...]]
    decimal: str = "."
    assumptions: list[Assumption] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    sets: dict[str, str] = field(default_factory=dict)
    behind: int = 0


def read(content: bytes, name: str, options: ReadOptions, limit: int) -> Raw:
    """UTF-8 content without byte order mark → Raw. limit: the bytes that it may have."""
    if not content.strip():
        raise DataError(f"“{name}” is empty.", "It has no line with anything in it. Choose another file.")
    if not content.strip(_NO_CELL):
        raise DataError(f"“{name}” holds no answer.", "It has nothing but separators. Choose another file.")
    content = content.rstrip(b"\x1a")  # what DOS writes where a file ends
    rows, returns = content.count(b"\n"), content.count(b"\r")
    if returns > rows:  # old Macs end lines so; a \n stands within a cell
        content, rows = content.replace(b"\n", b" ").replace(b"\r", b"\n"), returns
    content, assumptions = escapes.plain(content, options)
    content, stated = blanks.plain(content, options)
    assumptions += stated
    cut, notes = recognise.separate(content, name, options.separator, options.described)
    notes = [] if stated else notes  # between the columns stand blanks
    if not cut.records:
        raise _unclosed_quote(name)
    extent.check_columns(cut.width, name)
    extent.check_cells(rows, rows + content.count(cut.separator.encode()), name, limit)
    records = cut.records[cut.first :]
    shifted = heading.shifted(cut.records, cut.first) if options.header is not False else None
    votes = recognise.header_votes(records, options.described)
    header = shifted is not None or (votes[0] >= votes[1] if options.header is None else options.header)
    names, more = recognise.tidy_names(shifted) if shifted else _names(records, header, options.described)
    start = cut.offset if header and not shifted else cut.start
    body = memoryview(content)[start:]
    if not bytes(body[:4096]).strip() and not content[start:].strip():
        raise DataError(
            f"“{name}” has names but no rows.",
            "Its only line holds the names of the columns. Choose a file with answers below them.",
            recognise.first_line(cut),
        )
    table, skipped = _parse(body, cut, name, rows)
    titled = [record for record in cut.records[: cut.first] if len(record) == cut.width]
    described = heading.described(records, options.described) if header and not shifted else 0
    notes += heading.said(titled, 0 if heading.generic(records, options.described) else described) + more
    lines = [*([] if shifted else _before(cut)), *skipped]
    table, left_out = _other_lines(name, cut, table, lines, options)
    assumptions += left_out
    assumptions += heading.assumptions(records, options, header, shifted, votes)
    raw = Raw(
        names, table.columns, notes, {}, "," if cut.separator == ";" else ".", assumptions, behind=_behind(content)
    )
    return _without_empty_end(raw) if shifted else raw


def _other_lines(
    name: str, cut: recognise.TextSample, table: pa.Table, lines: list[str], options: ReadOptions
) -> tuple[pa.Table, list[Assumption]]:
    """The table with or without lines of another length, and what to say of them."""
    irregular = _irregular(name, cut, table.num_rows, lines)
    if irregular and options.lines == "keep":
        return _with(table, lines, cut), []
    other = ("every line is a person", {"lines": "keep"})
    return table, [
        assumed(
            AssumptionKind.LINES, None, sentence, "lines of another length are no people", options, other, asks=False
        )
        for sentence in irregular
    ]


def _with(table: pa.Table, lines: list[str], cut: recognise.TextSample) -> pa.Table:
    """And the lines that have another length: cut, or filled up with empty cells."""
    rows = [[*record, *[""] * cut.width][: cut.width] for record in csv_reader(lines, delimiter=cut.separator)]
    more = pa.table([[row[j] for row in rows] for j in range(cut.width)], table.column_names)
    return pa.concat_tables([table, more.cast(table.schema)])


def _behind(content: bytes) -> int:
    """How many lines follow the last empty one, if there are but a few."""
    end = content[-4096:].replace(b"\r\n", b"\n").rstrip(b"\n, ;\t")
    lines = [line.strip(b",; \t") for line in end.split(b"\n")]
    empty = [place for place, line in enumerate(lines) if not line]
    return len(lines) - 1 - empty[-1] if empty else 0


def _without_empty_end(raw: Raw) -> Raw:
    """Without a last column that has neither a name nor anything else: every line ended in a separator."""
    last = raw.columns[-1]
    if raw.names[-1] == f"column {len(raw.names)}" and not pc.any(pc.not_equal(last, "")).as_py():
        raw.notes[:] = [note for note in raw.notes if raw.names[-1] not in note]
        del raw.names[-1], raw.columns[-1]
    return raw


def _names(records: tuple[tuple[str, ...], ...], header: bool, described: int | None) -> tuple[list[str], list[str]]:
    """The names, and what to say about them."""
    if header:
        return recognise.tidy_names(heading.names(records, described))
    known = recognise.published_names(records)
    if known:
        title, names = known
        return list(names), [f"The file has no names; it has the shape of {title}, whose published names are used."]
    width = len(records[0])
    return [f"column {j}" for j in range(1, width + 1)], []


def _before(cut: recognise.TextSample) -> list[str]:
    return [cut.separator.join(record) for record in cut.records[: cut.first] if len(record) != cut.width]


def _parse(body: memoryview, cut: recognise.TextSample, name: str, lines: int) -> tuple[pa.Table, list[str]]:
    """All lines with the right number of fields as columns of text, and the other lines. lines: no more than these."""
    skipped: list[str] = []

    def irregular(row: csv.InvalidRow) -> str:
        if row.text.strip():
            skipped.append(row.text)
        # Millions of them, one by one, would take a minute to be told of.
        return "error" if len(skipped) > most else "skip"

    most = max(MAX_IRREGULAR * (lines + 1), cut.first)
    names = [str(j) for j in range(cut.width)]
    single = cut.width == 1
    source = pa.py_buffer(_quotes_after_blanks(body, cut))
    if single:  # an empty line is an empty answer there, unless it ends the file
        source = pa.py_buffer(bytes(source).rstrip(b"\r\n") + b"\n")
    try:
        table = csv.read_csv(
            pa.BufferReader(source),
            csv.ReadOptions(column_names=names, block_size=_BLOCK),
            csv.ParseOptions(
                delimiter=cut.separator,
                newlines_in_values=True,
                invalid_row_handler=irregular,
                ignore_empty_lines=not single,
            ),
            csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False),
        )
    except pa.ArrowInvalid:
        if len(skipped) > most:
            _irregular(name, cut, lines - len(skipped), skipped, "At least ")
        raise _unclosed_quote(name) from None
    last = [column[-1].as_py() for column in table.columns] if table.num_rows else []
    swallowed = any("\n" in line and line.count('"') % 2 for line in skipped)
    if swallowed or any("\n" in cell and _ends_with(body, cell) for cell in last):
        raise _unclosed_quote(name)
    return table, skipped


def _ends_with(body: memoryview, cell: str) -> bool:
    """Does the file end inside this cell of several lines? Then its quotation mark was never closed."""
    end = cell.rstrip().encode()[-50:]
    return bool(end) and bytes(body[-2000:]).rstrip().endswith(end)


def _quotes_after_blanks(body: memoryview, cut: recognise.TextSample) -> bytes | memoryview:
    """`a, "b, c"` → `a,"b, c"`: CSV knows a quote only at the very start of a field, people write a blank before it."""
    if cut.separator == " ":  # the blank is the separator itself
        return body
    pattern = re.escape(cut.separator.encode()) + rb'[ ]+(?=")'
    return re.sub(pattern, cut.separator.encode(), body) if re.search(pattern, body) else body


def _irregular(name: str, cut: recognise.TextSample, rows: int, lines: list[str], said: str = "") -> list[str]:
    """The note on lines left out, or DataError when there are too many of them."""
    if not lines:
        return []
    first = lines[0] if len(lines[0]) <= 80 else lines[0][:79] + "…"
    if len(lines) > MAX_IRREGULAR * (rows + len(lines)) and len(lines) > cut.first:
        verb = "does" if len(lines) == 1 else "do"
        raise DataError(
            f"“{name}” has lines of different lengths.",
            f"{said}{plural(len(lines), 'line')} of {thousands(rows + len(lines))} {verb} not have "
            f"{plural(cut.width, 'field')} as the others do. Perhaps a text holds the separator and needs "
            "quotes, or another separator is meant.",
            f"First such line: {first}",
        )
    return [f"{plural(len(lines), 'line')} without {plural(cut.width, 'field')} left out, the first: {first}"]


def _unclosed_quote(name: str) -> DataError:
    return DataError(
        f"“{name}” cannot be cut into lines.",
        "Somewhere a quotation mark opens and is never closed, or one line is longer than 8 MB. "
        "Save the file again from the program that made it, or choose another separator.",
    )
