"""What is said of a column is changed here: marks, public range, readings. Its Studies follow."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ldpapp import columns, session
from ldpapp.kept import front, kept
from ldpapp.language import t
from ldpcore import data
from ldpcore.domain import Interval
from ldpcore.study import Arm, intervals, readings
from ldpcore.study.definition import SECRET, SENSITIVE
from ldpcore.study.tasks import TASKS


def describe(name: str, **fields: Any) -> None:
    """Say something else of a column; every Study about it follows."""
    own = kept()
    session.say(name, replace(columns.said(name), **fields))
    own.editing = min(own.editing, len(columns.said(name).arms) - 1)
    for task, now in own.studies.items():
        of_all = TASKS[task].MARKS == "questions" or data.ALL_COLUMNS in (now.column, name)
        if now.column == name or of_all:  # whose marks are those of the columns
            session.wear(task)


def edited() -> int:
    """Which setting of the front column's marks is edited."""
    return min(kept().editing, len(columns.said(front()).arms) - 1)


def edit(arm: int) -> None:
    kept().editing = arm


def set_marks(name: str, labels: Iterable[str], arm: int = 0) -> None:
    """Mark exactly these answers or items in one setting; those that are secret stay so."""
    secret = set(columns.arms(name)[arm].secret)
    set_levels(name, {label: SECRET if label in secret else SENSITIVE for label in labels}, arm)


def set_levels(name: str, levels: Mapping[str, str], arm: int = 0) -> None:
    """Mark exactly these answers or items in one setting, each at its level.

    Secret values need an ε of their own: half of that of the others, until somebody chooses.
    """
    settings, counted = list(columns.said(name).arms), columns.bins(name)
    said = Arm(settings[arm].name, tuple(levels.items()))
    settings[arm] = said.each(lambda values: columns.marks(name, values, counted))
    describe(name, arms=tuple(settings))
    study = kept().studies["frequency"]
    if said.secret and study.secret_epsilon is None:
        session.change("frequency", secret_epsilon=study.epsilon / 2)


def flatten(name: str) -> None:
    """Back to two levels: what was secret is marked as any other value."""
    describe(name, arms=tuple(arm.flat() for arm in columns.said(name).arms))


def set_intervals(name: str, pairs: Iterable[intervals.Pair]) -> str:
    """Mark exactly these intervals of numbers; a sentence where they make no sense, and nothing changes then."""
    public, settings = columns.public_range(name), list(columns.said(name).arms)
    if public is None:
        return t("“{column}” holds no numbers", column=name)
    try:
        found = intervals.parse_all((intervals.written(*pair) for pair in pairs), Interval(*public[:2]))
    except ValueError as error:
        return str(error)
    _, others = readings.split(settings[0].values)
    levels = dict(settings[0].marks)
    marked = [*(intervals.written(*pair) for pair in found), *others]
    settings[0] = Arm(settings[0].name, tuple((value, levels.get(value, SENSITIVE)) for value in marked))
    describe(name, arms=tuple(settings))
    return ""


def set_range(name: str, low: float, high: float, count: int) -> None:
    """State the public range of a column of numbers, and its bins."""
    describe(name, range=(low, high, count))


def second_arm(name: str) -> None:
    """Keep the marks as A and begin B as a copy of them, to be edited."""
    settings = columns.said(name).arms
    if len(settings) == 1:
        describe(name, arms=(settings[0], replace(settings[0], name="B")))
    kept().editing = 1


def rename_arm(name: str, arm: int, called: str) -> None:
    settings = list(columns.said(name).arms)
    settings[arm] = replace(settings[arm], name=called)
    describe(name, arms=tuple(settings))


def drop_arm(name: str, arm: int) -> None:
    """Back to one setting: the other one, called A."""
    settings = list(columns.said(name).arms)
    del settings[arm]
    describe(name, arms=(replace(settings[0], name="A"),))
    kept().editing = 0
