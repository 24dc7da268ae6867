"""Relations' part of the sidebar: which two questions, which groups against which, what is marked, how it is asked."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from ldpapp import words
from ldpapp.parts import budget, planner, sidebar
from ldpapp.state import actions, column_actions, column_settings, controlled
from ldpapp.state.model import workspace
from ldpapp.views.relations import cached, names
from ldpapp.words.language import t, unmarked
from ldpcore import catalog
from ldpcore.data import DataError, Table
from ldpcore.study import Study
from ldpcore.study import relations as task

DELTA, POWER = "relations_delta", "relations_power"
LOOKS = {
    DELTA: (5.0, 1.0, 2.0, 10.0, 20.0),
    POWER: (0.8, 0.9, 0.95),
    "relations_unit": ("margin", "mse"),
    "fold_relations_others": (False, True),
    "fold_relations_words": (False, True),
    **planner.folded("relations"),
}


def beside(place: Any, study: Study, table: Table) -> None:
    """The groups' question."""
    columns, label = task.columns(table), t("Groups")
    if not columns:
        place.selectbox(label, [t("none")], disabled=True)
        return
    controlled.bound(
        place.selectbox, label, columns, key="relations_groups", value=study.option("groups"),
        change=partial(_ask, study, "groups"),
    )  # fmt: skip


def draw(study: Study, table: Table) -> None:
    """The sidebar."""
    if not study.column:
        sidebar.aside(t("This data has no two questions with a list of answers."))
        return
    try:
        counted = cached.people(study, table)
    except (DataError, TypeError, ValueError):  # the page says why
        counted = None
    usual = ("", "", "") if counted is None else _usual(study, counted)
    left, right = st.columns(2, gap="small")
    controlled.bound(
        left.selectbox, t("Answer"), task.columns(table), key="column", value=study.column,
        change=partial(_ask, study, "answer"),
    )  # fmt: skip
    if counted is not None:
        _labels(right, study, t("Share of"), "answer", counted.labels[1], usual[2])
        _marked(study, counted)
    budget.epsilon(study, by_level=bool(study.marks.secret))
    st.html(f'<div class="sub">{t("ε is of both answers together.")}</div>')
    _choice(study, t("Both answers are"), "setting", names.settings(), _setting_help())
    if counted is not None:
        _labels(st, study, t("Compare"), "compare", counted.labels[0], usual[0])
        _labels(st, study, t("with"), "versus", counted.labels[0], usual[1])
        _join(study)
    about = {"like": t("people like these"), "these": t("these")}
    _choice(study, t("Said of"), "about", about, t("Everybody of whom these are a sample, or these people alone."))
    none = unmarked(*map(names.question, task.asked_pair(study, table)))
    sidebar.mechanisms(
        "relations", idle="" if study.marks else t("Off: what protects marked values only. {none}.", none=none),
        unasked=() if study.option("setting") == "as one" else tuple(catalog.PAIRS),
    )  # fmt: skip
    sidebar.own_elsewhere()
    sidebar.repetitions_and_seed(study)


def _setting_help() -> str:
    return t(
        "Separate: each answer is sent with half of ε. As one: one report for the pair. Open: the groups are no "
        "secret, and the answer has all of ε."
    )


def _ask(study: Study, which: str, name: str) -> None:
    """Another question; who chooses the one that is the other already swaps the two."""
    pair = {"groups": study.option("groups"), "answer": study.column}
    other = "answer" if which == "groups" else "groups"
    if pair[other] == name:
        pair[other] = pair[which]
    pair[which] = name
    options = study.changed_options(groups=pair["groups"], answer=None, compare=None, versus=None)
    actions.change("relations", column=pair["answer"], options=options)  # a pair is of this page: no other turns to it


def _usual(study: Study, counted: task.PairCounts) -> tuple[str, str, str]:
    """What is compared where nothing is chosen: both sides and the answers, in short."""
    try:
        compared = task.Compared.of(study.with_options(answer=None, compare=None, versus=None, join=None), counted)
    except ValueError:
        return ("", "", "")
    one, other, answers = (names.short(compared, side) for side in range(3))
    return one, other, answers


def _labels(place: Any, study: Study, label: str, option: str, known: Sequence[str], usual: str) -> None:
    """Some answers of a question, for one option; none: the usual ones."""
    controlled.bound(
        place.multiselect, label, list(known), key=f"relations_{option}",
        value=[each for each in study.option(option) if each in known], change=partial(_choose, option),
        placeholder=usual,
    )  # fmt: skip


def compare(one: str, other: str) -> None:
    """These two groups, one with the other."""
    actions.option("relations", compare=(one,), versus=(other,))


def _choose(option: str, chosen: Sequence[str]) -> None:
    actions.option("relations", **{option: tuple(chosen) or None})


def _choice(study: Study, label: str, option: str, texts: dict[str, str], why: str) -> None:
    controlled.bound(
        st.segmented_control, label, list(texts), key=f"relations_{option}", value=study.option(option),
        change=lambda value: actions.option("relations", **{option: value}), format_func=texts.__getitem__, help=why,
        required=True,
    )  # fmt: skip


def _join(study: Study) -> None:
    controlled.bound(
        st.checkbox, t("Ask only what is compared"), key="relations_join", value=study.option("join"), change=join,
        help=t("Each side is asked as one group, the answers as one, and so are all others: marked ones apart."),
    )  # fmt: skip


def join(is_joined: bool) -> None:
    """Whether groups are joined before anybody is asked."""
    actions.option("relations", join=is_joined)


def _marked(study: Study, counted: task.PairCounts) -> None:
    """What is marked in both questions, and the way to mark something else."""
    of_people = t("{share} of the people give one", share=words.share(counted.giving(study.marks.values)))
    plain = study.marks.each(lambda marks: [label for of in task.split(marks, counted.names).values() for label in of])
    every = t("Then every answer is protected.")
    whose = _by_question(study, counted)
    sidebar.marked(plain.values, t("answer"), of_people, every, t("answers"), plain, by_question=whose)
    with st.popover(t("mark answers"), key="relations_marks", width="stretch"):
        for side, name in enumerate(counted.names):
            controlled.bound(
                st.multiselect, t("Sensitive answers to {question}", question=words.literal(name)),
                list(counted.labels[side]), key=f"relations_marks_{side}", value=_marks_of(name, counted.labels[side]),
                change=partial(column_actions.set_marks, name),
            )  # fmt: skip


def _by_question(study: Study, counted: task.PairCounts) -> str:
    """How many marked answers are whose, where both questions have some."""
    marked = {name: labels for name, labels in task.split(study.marks.values, counted.names).items() if labels}
    if len(marked) < 2:
        return ""
    return words.listing(
        t("{n} of {question}", n=len(labels), question=names.question(name)) for name, labels in marked.items()
    )


def _marks_of(name: str, labels: Sequence[str]) -> list[str]:
    marks = column_settings.of(workspace(), name).marks
    marked = column_settings.labels(workspace(), name, marks.values, None)
    return [label for label in labels if label in marked]


def data(study: Study, table: Table) -> task.PairCounts:
    """The people, counted. DataError where there are no two questions, ValueError where they cannot be related so."""
    if not study.column:
        raise DataError(
            t("“{data}” has no two questions with a list of answers.", data=table.name),
            t("A relation is between two columns of categories. Choose other data, or bin numbers in a file of yours."),
        )
    counted = cached.people(study, table)
    _ = cached.known(study, counted).best
    return counted
