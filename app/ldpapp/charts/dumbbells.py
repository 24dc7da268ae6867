"""Two settings side by side: per mechanism a line from A (open) to B (filled), several measures in one figure."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ldpapp import words
from ldpapp.charts.palette import mark, scheme
from ldpapp.words.language import t
from ldpcore.estimators.intervals import NORMAL_95

from .base import (
    LABEL,
    TICK,
    Frame,
    Trace,
    axis,
    colored,
    dots,
    escape,
    figure,
    grid_axis,
    line,
    linear_ticks,
    log_ticks,
    note,
    text_width,
)
from .labels import row_names, rows_margin


@dataclass(frozen=True)
class DumbbellColumn:
    """One column of dumbbells: `a` and `b` name columns of the rows.

    `text` writes the numbers beside the marks, `tick` those on the axis (default: as text); `reference` is a value
    with its word, drawn as a dotted line; `share` is the panel's part of the width, like in st.columns.
    """

    a: str
    b: str
    log: bool = False
    reference: tuple[float, str] | None = None
    text: Callable[[float], str] = words.decimals
    tick: Callable[[float], str] = field(default=lambda v: f"{v:g}")
    low: float | None = None
    high: float | None = None
    share: float = 1.0


def dumbbells(rows: pd.DataFrame, panels: Sequence[DumbbellColumn], *, dark: bool = False) -> go.Figure:
    """rows [mechanism, and two columns per panel]; ○ is A, ● is B, their numbers outside; equal ones show ● only."""
    names = list(rows["mechanism"])
    frame = Frame(968, 194, left=rows_margin(names), right=10, top=4, bottom=24)
    data: list[Trace] = []
    shapes: list[dict] = []
    notes = row_names(names, frame, dark)
    layout: dict[str, Any] = {}
    for i, (panel, domain) in enumerate(zip(panels, _domains(panels, frame), strict=True)):
        which = "" if i == 0 else str(i + 1)
        axis_, ends = _axis(panel, rows, domain, frame, dark)
        layout[f"xaxis{which}"] = axis_
        data += _dumbbell(rows, panel, f"x{which}", dark)
        notes += _numbers(rows, panel, ends, domain, dark)
        shapes += _reference(panel, f"x{which}", dark)
    k = len(names)
    layout["yaxis"] = {"range": [k - 0.5, -0.5], "visible": False, "fixedrange": True}
    return figure(data, frame, dark, annotations=notes, shapes=shapes, **layout)


GAP = 14
"""px between the panels, as between the headings above."""


def _domains(panels: Sequence[DumbbellColumn], frame: Frame) -> list[list[float]]:
    """The panels' parts of the plot: each starts where its heading does, the first after the names."""
    total = sum(p.share for p in panels)
    room = frame.width - GAP * (len(panels) - 1)
    domains, left = [], 0.0
    for i, panel in enumerate(panels):
        right = left + panel.share / total * room
        # Numbers stand outside the marks: they need px at both sides, and the first tick is centred.
        start = frame.left + 6 if i == 0 else left + 14
        end = min(right - 12, frame.width - frame.right)
        domains.append([(start - frame.left) / frame.plot_width, (end - frame.left) / frame.plot_width])
        left = right + GAP
    return domains


