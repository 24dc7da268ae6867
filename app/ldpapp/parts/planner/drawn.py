"""The planner as a panel: its inputs and switches, its answer, people against ε, and a table of every mechanism."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st
from plotly.graph_objects import Figure

from ldpapp import charts, words
from ldpapp.charts.base import text_width
from ldpapp.parts import panels, widgets
from ldpapp.parts.panels import Chart, Control, Html, Line, Panel, Part, Reach, RowOfParts, Sheet
from ldpapp.parts.planner import said
from ldpapp.parts.planner.asked import GRID, PlannerSubject, answered, every, needed, success
from ldpapp.parts.planner.given import controls, foremost, inputs, planned
from ldpapp.state import actions
from ldpapp.state.model import study_of
from ldpapp.words.language import t
from ldpcore.plan.answers import Given, PlannerAnswer, Plans

ROW = 15
"""px of a second row of ticks."""


def fold(task: str, make: Callable[[], PlannerSubject]) -> None:
    """The planner behind a click; made only when it is open."""
    title = t("How many people, which ε?")
    panels.fold(f"fold_{task}_planner", title, said.inside(), lambda: panels.show(lambda: panel(make())))


def panel(asked: PlannerSubject) -> Panel:
    """The answer, with the curves beside it."""
    plans, given = planned(asked), inputs(asked)
    answer = answered(plans, asked.focus, given)
    shown: list[Part] = [
        Control(partial(controls, asked, given, foremost(asked, plans, answer))),
        Html(said.answer(asked, plans, given, answer)),
        Control(partial(_use, asked, given, answer)),
        *_lines(
            said.helps(asked, plans, given, answer),
            said.covers(asked, plans, given),
            said.both(asked, answer),
            said.meaning(asked, plans, answer),
            said.smaller(asked, plans, given, answer),
            said.few(asked, plans, answer),
        ),
        *(Line(text, Reach.INTERNAL) for text in [said.exact(asked, plans, answer)] if text),
        *_lines(said.least(plans, asked, given)),
    ]
    curves = _curves(asked, plans, given, answer)
    parts = [RowOfParts([shown, curves], [40, 57], {"gap": "medium"})] if curves else shown
    table = every(asked, plans, given)
    return Panel("planner", t("Planner"), parts, asked.about, [Sheet(table, "planner")])


def _lines(*texts: str) -> list[Part]:
    return [Line(text) for text in texts if text]


# what follows ----------------------------------------------------------------------------------------------------


def _use(asked: PlannerSubject, given: Given, found: PlannerAnswer) -> None:
    """The button that takes the ε that was found into the Study; where it is there, that."""
    if given.what != "epsilon" or found.epsilon is None:
        return
    if math.isclose(found.epsilon, asked.epsilon):
        st.html(f'<div class="sub">{t("in use")}</div>')
        return
    label = t("Use ε = {eps}", eps=words.epsilon(found.epsilon))
    if asked.label:
        label = t("Use it: {label} = {eps}", label=asked.label, eps=words.epsilon(found.epsilon))
    st.button(words.literal(label), key="plan_use", on_click=_take, args=(asked.task, asked.epsilon, found.epsilon))


def _take(task: str, now: float, epsilon: float) -> None:
    """now: the ε of the study that is planned: its own, or that of its secret answers."""
    study = study_of(task)
    actions.spend(study.spending(epsilon, secret=now != study.epsilon))


# what is drawn ---------------------------------------------------------------------------------------------------


def _curves(asked: PlannerSubject, plans: Plans, given: Given, found: PlannerAnswer) -> list[Part]:
    """People needed against ε, over the grey floor of the limit."""
    within = found.within or given.within
    curves = pd.concat([_named(asked, needed(plans, key, within, GRID)) for key in asked.drawn], ignore_index=True)
    if not len(curves):
        return []
    floor = needed(plans, "", within, GRID)[["x", "value"]]
    figure = charts.error_curves(
        curves,
        None,
        focus=asked.name(asked.focus),
        at=found.epsilon,
        limit=floor if len(floor) else None,
        limit_text=t("Fewer people: no mechanism can"),
        unit=t("people"),
        dark=widgets.is_dark(),
        height=200,
        width=500,
    )
    holes = {"key": asked.name(asked.focus), "within": asked.unit.write(within)}
    line = t("People needed for {within}, against ε.", within=holes["within"])
    drawn: list[Part] = [Line(line), Chart(figure, t("How many people {key} needs, against ε", key=holes["key"]))]
    _room(figure)
    if asked.guessed:
        _price(figure, asked, plans)
        drawn.append(Line(t("Below each ε: how many of 100 are then guessed.")))
    return drawn


def _named(asked: PlannerSubject, rows: pd.DataFrame) -> pd.DataFrame:
    return rows.assign(mechanism=[asked.name(key) for key in rows["mechanism"]])


def _room(figure: Figure) -> None:
    """For numbers of people, which are longer than errors."""
    layout: Any = figure.layout
    longest = max(map(text_width, layout["yaxis"]["ticktext"]), default=0.0)
    figure.update_layout(margin_l=max(math.ceil(longest) + 14, layout["margin"]["l"]))


def _price(figure: Figure, asked: PlannerSubject, plans: Plans) -> None:
    """A second row of ticks: what an attacker manages at each ε."""
    layout: Any = figure.layout
    axis, color = layout["xaxis"], widgets.colors().sensitive
    chances = [success(plans, asked.focus, float(x)) for x in axis["tickvals"]]
    won = ["" if chance is None else words.of_100(chance) for chance in chances]
    texts = [f'{x}<br><span style="color:{color}">{n}</span>' for x, n in zip(axis["ticktext"], won, strict=True)]
    figure.update_layout(xaxis_ticktext=texts, height=layout["height"] + ROW, margin_b=layout["margin"]["b"] + ROW)
