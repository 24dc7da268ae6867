"""Which answers are sensitive, tapped question by question: the very marks of the Data page."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial

import streamlit as st

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.state import column_actions, column_settings, controlled, view_options
from ldpapp.state.model import study_of, workspace
from ldpapp.views.review import proposal, sidebar
from ldpapp.words.language import t
from ldpcore.study import Study, review
from ldpcore.study.definition import SECRET, SENSITIVE
from ldpcore.study.review import uniques

TAPPED, QUESTIONS = 24, 16
"""Answers of a question that are tapped one by one, more are chosen from a list; questions that are shown at once."""
STEP = 2
"""The guide's step that marks."""


def every(study: Study, people: review.SurveyTable) -> None:
    """The answers to every question, to tap; of many questions those with marks or proposals, and the one in focus."""
    names = people.separate
    shown: Sequence[str] = names
    if len(names) > QUESTIONS:
        first = {*proposal.marked(study), *proposal.proposed(study, people).marks, study.column}
        rest = [name for name in names if name not in first]
        shown = [name for name in names if name in {*first, *rest[: max(0, QUESTIONS - len(first))]}]
    with st.container(key="review_tap", gap="small"):
        for name in shown:
            _tapped(people, name)
    if len(names) > len(shown):
        sidebar.focus(study, list(names), t("Another question"), "guide_focus")


def _tapped(people: review.SurveyTable, name: str) -> None:
    """One question and its answers."""
    labels, marked = list(people.labels(name)), set(proposal.marked_in(name, people.ranges.get(name)))
    same = {
        "key": f"guide_marks_{name}",
        "value": [label for label in labels if label in marked],
        "change": partial(_tap, name),
        "label_visibility": "collapsed",
    }
    left, right = st.columns([18, 82], gap="small", vertical_alignment="center")
    left.html(f'<div class="tap">{widgets.escape(words.shorten(name, 40))}</div>')
    title = t("Sensitive answers to {question}", question=words.literal(name))
    with right:
        if len(labels) > TAPPED:
            controlled.bound(st.multiselect, title, labels, format_func=_short, **same)
        else:
            controlled.bound(st.pills, title, labels, selection_mode="multi", format_func=_written, **same)


def _short(label: str) -> str:
    return words.shorten(review.MARKS.written(label, t(" to ")), 40)


def _written(label: str) -> str:
    return words.literal(_short(label))


def _tap(name: str, labels: Iterable[str]) -> None:
    """What is marked by a tap stands there to tap on."""
    column_actions.set_marks(name, labels)
    view_options.choose(sidebar.GUIDE, STEP)


def take(marks: Mapping[str, Sequence[str]]) -> None:
    """Mark these beside what is marked."""
    for name, labels in marks.items():
        column_actions.set_marks(name, dict.fromkeys((*proposal.marked_in(name), *labels)))
    view_options.choose(sidebar.GUIDE, STEP)


def propose(study: Study, people: review.SurveyTable) -> None:
    """The click that marks what is proposed, and the one that unmarks all."""
    rest = proposal.unmarked(proposal.proposed(study, people))
    marked = proposal.marked(study)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        if rest.count:
            answers = words.plural(rest.count, t("answer"), t("answers"))
            st.button(
                t("Mark {answers}", answers=answers), type="primary", key="guide_propose", on_click=take,
                args=(rest.marks,),
            )  # fmt: skip
        if marked:
            st.button(t("Unmark all"), key="guide_clear", on_click=_clear, args=(list(marked),))
    if rest.count:
        text = t("{named}. {why}", why=proposal.why(rest), named=proposal.named(rest))
        read = {*rest.marks, *marked}
        if unread := len(people.separate) - len(read):
            text = t(
                "{text} Read the other {n} yourself{rare}.",
                text=text,
                rare=_rarest(people, read),
                n=words.plural(unread, t("question"), t("questions")),
            )
        st.html(f'<div class="sub">{text}</div>')


def _rarest(people: review.SurveyTable, read: Collection[str]) -> str:
    """The rarest answer to the other questions: who gives it may be known by it."""
    if (rare := uniques.rarest(people, read)) is None:
        return ""
    question, answer, n = rare
    holes = {"question": widgets.escape(words.shorten(question, 30)), "answer": widgets.escape(_short(answer))}
    return t(": {n} gave <b>{question}: {answer}</b>", n=words.plural(n, t("person"), t("people")), **holes)


def _clear(names: Iterable[str]) -> None:
    for name in names:
        column_actions.set_marks(name, ())


def edit(people: review.SurveyTable) -> None:
    """Which answers to the question in focus are sensitive, and which of them secret."""
    question = study_of("review").column
    labels, marked = list(people.labels(question)), set(proposal.marked_in(question, people.ranges.get(question)))
    controlled.bound(
        st.multiselect,
        t("Sensitive answers to {question}", question=words.literal(question)),
        labels,
        key="review_marks",
        value=[label for label in labels if label in marked],
        change=partial(column_actions.set_marks, question),
    )
    if marked:
        levels = dict(column_settings.label_marks(workspace(), question).levels)
        controlled.bound(
            st.multiselect,
            t("Secret among them"),
            [label for label in labels if label in marked],
            key="review_marks_secret",
            value=[label for label in labels if levels.get(label) == SECRET],
            change=partial(_set_secret, question, tuple(levels)),
            help=t("Secret answers have an ε of their own, which is never above that of the other marked ones."),
        )


def _set_secret(question: str, marked: Sequence[str], chosen: Sequence[str]) -> None:
    column_actions.set_levels(question, {label: SECRET if label in chosen else SENSITIVE for label in marked})


def nothing(people: review.SurveyTable) -> None:
    """The headline where nothing is marked."""
    widgets.sentence(
        t(
            "Nothing is marked {sensitive}: every answer to {asked} is sent as it is, exact, and everyone sees it.",
            sensitive=widgets.sensitive(t("sensitive")),
            asked=words.plural(len(people.questions), t("question"), t("questions")),
        )
    )
