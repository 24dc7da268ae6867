"""What is safer where all reports of a person together raise the odds many times, and what it costs:
each way is the survey itself under other settings.

>>> from ldpcore import Marks, Source, Study
>>> from ldpcore.study.execute import prepare
>>> marks = Marks.of(["condition = HIV", "income = under 15 000", "income = 150 000 or more"])
>>> study = Study(Source("health"), "condition", marks, grid=(), task="review", epsilon=2.0)
>>> [(way.how, round(way.odds, 2), round(way.wider, 2)) for way in safer(study, prepare(study))]
[('one', 7.39, 1.64)]
"""

import math
from collections.abc import Collection
from dataclasses import dataclass

from ldpcore.study.definition import Study
from ldpcore.study.review.asking import asked
from ldpcore.study.review.hidden import HiddenSurvey
from ldpcore.study.review.people import SurveyTable
from ldpcore.study.review.plans import surveyed_at

MANY = 10.0
"""So many times the odds of all reports of a person are worth a safer way."""
EACH, ONE, HALF = "each", "one", "half"
"""Every question has the ε that it needs for what is wanted of it, rounded up to tenths; or each person answers one of
the hidden questions, drawn by lot, with that question's ε; or everyone all, with half of each ε.
"""


@dataclass(frozen=True)
class SaferWay:
    """odds: by how much all that one person sends then raises the odds of a marked answer at most. wider: the ± of the
    share of a marked answer then, in times of now, of the one where that is most. hardest: the ± then of the share that
    is hardest to measure, marked or not. rare: marked answers that are too rare to measure then.
    """

    how: str
    odds: float
    wider: float
    hardest: float
    rare: int


def safer(
    study: Study, data: SurveyTable, each: tuple[float, tuple[str, ...]] | None = None, bounded: bool = False
) -> tuple[SaferWay, ...]:
    """The ways that lower the odds; none that another beats in both; () where the odds are not many times. First, where
    it is known, what every question needs (each: ε and the option `parts`), then the safest. bounded: what they cost at
    most, whatever people answer.
    """
    now = asked(study, data, study.epsilon)
    if math.exp(now.promised()) < MANY:
        return ()
    ways: list[SaferWay] = []
    for how, then in (
        (ONE, asked(study.with_options(scheme="one"), data, study.epsilon)),
        (HALF, surveyed_at(study, data, study.epsilon / 2)),
    ):
        way = _way(how, now, then, bounded)
        if then.promised() < now.promised() and all(way.wider < other.wider for other in ways):
            ways.append(way)
    if each is not None:
        epsilon, parts = each
        then = surveyed_at(study.with_options(parts=parts), data, epsilon)
        if then.promised() < now.promised():
            ways.insert(0, _way(EACH, now, then, bounded))
    return tuple(ways)


def odds_without(now: HiddenSurvey, names: Collection[str]) -> float | None:
    """By how much all that one person sends raises the odds at most without these questions; None where nothing would
    be left, or it is no less.
    """
    if not names or len(names) == len(now.hidden):
        return None
    then = now.without(names).promised()
    return math.exp(then) if then < now.promised() else None


def _way(how: str, now: HiddenSurvey, then: HiddenSurvey, bounded: bool) -> SaferWay:
    if bounded:
        now, then = now.at_most(), then.at_most()
    marked = {name: one.marked for name, one in now.hidden.items()}
    wider = max(float((then.margins[name][part] / now.margins[name][part]).max()) for name, part in marked.items())
    hardest = max(float(each.max()) for each in then.margins.values())
    return SaferWay(how, math.exp(then.promised()), wider, hardest, sum(map(len, then.drowned().values())))
