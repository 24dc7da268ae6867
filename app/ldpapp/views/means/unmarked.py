"""Nothing is marked: what could be, in one click."""

import streamlit as st

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.parts.panels import Control, Line, Panel, Reach, RowOfParts
from ldpapp.state import column_actions
from ldpapp.views.means import findings
from ldpapp.words.language import t
from ldpcore.study import Study
from ldpcore.study.means import NumberColumn
from ldpcore.study.means.facts import proposed, within


def proposal(study: Study, data: NumberColumn) -> Panel:
    """The upper end of the public range, and the button that marks it."""
    pairs = proposed(data)
    marks, word = findings.names(pairs, data.interval), widgets.sensitive(t("sensitive"))

    def mark() -> None:
        column_actions.set_intervals(study.column, pairs)

    why = t(
        "A proposal, not a judgement: the upper quarter of the public range, {share} of the people. Nothing is marked "
        "until you press the button; drag over the bars for any other interval.",
        share=words.share(within(data, pairs)),
    )

    def button() -> None:
        st.button(t("Mark {marks}", marks=marks), type="primary", key="means_propose", on_click=mark)

    title = t("Proposed as {sensitive}: {marks}", sensitive=word, marks=marks)
    return Panel("means_proposal", title, [RowOfParts([[Control(button)], [Line(why)]], [1, 4])], reach=Reach.SCREEN)
