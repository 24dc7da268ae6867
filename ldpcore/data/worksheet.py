"""What stands in a worksheet's XML, before a library makes a table of it: its extent, and what the table will not say.

calamine keeps every cell between the first and the last. Of a sheet of 5 kB these can be 17 thousand million, and then
it does not raise but ends the process, as it does where rows stand in no order (`Range::from_sparse` subtracts).
"""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from xml.parsers import expat

Attributes = dict[str, str]
_PLACE = re.compile(r"([A-Za-z]{1,3})([0-9]{1,7})")
_SPELT = re.compile(rb"""\sr\s*=\s*("[^"&]*&|'[^'&]*&)""")
"""A place written with references such as &#65;, which calamine skips and takes for none."""
SHOWN = ("0", "false")
MOST_MERGED = 100_000


@dataclass
class Worksheet:
    """What has a value, in cells counted from 1.

    first, last: (row, column) of the smallest rectangle that holds all of it. cells: how many; shared: of these, how
    many point to the workbook's texts; errors: how many are one, such as #DIV/0!. hidden: rows that are not shown.
    uncomputed: formulas without a stored result. styles: column → how its numbers are shown, as indices of formats.
    hidden_rows: which these are. merged: (column, first row, last row) of cells that are one over several rows.
    """

    first: tuple[int, int] = (0, 0)
    last: tuple[int, int] = (0, 0)
    cells: int = 0
    shared: int = 0
    errors: int = 0
    hidden: int = 0
    uncomputed: int = 0
    styles: dict[int, set[int]] = field(default_factory=dict)
    hidden_rows: set[int] = field(default_factory=set)
    merged: list[tuple[int, int, int]] = field(default_factory=list)

    @property
    def area(self) -> int:
        """Cells from the first to the last, empty ones too."""
        return (self.last[0] - self.first[0] + 1) * (self.last[1] - self.first[1] + 1) if self.cells else 0


def scanned(xml: bytes) -> Worksheet:
    """The worksheet of this XML, in one pass. ExpatError, ValueError: it is none that can be read safely."""
    if _SPELT.search(xml):
        raise ValueError("a place is spelt with references")
    scan = _Scan()
    parse(xml, scan.element, scan.parser)
    return scan.found()


def parse(xml: bytes, element: Callable[[str, Attributes], None], parser: expat.XMLParserType | None = None) -> None:
    """Calls element(name as it is written, attributes) in the order in which elements begin. ExpatError: no XML."""
    parser = parser or reader()
    parser.StartElementHandler = element
    parser.Parse(xml, True)


def reader() -> expat.XMLParserType:
    """Whatever encoding the XML declares it is read as UTF-8, as calamine does: both must see the same cells."""
    return expat.ParserCreate("utf-8")


def local(name: str) -> str:
    """x:row → row."""
    return name.rpartition(":")[2]


def pointed(xml: bytes) -> Counter[int]:
    """Text of the workbook → cells that point to it, of a worksheet that was scanned."""
    cells: Counter[int] = Counter()
    pieces: list[str] = []
    shared = False

    def element(name: str, attributes: Attributes) -> None:
        nonlocal shared
        name = local(name)
        if pieces:
            cells[_whole("".join(pieces).strip())] += 1
            pieces.clear()
        shared = attributes.get("t") == "s" if name == "c" else shared
        parser.CharacterDataHandler = pieces.append if shared and name == "v" else None

    parser = reader()
    parse(xml, element, parser)
    element("", {})  # nothing need stand behind the last cell
    return cells


