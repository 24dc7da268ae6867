"""From raw cells to tidy columns: blanks stripped, missing marks recognised, values in their order."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ldpcore.data import column_names, dates, durations, numbers, order, twins
from ldpcore.data.column_options import ColumnOptions
from ldpcore.data.errors import DataError, plural
from ldpcore.data.numbers import NumberFacts, Reading
from ldpcore.data.options import ReadOptions

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
TEXT: Any = pd.StringDtype("pyarrow", na_value=np.nan)
"""Of as many texts as rows: side by side, whatever pandas is told of small tables."""
_RECOGNISE = ReadOptions()
TEXT_ROLES = ("code", "person")
"""Roles of columns whose digits are no number."""


@dataclass(frozen=True, eq=False)
class Column:
    """One tidy column: a Categorical in its order, float64 or int64 where there are too many numbers, else str.

    marks: which missing marks were seen, and how often. known: the order of the labels where one is published. facts:
    what its numbers look like. same: spellings that are one answer, each with its rows.
    """

    series: pd.Series
    marks: dict[str, int] = field(default_factory=dict)
    known: tuple[str, ...] | None = None
    facts: NumberFacts = field(default_factory=NumberFacts)
    codes_beside_numbers: tuple[str, ...] = ()
    same: tuple[tuple[tuple[str, int], ...], ...] = ()


def tidy(
    name: str,
    cells: pa.ChunkedArray,
    given: tuple[str, ...] | None = None,
    reading: Reading | None = None,
    options: ReadOptions = _RECOGNISE,
) -> Column:
    """Cells (n,) of any flat type with nulls → Column. given: the order of values, from a card or a Parquet file.
    reading: how text is read that can be two numbers. options: what is said of it, and of the file.

    The work is on the distinct values, so a million rows cost little more than a thousand; where nearly every row has
    its own value, a table of the distinct ones would take more memory than the column, so it is never made.
    """
    if is_typed(cells.type):
        reading = None
    of_column = options.of(name)
    if of_column.changes_cells:
        cells = _changed(cells, of_column)
    absent = tuple(mark for mark in MISSING_MARKS if mark not in of_column.answers)
    if _many(cells):
        return _long(name, cells, reading, absent, of_column)
    codes, labels, counts, marks = _without_missing(encoded(cells), absent)
    if len(labels) > MAX_VALUES:
        return _long(name, cells, reading, absent, of_column)
    _check_labels(labels, name)
    parsed = numbers.parse(labels, counts, reading) if of_column.role not in TEXT_ROLES else None
    codes, labels, parsed, same = _without_twins(codes, labels, counts, parsed, options.spelling)
    texts: list[str] = labels.to_pylist()
    given = (
        of_column.order or given or (dates.by_time(texts, options.dates) if options.dates and parsed is None else None)
    )
    known = tuple(label for label in given if label in set(texts)) if given else order.known(texts)
    values = parsed.values if parsed else None
    positions = order.by(known, texts, values) if known else order.natural(texts, values)
    rank = np.append(np.argsort(positions), -1).astype(np.int32)  # code -1 (missing) stays -1
    categories = pd.Index([texts[i] for i in positions], dtype="str")
    series = pd.Series(pd.Categorical.from_codes(rank[codes], categories=categories), name=name)
    facts = _facts(parsed, cells)
    return Column(series, marks, tuple(categories) if known else None, facts, _codes(labels, parsed), same)


def _changed(cells: pa.ChunkedArray, own: ColumnOptions) -> pa.ChunkedArray:
    """The cells with what stands for something else recoded, times as numbers, and nothing where no answer stands."""
    coded = encoded(cells)
    recode, texts = dict(own.recode), pc.utf8_trim_whitespace(coded.dictionary).to_pylist()
    missing = set(own.missing)
    by_size = {_size(value): meant for value, meant in [*((each, None) for each in missing), *recode.items()]}
    by_size.pop(None, None)

    def meant(text: str | None) -> str | None:
        if text is None or text in missing:
            return None
        if own.time is not None and text not in recode and (size := durations.as_number(text, own.time)) is not None:
            return f"{size:.12g}"
        return recode[text] if text in recode else by_size.get(_size(text), text)

    changed = pa.array([meant(text) for text in texts], pa.string())
    return pa.chunked_array([pa.DictionaryArray.from_arrays(coded.indices, changed).dictionary_decode()])


def _size(text: str | None) -> float | None:
    try:
        return float(text or "")
    except ValueError:
        return None


def _without_twins(
    codes: NDArray[np.int32], labels: pa.Array, counts: NDArray[np.int64], parsed: numbers.Parsed | None,
    spelling: str | None,
) -> tuple[NDArray[np.int32], pa.Array, numbers.Parsed | None, tuple[tuple[tuple[str, int], ...], ...]]:  # fmt: skip
    """With each answer once, however it is spelled, and the spellings that are one."""
    texts, values = labels.to_pylist(), parsed.values if parsed else None
    place, groups = twins.together(texts, counts, values, spelling)
    if not groups:
        return codes, labels, parsed, ()
    kept = np.flatnonzero(place == np.arange(len(place)))
    codes = np.append(np.searchsorted(kept, place), -1).astype(np.int32)[codes]
    same = tuple(tuple((texts[i], int(counts[i])) for i in group) for group in groups)
    if parsed is not None:
        parsed = numbers.Parsed(parsed.values[kept], parsed.facts)
    return codes, labels.take(pa.array(kept)), parsed, same


def reading_of(name: str, usual: Reading, options: ReadOptions) -> Reading:
    """How the numbers of a column are read, by what is said of it and by its name."""
    role, usual = options.of(name).role, Reading() if options.of(name).time else usual
    return replace(
        usual, written=options.numbers != "strict", forced=role == "amount",
        code=role is None and column_names.is_code(name),
    )  # fmt: skip


def is_typed(kind: pa.DataType) -> bool:
    """Are the cells numbers already, not text that may be?"""
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)


def _facts(parsed: numbers.Parsed | None, cells: pa.ChunkedArray) -> NumberFacts:
    return NumberFacts() if parsed is None or is_typed(cells.type) else parsed.facts


def _codes(labels: pa.Array, parsed: numbers.Parsed | None) -> tuple[str, ...]:
    """What stands among the numbers that is none."""
    return () if parsed is None else tuple(labels.filter(pa.array(~parsed.is_number)).unique().to_pylist())


def _many(cells: pa.ChunkedArray) -> bool:
    """Do some rows from everywhere alone have far too many values for a category?"""
    if pa.types.is_dictionary(cells.type) or len(cells) <= 5 * MAX_VALUES:
        return False
    looked = cells
    if len(cells) > _LOOK:
        looked = cells.take(pa.array(np.linspace(0, len(cells) - 1, _LOOK).astype(np.int64)))
    return pc.count_distinct(looked).as_py() > 5 * MAX_VALUES


def _long(
    name: str, cells: pa.ChunkedArray, reading: Reading | None, absent: tuple[str, ...], own: ColumnOptions
) -> Column:
    """Many distinct values: numbers as numbers (whole ones without gaps as int64), anything else as text."""
    joined = one_chunk(cells)
    _check_written_out(joined, name)
    text = pc.utf8_trim_whitespace(_text(joined))
    del joined  # memory peaks here
    is_mark = pc.is_in(text, value_set=pa.array([*absent, None], pa.string()))
    seen = pc.value_counts(text.filter(is_mark).fill_null("")).to_pylist()
    marks = {entry["values"]: entry["counts"] for entry in seen}
    present = text.filter(pc.invert(is_mark)) if marks else text
    parsed = None
    if own.role not in TEXT_ROLES:
        parsed = numbers.parse(present, np.ones(len(present), np.int64), reading)
    facts, beside = _facts(parsed, cells), _codes(present, parsed)
    if parsed is None or beside or facts.spelling != "plain":
        masked = pc.if_else(is_mark, pa.scalar(None, pa.string()), text) if marks else text
        # Not by way of Python's texts: a column of millions would take ten times its size.
        return Column(pd.Series(TEXT.__from_arrow__(masked), name=name), marks, None, facts, beside)
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
    cells: pa.DictionaryArray, absent: tuple[str, ...] = MISSING_MARKS
) -> tuple[NDArray[np.int32], pa.Array, NDArray[np.int64], dict[str, int]]:
    """Codes (n,) with -1 for missing, the labels that occur, their counts, and the missing marks with theirs."""
    raw = cells.indices.fill_null(-1).to_numpy().astype(np.int32, copy=False)
    labels = pc.utf8_trim_whitespace(cells.dictionary.cast(pa.string())).fill_null("")
    codes = raw
    if not labels.equals(cells.dictionary):  # " a" and "a" are one value
        merged = labels.dictionary_encode()
        codes, labels = np.append(merged.indices.to_numpy(), -1).astype(np.int32)[raw], merged.dictionary
    counts = np.bincount(codes[codes >= 0], minlength=len(labels)).astype(np.int64)
    is_mark = pc.is_in(labels, value_set=pa.array(absent, pa.string())).to_numpy(zero_copy_only=False)
    marks = {str(labels[i]): int(counts[i]) for i in np.flatnonzero(is_mark & (counts > 0))}
    nulls = int(np.count_nonzero(codes < 0))
    if nulls:
        marks[""] = marks.get("", 0) + nulls
    keep = ~is_mark & (counts > 0)
    renumber = np.append(np.where(keep, np.cumsum(keep) - 1, -1), -1).astype(np.int32)
    return renumber[codes], labels.filter(pa.array(keep)), counts[keep], marks


def missing_notes(columns: Mapping[str, Column]) -> list[str]:
    """Which missing marks were seen, in a sentence."""
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
