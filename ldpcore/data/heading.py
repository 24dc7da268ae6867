"""What stands around the names of a table's columns: a title above them, and lines below that describe them."""

import itertools
import re
from collections.abc import Sequence
from statistics import median

from ldpcore.data.assumptions import Assumption, AssumptionKind, assumed
from ldpcore.data.errors import plural
from ldpcore.data.options import ReadOptions

_QUALTRICS = '{"ImportId"'
"""How every cell of the third line begins that Qualtrics writes; the second holds the questions' texts."""
_ANSWER = {"Response", "Open-Ended Response"}
"""What SurveyMonkey writes under a question with one answer; under others, the answer that the column is about."""
_MOST = 20
"""Lines that a title and its notes may take."""
_LOOK, _UNIT = 1500, 12
"""Lines that are looked at, and characters of a unit."""


def titles(records: Sequence[Sequence[str]]) -> int:
    """How many lines stand above the names: with less than half of the cells that a row of the table fills, and none
    that turns up again below, as the answers of a first row would.
    """
    filled = [sum(map(bool, record)) for record in records]
    usual = median(filled) if filled else 0
    above = next((i for i, count in enumerate(filled) if 2 * count >= usual), 0)
    if not 0 < above <= _MOST:
        return 0
    below = [set(column) for column in zip(*records[above:], strict=False)]
    cells = [(cell, seen) for record in records[:above] for cell, seen in zip(record, below, strict=False) if cell]
    return 0 if any(cell in seen for cell, seen in cells) else above


def described(records: Sequence[Sequence[str]], told: int | None = None) -> int:
    """How many lines under the names, which are the first record, describe them: the exports of two survey services,
    and a line of questions. told: what somebody said.
    """
    if told is not None:
        return min(told, max(0, len(records) - 2))
    return _of_a_service(records) or int(generic(records))


def _of_a_service(records: Sequence[Sequence[str]]) -> int:
    if len(records) > 3 and all(cell.startswith(_QUALTRICS) for cell in records[2] if cell) and any(records[2]):
        return 2
    if len(records) > 2 and _ANSWER & set(records[1]) and not any(_ANSWER & set(record) for record in records[2:]):
        return 1
    return 0


def generic(records: Sequence[Sequence[str]], told: int | None = None) -> bool:
    """Does the second line hold a text for each name, none of which turns up below, and texts above numbers or longer
    than any answer? Then it describes them.
    """
    if told is not None or len(records) < 8 or _of_a_service(records) or len(records[0]) < 2:
        return False
    if _are_units(records):
        return True
    above, second, below = records[0], records[1], records[2:]
    if not all(second) or any(map(_is_number, second)) or len(set(second)) < len(second):
        return False
    columns = [[record[j] for record in below if j < len(record) and record[j]] for j in range(len(second))]
    if any(cell in column for cell, column in zip(second, columns, strict=True)) or any(map(_is_number, above)):
        return False
    of_numbers = [column and sum(map(_is_number, column)) >= 0.9 * len(column) for column in columns]
    longer = [len(cell) > max(map(len, column), default=0) for cell, column in zip(second, columns, strict=True)]
    asks = sum(cell.rstrip().endswith(("?", "？", ":")) for cell in second) >= 0.5 * len(second)
    return (any(of_numbers) and all(longer)) or (asks and all(longer)) or (sum(map(bool, of_numbers)) > 1)


def _are_units(records: Sequence[Sequence[str]]) -> bool:
    """Does the second line hold a short text over each column of numbers, and nothing over the others: kg, cm?"""
    second, below = records[1], records[2:_LOOK]
    if sum(map(bool, second)) < 2 or any(_is_number(cell) or len(cell) > _UNIT for cell in second):
        return False
    if any(map(_is_number, records[0])) or not all(records[0]):
        return False
    columns = [[record[j] for record in below if j < len(record) and record[j]] for j in range(len(second))]
    of_numbers = [bool(column) and sum(map(_is_number, column)) >= 0.9 * len(column) for column in columns]
    return all(are for cell, are in zip(second, of_numbers, strict=True) if cell)


