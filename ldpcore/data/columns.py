"""From raw cells to tidy columns: blanks stripped, missing marks recognised, values in their order."""

# Arrow makes its compute functions when it is imported, where the type checker cannot see them.
# pyright: reportAttributeAccessIssue=false

from dataclasses import dataclass, field

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ldpcore.data import numbers, order
from ldpcore.data.errors import DataError, plural
from ldpcore.data.numbers import Facts, Reading
from ldpcore.data.percent import Beside

MAX_VALUES = 1000
"""A column with more distinct values is no category: it is a number or an identifier."""

MANY_NUMBERS = 20
"""Whole numbers with more distinct values than this are a quantity, with fewer they are codes or grades."""

MISSING_MARKS = (
    "", "?", "-", "--", ".", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NAN", "null", "Null", "NULL", "None",
)  # fmt: skip
"""What stands for "no answer" in files. "N" is not among them (the ACS means "not applicable"), nor is "none"."""


MAX_TEXT = 400_000_000
"""Bytes of a column of texts that nearly all differ."""
MAX_LABELS = 5_000_000
"""Bytes of all values of a category together."""
_LOOK = 20_000
"""Rows that tell a column of categories from others."""
_TEXT = pd.StringDtype(na_value=np.nan)


@dataclass(frozen=True, eq=False)
class Column:
    """One tidy column: a Categorical in its order, float64 or int64 where there are too many numbers, else str.

    marks: which missing marks were seen, and how often. known: the order of the labels where one is published. facts:
    what its numbers look like.
    """

    series: pd.Series
    marks: dict[str, int] = field(default_factory=dict)
    known: tuple[str, ...] | None = None
    facts: Facts = field(default_factory=Facts)
    codes_beside_numbers: tuple[str, ...] = ()


def tidy(
    name: str, cells: pa.ChunkedArray, given: tuple[str, ...] | None = None, reading: Reading | None = None
) -> Column:
    """Cells (n,) of any flat type with nulls → Column. given: the order of values, from a card or a Parquet file.
    reading: how text is read that can be two numbers.

    The work is on the distinct values, so a million rows cost little more than a thousand; where nearly every row has
    its own value, a table of the distinct ones would take more memory than the column, so it is never made.
    """
    if is_typed(cells.type):
        reading = None
    if _many(cells):
        return _long(name, cells, reading)
    codes, labels, counts, marks = _without_missing(encoded(cells))
    if len(labels) > MAX_VALUES:
        return _long(name, cells, reading)
    _check_labels(labels, name)
    parsed = numbers.parse(labels, counts, reading)
    texts: list[str] = labels.to_pylist()
    known = tuple(label for label in given if label in set(texts)) if given else order.known(texts)
    values = parsed.values if parsed else None
    positions = order.by(known, texts, values) if known else order.natural(texts, values)
    rank = np.append(np.argsort(positions), -1).astype(np.int32)  # code -1 (missing) stays -1
    categories = pd.Index([texts[i] for i in positions], dtype="str")
    series = pd.Series(pd.Categorical.from_codes(rank[codes], categories=categories), name=name)
    facts = _facts(parsed, cells)
    return Column(series, marks, tuple(categories) if known else None, facts, _codes(labels, parsed))


def is_typed(kind: pa.DataType) -> bool:
    """Are the cells numbers already, not text that may be?"""
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)


def _facts(parsed: numbers.Parsed | None, cells: pa.ChunkedArray) -> Facts:
    return Facts() if parsed is None or is_typed(cells.type) else parsed.facts


def _codes(labels: pa.Array, parsed: numbers.Parsed | None) -> tuple[str, ...]:
    """What stands among the numbers that is none."""
    return () if parsed is None else tuple(labels.filter(pa.array(~parsed.is_number)).unique().to_pylist())


def _many(cells: pa.ChunkedArray) -> bool:
    """Do some rows from everywhere alone have far too many values for a category?"""
    if pa.types.is_dictionary(cells.type) or len(cells) <= 5 * MAX_VALUES:
        return False
    rows = np.unique(np.linspace(0, max(0, len(cells) - 1), _LOOK).astype(np.int64))
    looked = cells.slice(0, _LOOK) if len(cells) <= _LOOK else cells.take(pa.array(rows))
    return pc.count_distinct(looked).as_py() > 5 * MAX_VALUES


