"""How exposed one question is in two settings of a survey: both exposures, and their difference with its interval."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ldpcore import checks
from ldpcore.memory import remembered
from ldpcore.questionnaire import Exposure, Uncertain, difference, measured, unpaired
from ldpcore.study.definition import Study
from ldpcore.study.review.asking import asked, identity, options
from ldpcore.study.review.attack import FIRST, alone, refusal, scene, strongest
from ldpcore.study.review.people import SurveyTable

if TYPE_CHECKING:
    from ldpcore.study.review.facts import ReviewFacts


@dataclass(frozen=True)
class AnswerComparison(Uncertain):
    """The marked answers to a question, told apart in two settings.

    before, after: what the strongest attacker managed in each. gap: pairs told apart, after − before, with its 95 %
    interval low..high. paired: whether the same people are attacked in both, who have the same marked answers; else
    the interval is that of two different crowds, and wider.
    """

    before: Exposure
    after: Exposure
    gap: float
    low: float
    high: float
    paired: bool


def compare(
    first: Study,
    second: Study,
    people: SurveyTable,
    question: str,
    then: SurveyTable | None = None,
    secret: bool = False,
) -> AnswerComparison:
    """What going from the first setting to the second changes for `question`, by everything that the attacker of each
    sees, at each study's ε.

    people: of the first setting, from `prepare`; `then`: of the second, where it asks other questions or cuts them
    otherwise. The interval is DeLong's of two attacks on the same people where the marks of the question are the same
    in both; where they differ the crowds do, and it is that of two independent ones. Between two own reports that are
    told apart exactly it is exact, and has no width. secret: of its secret
    answers alone, told from all others. ValueError for a question that is not hidden in both, or whose people cannot
    be told apart.

    >>> from dataclasses import replace
    >>> from ldpcore import Marks, Source
    >>> from ldpcore.study.execute import prepare
    >>> marks = Marks.of(["marital-status = Divorced", "marital-status = Widowed"])
    >>> mild = Study(Source("census"), "marital-status", marks, grid=(), task="review")
    >>> mild = mild.with_options(columns=("marital-status", "relationship", "sex"))
    >>> people = prepare(mild)
    >>> found = compare(mild, replace(mild, epsilon=4.0), people, "marital-status")
    >>> found.paired, found.none, found.low > 0
    (True, False, True)
    >>> compare(mild, mild, people, "marital-status").none
    True
    """
    other = people if then is None else then
    one, two = strongest_of(first, people, question, secret), strongest_of(second, other, question, secret)
    same = _same_rows(people, other) and all(map(np.array_equal, one[1:], two[1:]))
    ends = (difference if same else unpaired)(one[0].told, two[0].told)
    if all(each.low == each.high for each, *_ in (one, two)):
        exact = two[0].pairs - one[0].pairs
        ends = exact, exact, exact
    return AnswerComparison(one[0], two[0], *ends, same)


def compared(
    before: "ReviewFacts", after: "ReviewFacts", question: str, secret: bool = False
) -> AnswerComparison | None:
    """What going from the first setting to the second changes for a question of the second, once all attackers have
    tried in both; None before, and where there is nobody to attack in the first. secret: of its secret answers alone.
    """
    if question not in before.every:
        return None
    sides = [known.every[question].secret if secret else known.every[question] for known in (before, after)]
    if not all(side is not None and side.tried for side in sides):
        return None
    return compare(before.study, after.study, before.data, question, after.data, secret)


def _same_rows(people: SurveyTable, then: SurveyTable) -> bool:
    """Whether a row of one is the same person in the other."""
    return people is then or (people.n == then.n and people.dropped == then.dropped == 0)


Attack = tuple[Exposure, NDArray[np.intp], NDArray[np.bool_]]
"""What the strongest attacker managed, who was attacked, and which of them have a marked answer."""


def strongest_of(study: Study, people: SurveyTable, question: str, secret: bool = False) -> Attack:
    """The attack on a question by all that its attacker sees, made once; ValueError where there is none."""
    key = ("attack", question, secret, identity(study))
    return remembered(people, key, lambda: _whole(study, people, question, secret), 64)


def _whole(study: Study, people: SurveyTable, question: str, secret: bool) -> Attack:
    survey = asked(study, people, study.epsilon)
    if question not in survey.hidden:
        raise ValueError(
            f"“{question}” is not hidden; the hidden questions are {checks.name_list(list(survey.hidden))}"
        )
    if why := refusal(study, people, survey, question, secret):
        raise ValueError(why)
    one = survey.hidden[question].aimed(secret)
    others = {} if options(study).attacker == "own" else survey.others(question)
    seen = scene(study, people, one, others)
    exposure = strongest(seen) if others else measured(seen, FIRST)
    if not others and (exact := alone(one)) is not None:
        exposure = replace(exposure, pairs=exact, low=exact, high=exact)
    return exposure, seen.crowd.attacked, seen.crowd.exposed
