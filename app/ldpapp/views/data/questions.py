"""What a person should decide about a file, as questions: one for each kind of assumption, whatever its columns."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ldpapp import words
from ldpapp.words.language import t
from ldpcore.data import Assumption, AssumptionKind, ReadOptions, Table
from ldpcore.data.assumptions import leaving, without

AS_READ = frozenset(
    (
        AssumptionKind.LAYOUT, AssumptionKind.CELLS, AssumptionKind.DECIMAL, AssumptionKind.PERCENT,
        AssumptionKind.ENCODING, AssumptionKind.HEADER, AssumptionKind.SHEET, AssumptionKind.ORDER,
        AssumptionKind.LINES, AssumptionKind.FORMAT, AssumptionKind.YES,
    )
)  # fmt: skip
"""Kinds whose first reading is the likely one; of the others the first alternative is."""
NAMED = 3
"""Columns and values that a title names."""


@dataclass(frozen=True)
class ReadingChoice:
    """What a button says, and the options that it takes."""

    label: str
    options: ReadOptions


@dataclass(frozen=True)
class Question:
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

    def proposal(self) -> ReadingChoice:
        labels = dict.fromkeys(
            each.taken if self.is_as_read else each.alternatives[0].label for each in self.assumptions
        )
        label = next(iter(labels)) if len(labels) == 1 else t("As proposed in all {n} columns", n=len(self.assumptions))
        if len(labels) > 1 and self.kind is AssumptionKind.MISSING:
            label = t("No answer, in all {n} columns", n=len(self.assumptions))
        return ReadingChoice(label, self.left if self.is_as_read else self.other)

    def others(self) -> list[ReadingChoice]:
        """Every other reading, but to leave it as it is."""
        first = 0 if self.is_as_read or len(self.assumptions) > 1 else 1
        out = []
        for each in self.assumptions:
            for other in each.alternatives[first:]:
                label = other.label
                if len(self.assumptions) > 1 and each.column is not None:
                    label = t("“{column}”: {label}", column=words.shorten(each.column, 30), label=label)
                out.append(ReadingChoice(label, self.options.merged_with(other.options)))
        return out


def asked(table: Table) -> list[Question]:
    """What is open, the most harmful first; nothing of bundled data, whose values are known."""
    return [] if table.card is not None else _grouped(table, (each for each in table.assumptions if each.is_open))


def decided(table: Table) -> list[Question]:
    """What somebody has decided."""
    return _grouped(table, (each for each in table.assumptions if each.decided))


def _grouped(table: Table, assumptions: Iterable[Assumption]) -> list[Question]:
    by_kind: dict[AssumptionKind, list[Assumption]] = {}
    for each in assumptions:
        by_kind.setdefault(each.kind, []).append(each)
    return [Question(kind, tuple(several), table.options) for kind, several in by_kind.items()]


def undone(question: Question) -> ReadOptions:
    """The options without what was decided here."""
    return without(question.options, question.assumptions)


# titles: plain text, which is escaped where it is drawn --------------------------------------------------------------


def title(question: Question) -> str:
    """What is asked, so that the buttons answer it."""
    return _TITLES[question.kind](question)


def _named(names: Sequence[str]) -> str:
    shown = [t("“{value}”", value=words.shorten(name, 30)) for name in names[:NAMED]]
    if len(names) > NAMED:
        shown.append(t("{n} more", n=len(names) - NAMED))
    return words.listing(shown)


def _values(question: Question, entry: str) -> tuple[str, bool]:
    """The values that the first alternatives declare, and whether these are several."""
    texts_of: dict[str, None] = {}
    for each in question.assumptions:
        proposed = each.alternatives[0].options.of(each.column or "")
        before = getattr(question.options.of(each.column or ""), entry)
        values = getattr(proposed, entry)
        texts_of |= dict.fromkeys(v[0] if isinstance(v, tuple) else v for v in values if v not in before)
    texts = [words.shorten(value, 24) for value in texts_of]
    if len(texts) > NAMED + 1:
        texts = [*texts[:NAMED], t("{n} more", n=len(texts) - NAMED)]
    return words.listing(texts), len(texts_of) > 1


def _either(question: Question, one: str, several: str) -> str:
    """Of these sentences the one that fits so many columns."""
    return one if len(question.columns) < 2 else several


def _of_values(question: Question, entry: str) -> str:
    values, several = _values(question, entry)
    if len(question.columns) == 1:
        holes = {"columns": _named(question.columns), "values": values}
        if several:
            return t("In {columns}: are {values} answers?", **holes)
        return t("In {columns}: is {values} an answer?", **holes)
    return t("Are {values} answers?", values=values) if several else t("Is {values} an answer?", values=values)


def _of_columns(question: Question) -> str:
    """Kinds whose question names the columns."""
    named = {"columns": _named(question.columns)}
    return {
        AssumptionKind.COUNTS: t("Does {columns} count people?", **named),
        AssumptionKind.PEOPLE: t("Has one {columns} several rows?", **named)
        if question.columns
        else t("Is every column a person?"),
        AssumptionKind.NUMBERS: _either(
            question, t("Is {columns} a number?", **named), t("Are {columns} numbers?", **named)
        ),
        AssumptionKind.WEIGHTS: _either(
            question, t("Is {columns} a weight?", **named), t("Are {columns} weights?", **named)
        ),
        AssumptionKind.CODES: _either(
            question, t("Is {columns} a code, not a number?", **named), t("Are {columns} codes, not numbers?", **named)
        ),
        AssumptionKind.DATES: _either(question, t("Is {columns} a date?", **named), t("Are {columns} dates?", **named)),
    }[question.kind]


_TITLES: dict[AssumptionKind, Callable[[Question], str]] = {
    AssumptionKind.COUNTS: _of_columns,
    AssumptionKind.PEOPLE: _of_columns,
    AssumptionKind.LAYOUT: lambda _: t("Is every row an item of a basket?"),
    AssumptionKind.LINES: lambda _: t("Are some lines no people?"),
    AssumptionKind.HEADER: lambda _: t("Does the first line hold names?"),
    AssumptionKind.FORMAT: lambda _: t("Is this how the file is written?"),
    AssumptionKind.SHEET: lambda _: t("Is this the part of the sheet that counts?"),
    AssumptionKind.ENCODING: lambda _: t("Are these the right letters?"),
    AssumptionKind.MISSING: lambda question: _of_values(question, "missing"),
    AssumptionKind.RECODE: lambda question: t("Does {values} mean none?", values=_values(question, "recode")[0]),
    AssumptionKind.NUMBERS: _of_columns,
    AssumptionKind.DECIMAL: lambda _: t("Which mark stands before the decimals?"),
    AssumptionKind.PERCENT: lambda _: t("Are numbers without a sign percentages, too?"),
    AssumptionKind.CELLS: lambda _: t("Several answers in one cell?"),
    AssumptionKind.YES: lambda _: t("Which answer says yes?"),
    AssumptionKind.BLANK: lambda _: t("Is an empty cell a “no”?"),
    AssumptionKind.NONE: lambda question: _of_values(question, "answers"),
    AssumptionKind.SPELLING: lambda _: t("One answer in several spellings?"),
    AssumptionKind.WEIGHTS: _of_columns,
    AssumptionKind.CODES: _of_columns,
    AssumptionKind.DATES: _of_columns,
    AssumptionKind.ORDER: lambda _: t("Is this the order of the answers?"),
}
