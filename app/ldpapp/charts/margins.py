"""How far published shares may be from the truth under two policies: one bar within another, a row per value."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ldpapp import words
from ldpapp.charts.palette import scheme
from ldpapp.words.language import t

from .base import (
    LABEL,
    TICK,
    Frame,
    Trace,
    area,
    axis,
    dots,
    escape,
    figure,
    grid_axis,
    line,
    linear_ticks,
    note,
    text_width,
)
from .remarks import PHONE

Floats = NDArray[np.float64]
LEADER = 6
"""px between the line to a bar and what it says."""


def margins(
    labels: Sequence[str],
    truth: Floats,
    wide: Floats,
    narrow: Floats,
    marked: NDArray[np.bool_],
    *,
    texts: tuple[str, str],
    dark: bool = False,
    height: int = 324,
    width: int = 640,
) -> go.Figure:
    """truth, wide, narrow (k,): shares and the 95 % margins of either policy, in percent, drawn from top to bottom.

    texts: what the wide and the narrow bars say, with a line to each: beside the first rows that leave room for it also
    on a phone.
    """
    colors = scheme(dark)
    left = min(170, math.ceil(max(text_width(label, LABEL) for label in labels)) + 14)
    frame = Frame(width, height, left=left, right=16, top=4)
    data: list[Trace] = [line("zero", [0, 0], [-0.7, len(labels) - 0.3], colors.axis, 1)]
    notes = []
    for place, label in enumerate(reversed(labels)):
        i = len(labels) - 1 - place
        color = colors.sensitive if marked[i] else colors.ink
        hover = f"<b>{escape(label)}</b> {truth[i]:.1f} %<br>±{wide[i]:.1f} · ±{narrow[i]:.1f}"
        for reach, tone, thick in ((wide[i], colors.floor, 13.0), (narrow[i], color, 3.2)):
            ends = [truth[i] - reach, truth[i] + reach]
            data.append(line(label, ends, [place, place], tone, thick, said=[hover, hover]))
        dot = {"size": 8, "color": colors.page, "line": {"color": color, "width": 1.6}}
        data.append(
            {"type": "scatter", "x": [truth[i]], "y": [place], "mode": "markers", "marker": dot, "hoverinfo": "skip"}
        )
        notes.append(
            note(escape(label), 0, place, yref="y", xanchor="right", xshift=-10, font={"size": LABEL, "color": color})
        )
    low, high = float((truth - wide).min()), float((truth + wide).max())
    ends, room = truth + wide, max(text_width(text, LABEL) for text in texts) + LEADER
    free = (high - np.maximum(ends[:-1], ends[1:])) / (high - low) * (PHONE - frame.left - frame.right) > room
    first = next((i for i in range(1, len(free)) if free[i]), max(0, len(free) - 1))
    at = float(ends[first : first + 2].max())
    for i, (text, tone, reach) in enumerate(zip(texts, (colors.ink2, colors.ink), (wide, narrow), strict=True), first):
        place, font = len(labels) - 1 - i, {"size": LABEL, "color": tone}
        data.append(line("leader", [truth[i] + reach[i], at], [place, place], colors.ink3, 1))
        notes.append(note(text, at, place, xref="x", yref="y", xshift=LEADER, font=font))
    ticks = linear_ticks(min(low, 0.0), high, 6)
    shown = [f"{tick:g}" for tick in ticks]
    shown[-1] += " %"
    xaxis = axis(dark, range=[low, high], tickvals=ticks, ticktext=shown, tickfont={"size": TICK, "color": colors.ink2})
    yaxis = {"range": [-0.7, len(labels) - 0.3], "visible": False, "fixedrange": True}
    return figure(data, frame, dark, xaxis=xaxis, yaxis=yaxis, annotations=notes)


# surveys beside one another ------------------------------------------------------------------------------------------


REACH = 2.0
"""Bands that the axis holds on either side; a survey further off would be one in ten thousand."""


def outcomes(
    errors: NDArray[np.float64],
    margin: float,
    *,
    shown: int,
    dark: bool = False,
    height: int = 220,
    width: int = 440,
) -> go.Figure:
    """errors (surveys,), in points, from left to right; the first `shown` of them are drawn, the axes hold all.

    Filled dots lie within ±margin, rings outside; the last one drawn is larger.
    """
    colors = scheme(dark)
    frame = Frame(width, height, left=38, right=8, top=8, bottom=8)
    n, reach = len(errors), max(REACH * margin, 1.05 * float(np.abs(errors).max(initial=0)))
    ends = np.array([0.0, n + 1.0])
    data: list[Trace] = [
        area("band", ends, np.full(2, -margin), np.full(2, margin), colors.floor),
        line("truth", ends, [0, 0], colors.ink3, 1),
    ]
    for name, part, look in _groups(errors[:shown], margin, colors):
        place = np.flatnonzero(part)
        hover = [
            t("survey {n}: {error} points", n=i + 1, error=words.signed(round(float(errors[i]), 2))) for i in place
        ]
        sizes = np.where(place == shown - 1, 10, 6) if shown < n or n == 1 else np.full(len(place), 6)
        data.append(dots(name, place + 1, errors[place], look | {"size": sizes.tolist()}, hover, cliponaxis=False))
    ticks = linear_ticks(-reach, reach, 5)
    font = {"size": LABEL, "color": colors.ink2}
    notes = [note(t("95 of 100"), 1, margin, yref="y", xanchor="right", xshift=-4, yshift=-9, font=font)]
    yaxis = grid_axis(dark, range=[-reach, reach], tickvals=ticks, ticktext=[words.signed(tick) for tick in ticks])
    xaxis: dict[str, Any] = {"range": [0, n + 1], "visible": False, "fixedrange": True}
    return figure(data, frame, dark, xaxis=xaxis, yaxis=yaxis, annotations=notes)


def _groups(errors: NDArray[np.float64], margin: float, colors):
    inside = np.abs(errors) <= margin
    yield "inside", inside, {"color": colors.ink}
    yield "outside", ~inside, {"color": colors.page, "line": {"color": colors.ink, "width": 2}}