def _axis(
    panel: DumbbellColumn, rows: pd.DataFrame, domain: list[float], frame: Frame, dark: bool
) -> tuple[dict[str, Any], tuple[float, float]]:
    """The panel's axis, with room for the numbers beside the outermost marks; ends in the axis' own units."""
    values = np.ravel(rows[[panel.a, panel.b]]).astype(float)
    shown = [float(v) for v in values if np.isfinite(v) and (v > 0 or not panel.log)]
    shown += [v for v in (panel.low, panel.high, panel.reference and panel.reference[0]) if v is not None]
    low, high = (min(shown), max(shown)) if shown else (0.1, 1.0)
    if panel.log:
        low, high = math.log10(low), math.log10(high)
    room = (domain[1] - domain[0]) * frame.plot_width
    span = max(high - low, 1e-9)
    pad = span * 46 / max(room - 92, 40)
    ends = (low - (0 if low == panel.low else pad), high + pad)
    most = max(3, int(room // 44))
    right = ends[1] if panel.high is None else panel.high
    ticks = log_ticks(10 ** ends[0], 10 ** ends[1], most) if panel.log else linear_ticks(low, right, most)
    if panel.log and len(ticks) < 3:
        ticks = linear_ticks(10 ** ends[0], 10 ** ends[1], 4)
    ticks = [t for t in ticks if panel.reference is None or t != panel.reference[0]]
    text = [panel.tick(t) for t in ticks]
    kind = "log" if panel.log else "linear"
    return grid_axis(dark, domain=domain, type=kind, range=list(ends), tickvals=ticks, ticktext=text), ends


def _dumbbell(rows: pd.DataFrame, panel: DumbbellColumn, xaxis: str, dark: bool) -> list[Trace]:
    """A trace per mechanism: the line, the open mark of A and the filled one of B."""
    traces: list[Trace] = []
    for i, (name, a, b) in enumerate(zip(rows["mechanism"], rows[panel.a], rows[panel.b], strict=True)):
        color = mark(name).color(dark)
        same = panel.text(a) == panel.text(b)
        texts = [f"<b>{escape(name)}</b><br>{w}: {panel.text(v)}" for w, v in (("A", a), ("B", b))]
        fill = [color if same else scheme(dark).page, color]
        look = {"symbol": "circle", "size": 11, "color": fill, "line": {"width": 2, "color": color}, "opacity": 1}
        more = {"mode": "lines+markers", "marker": look, "xaxis": xaxis, "cliponaxis": False}
        traces.append(line(name, [b if same else a, b], [i, i], color, 2, said=texts, **more))
    return traces


def _numbers(
    rows: pd.DataFrame, panel: DumbbellColumn, ends: tuple[float, float], domain: list[float], dark: bool
) -> list[dict]:
    font = {"size": TICK, "color": scheme(dark).ink2}
    notes = []
    for i, (a, b) in enumerate(zip(rows[panel.a], rows[panel.b], strict=True)):
        pair = [(max(a, b), "left", 10)]
        if panel.text(a) != panel.text(b):
            pair.append((min(a, b), "right", -10))
        for value, anchor, shift in pair:
            if not np.isfinite(value) or (panel.log and value <= 0):
                continue
            at = ((math.log10(value) if panel.log else value) - ends[0]) / (ends[1] - ends[0])
            x = domain[0] + at * (domain[1] - domain[0])
            y = 1 - (i + 0.5) / len(rows)
            notes.append(note(panel.text(value), x, y, xanchor=anchor, xshift=shift, font=font))
    return notes


def _reference(panel: DumbbellColumn, xaxis: str, dark: bool) -> list[dict]:
    if panel.reference is None:
        return []
    value, text = panel.reference
    colors = scheme(dark)
    dashed = {"color": colors.ink3, "width": 1, "dash": "3px,2px"}
    # The word stands in the row of the ticks, as the design has it.
    label = {"text": text, "textposition": "start", "xanchor": "center", "yanchor": "top", "textangle": 0, "padding": 1}
    label |= {"font": {"size": TICK, "color": colors.ink2}}
    place = {"type": "line", "xref": xaxis, "yref": "paper", "x0": value, "x1": value, "y0": 0, "y1": 1}
    return [place | {"line": dashed, "layer": "between", "label": label}]


Row = tuple[str, np.ndarray, float, float]
"""Name, errors (surveys,), bias, standard deviation."""


def error_strips(rows: Sequence[Row], *, dark: bool = False) -> go.Figure:
    """Errors about the truth, which is 0; the grey band is bias ± 1.96 sd, the tick is the bias."""
    colors = scheme(dark)
    left = min(118, math.ceil(max((text_width(name, 11) for name, *_ in rows), default=40)) + 22)
    frame = Frame(300, 212, left=left, right=10)
    reach = max((abs(b) + 2.2 * sd for _, _, b, sd in rows), default=1.0)
    reach = max(reach, max((float(np.abs(e).max(initial=0)) for _, e, *_ in rows), default=0.0)) * 1.03 or 1.0
    data: list[Trace] = [line("truth", [0, 0], [-0.6, len(rows) - 0.4], colors.ink, 1)]
    notes = []
    for place, (name, errors, bias, sd) in enumerate(reversed(rows)):
        look = mark(name)
        color = look.color(dark)
        band = line(f"{name} band", [bias - NORMAL_95 * sd, bias + NORMAL_95 * sd], [place, place], colors.floor, 11)
        hover = t(
            "<b>{name}</b><br>bias {bias}<br>spread ±{sd}",
            name=escape(name),
            bias=words.signed(float(f"{bias:.3g}")),
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