def _long(name: str, cells: pa.ChunkedArray, reading: Reading | None) -> Column:
    """Many distinct values: numbers as numbers (whole ones without gaps as int64), anything else as text."""
    joined = one_chunk(cells)
    _check_written_out(joined, name)
    text = pc.utf8_trim_whitespace(_text(joined))
    is_mark = pc.is_in(text, value_set=pa.array([*MISSING_MARKS, None], pa.string()))
    seen = pc.value_counts(text.filter(is_mark).fill_null("")).to_pylist()
    marks = {entry["values"]: entry["counts"] for entry in seen}
    present = text.filter(pc.invert(is_mark)) if marks else text
    parsed = numbers.parse(present, np.ones(len(present), np.int64), reading)
    facts, beside = _facts(parsed, cells), _codes(present, parsed)
    if parsed is None or beside or facts.spelling != "plain":
        masked = pc.if_else(is_mark, pa.scalar(None, pa.string()), text) if marks else text
        # Not by way of Python's texts: a column of millions would take ten times its size.
        return Column(pd.Series(_TEXT.__from_arrow__(masked), name=name), marks, None, facts, beside)
    values = parsed.values
    if marks:
        values = np.full(len(text), np.nan)
        values[~is_mark.to_numpy(zero_copy_only=False)] = parsed.values
    elif np.all(values == np.floor(values)) and np.abs(values).max() < 2**53:
        values = values.astype(np.int64)
    return Column(pd.Series(values, name=name), marks, facts=facts)


def _check_labels(labels: pa.Array, name: str) -> None:
    """DataError where the values of a category are no answers but documents: each is taken apart many times."""
    size = pc.sum(pc.binary_length(labels)).as_py() or 0
    if size > MAX_LABELS:
        longest = pc.max(pc.binary_length(labels)).as_py()
        raise DataError(
            f"“{name}” holds too much text.",
            f"It has {plural(len(labels), 'value')} of {size / 1e6:,.1f} MB together, the longest of "
            f"{longest / 1e6:,.1f} MB; up to {MAX_LABELS / 1e6:.0f} MB can be answers. Leave that column out.",
        )


def _check_written_out(cells: pa.Array, name: str) -> None:
    """DataError where texts that are kept once each would fill the memory if every row had its own."""
    if not pa.types.is_dictionary(cells.type):
        return
    kind = cells.dictionary.type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        return
    lengths = pc.binary_length(cells.dictionary).fill_null(0).to_numpy().astype(float)
    size = float(np.bincount(cells.indices.drop_null().to_numpy(), minlength=len(lengths)) @ lengths)
    if size > MAX_TEXT:
        raise DataError(
            f"“{name}” holds too much text.",
            f"Its texts take {size / 1e6:,.0f} MB, and too many of them differ to be counted. Leave that column out.",
        )


def one_chunk(cells: pa.ChunkedArray) -> pa.Array:
    joined = cells.combine_chunks()
    if isinstance(joined, pa.ChunkedArray):
        return joined.chunk(0) if joined.num_chunks else pa.array([], cells.type)
    return joined


def encoded(cells: pa.ChunkedArray) -> pa.DictionaryArray:
    """A column as dictionary-encoded text: 39.0 and 39 are '39', midnight is just its date."""
    array = one_chunk(cells if pa.types.is_dictionary(cells.type) else cells.dictionary_encode())
    return pa.DictionaryArray.from_arrays(array.indices.cast(pa.int32()), _text(array.dictionary))


def _text(values: pa.Array) -> pa.Array:
    """Values of any flat type as text."""
    if pa.types.is_dictionary(values.type):
        values = values.dictionary_decode()
    if pa.types.is_timestamp(values.type):
        return pc.replace_substring_regex(values.cast(pa.string()), pattern=r"[ T]00:00:00(\.0+)?Z?$", replacement="")
    return values.cast(pa.string())


