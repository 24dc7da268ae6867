"""Why marking helps, and whom it exposes."""

from dataclasses import dataclass
from functools import cache

from ldpapp import words
from ldpapp.charts.icons import Square
from ldpapp.compute import bundled
from ldpapp.views.learn.lesson import Lesson, Note, QuizQuestion
from ldpapp.views.learn.pictures import Crowd, filled, people
from ldpapp.views.papers.live import Live
from ldpapp.words.language import t
from ldpcore.data import BUNDLED
from ldpcore.study import Marks, Source, Study, frequency
from ldpcore.study.frequency.facts import FrequencyFacts, ShareFacts, facts

DATA, COLUMN = "health", "condition"
ONLY, EVERY = "uSS", "SS"
MARKED = ("2", "5", "10")


@dataclass(frozen=True)
class MarkingLesson:
    """The same survey with these marks, and then with some more of them. gain: how many times as exact they make all
    shares, and those of the marked answers.
    """

    study: Study
    then: Study
    gain: dict[str, float]
    only: ShareFacts
    more: ShareFacts


@cache
def _study(count: int) -> Study:
    """The first marks that come with the data; more than those, of the other answers too."""
    labels = frequency.prepare(Study(Source(DATA), COLUMN, grid=()), bundled(DATA)).domain.labels
    first = BUNDLED[DATA].default_marks
    chosen = [*first, *(label for label in labels if label not in first)][:count]
    return Study(Source(DATA), COLUMN, Marks.of(chosen), (EVERY, ONLY), grid=(), repetitions=3)


def _facts(study: Study) -> FrequencyFacts:
    return facts(study, frequency.prepare(study, bundled(DATA)))


def _found(x: str) -> MarkingLesson:
    study, then = _study(int(x)), _study(int(x) + 3)
    known, more = _facts(study), _facts(then)
    return MarkingLesson(study, then, known.gain, known.every[ONLY], more.every[ONLY])


def _title(found: MarkingLesson) -> str:
    return t(
        "{n} of {k} marked: these {own} as exact, all {times}; {seen} of 100 others are seen.",
        n=int(found.only.marked.sum()),
        k=len(found.only.marked),
        times=words.ratio(found.gain["all"]),
        own=words.times(found.gain["sensitive"]),
        seen=words.of_100(found.only.shown),
    )


def _picture(found: MarkingLesson) -> None:
    hidden = found.only.over(found.only.mechanism.disclosure(), found.only.marked)
    says = (
        (t("100 marked answers,<br>seen: <b class='marked'>{n}</b>", n=words.of_100(hidden)), hidden),
        (t("100 other answers,<br>seen: <b>{n}</b>", n=words.of_100(found.only.shown)), found.only.shown),
    )
    people(*(Crowd(label, filled(chance, Square.SHOWN), words.chance_of_100(chance)) for label, chance in says))


def _question(found: MarkingLesson) -> QuizQuestion:
    now, then = found.only.error(), found.more.error()
    return QuizQuestion(
        t(
            "Mark {names} too. What happens to the error of all?",
            names=words.listing([name for name in found.then.marks.values if name not in found.study.marks.values]),
        ),
        (t("smaller"), t("the same"), t("larger")),
        0 if then < now else 2 if then > now else 1,
        t("It goes from {now} to {then} points.", now=words.margin(now), then=words.margin(then)),
    )


MARKING = Lesson(
    key="marking",
    name=lambda: t("Why marking helps"),
    label=lambda: t("Marked answers"),
    values=MARKED,
    usual="5",
    found=_found,
    title=_title,
    picture=_picture,
    question=_question,
    note=lambda: Note(
        5,
        t("Which of these illnesses would you mark, and who should decide: the person, or the collector?"),
        t(
            "“Protected” is heard for everybody. Say whom it exposes: who has an unmarked answer may be seen. A report "
            "also shows that an answer is not a marked one."
        ),
    ),
    link=lambda found: Live(found.study, "error"),
)
