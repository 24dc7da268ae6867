"""What a text file does not say of itself: its separator, and whether its first line holds names."""

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ldpcore import checks
from ldpcore.data import heading, order
from ldpcore.data.columns import MISSING_MARKS
from ldpcore.data.errors import DataError, Remedy

SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
NO_SEPARATOR = "\x1f"
"""Cuts nothing: for a file of one column, whose sentences may hold commas."""
SAMPLE_BYTES = 1 << 18
_LOOK = 1500
"""Records that tell whether the first one holds names."""
_RECUR = 4
"""Times that each answer stands in a column, on average, where one that stands only above it is its name."""
_NAMED = 20
"""Names that a note lists."""
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d+)*|\.\d+)([eE][+-]?\d+)?")

ADULT_NAMES = (
    "age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation", "relationship", "race",
    "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country", "income",
)  # fmt: skip
"""The published names of UCI Adult, whose file has none."""


@dataclass(frozen=True)
class TextSample:
    """The first records of a text as one separator cuts them; width: the commonest number of fields.

    regular: the share of the records that have it. first: the position of the first that does and is no title. start:
    the bytes before it; offset: those before the record that follows it, or the lines that describe it.
    """

    separator: str
    records: tuple[tuple[str, ...], ...]
    width: int
    regular: float
    first: int
    start: int
    offset: int


def sample(content: bytes, separator: str, described: int | None = None) -> TextSample:
    """Cut the first SAMPLE_BYTES of UTF-8 content (a whole number of records) with a separator."""
    text = content[:SAMPLE_BYTES].decode("utf-8", errors="ignore")  # the cut may split a letter
    lines = list(io.StringIO(text, newline=""))
    if len(content) > SAMPLE_BYTES and len(lines) > 1:
        lines.pop()
    records, ends = [], []
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=separator != " ")
    try:
        for record in reader:
            cells = tuple(map(str.strip, record))
            if any(cells):
                records.append(cells)
                ends.append(reader.line_num)
    except csv.Error:  # a quote that is never closed swallows the rest; what came before it still counts
        pass
    if not records:
        return TextSample(separator, (), 0, 0.0, 0, 0, 0)
    widths = Counter(map(len, records))
    width = max(widths, key=lambda w: (widths[w], w))
    first = next(i for i, record in enumerate(records) if len(record) == width)
    first += heading.titles(records[first:])
    last = first + heading.described(records[first:], described)
    bytes_before = [sum(len(line.encode()) for line in lines[:end]) for end in ([0, *ends][first], ends[last])]
    return TextSample(separator, tuple(records), width, widths[width] / len(records), first, *bytes_before)


def separate(
    content: bytes, name: str, wanted: str | None, described: int | None = None
) -> tuple[TextSample, list[str]]:
    """The sample under the wanted, or else the recognised separator, and notes."""
    begins = content[:SAMPLE_BYTES]  # what is not in it cuts nothing
    cuts = [sample(content, separator, described) for separator in SEPARATORS if separator.encode() in begins]
    usable = [cut for cut in cuts if cut.width > 1 and cut.regular >= 0.5]
    best = max(usable, key=lambda cut: (cut.regular, cut.width), default=None)
    if wanted is not None:
        cut = sample(content, wanted, described)
        if cut.width == 1 and best is not None and best.regular >= 0.9 and best.separator != wanted:
            raise _one_column(name, wanted, best)
        return cut, []
    if best is None:
        return sample(content, NO_SEPARATOR, described), []
    rivals = [cut for cut in usable if cut.regular == best.regular and cut is not best]
    if rivals:
        best = _decide(name, [best, *rivals])
    named_tsv = name.lower().removesuffix(".gz").endswith((".tsv", ".tab"))
    if best.separator == "," or (best.separator == "\t" and named_tsv):
        return best, []
    return best, [f"The columns are separated by a {SEPARATORS[best.separator]}."]


def _decide(name: str, cuts: list[TextSample]) -> TextSample:
    """Between separators that fit equally: a comma inside numbers is a decimal comma; else the person decides."""
    others = [cut for cut in cuts if cut.separator != ","]
    if len(others) == 1 and len(cuts) == 2:
        body = others[0].records[1:] or others[0].records
        if all(_NUMBER.fullmatch(cell) for record in body for cell in record if "," in cell):
            return others[0]
    raise DataError(
        f"“{name}” can be read in {len(cuts)} ways.",
        "Several characters cut every line into the same number of columns. Choose the one that separates them.",
        first_line(cuts[0]),
        tuple(Remedy(f'Read with "{_shown(cut.separator)}"', {"separator": cut.separator}) for cut in cuts),
    )


