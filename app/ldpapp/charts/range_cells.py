"""Ranges: the histogram with a chosen range, and what is published of it."""

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from ldpapp import words
from ldpapp.charts.palette import mark, scheme
from ldpapp.words.language import t

from .base import (
    LABEL,
    TICK,
    Frame,
    Trace,
    axis,
    bars,
    dots,
    escape,
    figure,
    grid_axis,
    internal,
    line,
    linear_ticks,
    note,
    numbers,
    roomy,
    text_width,
)
from .lines import marker

Floats = NDArray[np.float64]


def _cells_text(names: tuple[str, str], at: float) -> str:
    first, last = (escape(name) for name in names)
    if first == last:
        return t("<b>{cell}</b><br>{n} people", cell=first, n=words.count(at))
    return t("<b>{first} to {last}</b><br>{n} people", first=first, last=last, n=words.count(at))


def range_histogram(
    counts: Floats,
    firsts: Sequence[str],
    lasts: Sequence[str],
    chosen: tuple[int, int],
    *,
    ticks: Sequence[tuple[float, str]] = (),
    dark: bool = False,
    height: int = 150,
    width: int = 468,
) -> go.Figure:
    """Bars of counts (k,) over cells named from `firsts` to `lasts`; cells l to r (1-based) in ink. Dragging brushes.

    `ticks` are (place, text) with cell i from i to i + 1; without them the names of the cells that fit are written.
    """
    colors, k = scheme(dark), len(counts)
    top = float(np.max(counts, initial=1)) * 1.06
    y_ticks = linear_ticks(0, top, max(3, (height - 32) // 34))
    text = [words.count(v) for v in y_ticks]
    frame = Frame(width, height, left=min(58, max(34, math.ceil(max(map(text_width, text))) + 12)), right=14)
    inside = np.zeros(k, bool)
    inside[chosen[0] - 1 : chosen[1]] = True
    rim = {"width": 0.6 if k <= 110 else 0, "color": colors.page}
    dim = {"unselected": {"marker": {"opacity": 1}}, "selected": {"marker": {"opacity": 1}}}
    data: list[Trace] = []
    for name, color, part in (("other", colors.other, ~inside), ("chosen", colors.ink, inside)):
        texts = [_cells_text((firsts[i], lasts[i]), float(counts[i])) for i in np.flatnonzero(part).tolist()]
        bar = bars(name, np.flatnonzero(part) + 0.5, counts[part], color, 1, texts)
        data.append(bar | {"marker": {"color": color, "line": rim}} | dim)
    ticks = ticks or _named_cells(firsts, chosen, frame)
    # A box starts where nothing is drawn, too: the whole height is ground to drag on.
    xaxis = axis(
        dark,
        range=[0, k],
        tickangle=0,
        tickvals=[t for t, _ in ticks],
        ticktext=[escape(t) for _, t in ticks],
        fixedrange=False,
    )
    yaxis = grid_axis(dark, range=[0, top], tickvals=y_ticks, ticktext=text, ticklabelstandoff=6)
    drag = {"dragmode": "select", "selectdirection": "h", "newselection": {"line": {"color": colors.ink, "width": 1}}}
    # Behind the bars: the chosen cells are seen where they are nearly empty, too.
    band = {"type": "rect", "xref": "x", "yref": "paper", "x0": chosen[0] - 1, "x1": chosen[1], "y0": 0, "y1": 1}
    band |= {"layer": "below", "line": {"width": 0}, "fillcolor": colors.floor}
    return figure(data, frame, dark, xaxis=xaxis, yaxis=yaxis, barmode="overlay", bargap=0, shapes=[band], **drag)


def _named_cells(names: Sequence[str], chosen: tuple[int, int], frame: Frame) -> list[tuple[float, str]]:
    """The ends of the chosen range first, then what fits beside them."""
    pitch = frame.plot_width / len(names)
    short = [words.shorten(name, 14) for name in names]
    widest = max(map(text_width, short))
    wanted = [chosen[0] - 1, chosen[1] - 1, 0, len(names) - 1, *range(len(names))]
    # Texts are centred: at the very ends they would leave the figure.
    fits = [i for i in wanted if text_width(short[i]) / 2 <= min(i + 0.5, len(names) - i - 0.5) * pitch + frame.right]
    return [(i + 0.5, short[i]) for i in roomy(fits, pitch, widest + 8)]


def range_releases(rows: pd.DataFrame, truth: float, *, dark: bool = False) -> go.Figure:
    """What each strategy publishes of one range: rows [mechanism, value, half]; the truth is a rule."""
    colors = scheme(dark)
    names = list(rows["mechanism"])
    value, half = (numbers(rows, name) for name in ("value", "half"))
    label = [f"{words.count(v)} ±{words.decimals(e).lstrip('±')}" for v, e in zip(value, half, strict=True)]
    left = math.ceil(max(text_width(name, LABEL) for name in names)) + 24
    right = math.ceil(max(text_width(text, LABEL) for text in label)) + 16
    frame = Frame(370, 31 * len(names) + 16 + 22, left=left, right=right, top=16, bottom=22)
    low, high = min(truth, float(np.min(value - half))), max(truth, float(np.max(value + half)))
    room = 0.04 * max(high - low, 1e-9)  # not about the truth: the middle of the axis would tell it
    low, high = low - room, high + room
    ticks = linear_ticks(low, high, max(2, frame.plot_width // 62))
    places = np.arange(len(names))[::-1]
    data = [internal(line("truth", [truth, truth], [-0.5, len(names) - 0.5], colors.ink))]
    notes = [
        internal(note(t("true {n}", n=words.count(truth)), truth, 1, xref="x", xanchor="center", yanchor="bottom",
                      font={"size": TICK, "color": colors.ink}))
    ]  # fmt: skip
    for name, at, v, reach_, text in zip(names, places, value, half, label, strict=True):
        look = mark(name)
        color = look.color(dark)
        hover = t(
            "<b>{name}</b><br>published {n}<br>±{reach} with 95 %",
            name=escape(name),
            n=words.count(v),
            reach=words.decimals(reach_),
        )
        data.append(line(f"{name} interval", [v - reach_, v + reach_], [at, at], color, 1.6))
        data.append(dots(name, [v], [at], marker(look, color, dark), [hover]))
        y = (at + 0.5) / len(names)
        notes.append(note(look.glyph, 0, y, xanchor="center", xshift=8 - left, font={"size": LABEL, "color": color}))
        notes.append(note(escape(name), 0, y, xshift=18 - left, font={"size": LABEL, "color": colors.ink}))
        notes.append(note(text, 1, y, xshift=right, xanchor="right", font={"size": LABEL, "color": colors.ink}))
    xaxis = grid_axis(dark, range=[low, high], tickangle=0, tickvals=ticks, ticktext=[_whole(t) for t in ticks])
    yaxis = axis(dark, range=[-0.5, len(names) - 0.5], visible=False)
    return figure(data, frame, dark, xaxis=xaxis, yaxis=yaxis, annotations=notes)


def _whole(value: float) -> str:
    return words.count(value) if float(value).is_integer() else f"{value:g}".replace("-", words.MINUS)
