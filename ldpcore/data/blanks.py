"""Columns with blanks between them, as R's write.table writes them and tables are printed: read as if tabs stood there.

Lines of whole numbers alone are baskets, and are found before.
"""

import re
from collections.abc import Sequence

from ldpcore.data import quoted_lines
from ldpcore.data.assumptions import Assumption, AssumptionKind, assumed
from ldpcore.data.columns import MISSING_MARKS
from ldpcore.data.options import ReadOptions

ONE_TEXT = "\x1f"
"""Cuts nothing."""
_SAMPLE, _FEWEST = 1 << 18, 4
"""Bytes that are looked at, and lines below which blanks may stand anywhere."""
_LOOK = 50
_TOKEN = re.compile(r'"(?:[^"\\]|\\.|"")*"|[^\s"]+')
_WHOLE = re.compile(r'\s*(?:(?:"(?:[^"\\]|\\.|"")*"|[^\s"]+)(?:\s+|$))+')
_GAP = re.compile(rb'"(?:[^"\\]|\\.|"")*"|[ ]+')
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d+)?|[.,]\d+)([eE][+-]?\d+)?")
_SEPARATED = re.compile(r"[;|\t]|,(?!\d)|(?<!\d),")
"""What stands in a field that another sign than the blank separates."""


def plain(content: bytes, options: ReadOptions) -> tuple[bytes, list[Assumption]]:
    """UTF-8 content with a tab for the blanks between its columns, and what was assumed; as it is where its lines are
    something else.

    They are columns where every line has as many fields, or the first one less, no other sign separates anything, and
    the names are quoted or stand above numbers.
    """
    if options.separator is not None or options.layout == "baskets" or b" " not in content[:_SAMPLE]:
        return content, []
    if b"\t" in content:
        return content, []
    names = _names(content)
    if not names:
        return content, []
    lines = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    table = _GAP.sub(_tab, b"\n".join(line.strip(b" ") for line in lines))
    shown = ", ".join(f"“{name}”" for name in names[:5])
    sentence = f"Blanks separate the columns: every line has as many fields as there are names ({shown})."
    other = ("every line is one text", {"separator": ONE_TEXT})
    return table, [
        assumed(AssumptionKind.FORMAT, None, sentence, "blanks separate columns", options, other, asks=False)
    ]


def _tab(found: re.Match[bytes]) -> bytes:
    """A tab for blanks; quotes as CSV writes them in what is quoted."""
    return found[0].replace(b'\\"', b'""') if found[0].startswith(b'"') else b"\t"


def _names(content: bytes) -> list[str]:
    """The names above columns that blanks separate; [] where they are none."""
    text = content[:_SAMPLE].decode("utf-8", errors="ignore")
    lines = text.splitlines()
    lines = quoted_lines.joined(lines[:-1] if len(content) > _SAMPLE else lines)
    lines = [line for line in lines if line.strip()]
    if len(lines) <= _FEWEST or not _fields(lines[:_LOOK]):  # most files end the look with their first lines
        return []
    rows = _fields(lines)
    if not rows or any(map(_NUMBER.fullmatch, rows[0])) or not (_quoted(rows[0]) or _above_numbers(rows[0], rows[1:])):
        return []
    return [field.strip('"') for field in rows[0]]


def _fields(lines: Sequence[str]) -> list[list[str]]:
    """Of each line, with as many in every line, or one less in the first; [] where they are none."""
    if not all(map(_WHOLE.fullmatch, lines)):
        return []
    rows = [_TOKEN.findall(line) for line in lines]
    first, width = len(rows[0]), len(rows[1])
    if width < 2 or any(len(row) != width for row in rows[1:]) or first not in (width, width - 1) or first < 2:
        return []
    if any(_SEPARATED.search(field) for row in rows for field in row if not field.startswith('"')):
        return []
    return rows


def _quoted(fields: Sequence[str]) -> bool:
    return all(field.startswith('"') for field in fields)


def _above_numbers(first: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Do numbers alone stand below one of the names?"""
    columns = list(zip(*body, strict=True))[len(body[0]) - len(first) :]
    return any(
        all(_NUMBER.fullmatch(cell) or cell.strip('"') in MISSING_MARKS for cell in column)
        and any(map(_NUMBER.fullmatch, column))
        for column in columns
    )
