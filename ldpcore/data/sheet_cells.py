"""A worksheet as office programs and libraries write it, described by arrays as `worksheet.scanned` does by events.

What is not written just so, down to the order of attributes, is left to that. Nothing outside of the cells' own part is
looked at, as calamine does not either, but the cells that are merged.
"""

import re
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ldpcore.data import sheet_tags, sheet_values
from ldpcore.data.sheet_tags import MASKS, Tags
from ldpcore.data.worksheet import MOST_MERGED, SHOWN, Worksheet, merged_rows

_TAIL = re.compile(rb'(?: s="([0-9]{1,6})")?(?: t="([a-zA-Z]{1,9})")? ?')
"""What stands behind the place of a cell."""
_MOST_TAILS = 500
_HIDDEN = re.compile(rb' hidden="([^"]*)"')
_MERGED = re.compile(rb'<mergeCell ref="([A-Z0-9:]*)" ?/>')
_START, _END = b"<sheetData>", b"</sheetData>"
Part = tuple[NDArray, NDArray, NDArray, NDArray]
"""The rows, columns and tails of some cells, and which of them are plain numbers."""


def scanned(xml: bytes, plain: frozenset[int] = frozenset((0,))) -> "SheetCells | None":
    """The cells of a sheet; None for one that is written in another way. plain: styles whose numbers are no dates.

    >>> cells = b'<row r="2"><c r="B2" s="1"><v>3</v></c><c r="D2"/></row>'
    >>> found = scanned(b"<worksheet><sheetData>" + cells + b"</sheetData></worksheet>").sheet
    >>> found.first, found.last, found.cells, found.styles
    ((2, 2), (2, 2), 1, {2: {1}})
    """
    head, start, _ = xml.partition(_START)
    tail = xml.find(_END)
    if not start or tail < 0 or b"<!" in head or b"sheetData" in head or xml.find(b"<!", tail) >= 0:
        return None
    merged = _MERGED.findall(xml, tail)
    if len(merged) != xml.count(b"mergeCell ", tail):
        return None
    cells = SheetCells(plain)
    for tags in sheet_tags.blocks(xml, len(head) + len(_START), tail):
        if tags is None or not cells.add(tags):
            return None
    cells.describe([ref.decode() for ref in merged])
    return cells


@dataclass(frozen=True, eq=False)
class _Rows:
    """Of each row of a block: its number, how its digits and the quote behind them look as a word, and their length."""

    numbers: NDArray[np.int64]
    words: NDArray[np.uint64]
    lengths: NDArray[np.int64]