def _without_missing(
    cells: pa.DictionaryArray,
) -> tuple[NDArray[np.int32], pa.Array, NDArray[np.int64], dict[str, int]]:
    """Codes (n,) with -1 for missing, the labels that occur, their counts, and the missing marks with theirs."""
    raw = cells.indices.fill_null(-1).to_numpy().astype(np.int32, copy=False)
    labels = pc.utf8_trim_whitespace(cells.dictionary.cast(pa.string())).fill_null("")
    codes = raw
    if not labels.equals(cells.dictionary):  # " a" and "a" are one value
        merged = labels.dictionary_encode()
        codes, labels = np.append(merged.indices.to_numpy(), -1).astype(np.int32)[raw], merged.dictionary
    counts = np.bincount(codes[codes >= 0], minlength=len(labels)).astype(np.int64)
    is_mark = pc.is_in(labels, value_set=pa.array(MISSING_MARKS)).to_numpy(zero_copy_only=False)
    marks = {str(labels[i]): int(counts[i]) for i in np.flatnonzero(is_mark & (counts > 0))}
    nulls = int(np.count_nonzero(codes < 0))
    if nulls:
        marks[""] = marks.get("", 0) + nulls
    keep = ~is_mark & (counts > 0)
    renumber = np.append(np.where(keep, np.cumsum(keep) - 1, -1), -1).astype(np.int32)
    return renumber[codes], labels.filter(pa.array(keep)), counts[keep], marks


def notes(columns: dict[str, Column], settled: bool = False) -> list[str]:
    """Plain sentences on what was recognised: the missing marks, and numbers that are spelled as text.

    settled: the file itself shows its decimal mark, so nothing need be said of numbers that do not, unless they suggest
    the other one: a wage in euros may stand beside one in dollars.
    """
    return [*_missing_notes(columns), *_number_notes(columns, settled)]


def _missing_notes(columns: dict[str, Column]) -> list[str]:
    seen: dict[str, int] = {}
    for column in columns.values():
        for mark, count in column.marks.items():
            seen[mark] = seen.get(mark, 0) + count
    if not seen:
        return []
    marks = ", ".join(
        f"“{mark}” {plural(n, 'time')}" if mark else f"empty {plural(n, 'time')}" for mark, n in seen.items()
    )
    holders = [name for name, column in columns.items() if column.marks]
    where = ", ".join(holders[:5]) + (" and others" if len(holders) > 5 else "")
    return [f"Read as missing: {marks} (in {where})."]


def _doubtful(name: str, doubt: numbers.Doubt) -> str:
    """Which of two readings was taken, and how to have the other."""
    return (
        f"“{name}”: “{doubt.label}” is read as {doubt.taken:.15g}; it could be {doubt.other:.15g} too. If that is "
        "meant, choose the other decimal mark."
    )


def _mixed(name: str, mixed: Beside) -> str:
    shares = mixed.taken == mixed.recognised == "share"
    why = ", since no such number is above 1 and percentages are" if shares else ""
    return (
        f"“{name}” has numbers with and without a percent sign: beside “{mixed.signed}”, “{mixed.bare}” is read as "
        f"{mixed.value:.15g} %{why}; it could be {mixed.other:.15g} % too. If that is meant, choose what numbers "
        "beside percentages are."
    )


def _number_notes(columns: dict[str, Column], settled: bool) -> list[str]:
    out = []
    for name, column in columns.items():
        facts = column.facts
        if facts.spelling != "plain":
            out.append(f"“{name}” holds numbers written as text ({facts.spelling}): it can be used as a number too.")
        if facts.either and (not settled or facts.against):
            out.append(_doubtful(name, facts.either))
        if facts.mixed:
            out.append(_mixed(name, facts.mixed))
    beside: dict[tuple[str, ...], list[str]] = {}
    for name, column in columns.items():
        if column.codes_beside_numbers and column.series.nunique() > MANY_NUMBERS:
            beside.setdefault(column.codes_beside_numbers, []).append(name)
    for codes, names in beside.items():
        shown = ", ".join(f"“{code}”" for code in codes)
        where = ", ".join(names)
        out.append(f"{shown} stands among the numbers of {where}: a value as a category, missing as a number.")
    return out
