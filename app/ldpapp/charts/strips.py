"""Bias and spread apart: each row an estimate, dots its errors in several surveys, a tick their bias, a band ±95 %."""

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from ldpapp import words
from ldpapp.charts.palette import mark, scheme
from ldpapp.words.language import t
from ldpcore.estimators.intervals import NORMAL_95

from .base import LABEL, Frame, Trace, axis, colored, dots, escape, figure, line, linear_ticks, note, text_width

Row = tuple[str, np.ndarray, float, float]
"""Name, errors (surveys,), bias, standard deviation."""


def error_strips(
    rows: Sequence[Row], *, unit: str = "", dark: bool = False, height: int = 216, width: int = 300
) -> go.Figure:
    """Errors about the truth, which is 0; the grey band is bias ± 1.96 sd, the tick is the bias."""
    colors = scheme(dark)
    left = min(118, math.ceil(max((text_width(name, 11) for name, *_ in rows), default=40)) + 22)
    frame = Frame(width, height, left=left, right=10)
    reach = max((abs(b) + 2.2 * sd for _, _, b, sd in rows), default=1.0)
    reach = max(reach, max((float(np.abs(e).max(initial=0)) for _, e, *_ in rows), default=0.0)) * 1.03 or 1.0
    data: list[Trace] = [line("truth", [0, 0], [-0.6, len(rows) - 0.4], colors.ink, 1)]
    notes = []
    for place, (name, errors, bias, sd) in enumerate(reversed(rows)):
        look = mark(name)
        color = look.color(dark)
        band = line(f"{name} band", [bias - NORMAL_95 * sd, bias + NORMAL_95 * sd], [place, place], colors.floor, 11)
        hover = t(
            "<b>{name}</b><br>bias {bias} {unit}<br>spread ±{sd} {unit}",
            name=escape(name),
            bias=words.signed(float(f"{bias:.3g}")),
            unit=unit,
            sd=f"{sd:.3g}",
        )
        # Survey by survey a little higher, then lower, so that equal errors do not hide one another.
        jitter = 0.24 * np.cos(np.arange(len(errors)) * 2.4)
        points = dots(name, errors, place + jitter, {"size": 4, "color": color, "opacity": 0.8}, [hover] * len(errors))
        tick = line(f"{name} bias", [bias, bias], [place - 0.36, place + 0.36], color, 2.6, said=hover)
        data += [band, points, tick]
        text = f"{colored(look.glyph, color)} {escape(name)}"
        font = {"size": 11 if len(rows) > 7 else LABEL - 1, "color": colors.ink}
        notes.append(note(text, 0, place, yref="y", xanchor="right", xshift=-8, font=font))
    ticks = linear_ticks(-reach, reach, 5 if reach < 1000 else 3)
    shown = [words.signed(t) for t in ticks]
    xaxis = axis(dark, range=[-reach, reach], tickvals=ticks, ticktext=shown, tickangle=0)
    yaxis = {"range": [-0.6, len(rows) - 0.4], "visible": False, "fixedrange": True}
    return figure(data, frame, dark, xaxis=xaxis, yaxis=yaxis, annotations=notes)
