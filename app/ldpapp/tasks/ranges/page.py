"""Ranges: "how many people are between 25 and 44?" from a noisy histogram, and how wrong every such answer is."""

import math

import streamlit as st

from ldpapp import sidebar, widgets, words
from ldpapp.kept import table
from ldpapp.tasks.ranges import findings, panels
from ldpapp.tasks.ranges import local as range_local
from ldpapp.tasks.ranges import own as range_own
from ldpapp.tasks.ranges import tools as range_tools
from ldpapp.tasks.ranges.data import Cells
from ldpcore.attacks.bayes import believed
from ldpcore.study import Study


def page(study: Study, cells: Cells) -> None:
    view = panels.current(study, cells)
    widgets.sentence(findings.finding(*view.pair, view.cells, view.chosen, view.epsilon, widgets.named, widgets.escape))
    sidebar.on_phone(
        study, f"N = {words.count(view.cells.size)}", words.plural(len(view.names), "strategy", "strategies")
    )
    _promise(view)
    left, right = st.columns([50, 47], gap="medium")
    with left:
        panels.one_range(view)
    with right:
        panels.every_range(view)
    left, right = st.columns([50, 47], gap="medium")
    with left:
        panels.averages(view)
    with right:
        panels.index(view)
    left, right = st.columns([50, 47], gap="medium")
    with left:
        range_own.panel(view)
    with right:
        range_local.panel(view)


def _promise(view: panels.View) -> None:
    """Who sees what, what the histogram is made of, and what stands behind the page."""
    after = 100 * believed(0.5, math.exp(view.epsilon))
    source, name = table(), view.study.column
    parts = [
        "The curator sees the raw data; what is published is ε-DP: whether someone is in it, believed to 50&nbsp;%, is "
        f"believed to {after:.0f}&nbsp;% at most.",
        f"{widgets.escape(name)}: {view.cells.said}.",
    ]
    if view.cells.clipped:
        parts.append(f"{words.count(view.cells.clipped)} outside the public range count in the end cells.")
    if view.cells.low is None:
        parts.append(findings.ordered(next(p for p in source.profile() if p.name == name), name in source.orders))
    line, tools = st.columns([58, 42], gap="small", vertical_alignment="center")
    line.html(f'<div class="sub">{" ".join(parts)}</div>')
    with tools.container(horizontal=True, horizontal_alignment="right", gap="small", key="ranges_tools"):
        range_tools.tools(view)