@dataclass(eq=False)
class SheetCells:
    """The cells with a value, in parts of some thousand; `sheet` says what stands where.

    tails: what stands behind the places of cells → its number; kinds: what it says, as ("s", 2) for a text in style 2.
    numbers: those of the plain ones; others: all else, as it is written. readable: whether these are all the values.
    """

    plain: frozenset[int]
    sheet: Worksheet = field(default_factory=Worksheet)
    tails: dict[bytes, int] = field(default_factory=dict)
    kinds: list[tuple[str, int]] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    numbers: list[NDArray[np.float64]] = field(default_factory=list)
    others: list[pa.Array] = field(default_factory=list)
    last: int = 0
    readable: bool = True

    def add(self, tags: Tags) -> bool:
        """Whether a block is rows one below the other, with cells that are theirs."""
        at = np.flatnonzero(tags.kinds <= sheet_tags.ROW_EMPTY)
        rows = _rows(tags, at)
        if rows is None or rows.numbers[0] <= self.last or np.any(np.diff(rows.numbers) <= 0):
            return False
        self.last = int(rows.numbers[-1])
        cells = np.flatnonzero((tags.kinds == sheet_tags.CELL) | (tags.kinds == sheet_tags.CELL_EMPTY))
        row = np.searchsorted(at, cells) - 1
        placed = _columns(tags, cells, row, rows)
        if placed is None or (kinds := self._tails(tags, placed[1], tags.ends[cells])) is None:
            return False
        first = _content(tags, cells)
        if not self._formulas(tags, first):
            return False
        has = np.isin(tags.kinds[first], (sheet_tags.VALUE, sheet_tags.VALUE_EMPTY, sheet_tags.INLINE))
        numbers, columns = rows.numbers[row[has]], placed[0][has]
        backwards = (np.diff(columns) <= 0) & (np.diff(numbers) == 0)
        self.readable &= not bool(backwards.any())  # the library keeps the last of a cell's values
        self._values(tags, first[has], numbers, columns, kinds[has])
        return self._hidden(tags, at, rows, np.bincount(row[has], minlength=len(at)) > 0)

    def _tails(self, tags: Tags, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.int16] | None:
        """Which of the tails each cell has; None where one is none."""
        lengths = ends - starts - (tags.words[ends - 1] & MASKS[1] == ord("/"))
        if not len(lengths):
            return np.zeros(0, np.int16)
        if lengths.max() > 32 or lengths.min() < 0:
            return None
        keys = [lengths.astype(np.uint64)]
        for i in range(0, int(lengths.max()), 8):
            keys.append(tags.words[starts + i] & MASKS[np.clip(lengths - i, 0, 8)])
        out, left = np.empty(len(starts), np.int16), np.arange(len(starts))
        while len(left):
            one = int(left[0])
            tail = tags.text[int(starts[one]) : int(starts[one] + lengths[one])]
            if (number := self._numbered(tail)) is None:
                return None
            same = np.ones(len(left), bool)
            for key in keys:
                same &= key[left] == key[one]
            out[left[same]] = number
            left = left[~same]
        return out

    def _numbered(self, tail: bytes) -> int | None:
        if tail not in self.tails:
            match = _TAIL.fullmatch(tail)
            if match is None or len(self.tails) == _MOST_TAILS:
                return None
            self.tails[tail] = len(self.tails)
            self.kinds.append(((match[2] or b"n").decode(), int(match[1] or 0)))
        return self.tails[tail]

    def _formulas(self, tags: Tags, first: NDArray[np.int64]) -> bool:
        """Counts those without a result; first: what stands behind them."""
        at = np.flatnonzero((tags.kinds == sheet_tags.FORMULA) | (tags.kinds == sheet_tags.FORMULA_EMPTY))
        if len(at):
            empty = tags.kinds[at] == sheet_tags.FORMULA_EMPTY
            heads = set(tags.pieces(tags.starts[at] + 2, tags.ends[at] - empty))
            if not all(map(sheet_tags.ATTRIBUTES.fullmatch, heads)):
                return False
            behind = at + np.where(empty, 1, 2)
            results = tags.pieces(tags.ends[behind] + 1, tags.starts[behind + 1])
            computed = [bool(text.decode("utf-8", "replace").strip()) for text in results]
            self.sheet.uncomputed += int(np.sum(~(np.array(computed) & (tags.kinds[behind] == sheet_tags.VALUE))))
        texts = np.flatnonzero(tags.kinds == sheet_tags.TEXT)
        heads = set(tags.pieces(tags.starts[texts] + 2, tags.ends[texts]))
        return all(map(sheet_tags.ATTRIBUTES.fullmatch, heads))

    def _values(
        self, tags: Tags, first: NDArray[np.int64], rows: NDArray[np.int64], columns: NDArray, kinds: NDArray
    ) -> None:
        """Keeps the values; first: the tags of these."""
        plain = np.array([kind == "n" and style in self.plain for kind, style in self.kinds], bool)
        begin, end = tags.ends[first] + 1, tags.starts[np.minimum(first + 1, len(tags.starts) - 1)]
        number = plain[kinds] & (tags.kinds[first] == sheet_tags.VALUE) & (end > begin)
        length = np.ones(sheet_tags.UNKNOWN + 1, np.int64)
        length[sheet_tags.VALUE], length[sheet_tags.INLINE] = 2, 4
        self.parts.append((rows.astype(np.int32), columns, kinds, number))
        try:
            self.numbers.append(sheet_values.as_numbers(_texts(tags, begin[number], end[number])))
        except pa.ArrowInvalid:
            self.readable = False
        other, behind = ~number, tags.starts[first + length[tags.kinds[first]]]
        self.others.append(_texts(tags, tags.starts[first[other]], behind[other]))

    def _hidden(self, tags: Tags, at: NDArray[np.int64], rows: _Rows, filled: NDArray[np.bool_]) -> bool:
        """Notes hidden rows with a value; False where a row has other attributes than usual."""
        empty = tags.kinds[at] == sheet_tags.ROW_EMPTY
        heads = tags.pieces(tags.starts[at] + 9 + rows.lengths, tags.ends[at] - empty)
        hidden: set[bytes] = set()
        for head in set(heads):
            if not sheet_tags.ATTRIBUTES.fullmatch(head) or b' r="' in head:
                return False
            shown = _HIDDEN.search(head)
            if shown is not None and shown[1].decode("utf-8", "replace") not in SHOWN:
                hidden.add(head)
        if hidden:
            numbers = [int(rows.numbers[i]) for i in np.flatnonzero(filled) if heads[i] in hidden]
            self.sheet.hidden += len(numbers)
            self.sheet.hidden_rows.update(numbers)
        return True

    def describe(self, merged: list[str]) -> None:
        """What stands where, once all blocks were added."""
        sheet = self.sheet
        sheet.merged = [rows for ref in merged if (rows := merged_rows(ref)) is not None][:MOST_MERGED]
        rows, columns, kinds, _ = self.joined()
        if not len(rows):
            return
        sheet.cells = len(rows)
        sheet.first, sheet.last = (int(rows[0]), int(columns.min())), (int(rows[-1]), int(columns.max()))
        times = np.bincount(kinds, minlength=len(self.kinds))
        sheet.shared = int(sum(times[i] for i, (kind, _) in enumerate(self.kinds) if kind == "s"))
        sheet.errors = int(sum(times[i] for i, (kind, _) in enumerate(self.kinds) if kind == "e"))
        there = np.unique(columns.astype(np.int64) * len(self.kinds) + kinds)
        for column, i in zip((there // len(self.kinds)).tolist(), (there % len(self.kinds)).tolist(), strict=True):
            kind, style = self.kinds[i]
            if kind == "n":
                sheet.styles.setdefault(column, set()).add(style)

    def joined(self) -> Part:
        """All parts as one."""
        if len(self.parts) != 1:
            every = [np.concatenate([part[i] for part in self.parts] or [np.zeros(0, np.int32)]) for i in range(4)]
            self.parts = [(every[0], every[1], every[2], every[3])]
        return self.parts[0]


def _rows(tags: Tags, at: NDArray[np.int64]) -> _Rows | None:
    words = tags.words[tags.starts[at] + 8]
    digits = words.view(np.uint8).reshape(-1, 8) - np.uint8(48)
    lengths = np.argmin(digits < 10, axis=1)
    if lengths.min() < 1 or np.any(np.take_along_axis(digits, lengths[:, None], 1) != np.uint8((ord('"') - 48) % 256)):
        return None
    numbers = np.zeros(len(at), np.int64)
    for i in range(int(lengths.max())):
        numbers = np.where(i < lengths, numbers * 10 + digits[:, i], numbers)
    return _Rows(numbers, words & MASKS[lengths + 1], lengths)


def _columns(
    tags: Tags, cells: NDArray[np.int64], row: NDArray[np.int64], rows: _Rows
) -> tuple[NDArray[np.int16], NDArray[np.int64]] | None:
    """The column of each cell, from 1, and where its place ends; None where one is no cell of its row."""
    begin = tags.starts[cells] + 6
    letters = tags.words[begin].view(np.uint8).reshape(-1, 8)[:, :3] - np.uint8(ord("A"))
    is_letter = letters < 26
    second, third = is_letter[:, 1], is_letter[:, 1] & is_letter[:, 2]
    behind = begin + 1 + second + third
    if not is_letter[:, 0].all() or np.any(tags.words[behind] & MASKS[rows.lengths[row] + 1] != rows.words[row]):
        return None
    column = letters[:, 0].astype(np.int16) + 1
    for i, there in ((1, second), (2, third)):
        column = np.where(there, column * 26 + letters[:, i] + 1, column).astype(np.int16)
    return column, behind + rows.lengths[row] + 1


def _content(tags: Tags, cells: NDArray[np.int64]) -> NDArray[np.int64]:
    """Of each cell the tag behind its formula, or behind its own."""
    behind = np.minimum(cells + 1, len(tags.kinds) - 1)
    step = np.zeros(sheet_tags.UNKNOWN + 1, np.int64)
    step[sheet_tags.FORMULA], step[sheet_tags.FORMULA_EMPTY] = 2, 1
    first = behind + step[tags.kinds[behind]]
    return np.where(tags.kinds[cells] == sheet_tags.CELL, first, cells)


def _texts(tags: Tags, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> pa.Array:
    """These pieces of a block's text, in their order."""
    if not len(starts):
        return pa.array([], pa.binary())
    places = np.column_stack([starts, ends]).ravel().astype(np.int32)
    every = pa.Array.from_buffers(pa.binary(), len(places) - 1, [None, pa.py_buffer(places), pa.py_buffer(tags.text)])
    return every.take(pa.array(np.arange(0, len(places), 2)))
