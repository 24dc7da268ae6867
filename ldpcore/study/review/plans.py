"""How exact all hidden questions of a survey are at once: which ε, how many people, and what stays out of reach.

A plan is by the study's ε, of which each question has its part, and about the share of a question that is hardest to
measure, marked or not. At another ε a survey may take another mechanism (`asking.asked`), and one that counts in whole
numbers may err more at a larger ε: so `least_epsilon` is about all questions at once, not the largest of what each
needs, and looks again at what the survey takes there.

>>> from ldpcore import Marks, Source
>>> from ldpcore.study.execute import prepare
>>> marks = Marks.of(["condition = HIV", "income = under 15 000", "income = 150 000 or more"])
>>> study = Study(Source("health"), "condition", marks, grid=(), task="review", n=3000)
>>> people = prepare(study)
>>> least_epsilon(study, people, 0.02), least_epsilon(study, people, 0.02, ["income"])
(1.61, 1.61)
>>> least_people(study, people, 0.02, ["income"])
8842
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ldpcore import plan
from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.memory import remembered
from ldpcore.plan.answers import Given, given_to
from ldpcore.plan.solve import Plan
from ldpcore.study.definition import Study
from ldpcore.study.frequency.floor import policy
from ldpcore.study.frequency.plans import SharePlans
from ldpcore.study.review.asking import Asking, asked, identity
from ldpcore.study.review.hidden import Hidden, HiddenSurvey
from ldpcore.study.review.people import BETWEEN, SurveyTable

STARTS = (1.0, plan.HIGHEST)
"""ε whose mechanisms are tried first, so that what is found hangs on no ε that is chosen now; those of the second where
the first are never exact enough.
"""


def shares_of(one: Hidden, key: str = "") -> SharePlans:
    """The plans of a question, by the ε of its most secret answers; key: held against the limit of this mechanism."""
    return SharePlans.of_levels(policy(key or one.key), one.epsilons, one.freq, one.chance)


def plan_of(one: Hidden, epsilon: float) -> Plan:
    """The plan of a question with its mechanism, by the study's ε, which is `epsilon` now."""
    made, part = shares_of(one).of(one.key), float(one.epsilons.min()) / epsilon
    whole = made.whole
    return replace(
        made,
        alone=lambda x: made.alone(x * part),
        gain=None,
        guess=None,
        whole=None if whole is None else lambda x: whole(x * part),
        reach=made.reach * part,
        each=None,
    )


