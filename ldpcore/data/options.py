"""How a file is to be read; None leaves the recognition to the reader."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from ldpcore.data.column_options import BLANKS, ColumnOptions
from ldpcore.data.errors import DataError
from ldpcore.data.percent import PERCENTS
from ldpcore.memory import Remembering

DECIMALS = {".": "a point, as in 1,000.5", ",": "a comma, as in 1.000,5"}
"""What can stand before the decimals."""
LAYOUTS = {
    "table": "a row per person",
    "baskets": "a line per transaction",
    "pairs": "a row per item of a person",
    "one-hot": "a column per item, yes or no",
    "answers": "a row per answer of a person",
    "transposed": "a column per person",
}
"""The ways in which a file can hold people's answers."""
CHOICES: dict[str, Mapping[str, str]] = {
    "layout": LAYOUTS,
    "decimal": DECIMALS,
    "percent": PERCENTS,
    "lines": {"keep": "every line is a person", "drop": "lines that are no people are left out"},
    "spelling": {"apart": "every spelling is an answer", "together": "spellings of one answer are one",
                 "fold": "so are capital and small letters"},
    "blank": BLANKS,
    "first": {"item": "the first field is an item", "name": "the first field names the basket"},
    "rows": {"all": "every row is a person", "drawn": "one row of each person, drawn", "first": "the first of each",
             "last": "the last of each"},
    "hidden": {"read": "hidden rows are read", "skip": "hidden rows are left out"},
    "merged": {"fill": "a merged cell stands in all of its rows", "empty": "it stands in the first of them"},
    "dates": {"day": "3/4 is the 3rd of April, in order of time", "month": "3/4 is March 4th, in order of time"},
    "numbers": {"written": "1* is 1 and 08 is 8", "strict": "such cells are text"},
    "format": {"table": "text with separators", "records": "JSON", "spmf": "SPMF: @ lines, -1 and -2 are marks"},
    "escape": {"\\": "a backslash before a quotation mark", "": "none"},
}  # fmt: skip
"""What an option can be, and what that means."""
RESHAPED = ("answers", "transposed")
"""Layouts whose rows are made people first."""
_OF_SETS = ("layout", "user", "item", "category", "description", "yes", "settled")
"""What changes only the columns of sets, and no cell."""


