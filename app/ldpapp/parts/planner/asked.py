"""What a planner is asked, and what two of three give: plain values, no Streamlit."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pandas as pd

from ldpapp.compute import axis_points
from ldpapp.compute.memory import once
from ldpcore import plan

GRID = axis_points.epsilons(0.1, plan.HIGHEST)
"""Where people are drawn against ε."""
SHOWS = 1.005
"""An error that is so many times another differs from it in the digits that are written."""
ANSWERED = ("epsilon", "people", "within")


class Plans(Protocol):
    """The plans of one task's page. Hashable: what they answer is kept."""

    def of(self, key: str) -> plan.Plan:
        """A mechanism's, or a strategy's."""
        ...

    def limit(self) -> plan.Plan | None:
        """What none with this promise undercuts; None where the engine has no such limit."""
        ...


@dataclass(frozen=True)
class ErrorUnit:
    """How an error is written. scale: shown numbers per unit of the engine. write: the engine's error → "±0.37 points".

    key: tells it from another column's, so that a number that was typed is not taken for one of that.
    """

    scale: float
    label: str
    column: str
    write: Callable[[float], str]
    key: str = ""


@dataclass(frozen=True, eq=False)
class PlannerSubject:
    """What a page's planner is about.

    plans: of all at once or of one, of the worst data or of these. keys: all that protect something here; drawn: those
    of them that have a line. focus: whose answer stands large. name: what pages call a key. n, epsilon: the Study's.
    about: what is to be exact, in a sentence; off: what a mechanism, named so, is off by. guessed: what an attacker
    manages at an ε, and without a report, as a sentence; None where nothing is bounded. exact: what else is known of an
    ε, "" where nothing is. every, worst: whether there is something to switch. label: of the ε that is given, "" for
    the report's; both: where values have several, all of them as a sentence.
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
    guessed: Callable[[float, float, float], str] | None = None
    exact: Callable[[Plans, float], str] | None = None
    every: bool = False
    worst: bool = True
    label: str = ""
    both: Callable[[float], str] | None = None


@dataclass(frozen=True)
class Given:
    """what: which of `ANSWERED` is asked. by: whether ε or the attacker's "success" is given where it is not."""

    what: str
    by: str
    people: int
    epsilon: float
    success: float
    within: float


@dataclass(frozen=True)
class PlannerAnswer:
    """The three quantities; None is what cannot be reached."""

    people: int | None
    epsilon: float | None
    within: float | None


@once(512)
def answered(plans: Plans, key: str, given: Given) -> PlannerAnswer:
    """What follows from two of them; key "": for the limit."""
    made = plans.of(key) if key else plans.limit()
    if made is None:
        return PlannerAnswer(None, None, None)
    if given.what == "epsilon":
        least = made.epsilon(given.people, given.within)
        return PlannerAnswer(given.people, None if least is None else _enough(made, given, least), given.within)
    epsilon = given.epsilon if given.by == "epsilon" else made.most_epsilon(given.success)
    if given.what == "people":
        return PlannerAnswer(None if epsilon is None else made.people(epsilon, given.within), epsilon, given.within)
    error = np.inf if epsilon is None else made.within(epsilon, given.people)
    return PlannerAnswer(given.people, epsilon, float(error) if np.isfinite(error) else None)


def _enough(made: plan.Plan, given: Given, least: float) -> float:
    """The least ε in three digits, as it is shown, that is enough: never rounded down. Where an error steps up just
    above the least, that itself.
    """
    unit = 10.0 ** (math.floor(math.log10(least)) - 2)
    shown = float(f"{math.ceil(least / unit * (1 - 1e-9)) * unit:.6g}")
    return shown if made.within(shown, given.people) <= given.within else least


@once(512)
def success(plans: Plans, key: str, epsilon: float) -> float | None:
    """What the attacker manages; None where nothing but the promise is known."""
    won = plans.of(key).success(epsilon)
    return won if won is not None and np.isfinite(won) else None


@once(128)
def dominated(plans: Plans, key: str, epsilon: float) -> float | None:
    """A smaller ε with which the same people err less, so that it shows; None where there is none."""
    smaller = plans.of(key).dominated(epsilon)
    return smaller.better if smaller is not None and smaller.times >= SHOWS else None


@once(64)
def blind(plans: Plans, key: str) -> float:
    """The same without a report."""
    return plans.of(key).blind() or 0.0


@once(512)
def needed(plans: Plans, key: str, within: float) -> pd.DataFrame:
    """[mechanism, x, value]: people needed at every ε of the grid where any number suffices; key "": the least."""
    made = plans.of(key) if key else plans.limit()
    points = [] if made is None else [(x, made.people(x, within)) for x in GRID]
    rows = [(key or "limit", x, float(n)) for x, n in points if n is not None]
    return pd.DataFrame(rows, columns=["mechanism", "x", "value"])


def every(asked: PlannerSubject, plans: Plans, given: Given) -> pd.DataFrame:
    """The same for everything that protects something, and for the limit."""
    rows = []
    limited = given.what == "epsilon" or given.by == "epsilon"  # no success is known of what is not built
    for key in [*asked.keys, *([""] if limited and plans.limit() is not None else [])]:
        answer = answered(plans, key, given)
        rows.append(
            {
                "mechanism": asked.name(key) if key else "limit",
                "people": answer.people,
                "ε": answer.epsilon,
                asked.unit.column: None if answer.within is None else asked.unit.scale * answer.within,
                "guessed": success(plans, key, answer.epsilon) if key and answer.epsilon is not None else None,
            }
        )
    table = pd.DataFrame(rows)
    return table if asked.guessed else table.drop(columns="guessed")
