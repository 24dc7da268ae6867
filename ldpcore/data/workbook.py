"""An Excel file as an archive of XML: its sheets, its number formats, and one sheet alone for the library to read."""

import io
import posixpath
import re
import zipfile
from dataclasses import dataclass
from functools import cached_property

from ldpcore.data import doctype, worksheet
from ldpcore.data.errors import DataError
from ldpcore.data.text import too_large
from ldpcore.data.worksheet import Attributes, local, parse

SLOWER = 4
"""Times that a workbook's cells take longer to read than those of text, byte for byte, and more."""
_PLAIN = ("0", "1", "2", "3", "4", "9", "10", "11")
"""Numbers of Excel's own formats: General, 0, 0.00, #,##0, #,##0.00, 0%, 0.00%, 0.00E+00."""
_DIGITS = re.compile(r"[0#.,%]+")
_TRUE = ("1", "true", "on")
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


@dataclass(frozen=True, eq=False)
class Workbook:
    """sheets: title → its part. styles, texts: the parts of formats and of texts, "" for none. since_1904: whether
    days are counted from 1904. hidden: titles of sheets that are not shown.
    """

    archive: zipfile.ZipFile
    sheets: dict[str, str]
    styles: str
    texts: str
    since_1904: bool
    hidden: frozenset[str] = frozenset()

    @cached_property
    def formats(self) -> list[str]:
        """The number format of every style of cells; "" for one that Excel knows by number."""
        return [written or "" for _, written in self._formats]

    @cached_property
    def plain(self) -> frozenset[int]:
        """The styles whose numbers are certainly no dates or times; without any style cells are plain."""
        known = {i for i, (number, written) in enumerate(self._formats)
                 if (number in _PLAIN if written is None else _DIGITS.fullmatch(written))}  # fmt: skip
        return frozenset(known if self._formats else (0,))

    @cached_property
    def _formats(self) -> list[tuple[str, str | None]]:
        """Of every style its format's number, and how it is written; None for one that Excel knows by number."""
        written: dict[str, str] = {}
        numbers: list[str] = []
        inside = ""

        def element(name: str, attributes: Attributes) -> None:
            nonlocal inside
            name = local(name)
            if name in ("cellXfs", "cellStyleXfs", "cellStyles", "dxfs"):
                inside = name
            elif name == "numFmt":
                written[attributes.get("numFmtId", "")] = attributes.get("formatCode", "")
            elif name == "xf" and inside == "cellXfs":
                numbers.append(attributes.get("numFmtId", "0"))

        if self.styles:
            parse(self.archive.read(self.styles), element)
        return [(number, written.get(number)) for number in numbers]

    def lengths(self) -> list[int]:
        """Letters of every text that cells point to, at most."""
        out: list[int] = []

        def element(name: str, _: Attributes) -> None:
            if local(name) == "si":
                out.append(0)

        def text(piece: str) -> None:
            if out:
                out[-1] += len(piece)

        if self.texts:
            parser = worksheet.reader()
            parser.CharacterDataHandler = text
            parse(self.archive.read(self.texts), element, parser)
        return out

    def alone(self, xml: bytes) -> bytes:
        """A workbook of this sheet alone: the library sees what was looked at, whatever else the archive holds."""
        date = ' date1904="1"' if self.since_1904 else ""
        book = (
            f'<workbook xmlns:r="{_OFFICE}"><workbookPr{date}/><sheets><sheet name="sheet" r:id="one"/></sheets>'
            "</workbook>"
        )
        parts = {
            "_rels/.rels": _related("officeDocument", "xl/workbook.xml"),
            "xl/_rels/workbook.xml.rels": _related("worksheet", "worksheets/sheet1.xml"),
            "xl/workbook.xml": book.encode(),
            "xl/worksheets/sheet1.xml": xml,
        }
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as made:
            for name, content in parts.items():
                made.writestr(name, content)
            for name, part in (("xl/styles.xml", self.styles), ("xl/sharedStrings.xml", self.texts)):
                if part:
                    made.writestr(name, self.archive.read(part))
        return out.getvalue()


def _related(kind: str, target: str) -> bytes:
    """One relationship of a part."""
    return f'<Relationships><Relationship Id="one" Type="{_OFFICE}/{kind}" Target="{target}"/></Relationships>'.encode()


def opened(content: bytes, name: str, limit: int) -> Workbook:
    """The workbook of an archive whose file may have `limit` bytes. DataError: too large, or no ordinary one; what the
    archive raises where it is damaged.
    """
    archive = zipfile.ZipFile(io.BytesIO(content))
    size = sum(part.file_size for part in archive.infolist())
    written = sum(part.file_size for part in archive.infolist() if not part.filename.startswith("xl/media/"))
    if written > limit // SLOWER:
        raise too_large(name, f"is a workbook of {written / 1e6:.0f} MB unpacked", limit // SLOWER)
    if size > limit:
        raise too_large(name, f"unpacks to {size / 1e6:.0f} MB", limit)
    if any(_declares(archive, part) for part in archive.infolist()):
        raise DataError(
            f"“{name}” is no ordinary workbook.",
            "Its XML declares a document type, which can fill the memory and which no office program writes. "
            "Save it again, or as CSV.",
        )
    return _listed(archive)


def _declares(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bool:
    with archive.open(entry) as part:
        return doctype.declared(part)


def _listed(archive: zipfile.ZipFile) -> Workbook:
    targets: dict[str, tuple[str, str]] = {}
    titles: list[tuple[str, str]] = []
    hidden: list[str] = []
    since_1904 = False

    def related(name: str, attributes: Attributes) -> None:
        if local(name) == "Relationship":
            part = posixpath.normpath(posixpath.join("/xl", attributes["Target"])).lstrip("/")
            targets[attributes["Id"]] = attributes.get("Type", "").rpartition("/")[2], part

    def element(name: str, attributes: Attributes) -> None:
        nonlocal since_1904
        if local(name) == "workbookPr":
            since_1904 = attributes.get("date1904", "0") in _TRUE
        elif local(name) == "sheet":
            marks = [value for key, value in attributes.items() if key.endswith(":id")]
            titles.append((attributes["name"], marks[0]))
            hidden.extend([attributes["name"]] * (attributes.get("state", "visible") != "visible"))

    parse(archive.read("xl/_rels/workbook.xml.rels"), related)
    parse(archive.read("xl/workbook.xml"), element)
    there = set(archive.namelist())
    kinds = {kind: part for kind, part in targets.values() if part in there}
    sheets = {title: targets[target][1] for title, target in titles if targets[target][0] == "worksheet"}
    return Workbook(archive, sheets, kinds.get("styles", ""), kinds.get("sharedStrings", ""), since_1904,
                    frozenset(hidden))  # fmt: skip
