"""Ranges: how wrong is the count of "how many people are between 25 and 44?", and who sees the raw data."""

from functools import partial

import streamlit as st

from ldpapp import words
from ldpapp.compare import strip
from ldpapp.parts import panels, sidebar, widgets
from ldpapp.runtime import display
from ldpapp.state.model import table
from ldpapp.views.ranges import findings, local, one, own, plan, published, tools
from ldpapp.views.ranges import panels as every
from ldpapp.views.ranges import view as views
from ldpapp.views.ranges.cells import Cells
from ldpapp.views.ranges.study import ordered
from ldpapp.words.language import t
from ldpcore.study import Study

WIDTHS = (50, 47)
EVERY, OTHER = "fold_every_range", "fold_other_ranges"
"""What is behind a click."""


def page(study: Study, cells: Cells) -> None:
    view = views.current(study, cells)
    widgets.sentence(findings.headline(view))
    strip.here()
    sidebar.on_phone(
        study,
        t("N = {n}", n=words.count(cells.size)),
        words.plural(len(view.names), t("strategy"), t("strategies")),
    )
    panels.row(partial(one.panel, view, _order(view)), partial(published.release, view), widths=(58, 39))
    panels.row(partial(published.margins, view), partial(published.who, view), widths=(58, 39))
    panels.fold(
        EVERY,
        t("Every range"),
        t("error maps · average error against N · accuracy index · covariance · experiment · best possible"),
        partial(_every, view),
    )
    panels.fold(
        OTHER,
        t("Other ways"),
        t("ranges of your own · a strategy matrix of your own · without a curator"),
        partial(_other, view),
    )
    plan.fold(view)


def _order(view: views.RangesView) -> str:
    """In which order the values of a category stand."""
    if view.cells.low is not None:
        return ""
    source, name = table(), view.study.column
    profile = source.profiles[name]
    return findings.ordered(profile, name in ordered(source), name in source.orders)


def _every(view: views.RangesView) -> None:
    if not display.single():
        line, place = st.columns([58, 42], gap="small", vertical_alignment="center")
        line.html(f'<div class="sub">{findings.overall(view)}</div>')
        with place.container(horizontal=True, horizontal_alignment="right", gap="small", key="ranges_tools"):
            tools.tools(view)
    averages = [partial(every.averages, view), partial(every.index, view)]
    panels.row(partial(every.every_range, view), averages, widths=WIDTHS)


def _other(view: views.RangesView) -> None:
    panels.row(partial(own.panel, view), partial(local.panel, view), widths=WIDTHS)
