"""Text with a transaction on every line → baskets. Lines may differ in length; padding with empty fields is no item."""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ldpcore.baskets import Baskets
from ldpcore.data import baskets, dates, extent, quoted_lines
from ldpcore.data.assumptions import Assumption, AssumptionKind, assumed
from ldpcore.data.columns import MISSING_MARKS
from ldpcore.data.errors import DataError, plural, thousands
from ldpcore.data.line_items import MIN_LINES, LineItems
from ldpcore.data.options import ReadOptions
from ldpcore.data.set_sources import ITEMS

SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "blank"}
SAMPLE_BYTES = 1 << 17
BLOCK_BYTES = 1 << 22
MAX_REGULAR = 0.8
"""With more lines of one length than this share, a file is a table."""
_ABSENT = frozenset(MISSING_MARKS)
_NUMBERS = re.compile(r"\d+( +\d+)*")
_AMOUNT = re.compile(r"[+-]?\d*\.\d+([eE][+-]?\d+)?|-\d+")
""""0.5", "-3": what nobody calls an item."""


def looks_like(content: bytes, options: ReadOptions) -> str | None:
    """The separator of the items, when the lines look like transactions and not like the rows of a table; else None.

    They do when their number of items differs and the same items turn up at different places of the line, or when
    they are nothing but whole numbers with blanks between them.
    """
    lines = _sample(content)
    if len(lines) < MIN_LINES:
        return None
    candidates = [options.separator] if options.separator else list(SEPARATORS)
    scores = {separator: _score(lines, separator) for separator in candidates}
    best = max(candidates, key=lambda separator: scores[separator])
    if scores[best] == 0 or any(_is_table(lines, other) for other in SEPARATORS if other not in (best, " ")):
        return None
    return best


def _is_table(lines: list[str], separator: str) -> bool:
    """Does another separator cut nearly all lines into the same number of fields?"""
    if not any(separator in line for line in lines):
        return False
    widths = Counter(len(_cut(line, separator)) for line in lines)
    return max(widths) > 1 and widths[max(widths, key=lambda width: widths[width])] >= 0.95 * len(lines) > widths[1]


def _sample(content: bytes) -> list[str]:
    lines = content[:SAMPLE_BYTES].decode("utf-8", errors="ignore").splitlines()
    lines = quoted_lines.joined(lines[:-1] if len(content) > SAMPLE_BYTES else lines)
    return [line for line in lines if line.strip()]


def _cut(line: str, separator: str) -> list[str]:
    if '"' in line and separator != " ":
        return list(map(str.strip, next(csv.reader([line], delimiter=separator, skipinitialspace=True))))
    return line.split() if separator == " " else list(map(str.strip, line.split(separator)))


def _score(lines: list[str], separator: str) -> float:
    """0 where the lines are no transactions under this separator, else its mean number of items."""
    if separator == " ":
        cuts = all(_NUMBERS.fullmatch(line.strip()) for line in lines)
    else:
        cuts = any(separator in line for line in lines)
    if not cuts:
        return 0.0
    rows = [["" if cell in _ABSENT else cell for cell in _cut(line, separator)] for line in lines]
    filled = [[cell for cell in row if cell] for row in rows]
    lengths = [len(row) for row in filled]
    mean = sum(lengths) / len(lengths)
    if mean < 1.5:
        return 0.0
    if separator == " ":
        return mean
    gaps = sum("" in row and _has_gap(row) for row in rows)
    if gaps > 0.02 * len(rows) or max(Counter(lengths).values()) > MAX_REGULAR * len(rows):
        return 0.0
    if _are_columns(rows, filled):
        return 0.0
    if all(dates.is_date(row[0]) for row in filled if row):  # the day of the basket
        filled = [row[1:] for row in filled]
    # In a table each column has its own words; items turn up at any place.
    places: dict[str, set[int]] = {}
    times: Counter[str] = Counter()
    for row in filled:
        for place, cell in enumerate(row):
            places.setdefault(cell, set()).add(place)
            times[cell] += 1
    again = [cell for cell, count in times.items() if count > 1]
    wander = sum(len(places[cell]) > 1 for cell in again)
    return mean if again and wander >= 0.5 * len(again) else 0.0


def _has_gap(row: list[str]) -> bool:
    """Does an empty field stand before a filled one?"""
    end = len(row)
    while end and not row[end - 1]:
        end -= 1
    return "" in row[:end]


def _are_columns(rows: list[list[str]], filled: list[list[str]]) -> bool:
    """Are the lines those of a table that ends in a column with gaps? Amounts are no items; and where all lines have as
    many fields, two at most, or often the same answer twice, they are columns.
    """
    cells = [cell for row in filled[1:] for cell in row]
    if sum(bool(_AMOUNT.fullmatch(cell)) for cell in cells) > 0.2 * len(cells):
        return True
    if len(set(map(len, rows))) > 1:
        return False
    several = [row for row in filled[1:] if len(row) > 1]
    return len(rows[0]) == 2 or sum(len(set(row)) < len(row) for row in several) > 0.1 * len(several)


@dataclass(frozen=True, eq=False)
class Transactions:
    """The baskets of a file, what is certain of them, and what was assumed."""

    baskets: Baskets
    notes: list[str]
    assumptions: list[Assumption]

    def named(self, names: Mapping[str, str], stated: list[Assumption]) -> "Transactions":
        """With what the file says that items are called, and what was assumed before."""
        return replace(
            self, baskets=baskets.described(self.baskets, {}, names), assumptions=[*stated, *self.assumptions]
        )


