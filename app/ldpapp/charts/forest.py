"""A row for each group: its estimate and interval, the truth as a tick, and what a table of raw reports shows."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from ldpapp.charts.palette import Mark, mark, scheme

from .base import (
    LABEL,
    TICK,
    Frame,
    Trace,
    dots,
    escape,
    figure,
    grid_axis,
    internal,
    line,
    linear_ticks,
    note,
    text_width,
)
from .lines import marker, tick

BESIDE = 0.55
"""Of the axis: raw reports further on have the words at their left, where a narrow screen has room for them."""
WIDEST = 168
"""px of the names of rows, at most."""


@dataclass(frozen=True)
class ForestRow:
    """label: of the row; marked: in the one colour that says so. value, low, high: None where nothing is told, and
    `instead` stands there. raw: of the reports; text and more: in columns at the right, more bold where it is `sure`.
    """

    label: str
    marked: bool = False
    value: float | None = None
    low: float = math.nan
    high: float = math.nan
    truth: float | None = None
    raw: float | None = None
    instead: str = ""
    text: str = ""
    more: str = ""
    sure: bool = False
    hover: str = ""
    bold: bool = False
    internal: bool = False
    """All of it tells the truth."""
    apart: bool = False
    """A rule stands above it."""


def forest(
    rows: Sequence[ForestRow],
    *,
    key: str,
    ends: tuple[float, float],
    unit: str = "",
    zero: bool = False,
    heads: tuple[str, str] = ("", ""),
    dark: bool = False,
    row: int = 26,
    width: int = 452,
) -> go.Figure:
    """key: the mechanism whose look the estimates have. ends: of the axis; with `zero` a line stands there.

    heads: of the columns of texts at the right, if there are any.
    """
    colors, look = scheme(dark), mark(key)
    left = min(WIDEST, math.ceil(max(text_width(each.label, LABEL) for each in rows)) + 16)
    columns = _columns(rows, heads)
    right, top = max(10, sum(columns)), 16 if any(heads) else 4
    frame = Frame(width, row * len(rows) + 26 + top, left=left, right=right, top=top)
    low, high = ends
    data: list[Trace] = [line("zero", [0, 0], [-0.5, len(rows) - 0.5], colors.ink3, 1, "2px,2px")] if zero else []
    notes: list[dict[str, Any]] = []
    shapes: list[dict[str, Any]] = []
    for place, each in enumerate(rows):
        data += _marks(each, place, look, ends, dark)
        notes += _words(each, place, ends, frame, columns, dark)
        if each.apart:
            rule = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": place - 0.5, "y1": place - 0.5}
            shapes.append(rule | {"line": {"color": colors.axis, "width": 1}})
    for head, shift in zip(heads, (right - columns[1], right), strict=True):
        if head:
            look = {"xanchor": "right", "yanchor": "bottom", "yshift": 1, "font": {"size": TICK}}
            notes.append(note(head, 1, 1, xshift=shift - 2, **look))
    ticks = linear_ticks(low, high, max(2, min(5, frame.plot_width // 62)))
    text = [tick(value) for value in ticks]
    text[-1] = f"{text[-1]} {unit}".rstrip()
    xaxis = grid_axis(dark, range=[low, high], tickvals=ticks, ticktext=text, tickangle=0)
    yaxis = {"range": [len(rows) - 0.5, -0.5], "visible": False, "fixedrange": True}
    return figure(data, frame, dark, xaxis=xaxis, yaxis=yaxis, annotations=notes, shapes=shapes)


def _marks(each: ForestRow, place: int, look: Mark, ends: tuple[float, float], dark: bool) -> list[Trace]:
    colors, color = scheme(dark), look.color(dark)
    out: list[Trace] = []
    if each.value is not None:
        span = [float(np.clip(end, *ends)) for end in (each.low, each.high)]
        out.append(line(f"{each.label} interval", span, [place, place], color, 2.2, said=[each.hover] * 2))
        out.append(dots(f"{each.label}", [each.value], [place], marker(look, color, dark, 8), [each.hover]))
    if each.truth is not None and np.isfinite(each.truth):
        tick_ = {"symbol": "line-ns-open", "size": 9, "color": colors.ink, "line": {"width": 2, "color": colors.ink}}
        out.append(internal(dots("truth", [each.truth], [place], tick_, [each.hover])))
    if each.raw is not None and np.isfinite(each.raw):
        cross = {"symbol": "x", "size": 6.5, "color": colors.ink3}
        out.append(dots("raw reports", [each.raw], [place], cross, [each.hover], cliponaxis=False))
    return out


def _columns(rows: Sequence[ForestRow], heads: tuple[str, str]) -> list[int]:
    """px of both columns at the right; 0 for one that is empty."""
    texts = [(heads[0], *(each.text for each in rows)), (heads[1], *(each.more for each in rows))]
    widest = (max(text_width(text, LABEL) for text in column) for column in texts)
    return [math.ceil(width) + 14 if width else 0 for width in widest]


def _words(
    each: ForestRow, place: int, ends: tuple[float, float], frame: Frame, columns: Sequence[int], dark: bool
) -> list[dict[str, Any]]:
    colors = scheme(dark)
    name = escape(_fitting(each.label, frame.left - 14))
    color = colors.sensitive if each.marked else colors.ink
    label = f"<b>{name}</b>" if each.bold else name
    look = {"yref": "y", "font": {"size": LABEL, "color": color}}
    out = [note(label, 0, place, xanchor="right", xshift=-10, **look)]
    shifts = frame.right - columns[1], frame.right
    for shown, strong, shift in zip((each.text, each.more), (each.bold, each.sure), shifts, strict=True):
        if shown:
            text = f"<b>{escape(shown)}</b>" if strong else escape(shown)
            at = {"xanchor": "right", "xshift": shift - 2, "yref": "y", "font": {"size": LABEL, "color": colors.ink}}
            out.append(note(text, 1, place, **at))
    if each.instead:
        out.append(_instead(each, place, ends, colors.ink3))
    return [internal(one) for one in out] if each.internal else out


def _instead(each: ForestRow, place: int, ends: tuple[float, float], color: str) -> dict[str, Any]:
    """Why nothing is told, beside the raw reports; where the truth is does not matter, so that no place tells it."""
    look = {"yref": "y", "font": {"size": TICK, "color": color}}
    if each.raw is None:
        return note(each.instead, 0, place, xshift=44, **look)
    is_right = each.raw > ends[0] + BESIDE * (ends[1] - ends[0])
    side = {"xanchor": "right", "xshift": -8} if is_right else {"xanchor": "left", "xshift": 8}
    return note(each.instead, each.raw, place, xref="x", **side, **look)


def _fitting(text: str, room: float) -> str:
    """As much of a name as there is room for."""
    if text_width(text, LABEL) <= room:
        return text
    kept = text
    while kept and text_width(f"{kept}…", LABEL) > room:
        kept = kept[:-1]
    return f"{kept.rstrip()}…"
