"""How many people tell a difference that matters: for each way to ask."""

import math
from functools import partial

import pandas as pd

from ldpapp import words
from ldpapp.charts import palette
from ldpapp.parts import widgets
from ldpapp.parts.panels import Html, Menu, Panel, Sheet
from ldpapp.state import view_options
from ldpapp.views.relations import names, sidebar
from ldpapp.views.relations.view import RelationsView
from ldpapp.words.language import t
from ldpcore.plan.answers import rounded_up
from ldpcore.study.relations import curves


def delta() -> float:
    """The difference that is to be seen, in points."""
    return float(view_options.look(sidebar.DELTA, sidebar.LOOKS[sidebar.DELTA][0]))


def power() -> float:
    return float(view_options.look(sidebar.POWER, sidebar.LOOKS[sidebar.POWER][0]))


def people(view: RelationsView) -> list[tuple[curves.Way, int | None]]:
    """Each way to ask → who tell that difference; None where none suffice."""
    ways = [
        way for way in curves.ways(view.best) if view.best.half_width(way[0], view.study.epsilon, way[1]) is not None
    ]
    return [(way, view.best.people_seeing(way[0], delta() / 100, power(), way[1])) for way in ways]


def panel(view: RelationsView) -> Panel:
    rows = people(view)
    known = [count for _, count in rows if count is not None]
    most = max(known, default=1)
    now = (view.options.setting, view.options.join)
    body = ""
    for (setting, joined), count in sorted(rows, key=lambda row: row[1] or math.inf):
        name = names.setting(setting, joined)
        body += _bar(view, name, count, most, (setting, joined) == now, setting)
    texts = {0.8: t("4 surveys of 5"), 0.9: t("9 surveys of 10"), 0.95: t("19 surveys of 20")}
    table = pd.DataFrame(
        [
            (
                names.setting(*way),
                count,
                view.best.size(way[0], view.study.epsilon, way[1]),
            )
            for way, count in rows
        ],
        columns=["asked", "people", "bits"],
    )
    difference = t("{delta} points", delta=f"{delta():g}")
    return Panel(
        "relations_needed",
        t("People needed"),
        [Html(f'<div class="card">{body}</div>')],
        _seen(view, texts[power()]),
        [
            Menu(difference, partial(_menu, texts), "relations_needed_menu"),
            Sheet(table, "people-needed"),
        ],
    )


def _seen(view: RelationsView, surveys: str) -> str:
    """What so many see, and on which side where that is not the one of these people's difference."""
    sign = view.best.direction(delta() / 100)
    if sign is None or sign == (-1 if view.known.truth < 0 else 1):
        return t("About, to see {delta} points in {surveys}.", delta=f"{delta():g}", surveys=surveys)
    if sign > 0:
        return t("About, to see {delta} points commoner in {surveys}.", delta=f"{delta():g}", surveys=surveys)
    return t("About, to see {delta} points rarer in {surveys}.", delta=f"{delta():g}", surveys=surveys)


def _menu(texts: dict[float, str]) -> None:
    points = {value: t("{n} points", n=f"{value:g}") for value in sorted(sidebar.LOOKS[sidebar.DELTA])}
    view_options.radio(t("The difference to be seen"), points, sidebar.DELTA)
    view_options.radio(t("Seen in"), texts, sidebar.POWER)


def _bar(view: RelationsView, name: str, count: int | None, most: int, is_now: bool, setting: str) -> str:
    color = palette.mark(view.best.key).color(widgets.is_dark())
    if setting == "open":
        color = widgets.colors().ink3
    label = f"<b>{name}</b>" if is_now else name
    if count is None:
        return f'<div>{label} <span class="quiet">{t("no number suffices")}</span></div>'
    width = max(1.5, 62 * count / most)
    bar = f'<span style="display:inline-block;height:8px;width:{width:.1f}%;background:{color}"></span>'
    about = words.count(rounded_up(count))
    number = f"<b>{about}</b>" if is_now else about
    return f'<div style="margin-bottom:4px">{label}<br>{bar} <span class="nowrap">{number}</span></div>'
