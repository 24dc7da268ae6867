"""A coin toss and randomised response: the life of one report, step by step."""

from dataclasses import dataclass

from ldpapp import words
from ldpapp.charts.icons import Square
from ldpapp.parts.widgets import escape
from ldpapp.views.learn.lesson import Lesson, Note, QuizQuestion, among
from ldpapp.views.learn.pictures import Crowd, people
from ldpapp.views.learn.salary import YES, asked, live
from ldpapp.words.language import t
from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.study.frequency.two_answers import TwoAnswers

STEPS = ("1", "2", "3", "4")


@dataclass(frozen=True)
class Step:
    number: int
    of: TwoAnswers


def _title(step: Step) -> str:
    drawn = _squares(step.of)[1].count(Square.TURNED)
    titles = {
        1: t("{n} of 100 people would say “yes”.", n=words.of_100(step.of.share)),
        2: t("A coin makes {n} of these 100 change their answer.", n=drawn),
        3: t("So {n} of these 100 reports say “yes”, and none proves it.", n=words.of_100(step.of.reported)),
        4: t(
            "Calculated back: {n} of these 100 meant “yes”, {margin} points in 95 of 100 surveys.",
            n=words.of_100(step.of.estimate(step.of.reported)),
            margin=words.margin(asked(people=100).error),
        ),
    }
    return titles[step.number]


# Whom the coin strikes is scattered by a fixed rule, the golden section: as many as are expected, in no block.
def _squares(of: TwoAnswers) -> tuple[list[Square], list[Square], list[Square]]:
    """The same hundred people: their answers, whose coin changes it, and their reports."""
    yes, sent = round(100 * of.share), round(100 * of.reported)
    kept = round(100 * of.share * of.kept)
    scattered = sorted(range(100), key=lambda person: person * 0.6180339887 % 1)
    struck = {*[p for p in scattered if p < yes][: yes - kept], *[p for p in scattered if p >= yes][: sent - kept]}
    truth = [Square.SENSITIVE if person < yes else Square.EMPTY for person in range(100)]
    coin = [Square.TURNED if person in struck else Square.EMPTY for person in range(100)]
    report = [Square.SENSITIVE if (person < yes) != (person in struck) else Square.EMPTY for person in range(100)]
    return truth, coin, report


def _picture(step: Step) -> None:
    truth, coin, report = _squares(step.of)
    crowds = [Crowd(t("Income {answer}?<br>True answers", answer=escape(YES)), truth, t("The true answers"))]
    if step.number == 2:
        crowds.append(Crowd(t("Ring: the coin<br>changes it"), coin, t("Whose coin changes the answer")))
    elif step.number > 2:
        sent = t("Sent as “yes”:<br><b class='marked'>{n}</b>", n=words.of_100(step.of.reported))
        crowds.append(Crowd(sent, report, t("What is sent")))
    else:
        crowds.append(Crowd(t("Sent:<br>nothing yet"), [Square.EMPTY] * 100, t("Nothing is sent yet")))
    people(*crowds)


def _question(step: Step) -> QuizQuestion:
    return _ahead(step) if step.number < 3 else _back(step)


def _ahead(step: Step) -> QuizQuestion:
    """Before the reports are seen."""
    of = step.of
    options, place = among(100 * of.reported, (100 * of.share, 100 * (of.share + of.turned)), lambda n: f"{n:.0f}")
    return QuizQuestion(
        t("A bent coin changes each answer, “yes” or “no”, with a chance of {n} %. How many of 100 then say “yes”?",
          n=words.of_100(of.turned)),
        options,
        place,
        t("About {lost} stop saying it, and {won} begin.", lost=words.of_100(of.share * of.turned),
          won=words.of_100((1 - of.share) * of.turned)),
    )  # fmt: skip


def _back(step: Step) -> QuizQuestion:
    sent = round(100 * step.of.turned)
    right = abs(round(100 * step.of.estimate(sent / 100)))
    most = 100 * (step.of.estimate(sent / 100) + NORMAL_95 * asked(people=100).error)
    options, place = among(right, (sent / 2, sent), lambda n: words.count(n))
    return QuizQuestion(
        t("In another class {n} of 100 reports say “yes”. What is the best estimate of true ones?", n=sent),
        options,
        place,
        t("The coin alone makes {n}. Yet there may be up to {most}, by 95 of 100 surveys.", n=sent, most=f"{most:.0f}"),
    )


COIN = Lesson(
    key="coin",
    name=lambda: t("The life of a report"),
    label=lambda: t("Step"),
    values=STEPS,
    usual=STEPS[0],
    found=lambda x: Step(int(x), asked()),
    title=_title,
    picture=_picture,
    question=_question,
    note=lambda: Note(
        6,
        t("Draw a card: who has a spade lies. Who would now say “yes” to a question they would rather not answer?"),
        t(
            "Pupils take a report for a lie. It is noise with a known chance: that is why it can be counted out. Take "
            "the steps slowly; at step 2 let them count the rings."
        ),
    ),
    link=lambda step: live(step.of),
)
