"""The words of what a person should decide about a file: the title of a question, and what its buttons say."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ldpapp import words
from ldpapp.words.language import t
from ldpcore.data import AssumptionKind, ReadOptions
from ldpcore.data.readings import ReadingQuestion

NAMED = 3
"""Columns and values that a title names."""


@dataclass(frozen=True)
class ReadingChoice:
    """What a button says, and the options that it takes."""

    label: str
    options: ReadOptions


def proposal(question: ReadingQuestion) -> ReadingChoice:
    labels = dict.fromkeys(
        each.taken if question.is_as_read else each.alternatives[0].label for each in question.assumptions
    )
    label = next(iter(labels)) if len(labels) == 1 else t("As proposed in all {n} columns", n=len(question.assumptions))
    if len(labels) > 1 and question.kind is AssumptionKind.MISSING:
        label = t("No answer, in all {n} columns", n=len(question.assumptions))
    return ReadingChoice(label, question.left if question.is_as_read else question.other)


def others(question: ReadingQuestion) -> list[ReadingChoice]:
    """Every other reading, but to leave it as it is."""
    first = 0 if question.is_as_read or len(question.assumptions) > 1 else 1
    out = []
    for each in question.assumptions:
        for other in each.alternatives[first:]:
            label = other.label
            if len(question.assumptions) > 1 and each.column is not None:
                label = t("“{column}”: {label}", column=words.shorten(each.column, 30), label=label)
            out.append(ReadingChoice(label, question.options.merged_with(other.options)))
    return out


# titles: plain text, which is escaped where it is drawn --------------------------------------------------------------


def title(question: ReadingQuestion) -> str:
    """What is asked, so that the buttons answer it."""
    return _TITLES[question.kind](question)


def _named(names: Sequence[str]) -> str:
    shown = [t("“{value}”", value=words.shorten(name, 30)) for name in names[:NAMED]]
    if len(names) > NAMED:
        shown.append(t("{n} more", n=len(names) - NAMED))
    return words.listing(shown)


def _values(question: ReadingQuestion, entry: str) -> tuple[str, bool]:
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


def _either(question: ReadingQuestion, one: str, several: str) -> str:
    """Of these sentences the one that fits so many columns."""
    return one if len(question.columns) < 2 else several


def _of_values(question: ReadingQuestion, entry: str) -> str:
    values, several = _values(question, entry)
    if len(question.columns) == 1:
        holes = {"columns": _named(question.columns), "values": values}
        if several:
            return t("In {columns}: are {values} answers?", **holes)
        return t("In {columns}: is {values} an answer?", **holes)
    return t("Are {values} answers?", values=values) if several else t("Is {values} an answer?", values=values)


def _of_columns(question: ReadingQuestion) -> str:
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


_TITLES: dict[AssumptionKind, Callable[[ReadingQuestion], str]] = {
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
