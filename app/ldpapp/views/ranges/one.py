"""The panel of the chosen range: where it lies among the people, and the ways to choose another."""

from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from ldpapp import charts, words
from ldpapp.parts import widgets
from ldpapp.parts.panels import Chart, Control, Line, Menu, Panel, Part, Reach
from ldpapp.state import actions, controlled, view_options
from ldpapp.state.model import table
from ldpapp.views.ranges import sentences, sidebar
from ldpapp.views.ranges.view import RangesView
from ldpapp.words.language import t


def panel(view: RangesView, order: str) -> Panel:
    """order: in which order the values of a category stand, as a sentence."""
    cells = view.cells
    figure = charts.range_histogram(
        cells.counts.astype(float),
        *cells.shown,
        view.chosen,
        ticks=cells.ticks(8),
        dark=widgets.is_dark(),
        height=172,
        width=560,
    )
    # A new key after every brush: the old selection would stay on the new figure.
    key = f"chart_range_{view.key}_{view_options.look('range_brushes', 0)}"
    alt = t("Bars: how many people are in each of {k} cells; {range} is chosen.", k=cells.k, range=view.short)
    brush = {"selection_mode": "box", "on_select": partial(_brushed, key, view)}
    return Panel(
        "range",
        t("Which people do you ask about?"),
        [Control(partial(_ends, view)), Chart(figure, alt, "", key, brush), Line(sentences.cells(view, order))],
        head=_cells(view),
        reach=Reach.INTERNAL,
    )


def _cells(view: RangesView) -> list[Part]:
    """How many cells numbers are cut into; from categories, the way to the first column of numbers."""
    if view.cells.low is not None:
        size = t("N = {n}", n=words.count(view.cells.size))
        return [Menu(size, partial(_heights, view), "ranges_cells")]
    numbers = [column.name for column in table().profile() if column.role == "number"]
    return [Control(partial(_ask_about, numbers[0]))] if numbers else []


def _heights(view: RangesView) -> None:
    controlled.bound(
        st.radio,
        t("Cells"),
        sidebar.heights(view.study),
        key="ranges_h",
        value=sidebar.height(view.study),
        change=sidebar.cut,
        format_func=lambda h: words.count(1 << h),
        horizontal=True,
        help=t("Strategies work on a power of two. Cells have a round width; empty ones fill up."),
    )


def _ask_about(column: str) -> None:
    label = t("ask about {column}", column=words.literal(words.shorten(column, 16)))
    st.button(label, type="tertiary", on_click=actions.choose_column, args=(column,), key="ranges_number")


def _ends(view: RangesView) -> None:
    """The two ends as inputs: the route without a mouse."""
    cells = view.cells
    place = st.container(horizontal=True, vertical_alignment="center", gap="xsmall")
    place.html(f'<div class="sub">{t("People per cell, <i>internal</i>. Drag to choose.")}</div>', width="stretch")
    place = place.container(horizontal=True, vertical_alignment="center", gap="xsmall", wrap=False, width="content")
    for which, at, label in (("from", view.chosen[0], t("Range from")), ("to", view.chosen[1], t("Range to"))):
        if which == "to":
            place.html(f'<div class="sub">{t("to")}</div>', width="content")
        key = f"ranges_{which}_{view.key}"
        options: dict[str, Any] = {
            "key": key,
            "width": 124 if cells.low is None else 104,
            "label_visibility": "collapsed",
            "on_change": _typed,
            "args": (view, key, which),
        }
        if cells.low is None:
            st.session_state[key] = cells.firsts[at - 1]
            place.selectbox(label, list(cells.firsts), **options)
            continue
        shift = 0 if which == "from" else cells.step - (1 if cells.whole else 0)
        cast: Any = int if cells.whole else float
        low, high = cells.low + shift, cells.low + (cells.spans - 1) * cells.step + shift
        # Missing answers that count are no number: the last one stands for them.
        st.session_state[key] = cast(cells.low + (min(at, cells.spans) - 1) * cells.step + shift)
        place.number_input(label, cast(low), cast(high), step=cast(cells.step), **options)


def _typed(view: RangesView, key: str, which: str) -> None:
    """An end was given: the other one follows where the range would end before it begins."""
    value, cells, (first, last) = st.session_state[key], view.cells, view.chosen
    at = cells.firsts.index(value) + 1 if cells.low is None else cells.cell(float(value), which == "to")
    sidebar.choose(cells, (at, max(at, last)) if which == "from" else (min(first, at), at))


def _brushed(key: str, view: RangesView) -> None:
    boxes = st.session_state[key]["selection"]["box"]
    if not boxes:
        return
    low, high = sorted(boxes[-1]["x"])
    first = min(max(int(np.floor(low)), 0), view.cells.k - 1) + 1
    sidebar.choose(view.cells, (first, max(first, min(int(np.ceil(high)), view.cells.k))))
    view_options.choose("range_brushes", view_options.look("range_brushes", 0) + 1)
