"""Sensitive sets: items none of which is sensitive, and which together are. One hidden item hides the set."""

from dataclasses import dataclass

from ldpapp import words
from ldpapp.views.learn.lesson import Lesson, Note, QuizQuestion
from ldpapp.views.learn.pictures import Bar, bars
from ldpapp.views.papers.live import Live
from ldpapp.words.language import t
from ldpcore.catalog import SETS
from ldpcore.study import Source, Study

ITEMS = ("toilet paper", "stomach medicine", "comb", "shampoo")
"""The purchases of SULDP's own example; the first two together tell of an illness."""
BOUGHT, MECHANISM = 2, "suRAP"
MARKED = ("0", "1", "2")


@dataclass(frozen=True, eq=False)
class TogetherLesson:
    """Everybody bought two of the four items, any two as often. So many of the sensitive pair are marked; `worst`: how
    sure the most telling report makes of both, for each number of marks.
    """

    study: Study
    marked: int
    blind: float
    worst: tuple[float, ...]

    @property
    def sure(self) -> float:
        return self.worst[self.marked]

    @property
    def enough(self) -> int:
        """The fewest marks with which no report proves both."""
        return next(count for count, worst in enumerate(self.worst) if worst < 1 - 1e-9)


def _found(x: str) -> TogetherLesson:
    bare = Study(Source("groceries"), "items", mechanisms=(MECHANISM,), grid=(), repetitions=3, task="sets")
    study = bare.with_options(simulated=len(ITEMS), m=BOUGHT, marked=int(x) / len(ITEMS))
    worst = tuple(_worst(study.epsilon, count) for count in range(len(MARKED)))
    return TogetherLesson(study, int(x), _blind(study.epsilon), worst)


def _both(epsilon: float, count: int):
    """The mechanism with so many marks, and which of all sets hold the pair, (sets,)."""
    built = SETS[MECHANISM].build(epsilon, len(ITEMS), [place < count for place in range(len(ITEMS))], BOUGHT)
    return built, (built.all_sets() < 2).all(axis=1)


def _blind(epsilon: float) -> float:
    return float(_both(epsilon, 0)[1].mean())


def _worst(epsilon: float, count: int) -> float:
    """Over all reports: the largest chance of both after one."""
    built, both = _both(epsilon, count)
    sent = built.channel().matrix
    sent = sent[:, sent.any(axis=0)]
    return float((sent[both].sum(axis=0) / sent.sum(axis=0)).max())


def say(x: str) -> str:
    return {"0": t("neither"), "1": t("the medicine"), "2": t("both")}[x]


def _title(found: TogetherLesson) -> str:
    if found.sure > 1 - 1e-9:
        return t("Neither item is sensitive, both are: a report can prove both.")
    return t("No report makes anybody surer of both than {n} of 100.", n=words.of_100(found.sure))


def _picture(found: TogetherLesson) -> None:
    rows = (
        (t("Sure of both, blind"), found.blind, False),
        (t("After the most telling report"), found.sure, True),
    )
    bars(*(Bar(says, t("{n} of 100", n=words.of_100(share)), share, chosen=main) for says, share, main in rows))


def _question(found: TogetherLesson) -> QuizQuestion:
    return QuizQuestion(
        t("Toilet paper and medicine tell of an illness together. How many must be marked?"),
        (t("none"), t("one"), t("both")),
        found.enough,
        t("One mark: at most {one} of 100; two: {both}.",
          one=words.of_100(found.worst[1]), both=words.of_100(found.worst[2])),
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
    link=lambda found: Live(found.study, "set_error"),
    say=say,
)
