"""Behind a click: who gives an answer away together, each marked answer by itself, and the question asked again."""

import math
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from ldpapp import words
from ldpapp.parts import panels, widgets
from ldpapp.parts.panels import Control, Html, Line, Panel, Reach, Sheet
from ldpapp.runtime import capture
from ldpapp.state import column_actions
from ldpapp.views.review import again, extras, sentences
from ldpapp.words.language import t
from ldpcore.questionnaire import Predictor
from ldpcore.study import Study, review
from ldpcore.study.review import tables
from ldpcore.study.review.facts import QuestionFacts, ReviewFacts

ANSWERS = 60
"""Marked answers that the page shows one by one; the table has all."""


def show(study: Study, people: review.SurveyTable, here: review.HiddenSurvey, main: QuestionFacts) -> None:
    """The folds of the page; what is in them is made only when they are open. main: the question in focus; paper, which
    cannot turn to another, has those of the one that is told apart most.
    """
    if capture.wanted() and main.survey.most_exposed:
        main = main.survey.most_exposed[0]
    if main.own is None:
        return
    if main.pairs is not None:
        panels.fold(
            extras.FOLD,
            t("Who gives {question} away together", question=words.shorten(main.asked.name, 30)),
            "",
            lambda: (_which(here, main), _given_away(study, people, here, main)),
        )
    panels.fold(
        "fold_review_answers",
        t("Each marked answer by itself"),
        "",
        lambda: panels.show(lambda: answers(main.survey)),
    )
    panels.fold(
        "fold_review_again",
        t("{question} asked again", question=words.shorten(main.asked.name, 30)),
        "",
        lambda: (_which(here, main), panels.show(lambda: again.panel(study, here, main))),
    )


def _which(here: review.HiddenSurvey, main: QuestionFacts) -> None:
    """A report says which question a fold is of."""
    if len(here.hidden) > 1:
        text = t(
            "For <b>{question}</b>, told apart most; for the others see the table “Question by question”.",
            question=widgets.escape(main.asked.name),
        )
        capture.piece(capture.Words(text, "sub"))


def _given_away(study: Study, people: review.SurveyTable, here: review.HiddenSurvey, main: QuestionFacts) -> None:
    panels.row(lambda: together(study, people, here, main), lambda: change(study, people, main), widths=[50, 50])
    panels.show(lambda: extras.panel(study, people, main))


# answer by answer ------------------------------------------------------------------------------------------------


def answers(known: ReviewFacts) -> Panel:
    """What is learned of each marked answer to any question, and in how many pairs it is told apart."""
    every = tables.answers(known.every)
    heads = (t("question"), t("answer"), t("of 100 people"), t("± 95 %, points"), t("told apart, of 100 pairs"))
    rows = "".join(_answer(known, row) for row in every[:ANSWERS].itertuples(index=False))
    head = "".join(f"<th>{title}</th>" for title in heads)
    more = len(every) - ANSWERS
    return Panel(
        "answers",
        t("How exact, and who is told apart"),
        [
            Html(f'<div class="card"><table><tr>{head}</tr>{rows}</table></div>'),
            *([Line(t("{n} more in the table.", n=more))] if more > 0 else []),
        ],
        t("Pairs of a person with the answer and one with any other; in brackets 95 % for all of a question at once."),
        [Sheet(every, "answers")],
        reach=Reach.INTERNAL,
    )


def _answer(known: ReviewFacts, row: Any) -> str:
    question, answer, share, margin, rare, pairs, low, high = row
    exact = t("{margin}: too rare to measure", margin=words.points(margin)) if rare else words.points(margin)
    apart = t("too few people to try, or not yet") if pd.isna(pairs) else words.of_100(pairs)
    if not pd.isna(low) and low < high:
        apart = t("{pairs} ({low}–{high})", pairs=apart, low=words.of_100(low), high=words.of_100(high))
    cells = (
        widgets.escape(words.shorten(question, 30)),
        widgets.escape(sentences.answer(known.every[question], answer)),
        words.share(share).removesuffix("\u00a0%"),
        exact,
        apart,
    )
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


# together --------------------------------------------------------------------------------------------------------


