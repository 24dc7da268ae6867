"""Simulated surveys one by one: how far each is off, and the band that theory predicts for them."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ldpapp import words
from ldpapp.charts.palette import scheme
from ldpapp.words.language import t

from .base import LABEL, Frame, Trace, area, dots, figure, grid_axis, line, linear_ticks, note

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
