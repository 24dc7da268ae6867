"""Rows with holes elsewhere: who answered this question but not another is left out. Where many are, it is asked."""

import streamlit as st

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.state import view_options
from ldpapp.state.model import study_of
from ldpapp.views.data import profiles
from ldpapp.words.language import t
from ldpcore.data import Histogram, Table
from ldpcore.study import fitting

MANY = 0.05
"""So large a share of those who answered is worth a question."""


def show(source: Table, column: str, counted: Histogram) -> None:
    """The question and its two answers; nothing where few are lost, or somebody has decided."""
    profile = fitting.column(source, column)
    decided = view_options.look(_key(source), False) or study_of("frequency").missing != "any"
    if profile is None or source.card is not None or decided:
        return  # whoever made bundled data has said who counts
    if counted.dropped - profile.missing <= MANY * (counted.n + counted.dropped - profile.missing):
        return
    answered = profiles.count(source, column, "column").n
    box, buttons = st.columns([66, 34], gap="small", vertical_alignment="center")
    with box:
        widgets.note(
            t(
                "<b>Only {complete} of {rows} rows are complete; the others are left out.</b> “{column}” was answered "
                "in {answered}.",
                complete=words.count(counted.n),
                rows=words.count(len(source.frame)),
                column=widgets.escape(words.shorten(column, 30)),
                answered=words.count(answered),
            )
        )
    with buttons.container(horizontal=True, horizontal_alignment="right", gap="xsmall"):
        st.button(
            t("Count all {answered}", answered=words.count(answered)),
            key="incomplete_count",
            help=t("In every question, whoever answered it counts."),
            on_click=profiles.set_missing,
            args=("column",),
        )
        st.button(t("Leave it so"), key="incomplete_leave", on_click=view_options.choose, args=(_key(source), True))


def _key(source: Table) -> str:
    return f"incomplete_{source.digest[:12]}"
