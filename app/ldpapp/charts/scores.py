"""Scores that have no theory over ε, n or k: simulated means joined by lines, with intervals, on a linear axis."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ldpapp.charts.palette import scheme

from .base import Trace, line, linear_ticks, numbers, rgba
from .curves import curve_frame, finite, span_of, x_scale
from .labels import End
from .lines import ends, lines, marks, rule, style, tick
from .remarks import rule_note
from .scales import Scale, curve_figure


def score_curves(
    points: pd.DataFrame,
    *,
    focus: str,
    at: float | None,
    best: float,
    say: Callable[[float], str],
    reference: tuple[float, str] | None = None,
    x_name: str = "ε",
    log_x: bool = True,
    dark: bool = False,
    height: int = 216,
    width: int = 440,
) -> go.Figure:
    """points [mechanism, x, value, low, high]: means over repetitions with their intervals, shown for all.

    `best` is the perfect score, an end of the axis; `reference` (value, its name) a dotted line.
    """
    points = finite(points)
    order = list(dict.fromkeys(points["mechanism"]))
    low, high = _ends(points, best, reference)
    ticks = linear_ticks(low, high, 5)
    scale = Scale(low, high, ticks, [tick(v) for v in ticks])
    frame = curve_frame(order, scale.text, height, width)
    to_px = scale.to_px(frame)
    span = span_of(points, at)
    colors = scheme(dark)
    data: list[Trace] = []
    named = ends(points, order, focus, dark, to_px)
    if reference is not None:
        value, text = reference
        data.append(line("reference", list(span), [value] * 2, colors.ink3, 1, "2px,2px"))
        named.append(End(text, float(to_px(value)), colors.ink3))
    data += rule(at, low, high, dark)
    for name in order:
        part = points[points["mechanism"] == name].sort_values("x")
        _, color, _ = style(name, order, focus, dark)
        x, y = numbers(part, "x"), numbers(part, "value")
        bar = {"type": "data", "symmetric": False, "thickness": 1, "width": 0}
        bar |= {"color": rgba(color, 0.9 if name == focus else 0.4)}
        bar |= {"array": numbers(part, "high") - y, "arrayminus": y - numbers(part, "low")}
        data.append(
            line(f"{name} interval", x, y, color, 0) | {"mode": "markers", "marker": {"size": 0.1}, "error_y": bar}
        )
    data += lines(points, order, focus, dark, x_name, say)
    data += marks(points[["mechanism", "x", "value"]], order, focus, dark, x_name, say, low)
    notes = rule_note(at, span, x_name, log_x, frame, dark)
    return curve_figure(data, named, notes, x_scale(span, log_x, frame), scale, frame, dark)


def _ends(points: pd.DataFrame, best: float, reference: tuple[float, str] | None) -> tuple[float, float]:
    """An axis from the perfect score to the worst that is seen, with room at both ends."""
    seen = [best, *points["value"], *points["low"], *points["high"], *([] if reference is None else reference[:1])]
    low, high = float(np.nanmin(seen)), float(np.nanmax(seen))
    pad = 0.08 * max(high - low, 1e-3)
    return (low if best == low else low - pad), high + pad
