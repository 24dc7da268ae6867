"""How exact a survey is against ε or the number of people: every way to ask, over the floor of a pair asked as one."""

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from ldpapp import charts, compute, words
from ldpapp.charts import SettingLine
from ldpapp.compute.memory import remember
from ldpapp.parts import error_unit, widgets
from ldpapp.parts.panels import Chart, Filling, Line, Menu, Panel, Sheet
from ldpapp.runtime import background
from ldpapp.state import actions, controlled
from ldpapp.views.relations import cached, names, sentences, sidebar
from ldpapp.views.relations.view import RelationsView
from ldpapp.words.language import t
from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.study import axis_points, curves, summary
from ldpcore.study.relations import HOWEVER, SETTINGS
from ldpcore.study.relations.mechanism import RelationFacts

DENSE = {
    "epsilon": tuple(sorted({*axis_points.epsilons(sidebar.EPSILONS[0], sidebar.EPSILONS[-1]), *sidebar.EPSILONS})),
    "n": tuple(sorted({*axis_points.people(sidebar.PEOPLE[0], sidebar.PEOPLE[-1]), *sidebar.PEOPLE})),
}
"""Where lines are drawn."""
ERROR = "squared error of the difference"
ENOUGH = 4
"""Surveys from which on their error has an interval."""
LIMITS = ("as one", "apart", HOWEVER)
"""What has a limit of its own."""
Way = tuple[str, bool]
"""A setting, and whether groups that are not compared are joined."""


def axis_names() -> dict[str, str]:
    return {"epsilon": t("ε"), "n": t("people")}


def panel(view: RelationsView) -> Panel:
    axis, key = view.study.axis, view.best.key
    drawn, marks, below = lines(view), simulated(view), floor(view)
    table, squared = _table(drawn, marks), error_unit.squared("relations_unit")
    if squared:
        drawn = [replace(each, points=curves.squares(each.points)) for each in drawn]
        marks, below = curves.squares(marks), None if below is None else curves.squares(below)
    limit = "" if below is None else _limit_text(bound(view))
    figure = charts.setting_curves(
        drawn, marks, key=key, at=view.at, limit=below, limit_text=limit,
        x_name=axis_names()[axis] if axis == "epsilon" else t("people"), dark=widgets.is_dark(), squared=squared,
    )  # fmt: skip
    error = t("Mean squared error of the difference") if squared else t("± 95 % of the difference, points")
    what = t("{error}, {n} people. {key} for each answer.", error=error, n=_people(view), key=key)
    if axis == "n":
        what = t("{error}, at ε = {eps}. {key} for each answer.", error=error,
                 eps=words.epsilon(view.study.epsilon), key=key)  # fmt: skip
    now = view.study.epsilon, view.study.n
    least = {asked: cached.floor(view.known, *now, asked=asked) or math.nan for asked in LIMITS}
    alt = t("{what} One line for each way to ask.", what=what)
    return Panel(
        "relations_error",
        t("Error against {axis}", axis=axis_names()[axis]),
        [
            Chart(figure, alt, limit, instead=what),
            *(
                Line(text)
                for text in (
                    sentences.better(view),
                    sentences.limits(least, bool(view.study.marks.secret)),
                    sentences.smaller(view.best),
                )
                if text
            ),
        ],
        Filling(view.people, [view.curves], t("surveys"), what, what),
        [
            Menu(t("x: {axis}", axis=axis_names()[axis]), partial(_axis_menu, view), "relations_axis_menu"),
            error_unit.control("relations_unit"),
            Sheet(table, "relation-error", internal=["simulated", "low", "high"]),
        ],
    )


def bound(view: RelationsView) -> str:
    """What the floor that is drawn is of: a pair asked as one, or where its unmarked half may be shown everything."""
    return HOWEVER if view.best.shows_unmarked else "as one"


def _limit_text(asked: str) -> str:
    if asked == HOWEVER:
        return t("limit: nothing that hides both is below")
    return t("limit: no pair asked as one is below")


def _people(view: RelationsView) -> str:
    return words.count(view.best.n)


def _axis_menu(view: RelationsView) -> None:
    controlled.bound(
        st.radio, t("Against"), list(axis_names()), key="relations_axis", value=view.study.axis,
        format_func=axis_names().get, change=lambda axis: actions.change("relations", axis=axis),
    )  # fmt: skip


def ways(view: RelationsView) -> list[Way]:
    """The ways that are drawn: the present one, the other settings, and the best of those with groups joined."""
    now = (view.options.setting, view.options.join)
    plain = [(setting, view.options.join) for setting in SETTINGS]
    joined = [way for way in view.best.others if way.joined and way.setting != "open" and not view.options.join]
    best = min(joined, key=lambda way: way.margin, default=None)
    shown = [*plain, *([(best.setting, True)] if best is not None else [])]
    return [now, *(way for way in shown if way != now)]


