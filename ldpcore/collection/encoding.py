"""Cells of a file as what a mechanism takes: codes of answers, numbers of a public range, sets of items.

By the rules of `ldpcore.data`: blanks around a text do not count, 39.0 is “39”, and what stands for no answer there
does here. But what an answer may be is said by a client, not by the data: nothing is guessed from other rows, so that a
file means the same in parts as it does whole.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ldpcore.data import MISSING_LABEL, MISSING_MARKS, DataError, columns, transactions
from ldpcore.data.partition import BATCH, Partition

MISSING, UNKNOWN = -1, -2
"""Codes of an empty cell, and of a text that is no answer."""
Codes = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Inputs:
    """What people gave: `values`, one for each who answered, as the mechanism takes them.

    missing: rows without an answer. unknown: what is no answer, how often, with `first`, (its row here from 0, the
    text). clipped: of how many what they hold is cut (`FolderQuestion.cut`): a number outside the range, a long basket.
    """

    values: Any
    missing: int = 0
    unknown: int = 0
    first: tuple[int, str] | None = None
    clipped: int = 0


def of(part: Partition, columns: Sequence[str], separator: str = "") -> Iterator[pa.ChunkedArray]:
    """The cells of a partition, some rows at a time: of this column, or of several as structures; of lines, their items
    as lists.
    """
    if part.columns:
        for table in part.tables(columns):
            yield table[columns[0]] if len(columns) == 1 else pa.chunked_array(table.to_struct_array())
        return
    try:
        lines = part.content().decode("utf-8").removesuffix("\n").split("\n")
    except UnicodeDecodeError as error:
        raise DataError(f"“{part.name}” is not UTF-8.", "Of a folder, text is read in UTF-8. Save it so.") from error
    for start in range(0, len(lines), BATCH):
        offsets, items = transactions.split(lines[start : start + BATCH], separator, part.name)
        yield pa.chunked_array([pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), items)])


def places(labels: tuple[str, ...]) -> dict[str, int]:
    """Label → code, and the code of what stands for no answer, where one of the labels says that itself."""
    codes = {label: code for code, label in enumerate(labels)}
    absent = codes.get(MISSING_LABEL, MISSING)
    return {**dict.fromkeys(MISSING_MARKS, absent), **codes}


def codes(cells: pa.ChunkedArray, place: Mapping[str, int]) -> Codes:
    """(n,) the code of each cell, MISSING or UNKNOWN. place: of `places`."""
    text = columns.encoded(cells)
    labels = pc.utf8_trim_whitespace(text.dictionary).fill_null("").to_pylist()
    known = np.array([place.get(label, UNKNOWN) for label in [*labels, ""]], np.int64)
    return known[text.indices.fill_null(len(labels)).to_numpy()]


def answers(cells: pa.ChunkedArray, place: Mapping[str, int]) -> Inputs:
    """The codes of those who answered."""
    values = codes(cells, place)
    unknown = np.flatnonzero(values == UNKNOWN)
    return Inputs(values[values >= 0], int(np.count_nonzero(values == MISSING)), len(unknown), _first(cells, unknown))


def fields(cells: pa.ChunkedArray) -> list[pa.ChunkedArray]:
    """The columns of structures."""
    return [pc.struct_field(cells, place) for place in range(cells.type.num_fields)]


def joined(sides: Sequence[pa.ChunkedArray], each: Sequence[Mapping[str, int]], count: int) -> tuple[Codes, Inputs]:
    """Two columns as one of pairs, x·count + y of the codes x and y: (n,) with MISSING and UNKNOWN, and those who
    answered both. each: of `places`.
    """
    x, y = (codes(side, place) for side, place in zip(sides, each, strict=True))
    unknown = [np.flatnonzero(side == UNKNOWN) for side in (x, y)]
    firsts = [(*first, at) for at, first in enumerate(map(_first, sides, unknown)) if first is not None]
    row, text, _ = min(firsts, default=(0, "", 0))
    pair = np.where((x >= 0) & (y >= 0), x * count + y, np.where((x == UNKNOWN) | (y == UNKNOWN), UNKNOWN, MISSING))
    absent, none = int(np.count_nonzero(pair == MISSING)), int(np.count_nonzero(pair == UNKNOWN))
    return pair, Inputs(pair[pair >= 0], absent, none, (row, text) if firsts else None)


def numbers(cells: pa.ChunkedArray, low: float, high: float) -> Inputs:
    """Numbers (n,) in their units, cut to the range. Text is read with a decimal point, without marks of thousands."""
    x, absent = _floats(cells)
    known = np.isfinite(x)
    unknown = np.flatnonzero(~known & ~absent)
    there = x[known]
    return Inputs(
        np.clip(there, low, high), int(np.count_nonzero(absent)), len(unknown), _first(cells, unknown),
        int(np.count_nonzero((there < low) | (there > high))),
    )  # fmt: skip


def _floats(cells: pa.ChunkedArray) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The numbers (n,), not finite where a cell is none, and which cells are empty."""
    if columns.is_typed(cells.type) and not pa.types.is_dictionary(cells.type):
        # NaN in a column of numbers is an empty cell, as in pandas; infinity is not.
        x = cells.cast(pa.float64(), safe=False).fill_null(np.nan).to_numpy().astype(float)
        return x, np.isnan(x)
    text = columns.encoded(cells)
    labels = pc.utf8_trim_whitespace(text.dictionary).fill_null("").to_pylist()
    value = np.array([_float(label) for label in [*labels, ""]])
    is_mark = np.array([label in MISSING_MARKS for label in [*labels, ""]])
    at = text.indices.fill_null(len(labels)).to_numpy()
    return value[at], is_mark[at]


def _float(text: str) -> float:
    try:
        return np.nan if "_" in text or not text.isascii() else float(text)
    except ValueError:
        return np.nan


def items(offsets: Codes, cells: pa.Array, absent: NDArray[np.bool_], place: Mapping[str, int]) -> Inputs:
    """People's items, their codes (items,) and starts (n + 1,) as `values`. offsets (rows + 1,): whose items each cell
    is; absent (rows,): who did not answer at all. An unknown item is left out, its person stays.
    """
    values = codes(pa.chunked_array([cells]), place)
    row = np.repeat(np.arange(len(absent)), np.diff(offsets))
    unknown = np.flatnonzero(values == UNKNOWN)
    kept = (values >= 0) & ~absent[row]
    lengths = np.bincount(row[kept], minlength=len(absent))[~absent]
    first = (int(row[unknown[0]]), str(cells[int(unknown[0])])) if len(unknown) else None
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return Inputs((values[kept], starts), int(np.count_nonzero(absent)), len(unknown), first)


def lists(cells: pa.ChunkedArray, name: str) -> tuple[Codes, pa.Array, NDArray[np.bool_]]:
    """A column of lists as (rows + 1,) offsets into the cells, the cells, and which rows (rows,) are empty."""
    kind = cells.type
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        array = columns.one_chunk(cells)
        lengths = pc.list_value_length(array).fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
        return np.concatenate([[0], np.cumsum(lengths)]), array.flatten(), ~_valid(array)
    raise DataError(
        f"“{name}” holds no lists.",
        "People's items are a column of lists in Parquet, or lines of text with a basket on each. Choose that column.",
    )


def _valid(array: pa.Array) -> NDArray[np.bool_]:
    return np.asarray(array.is_valid().to_numpy(zero_copy_only=False), bool)


def _first(cells: pa.ChunkedArray, where: NDArray[np.intp]) -> tuple[int, str] | None:
    return (int(where[0]), str(cells[int(where[0])])) if len(where) else None
