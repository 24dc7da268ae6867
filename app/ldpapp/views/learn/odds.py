"""What ε means: how many times as likely a report is if it is true."""

from ldpapp import words
from ldpapp.charts.icons import Square
from ldpapp.views.learn.lesson import Lesson, Note, QuizQuestion, among
from ldpapp.views.learn.pictures import Bar, Crowd, filled, people
from ldpapp.views.learn.salary import asked, live
from ldpapp.words.language import t
from ldpcore.study.frequency.two_answers import TwoAnswers


def _title(of: TwoAnswers) -> str:
    return t(
        "ε = {eps}: a “yes” is {times} as likely if it is true.",
        eps=words.epsilon(of.study.epsilon),
        times=words.times(of.kept / of.turned),
    )


def _picture(of: TwoAnswers) -> None:
    true = t("100 true “yes”:<br><b class='marked'>{n}</b> send “yes”", n=words.of_100(of.kept))
    false = t("100 true “no”:<br><b class='marked'>{n}</b> send “yes”", n=words.of_100(of.turned))
    crowds = [
        Crowd(says, filled(chance, Square.SENSITIVE), words.chance_of_100(chance))
        for says, chance in ((true, of.kept), (false, of.turned))
    ]
    people(*crowds, between=t("{n}×", n=words.ratio(of.kept / of.turned)))


def _question(of: TwoAnswers) -> QuizQuestion:
    options, place = among(of.believed(of.share), (of.share, of.kept), words.percent)
    after = of.believed(of.share)
    return QuizQuestion(
        t("Sam’s report says “yes”. How sure can you be that it is true?"),
        options,
        place,
        t("The odds grow {times}.", times=words.times(of.kept / of.turned)),
        (
            Bar(t("before the report"), words.chance_of_100(of.share), of.share),
            Bar(t("after a “yes”"), words.chance_of_100(after), after, chosen=True),
        ),
    )


ODDS = Lesson(
    key="odds",
    name=lambda: t("What ε means"),
    label=lambda: t("Choose ε"),
    values=("0.5", "1", "2", "3"),
    usual="1",
    found=lambda x: asked(float(x)),
    title=_title,
    picture=_picture,
    question=_question,
    note=lambda: Note(
        6,
        t("Which ε would you accept for your own answer, and for which question?"),
        t(
            "The chance of a “yes” is taken for the chance that it is true. Let the class answer before anybody "
            "counts: what was known before matters as much as the report."
        ),
    ),
    link=live,
)
