"""Nothing is marked: what could be, in one click."""

import streamlit as st

from ldpapp import edits, widgets, words
from ldpapp.language import t
from ldpapp.panels import Beside, Control, Line, Panel, Reach
from ldpapp.tasks.means import data as means_data
from ldpapp.tasks.means import findings
from ldpapp.tasks.means.view import proposed
from ldpcore.study import Study
from ldpcore.study.means import Numbers


def proposal(study: Study, data: Numbers) -> Panel:
    """The upper end of the public range, and the button that marks it."""
    pairs = proposed(data)
    marks, word = findings.names(pairs, data.interval), widgets.sensitive(t("sensitive"))

    def mark() -> None:
        edits.set_intervals(study.column, pairs)

    why = t(
        "A proposal, not a judgement: the upper quarter of the public range, {share} of the people. Nothing is marked "
        "until you press the button; drag over the bars for any other interval.",
        share=words.share(means_data.held(data, pairs)),
    )

    def button() -> None:
        st.button(t("Mark {marks}", marks=marks), type="primary", key="means_propose", on_click=mark)

    title = t("Proposed as {sensitive}: {marks}", sensitive=word, marks=marks)
    return Panel("means_proposal", title, [Beside([[Control(button)], [Line(why)]], [1, 4])], reach=Reach.SCREEN)
