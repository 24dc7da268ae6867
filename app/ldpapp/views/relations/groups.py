"""Group by group: the share of the answers in each, as a survey estimates it, as it is, and as raw reports have it."""

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from ldpapp import charts, words
from ldpapp.charts import ForestRow
from ldpapp.parts import panels, widgets
from ldpapp.parts.panels import Chart, Control, Line, Panel, Part, Reach, RowOfParts, Sheet
from ldpapp.runtime import display
from ldpapp.views.relations import names, sentences, sidebar
from ldpapp.views.relations.view import RelationsView
from ldpapp.words.language import t
from ldpcore.relations import RelationEstimate
from ldpcore.study.relations import tables
from ldpcore.study.relations.rows import GroupRow

MOST = 12
"""Groups that are drawn, the largest first."""
HEIGHT, LEAST, MOST_PX = 300, 24, 44
"""px that the rows share, and what one has at least and at most."""


def panel(view: RelationsView) -> Panel:
    one, answers = view.best, names.side(view.compared, 2)
    largest = sorted(range(len(one.groups)), key=lambda x: -one.groups[x].size)[:MOST]
    called = dict(names.listed(view.compared, view.people, 0))
    rows = [_row(one.groups[x], called[x]) for x in largest]
    beside = len(one.groups) > 2 and not display.narrow()  # of two groups it is the difference itself
    if beside:
        rows = [_against(row, one.against_others[x]) for row, x in zip(rows, largest, strict=True)]
    rows += [_together(view, side, apart=not place) for place, side in enumerate(view.compared.several)]
    heads = (t("share"), t("− all others") if beside else "")
    figure = charts.forest(
        rows, key=one.key, ends=(0, 100), unit="%", heads=heads, dark=widgets.is_dark(), width=452,
        row=max(LEAST, min(MOST_PX, HEIGHT // len(rows))),
    )  # fmt: skip
    mark, alt = widgets.glyph(one.key), t("One line for each of {n} groups.", n=len(largest))
    subtitle = t("{mark} and line: 95 % for all at once. Tick: truth, <i>internal</i>. ✕: raw reports.", mark=mark)
    published = t("{mark} and line: 95 % for all at once. ✕: raw reports.", mark=mark)
    if beside:
        subtitle, published = (t("{marks} Bold: differs.", marks=text) for text in (subtitle, published))
    parts: list[Part] = [Chart(figure, alt)]
    if len(one.groups) > MOST:
        parts.append(Line(t("The {n} largest groups; the table has all {all}.", n=MOST, all=len(one.groups))))
    parts += _clearest(view)
    if left_out := sentences.left_out(view):
        parts.append(Line(left_out, Reach.INTERNAL))
    return Panel(
        "relations_groups",
        t("How common is {answers}?", answers=answers),
        parts,
        Line(subtitle, Reach.INTERNAL, published),
        [panels.again(t("draw again"), "relations", view.study.repetitions), Sheet(tables.groups(one), "groups")],
    )


def _clearest(view: RelationsView) -> list[Part]:
    """Where nobody chose two groups: those that differ most, and the click that compares them. Internal: it is read off
    the true answers.
    """
    pair = view.known.clearest if view.known.is_unchosen else ()
    if not pair or {*pair} == {*view.compared.labels(0), *view.compared.labels(1)}:
        return []
    line = t("In these data {pair} differ most.", pair=words.listing(names.several([label]) for label in pair))
    click: dict[str, Any] = {"key": "relations_clearest", "type": "tertiary", "on_click": sidebar.compare, "args": pair}
    compare = Control(partial(st.button, t("Compare them"), **click))
    return [RowOfParts([[Line(line, Reach.INTERNAL)], [compare]], [72, 28])]


def _row(row: GroupRow, label: str, together: bool = False, apart: bool = False) -> ForestRow:
    share, is_told = row.share, bool(row.share.told)
    scale = 100 * (share.high - share.low) / 2
    hover = t("<b>{group}</b><br>too few to tell", group=widgets.escape(row.label))
    if is_told:
        hover = t(
            "<b>{group}</b><br>{value} % ({low} to {high})", group=widgets.escape(row.label),
            value=sentences.points(100 * share.value, scale), low=sentences.points(100 * share.low, scale),
            high=sentences.points(100 * share.high, scale),
        )  # fmt: skip
    return ForestRow(
        label,
        marked=row.marked,
        value=100 * share.value if is_told else None,
        low=100 * share.low,
        high=100 * share.high,
        truth=100 * row.truth,
        raw=100 * row.raw,
        instead="" if is_told else t("too few"),
        hover=hover,
        text=_written(share.value, scale, signed=False) if is_told else "",
        bold=together,
        apart=apart,
    )


def _against(row: ForestRow, gap: RelationEstimate) -> ForestRow:
    """The row with how much more than all others the group has, bold where this survey tells that they differ."""
    if not gap.told:
        return row
    scale = 50 * float(gap.high - gap.low)
    return replace(row, more=_written(gap.value, scale), sure=not gap.low <= 0 <= gap.high)


def _written(share: float, scale: float, signed: bool = True) -> str:
    """ "27 ± 5", "+4.2 ± 2.2": points."""
    value = sentences.signed(100 * share, scale) if signed else sentences.points(100 * share, scale)
    return t("{value} {margin}", value=value, margin=sentences.margin(scale))


def _together(view: RelationsView, side: int, apart: bool) -> ForestRow:
    row = view.best.together(side)
    return _row(row, names.short(view.compared, side), True, apart)
