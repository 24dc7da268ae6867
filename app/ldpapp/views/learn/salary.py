"""A question with two answers, which several lessons are about: who is asked, and how."""

from functools import cache

from ldpapp.compute import bundled
from ldpapp.views.papers.live import Live
from ldpcore.data import Histogram
from ldpcore.study import Marks, Source, Study, frequency
from ldpcore.study.frequency.two_answers import TwoAnswers

DATA, COLUMN, YES = "census", "income", ">50K"
MECHANISM = "GRR"
"""Of two answers: the coin of randomised response."""


@cache
def counted() -> Histogram:
    return frequency.prepare(_study(1.0), bundled(DATA))


def _study(epsilon: float, people: int | None = None, surveys: int = 3) -> Study:
    marks = Marks.of((YES,))
    return Study(
        Source(DATA), COLUMN, marks, (MECHANISM,), epsilon, n=people, grid=(), repetitions=surveys, missing="any"
    )


def asked(epsilon: float = 1.0, people: int | None = None, surveys: int = 3) -> TwoAnswers:
    """people: how many are asked, with the same shares; None: as many as the data have. surveys: how many of them."""
    study = _study(epsilon, people, surveys)
    return TwoAnswers(study, frequency.cell(study, counted(), MECHANISM, epsilon))


def live(of: TwoAnswers) -> Live:
    """The page that shows it."""
    return Live(of.study, "odds")
