"""Text with a transaction on every line → baskets. Lines may differ in length; padding with empty fields is no item."""

# Arrow makes its compute functions when it is imported, where the type checker cannot see them.
# pyright: reportAttributeAccessIssue=false

import csv
import io
import re
from collections import Counter

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ldpcore.data import baskets
from ldpcore.data.baskets import Baskets
from ldpcore.data.errors import DataError, thousands
from ldpcore.data.options import ReadOptions

SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "blank"}
SAMPLE_BYTES = 1 << 17
MIN_LINES = 5
MAX_REGULAR = 0.8
"""With more lines of one length than this share, a file is a table."""
_NUMBERS = re.compile(r"\d+( +\d+)*")


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
    widths = Counter(len(_cut(line, separator)) for line in lines)
    return max(widths) > 1 and widths[max(widths, key=lambda width: widths[width])] >= 0.95 * len(lines) > widths[1]


def _sample(content: bytes) -> list[str]:
    lines = content[:SAMPLE_BYTES].decode("utf-8", errors="ignore").splitlines()
    return [line for line in (lines[:-1] if len(content) > SAMPLE_BYTES else lines) if line.strip()]


def _cut(line: str, separator: str) -> list[str]:
    if '"' in line and separator != " ":
        return [cell.strip() for cell in next(csv.reader([line], delimiter=separator, skipinitialspace=True))]
    return [cell.strip() for cell in line.split(None if separator == " " else separator)]


def _score(lines: list[str], separator: str) -> float:
    """0 where the lines are no transactions under this separator, else its mean number of items."""
    rows = [_cut(line, separator) for line in lines]
    filled = [[cell for cell in row if cell] for row in rows]
    lengths = [len(row) for row in filled]
    mean = sum(lengths) / len(lengths)
    if mean < 1.5:
        return 0.0
    if separator == " ":
        return mean if all(_NUMBERS.fullmatch(line.strip()) for line in lines) else 0.0
    gaps = sum(any(not row[i] and any(row[i:]) for i in range(len(row))) for row in rows)
    if gaps > 0.02 * len(rows) or max(Counter(lengths).values()) > MAX_REGULAR * len(rows):
        return 0.0
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


def read(content: bytes, name: str, separator: str, options: ReadOptions) -> tuple[Baskets, list[str]]:
    """UTF-8 content → baskets, and notes. An empty line is a person without any item, unless it ends the file."""
    lines = _lines(content, name)
    offsets, cells = _split(lines, separator, name)
    cells = pc.utf8_trim_whitespace(cells)
    people = np.repeat(np.arange(len(lines)), np.diff(offsets))
    notes = [f"Every line was read as one basket, its items separated by a {SEPARATORS.get(separator, separator)}."]
    header = _has_header(lines, cells, offsets) if options.header is None else options.header
    present = np.asarray(pc.not_equal(cells, "").to_numpy(zero_copy_only=False), bool)
    if header:
        present[: offsets[1]] = False
        notes.append("The first line holds names, not items.")
    counted = _leading_counts(cells, people, present, len(lines))
    if counted is not None:
        present[counted] = False
        notes.append("The first field of every line counts its items, and was left out.")
    encoded = cells.filter(pa.array(present)).dictionary_encode()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.combine_chunks()
    texts = [" ".join(text.split()) for text in encoded.dictionary.to_pylist()]
    distinct = list(dict.fromkeys(texts))
    place = baskets.natural_order(distinct)
    rank = dict(zip((distinct[i] for i in place), range(len(distinct)), strict=True))
    items = np.array([rank[text] for text in texts], np.int64)[encoded.indices.to_numpy()]
    return (
        baskets.collect(people[present] - header, items, len(lines) - header, [distinct[i] for i in place]),
        notes,
    )


def _lines(content: bytes, name: str) -> pa.Array:
    text = content.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n").rstrip("\n \t,;|")
    if not text:
        raise DataError(f"“{name}” is empty.", "No line holds an item. Choose another file.")
    if '"' in text:  # a quoted item may hold the separator, or a line break
        return pa.array(_records(text))
    return pc.split_pattern(pa.array([text], pa.large_string()), "\n")[0].values


def _records(text: str) -> list[str]:
    """Lines, where a quoted line break ends none."""
    out: list[str] = []
    for line in text.split("\n"):
        if out and out[-1].count('"') % 2:
            out[-1] += " " + line
        else:
            out.append(line)
    return out


def _split(lines: pa.Array, separator: str, name: str) -> tuple[NDArray[np.int64], pa.Array]:
    """(lines + 1,) offsets into the cells, and all cells one after the other."""
    if pc.any(pc.match_substring(lines, '"')).as_py() and separator != " ":
        text = io.StringIO("\n".join(lines.to_pylist()))
        try:
            rows = list(csv.reader(text, delimiter=separator, skipinitialspace=True))
        except csv.Error as error:
            raise DataError(
                f"“{name}” cannot be cut into baskets.",
                f"An item has more than {thousands(csv.field_size_limit())} letters. Perhaps a quotation mark opens "
                "and is never closed; or choose another separator.",
            ) from error
        offsets = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
        return offsets.astype(np.int64), pa.array([cell for row in rows for cell in row], pa.string())
    cut = (
        pc.utf8_split_whitespace(pc.utf8_trim_whitespace(lines))
        if separator == " "
        else pc.split_pattern(lines, separator)
    )
    return cut.offsets.to_numpy().astype(np.int64), cut.values


def _has_header(lines: pa.Array, cells: pa.Array, offsets: NDArray[np.int64]) -> bool:
    """Names stand nowhere below; the items of a first basket do, unless all of them are rare."""
    first = [text for text in cells.slice(0, int(offsets[1])).to_pylist() if text]
    below = set(cells.slice(int(offsets[1])).slice(0, 100_000).to_pylist())
    return len(first) > 0 and not any(text in below for text in first) and not all(t.isdecimal() for t in first)


def _leading_counts(
    cells: pa.Array, people: NDArray[np.intp], present: NDArray[np.bool_], n: int
) -> NDArray[np.intp] | None:
    """The positions of the first fields, when each counts the fields behind it (as some published files have it)."""
    filled = np.flatnonzero(present)
    if not len(filled):
        return None
    held = people[filled]
    first = filled[np.r_[True, held[1:] != held[:-1]]]
    lengths = np.bincount(held, minlength=n)[people[first]] - 1
    if lengths.max() < 2:
        return None
    texts = cells.take(pa.array(first))
    if not pc.all(pc.match_substring_regex(texts, r"^\d{1,6}$")).as_py():
        return None
    right = texts.cast(pa.int64()).to_numpy() == lengths
    return first if right.all() else None


def separator_of(content: bytes, name: str, options: ReadOptions) -> str:
    """The separator where transactions are asked for: the wanted one, the recognised one, or the commonest."""
    found = options.separator or looks_like(content, options)
    if found:
        return found
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
