"""JSON with a record for each person: a list of them, one on every line, or a list inside an object."""

import json
import re
from typing import Any

import pyarrow as pa

from ldpcore.data import cells, extent, recognise
from ldpcore.data.delimited import Raw
from ldpcore.data.errors import DataError, plural
from ldpcore.data.text import too_large

_LIST = re.compile(rb"\s*\[\s*\{")
_LINES = re.compile(rb'\s*\{\s*"')
_INSIDE = re.compile(
    rb'\s*\{[^\[]{0,2000}"(results|data|records|rows|submissions|value|items|responses)"\s*:\s*\[\s*\{'
)
_LARGER = 8
"""Times that records take more memory than their text."""
_DEEPEST = 4
"""Objects in objects that become columns of their own."""


def is_records(content: bytes) -> bool:
    """Does it begin as records do? A dictionary of codes is an object as well, but no list, and no line of many."""
    start = content[:10_000]
    if _LIST.match(start) or _INSIDE.match(start):
        return True
    lines = [line for line in start.split(b"\n") if line.strip()]
    whole = lines[:-1] if len(content) > len(start) else lines
    return len(whole) > 1 and all(_LINES.match(line) and line.rstrip().endswith(b"}") for line in whole)


def read(content: bytes, name: str, limit: int) -> Raw:
    """UTF-8 content → Raw. DataError: no records after all, or more than fit into memory."""
    if len(content) > limit // _LARGER:
        raise too_large(name, f"has {len(content) / 1e6:.0f} MB of JSON", limit // _LARGER)
    try:
        given, where = _records(content)
        rows = [_flat(record) for record in given]
    except (ValueError, RecursionError) as error:
        raise DataError(
            f"“{name}” is JSON, not a table.",
            "It begins like a list of records, but cannot be read to its end. Have the program that made it save a "
            "CSV, with one row per person.",
        ) from error
    names = list(dict.fromkeys(key for row in rows for key in row))
    if not rows or not names:
        raise DataError(f"“{name}” is empty.", "It has no record with anything in it. Choose another file.")
    extent.check_columns(len(names), name)
    extent.check_cells(len(rows), len(rows) * len(names), name, limit)
    tidied, notes = recognise.tidy_names(names)
    columns, sets = [], {}
    for key, column in zip(names, tidied, strict=True):
        values = [_unwrapped(row.get(key)) for row in rows]
        if any(isinstance(value, list) for value in values):
            sets[column] = cells.LISTED
        columns.append(_column(values))
    if where:
        notes.append(f"{plural(len(rows), 'record')} of JSON{where} are read as rows.")
    return Raw(tidied, columns, notes, {}, sets=sets)


def _records(content: bytes) -> tuple[list[dict[str, Any]], str]:
    """The records, and where they stand if that is not plain."""
    where = ""
    if _LIST.match(content[:10_000]):
        records = json.loads(content)
    elif match := _INSIDE.match(content[:10_000]):
        records, where = json.loads(content)[match[1].decode()], f" under “{match[1].decode()}”"
    else:
        records = [json.loads(line) for line in content.split(b"\n") if line.strip()]
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        raise ValueError("something else than records stands among them")
    return records, where


def _flat(record: dict[str, Any], before: str = "", depth: int = 0) -> dict[str, Any]:
    """A record without objects inside: {"a": {"b": 1}} has the entry "a.b"."""
    out: dict[str, Any] = {}
    for key, value in record.items():
        if isinstance(value, dict) and depth < _DEEPEST:
            out |= _flat(value, f"{before}{key}.", depth + 1)
        else:
            out[f"{before}{key}"] = value
    return out


def _unwrapped(value: Any) -> Any:
    """A list of objects with one entry each, as a group that repeats in a form, is a list of what these hold."""
    if isinstance(value, list) and value and all(isinstance(each, dict) and len(each) == 1 for each in value):
        return [inner for each in value for inner in each.values()]
    return value


def _column(values: list[Any]) -> pa.ChunkedArray:
    """Numbers as numbers, anything else as text; lists as JSON writes them, which are taken apart later."""
    given = [value for value in values if value is not None]
    if given and all(
        isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 2**53 for value in given
    ):
        return pa.chunked_array([pa.array([None if value is None else float(value) for value in values], pa.float64())])
    return pa.chunked_array([pa.array(list(map(_text, values)), pa.string())])


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return ("true" if value else "false") if isinstance(value, bool) else json.dumps(value, ensure_ascii=False)
