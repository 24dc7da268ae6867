"""Ranges: "how many people are between 25 and 44?" from a noisy histogram, and how wrong every such answer is."""

from functools import partial

import streamlit as st

from ldpapp import panels, sidebar, widgets, words
from ldpapp.kept import table
from ldpapp.language import t
from ldpapp.tasks.ranges import findings, local, one, own, tools
from ldpapp.tasks.ranges import panels as every
from ldpapp.tasks.ranges import view as views
from ldpapp.tasks.ranges.cells import Cells
from ldpcore.study import Study

WIDTHS = (50, 47)


def page(study: Study, cells: Cells) -> None:
    view = views.current(study, cells)
    widgets.sentence(findings.headline(view))
    sidebar.on_phone(
        study,
        t("N = {n}", n=words.count(cells.size)),
        words.plural(len(view.names), t("strategy"), t("strategies")),
    )
    _promise(view)
    panels.row(partial(one.panel, view), partial(every.every_range, view), widths=WIDTHS)
    panels.row(partial(every.averages, view), partial(every.index, view), widths=WIDTHS)
    panels.row(partial(own.panel, view), partial(local.panel, view), widths=WIDTHS)


def _promise(view: views.View) -> None:
    """What is given away, what the histogram is made of, and what stands behind the page."""
    source, name = table(), view.study.column
    order = ""
    if view.cells.low is None:
        order = findings.ordered(next(p for p in source.profile() if p.name == name), name in source.orders)
    line, place = st.columns([58, 42], gap="small", vertical_alignment="center")
    line.html(f'<div class="sub">{findings.promise(view, order)}</div>')
    with place.container(horizontal=True, horizontal_alignment="right", gap="small", key="ranges_tools"):
        tools.tools(view)
