"""Columns without anything between them, which only a code book can cut: refused."""

from ldpcore.data.errors import DataError
from ldpcore.data.options import ReadOptions

_FEWEST = 20
_SAMPLE = 1 << 16


def refuse(content: bytes, name: str, separator: str, options: ReadOptions) -> None:
    """DataError for lines of digits that are all equally long, with blanks where a shorter number ends.

    Lists of transactions are separated by blanks, too, but then their lines differ.
    """
    if separator != " " or options.separator is not None or options.layout is not None:
        return
    lines = content[:_SAMPLE].replace(b"\r\n", b"\n").split(b"\n")[:-1]
    if len(lines) < _FEWEST or len(set(map(len, lines))) > 1 or len(lines[0]) < 4:
        return
    if not any(line.startswith(b" ") or b"  " in line for line in lines):
        return
    raise DataError(
        f"“{name}” has columns without separators.",
        f"Every line has {len(lines[0])} characters, and blanks only fill up shorter numbers: which of them belong to "
        "which question stands in the code book. Open it with the program that made it (SPSS, SAS, Stata, R: read.fwf) "
        "and save it as CSV.",
        f"First line: {lines[0].decode('utf-8', 'replace')[:80]}",
    )
