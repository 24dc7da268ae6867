"""The difference as raw reports have it, as it is estimated, and as it is; the test and the odds."""

import math
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from ldpapp import charts, words
from ldpapp.charts import ForestRow, palette
from ldpapp.charts.base import rgba
from ldpapp.parts import widgets
from ldpapp.parts.panels import Chart, Control, Html, Line, Panel, Part, RowOfParts, Sheet
from ldpapp.views.relations import cached, names, sentences, sidebar
from ldpapp.views.relations.view import RelationsView
from ldpapp.words.language import t
from ldpcore.study.relations import tables

MOST_CELLS = (16, 12)
"""Columns and rows of pairs that are drawn."""


def panel(view: RelationsView) -> Panel:
    one, compared, truth = view.best, view.compared, view.known.truth
    estimate = ForestRow(t("estimate"), instead=t("too few to tell"), bold=True)
    if one.estimate.told:
        text, ends = sentences.signed(one.difference, one.margin), sentences.interval(one.low, one.high, one.margin)
        estimate = ForestRow(
            t("estimate"), value=one.difference, low=one.low, high=one.high, text=text, hover=ends, bold=True
        )
    raw = ForestRow(t("raw reports"), instead=t("too many to list"))
    if math.isfinite(one.raw):
        raw = ForestRow(t("raw reports"), raw=one.raw, text=sentences.signed(one.raw, one.margin))
    real = ForestRow(t("truth, internal"), truth=truth, text=sentences.signed(truth, one.margin), internal=True)
    rows, dark = [raw, estimate, real], widgets.is_dark()
    figure = charts.forest(rows, key=one.key, ends=_ends(view), unit=t("points"), zero=True, dark=dark, width=292)
    subtitle = t("Share among {one} minus {other}, points.", one=names.side(compared, 0), other=names.side(compared, 1))
    alt = t("The difference in a table of the raw reports, and as it is estimated.")
    return Panel(
        "relations_compared",
        t("How large is the difference?"),
        [RowOfParts([[Chart(figure, alt)], [Html(_card(view))]], [60, 40]), *_proposal(view)],
        subtitle,
        [Sheet(tables.difference(one), "difference")],
    )


def _ends(view: RelationsView) -> tuple[float, float]:
    """Both sides of zero, and all that is drawn."""
    one = view.best
    shown = [one.raw, *((one.difference, one.low, one.high) if one.estimate.told else ()), -one.margin / 4]
    drawn = [float(np.clip(v, -120, 120)) for v in (*shown, one.margin / 4, view.known.truth, 0.0) if not math.isnan(v)]
    # Outwards to round numbers: the end of an axis does not tell the truth.
    step = 10.0 ** np.floor(np.log10(max(max(drawn) - min(drawn), 1e-6)))
    return step * np.floor(min(drawn) / step - 0.2), step * np.ceil(max(drawn) / step + 0.2)


def _card(view: RelationsView) -> str:
    one = view.best
    related = sentences.relation(cached.independence(one), *view.compared.people.counts.shape)
    lines = [related, f"{sentences.odds(one)} {sentences.raw_odds(one)}", sentences.strength(one)]
    lines = [f'<span class="quiet">{line}</span>' for line in lines if line.strip()]
    if one.estimate.told:
        ends = sentences.interval(one.low, one.high, one.margin)
        lines.insert(0, t("This survey’s 95 %: <b>{interval}</b>.", interval=ends))
    lines.append(sentences.care(one.estimate))
    return '<div class="card rules">' + "".join(f"<p>{line}</p>" for line in lines if line.strip()) + "</div>"


def _proposal(view: RelationsView) -> list[Part]:
    """What joining all that nobody compares would gain, and the button that does it."""
    gain = None if view.options.join else view.best.joined_people
    if gain is None or gain >= sentences.WORTH:
        return []
    line = t(
        "All else joined, {n} of 100 people suffice for this ±.",
        n=max(1, round(100 * gain)),
    )
    click: dict[str, Any] = {"key": "relations_join_now", "type": "tertiary", "on_click": sidebar.join, "args": (True,)}
    return [RowOfParts([[Line(line)], [Control(partial(st.button, t("Join the rest"), **click))]], [78, 22])]


# all pairs ---------------------------------------------------------------------------------------------------------


def pairs(view: RelationsView) -> Panel:
    """The estimated share of every pair of answers."""
    one, people = view.best, view.compared.people
    low, high = one.survey.interval(view.compared.about)
    title = t("All pairs")
    subtitle = t("Of 100 people, estimated, ± 95 %. Pale: may be none.")
    sheet = Sheet(tables.pairs(one), "pairs")
    kx, ky = people.counts.shape
    if kx > MOST_CELLS[0] or ky > MOST_CELLS[1]:
        box = Line(t("{n} pairs are too many to draw; the table has them.", n=kx * ky))
        return Panel("relations_pairs", title, [box], subtitle, [sheet])
    return Panel("relations_pairs", title, [Html(_cells(view, low, high))], subtitle, [sheet])


def _cells(view: RelationsView, low: np.ndarray, high: np.ndarray) -> str:
    """A row for each answer, a column for each group; the larger a share, the deeper its ground."""
    shares, marked = view.best.survey.shares, (view.compared.mx, view.compared.my)
    groups, answers = (names.listed(view.compared, view.people, of) for of in (0, 1))
    heads = "".join(f"<th>{_label(name, marked[0][x])}</th>" for x, name in groups)
    hue, top = palette.mark(view.best.key).color(widgets.is_dark()), max(float(shares.max()), 1e-9)
    rows = ""
    for y, name in answers:
        rows += f"<tr><th>{_label(name, marked[1][y])}</th>"
        for x, _ in groups:
            share, is_told = float(shares[x, y]), bool(low[x, y] > 0)
            ground = rgba(hue, 0.1 + 0.5 * max(share, 0) / top if is_told else 0.04)
            value = f"{100 * share:.0f}".replace("-0", "0").replace("-", words.MINUS)
            margin = _tenths(50 * float(high[x, y] - low[x, y]))
            rows += f'<td style="background:{ground}"><b>{value}</b> ±{margin}</td>'
        rows += "</tr>"
    name = widgets.escape(t("All pairs"))
    table = f"<table><tr><th></th>{heads}</tr>{rows}</table>"
    return f'<div class="joint" tabindex="0" role="region" aria-label="{name}">{table}</div>'


def _tenths(margin: float) -> str:
    """A margin in a crowded table: "4.2", "12", "&lt;0.1", as markup."""
    return "&lt;0.1" if 0 < margin < 0.05 else f"{margin:.1f}" if margin < 9.95 else f"{margin:.0f}"


def _label(name: str, is_marked: bool) -> str:
    text = widgets.escape(words.shorten(name, 40))
    return f'<span style="color:{widgets.colors().sensitive}">{text}</span>' if is_marked else text
