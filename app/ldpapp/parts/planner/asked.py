"""What a page's planner is about, and the engine's answers, each computed once (`ldpcore.plan.answers`)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from ldpapp.compute.memory import once
from ldpcore import plan
from ldpcore.plan import answers
from ldpcore.plan.answers import Given, Plans
from ldpcore.study import axis_points

GRID = axis_points.epsilons(0.1, plan.HIGHEST)
"""Where people are drawn against ε."""
answered, needed, success = once(512)(answers.answered), once(512)(answers.needed), once(512)(answers.guessed)
least_exact = once(256)(answers.least_exact)
smaller, blind, table = once(128)(answers.smaller), once(64)(answers.blind), once(64)(answers.table)


@dataclass(frozen=True)
class ErrorUnit:
    """How an error is written. scale: shown numbers per unit of the engine. write: the engine's error → "±0.37 points";
    floor: the same of one that nothing undercuts, never rounded up.

    key: tells it from another column's, so that a number that was typed is not taken for one of that.
    """

    scale: float
    label: str
    column: str
    write: Callable[[float], str]
    floor: Callable[[float], str]
    key: str = ""


@dataclass(frozen=True, eq=False)
class PlannerSubject:
    """What a page's planner is about.

    plans: of all at once or of one, of the worst data or of these. keys: all that protect something here; drawn: those
    of them that have a line. focus: whose answer stands large. name: what pages call a key. n, epsilon: the Study's.
    about: what is to be exact, in a sentence; off: what a mechanism, named so, is off by. guessed: what an attacker
    manages (`won`) at an ε (`eps`), and without a report (`blind`), as a sentence; None where nothing is bounded.
    exact: what else is known of an ε, "" where nothing is. answers: of which one may be asked, or each, or all at once;
    () where there is one number. worst: whether there is something to switch. label: of the ε that is given, "" for
    the report's; both: where values have several, all of them as a sentence. design: what the weights of these data
    multiply people by, 1 without any; None where a plan does not know it.
    """

    task: str
    plans: Callable[[bool, bool], Plans]
    keys: Sequence[str]
    drawn: Sequence[str]
    focus: str
    name: Callable[[str], str]
    n: int
    epsilon: float
    unit: ErrorUnit
    about: str
    off: Callable[[str], str]
    guessed: Callable[..., str] | None = None
    exact: Callable[[Any, float], str] | None = None
    answers: Sequence[str] = ()
    worst: bool = True
    label: str = ""
    both: Callable[[float], str] | None = None
    design: float | None = None


def every(asked: PlannerSubject, plans: Plans, given: Given) -> pd.DataFrame:
    """What follows for everything that protects something, and for the limit."""
    rows = table(plans, tuple(asked.keys), given)
    called = [asked.name(key) if key else "limit" for key in rows["mechanism"]]
    rows = rows.assign(mechanism=called, within=asked.unit.scale * rows["within"])
    rows = rows.rename(columns={"epsilon": "ε", "within": asked.unit.column})
    unknown = [name for name in ("bits",) if rows[name].isna().all()]  # nobody sends a report
    return rows.drop(columns=unknown if asked.guessed else ["guessed", *unknown])
