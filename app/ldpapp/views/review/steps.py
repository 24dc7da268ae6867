"""The guide's questions: what is asked, and the widgets that answer it in the Study."""

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from ldpapp import words
from ldpapp.parts import spelling_variants, widgets
from ldpapp.parts.panels import Control, Line, Part, RowOfParts
from ldpapp.runtime import capture
from ldpapp.state import actions, controlled, model
from ldpapp.views.review import exactness, extras, marking, planner, sentences, sidebar, signing
from ldpapp.views.review.guided import GuideState, Step, named
from ldpapp.words.language import t
from ldpcore.study import Study, review

TAPPED = 24
"""Questions that are switched on and off one by one; more are chosen from a list."""


# what is asked ---------------------------------------------------------------------------------------------------


def _asks(asked: GuideState) -> Step:
    names = review.questions(model.table())
    out = [str(name) for name in model.table().frame.columns if str(name) not in names]
    parts: list[Part] = [Control(partial(_choose, asked.study, names))]
    if out:
        parts.append(
            Line(
                t(
                    "Left out: {names}. They number people, or everybody answers the same.",
                    names=widgets.escape(words.listing(words.shorten(name, 30) for name in out[:6])),
                )
            )
        )
    return (
        t("What do you ask?"),
        (
            t(
                "Invented answers to begin with; your own file opens on the page Data. Nobody answers what is not "
                "asked; other answers may tell it."
            )
            if model.is_public()
            else t("Nobody answers what is not asked; other answers may tell it.")
        ),
        parts,
    )


def _choose(study: Study, names: tuple[str, ...]) -> None:
    few, chosen = len(names) <= TAPPED, [name for name in names if name in study.option("columns")] or list(names)
    left, middle, right = st.columns([24, 52, 24], gap="medium")
    with left:
        controlled.bound(
            st.selectbox, t("Answers of"), model.names(), key="guide_data", value=model.table().name,
            change=actions.open_data, format_func=model.title,
        )  # fmt: skip
    with middle:
        same: dict[str, Any] = {"key": "guide_columns", "value": chosen, "change": sidebar.ask}
        if few:
            controlled.bound(
                st.pills, t("Questions of the survey"), names, selection_mode="multi", format_func=words.literal, **same
            )
        else:
            controlled.bound(st.multiselect, t("Questions of the survey"), names, **same)
        if problem := sidebar.too_few():
            st.html(f'<div class="sub" role="alert"><b>{problem}</b></div>')
    with right:
        sidebar.focus(study, chosen, t("The question that the page speaks of"), "guide_focus")
        sidebar.known_anyway(study, names, "guide_known")


# what is delicate ------------------------------------------------------------------------------------------------


def _delicate(asked: GuideState) -> Step:
    about = t(
        "Tap what somebody would rather not give openly. The answers to its question go through a mechanism, which "
        "changes them at random; questions without a mark stay open and exact."
    )
    parts: list[Part] = [Control(partial(marking.propose, asked.study, asked.people))]
    parts.append(Control(partial(marking.every, asked.study, asked.people)))
    if asked.study.column in asked.people.questions:
        several = spelling_variants.twice(asked.people.histogram(asked.study.column).domain.labels)
        parts += [Line(several)] if several else []
    return t("What is delicate?"), about, parts


# how many people -------------------------------------------------------------------------------------------------


def _people(asked: GuideState) -> Step:
    about = t(
        "The more people answer, the less the noise of each answer counts. Plan more, or fewer, than the file has."
    )
    file = t("In the file {n} people have answered all questions.", n=words.count(asked.people.n))
    if asked.main is not None:
        file = t(
            "In the file {n} people have answered all questions. With {people}, a {kind} share of {question} is off "
            "by up to {error} points (95 %).",
            kind=sentences.kind(asked.main),
            n=words.count(asked.people.n),
            people=words.count(asked.study.n or asked.people.n),
            question=named(asked.main),
            error=words.points(asked.main.margin),
        )

    def number() -> None:
        with st.container(width=240):
            planner.people(asked.study, asked.people, "guide_people")

    return t("How many people?"), about, [Control(number), Line(file)]


# who attacks -----------------------------------------------------------------------------------------------------


def _attacks(asked: GuideState) -> Step:
    about = t(
        "Other answers can give a marked one away: who sees that somebody is a husband knows a marital status without "
        "any report of it."
    )
    labels = {
        "every": t("Everyone who sees all that a person sends: all answers, side by side"),
        "own": t("Only somebody who sees one report, and knows nothing else of the person"),
    }

    def choice() -> None:
        controlled.bound(
            st.radio, t("Who might attack"), list(labels), key="guide_attacker", format_func=labels.__getitem__,
            value=asked.study.option("attacker"), change=partial(sidebar.choose, "attacker"),
            label_visibility="collapsed",
        )  # fmt: skip

    parts: list[Part] = [Control(choice)]
    if asked.main is not None and asked.main.most is not None:
        parts.append(
            Line(
                t(
                    "Told apart in {n} of 100 pairs: of two people, one with a {kind} {question} and one without, "
                    "the right one is picked so often. Guessing gets 50.",
                    kind=sentences.kind(asked.main),
                    n=words.of_100(asked.main.most),
                    question=named(asked.main),
                )
            )
        )
    return t("Who might attack?"), about, parts


# the end ---------------------------------------------------------------------------------------------------------


def _done(asked: GuideState) -> Step:
    if asked.known is None:
        return t("Nothing is hidden yet"), t("No answer is marked: see “delicate” above."), []
    known = asked.known

    def save() -> None:
        capture.save_here(st.container(key="report_here"))

    beside: list[Part] = [Control(partial(signing.title, asked.study)), Control(save)]
    beside.append(Control(partial(signing.round_up, known)))
    beside += [Line(text) for text in (exactness.missed(known), signing.given(known), signing.alone(known)) if text]
    beside += [Control(partial(each, known)) for each in (signing.clicks, signing.less_alone, extras.safer)]
    names = review.questions(model.table())
    beside.append(Control(partial(sidebar.known_anyway, asked.study, names, "sign_known")))
    parts = RowOfParts([[Control(partial(signing.page, known))], beside], [69, 31], {"gap": "medium"})
    return t("What you sign"), "", [parts]


STEPS: dict[int, Callable[[GuideState], Step]] = dict(
    enumerate((_asks, _delicate, _people, exactness.step, _attacks, _done), 1)
)