@dataclass(frozen=True)
class ReadOptions(Remembering):
    r"""separator: one character. header: does the first line hold names? encoding: a Python codec. sheet: in Excel.
    member: the file in a zip archive. decimal: "." or ",", which settles numbers that can be read in two ways, such as
    "1,000". percent: "percent" or "share", what a number without a sign is in a column with percentages.

    layout: "table" (a row per person), "baskets" (a line per transaction), "pairs" (a row per item of a person),
    "one-hot" (a column per item), "answers" (a row per answer of a person) or "transposed" (a column per person). user,
    item, category, description: the columns of a layout "pairs"; user, item (the question) and answer: of "answers".
    yes: the word for yes in columns of a layout "one-hot". described: lines under the names that describe them. lines,
    spelling, blank, first, rows, hidden, merged, dates, numbers, format, escape: what CHOICES says. columns: a mapping
    column → its own.
    settled: keys of assumptions that somebody left as they are.

    >>> options = ReadOptions(decimal=",").with_column("days", recode={"88": "0"}, missing=["77", "99"])
    >>> options.to_table()
    {'decimal': ',', 'columns': {'days': {'missing': ['77', '99'], 'recode': {'88': '0'}}}}
    >>> ReadOptions.from_table(options.to_table()) == options
    True
    """

    separator: str | None = None
    header: bool | None = None
    encoding: str | None = None
    sheet: str | None = None
    member: str | None = None
    layout: str | None = None
    user: str | None = None
    item: str | None = None
    category: str | None = None
    description: str | None = None
    answer: str | None = None
    decimal: str | None = None
    percent: str | None = None
    yes: str | None = None
    described: int | None = None
    lines: str | None = None
    spelling: str | None = None
    blank: str | None = None
    first: str | None = None
    rows: str | None = None
    hidden: str | None = None
    merged: str | None = None
    dates: str | None = None
    numbers: str | None = None
    format: str | None = None
    escape: str | None = None
    settled: tuple[str, ...] = ()
    columns: Mapping[str, ColumnOptions] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.layout is not None and self.layout not in LAYOUTS:
            raise DataError(f"“{self.layout}” is no way to read a file.", f"Choose one of {', '.join(LAYOUTS)}.")
        if self.decimal is not None and self.decimal not in DECIMALS:
            raise DataError(f"“{self.decimal}” is no decimal mark.", "Choose a point or a comma.")
        if self.percent is not None and self.percent not in PERCENTS:
            raise DataError(f"“{self.percent}” is nothing that numbers beside percentages can be.",
                            f"Choose one of {', '.join(PERCENTS)}.")  # fmt: skip
        if self.separator is not None and (len(self.separator) != 1 or self.separator in '\r\n"\0'):
            raise DataError(
                f"“{self.separator}” cannot separate columns.",
                "A separator is one character, for example a comma, a semicolon, a tab or a bar.",
            )
        for name, known in CHOICES.items():
            if (value := getattr(self, name)) is not None and value not in known:
                raise DataError(f"“{value}” is no choice of {name}.", f"Choose one of {', '.join(map(repr, known))}.")
        object.__setattr__(self, "settled", tuple(map(str, self.settled)))
        object.__setattr__(
            self, "columns", {n: of_column for n, of_column in self.columns.items() if of_column != ColumnOptions()}
        )

    def __hash__(self) -> int:
        return self.hash_once(
            lambda: hash((*(getattr(self, each.name) for each in fields(self)[:-1]), *sorted(self.columns)))
        )

    def of(self, column: str) -> ColumnOptions:
        """What is said of a column."""
        return self.columns.get(column, _NOTHING)

    def changed(self, **changes: Any) -> "ReadOptions":
        """These, with changes."""
        return replace(self, **changes)

    def with_column(self, column: str, **changes: Any) -> "ReadOptions":
        """These, with changes to what is said of a column."""
        return replace(self, columns={**self.columns, column: replace(self.of(column), **changes)})

    def leaving(self, key: str) -> "ReadOptions":
        """These, and an assumption of this key is left as it is."""
        return replace(self, settled=(*(each for each in self.settled if each != key), key))

    def merged_with(self, other: "ReadOptions") -> "ReadOptions":
        """These, and over them whatever the others say: two decisions taken one after the other.

        >>> ReadOptions(decimal=",").merged_with(ReadOptions(lines="keep")).to_table()
        {'decimal': ',', 'lines': 'keep'}
        """
        changes = {
            each.name: getattr(other, each.name) for each in fields(self) if each.name not in ("columns", "settled")
        }
        settled = tuple(dict.fromkeys((*self.settled, *other.settled)))
        columns = dict(self.columns)
        for name, of_column in other.columns.items():
            changed = {each.name: getattr(of_column, each.name) for each in fields(of_column)}
            columns[name] = replace(
                self.of(name), **{key: value for key, value in changed.items() if value not in (None, ())}
            )
        return replace(self, **{key: value for key, value in changes.items() if value is not None}, columns=columns,
                       settled=settled)  # fmt: skip

    def to_table(self) -> dict[str, Any]:
        """Plain values, as the table [data.read] of a Study file keeps them."""
        values = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "columns"}
        out = {name: value for name, value in values.items() if value is not None and value != ()}
        out |= {"settled": list(self.settled)} if self.settled else {}
        return out | (
            {"columns": {name: of_column.to_table() for name, of_column in self.columns.items()}}
            if self.columns
            else {}
        )

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> "ReadOptions":
        """What such a table says. DataError: something else than that."""
        known = {each.name for each in fields(cls)}
        if unknown := sorted(set(table) - known):
            raise DataError(
                f"There is no way {', '.join(unknown)} to read a file.", f"Known: {', '.join(sorted(known))}."
            )
        columns = table.get("columns", {})
        if not isinstance(columns, Mapping) or not all(
            isinstance(of_column, Mapping) for of_column in columns.values()
        ):
            raise DataError("What is said of columns is a table for each.", f"Got {columns!r:.60}.")
        for name, value in table.items():
            form = bool if name == "header" else int if name == "described" else Mapping if name == "columns" else str
            form = list | tuple if name == "settled" else form
            if not isinstance(value, form):
                raise DataError(f"The entry {name} of a reading is something else than that.", f"Got {value!r:.60}.")
        of_column = {str(name): ColumnOptions.from_table(each) for name, each in columns.items()}
        entries: dict[str, Any] = {**table, "columns": of_column}
        return cls(**entries)

    def of_cells(self, without: Iterable[str] = ()) -> dict[str, Any]:
        """What of it changes cells, names or rows of the table, and so its digest."""
        others = without if self.layout in RESHAPED else (*_OF_SETS, *without)
        return {name: value for name, value in self.to_table().items() if name not in (*others, "settled")}


_NOTHING = ColumnOptions()
