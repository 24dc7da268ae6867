"""How far published shares may be from the truth under two policies: one bar within another, a row per value."""

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ldpapp.charts.palette import scheme

from .base import LABEL, TICK, Frame, Trace, axis, escape, figure, line, linear_ticks, note, text_width

Floats = NDArray[np.float64]


def margins(
    labels: Sequence[str],
    truth: Floats,
    wide: Floats,
    narrow: Floats,
    marked: NDArray[np.bool_],
    *,
    texts: tuple[str, str],
    dark: bool = False,
    height: int = 330,
    width: int = 640,
) -> go.Figure:
    """truth, wide, narrow (k,): shares and the 95 % margins of either policy, in percent, drawn from top to bottom.

    texts: what the wide and the narrow bars say, beside the first row of either.
    """
    colors = scheme(dark)
    left = min(170, math.ceil(max(text_width(label, LABEL) for label in labels)) + 14)
    frame = Frame(width, height, left=left, right=math.ceil(text_width(texts[0], LABEL)) + 20, top=4)
    data: list[Trace] = []
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
    for row, (text, tone) in enumerate(zip(texts, (colors.ink2, colors.ink), strict=True)):
        at = len(labels) - 1 - row
        font = {"size": LABEL, "color": tone}
        notes.append(note(text, float((truth + wide)[row]), at, xref="x", yref="y", xshift=10, font=font))
    ticks = linear_ticks(min(low, 0.0), high, 6)
    shown = [f"{tick:g}" for tick in ticks]
    shown[-1] += " %"
    xaxis = axis(dark, range=[low, high], tickvals=ticks, ticktext=shown, tickfont={"size": TICK, "color": colors.ink2})
    yaxis = {"range": [-0.7, len(labels) - 0.3], "visible": False, "fixedrange": True}
    return figure(data, frame, dark, xaxis=xaxis, yaxis=yaxis, annotations=notes)