class _Scan:
    """Notes the place of every cell, and counts it where its value begins, even an empty one: calamine may keep it."""

    def __init__(self) -> None:
        self.sheet, self.parser = Worksheet(), reader()
        self.rows: dict[int, bool] = {}  # the last row that counts, and whether it was hidden
        self.row, self.hidden, self.noted = 0, False, False
        self.place, self.kind, self.style = (0, 0), "", "0"
        self.lowest, self.first, self.left, self.right = 0, 0, 1 << 30, 0
        self.waits = False  # for the result of a formula
        self.names: dict[str, int] = {}
        self.shown: set[tuple[int, str]] = set()
        self.does = {"c": self._cell, "v": self._value, "is": self._value, "f": self._formula, "row": self._row,
                     "mergeCell": self._merged}  # fmt: skip

    def element(self, name: str, attributes: Attributes) -> None:
        does = self.does.get(name)
        if does is None and (does := self.does.get(local(name))) is None:
            return
        does(attributes)

    def _row(self, attributes: Attributes) -> None:
        self._settle()
        self.row = _whole(attributes["r"]) if "r" in attributes else self.row + 1
        self.place, self.noted = (self.row, 0), False
        self.hidden = attributes.get("hidden", "0") not in SHOWN

    def _cell(self, attributes: Attributes) -> None:
        if self.waits:
            self._settle()
        get = attributes.get
        self.kind, self.style, place = get("t", "n"), get("s", "0"), get("r")
        if place is None:
            self.place = self.row, self.place[1] + 1
            return
        name = place.rstrip("0123456789")
        column = self.names.get(name)
        if column is None or len(place) - len(name) > 7:
            if not _PLACE.fullmatch(place):
                raise ValueError(f"{place!r} is no place of a cell")
            column = self.names[name] = column_number(name)
        self.place = int(place[len(name) :]), column

    def _value(self, _: Attributes) -> None:
        (row, column), sheet = self.place, self.sheet
        sheet.cells += 1
        if row != self.lowest:
            if row < self.lowest:
                raise ValueError("rows stand in no order")
            self.first, self.lowest = self.first or row, row
        if column < self.left:
            self.left = column
        if column > self.right:
            self.right = column
        if self.kind == "n":
            self.shown.add((column, self.style))
        elif self.kind == "s":
            sheet.shared += 1
        elif self.kind == "e":
            sheet.errors += 1
        if self.hidden and not self.noted:
            sheet.hidden, self.noted = sheet.hidden + 1, True
            sheet.hidden_rows.add(row)
        if self.waits:
            self.parser.CharacterDataHandler = self._result

    def _merged(self, attributes: Attributes) -> None:
        rows = merged_rows(attributes.get("ref", ""))
        if rows is not None and len(self.sheet.merged) < MOST_MERGED:
            self.sheet.merged.append(rows)

    def _formula(self, _: Attributes) -> None:
        self.waits = True

    def _result(self, piece: str) -> None:
        if piece.strip():
            self.waits, self.parser.CharacterDataHandler = False, None

    def _settle(self) -> None:
        """The cell before has ended."""
        self.sheet.uncomputed += self.waits
        self.waits, self.parser.CharacterDataHandler = False, None

    def found(self) -> Worksheet:
        self._settle()
        if self.sheet.cells:
            self.sheet.first, self.sheet.last = (self.first, self.left), (self.lowest, self.right)
        for column, style in self.shown:
            self.sheet.styles.setdefault(column, set()).add(_whole(style))
        return self.sheet


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ValueError(f"{text!r} is no number of a row or a style")
    return int(text)


def merged_rows(ref: str) -> tuple[int, int, int] | None:
    """Column, first row, last row of cells that are one over several rows; None for others.

    >>> merged_rows("B2:B4"), merged_rows("A1:C1")
    ((2, 2, 4), None)
    """
    ends = [_PLACE.fullmatch(place) for place in ref.split(":")]
    if len(ends) != 2 or not ends[0] or not ends[1]:
        return None
    first, last = int(ends[0][2]), int(ends[1][2])
    return (column_number(ends[0][1]), first, last) if ends[0][1] == ends[1][1] and last > first else None


def column_number(name: str) -> int:
    """A → 1, Z → 26, AA → 27."""
    out = 0
    for letter in name.upper():
        out = 26 * out + ord(letter) - 64
    return out


def letters(column: int) -> str:
    """What a spreadsheet calls a column.

    >>> letters(1), letters(28), letters(16_384)
    ('A', 'AB', 'XFD')
    """
    out = ""
    while column:
        column, last = divmod(column - 1, 26)
        out = chr(65 + last) + out
    return out
