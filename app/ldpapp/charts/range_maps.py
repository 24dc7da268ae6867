"""Ranges: the error of every range, and the covariance of every two cells, as maps."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
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
    colored,
    dots,
    escape,
    figure,
    note,
    text_width,
)

Floats = NDArray[np.float64]
HUES = {
    False: ((0.0, "#F1F4FE"), (0.35, "#B7C4F4"), (0.65, "#6382E2"), (0.85, "#1F44C1"), (1.0, "#0F1D5C")),
    True: ((0.0, "#1B1F2C"), (0.35, "#2B3A72"), (0.65, "#5470C4"), (0.85, "#97B3FF"), (1.0, "#EEF3FF")),
}
"""One hue from small to large errors."""


def error_maps(
    maps: Mapping[str, Floats],
    firsts: Sequence[str],
    lasts: Sequence[str],
    *,
    chosen: tuple[int, int],
    said: Mapping[str, str],
    ticks: Sequence[tuple[int, str]],
    dark: bool = False,
) -> go.Figure:
    """The standard error of every range from a cell (across) to a cell (up), side by side on one scale.

    maps: name → (k, k) with NaN where a range would end before it begins, rows = last cell. `chosen` are 0-based places
    in the map; `said` the line under each name, in the empty corner; `ticks` (place, text).
    """
    colors, count = scheme(dark), len(maps)
    top = max(float(np.nanmax(z)) for z in maps.values())
    scale = [[at, hue] for at, hue in HUES[dark]]
    left = min(64, max(30, math.ceil(max((text_width(t) for _, t in ticks), default=0)) + 10))
    frame = Frame(448, 288, left=left, right=6, top=6, bottom=22)
    gap = 0.05
    part = (1 - gap * (count - 1)) / count
    data: list[Trace] = []
    notes: list[dict[str, Any]] = []
    layout: dict[str, Any] = {}
    size = len(firsts)
    # As categories, the names stand in the hover text without a text for each of thousands of ranges.
    x, y = [escape(name) for name in firsts], [escape(name) for name in lasts]
    for i, (name, z) in enumerate(maps.items()):
        suffix = "" if i == 0 else str(i + 1)
        look = mark(name)
        data.append(
            {
                "type": "heatmap",
                "name": name,
                "x": x,
                "y": y,
                "z": np.asarray(z, np.float32),
                "zmin": 0,
                "zmax": top,
                "colorscale": scale,
                "showscale": False,
                "hoverongaps": False,
                "xaxis": f"x{suffix}",
                "yaxis": f"y{suffix}",
                "hovertemplate": "<b>%{x} to %{y}</b>: typically %{z:,.3~r} people<extra></extra>",
            }
        )
        first, last = chosen
        ring = {"symbol": "circle-open", "size": 11, "color": colors.page, "line": {"width": 4, "color": colors.page}}
        inner = ring | {"color": colors.ink, "line": {"width": 1.6, "color": colors.ink}}
        text = t(
            "<b>{name}</b><br>{first} to {last}: typically {error} people",
            name=escape(name),
            first=escape(firsts[first]),
            last=escape(lasts[last]),
            error=words.decimals(float(z[last, first])),
        )
        for look_ in (ring, inner):
            on = {"xaxis": f"x{suffix}", "yaxis": f"y{suffix}", "cliponaxis": False}
            data.append(dots("chosen", [x[first]], [y[last]], look_, [text], **on))
        start = i * (part + gap)
        corner = {"xanchor": "right", "yanchor": "bottom", "align": "right"}
        head = f"{colored(look.glyph, look.color(dark))} <b>{escape(name)}</b>"
        notes.append(note(head, start + part, 0, yshift=24, font={"size": LABEL, "color": colors.ink}, **corner))
        notes.append(note(said[name], start + part, 0, yshift=7, font={"size": TICK, "color": colors.ink2}, **corner))
        ends = {
            "type": "category",
            "tickangle": 0,
            "range": [-0.5, size - 0.5],
            "ticktext": [escape(t) for _, t in ticks],
        }
        across = ends | {
            "domain": [start, start + part],
            "anchor": f"y{suffix}",
            "tickvals": [x[at] for at, _ in ticks],
        }
        up = ends | {"anchor": f"x{suffix}", "tickvals": [y[at] for at, _ in ticks], "showticklabels": i == 0}
        layout[f"xaxis{suffix}"] = axis(dark, **across)
        layout[f"yaxis{suffix}"] = axis(dark, **(up | {"ticks": "outside" if i == 0 else ""}))
    return figure(data, frame, dark, annotations=notes, **layout)


def map_scale(dark: bool) -> str:
    """The colours of the maps from 0 to their largest error, as a CSS gradient."""
    return f"linear-gradient(90deg,{','.join(f'{hue} {at:.0%}' for at, hue in HUES[dark])})"


def covariance_map(found: Floats, *, dark: bool = False) -> go.Figure:
    """Covariances of released cells, found (N, N), one hue for each sign; a cell's own variance is off the scale."""
    colors, size = scheme(dark), len(found)
    off = np.abs(found[~np.eye(size, dtype=bool)]) if size > 1 else np.ones(1)
    top = float(off.max()) or 1.0
    below, above = ("#B5541C", "#1F44C1") if not dark else ("#F0935C", "#97B3FF")
    frame = Frame(400, 300, left=34, right=10, top=6, bottom=24)
    ends = {"range": [0.5, size + 0.5], "tickvals": [1, size // 2, size], "tickangle": 0}
    trace = {
        "type": "heatmap",
        "x0": 1,
        "dx": 1,
        "y0": 1,
        "dy": 1,
        "z": np.asarray(found, np.float32),
        "zmin": -top,
        "zmax": top,
        "colorscale": [[0, below], [0.5, colors.page], [1, above]],
        "colorbar": {"thickness": 8, "outlinewidth": 0, "tickfont": {"size": TICK, "color": colors.ink2}, "nticks": 5},
        "hovertemplate": "cells %{x} and %{y}: %{z:.3~g} people²<extra></extra>",
    }
    return figure([trace], frame, dark, xaxis=axis(dark, **ends), yaxis=axis(dark, **ends))
