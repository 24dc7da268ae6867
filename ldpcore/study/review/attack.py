"""The attacks on one question of a survey."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore.data import DataError
from ldpcore.memory import remembered
from ldpcore.questionnaire import OPEN, Exposure, Predictor, Scene, attack_split, exactly, measured, predictors
from ldpcore.questionnaire.attack_split import Sent
from ldpcore.study.definition import Study
from ldpcore.study.review.asking import answers, asked, identity
from ldpcore.study.review.hidden import Hidden, HiddenSurvey
from ldpcore.study.review.people import SurveyTable

FIRST = ("naive Bayes",)
"""The fastest attacker; with one other column at most it is Bayes' rule."""


def scene(study: Study, data: SurveyTable, one: Hidden, others: Mapping[str, Sent], sent: bool = True) -> Scene:
    """The attack on the marked answers to one question: its own report (if it is `sent`), and what else is sent. The
    same people are attacked whatever that is.
    """
    report = one.built if sent else None
    looks = asked(study, data, study.epsilon).looks
    return Scene.of(data.table, looks, target=one.name, marks=one.marks, own=report, others=others, seed=study.seed)


def strongest(scene: Scene) -> Exposure:
    """All reports, by the strongest attacker: also one who looks at the worst giver alone, which tells more than all
    columns do where few people have a marked answer.
    """
    tellers = predictors(scene)
    exposure = measured(scene, looks=len(tellers))
    worst = next((giver for giver in tellers if giver.low > 0), None)
    if worst is None or worst.pairs <= exposure.pairs:
        return exposure
    return measured(scene.only([worst.column]), FIRST, looks=len(exposure.attackers) + len(tellers) - 1)


def answer_by_answer(
    data: SurveyTable, one: Hidden, others: Mapping[str, Sent], seed: int
) -> Iterator[tuple[str, float, float, float]]:
    """Of several marked answers each that somebody gives: pairs told apart, one person with this very answer and one
    with any other, and the interval of that, wide enough for all of these answers at once. By the fastest attacker
    alone, as whoever tries more on few people finds more by chance; and never fewer than the own report tells, which is
    all that is said of an answer of too few people to try.
    """
    given = [one.of_one(answer) for answer in one.marks]
    given = [each for each in given if 0 < each.freq @ each.marked < 1]
    if len(given) == 2 == np.count_nonzero(one.freq):  # each is told from the other: one pair, one number
        for _, pairs, low, high in _by_itself(data, one, others, given[:1], seed):
            yield from ((each.marks[0], pairs, low, high) for each in given)
        return
    yield from _by_itself(data, one, others, given if len(given) > 1 else [], seed)


def _by_itself(
    data: SurveyTable, one: Hidden, others: Mapping[str, Sent], given: Sequence[Hidden], seed: int
) -> Iterator[tuple[str, float, float, float]]:
    for each in given:
        exact = alone(each)
        if _too_few(data, each, seed):
            if exact is not None:
                yield each.marks[0], exact, exact, exact
            continue
        attacked = {"target": one.name, "marks": each.marks, "own": one.built, "others": others, "seed": seed}
        exposure = measured(Scene.of(data.table, **attacked), FIRST, looks=len(given) - 1)
        pairs, low, high = (max(exact or 0.0, end) for end in (exposure.pairs, exposure.low, exposure.high))
        yield each.marks[0], pairs, low, high


def giver_of(data: SurveyTable, here: HiddenSurvey, one: Hidden, answer: str, seed: int) -> Predictor | None:
    """Which other question tells most of this one answer beside the report, in pairs of a person with it and one with
    any other; None where none adds anything beyond chance, or too few people have it to try.
    """
    if _too_few(data, one.of_one(answer), seed):
        return None
    given = {"target": one.name, "marks": [answer], "own": one.built, "others": here.others(one.name), "seed": seed}
    return next((giver for giver in predictors(Scene.of(data.table, here.looks, **given)) if giver.low > 0), None)


def not_asked(study: Study, data: SurveyTable, here: HiddenSurvey, name: str) -> tuple[Exposure, str] | None:
    """What everything that a person sends tells of the marked answers to a question that is not asked, and which other
    question tells most of them. data: the people of the survey, of whom this question is known `beside` the others;
    here: the survey without it. None where no other answer by itself tells anything beyond chance, or too few people
    have such a one.
    """
    key = ("not asked", identity(study), name)
    looks = here.looks + len(data.beside) * len(here.others(name))
    return remembered(data, key, lambda: _not_asked(study, data.beside[name], here, name, looks), 16)


def _not_asked(
    study: Study, data: SurveyTable, here: HiddenSurvey, name: str, looks: int
) -> tuple[Exposure, str] | None:
    marks = data.marked(study.marks.values)[name]
    inside = answers(data.ranges.get(name), data.labels(name), marks)
    try:
        seen = Scene.of(data.table, looks, target=name, marks=inside, others=here.others(name), seed=study.seed)
    except DataError:
        return None
    worst = next((giver for giver in predictors(seen) if giver.low > 0), None)
    return None if worst is None else (strongest(seen), worst.column)


def alone(one: Hidden) -> float | None:
    """Pairs told apart by the report to this question alone, exact; None where that has no closed form."""
    return exactly(one.built, one.marked, one.freq)


def joint(data: SurveyTable, one: Hidden, other: str) -> NDArray[np.float64]:
    """The shares (answers, answers to this other question) of these people who give both: what `questionnaire.best` and
    `exactly` take where the other answer stands openly beside the report.

    >>> from ldpcore import Marks, Source, Study, data
    >>> from ldpcore.study import review
    >>> study = Study(Source("health"), "", Marks.of(review.written("smoking", ["every day"])), task="review")
    >>> study = study.with_options(columns=("smoking", "alcohol"))
    >>> people = review.prepare(study, data.load("health"))
    >>> shares = joint(people, review.asked(study, people, 1.0).hidden["smoking"], "alcohol")
    >>> shares.shape, round(float(shares.sum()), 9)
    ((4, 4), 1.0)
    """
    rows = data.table.frame[[one.name, other]].astype(str)
    shares = pd.crosstab(rows[one.name], rows[other], normalize=True)
    return shares.reindex(list(map(str, one.labels)), fill_value=0.0).to_numpy()


def alone_open(data: SurveyTable, here: HiddenSurvey, one: Hidden) -> str | None:
    """The question whose answer is all that is sent openly beside the report to this one; None where a person sends
    more, or nothing else.
    """
    ((name, sent), *more) = here.others(one.name).items() or [("", None)]
    return None if more or sent != OPEN or name not in data.questions else name


def refusal(study: Study, data: SurveyTable, here: HiddenSurvey, question: str, secret: bool = False) -> str:
    """Why this question, or its secret answers alone, cannot be attacked, in a sentence; "" where they can."""
    one = here.hidden[question].aimed(secret)
    if not one.marked.any():
        return f"No answer to “{question}” is secret."
    if one.marked.all():
        return f"Every answer to “{question}” is marked: there is nobody to tell marked people from."
    return _too_few(data, one, study.seed)


def _too_few(data: SurveyTable, one: Hidden, seed: int) -> str:
    """Why nothing can be tried on so few people, in a sentence; "" where it can."""
    try:
        attack_split(data.table, target=one.name, marks=one.marks, own=one.built, others={}, seed=seed, people=2)
    except DataError as error:
        return error.sentence
    return ""
