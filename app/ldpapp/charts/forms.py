"""The forms of a release: their squared error in two parts, and the bias of every value."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ldpapp.charts.palette import scheme
from ldpapp.words.language import t

from .base import LABEL, TICK, Frame, Trace, axis, escape, figure, line, linear_ticks, note, rgba, text_width

Floats = NDArray[np.float64]
WIDTH, HEIGHT = 440, 226
"""px of both figures."""


@dataclass(frozen=True)
class FormRow:
    """A form's squared error, in percent of the unbiased one: both parts, and the 95 % interval of their sum."""

    name: str
    random: float
    systematic: float
    low: float
    high: float
    chosen: bool = False


def form_errors(rows: Sequence[FormRow], *, dark: bool = False) -> go.Figure:
    """From top to bottom: the random part, the systematic part behind it, a whisker about their sum; a rule at 100."""
    colors = scheme(dark)
    left = math.ceil(max(text_width(row.name, LABEL) for row in rows)) + 16
    frame = Frame(WIDTH, HEIGHT, left=left, right=14, top=18)
    most = max(100.0, *(row.high for row in rows)) * 1.02
    data: list[Trace] = []
    notes = []
    for place, row in enumerate(reversed(rows)):
        systematic = max(row.systematic, 0.0)
        text = t(
            "<b>{form}</b><br>{all} % of the unbiased squared error ({low}–{high})<br>random {random}, systematic "
            "{systematic}",
            form=escape(row.name),
            all=f"{row.random + row.systematic:.0f}",
            low=f"{row.low:.0f}",
            high=f"{row.high:.0f}",
            random=f"{row.random:.0f}",
            systematic=f"{systematic:.1f}",
        )
        tone = rgba(colors.ink2, 0.55 if row.chosen else 0.3)
        begin = 0.0
        for length, color in ((row.random, tone), (systematic, colors.ink)):
            data.append(
                {"type": "bar", "name": row.name, "x": [length], "base": [begin], "y": [place], "width": 0.56,
                 "orientation": "h", "marker": {"color": color, "line": {"width": 0}},
                 "hoverinfo": "text", "hovertext": text}
            )  # fmt: skip
            begin += length
        data.append(line(f"{row.name} interval", [row.low, row.high], [place, place], colors.ink3, 1.4))
        weight = f"<b>{escape(row.name)}</b>" if row.chosen else escape(row.name)
        font = {"size": LABEL, "color": colors.ink}
        notes.append(note(weight, 0, place, yref="y", xanchor="right", xshift=-8, font=font))
    data.append(line("unbiased", [100, 100], [-0.6, len(rows) - 0.4], colors.axis, 1, "2px,2px"))
    ticks = linear_ticks(0, most, 6)
    shown = [f"{tick:g}" for tick in ticks]
    shown[-1] += " %"
    xaxis = axis(dark, range=[0, most], tickvals=ticks, ticktext=shown, tickfont={"size": TICK, "color": colors.ink2})
    yaxis = {"range": [-0.6, len(rows) - 0.4], "visible": False, "fixedrange": True}
    return figure(data, frame, dark, xaxis=xaxis, yaxis=yaxis, annotations=notes, barmode="overlay")


def form_bias(
    labels: Sequence[str],
    truth: Floats,
    bias: Floats,
    low: Floats,
    high: Floats,
    marked: NDArray[np.bool_],
    *,
    dark: bool = False,
) -> go.Figure:
    """Mean error of every value in points with its 95 % interval, from the commonest value to the rarest; all (k,)."""
    colors, order = scheme(dark), np.argsort(-truth, kind="stable")
    frame, place = Frame(WIDTH, HEIGHT, left=44, right=10, top=18), np.arange(len(order))
    shades = [colors.sensitive if marked[i] else colors.ink2 for i in order]
    texts = [
        t(
            "<b>{value}</b>, {share} %<br>{bias} points on average ({low} to {high})",
            value=escape(labels[i]),
            share=f"{100 * truth[i]:.2g}",
            bias=f"{100 * bias[i]:+.2g}",
            low=f"{100 * low[i]:+.2g}",
            high=f"{100 * high[i]:+.2g}",
        )
        for i in order
    ]
    bar = {"type": "data", "symmetric": False, "thickness": 1.2, "width": 0, "color": colors.ink3,
           "array": 100 * (high - bias)[order], "arrayminus": 100 * (bias - low)[order]}  # fmt: skip
    size = 8 if len(order) <= 40 else 5
    dot = {"type": "scatter", "name": "bias", "x": place, "y": 100 * bias[order], "mode": "markers", "error_y": bar,
           "marker": {"size": size, "color": shades}, "hoverinfo": "text", "hovertext": texts}  # fmt: skip
    reach = 100 * float(max(np.abs(low).max(), np.abs(high).max(), 1e-6)) * 1.08
    ticks = linear_ticks(-reach, reach, 5)
    zero = line("no bias", [-0.7, len(order) - 0.3], [0, 0], colors.ink, 1)
    ends = [
        note(t("the commonest"), 0, -0.02, yanchor="top", yshift=-6, font={"size": TICK, "color": colors.ink2}),
        note(t("the rarest"), 1, -0.02, xanchor="right", yanchor="top", yshift=-6,
             font={"size": TICK, "color": colors.ink2}),
    ]  # fmt: skip
    yaxis = axis(
        dark, range=[-reach, reach], tickvals=ticks, ticktext=[f"{tick:+g}" if tick else "0" for tick in ticks]
    )
    xaxis = {"range": [-0.7, len(order) - 0.3], "visible": False, "fixedrange": True}
    return figure([zero, dot], frame, dark, xaxis=xaxis, yaxis=yaxis, annotations=ends)
