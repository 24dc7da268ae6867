"""A file as it came, and what it would be if it were read in another way: numbers before and after, and rows that tell.

>>> rows = "".join(f"{age},{'yes' if age % 3 else 'no'}\\n" for age in [*range(20, 60), *[999] * 9])
>>> file = SourceFile("clinic.csv", f"age,smokes\\n{rows}".encode())
>>> table = file.read()
>>> (question,) = (each for each in asked(table) if each.columns == ("age",))
>>> change = compared(table, file, question.other, question.columns).change
>>> change.column, round(change.before), round(change.after), change.people
('age', 216, 40, (49, 40))
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ldpcore.data.assumptions import Assumption, AssumptionKind, leaving, without
from ldpcore.data.bundled import BUNDLED
from ldpcore.data.dictionary import labels
from ldpcore.data.differences import Difference, Row, difference, rows
from ldpcore.data.errors import DataError
from ldpcore.data.number_picture import NumberPicture, picture
from ldpcore.data.options import ReadOptions
from ldpcore.data.reading import load, read
from ldpcore.data.table import Table

AS_READ = frozenset(
    (
        AssumptionKind.LAYOUT, AssumptionKind.CELLS, AssumptionKind.DECIMAL, AssumptionKind.PERCENT,
        AssumptionKind.ENCODING, AssumptionKind.HEADER, AssumptionKind.SHEET, AssumptionKind.ORDER,
        AssumptionKind.LINES, AssumptionKind.FORMAT, AssumptionKind.YES,
    )
)  # fmt: skip
"""Kinds whose first reading is the likely one; of the others the first alternative is."""
_WIDE = 2
"""Columns of the rows that are shown."""


@dataclass(frozen=True, eq=False)
class SourceFile:
    """A file as it came, perhaps with a dictionary of labels or with another file about its items (name, bytes), and
    how it was last read. Bundled data have no content here.
    """

    name: str
    content: bytes
    dictionary: bytes | None = None
    items: tuple[str, bytes] | None = None
    options: ReadOptions = ReadOptions()  # noqa: RUF009 - a frozen value

    @property
    def is_bundled(self) -> bool:
        return self.name in BUNDLED and not self.content

    def read(self, name: str | None = None) -> Table:
        """The table that it is, under this name or its own. DataError: it cannot be read so."""
        if self.is_bundled:
            return load(self.name, self.options)
        table = read(self.content, name or self.name, self.options)
        if self.dictionary is not None:
            table = table.with_labels(self.labels())
        if self.items is not None:
            table = table.with_items(read(self.items[1], self.items[0], ReadOptions(layout="table")))
        return table

    def labels(self) -> Mapping[str, Mapping[str, str]]:
        """What its dictionary, or a catalogue of SAS, calls the codes of its columns. DataError: it does not fit."""
        return labels(self.dictionary or b"", (self.name, self.content))


@dataclass(frozen=True)
class ReadingQuestion:
    """The assumptions of one kind that are open, or that were decided, and the options by which they were read."""

    kind: AssumptionKind
    assumptions: tuple[Assumption, ...]
    options: ReadOptions

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(each.column for each in self.assumptions if each.column is not None)

    @property
    def is_as_read(self) -> bool:
        """Whether what is proposed is how it was read."""
        return self.kind in AS_READ

    @property
    def left(self) -> ReadOptions:
        """Nothing changes, and nobody asks again."""
        return leaving(self.options, self.assumptions)

    @property
    def other(self) -> ReadOptions:
        """The first alternative, of every column."""
        out = self.options
        for each in self.assumptions:
            out = out.merged_with(each.alternatives[0].options)
        return out

    @property
    def undone(self) -> ReadOptions:
        """The options without what was decided here."""
        return without(self.options, self.assumptions)

    def pictures(self, table: Table) -> dict[str, NumberPicture]:
        """How the numbers lie of the columns whose special ones lie beside the others."""
        out = {}
        for each in self.assumptions:
            if each.column is None:
                continue
            proposed = each.alternatives[0].options.of(each.column)
            special = (*proposed.missing, *(value for value, _ in proposed.recode))
            lies = picture(table, each.column, special)
            if lies is not None and not lies.within:
                out[each.column] = lies
        return out


def asked(table: Table) -> list[ReadingQuestion]:
    """What is open, the most harmful first; nothing of bundled data, whose values are known."""
    return [] if table.card is not None else _grouped(table, (each for each in table.assumptions if each.is_open))


def decided(table: Table) -> list[ReadingQuestion]:
    """What somebody has decided."""
    return _grouped(table, (each for each in table.assumptions if each.decided))


def _grouped(table: Table, assumptions: Iterable[Assumption]) -> list[ReadingQuestion]:
    by_kind: dict[AssumptionKind, list[Assumption]] = {}
    for each in assumptions:
        by_kind.setdefault(each.kind, []).append(each)
    return [ReadingQuestion(kind, tuple(several), table.options) for kind, several in by_kind.items()]


@dataclass(frozen=True)
class ComparedReadings:
    """change: None where no number does. shown: rows of these columns. refused: why it cannot be read so, or ""."""

    change: Difference | None = None
    columns: tuple[str, ...] = ()
    shown: tuple[Row, ...] = ()
    refused: str = ""


def compared(
    now: Table, file: SourceFile, options: ReadOptions, columns: Sequence[str] = (), beside: bool = False
) -> ComparedReadings:
    """What these options would change, of these columns or of all. beside: rows are shown with another column."""
    try:
        other = replace(file, options=options).read(now.name)
    except DataError as error:
        return ComparedReadings(refused=error.sentence)
    change = difference(now, other, columns)
    about = columns or ([change.column] if change is not None and change.column else list(now.frame.columns))
    names = [str(name) for name in about if name in now.frame.columns][:_WIDE]
    others = [each.name for each in now.profile() if each.role == "category" and each.name not in names]
    names += others[: beside and _WIDE - len(names)]
    return ComparedReadings(change, tuple(names), rows(now, other, names))
