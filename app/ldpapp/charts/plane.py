"""Error against exposure: one line per mechanism with ε along it, and the limit as the lower edge."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ldpapp import words
from ldpapp.charts.palette import mark, scheme
from ldpapp.words.language import t

from .base import (
    LABEL,
    TICK,
    Frame,
    Trace,
    area,
    axis,
    by_mechanism,
    dots,
    escape,
    figure,
    grid_axis,
    internal,
    kept,
    line,
    linear_ticks,
    log_ticks,
    note,
    numbers,
)
from .callouts import PlotScale, along, called_b, names
from .lines import marker

RING = 6
"""px by which a mark is larger than the next one at the same point."""
Said = Callable[[float, float], str]
"""(x, value) → what a point is."""


def where(exposure: float, error: float) -> str:
    guessed = words.of_100(exposure / 100)
    return t("±{error} points, {guessed} of 100 guessed", error=words.decimals(error), guessed=guessed)


def plane(
    theory: pd.DataFrame,
    points: pd.DataFrame | None,
    at_points: pd.DataFrame,
    limit: pd.DataFrame | None,
    *,
    at: float,
    blind: float,
    focus: str = "",
    limit_text: str = "",
    blind_text: str | None = None,
    x_text: str = "",
    corner_text: str = "",
    gap: tuple[float, float, float] | None = None,
    second: pd.DataFrame | None = None,
    second_blind: float | None = None,
    second_text: str = "",
    said: Said = where,
    dark: bool = False,
    height: int = 500,
    width: int = 968,
) -> go.Figure:
    """Error (log, percentage points) against exposure (of 100); down and to the left is better on both sides.

    theory [mechanism, epsilon, x, value]: x of 100, value in points; drawn up to ε = `at`: what lies beyond is not
    reached at this ε.
    points [mechanism, x, value]: simulations, small marks (None: none). at_points [mechanism, x, value]: where each
    mechanism stands at the chosen ε, large marks with names. limit [x, value]: the lower edge at that ε.
    `gap` (x, value, limit) draws an arrow from a mark down to the limit. `blind` of 100. second [mechanism, x, value]:
    where each stands under the second setting of marks, a small mark joined to the large one; its own `second_blind`.
    said: what a point is, where x is something else than exposure; `blind` is then the least x.
    """
    frame = Frame(width, height, left=46, right=12, top=6, bottom=44 if x_text else 26)
    theory = kept(theory, theory["epsilon"] <= at)
    standing = at_points if second is None else pd.concat([at_points, second])
    x_range = _x_range(standing, blind, blind if second_blind is None else second_blind)
    if said is not where:
        x_range = _from_least(standing, blind)
        theory = kept(theory, theory["x"] >= x_range[0])
    low, high = _y_range(theory, standing, limit, x_range)
    to_px = PlotScale(x_range, (low, high), frame)
    data: list[Trace] = []
    notes: list[dict] = []
    if limit is not None and len(limit):
        data += floor_under(limit, x_range, low, high, dark, said)
        notes += limit_words(limit_text, limit, to_px, frame, dark)
    data.append(line("blind", [blind, blind], [low, high], scheme(dark).ink3, 1, "2px,2px"))
    data += _lines(theory, at_points, at, focus, dark, said)
    data += _marks(points, at_points, focus, dark, said)
    if second is not None:
        data += _second(at_points, second, dark, said)
    if second_blind is not None and second_blind != blind:
        data.append(line("second blind", [second_blind] * 2, [low, high], scheme(dark).ink3, 1, "2px,2px"))
    small = [table for table in (points, second) if table is not None]
    blind_text = t("blind guess") if blind_text is None else blind_text
    edges = edge_notes(blind, blind_text, corner_text, x_text, x_range, dark)
    if second_blind is not None and second_blind != blind:
        edges += edge_notes(second_blind, second_text, "", "", x_range, dark)
    named, plots = names(theory, at_points, limit, [*notes, *edges], to_px, focus, dark, small)
    if second is not None:
        notes += called_b(at_points, second, to_px, plots, dark)
    notes += named + along(theory, at, to_px, plots, dark)
    if gap:
        notes.append(_arrow(gap, dark))
    notes += edges
    return figure(data, frame, dark, **plane_axes(to_px, min(blind, second_blind or blind), dark), annotations=notes)


COARSE = ((1, 3), (1,))
FINE = ((1, 1.5, 2, 3, 4, 6, 8), (1, 2, 5), *COARSE)
"""Factors of powers of ten at which there are ticks, the first that leave room."""


def plane_axes(to_px: PlotScale, blind: float, dark: bool, steps: Any = COARSE) -> dict[str, Any]:
    frame, (low, high) = to_px.frame, to_px.y_range
    x_ticks = linear_ticks(*to_px.x_range, max(4, frame.plot_width // 130))
    # The wall of the blind guess has its number, too, unless a tick is near.
    if all(abs(to_px.x(v) - to_px.x(blind)) > 24 for v in x_ticks):
        x_ticks = [round(blind, 1), *x_ticks]
    ticks = log_ticks(low, high, frame.plot_height // 40, steps)
    text = [f"±{v:g}" for v in ticks]
    ends = [math.log10(low), math.log10(high)]
    return {
        "xaxis": axis(dark, range=list(to_px.x_range), tickvals=x_ticks, showgrid=True, gridcolor=scheme(dark).grid),
        "yaxis": grid_axis(dark, type="log", range=ends, tickvals=ticks, ticktext=text, ticklabelstandoff=6),
    }


def _x_range(standing: pd.DataFrame, blind: float, other: float) -> tuple[float, float]:
    """From a little left of the blind guess to beyond the marks by what their names take."""
    far, blind = max([float(v) for v in standing["x"]] + [blind]), min(blind, other)
    right = min(100.0, max(blind + 1.5 * (far - blind), blind + 15))
    pad = (right - blind) * 0.01
    return blind - pad, right + (pad if right == 100 else 0)


def _from_least(standing: pd.DataFrame, least: float) -> tuple[float, float]:
    """From a little left of the least to a little beyond the marks."""
    low = float(numbers(standing, "x").min(initial=least))
    high = float(numbers(standing, "x").max(initial=low + 1))
    return low - 0.06 * (high - low), high + 0.2 * (high - low)


def _y_range(
    theory: pd.DataFrame, at_points: pd.DataFrame, limit: pd.DataFrame | None, x_range: tuple[float, float]
) -> tuple[float, float]:
    shown = kept(theory, (theory["x"] <= x_range[1]) & (theory["value"] > 0))["value"]
    values = [float(v) for v in (*shown, *at_points["value"]) if np.isfinite(v) and v > 0]
    if limit is not None and len(limit):
        values.append(float(numbers(limit, "value").min()) * 0.55)  # room for the words in the floor
    low, high = (min(values), max(values)) if values else (0.1, 10.0)
    # Far up at tiny ε nobody decides anything: two decades above the marks are enough.
    marks = [float(v) for v in at_points["value"] if v > 0]
    high = min(high, 20 * max(marks)) if marks else high
    return low * 0.85, high * 1.15


def floor_under(
    limit: pd.DataFrame, x_range: tuple[float, float], low: float, high: float, dark: bool, said: Said = where
) -> list[Trace]:
    limit = kept(limit, limit["value"] > 0, "x")
    x = np.clip(numbers(limit, "x"), *x_range)
    y = np.clip(numbers(limit, "value"), low, high)
    colors = scheme(dark)
    texts = [f"<b>{t('limit')}</b><br>{said(e, v)}" for e, v in zip(x, y, strict=True)]
    bottom = np.full(len(y), low)
    return [area("limit", x, bottom, y, colors.floor), line("limit edge", x, y, colors.ink3, 1, said=texts)]


def limit_words(text: str, limit: pd.DataFrame, to_px: PlotScale, frame: Frame, dark: bool) -> list[dict]:
    """The words under the right end of the limit, short enough for a phone."""
    if not text:
        return []
    inside = kept(limit, limit["x"] <= to_px.x_range[1], "x")
    y = float(to_px.y(inside["value"].iloc[-1])) / frame.plot_height
    place = {"xanchor": "right", "yanchor": "top", "xshift": -10, "yshift": -6, "name": "limit"}
    # The floor's own colour behind the words: lines to a second setting pass under them.
    place |= {"bgcolor": scheme(dark).floor, "borderpad": 2}
    return [note(f"<b>{escape(text)}</b>", 1, y, font={"size": LABEL, "color": scheme(dark).ink2}, **place)]


def _lines(theory: pd.DataFrame, at_points: pd.DataFrame, at: float, focus: str, dark: bool, said: Said) -> list[Trace]:
    """A line per mechanism, which ends in its mark at the chosen ε."""
    traces: list[Trace] = []
    marks = at_points.set_index("mechanism")
    for name in dict.fromkeys(theory["mechanism"]):
        part = by_mechanism(theory, name, "epsilon")
        if name in marks.index:
            chosen = pd.DataFrame({"epsilon": [at], "x": [marks.at[name, "x"]], "value": [marks.at[name, "value"]]})
            part = pd.concat([kept(part, part["epsilon"] != at), chosen]).sort_values("epsilon")
        x, y = numbers(part, "x"), numbers(part, "value")
        along = zip(part["epsilon"], x, y, strict=True)
        texts = [f"<b>{escape(name)}</b>, ε = {words.epsilon(e)}<br>{said(u, v)}" for e, u, v in along]
        traces.append(line(name, x, y, mark(name).color(dark), 2.6 if name == focus else 1.6, "solid", texts))
    return traces


def _marks(points: pd.DataFrame | None, at_points: pd.DataFrame, focus: str, dark: bool, said: Said) -> list[Trace]:
    traces: list[Trace] = []
    for table, size, tail in ((points, 5, t("simulated")), (at_points, 11, t("here"))):
        if table is None or not len(table):
            continue
        names = list(dict.fromkeys(table["mechanism"]))
        names = [n for n in names if n != focus] + [n for n in names if n == focus]
        places = [_place(by_mechanism(table, name, "x")) for name in names]
        for i, name in enumerate(names):
            part, look = by_mechanism(table, name, "x"), mark(name)
            # Of several at one point each shows: a ring around those that are drawn on it.
            ring = 0 if table is points else RING * min(places[i + 1 :].count(places[i]), 2)
            x, y = numbers(part, "x"), numbers(part, "value")
            texts = [f"<b>{escape(name)}</b> {tail}<br>{said(u, v)}" for u, v in zip(x, y, strict=True)]
            drawn = dots(f"{name} {tail}", x, y, marker(look, look.color(dark), dark, size + ring), texts)
            traces.append(internal(drawn) if table is points else drawn)
    return traces


def _place(part: pd.DataFrame) -> tuple[float, float]:
    """Where the first of these stands, to about a pixel."""
    return round(float(part["x"].iloc[0]), 1), round(math.log10(max(float(part["value"].iloc[0]), 1e-9)), 2)


def _second(at_points: pd.DataFrame, second: pd.DataFrame, dark: bool, said: Said) -> list[Trace]:
    """A thin line from where a mechanism stands to where it stands under the second setting, and a small mark there."""
    traces: list[Trace] = []
    for name in second["mechanism"]:
        both, look = pd.concat([by_mechanism(table, name, "x") for table in (at_points, second)]), mark(name)
        x, y = [float(v) for v in both["x"]], [float(v) for v in both["value"]]
        text = f"<b>{escape(name)}</b> {t('under B')}<br>{said(x[1], y[1])}"
        traces.append(line(f"{name} to B", x, y, look.color(dark), 1, "4px,2px"))
        traces.append(dots(f"{name} B", x[1:], y[1:], marker(look, look.color(dark), dark, 7), [text]))
    return traces


def _arrow(gap: tuple[float, float, float], dark: bool) -> dict:
    """From a mark straight down to the limit."""
    x, start, end = gap
    ink = scheme(dark).ink
    place = {"x": x, "y": math.log10(end), "ax": x, "ay": math.log10(start), "axref": "x", "ayref": "y", "text": ""}
    arrow = {"showarrow": True, "arrowhead": 2, "arrowsize": 0.9, "arrowwidth": 1, "arrowcolor": ink}
    return place | arrow | {"startstandoff": 8}


def edge_notes(
    blind: float, blind_text: str, corner_text: str, x_text: str, x_range: tuple[float, float], dark: bool
) -> list[dict]:
    """What stands at the edges: the blind guess, which way is better, what x is."""
    font = {"size": TICK, "color": scheme(dark).ink2}
    at = (blind - x_range[0]) / (x_range[1] - x_range[0])
    turned = {"textangle": -90, "xanchor": "left", "yanchor": "bottom", "xshift": 2, "yshift": 6, "font": font}
    notes = [note(blind_text, at, 0, **turned)] if blind_text else []
    if corner_text:
        notes.append(note(corner_text, 1, 1, xanchor="right", yanchor="top", xshift=-6, yshift=-6, font=font))
    if x_text:
        notes.append(note(x_text, 0.5, 0, xanchor="center", yanchor="top", yshift=-24, font=font))
    return notes
