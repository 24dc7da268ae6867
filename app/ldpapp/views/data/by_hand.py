"""What a person says of a column by hand, whatever the reader asks: what it is, what is no answer, order."""

import dataclasses
from collections.abc import Iterable

import streamlit as st

from ldpapp import words
from ldpapp.state import column_settings
from ldpapp.views.data import kept_files
from ldpapp.words.language import t
from ldpcore.data import ROLES, ColumnOptions, Table, durations

MOST_ORDERED = 20
"""Answers that are put in order."""


def show(source: Table, column: str) -> None:
    """The form, in the popover "Columns"; nothing where the bytes are gone."""
    if kept_files.kept(source) is None:
        return
    st.html(f'<div class="title">{t("By hand")}</div>')
    names = list(map(str, source.frame.columns))
    column = st.selectbox(
        t("Column"), names, names.index(column) if column in names else 0, key=f"by_hand_column_{source.digest[:8]}",
        on_change=_forget,
    )  # fmt: skip
    now = source.options.of(column)
    answers = column_settings.values(source, column)
    with st.form(f"by_hand_{source.digest[:8]}_{column}", border=False):
        roles = roles_in_words()
        role = st.selectbox(
            t("“{column}” is", column=words.literal(words.shorten(column, 30))),
            [None, *ROLES],
            [None, *ROLES].index(now.role),
            format_func=lambda each: roles[each],
            key="by_hand_role",
        )
        classes = now.classes
        if now.role == "weight":
            classes = st.number_input(
                t("Round weights to classes (0: as they are)"), 0, 1000, now.classes or 0, key="by_hand_classes"
            )
        missing = st.multiselect(
            t("These are no answers"),
            list(dict.fromkeys((*now.missing, *answers))),
            list(now.missing),
            accept_new_options=True,
            key="by_hand_missing",
        )
        order = list(now.order)
        if 2 <= len(answers) <= MOST_ORDERED:
            order = st.multiselect(t("Order of the answers, as you choose them"), answers, _known(now.order, answers),
                                   key="by_hand_order")  # fmt: skip
        yes = now.yes
        if 2 <= len(answers) <= MOST_ORDERED:
            yes = st.selectbox(
                t("The answer that says yes, of a box to tick"),
                [None, *answers],
                [None, *answers].index(now.yes) if now.yes in answers else 0,
                format_func=lambda each: t("none") if each is None else each,
                key="by_hand_yes",
            )
        time = _time(now.time, (*answers, *source.profiles[column].examples))
        if st.form_submit_button(t("Read it so"), key="by_hand_read"):
            chosen = dataclasses.replace(
                now, role=role, missing=tuple(missing), order=tuple(order), yes=yes, time=time,
                classes=classes or None if role == "weight" else None,
            )  # fmt: skip
            _decide(source, column, chosen)


def _time(now: str | None, answers: Iterable[str]) -> str | None:
    """What the times among the answers are counted in; not asked where none is one and nobody said so."""
    if now is None and not durations.some(answers):
        return None
    units = {None: t("text"), "hours": t("numbers of hours"), "minutes": t("numbers of minutes")}
    return st.selectbox(
        t("Times such as 7:30 are"), list(units), list(units).index(now), format_func=lambda each: units[each],
        key="by_hand_time",
    )  # fmt: skip


def _forget() -> None:
    """Another column is chosen: what the form holds of the last one would be taken for its."""
    for name in ("role", "classes", "missing", "order", "yes", "time"):
        st.session_state.pop(f"by_hand_{name}", None)


def roles_in_words() -> dict[str | None, str]:
    """What a column can be → what to call it."""
    return {
        None: t("what is recognised"),
        "question": t("a question of the survey"),
        "amount": t("a number"),
        "code": t("a code: its values are counted"),
        "weight": t("a weight"),
        "count": t("how many people a row stands for"),
        "person": t("who answers"),
    }


def _known(order: tuple[str, ...], held: tuple[str, ...]) -> list[str]:
    return [each for each in order if each in held]


def _decide(source: Table, column: str, told: ColumnOptions) -> None:
    """Read again, and draw what came of it: the page above has the old reading."""
    options = source.options.changed(columns={**source.options.columns, column: told})
    if options != source.options:
        kept_files.decide(options)
        st.rerun()
