"""How exact a survey is against ε or the number of people: every way to ask, and the limit of the present one."""

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd

from ldpapp import charts, compute, words
from ldpapp.charts import SettingLine
from ldpapp.compute.memory import remember
from ldpapp.parts import error_unit, panels, widgets
from ldpapp.parts.panels import Chart, Filling, Line, Panel, Sheet
from ldpapp.runtime import background
from ldpapp.views.relations import cached, names, sentences
from ldpapp.views.relations.view import RelationsView
from ldpapp.words.language import t
from ldpcore.study import curves
from ldpcore.study import relations as task
from ldpcore.study.relations import HOWEVER, SETTINGS
from ldpcore.study.relations import curves as relation_curves


def axis_names() -> dict[str, str]:
    return {"epsilon": t("ε"), "n": t("people")}


def panel(view: RelationsView) -> Panel:
    axis, key = view.study.axis, view.best.key
    drawn, marks, below = lines(view), relation_curves.simulated(view.curves, view.people, view.simulated), floor(view)
    table, squared = _table(drawn, marks), error_unit.squared("relations_unit")
    if squared:
        drawn = [replace(each, points=curves.squares(each.points), now="") for each in drawn]
        marks, below = curves.squares(marks), None if below is None else curves.squares(below)
    limit = "" if below is None else _limit_text(relation_curves.floor_of(view.best))
    figure = charts.setting_curves(
        drawn, marks, key=key, at=task.current(view.study, view.people), limit=below, limit_text=limit,
        x_name=axis_names()[axis] if axis == "epsilon" else t("people"), dark=widgets.is_dark(), squared=squared,
    )  # fmt: skip
    error = t("Mean squared error; lower is better") if squared else t("± 95 %, points; lower is better")
    if view.compared.about == "like":  # elsewhere a ± is of these people alone
        error = t("{error}, sampling included", error=error)
    what = t("{error}. {n} people, {key} for each answer.", error=error, n=_people(view), key=key)
    if axis == "n":
        what = t("{error}. At ε = {eps}, {key} for each answer.", error=error,
                 eps=words.epsilon(view.study.epsilon), key=key)  # fmt: skip
    now = view.study.epsilon, view.study.n
    asked = relation_curves.floors_of(view.best)
    least = {each: cached.floor(view.known, *now, asked=each) or math.nan for each in asked}
    alt = t("{what} One line for each way to ask.", what=what)
    return Panel(
        "relations_error",
        t("How far off the difference is"),
        [
            Chart(figure, alt, limit, instead=what),
            *(
                Line(text)
                for text in (
                    sentences.limits(least, bool(view.study.marks.secret)),
                    sentences.smaller(view.best),
                )
                if text
            ),
        ],
        Filling(view.people, [view.curves], t("surveys"), what, what),
        [
            panels.axis_menu("relations", axis_names(), axis),
            error_unit.control("relations_unit"),
            Sheet(table, "relation-error", internal=["simulated", "low", "high"]),
        ],
    )


def _limit_text(asked: str) -> str:
    if asked == HOWEVER:
        return t("limit: no mechanism that hides both errs less")
    return t("limit: no mechanism asked so errs less")


def _people(view: RelationsView) -> str:
    return words.count(view.best.n)


def lines(view: RelationsView) -> list[SettingLine]:
    key = (view.best.study, view.best.key, view.study.axis)
    return remember("relation_lines", 16, key, lambda: _lines(view))


def _lines(view: RelationsView) -> list[SettingLine]:
    made = []
    for place, way in enumerate(relation_curves.ways(view.best)):
        points, (setting, joined) = relation_curves.line(view.best, way, view.study.axis), way
        if len(points):
            name = names.setting(setting, joined)
            half = view.best.half_width(setting, view.study.epsilon, joined)
            now = "" if half is None else sentences.margin(100 * half)
            made.append(SettingLine(name, points, SETTINGS.index(setting), joined, place == 0, now))
    return made


def floor(view: RelationsView) -> pd.DataFrame | None:
    """The limit [x, value] in points, as far as it is computed; None where there is none."""
    known = [(x, least()) for x, least in _floors(view).items()]
    if any(value is None for _, value in known):
        return None
    rows = [(x, value) for x, value in known if value is not None and np.isfinite(value) and value > 0]
    return pd.DataFrame(rows, columns=["x", "value"]) if len(rows) > 1 else None


def _floors(view: RelationsView) -> dict[float, Callable[..., float | None]]:
    """Where on the axis the limit is computed → what looks it up, or waits for it."""
    made = {}
    for x in relation_curves.GRIDS[view.study.axis]:
        epsilon, people = relation_curves.at(view.study, x)
        made[x] = partial(cached.floor, view.known, epsilon, people, asked=relation_curves.floor_of(view.best))
    return made


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
        *(partial(cached.floor, view.known, *now, asked=asked) for asked in relation_curves.floors_of(view.best)),
        *_floors(view).values(),
        partial(cached.smaller, view.best),
    ):
        if each() is None:
            each(wait=True)
            yield
