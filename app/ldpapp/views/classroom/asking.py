"""The question for a class, as it is typed: what is kept is a client that nothing has checked yet."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from ldpapp import words
from ldpapp.classroom import MOST_SEATS
from ldpapp.parts import widgets
from ldpapp.parts.panels import Control, Panel
from ldpapp.state import actions, controlled
from ldpapp.state.model import ClassDraft, state, study_of, table
from ldpapp.views.tasks import TASKS
from ldpapp.words import glossary, language
from ldpapp.words.language import t
from ldpcore import catalog, client
from ldpcore.client import Client
from ldpcore.client.client import LONGEST
from ldpcore.data import DataError
from ldpcore.integer_law import MOST_VALUES

USUAL, PUPILS = "uSS", 28
EPSILON = tuple(round(0.1 * tenth, 1) for tenth in range(1, 51))


def sample() -> ClassDraft:
    """Where everybody begins."""
    answers = (t("never"), t("once"), t("a few times"), t("often"))
    hidden = (False, False, True, True)
    return ClassDraft(Client(USUAL, 2.0, answers, hidden, t("How often have you copied homework?")), PUPILS)


def draft() -> ClassDraft:
    return state().draft or sample()


def checked(made: ClassDraft) -> Client:
    """The client, as it would run; ValueError with a sentence where it cannot."""
    asked = made.client
    if not asked.question.strip():
        raise ValueError("write the question that the pupils read")
    if not 2 <= len(asked.answers) <= MOST_VALUES:
        raise ValueError(f"give between 2 and {MOST_VALUES} answers, one a line; there are {len(asked.answers)}")
    if catalog.FREQUENCY[asked.key].uses_marks and not any(asked.sensitive):
        raise ValueError("choose which answers stay hidden, or a mechanism that hides every answer")
    return Client.of(asked.key, asked.epsilon, asked.answers, asked.sensitive, asked.question.strip())


def sorry(why: str) -> str:
    """The engine's words as a sentence in a box."""
    text = widgets.escape(f"{why[:1].upper()}{why[1:]}.")
    return f'<div class="box" style="background:{widgets.colors().tint}"><p><b>{text}</b></p></div>'


def panel(made: ClassDraft) -> Panel:
    return Panel("ask", t("What pupils are asked"), [Control(partial(_form, made))], head=[Control(_starts)])


# widgets ---------------------------------------------------------------------------------------------------------


def _form(made: ClassDraft) -> None:
    asked = made.client
    says = glossary.of(catalog.FREQUENCY[asked.key])
    language.notice(says)
    controlled.bound(
        st.text_input, t("Question"), key="class_question", value=asked.question, change=partial(_set, "question"),
        max_chars=LONGEST,
    )  # fmt: skip
    controlled.bound(
        st.text_area, t("Answers, one a line"), key="class_answers", value="\n".join(asked.answers), change=_answers,
        height=118,
    )  # fmt: skip
    controlled.bound(
        st.pills, t("Which stay hidden: nobody can prove them from a report"), range(len(asked.answers)),
        key="class_hidden", value=[v for v, mark in enumerate(asked.sensitive) if mark], change=_hide,
        selection_mode="multi", format_func=partial(_name, asked.answers),
    )  # fmt: skip
    controlled.bound(
        st.selectbox, t("How phones draw"), client.offered(), key="class_mechanism", value=asked.key,
        change=partial(_set, "key"), format_func=_mechanism,
        help=words.literal(says),
    )  # fmt: skip
    left, right = st.columns([62, 38])
    with left:
        controlled.bound(
            st.select_slider, t("ε: how much one report may tell"), EPSILON, key="class_epsilon",
            value=asked.epsilon, change=partial(_set, "epsilon"),
        )  # fmt: skip
    with right:
        controlled.bound(
            st.number_input, t("Pupils"), 2, MOST_SEATS, key="class_pupils", value=made.pupils, change=_pupils,
            help=t("How many reports the room takes, one from each phone."),
        )  # fmt: skip


def _name(answers: Sequence[str], v: int) -> str:
    return words.literal(answers[v])


def _mechanism(key: str) -> str:
    entry = catalog.FREQUENCY[key]
    if entry.uses_marks:
        return t("{key}: hides the chosen answers. {label}", key=key, label=entry.label)
    return t("{key}: hides every answer. {label}", key=key, label=entry.label)


def _set(name: str, value: Any) -> None:
    made = draft()
    actions.ask(replace(made, client=replace(made.client, **{name: value})))


def _answers(text: str) -> None:
    """An answer that was hidden stays so, wherever it stands now."""
    asked = draft().client
    hidden = {answer for answer, mark in zip(asked.answers, asked.sensitive, strict=True) if mark}
    answers = tuple(filter(None, map(str.strip, text.splitlines())))
    _ask(answers, [answer in hidden for answer in answers])


def _hide(chosen: Sequence[int]) -> None:
    answers = draft().client.answers
    _ask(answers, [v in chosen for v in range(len(answers))])


def _ask(answers: tuple[str, ...], hidden: Sequence[bool]) -> None:
    made = draft()
    actions.ask(replace(made, client=replace(made.client, answers=answers, sensitive=tuple(hidden))))


def _pupils(pupils: int) -> None:
    actions.ask(replace(draft(), pupils=int(pupils)))


def _starts() -> None:
    """Ways to begin: the sample, or the answers of the column that the other pages are about."""
    with st.popover(t("start from …"), type="tertiary"):
        st.button(t("The sample"), key="class_sample", on_click=_sample)
        column = _column()
        if column is None:
            st.caption(t("The column in focus has no 2 to {most} answers to take over.", most=words.count(MOST_VALUES)))
            return
        name, answers, hidden = column
        label = t("The {k} answers of “{column}”", k=len(answers), column=words.literal(name))
        st.button(label, key="class_column", on_click=_take, args=(name, answers, hidden))
        if study_of("frequency").marks.secret:
            st.caption(t("Phones know one level: private and secret answers are hidden alike, with the ε chosen here."))


def _sample() -> None:
    actions.ask(sample())


def _take(name: str, answers: tuple[str, ...], hidden: tuple[bool, ...]) -> None:
    made = draft()
    asked = replace(made.client, question=t("What is your answer to “{column}”?", column=name))
    actions.ask(replace(made, client=replace(asked, answers=answers, sensitive=hidden)))


def _column() -> tuple[str, tuple[str, ...], tuple[bool, ...]] | None:
    """The column in focus, its answers and which are marked; None where it has too few or too many."""
    study = study_of("frequency")
    try:
        counted = TASKS["frequency"].data(study, table())
    except (DataError, TypeError, ValueError):
        return None
    labels = tuple(map(str, counted.domain.labels))
    if not 2 <= len(labels) <= MOST_VALUES:
        return None
    return study.column, labels, tuple(label in study.marks.values for label in labels)