def together(study: Study, people: review.SurveyTable, here: review.HiddenSurvey, main: QuestionFacts) -> Panel:
    predictors = main.survey.together(main)
    question = widgets.escape(main.asked.name)
    rows = "".join(_giver(place, giver) for place, giver in enumerate(predictors, 1))
    first = t("own report")
    head = "".join(f"<th>{title}</th>" for title in ("", t("told apart, of 100 pairs"), t("more, ± 95 %")))
    first_row = f"<tr><td>{first}</td><td>{words.of_100(main.own or 0.5)}</td><td></td></tr>"
    none = Line(t("No other answer adds anything beyond chance."))
    surest = sentences.surest(main, question)
    others = words.plural(len(here.others(main.asked.name)), t("other question"), t("other questions"))
    family = t(
        "All numbers are measured on the attacked people, by the strongest attacker of those tried, and need not "
        "add up. Every ± 95 % in this fold is wide enough for {others} at once: whichever looks worst was chosen "
        "among them.",
        others=others,
    )
    if main.exact:
        family = t(
            "The own report’s number is exact; all others are measured on the attacked people, by the strongest "
            "attacker of those tried, and need not add up. Every ± 95 % in this fold is wide enough for {others} at "
            "once: whichever looks worst was chosen among them.",
            others=others,
        )
    return Panel(
        "together",
        t("One answer after the other"),
        [
            Html(f'<div class="card"><table><tr>{head}</tr>{first_row}{rows}</table></div>'),
            *([] if predictors else [none]),
            Line(family),
            *([Line(surest)] if surest else []),
        ],
        t(
            "Each is the one that tells most about a {kind} <b>{question}</b> beside those above it.",
            kind=sentences.kind(main),
            question=question,
        ),
        [Sheet(pd.DataFrame([vars(giver) for giver in predictors]), "together")],
        reach=Reach.INTERNAL,
    )


def _giver(place: int, giver: Predictor) -> str:
    name = widgets.escape(words.shorten(giver.column, 30))
    text = t("{place}. and <b>{name}</b>", place=place, name=name)
    more = t("{gain} ± {half}", gain=_signed(giver.gain), half=_points((giver.high - giver.low) / 2))
    return f"<tr><td>{text}</td><td>{words.of_100(giver.pairs)}</td><td>{more}</td></tr>"


def _signed(gap: float) -> str:
    return words.signed(round(100 * gap, 1))


def _points(half: float) -> str:
    return f"{max(100 * half, 0.1):.1f}"


def change(study: Study, people: review.SurveyTable, main: QuestionFacts) -> Panel | None:
    """What hiding or dropping the worst giver would change."""
    if (
        main.worst is None or main.worst.column in main.survey.asked.known
    ):  # what is known is neither hidden nor dropped
        return None
    column = main.worst.column
    changes = main.survey.changes(main, column) or []
    text = "<hr>".join(_changed(each, column) for each in changes)
    some = next((each.answers for each in changes if each.answers and not each.none), ())
    return Panel(
        "change",
        t("If {giver} were not told", giver=widgets.escape(words.shorten(column, 30))),
        [
            Html(f'<div class="card">{text}</div>'),
            *([Line(_floor(main))] if main.exact and any(each.after == main.own for each in changes) else []),
            Control(partial(_buttons, people, column, some)),
        ],
        t("Of 100 pairs, told apart now → then; the difference is between attacks on the same people."),
        [Sheet(pd.DataFrame([vars(each) for each in changes]), "change")],
        reach=Reach.INTERNAL,
    )


def _floor(main: QuestionFacts) -> str:
    """What no change goes below, where one goes as far."""
    return t(
        "The own report alone tells {own} of 100, exact: whoever ignores all else does no worse, whatever is hidden.",
        own=words.of_100(main.own or 0.5),
    )


def _buttons(people: review.SurveyTable, column: str, some: tuple[str, ...]) -> None:
    """One click that hides these answers alone, and one that does not ask the question at all."""
    with capture.unsaid(), st.container(horizontal=True, gap="medium", key="change_buttons"):
        if some:
            label = t("Hide only {answers}", answers=words.plural(len(some), t("answer"), t("answers")))
            st.button(label, key="change_some", on_click=column_actions.set_marks, args=(column, some))
        extras.drop(people, column, "change_drop")


def _changed(each: review.ExposureChange, column: str) -> str:
    giver = widgets.escape(words.shorten(column, 30))
    gap, half = _signed(each.gap), _points(each.half)
    became = t("{gap} ± {half}", gap=gap, half=half)
    if each.none:
        became = t("no change: {gap} ± {half} can be chance", gap=gap, half=half)
    if each.how == "dropped":
        text = t("<b>Dropped</b>: {giver} is not asked, and nothing is known of it.", giver=giver)
    elif each.how == "marked":
        text = t(
            "<b>Only {answers} hidden</b>: as few answers to {giver} as hide no less than all of them, beyond chance. "
            "Its shares are then off by {error} points.",
            answers=widgets.escape(words.listing(words.shorten(answer, 24) for answer in each.answers)),
            giver=giver,
            error=words.points(each.margin),
        )
    else:
        text = t(
            "<b>Hidden</b>: all answers to {giver} go through a mechanism. Its shares, now exact, are then off by "
            "{error} points.",
            giver=giver,
            error=words.points(each.margin),
        )
    odds = words.times(math.exp(each.epsilon), most=True)
    text = t(
        "{text} All reports of a person then raise the odds up to {odds} (ε = {eps}).",
        text=text,
        odds=odds,
        eps=words.epsilon(each.epsilon),
    )
    before, after = words.of_100(each.before), words.of_100(each.after)
    return (
        f'<div><span class="big">{before} → {after}</span> <span class="quiet">{became}</span></div><div>{text}</div>'
    )
