"""A worksheet as office programs and libraries write it, scanned by patterns: a fifth of the time of its events.

What is not written just so, down to the order of attributes, is left to `worksheet.scanned`. Nothing outside of the
cells' own part is looked at, as calamine does not either, but the cells that are merged.
"""

import re
from collections import Counter

from ldpcore.data.worksheet import MOST_MERGED, SHOWN, Worksheet, column_number, merged_rows

_ATTRIBUTES = rb'(?: [A-Za-z][A-Za-z0-9]*+(?::[A-Za-z][A-Za-z0-9]*+)?="[^"<>&]*")*+'
_FORMULA = rb"<f%s ?(?:/>|>[^<]*</f>)" % _ATTRIBUTES
_VALUE = rb"<v>[^<]*</v>|<v ?/>"
_TEXT = rb"<is><t%s>[^<]*</t></is>" % _ATTRIBUTES
_CELL = rb'<c r="[A-Z]{1,3}\1"(?: s="[0-9]{1,6}")?(?: t="[a-zA-Z]{1,9}")? ?(?:/>|>(?:(?:%s)?(?:%s)?|%s)</c>)' % (
    _FORMULA,
    _VALUE,
    _TEXT,
)
_ROW = re.compile(rb'<row r="([0-9]{1,7})"(%s) ?(?:/>|>(?:%s)*+</row>)' % (_ATTRIBUTES, _CELL))
"""A row whose cells are all of that row: its number, and its other attributes."""
_FILLED = re.compile(rb'<c r="([A-Z]+)[0-9]+"([^>]*)>(?:%s)?<[vi]' % _FORMULA)
"""A cell of such a row with a value: its column, and its other attributes."""
_STYLE, _KIND = re.compile(rb's="([0-9]+)"'), re.compile(rb't="([a-zA-Z]+)"')
_RESULT = re.compile(rb"%s(?:<v>([^<]*))?" % _FORMULA)
_HIDDEN = re.compile(rb' hidden="([^"]*)"')
_MERGED = re.compile(rb'<mergeCell ref="([A-Z0-9:]*)" ?/>')
_START, _END = b"<sheetData>", b"</sheetData>"
_AT_ONCE, _LONGEST = 1 << 20, 1 << 22
"""Bytes whose cells are listed at a time, and those of a row at most: a longer one repeats its cells."""


def scanned(xml: bytes) -> Worksheet | None:
    """What `worksheet.scanned` finds; None for a sheet that is written in another way.

    >>> cells = b'<row r="2"><c r="B2" s="1"><v>3</v></c><c r="D2"/></row>'
    >>> found = scanned(b"<worksheet><sheetData>" + cells + b"</sheetData></worksheet>")
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
    cells = _PatternScan(xml)
    if not cells.rows(len(head) + len(_START), tail):
        return None
    return cells.found([ref.decode() for ref in merged])


class _PatternScan:
    """Row after row, and the cells of many rows at once."""

    def __init__(self, xml: bytes) -> None:
        self.xml, self.sheet = xml, Worksheet()
        self.kinds: Counter[tuple[bytes, bytes]] = Counter()

    def rows(self, start: int, end: int) -> bool:
        """Whether everything between these is rows as they are expected, one below the other."""
        at, listed, last = start, start, 0
        while at < end:
            row = _ROW.match(self.xml, at, end)
            if row is None or (number := int(row[1])) <= last or b' r="' in row[2] or row.end() - at > _LONGEST:
                return False
            at, last = row.end(), number
            if b"hidden" in row[2]:
                self._hidden(row, number)
            if at - listed >= _AT_ONCE:
                listed = self._cells(listed, at)
        self._cells(listed, at)
        return True

    def _hidden(self, row: re.Match[bytes], number: int) -> None:
        shown = _HIDDEN.search(row[2])
        if shown is not None and shown[1].decode() not in SHOWN and _FILLED.search(row[0]):
            self.sheet.hidden += 1
            self.sheet.hidden_rows.add(number)

    def _cells(self, start: int, end: int) -> int:
        """Counts those between two ends of rows."""
        filled = _FILLED.findall(self.xml, start, end)
        if filled:
            first, sheet = self._first(start, end), self.sheet
            sheet.first = sheet.first if sheet.cells else (first, 0)
            sheet.last = (self._last(start, end), 0)
            sheet.cells += len(filled)
            self.kinds.update(filled)
            if self.xml.find(b"<f", start, end) >= 0:
                results = _RESULT.findall(self.xml, start, end)
                sheet.uncomputed += sum(not text.decode("utf-8", "replace").strip() for text in results)
        elif self.xml.find(b"<f", start, end) >= 0:
            self.sheet.uncomputed += len(_RESULT.findall(self.xml, start, end))
        return end

    def _first(self, start: int, end: int) -> int:
        """The row of the first cell with a value."""
        cell = _FILLED.search(self.xml, start, end)
        return int(re.findall(rb"[0-9]+", cell[0])[0]) if cell else 0

    def _last(self, start: int, end: int) -> int:
        """That of the last one: rows are looked at from the end."""
        while True:
            row = self.xml.rfind(b"<row ", start, end)
            if _FILLED.search(self.xml, row, end):
                return self._first(row, end)
            end = row

    def found(self, merged: list[str]) -> Worksheet:
        """With the columns of all cells, and what they hold."""
        sheet, columns = self.sheet, {name: column_number(name.decode()) for name, _ in self.kinds}
        if sheet.cells:
            sheet.first = sheet.first[0], min(columns.values())
            sheet.last = sheet.last[0], max(columns.values())
        for (name, attributes), times in self.kinds.items():
            style, kind = _STYLE.search(attributes), _KIND.search(attributes)
            called = kind[1] if kind else b"n"
            sheet.shared += times if called == b"s" else 0
            sheet.errors += times if called == b"e" else 0
            if called == b"n":
                sheet.styles.setdefault(columns[name], set()).add(int(style[1]) if style else 0)
        sheet.merged = [rows for ref in merged if (rows := merged_rows(ref)) is not None][:MOST_MERGED]
        return sheet
