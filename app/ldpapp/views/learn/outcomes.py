"""Theory meets simulation: the outcomes of simulated surveys, one by one."""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from ldpapp import charts, words
from ldpapp.compute import bundled
from ldpapp.parts import widgets
from ldpapp.views.learn.lesson import Lesson, Note, QuizQuestion, among
from ldpapp.views.learn.pictures import chart
from ldpapp.views.learn.salary import DATA, YES, asked, counted
from ldpapp.views.papers.live import Live
from ldpapp.words.language import t
from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.study import run
from ldpcore.study.frequency.two_answers import TwoAnswers

SURVEYS = ("10", "30", "100")
INSIDE = 2 * NormalDist().cdf(NORMAL_95) - 1
"""Of all surveys, the share that ends within the margin."""


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Errors of the estimated share, one a survey, and the 95 % margin that theory predicts for each."""

    of: TwoAnswers
    errors: NDArray[np.float64]
    margin: float

    @property
    def inside(self) -> int:
        return int(np.count_nonzero(np.abs(self.errors) <= self.margin))


def _found(x: str) -> Outcomes:
    of = asked(surveys=int(x))
    rows = run(of.study.with_options(attacks=0, postprocessing=()), bundled(DATA))
    seen = rows[(rows["metric"] == "estimate") & (rows["scope"] == YES)].sort_values("repetition")["value"]
    return Outcomes(of, seen.to_numpy(float) - of.share, NORMAL_95 * of.error)


def _title(found: Outcomes) -> str:
    return t(
        "This time {inside} of {n} surveys end within the predicted {margin} points; on average {expected} do.",
        inside=found.inside,
        n=len(found.errors),
        margin=words.points(found.margin),
        expected=words.plain(round(INSIDE * len(found.errors), 1)),
    )


def _picture(found: Outcomes, frame: int) -> None:
    alt = t(
        "The errors of {n} surveys, in points, and the band of {margin} that theory predicts.",
        n=len(found.errors),
        margin=words.points(found.margin),
    )
    figure = charts.outcomes(100 * found.errors, 100 * found.margin, shown=frame, dark=widgets.is_dark())
    chart(figure, "chart_outcomes", alt)


def _question(found: Outcomes) -> QuizQuestion:
    many = 1000
    right = round(many * (1 - INSIDE))
    options, place = among(right, (0, many / 2), words.count)
    return QuizQuestion(
        t(
            "Of {n} such surveys of {people} people, how many end outside the band, on average?",
            n=words.count(many),
            people=words.count(int(counted().counts.sum())),
        ),
        options,
        place,
        t("The band holds {n} of 100.", n=words.of_100(INSIDE)),
    )


OUTCOMES = Lesson(
    key="outcomes",
    name=lambda: t("Theory meets simulation"),
    label=lambda: t("Surveys"),
    values=SURVEYS,
    usual="30",
    found=_found,
    title=_title,
    picture=_picture,
    question=_question,
    note=lambda: Note(
        5,
        t("Where will the next dot fall? Play, and stop before it does."),
        t(
            "One dot outside the band is called a mistake. It is none: some must be outside. Who does not like "
            "movement chooses a number of surveys and sees all of them at once."
        ),
    ),
    link=lambda found: Live(found.of.study, "theory"),
    frames=lambda found: len(found.errors),
)
