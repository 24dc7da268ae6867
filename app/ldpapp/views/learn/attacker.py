"""The attacker, and the other answers beside a marked one."""

from dataclasses import dataclass
from functools import cache

from ldpapp import charts, words
from ldpapp.compute import bundled
from ldpapp.parts import widgets
from ldpapp.views.learn.lesson import Lesson, Note, QuizQuestion
from ldpapp.views.learn.pictures import pairs
from ldpapp.views.papers.live import Live
from ldpapp.words.language import t
from ldpcore.questionnaire import best
from ldpcore.study import Marks, Source, Study, review
from ldpcore.study.review.attack import joint

DATA, COLUMN = "census", "marital-status"
MARKED = ("Divorced", "Separated", "Widowed")
OTHERS = ("sex", "education", "relationship")


@dataclass(frozen=True)
class ToldApart:
    """Of pairs of people, the share that is told apart by the report alone, and with one other answer, for each."""

    study: Study
    other: str
    own: float
    mechanism: str
    people: int
    told: dict[str, float]


def _study(other: str) -> Study:
    marks = Marks.of(review.written(COLUMN, MARKED))
    made = Study(Source(DATA), COLUMN, marks, grid=(), repetitions=1, task="review")
    return made.with_options(columns=(COLUMN, other))


@cache
def _told(other: str) -> tuple[float, str, int, float]:
    """(by the report alone, through which mechanism, of how many people, with this answer beside it)."""
    people = review.prepare(study := _study(other), bundled(DATA))
    one = review.asked(study, people, study.epsilon).hidden[COLUMN]
    shares = joint(people, one, other)
    alone, beside = (best(one.built, one.marked, each) for each in (shares.sum(axis=1), shares))
    return alone, one.key, people.n, beside


def _found(x: str) -> ToldApart:
    return ToldApart(_study(x), x, *_told(x)[:3], {other: _told(other)[3] for other in OTHERS})


def _title(found: ToldApart) -> str:
    return t(
        "With “{other}” beside the report: {told} of 100 pairs told apart, not {own}.",
        other=found.other,
        told=words.of_100(found.told[found.other]),
        own=words.of_100(found.own),
    )


def _picture(found: ToldApart) -> None:
    with_it = found.told[found.other]
    alt = t(
        "Of 100 pairs, {own} told apart by the report alone, {told} with the other answer.",
        own=words.of_100(found.own),
        told=words.of_100(with_it),
    )
    pairs(
        (
            t(
                "Report alone ({mechanism}, ε = {eps})",
                mechanism=found.mechanism,
                eps=words.epsilon(found.study.epsilon),
            ),
            charts.apart(found.own, None, words.of_100(found.own), widgets.is_dark()),
        ),
        (t("With “{other}”", other=found.other), charts.apart(found.own, with_it, alt, widgets.is_dark())),
        (
            t("Blind guess: 50. Exact, all {n} people", n=words.count(found.people)),
            charts.apart_axis("50, 75, 100", widgets.is_dark()),
        ),
    )


def _question(found: ToldApart) -> QuizQuestion:
    worst = max(OTHERS, key=lambda other: found.told[other])
    one, two, three = OTHERS
    return QuizQuestion(
        t("One is divorced, separated or widowed, one is not. Which answer tells most?"),
        (one, two, three),
        OTHERS.index(worst),
        t("“{other}”: {told} of 100 pairs.", other=worst, told=words.of_100(found.told[worst])),
    )


ATTACKER = Lesson(
    key="attacker",
    name=lambda: t("The other answers"),
    label=lambda: t("Sent openly beside it"),
    values=OTHERS,
    usual="sex",
    found=_found,
    title=_title,
    picture=_picture,
    question=_question,
    note=lambda: Note(
        5,
        t("What else does an attacker know about you: your age, your street, your phone?"),
        t(
            "“My answer is protected” is heard as “I am protected”. ε is of the report; what the other answers give "
            "away it cannot take back. No attacker does better with that one answer; with more of them somebody may. "
            "Review’s dot is an attack on some of these people, one more or less; below it stands the slide’s number."
        ),
    ),
    link=lambda found: Live(found.study, "review"),
)
