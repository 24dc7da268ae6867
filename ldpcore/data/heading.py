"""What stands around the names of a table's columns: a title above them, and lines below that describe them."""

from collections.abc import Sequence
from statistics import median

_QUALTRICS = '{"ImportId"'
"""How every cell of the third line begins that Qualtrics writes; the second holds the questions' texts."""
_ANSWER = {"Response", "Open-Ended Response"}
"""What SurveyMonkey writes under a question with one answer; under others, the answer that the column is about."""
_MOST = 20
"""Lines that a title and its notes may take."""


def titles(records: Sequence[Sequence[str]]) -> int:
    """How many lines stand above the names: with less than half of the cells that a row of the table fills, and none
    that turns up again below, as the answers of a first row would.
    """
    filled = [sum(map(bool, record)) for record in records]
    usual = median(filled) if filled else 0
    above = next((i for i, count in enumerate(filled) if 2 * count >= usual), 0)
    if above > _MOST:
        return 0
    below = [set(column) for column in zip(*records[above:], strict=False)]
    held = [(cell, seen) for record in records[:above] for cell, seen in zip(record, below, strict=False) if cell]
    return 0 if any(cell in seen for cell, seen in held) else above


def described(records: Sequence[Sequence[str]]) -> int:
    """How many lines under the names, which are the first record, describe them: the exports of two survey services."""
    if len(records) > 3 and all(cell.startswith(_QUALTRICS) for cell in records[2] if cell) and any(records[2]):
        return 2
    if len(records) > 2 and _ANSWER & set(records[1]) and not any(_ANSWER & set(record) for record in records[2:]):
        return 1
    return 0


def names(records: Sequence[Sequence[str]]) -> Sequence[str]:
    """The names, which are the first record. Where a question has a column for each of its answers, it stands above the
    first of them only, and the line below says which.
    """
    if described(records) != 1:
        return records[0]
    out, question = [], ""
    for above, below in zip(records[0], records[1], strict=True):
        question = above or question
        out.append(question if not below or below in _ANSWER else f"{question} {below}")
    return out


def said(above: Sequence[Sequence[str]], below: int) -> list[str]:
    """Notes on what was left out: titles, and how many lines describe the names."""
    out = []
    if above:
        shown = ", ".join(f"“{next(filter(None, record))}”" for record in above[:3])
        out.append(f"Left out, since it stands above the names: {shown}{' and more' if len(above) > 3 else ''}.")
    if below:
        line, describe = ("the line", "describes") if below == 1 else (f"the {below} lines", "describe")
        out.append(f"Left out: {line} under the names, which {describe} them.")
    return out
