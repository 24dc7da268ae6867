"""Sensitive sets: items none of which is sensitive, and which together are. One hidden item hides the set."""

from dataclasses import dataclass

from ldpapp import words
from ldpapp.views.learn.lesson import Lesson, Note, QuizQuestion
from ldpapp.views.learn.pictures import Bar, bars
from ldpapp.views.papers.live import Live
from ldpapp.words.language import t
from ldpcore.papers.examples import BASKET, SensitivePair, sensitive_pair
from ldpcore.study import Source, Study

BOUGHT, MECHANISM = 2, "suRAP"
MARKED = ("0", "1", "2")
CERTAIN = 1 - 1e-9


@dataclass(frozen=True)
class TogetherLesson:
    """sure: of both of the pair, after the most telling report, with so many of them marked."""

    study: Study
    pair: SensitivePair
    sure: float


def _found(x: str) -> TogetherLesson:
    bare = Study(Source("groceries"), "items", mechanisms=(MECHANISM,), grid=(), repetitions=3, task="sets")
    study = bare.with_options(simulated=len(BASKET), m=BOUGHT, marked=int(x) / len(BASKET))
    pair = sensitive_pair(MECHANISM, study.epsilon, BOUGHT)
    return TogetherLesson(study, pair, pair.worst[int(x)])


def say(x: str) -> str:
    return {"0": t("neither"), "1": t("the medicine"), "2": t("both")}[x]


def _title(found: TogetherLesson) -> str:
    if found.sure > CERTAIN:
        return t("Neither item is sensitive: a report can prove both.")
    return t("No report makes a blind guesser surer of both than {n} of 100.", n=words.of_100(found.sure, most=True))


def _picture(found: TogetherLesson) -> None:
    rows = (
        (t("Sure of both, blind"), found.pair.blind, False),
        (t("After the most telling report"), found.sure, True),
    )
    bars(*(Bar(says, _of_100(share, main), share, chosen=main) for says, share, main in rows))


def _of_100(share: float, bound: bool) -> str:
    number = words.of_100(share, most=bound)
    return t("≤ {n} of 100", n=number) if bound and share < CERTAIN else t("{n} of 100", n=number)


def _question(found: TogetherLesson) -> QuizQuestion:
    return QuizQuestion(
        t("Toilet paper and medicine tell of illness. How many marks prevent proof?"),
        (t("one"), t("both"), t("none")),
        (found.pair.enough - 1) % 3,
        t("One mark: at most {one} of 100; two: {both}.",
          one=words.of_100(found.pair.worst[1], most=True), both=words.of_100(found.pair.worst[2], most=True)),
    )  # fmt: skip


TOGETHER = Lesson(
    key="together",
    name=lambda: t("Sensitive together"),
    label=lambda: t("Marked"),
    values=MARKED,
    usual="0",
    found=_found,
    title=_title,
    picture=_picture,
    question=_question,
    note=lambda: Note(
        4,
        t("Which two harmless things say something about you that neither says alone?"),
        t(
            "Marks are of items, sensitive is a set. One mark ends proof, no more: the other item is read, and helps "
            "to guess. The basket is that of the paper on sets: comb, shampoo, toilet paper, stomach medicine; here "
            "everybody bought two of them."
        ),
    ),
    link=lambda found: Live(
        found.study.with_options(marked=max(found.study.option("marked"), 1 / len(BASKET))), "set_error"
    ),
    say=say,
)