def read(content: bytes, name: str, separator: str, options: ReadOptions, limit: int) -> tuple[Baskets, list[str]]:
    """The baskets that are found, and all sentences about them."""
    made = found(content, name, separator, options, limit)
    return made.baskets, [*made.notes, *(each.sentence for each in made.assumptions)]


def found(content: bytes, name: str, separator: str, options: ReadOptions, limit: int) -> Transactions:
    """UTF-8 content → baskets. An empty line is a person without any item, unless it ends the file.

    Block after block of lines, so that no cell is text for longer than its block is read. limit: the bytes that the
    content may have.
    """
    content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n").rstrip(b"\n \t,;|\x1a")
    if not content:
        raise DataError(f"“{name}” is empty.", "No line holds an item. Choose another file.")
    lines = content.count(b"\n") + 1
    extent.check_cells(lines, lines + content.count(separator.encode()), name, limit, "items")
    blocks = (split(block, separator, name) for block in _blocks(content))
    offsets, cells = next(blocks)
    header = _has_header(cells, offsets) if options.header is None else options.header
    items = LineItems(options)
    items.add(offsets[header:], cells)
    for more in blocks:
        items.add(*more)
    notes = ["The first line holds names, not items."] if header else []
    if items.counts_lead:
        notes.append("The first field of every line counts its items, and was left out.")
    made = items.baskets()
    return Transactions(made, notes, _assumed(separator, items, made, options))


def _assumed(separator: str, held: "LineItems", made: Baskets, options: ReadOptions) -> list[Assumption]:
    sentence = f"Every line was read as one basket, its items separated by a {SEPARATORS.get(separator, separator)}."
    sentence += f" {plural(len(made.lengths), 'basket')} hold {plural(made.k, 'item')}."
    others = [("every line is a row of a table", {"layout": "table"})]
    if held.dropped:
        sentence += f" The first field of every line names or dates the basket ({held.dropped}): it is left out."
        others.insert(0, ("the first field is an item", {"first": "item"}))
    out = [assumed(AssumptionKind.LAYOUT, None, sentence, "a line is a basket", options, *others, asks=False)]
    if held.marks:
        shown = ", ".join(f"“{mark}” {plural(n, 'time')}" for mark, n in held.marks.items())
        columns = {"columns": {**options.columns, ITEMS: replace(options.of(ITEMS), answers=tuple(held.marks))}}
        out.append(assumed(AssumptionKind.MISSING, None, f"Read as no item: {shown}.", "no item", options,
                           ("an item like others", columns), asks=False))  # fmt: skip
    return out


def _blocks(content: bytes) -> Iterator[list[str]]:
    """The lines, some at a time. Where something is quoted, a line break inside it ends no line."""
    quoted = b'"' in content
    first, record, opened = 0, [], False
    while first <= len(content):
        end = content.find(b"\n", first + BLOCK_BYTES)
        end = len(content) if end < 0 else end
        lines = content[first:end].decode("utf-8").split("\n")
        first = end + 1
        if quoted:
            whole = []
            for line in lines:
                record.append(line)
                opened ^= bool(line.count('"') % 2)
                if not opened:
                    whole.append(" ".join(record))
                    record = []
            lines = whole
        if lines:
            yield lines
    if record:
        yield [" ".join(record)]


def split(lines: list[str], separator: str, name: str) -> tuple[NDArray[np.int64], pa.Array]:
    """(lines + 1,) offsets into the cells, and all cells one after the other."""
    if separator != " " and any('"' in line for line in lines):
        try:
            rows = list(csv.reader(lines, delimiter=separator, skipinitialspace=True))
        except csv.Error as error:
            raise DataError(
                f"“{name}” cannot be cut into baskets.",
                f"An item has more than {thousands(csv.field_size_limit())} letters. Perhaps a quotation mark opens "
                "and is never closed; or choose another separator.",
            ) from error
        offsets = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
        return offsets.astype(np.int64), pa.array([cell for row in rows for cell in row], pa.string())
    array = pa.array(lines, pa.string())
    cut = (
        pc.utf8_split_whitespace(pc.utf8_trim_whitespace(array))
        if separator == " "
        else pc.split_pattern(array, separator)
    )
    return cut.offsets.to_numpy().astype(np.int64), cut.values


def _has_header(cells: pa.Array, offsets: NDArray[np.int64]) -> bool:
    """Names stand nowhere below; the items of a first basket do, unless all of them are rare."""
    texts = pc.utf8_trim_whitespace(cells.slice(0, int(offsets[1]) + 100_000))
    first, below = texts.slice(0, int(offsets[1])), texts.slice(int(offsets[1]))
    first = first.filter(pc.not_equal(first, ""))
    if not len(first) or all(text.isdecimal() for text in first.to_pylist()):
        return False
    return not pc.any(pc.is_in(first, value_set=below)).as_py()


def separator_of(content: bytes, name: str, options: ReadOptions) -> str:
    """The separator where transactions are asked for: the wanted one, the recognised one, or the commonest."""
    usual = options.separator or looks_like(content, options)
    if usual:
        return usual
    lines = _sample(content)
    mean = {s: sum(len([c for c in _cut(line, s) if c]) for line in lines) / max(len(lines), 1) for s in SEPARATORS}
    best = max(SEPARATORS, key=lambda s: mean[s] if s != " " else 0)
    best = best if mean[best] > 1.05 else " "
    if mean[best] > 1.05:
        return best
    raise DataError(
        f"“{name}” cannot be cut into baskets.",
        "No comma, semicolon, tab, bar or blank separates several items on its lines. Choose the separator.",
    )
