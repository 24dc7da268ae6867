"""Marking intervals: brush, then add; or the table, which is also the way of the keyboard; and the public range."""

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

import widgets
import words
from ldpcore.study.means import Numbers
from means import data as means_data
from means import findings as means_findings
from studies import means


def menu(slot: Any, data: Numbers) -> None:
    """The popover with the table of intervals, the examples and the public range."""
    with slot.popover("intervals", type="tertiary", key="means_intervals"), st.container(width=340):
        st.html('<div class="sub">Sensitive, in the column’s units. Both ends count.</div>')
        table = pd.DataFrame(means.marks(), columns=["from", "to"], dtype=float)
        edited = st.data_editor(
            table,
            num_rows="dynamic",
            hide_index=True,
            width=300,
            # Another table after every change from outside: an editor keeps its own edits otherwise.
            key=f"means_editor_{hash(tuple(means.marks()))}_{data.interval}",
            column_config={name: st.column_config.NumberColumn(required=True) for name in ("from", "to")},
        )
        _take(edited)
        problem = st.session_state.get("means_problem")
        if problem:
            st.html(f'<div class="sub" role="alert"><b>{widgets.escape(problem)}.</b></div>')
        with st.container(horizontal=True, gap="small"):
            for name in means.EXAMPLES:
                st.button(name, type="tertiary", on_click=_example, args=(name, data))
            st.button("nothing", type="tertiary", on_click=_set, args=([],))
        st.markdown("**Public range**")
        left, right = st.columns(2, gap="small")
        key = f"{data.interval.low}_{data.interval.high}"
        low = left.number_input("From", value=data.interval.low, key=f"means_low_{key}")
        high = right.number_input("To", value=data.interval.high, key=f"means_high_{key}")
        if low >= high:
            st.html('<div class="sub" role="alert"><b>The range must begin below its end.</b></div>')
        elif (low, high) != (data.interval.low, data.interval.high):
            means.set_public(float(low), float(high))
            st.rerun()
        st.html(
            '<div class="sub">Known to everybody before anyone answers, never read off the data. '
            f"{widgets.escape(means_findings.clipping(data))}</div>"
        )


def _take(edited: pd.DataFrame) -> None:
    """Take the table over, or say why not."""
    whole = edited.dropna()
    pairs = [(float(low), float(high)) for low, high in whole.itertuples(index=False)]
    if len(whole) < len(edited) or pairs == [tuple(map(float, pair)) for pair in means.marks()]:
        return
    _set(pairs)
    if not st.session_state.means_problem:
        st.rerun()


def _set(pairs: list[tuple[float, float]]) -> None:
    st.session_state.means_problem = means.set_marks(pairs)


def _example(name: str, data: Numbers) -> None:
    _set(means.example(name, data.interval))


def brushed(key: str, data: Numbers) -> None:
    """Keep the dragged interval, rounded to what the axis can show, until it is added."""
    boxes = st.session_state[key]["selection"]["box"]
    if not boxes:
        return
    step = max(10.0 ** np.floor(np.log10(data.unit / 50)), means_data.resolution(data))
    low, high = (float(np.round(end / step) * step) for end in (min(boxes[0]["x"]), max(boxes[0]["x"])))
    low, high = max(low, data.interval.low), min(high, data.interval.high)
    if low < high:
        st.session_state.means_pending = (float(f"{low:.10g}"), float(f"{high:.10g}"))


def pending(data: Numbers) -> None:
    """The line under the title: what to do, or the interval that waits to be added."""
    pair = st.session_state.get("means_pending")
    if pair is None:
        cut = f" {words.count(data.clipped)} lie outside the range and count at its ends." if data.clipped else ""
        st.html(f'<div class="sub">People, <i>internal</i>. Drag over the bars to mark an interval.{cut}</div>')
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="means_pending_line"):
        st.html(f'<div class="sub nowrap">Chosen: {means_findings.span(pair)}.</div>', width="content")
        st.button("Mark it sensitive", type="tertiary", on_click=_answer, args=(pair,))
        st.button("No", type="tertiary", on_click=_answer, args=(None,))


def _answer(pair: tuple[float, float] | None) -> None:
    if pair is not None:
        means.add_mark(*pair)
    st.session_state.means_problem = ""
    st.session_state.means_pending = None
    st.session_state.means_brushes = st.session_state.get("means_brushes", 0) + 1
