"""What is said of a column is changed here: marks, public range, readings. Its Studies follow."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ldpapp.state import actions, column_settings
from ldpapp.state.model import workspace
from ldpapp.words.language import t
from ldpcore.domain import Interval
from ldpcore.study import Marks, intervals, readings
from ldpcore.study.definition import SECRET, SENSITIVE


def describe(name: str, **fields: Any) -> None:
    """Say something else of a column."""
    actions.say(name, replace(column_settings.of(workspace(), name), **fields))


def set_marks(name: str, labels: Iterable[str]) -> None:
    """Mark exactly these answers or items; those that are secret stay so."""
    secret = set(column_settings.label_marks(workspace(), name).secret)
    set_levels(name, {label: SECRET if label in secret else SENSITIVE for label in labels})


def set_levels(name: str, levels: Mapping[str, str]) -> None:
    """Mark exactly these answers or items, each at its level.

    Secret values need an ε of their own: half of that of the others, until somebody chooses.
    """
    now, marks = workspace(), Marks(tuple(levels.items()))
    counted = column_settings.bins(now, name)
    describe(name, marks=marks.each(lambda values: column_settings.marks(now, name, values, counted)))
    if marks.secret and now.secret_epsilon is None:
        actions.share(secret_epsilon=now.epsilon / 2)


def flatten(name: str) -> None:
    """Back to two levels: what was secret is marked as any other value."""
    describe(name, marks=column_settings.of(workspace(), name).marks.flat())


def set_intervals(name: str, pairs: Iterable[intervals.Pair]) -> str:
    """Mark exactly these intervals of numbers; a sentence where they make no sense, and nothing changes then."""
    public, marks = column_settings.public_range(workspace(), name), column_settings.of(workspace(), name).marks
    if public is None:
        return t("“{column}” holds no numbers", column=name)
    try:
        disjoint = intervals.parse_all((intervals.written(*pair) for pair in pairs), Interval(*public[:2]))
    except ValueError as error:
        return str(error)
    _, others = readings.split(marks.values)
    levels = dict(marks.levels)
    marked = [*(intervals.written(*pair) for pair in disjoint), *others]
    describe(name, marks=Marks(tuple((value, levels.get(value, SENSITIVE)) for value in marked)))
    return ""


def set_range(name: str, low: float, high: float, count: int) -> None:
    """State the public range of a column of numbers, and its bins."""
    describe(name, range=(low, high, count))