_NUMBER = re.compile(r"[+-]?(\d+([.,]\d+)*|[.,]\d+)%?")


def _is_number(cell: str) -> bool:
    return _NUMBER.fullmatch(cell) is not None


def shifted(records: Sequence[Sequence[str]], first: int) -> list[str] | None:
    """The names that stand in the line before the table with one field less than its rows have: each row ends in a
    separator, or begins with its own name or number, as R writes it. None where it is no such line.
    """
    if first < 1 or len(records) - first < 3 or len(records[first - 1]) != len(records[first]) - 1:
        return None
    given, rows = list(records[first - 1]), [row for row in records[first:] if len(row) == len(records[first])]
    if len(given) < 2 or not all(given) or any(map(_is_number, given)) or len(set(given)) < len(given):
        return None
    below = [[row[j] for row in rows[1:]] for j in range(len(rows[0]))]
    if any(
        cell and not _is_number(cell) and all(map(_is_number, column))
        for cell, column in zip(rows[0], below, strict=True)
    ):
        return None  # the names stand in the next line, and these are a title
    if not any(row[-1] for row in rows):
        return [*given, ""]
    firsts = [row[0] for row in rows]
    return ["", *given] if len(set(firsts)) == len(firsts) and all(firsts) else None


def counting(cells: Sequence[str]) -> bool:
    """Are these numbers that rise by one, as names that number items, years or questions do?"""
    numbers = [int(cell) for cell in cells if cell.isascii() and cell.isdecimal() and len(cell) < 6]
    return len(numbers) >= 3 and all(b - a == 1 for a, b in itertools.pairwise(numbers))


def assumptions(
    records: Sequence[Sequence[str]],
    options: ReadOptions,
    header: bool,
    moved: list[str] | None,
    votes: tuple[int, int],
) -> list[Assumption]:
    """What was assumed of the names, where it is not certain. votes: of the columns, for names and against them."""
    out = []
    if moved is not None:
        why = "each row ends in a separator" if moved[-1] == "" else "each row begins with its own number or name"
        shown = ", ".join(f"“{name}”" for name in moved[:5] if name)
        out.append(assumed(
            AssumptionKind.HEADER, None,
            f"The line of names has one field less than the rows: {why}, so the names are {shown}.",
            "the names, though there is one less", options, ("the names are none", {"header": False}), asks=False,
        ))  # fmt: skip
    elif header and generic(records, options.described):
        shown = ", ".join(f"“{cell}”" for cell in records[1][:2])
        out.append(assumed(
            AssumptionKind.HEADER, None,
            f"Left out: the line under the names, which describes them ({shown}{' …' if len(records[1]) > 2 else ''}).",
            "it describes the names", options, ("it is a person", {"described": 0}), asks=False,
        ))  # fmt: skip
    elif options.header is None and any(map(_is_number, records[0])) and len(records) > 1:
        out.append(assumed(
            AssumptionKind.HEADER, None,
            f"The first line holds numbers (“{next(filter(_is_number, records[0]))}” …), "
            + ("which count up: read as names." if header
               else "as the lines below do: read as a person, and the columns are called “column 1” and so on."),
            "the first line holds names" if header else "the first line is a person", options,
            ("it is a person" if header else "it holds names", {"header": not header}), asks=header,
        ))  # fmt: skip
    elif options.header is None and votes[1] and len(records) > 1:
        shown = " | ".join(cell for cell in records[0][:4] if cell)
        out.append(assumed(
            AssumptionKind.HEADER, None,
            f"What the first line holds stands below it, too, in {plural(votes[1], 'column')} (“{shown}”): "
            + ("read as names." if header else "read as a person, and the columns are called “column 1” and so on."),
            "the first line holds names" if header else "the first line is a person", options,
            ("it is a person" if header else "it holds names", {"header": not header}), asks=votes[0] > 0,
        ))  # fmt: skip
    return out


def names(records: Sequence[Sequence[str]], told: int | None = None) -> Sequence[str]:
    """The names, which are the first record. Where a question has a column for each of its answers, it stands above the
    first of them only, and the line below says which.
    """
    if told is not None or _of_a_service(records) != 1:
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