def lines(view: RelationsView) -> list[SettingLine]:
    key = (view.best.study, view.best.key, view.study.axis)
    return remember("relation_lines", 16, key, lambda: _lines(view))


def _lines(view: RelationsView) -> list[SettingLine]:
    made = []
    for setting, joined in ways(view):
        points = _points(view.best, view.study.axis, setting, joined)
        if len(points):
            name = names.setting(setting, size_of(view, setting, joined))
            is_now = (setting, joined) == (view.options.setting, view.options.join)
            made.append(SettingLine(name, points, SETTINGS.index(setting), joined, is_now))
    return made


def size_of(view: RelationsView, setting: str, joined: bool) -> tuple[int, int] | None:
    """How many groups and answers there are where others are joined; None where none are."""
    if not joined:
        return None
    if view.options.join:
        return len(view.compared.mx), len(view.compared.my)
    way = next(way for way in view.best.others if way.setting == setting and way.joined)
    return way.groups, way.answers


def _points(one: RelationFacts, axis: str, setting: str, joined: bool) -> pd.DataFrame:
    """± in points along the axis, and what one person sends; none where this cannot be asked so."""
    if axis == "n":
        half, bits = (number(setting, one.study.epsilon, joined) for number in (one.half_width, one.size))
        off = [] if half is None else [(n, 100 * half * (one.n / n) ** 0.5, bits) for n in DENSE["n"]]
    else:
        # A mechanism for pairs is searched for at every ε.
        grid = sidebar.GRIDS["epsilon"] if one.shows_unmarked else DENSE["epsilon"]
        halves = [(epsilon, one.half_width(setting, epsilon, joined)) for epsilon in grid]
        off = [(epsilon, 100 * half, one.size(setting, epsilon, joined)) for epsilon, half in halves if half]
    return pd.DataFrame(off, columns=["x", "value", "bits"])


def simulated(view: RelationsView) -> pd.DataFrame:
    """± of the surveys so far [x, value, low, high], in points."""
    rows = view.simulated
    wanted = rows[(rows["metric"] == ERROR)]
    if not len(wanted):
        return pd.DataFrame({name: pd.Series(dtype=float) for name in ("x", "value", "low", "high")})
    means = summary(view.curves, view.people, wanted)
    ends = {name: 100 * NORMAL_95 * np.sqrt(means[name].to_numpy(float)) for name in ("value", "low", "high")}
    few = means["repetitions"].to_numpy() < ENOUGH
    for name in ("low", "high"):
        ends[name] = np.where(few, ends["value"], ends[name])
    return pd.DataFrame({"x": means["x"].to_numpy(float), **ends})


def floor(view: RelationsView) -> pd.DataFrame | None:
    """The limit [x, value] in points, as far as it is computed; None where there is none."""
    known = [(x, cached.floor(view.known, *_point(view, x), asked=bound(view))) for x in sidebar.GRIDS[view.study.axis]]
    if not any(setting == "as one" for setting, _ in ways(view)) or any(value is None for _, value in known):
        return None
    rows = [(x, value) for x, value in known if value is not None and np.isfinite(value) and value > 0]
    return pd.DataFrame(rows, columns=["x", "value"]) if len(rows) > 1 else None


def _point(view: RelationsView, x: float) -> tuple[float, int | None]:
    """ε and people at this point of the axis."""
    return (x, view.study.n) if view.study.axis == "epsilon" else (view.study.epsilon, round(x))


def _table(drawn: list[SettingLine], marks: pd.DataFrame) -> pd.DataFrame:
    rows = pd.concat([each.points.assign(asked=each.name) for each in drawn], ignore_index=True)
    focus = next((each.name for each in drawn if each.focus), "")
    marks = marks.rename(columns={"value": "simulated"}).assign(asked=focus)
    both = rows.merge(marks, how="outer", on=["asked", "x"]).rename(columns={"value": "± 95 %, points"})
    return both[["asked", "x", "± 95 %, points", "simulated", "low", "high", "bits"]]


# behind the page ---------------------------------------------------------------------------------------------------


def simulate(view: RelationsView) -> None:
    """What is still to be computed: the test, the limit, and surveys along the axis."""
    background.steps(itertools.chain(behind(view), compute.surveys(view.curves, view.people)), view.curves)


def behind(view: RelationsView) -> Iterator[None]:
    """The test, where a smaller ε errs less, and the limits, step by step."""
    now = view.study.epsilon, view.study.n
    for each in (
        partial(cached.independence, view.best),
        *(partial(cached.floor, view.known, *now, asked=asked) for asked in LIMITS),
        *(
            partial(cached.floor, view.known, *_point(view, x), asked=bound(view))
            for x in sidebar.GRIDS[view.study.axis]
        ),
        partial(cached.smaller, view.best),
    ):
        if each() is None:
            each(wait=True)
            yield
