"""Two of people, ε (or what an attacker may manage) and error are given, the third is answered.

>>> from ldpcore import plan
>>> class OneColumn:
...     def of(self, key):
...         return plan.frequency(key, 18, [True, True] + [False] * 16)
...     def limit(self):
...         return plan.limit("ULDP", 18, 2)
>>> asked = Given("people", "epsilon", people=0, epsilon=1.0, success=0.5, within=0.01)
>>> answered(OneColumn(), "uSS", asked).people, answered(OneColumn(), "", asked).people  # "": what none undercuts
(44713, 35368)
>>> table(OneColumn(), ["uSS", "GRR"], asked).round(3)[["mechanism", "people", "guessed"]].values.tolist()
[['uSS', 44713, 0.731], ['GRR', 601245, 0.544], ['', 35368, nan]]
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import pandas as pd

from ldpcore import checks

from .solve import LOWEST, Plan

SHOWS = 1.005
"""An error that is so many times another differs from it in the digits that are written."""
ANSWERED = ("epsilon", "people", "within")
"""What can be asked."""


class Plans(Protocol):
    """The plans of one subject. Hashable: what they answer can be kept."""

    def of(self, key: str) -> Plan:
        """A mechanism's, or a strategy's."""
        ...

    def limit(self) -> Plan | None:
        """What none with this promise undercuts; None where the engine has no such limit."""
        ...


@dataclass(frozen=True)
class Given:
    """what: which of `ANSWERED` is asked. by: whether ε or the attacker's "success" is given where it is not. within:
    the error that one can live with, in the plan's unit.
    """

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


def answered(plans: Plans, key: str, given: Given) -> PlannerAnswer:
    """What follows from two of them; key "": for the limit."""
    if key:
        return given_to(plans.of(key), given)
    made = plans.limit()
    return PlannerAnswer(None, None, None) if made is None else _of_limit(made, given)


def _of_limit(made: Plan, given: Given) -> PlannerAnswer:
    """The ε that none undercuts is never rounded up."""
    reached = given_to(made, given)
    least = made.epsilon(given.people, given.within) if given.what == "epsilon" else None
    if least is None or least <= LOWEST:
        return reached
    shown = rounded_down(least)
    # `epsilon` has four digits and may lie above the least: where the three of it do, too, one less of them is below.
    return replace(reached, epsilon=shown if made.within(shown, given.people) >= given.within else _before(shown))


def rounded_down(number: float) -> float:
    """Three digits of a positive number, never above it: how what none undercuts is shown.

    >>> rounded_down(1.0512), rounded_down(0.06), rounded_down(20_570.0)
    (1.05, 0.06, 20500.0)
    """
    unit = _unit(number)
    return float(f"{math.floor(number / unit * (1 + 1e-9)) * unit:.6g}")


def rounded_up(people: int) -> int:
    """Three digits of so many people, never fewer: more of them are not known, as shares are guessed.

    >>> rounded_up(4_449_020), rounded_up(6_922), rounded_up(325)
    (4450000, 6930, 325)
    """
    step = 10 ** max(0, len(str(people)) - 3)
    return -(-people // step) * step


def _before(shown: float) -> float:
    """The number of three digits before this one."""
    return rounded_down(shown - _unit(shown) / 2)


def _unit(number: float) -> float:
    """What the last of three digits counts."""
    return 10.0 ** (math.floor(math.log10(number)) - 2)


def given_to(made: Plan, given: Given) -> PlannerAnswer:
    """What follows from two of them for this plan."""
    if given.what == "epsilon":
        least = made.epsilon(given.people, given.within)
        return PlannerAnswer(given.people, None if least is None else _enough(made, given, least), given.within)
    epsilon = given.epsilon if given.by == "epsilon" else made.most_epsilon(given.success)
    if given.what == "people":
        return PlannerAnswer(None if epsilon is None else made.people(epsilon, given.within), epsilon, given.within)
    error = math.inf if epsilon is None else made.within(epsilon, given.people)
    return PlannerAnswer(given.people, epsilon, float(error) if math.isfinite(error) else None)


def _enough(made: Plan, given: Given, least: float) -> float:
    """The least ε in three digits, as it is shown, that is enough: never rounded down. Where an error steps up just
    above the least, that itself.
    """
    unit = _unit(least)
    shown = float(f"{math.ceil(least / unit * (1 - 1e-9)) * unit:.6g}")
    return shown if made.within(shown, given.people) <= given.within else least


def guessed(plans: Plans, key: str, epsilon: float) -> float | None:
    """What the attacker manages; None where nothing but the promise is known."""
    won = plans.of(key).success(epsilon)
    return won if won is not None and math.isfinite(won) else None


def blind(plans: Plans, key: str) -> float:
    """The same without a report; 0 where that is not known."""
    return plans.of(key).blind() or 0.0


def smaller(plans: Plans, key: str, epsilon: float) -> float | None:
    """A smaller ε with which the same people err less, so that it shows; None where there is none."""
    better = plans.of(key).dominated(epsilon)
    return better.better if better is not None and better.times >= SHOWS else None


def least_exact(plans: Any, key: str, epsilon: float, count: int) -> int:
    """Whose share is least exact at this ε, of `count` answers that may be planned for each by itself (its code): the
    error of all is this one's. plans: a dataclass with an `answer`, of a plan that knows `each` value's error.

    >>> from ldpcore.study.frequency.plans import SharePlans
    >>> least_exact(SharePlans("ULDP", (True, True, False), (0.1, 0.2, 0.7)), "GRR", 1.0, 3)
    2
    """
    errors = replace(plans, answer=None).of(key).each(checks.epsilon(epsilon))[:count]
    return int(np.argmax(np.where(np.isnan(errors), math.inf, errors)))


def needed(plans: Plans, key: str, within: float, epsilons: Sequence[float]) -> pd.DataFrame:
    """[mechanism, x, value]: people needed at each ε where any number suffices; key "": the least, of the "limit"."""
    made = plans.of(key) if key else plans.limit()
    points = [] if made is None else [(x, made.people(x, within)) for x in epsilons]
    rows = [(key or "limit", x, float(n)) for x, n in points if n is not None]
    return pd.DataFrame(rows, columns=["mechanism", "x", "value"])


def table(plans: Plans, keys: Sequence[str], given: Given) -> pd.DataFrame:
    """[mechanism, people, epsilon, within, guessed, bits]: the answers of all of these, and last, as "", of the limit.

    bits: of a report; NaN where people send none.
    """
    limited = given.what == "epsilon" or given.by == "epsilon"  # no success is known of what is not built
    rows = []
    for key in [*keys, *([""] if limited and plans.limit() is not None else [])]:
        answer = answered(plans, key, given)
        won = guessed(plans, key, answer.epsilon) if key and answer.epsilon is not None else None
        sent = plans.of(key).bits if key else None
        bits = sent(answer.epsilon) if sent is not None and answer.epsilon is not None else None
        rows.append((key, answer.people, answer.epsilon, answer.within, won, bits))
    numbers = dict.fromkeys(("epsilon", "within", "guessed", "bits"), float)
    return pd.DataFrame(rows, columns=["mechanism", "people", *numbers]).astype(numbers)
