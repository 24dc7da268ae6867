"""Whatever pandas, R and Excel write of a table comes back as that table, or an assumption says what does not."""

import datetime
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ldpcore.data import AssumptionKind, Table, read
from tests.cases.writers import COLUMNS, MANY, WRITERS, Cell, columns

KINDS = st.lists(st.sampled_from(list(COLUMNS)), min_size=2, max_size=5)
SAID = {
    "number": {AssumptionKind.DECIMAL, AssumptionKind.NUMBERS},
    "text": {AssumptionKind.NONE, AssumptionKind.SPELLING, AssumptionKind.MISSING},
}
"""What may be assumed where an answer is another one."""


def text_of(cell: Cell) -> str | None:
    """An answer that is no number, as it comes back: without what its kind leaves open."""
    if cell is None:
        return None
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, datetime.date):
        return f"{cell:%Y-%m-%d}"
    return " ".join(str(cell).split())


def back(answer: object) -> str | None:
    """The same of what was read."""
    if isinstance(answer, float) and math.isnan(answer):
        return None
    text = " ".join(str(answer).split())
    word = {"wahr": "true", "falsch": "false"}.get(text.casefold(), text.casefold())
    if word in ("true", "false"):
        return word
    for form in ("%d.%m.%Y", "%d/%m/%Y"):
        try:
            return f"{datetime.datetime.strptime(text, form):%Y-%m-%d}"
        except ValueError:
            continue
    return text


def differs(table: Table, name: str, cells: list[Cell]) -> str:
    """Why the column is not what was written; "" where it is."""
    if name not in table.frame.columns:
        return "" if len({cell for cell in cells if cell is not None}) == 0 else "the column is gone"
    if len(table.frame) != len(cells):
        return f"{len(table.frame)} people"
    if all(cell is None or (isinstance(cell, float) and not isinstance(cell, bool)) for cell in cells):
        values = table.values(name)
        if values is None:
            return "no numbers"
        for value, cell in zip(values.tolist(), cells, strict=True):
            if (cell is None) != math.isnan(value) or (
                isinstance(cell, float) and abs(value - cell) > 1e-5 * abs(cell)
            ):
                return f"{cell} came back as {value}"
        return ""
    for answer, cell in zip(table.frame[name].tolist(), cells, strict=True):
        if back(answer) != text_of(cell):
            return f"{text_of(cell)!r:.60} came back as {answer!r:.60}"
    return ""


@pytest.mark.one_in(2)  # each form of file by itself: tests/unit/test_data_reading.py
@pytest.mark.parametrize("writer", WRITERS)
@given(kinds=KINDS, gaps=st.booleans(), seed=st.integers(0, 2**32))
@settings(max_examples=6)
def test_a_table_comes_back(writer, kinds, gaps, seed):
    given_ = columns(kinds, gaps, seed)
    file, write = WRITERS[writer]
    content = write(given_)
    table = read(content, file)
    if len(table.frame) < MANY:  # who answered nothing but “None” comes back when that is an answer
        assert [each for each in table.assumptions if each.kind is AssumptionKind.NONE], table.notes
        return
    for name, cells in given_.items():
        why = differs(table, name, cells)
        if why:
            kind = SAID["number" if isinstance(cells[0], float) else "text"]
            said = [each for each in table.assumptions if each.column in (name, None) and each.kind in kind]
            assert said, (name, why)
