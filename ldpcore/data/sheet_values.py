"""The values of a worksheet's cells as the library reads them: plain numbers by Arrow, of all others each different one
by the library itself.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ldpcore.data.sheet_cells import SheetCells

Library = Callable[[bytes], list[list[object]]]
"""All rows of a sheet, from its XML."""
_MOST_DIFFERENT = 1 << 20
"""Rows of a sheet: so many different values can be asked."""


def as_numbers(texts: pa.Array) -> NDArray[np.float64]:
    """Numbers as they stand in XML; ArrowInvalid where one is none."""
    return texts.cast(pa.string()).cast(pa.float64()).to_numpy(zero_copy_only=False)


def rows(cells: "SheetCells", library: Library) -> list[list[object]] | None:
    """All rows from the first that holds something, equally long, "" where a cell is empty; None where only the library
    knows.
    """
    row, columns, kinds, number = cells.joined()
    numbers = np.concatenate(cells.numbers or [np.zeros(0)])
    if not cells.readable or not np.isfinite(numbers).all():
        return None
    if (others := _others(cells, kinds[~number], library)) is None:
        return None
    values = np.empty(len(row), object)
    values[number], values[~number] = numbers, others
    (top, left), (bottom, right) = cells.sheet.first, cells.sheet.last
    by_column = np.argsort(columns, kind="stable")
    ends = np.searchsorted(columns[by_column], np.arange(left, right + 2))
    made = []
    for start, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        at = by_column[start:end]
        column = np.full(bottom - top + 1, "", object)
        column[row[at] - top] = values[at]
        made.append(column.tolist())
    return list(map(list, zip(*made, strict=True)))


def _others(cells: "SheetCells", kinds: NDArray, library: Library) -> NDArray[np.object_] | None:
    """Each different one is asked once, beside a number, so that no row is left out."""
    out = np.empty(len(kinds), object)
    if not len(kinds):
        return out
    texts, tails = pa.concat_arrays(cells.others), list(cells.tails)
    asked: list[bytes] = []
    places: list[tuple[NDArray, NDArray]] = []
    for kind in np.unique(kinds).tolist():
        at = np.flatnonzero(kinds == kind)
        coded = texts.take(pa.array(at)).dictionary_encode()
        places.append((at, coded.indices.to_numpy() + len(asked)))
        asked += [b"%s>%s</c></row>" % (tails[kind], piece) for piece in coded.dictionary.to_pylist()]
        if len(asked) > _MOST_DIFFERENT:
            return None
    xml = b"".join(b'<row r="%d"><c r="A%d"><v>1</v></c><c r="B%d"%s' % (i, i, i, cell)
                   for i, cell in enumerate(asked, 1))  # fmt: skip
    answers = library(b"<worksheet><sheetData>%s</sheetData></worksheet>" % xml)
    if len(answers) != len(asked) or not all(map(_is_something, answers, asked)):
        return None
    known = np.fromiter((answer[1] for answer in answers), object, len(answers))
    for at, codes in places:
        out[at] = known[codes]
    return out


def _is_something(answer: list[object], cell: bytes) -> bool:
    """Whether the library takes a cell for one that holds something, since others do not stretch the table: an error
    does, though it is read as "".
    """
    return len(answer) > 1 and (answer[1] != "" or b't="e"' in cell.partition(b">")[0])
