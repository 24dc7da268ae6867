"""How a Study fits a table: what of it the data have, and a sentence for what they have not.

Every task says which columns it can be about, and how a Study of its own fits (`fit`). These are the steps that they
share. Nothing here raises: a link or a file that asks for what is not there is shown as far as it makes sense.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import wraps
from typing import Any

import numpy as np

from ldpcore import checks
from ldpcore.data import MAX_VALUES, ColumnProfile, Table, is_delicate_question
from ldpcore.domain import LARGEST, Interval
from ldpcore.study.definition import KINDS, Marks, Source, Study

Range = tuple[float, float, int]
"""The ends of a public range, and how many bins it is cut into."""


@dataclass(frozen=True)
class Refused:
    """Something of a Study that the data do not have: what, and what is shown instead; whether it is an option."""

    what: str
    why: str = ""
    is_option: bool = False


Refusals = tuple[Refused, ...]
Fitted = tuple[Study, Refusals]


class Draft(Study):
    """A Study while it is fitted to a table: its fields change in place, and make sense only when `study` is made."""

    def __post_init__(self) -> None:
        """Nothing is checked yet."""

    def set(self, **changes: Any) -> None:
        """Change these fields."""
        for name, value in changes.items():
            object.__setattr__(self, name, value)

    @classmethod
    def of(cls, study: Study) -> "Draft":
        return cls(**{each.name: getattr(study, each.name) for each in fields(Study)})

    @property
    def study(self) -> Study:
        """The Study, checked; ValueError or TypeError with a sentence."""
        return Study(**{each.name: getattr(self, each.name) for each in fields(Study)})


def fits(fit: Callable[[Draft, Table], Refusals]) -> Callable[[Study, Table], Fitted]:
    """A task's `fit`, of a function that changes a draft and says what it left out: one Study is made, at the end."""

    @wraps(fit)
    def fitted(study: Study, table: Table) -> Fitted:
        draft = Draft.of(study)
        refused = fit(draft, table)
        return draft.study, refused

    return fitted


def start(draft: Draft, table: Table, entries: Mapping[str, Any], names: Sequence[str], default: str) -> Refusals:
    """Make it about this table, with mechanisms (in the catalogue's order; the usual ones where none is named) and a
    column that are there; column "" where there is none.
    """
    refused: list[Refused] = []
    wanted, column = draft.mechanisms or KINDS[draft.task].mechanisms(), draft.column
    known = tuple(key for key in entries if key in wanted)
    if len(known) < len(set(wanted)):
        refused.append(Refused("The study names mechanisms that are not here; the others are shown."))
    if column and column not in names:
        refused.append(Refused(f"The data has no column “{column[:40]}”.", "Its default is shown."))
        draft.set(bins=None, marks=Marks(), choices=())  # they were those of the other column
        column = ""
    draft.set(data=Source.of(table), mechanisms=known, column=column or default)
    return tuple(refused)


def marks(draft: Draft, known: Collection[str]) -> Refusals:
    """Only marks of values that there are."""
    every = (draft.marks, *(choice.marks for choice in draft.choices))
    unknown = [
        value for value in dict.fromkeys(value for marks in every for value in marks.values) if value not in known
    ]
    if not unknown:
        return ()
    sentence = f"Marked are {checks.name_list(unknown)}, which the column does not have."
    choices = tuple(replace(choice, marks=choice.marks.within(known)) for choice in draft.choices)
    draft.set(marks=draft.marks.within(known), choices=choices)
    return (Refused(sentence, "Left out."),)


def options(draft: Draft, check: Callable[[Study], object]) -> Refusals:
    """No options where the task's own check says that they make no sense."""
    try:
        check(draft)
    except (TypeError, ValueError, LookupError, OverflowError) as error:
        draft.set(options=type(draft.options)())
        return (Refused("The study's options make no sense and were left out.", str(error), is_option=True),)
    return ()


# columns ---------------------------------------------------------------------------------------------------------


def column(table: Table, name: str) -> ColumnProfile | None:
    """What a column of the table's frame holds; None for one that it does not have."""
    return table.profiles.get(name)


def countable(table: Table) -> list[str]:
    """Columns with answers to count: categories, and numbers once they are binned; last, identifiers that recur."""
    profiles = [profile for profile in table.profile() if profile.countable]
    return [profile.name for profile in sorted(profiles, key=lambda profile: profile.role == "identifier")]


def default_countable(table: Table) -> str:
    """The one shown first: what the data are mainly about, else the first category whose name is delicate, else the
    first category, else the first; "" for none.
    """
    names = countable(table)
    if table.card is not None and table.card.default_column in names:
        return table.card.default_column
    roles = {profile.name: profile.role for profile in table.profile()}
    categories = [name for name in names if roles[name] == "category"]
    return next(iter([*filter(is_delicate_question, categories), *categories, *names]), "")


def numeric(table: Table) -> list[str]:
    """Columns that are read as numbers."""
    return [profile.name for profile in table.profile() if profile.numeric and profile.role == "number"]


def averageable(table: Table) -> list[str]:
    """Columns whose mean can be asked for: numbers, and last, categories of few numbers, such as grades from 1 to 5.

    Two numbers are a yes and a no, whose mean is a share.
    """
    few = [each.name for each in table.profile() if each.numeric and each.role == "category" and each.distinct > 2]
    return [*numeric(table), *few]


# numbers ---------------------------------------------------------------------------------------------------------


def must_bin(profile: ColumnProfile) -> bool:
    """Whether a column of numbers has too many values to count each."""
    return profile.numeric and profile.distinct > MAX_VALUES


def proposed(profile: ColumnProfile) -> Range:
    """A round range around the column's numbers, and ten bins or so."""
    return round_range(profile.low or 0.0, profile.high or 0.0)


def round_bins(low: float, high: float) -> Range:
    """This very range, in ten bins or so of a round width."""
    return low, high, round_range(low, high)[2]


def interval(public: Range) -> Interval:
    return Interval(public[0], public[1])


def round_range(low: float, high: float) -> Range:
    """Ten round bins that hold the data, as far as a range can go. Only a proposal: a public range must not depend on
    the data, and whoever shows it says so.
    """
    low, high = np.clip((low, high), -LARGEST / 10, LARGEST / 10)  # room to round outwards
    narrowest = max(1e-9, 1e-12 * max(abs(low), abs(high)))  # well above the distance of neighbouring floats
    step = 10 ** np.floor(np.log10(max(high - low, narrowest) / 10))
    step = next(step * factor for factor in (1, 2, 2.5, 5, 10) if (high - low) / (step * factor) <= 12)
    first, last = np.floor(low / step) * step, np.ceil(high / step) * step
    return float(first), float(last if last > first else first + step), max(2, round((last - first) / step))