def all_of(plans: Sequence[Plan]) -> Plan:
    """Within means: each of them is."""
    if len(plans) == 1:
        return plans[0]
    wholes = [one.whole for one in plans if one.whole is not None]

    def alone(x: float) -> float:
        errors = [one.alone(x) for one in plans]
        return math.inf if any(map(math.isnan, errors)) else max(errors)

    return Plan(
        "", alone, steps=any(one.steps for one in plans), reach=max(one.reach for one in plans),
        whole=None if len(wholes) < len(plans) else lambda x: tuple(count(x) for count in wholes),
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class SurveyPlans:
    """The plans of every hidden question of a survey as it is at the study's ε; `of` takes a question's name. people:
    who are asked each of them.
    """

    here: HiddenSurvey
    epsilon: float

    @cached_property
    def each(self) -> dict[str, Plan]:
        return {name: plan_of(one, self.epsilon) for name, one in self.here.hidden.items()}

    @property
    def people(self) -> int:
        return max(1, round(self.here.n * next(iter(self.here.hidden.values())).chance))

    def of(self, key: str) -> Plan:
        return self.each[key]

    def limit(self) -> None:
        """Every question has a limit of its own."""

    def margins(self) -> dict[str, float]:
        """Question → the 95 % half-width of its share that is hardest to measure."""
        return {name: made.within(self.epsilon, self.people) for name, made in self.each.items()}


def surveyed_at(study: Study, data: SurveyTable, epsilon: float) -> HiddenSurvey:
    """The survey at another ε, of which secret answers keep their part."""
    return asked(_at(study, epsilon), data, epsilon)


def _at(study: Study, epsilon: float) -> Study:
    return study if epsilon == study.epsilon else study.spending(epsilon)


def _anywhere(study: Study) -> Study:
    """What hangs on no ε that is chosen now is asked of this one: whoever moves ε does not wait for it again. Secret
    answers have an ε of their own, of which the other is a multiple.
    """
    return study if study.secret_epsilon else study.derived(("anywhere",), lambda: replace(study, epsilon=STARTS[0]))


def least_epsilon(study: Study, data: SurveyTable, within: float, names: Sequence[str] = ()) -> float | None:
    """The least ε of the study, in three digits, at which every share of these questions (none: of all hidden ones) is
    within this half-width, 95 %, with the mechanisms that the survey takes there; None where no ε up to `plan.HIGHEST`
    is. Where mechanisms take turns it is an ε that serves, and the least with those that are taken there.
    """
    whatever = _anywhere(study)
    key = ("least epsilon", identity(whatever), within, tuple(names))
    return remembered(data, key, lambda: _least_epsilon(whatever, data, within, names), 64)


def _least_epsilon(study: Study, data: SurveyTable, within: float, names: Sequence[str]) -> float | None:
    for start in STARTS:
        tried: dict[tuple[str, str], Plan] = {}
        at: float | None = start
        while at is not None:
            chosen = _chosen(study, data, at, names)
            if tried.keys() >= chosen.keys():
                return _lowered(study, data, at, within, names)
            tried |= {each: made for each, made in chosen.items() if each not in tried}
            at = _enough(study, data, list(tried.values()), within)
    return None


def least_epsilon_of_marked(study: Study, data: SurveyTable, within: float, enough: float) -> float:
    """A lower ε, in three digits, at which the share of every marked answer that is given is within this half-width,
    whatever the others are; enough: an ε at which all shares are, and what is returned where none is lower.
    """

    def reached(epsilon: float) -> bool:
        survey = surveyed_at(study, data, epsilon)
        margins = (survey.margins[name][one.marked & (one.freq > 0)] for name, one in survey.hidden.items())
        return all((each <= within * (1 + 1e-9)).all() for each in margins)

    def found() -> float:
        low, high = plan.LOWEST, enough
        while high / low > 1.001:
            middle = math.sqrt(low * high)
            low, high = (low, middle) if reached(middle) else (middle, high)
        digits = 10 ** (2 - math.floor(math.log10(high)))
        shown = math.ceil(high * digits - 1e-9) / digits
        return min(enough, shown) if reached(shown) else enough

    key = ("least epsilon of marked", identity(_anywhere(study)), within, enough)
    return remembered(data, key, found, 16)


def _lowered(study: Study, data: SurveyTable, at: float, within: float, names: Sequence[str]) -> float:
    """A smaller ε where the mechanisms that are taken at this one need less, and those that are taken there serve."""
    less = _enough(study, data, list(_chosen(study, data, at, names).values()), within)
    while less is not None and less < at:
        chosen = list(_chosen(study, data, less, names).values())
        if all_of(chosen).within(less, _people(study, data)) > within:
            break
        at, less = less, _enough(study, data, chosen, within)
    return at


def _chosen(study: Study, data: SurveyTable, at: float, names: Sequence[str]) -> dict[tuple[str, str], Plan]:
    """Question and mechanism that the survey takes for it at this ε → its plan."""
    hidden = surveyed_at(study, data, at).hidden
    return {(name, one.key): plan_of(one, at) for name, one in hidden.items() if name in (names or hidden)}


def _enough(study: Study, data: SurveyTable, plans: Sequence[Plan], within: float) -> float | None:
    return given_to(all_of(plans), Given("epsilon", "epsilon", _people(study, data), 1.0, 0.5, within)).epsilon


def _people(study: Study, data: SurveyTable) -> int:
    return SurveyPlans(asked(study, data, study.epsilon), study.epsilon).people


def one_by_one(needs: Mapping[str, float]) -> tuple[float, tuple[str, ...]]:
    """The study's ε, and the option `parts`, with which every question has the ε that it needs.

    >>> one_by_one({"condition": 2.0, "income": 1.5})
    (2.0, ('income = 0.75',))
    """
    most = max(needs.values())
    return most, tuple(f"{name}{BETWEEN}{need / most!r}" for name, need in needs.items() if need < most)


def least_people(study: Study, data: SurveyTable, within: float, names: Sequence[str] = ()) -> int | None:
    """The least number of people who answer the survey, at the study's ε, for the same; None where none suffices."""
    survey = asked(study, data, study.epsilon)
    made = [plan_of(one, study.epsilon) for name, one in survey.hidden.items() if name in (names or survey.hidden)]
    n = all_of(made).people(study.epsilon, within)
    return None if n is None else math.ceil(n / next(iter(survey.hidden.values())).chance)


def out_of_reach(study: Study, data: SurveyTable, question: str, answer: str) -> tuple[int | None, float | None]:
    """What it takes that the share of this answer is not below its own 95 % margin: so many people at the study's ε, or
    this ε of its question with the study's people; None where none of them does.
    """
    one = asked(study, data, study.epsilon).hidden[question]
    share = float(one.freq[one.labels.index(answer)])
    if share <= 0:
        return None, None
    even = study.with_options(parts=None) if study.option("parts") else study
    whatever = _anywhere(even)
    people = _alone(study, data, question, answer).people(study.epsilon, share)
    key = ("out of reach", identity(whatever), question, answer)
    epsilon = remembered(data, key, lambda: _epsilon_to_see(whatever, data, question, answer, share), 64)
    return None if people is None else math.ceil(people / one.chance), epsilon


def _epsilon_to_see(study: Study, data: SurveyTable, question: str, answer: str, share: float) -> float | None:
    given = Given("epsilon", "epsilon", _people(study, data), study.epsilon, 0.5, share)
    return given_to(_alone(study, data, question, answer), given).epsilon


def _alone(study: Study, data: SurveyTable, question: str, answer: str) -> Plan:
    """Of the question alone: with other ε the others are not asked."""
    way = Asking.of(study, data)

    def alone(x: float) -> float:
        # At the study's own ε the survey is known: a page asks there for answer after answer.
        known = x == study.epsilon
        then = asked(study, data, x).hidden[question] if known else way.hidden(_at(study, x), data, x, question)
        drawn = then.freq * (1 - then.freq) * (1 - then.chance)
        return float(NORMAL_95 * np.sqrt(then.built.variance(then.freq, 1) + drawn)[then.labels.index(answer)])

    return Plan("", alone)
