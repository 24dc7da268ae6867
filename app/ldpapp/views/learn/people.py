"""More people help, by how much."""

from dataclasses import dataclass

from ldpapp import words
from ldpapp.views.learn.lesson import Lesson, Note, QuizQuestion, among
from ldpapp.views.learn.pictures import Bar, bars
from ldpapp.views.learn.salary import asked, live
from ldpapp.words.language import t
from ldpcore.study.frequency.two_answers import TwoAnswers

PEOPLE_ASKED = ("100", "1000", "10000", "100000")


@dataclass(frozen=True)
class Crowds:
    """How many are asked, the question asked of each number of people, and of other numbers."""

    people: int
    each: dict[int, TwoAnswers]

    @property
    def error(self) -> float:
        return self.each[self.people].error


def _found(x: str) -> Crowds:
    return Crowds(int(x), {int(n): asked(people=int(n)) for n in PEOPLE_ASKED})


def _title(found: Crowds) -> str:
    return t(
        "{n} people: in 95 of 100 surveys their share is known to {margin} points.",
        n=words.count(found.people),
        margin=words.margin(found.error),
    )


def _picture(found: Crowds) -> None:
    longest = max(of.error for of in found.each.values())
    bars(
        *(
            Bar(
                t("{n} people", n=words.count(n)),
                words.margin(of.error),
                of.error / longest,
                chosen=n == found.people,
            )
            for n, of in found.each.items()
        )
    )


def _question(found: Crowds) -> QuizQuestion:
    half = found.error / 2
    numbers = [times * found.people for times in (2, 4, 10)]
    right = min(numbers, key=lambda n: abs(asked(people=n).error - half))
    options, place = among(right, [n for n in numbers if n != right], words.count)
    return QuizQuestion(
        t("How many people would make that half as wide?"),
        options,
        place,
        t("The error falls with the square root of the people: {n} times as many.", n=right // found.people),
    )


PEOPLE = Lesson(
    key="people",
    name=lambda: t("More people help"),
    label=lambda: t("People"),
    values=PEOPLE_ASKED,
    usual="1000",
    found=_found,
    title=_title,
    picture=_picture,
    question=_question,
    note=lambda: Note(
        4,
        t("How many are we in this room, and how wide would our ± be?"),
        t("“Twice as many, half the error” is what everybody says. Let them choose before the bars are compared."),
    ),
    link=lambda found: live(found.each[found.people]),
    say=lambda x: words.count(int(x)),
)
