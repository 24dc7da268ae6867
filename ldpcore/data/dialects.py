"""Text that says itself how its table is written: Excel's line "sep=;", Weka's ARFF, a table of Markdown."""

import csv
import io
import re

from ldpcore.data.assumptions import Assumption, AssumptionKind, assumed
from ldpcore.data.errors import DataError, plural
from ldpcore.data.options import ReadOptions

_SEPARATOR = re.compile(rb"\A\s*\"?sep=([,;|\t])\"?[ \t,;]*\r?\n", re.IGNORECASE)
_ARFF = re.compile(rb"\A(?>[ \t\r]*(?:%[^\n]*)?\n)*+[ \t]*@relation\b", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"@attribute\s+('(?:[^'\\]|\\.)*'|\"[^\"]*\"|\S+)\s+(.*)", re.IGNORECASE)
_DASHES = re.compile(rb"[|:\- \t\r]*-{2}[|:\- \t\r]*")
_ASIDE = {"format": "table"}
_START = 20_000
"""Bytes that tell what a text is."""


def stated_separator(content: bytes) -> tuple[int, str] | None:
    """The bytes of a first line that says what separates the columns, and this; None where there is none.

    >>> stated_separator(b"sep=;\\na;b\\n"), stated_separator(b"a;b\\n")
    ((6, ';'), None)
    """
    match = _SEPARATOR.match(content[:_START])
    return None if match is None else (match.end(), match[1].decode())


def plain(content: bytes, name: str, options: ReadOptions) -> tuple[bytes, str | None, list[Assumption]]:
    """(UTF-8 text with names in its first line, its separator, what to say of it); the content itself and None, if it
    says nothing of itself.

    >>> plain(b"sep=;\\na;b\\n1;2\\n", "x.csv", ReadOptions())[:2]
    (b'a;b\\n1;2\\n', ';')
    >>> plain(b"| a | b |\\n|---|---|\\n| 1 | 2 |\\n", "x.markdown", ReadOptions())[0]
    b'a | b\\n1 | 2\\n'
    """
    if stated := stated_separator(content):
        return content[stated[0] :], options.separator or stated[1], []
    if options.format is not None:
        return content, None, []
    if _ARFF.match(content[:_START]):
        return _arff(content, name, options)
    first, second = [*content[:_START].split(b"\n", 2), b"", b""][:2]
    if b"|" in first and b"|" in second and _DASHES.fullmatch(second):
        return _markdown(content, options)
    return content, None, []


def _arff(content: bytes, name: str, options: ReadOptions) -> tuple[bytes, str | None, list[Assumption]]:
    lines = [line for line in content.decode("utf-8", "replace").splitlines() if line.strip()]
    kept = [line for line in lines if not line.lstrip().startswith("%")]
    at = next((i for i, line in enumerate(kept) if line.strip().casefold() == "@data"), len(kept))
    names = [_unquoted(match[1]) for line in kept[:at] if (match := _ATTRIBUTE.match(line.strip()))]
    rows = kept[at + 1 :]
    if not names or not rows or any(row.lstrip().startswith("{") for row in rows[:20]):
        raise DataError(
            f"“{name}” is a file of Weka (ARFF) that is not read here.",
            "It names no columns, holds no rows, or holds rows that leave out zeros. Save it from Weka as CSV.",
        )
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(names)
    body = out.getvalue() + "\n".join(_as_csv(row) for row in rows) + "\n"
    sentence = (
        f"The file is one of Weka (ARFF): {plural(at, 'line')} with @ name {plural(len(names), 'column')} and are no "
        "people."
    )
    return body.encode(), ",", [_said(sentence, "ARFF", options)]


def _as_csv(row: str) -> str:
    """Weka puts single quotes around texts."""
    if "'" not in row:
        return row
    cells = next(csv.reader([row.replace("\\'", "\u2019")], quotechar="'", skipinitialspace=True))
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow(cells)
    return out.getvalue()


def _unquoted(name: str) -> str:
    return name[1:-1].replace("\\'", "'") if name[:1] in "'\"" and len(name) > 1 else name


def _markdown(content: bytes, options: ReadOptions) -> tuple[bytes, str | None, list[Assumption]]:
    lines = [line.strip() for line in content.split(b"\n") if line.strip()]
    body = b"\n".join(line.removeprefix(b"|").removesuffix(b"|").strip() for i, line in enumerate(lines) if i != 1)
    sentence = f"The file is a table of Markdown: the line “{lines[1].decode()[:20]}” is no person."
    return body + b"\n", "|", [_said(sentence, "Markdown", options)]


def _said(sentence: str, taken: str, options: ReadOptions) -> Assumption:
    other = ("text with separators, as it stands", _ASIDE)
    return assumed(AssumptionKind.FORMAT, None, sentence, taken, options, other, asks=False)


# what is no table -----------------------------------------------------------------------------------------------------

_DATABASE = re.compile(
    rb"\A(?>[ \t]*(?:--[^\n]*+|/\*(?:(?!\*/).)*\*/|BEGIN;?|SET [^\n]*;|USE [^\n]*;|DROP TABLE [^\n]*;)?[ \t\r;]*\n)*+"
    rb"[ \t]*(?:INSERT\s+INTO|CREATE\s+TABLE)\b",
    re.IGNORECASE | re.DOTALL,
)
_SPARSE = re.compile(rb"[+-]?\d+(?:\.\d+)?(?:[ \t]+\d+:[-+\d.eE]+)+[ \t]*(?:#.*)?")
_OF_YAML = re.compile(rb"(?:---|\s*(?:- )?[\w .'\"-]{1,40}:(?: .*)?|\s*- .*)")
_LOOK = 40


def refuse(content: bytes, name: str, options: ReadOptions) -> None:
    """DataError for text whose every line is something else than a row of a table; not where it was said to be one."""
    if options.format is not None or options.layout is not None:
        return
    start = content[:_START]
    lines = [line.rstrip(b"\r") for line in start.split(b"\n")[:-1] if line.strip()][:_LOOK]
    if _DATABASE.match(start):
        raise _no_table(name, "a script for a database (SQL)", "Export the table itself as CSV.")
    if len(lines) >= 3 and all(map(_SPARSE.fullmatch, lines)):
        raise _no_table(
            name, "in the form of LIBSVM, number:value", "Save the table that it was made of, a row for each person."
        )
    listed = sum(line.lstrip().startswith(b"- ") and b": " in line for line in lines)
    if listed >= 2 and all(map(_OF_YAML.fullmatch, lines)):
        raise _no_table(name, "YAML", "Have the program that made it save CSV or JSON, one record for each person.")


def _no_table(name: str, what: str, remedy: str) -> DataError:
    # No button: what comes of it is hardly ever right. Who knows better says what it holds: "Read it differently".
    return DataError(f"“{name}” is {what}, not a table.", f"{remedy} CSV, TSV, JSON, Parquet and Excel can be read.")
