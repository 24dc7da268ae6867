"""Marking intervals: brush, then add; or the table, which is also the way of the keyboard; and the public range."""

import numpy as np
import pandas as pd
import streamlit as st

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.parts.panels import Control, Line, Panel, Reach, RowOfParts
from ldpapp.state import column_actions, column_settings, view_options
from ldpapp.state.model import workspace
from ldpapp.views.means import sentences
from ldpapp.words.language import t
from ldpcore.study import Study, fitting, intervals, readings
from ldpcore.study.means import NumberColumn, repeats, usual

_PROBLEM, _PENDING = "means_problem", "means_pending"
"""Keys of why a table of intervals was not taken, and of the interval that waits to be added."""


def menu(study: Study, data: NumberColumn, place: str) -> None:
    """The table of intervals, the examples and the public range; `place`: what the marks' place does to the error."""
    with st.container(width=340):
        st.html(f'<div class="sub">{t("Sensitive, in the column’s units. Both ends count.")}</div>')
        _table(study, data)
        problem = view_options.look(_PROBLEM)
        if problem:
            st.html(f'<div class="sub" role="alert"><b>{widgets.escape(problem)}.</b></div>')
        if place:
            st.html(f'<div class="sub">{place}</div>')
        name = study.column
        with st.container(horizontal=True, gap="small"):
            for example in column_settings.EXAMPLES:
                st.button(words.literal(example), type="tertiary", on_click=_example, args=(name, example))
            st.button(t("nothing"), type="tertiary", on_click=_set, args=(name, []))
        _range(study, data)


def _table(study: Study, data: NumberColumn) -> None:
    edited = st.data_editor(
        pd.DataFrame(intervals.parsed(study.marks.values), columns=["from", "to"], dtype=float),
        num_rows="dynamic",
        hide_index=True,
        width=300,
        # Another table after every change from outside: an editor keeps its own edits otherwise.
        key=f"means_editor_{hash(tuple(intervals.parsed(study.marks.values)))}_{data.interval}",
        column_config={name: st.column_config.NumberColumn(required=True) for name in ("from", "to")},
    )
    _take(edited, study)


def _range(study: Study, data: NumberColumn) -> None:
    """The public range, in two boxes."""
    name = study.column
    st.markdown(f"**{t('Public range')}**")
    left, right = st.columns(2, gap="small")
    key = f"{data.interval.low}_{data.interval.high}"
    low = left.number_input(t("From"), value=data.interval.low, key=f"means_low_{key}")
    high = right.number_input(t("To"), value=data.interval.high, key=f"means_high_{key}")
    if low >= high:
        st.html(f'<div class="sub" role="alert"><b>{t("The range must begin below its end.")}</b></div>')
    elif (low, high) != (data.interval.low, data.interval.high):
        column_actions.set_range(name, *fitting.round_bins(float(low), float(high)))
        st.rerun()
    public = t("Known to everybody before anyone answers, never read off the data.")
    st.html(f'<div class="sub">{public} {widgets.escape(sentences.clipping(data))}</div>')


def _take(edited: pd.DataFrame, study: Study) -> None:
    """Take the table over, or say why not."""
    whole = edited.dropna()
    pairs = [(float(low), float(high)) for low, high in whole.itertuples(index=False)]
    if len(whole) < len(edited) or pairs == [tuple(map(float, pair)) for pair in intervals.parsed(study.marks.values)]:
        return
    _set(study.column, pairs)
    if not view_options.look(_PROBLEM):
        st.rerun()


def _set(column: str, pairs: list[intervals.Pair]) -> None:
    view_options.choose(_PROBLEM, column_actions.set_intervals(column, pairs))


def _example(column: str, name: str) -> None:
    public = column_settings.public_range(workspace(), column)
    if public is not None:
        _set(column, [intervals.parse(text) for text in column_settings.example(name, public)])


def brushed(key: str, data: NumberColumn) -> None:
    """Keep the dragged interval, rounded to what the axis can show, until it is added."""
    boxes = st.session_state[key]["selection"]["box"]
    if not boxes:
        return
    step = max(10.0 ** np.floor(np.log10(data.unit / 50)), repeats.resolution(data))
    low, high = (float(np.round(end / step) * step) for end in (min(boxes[0]["x"]), max(boxes[0]["x"])))
    low, high = max(low, data.interval.low), min(high, data.interval.high)
    if low < high:
        view_options.choose(_PENDING, (float(f"{low:.10g}"), float(f"{high:.10g}")))


def pending(study: Study, data: NumberColumn) -> None:
    """The line under the title: what to do, or the interval that waits to be added."""
    pair = view_options.look(_PENDING)
    if pair is None:
        st.html(f'<div class="sub">{sentences.brush(data)}</div>')
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="means_pending_line"):
        text = t("Chosen: {interval}.", interval=sentences.span(pair))
        st.html(f'<div class="sub nowrap">{text}</div>', width="content")
        st.button(t("Mark it sensitive"), type="tertiary", on_click=_answer, args=(study, pair))
        st.button(t("No"), type="tertiary", on_click=_answer, args=(study, None))


def _answer(study: Study, pair: intervals.Pair | None) -> None:
    if pair is not None:
        _set(study.column, readings.joined([*intervals.parsed(study.marks.values), pair]))
    view_options.choose(_PENDING, None)
    view_options.choose("means_brushes", view_options.look("means_brushes", 0) + 1)


# nothing is marked ---------------------------------------------------------------------------------------------------


def proposal(study: Study, data: NumberColumn) -> Panel:
    """The upper end of the public range or of the people, and the button that marks it."""
    pairs = usual.proposed(data)
    marks, word = sentences.names(pairs, data.interval), widgets.sensitive(t("sensitive"))

    def mark() -> None:
        column_actions.set_intervals(study.column, pairs)

    of_people = {"share": words.share(usual.within(data, pairs)), "n": words.count(usual.people(data, pairs))}
    why = t(
        "A proposal, not a judgement: the upper quarter of the public range, {share} of the people, {n}.", **of_people
    )
    if usual.is_read_off(data):
        why = t(
            "A proposal, not a judgement, read off these data: the highest {share} of the people, {n}. Who sees the "
            "mark sees where they lie.",
            **of_people,
        )
    drag = t("Nothing is marked until you press the button; drag over the bars for any other interval.")

    def button() -> None:
        st.button(t("Mark {marks}", marks=marks), type="primary", key="means_propose", on_click=mark)

    title = t("Proposed as {sensitive}: {marks}", sensitive=word, marks=marks)
    return Panel(
        "means_proposal", title, [RowOfParts([[Control(button)], [Line(f"{why} {drag}")]], [1, 4])], reach=Reach.SCREEN
    )
