"""What a reader decides that could change a number, as values: said with its evidence, and with the other readings."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum

from ldpcore.data.options import ReadOptions


class AssumptionKind(StrEnum):
    """What an assumption is about. The most harmful first, as they are listed."""

    COUNTS = "counts"
    PEOPLE = "people"
    LAYOUT = "layout"
    LINES = "lines"
    HEADER = "header"
    FORMAT = "format"
    SHEET = "sheet"
    ENCODING = "encoding"
    MISSING = "missing"
    RECODE = "recode"
    NUMBERS = "numbers"
    DECIMAL = "decimal"
    PERCENT = "percent"
    CELLS = "cells"
    YES = "yes"
    BLANK = "blank"
    NONE = "none"
    SPELLING = "spelling"
    WEIGHTS = "weights"
    CODES = "codes"
    DATES = "dates"
    ORDER = "order"


@dataclass(frozen=True)
class Alternative:
    """Another reading: what to call it, and the options that take it: `data.read(content, name, options)`."""

    label: str
    options: ReadOptions


@dataclass(frozen=True)
class Assumption:
    """kind; column, or None where it is the file's; sentence: what was taken, with its evidence in numbers; taken: the
    same as a label, beside those of the alternatives. asks: whether the other reading is as likely, so that a person
    should choose; else it is only said. decided: somebody has chosen, this reading or to leave it as it is.
    """

    kind: AssumptionKind
    column: str | None
    sentence: str
    taken: str
    alternatives: tuple[Alternative, ...]
    asks: bool = True
    decided: bool = False

    @property
    def key(self) -> str:
        """What it is about: of one key a table has one assumption."""
        return f"{self.kind}:{self.column or ''}"

    @property
    def is_open(self) -> bool:
        """Whether a person should still look at it."""
        return self.asks and not self.decided


def assumed(
    kind: AssumptionKind,
    column: str | None,
    sentence: str,
    taken: str,
    options: ReadOptions,
    *others: tuple[str, dict | ReadOptions],
    own: Iterable[tuple[str, dict]] = (),
    asks: bool = True,
) -> Assumption:
    """An assumption whose alternatives change these options: others those of the file, or are other ones; own those of
    the column.
    """
    alternatives = [
        Alternative(label, changes if isinstance(changes, ReadOptions) else options.changed(**changes))
        for label, changes in others
    ]
    alternatives += [Alternative(label, options.with_column(column or "", **changes)) for label, changes in own]
    return Assumption(kind, column, sentence, taken, tuple(alternatives), asks)


def leaving(options: ReadOptions, assumptions: Iterable[Assumption]) -> ReadOptions:
    """These options, and all of these assumptions are left as they are."""
    for each in assumptions:
        options = options.leaving(each.key)
    return options


def without(now: ReadOptions, assumptions: Sequence[Assumption]) -> ReadOptions:
    """These options without what was decided by these assumptions, each of which knows the way back."""
    keys = {each.key for each in assumptions}
    out = now.changed(settled=tuple(key for key in now.settled if key not in keys))
    for each in assumptions:
        if each.key in now.settled:
            continue
        back = each.alternatives[0].options
        changed = [f.name for f in fields(back) if f.name not in ("columns", "settled")]
        out = replace(
            out, **{name: getattr(back, name) for name in changed if getattr(back, name) != getattr(now, name)}
        )
        columns = {name: back.of(name) for name in {*back.columns, *now.columns} if back.of(name) != now.of(name)}
        out = out.changed(columns={**out.columns, **columns})
    return out
