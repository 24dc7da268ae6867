"""What hiding another question of a survey, some of its answers, or dropping it would change for one question."""

from dataclasses import dataclass, replace

import numpy as np

from ldpcore.questionnaire import PairComparison, Uncertain, difference
from ldpcore.questionnaire.attackers import bayes
from ldpcore.study import readings
from ldpcore.study.definition import Marks, Study
from ldpcore.study.review.asking import asked
from ldpcore.study.review.attack import scene, strongest
from ldpcore.study.review.copies import proving
from ldpcore.study.review.hidden import Hidden, HiddenSurvey
from ldpcore.study.review.people import SurveyTable, written

MOST = 6
"""Answers that are tried to be hidden alone, those that tell most: with more the question is hidden as a whole."""


@dataclass(frozen=True)
class ExposureChange(Uncertain):
    """What becomes of one question's exposure if another is "hidden" (all its answers sent through a mechanism), its
    `answers` alone are "marked", or it is "dropped": pairs told apart before and after, the paired difference and its
    95 % interval, wide enough for all other questions at once; margin: of the other question's shares, exact, nan
    where it is not asked any more. epsilon: of all that one person sends then.
    """

    how: str
    before: float
    after: float
    gap: float
    low: float
    high: float
    margin: float
    epsilon: float
    answers: tuple[str, ...] = ()


def changes(study: Study, data: SurveyTable, question: str, column: str, secret: bool = False) -> list[ExposureChange]:
    """What hiding `column`, hiding only those of its answers that tell most (both where it is open), and dropping it
    would change for `question`, at the study's ε; secret: for its secret answers alone, told from all others.

    Of the answers as few are marked as hide no less, beyond chance, than the whole question does from the fastest
    attacker; none are where it takes more than `MOST`, or all.
    """
    survey = asked(study, data, study.epsilon)
    others = survey.others(question)
    before = strongest(scene(study, data, survey.hidden[question].aimed(secret), others))
    rest = {name: sent for name, sent in others.items() if name != column}
    ways = [("dropped", (), survey, rest)]
    if column in survey.open:
        whole = _hidden(study, data, column)
        answers = telling(study, data, question, column, secret)
        some = [("marked", answers, _marked(study, data, column, answers))] if answers else []
        hidden = [(how, which, then, then.others(question)) for how, which, then in [("hidden", (), whole), *some]]
        ways = [*hidden, *ways]
    rows = []
    for how, which, then, seen in ways:
        after = strongest(scene(study, data, then.hidden[question].aimed(secret), seen))
        margin = float("nan") if how == "dropped" else then.margin_of(column)
        gap = difference(before.told, after.told, looks=len(others))
        sent = survey.without([column]) if how == "dropped" and study.option("budget") != "person" else then
        rows.append(ExposureChange(how, before.pairs, after.pairs, *gap, margin, sent.promised(), which))
    return rows


def telling(study: Study, data: SurveyTable, question: str, column: str, secret: bool = False) -> tuple[str, ...]:
    """The fewest answers to an open question to hide that hide as much as all of them, those that tell most first; none
    where it takes too many. As the fastest attacker sees it, who is after the marked answers to `question` (or only the
    secret ones), within chance; those that prove one by themselves come first, and all of them are hidden.
    """
    survey = asked(study, data, study.epsilon)
    sure = proving(data, survey, question, column)  # whatever is chance: these alone prove it
    ranked = (
        *sure,
        *(each for each in _ranked(data, survey.hidden[question].aimed(secret), column) if each not in sure),
    )
    whole = _quick(study, data, _hidden(study, data, column), question, secret)
    for count in range(max(1, len(sure)), min(len(ranked) - 1, MOST) + 1):
        some = _quick(study, data, _marked(study, data, column, ranked[:count]), question, secret)
        if difference(whole, some)[1] <= 0:
            return ranked[:count]
    return ()


def _quick(study: Study, data: SurveyTable, then: HiddenSurvey, question: str, secret: bool) -> PairComparison:
    one = then.hidden[question].aimed(secret)
    seen = scene(study, data, one, then.others(question))
    return seen.compared(seen.odds(bayes(seen)))


def _ranked(data: SurveyTable, one: Hidden, column: str) -> tuple[str, ...]:
    """The answers that somebody gave, by how many people they say something of, and how much."""
    codes, target = (np.asarray(data.table.frame[name].cat.codes, np.intp) for name in (column, one.name))
    inside, labels = one.marked[target], data.labels(column)
    people = np.bincount(codes, minlength=len(labels))
    tells = np.abs(np.bincount(codes, inside, len(labels)) - inside.mean() * people)
    return tuple(labels[at] for at in np.argsort(-tells, kind="stable") if people[at])


def _hidden(study: Study, data: SurveyTable, column: str) -> HiddenSurvey:
    every = (*study.option("hidden"), column)
    return asked(study.with_options(hidden=every), data, study.epsilon)


def _marked(study: Study, data: SurveyTable, column: str, answers: tuple[str, ...]) -> HiddenSurvey:
    cut = data.ranges.get(column)
    marked = written(column, readings.from_bins(answers, cut) if cut is not None else answers)
    marks = Marks((*study.marks.levels, *Marks.of(marked).levels))
    return asked(replace(study, marks=marks), data, study.epsilon)