def _one_column(name: str, wanted: str, better: TextSample) -> DataError:
    return DataError(
        f"“{name}” has one column. The values look separated by {SEPARATORS[better.separator]}s.",
        f"It was read with “{_shown(wanted)}”. Nothing was kept. Choose the separator here, or save the file again.",
        first_line(better),
        (Remedy(f'Read with "{_shown(better.separator)}"', {"separator": better.separator}),),
    )


def first_line(cut: TextSample) -> str:
    """A hint for messages."""
    line = cut.separator.join(cut.records[0])
    return f"First line: {line if len(line) <= 80 else line[:79] + '…'}"


def _shown(separator: str) -> str:
    return "tab" if separator == "\t" else separator


def has_header(records: Sequence[Sequence[str]], described: int | None = None) -> bool:
    """Does the first record hold names? It does not when it looks like the data below it.

    The majority of columns decides; without evidence there are names, as is the custom. Numbers that count up, as those
    of items do, are names where no line below counts up.
    """
    for_names, for_data = header_votes(records, described)
    return for_names >= for_data


def header_votes(records: Sequence[Sequence[str]], described: int | None = None) -> tuple[int, int]:
    """How many columns speak for names in the first record, and how many against.

    A text above a column of numbers speaks for names, and so does one that stands nowhere below it where few answers
    recur; a number above numbers, or a text that recurs in its own column, speaks for data.

    >>> header_votes([["g", "calm"], *[["m", "calm"], ["w", "angry"], ["w", "calm"]] * 4])
    (1, 1)
    """
    first, rest = records[0], records[1 + heading.described(records, described) :][:_LOOK]
    rest = _without_repeats(first, rest)
    if heading.counting(first) and len(rest) > 4 and not any(map(heading.counting, rest)):
        return len(first), 0
    if not rest:
        return 0, sum(map(_is_number, first))
    for_names = for_data = 0
    for j, cell in enumerate(first):
        column = [record[j] for record in rest if j < len(record)]
        below = set(column).difference(MISSING_MARKS)
        if not below or cell in MISSING_MARKS:
            continue
        if all(_is_number(value) for value in below):
            for_data += _is_number(cell)
            for_names += not _is_number(cell)
        else:
            for_data += cell in below
            for_names += cell not in below and _RECUR * len(below) <= len(column)
    return for_names, for_data


def _without_repeats(first: Sequence[str], rest: Sequence[Sequence[str]]) -> Sequence[Sequence[str]]:
    """Without lines that are the first once more, where that leaves a text above nothing but numbers: then it holds
    names, and files were put together.
    """
    others = [record for record in rest if list(record) != list(first)]
    if len(others) == len(rest) or not others:
        return rest
    columns = ({record[j] for record in others if j < len(record)} for j in range(len(first)))
    named = (not _is_number(cell) and all(map(_is_number, column)) for cell, column in zip(first, columns, strict=True))
    return others if any(named) else rest


def _is_number(cell: str) -> bool:
    """A number, or several with blanks between them: a line of a file of baskets."""
    if _NUMBER.fullmatch(cell):
        return True
    return cell != "" and all(_NUMBER.fullmatch(part) for part in cell.replace("%", "").split())


def published_names(records: Sequence[Sequence[str]]) -> tuple[str, tuple[str, ...]] | None:
    """(the public file, its names) when records without names have the shape of one that is known."""
    width = len(records[0])
    if width == len(ADULT_NAMES) and {record[-1].rstrip(".") for record in records if len(record) == width} <= {
        "<=50K",
        ">50K",
    }:
        levels = {record[3] for record in records if len(record) == width}
        return ("UCI Adult", ADULT_NAMES) if levels <= set(order.EDUCATION) else None
    return None


def tidy_names(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Column names that are all there and differ: 'column 2' for an empty one, 'a (2)' for a repeated one; notes."""
    out: dict[str, None] = {}  # in their order
    repeated, unnamed = [], []
    taken = {name.strip() for name in names}
    numbers: dict[str, int] = {}  # thousands of equal names are not each counted from 2 on
    for position, raw in enumerate(names, start=1):
        name = " ".join(raw.replace("\ufeff", "").split()) or f"column {position}"
        if not raw.strip():
            unnamed.append(name)
        elif name in out:
            repeated.append(name)
        base = name
        while name in out or (name in taken and name != base):
            numbers[base] = numbers.get(base, 1) + 1
            name = f"{base} ({numbers[base]})"
        out[name] = None
    notes = []
    if repeated:
        notes.append(f"Names that occur twice were numbered: {checks.name_list(dict.fromkeys(repeated), _NAMED)}.")
    if unnamed:
        notes.append(f"Columns without a name were called {checks.name_list(unnamed, _NAMED)}.")
    return list(out), notes
