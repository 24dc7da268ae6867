"""A paper's figure, drawn anew: lines with direct names, marks with intervals where it was simulated."""

import math
import re
from collections.abc import Mapping

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ldpapp import words
from ldpapp.charts.palette import LIGHT, Mark, mark
from ldpapp.words.language import t

from .base import INTERNAL, Frame, Trace, dots, escape, line, linear_ticks, log_ticks, numbers, text_width
from .labels import End, ends_margin
from .lines import marker, tick
from .pairs import pair_tones
from .range_maps import HUES
from .scales import Scale, curve_figure

ALIASES = {
    "experiment": "Privelet",
    "algorithm 3": "Apriori",
    "closed form (16)": "Apriori",
    "flat histogram": "Flat",
    "binary tree": "Binary tree",
    "personalised SDGRR": "SDGRR",
    "by share": "SDGRR",
    "min. variance": "SDGRR",
}
"""Lines that are no mechanism, and whose look they take."""
MARKS_ONLY = {"experiment"}
FAMILY = ("solid", "5px,3px", "1px,2.5px", "7px,2px,1.5px,2px", "12px,3px")
"""Dashes of the lines of one mechanism beside one another."""
_VARIANT = re.compile(r"(-\d+)?( \(.*\)|, .*| by .*| with .*| personalised.*)?$")


def look(name: str) -> Mark:
    """The look of the mechanism that a line is about: "SDPM-50 (EM)" looks like SDPM."""
    key = ALIASES.get(name, name)
    known = mark(key)
    parent = _VARIANT.sub("", key)
    return known if key == parent or "-Sample" in key else mark(parent)


def dashes(names: list[str]) -> dict[str, str]:
    """The mechanism's own dash, unless several lines are about it."""
    families: dict[str, list[str]] = {}
    for name in names:
        families.setdefault(look(name).key, []).append(name)
    return {
        name: look(name).dash if len(members) == 1 else FAMILY[i % len(FAMILY)]
        for members in families.values()
        for i, name in enumerate(members)
    }


def paper_figure(
    table: pd.DataFrame,
    *,
    x_name: str,
    y_name: str,
    log_x: bool = False,
    log_y: bool = True,
    dark: bool = False,
    height: int = 214,
    width: int = 400,
) -> go.Figure:
    """table [x, line, value, low, high]: an interval where low < high is drawn as a bar round a mark."""
    order = list(dict.fromkeys(table["line"]))
    low, high = _range(table, log_y)
    ticks = log_ticks(low, high, 6, ((1, 3), (1,))) if log_y else linear_ticks(low, high, 5)
    if log_y and len(ticks) < 3:
        ticks = log_ticks(low, high, 6)
    wide = log_y and high / low > 1e4
    scale = Scale(low, high, ticks, [words.scientific(v) if wide else tick(v) for v in ticks], log_y)
    left = min(52, max(34, math.ceil(max(map(text_width, scale.text), default=22)) + 12))
    frame = Frame(width, height, left=left, right=ends_margin(order, 60))
    to_px = scale.to_px(frame)
    dash = dashes(order)
    data: list[Trace] = []
    ends: list[End] = []
    for name in order:
        rows = table[table["line"] == name].sort_values("x")
        data += _traces(name, rows, dash[name], dark, x_name, y_name, low if log_y else -math.inf)
        y = np.atleast_1d(to_px(numbers(rows, "value")))
        slope = float(y[-1] - y[max(0, len(y) - 2)])
        ends.append(End(name, float(y[-1]), look(name).color(dark), look(name).glyph, False, slope))
    span = _span(table, log_x)
    most = max(3, int(frame.plot_width / (text_width(tick(span[1])) + 18)))
    points = np.unique(numbers(table, "x"))
    x_ticks = points.tolist() if len(points) <= most else (log_ticks if log_x else linear_ticks)(*span, most)
    across = Scale(*span, x_ticks, [_short(v) for v in x_ticks], log_x)
    return curve_figure(data, ends, [], across, scale, frame, dark, tickangle=0)


def _short(value: float) -> str:
    return tick(value) if value < 1e5 else words.scientific(value)


ROOM = 0.025
"""Of the axis, beside the first and the last of what is drawn as marks alone: half a mark would be cut there."""
DEEP = 10.0
"""How many times below the lowest value an interval is followed: one that reaches 0 has no end on a log axis."""


def _span(table: pd.DataFrame, log_x: bool) -> tuple[float, float]:
    """Of the axis below."""
    x = numbers(table, "x")
    low, high = float(x.min()), float(x.max())
    if not MARKS_ONLY & set(table["line"]) or low == high:
        return low, high
    if log_x:
        room = (high / low) ** ROOM
        return low / room, high * room
    return low - ROOM * (high - low), high + ROOM * (high - low)


def _range(table: pd.DataFrame, log_y: bool) -> tuple[float, float]:
    """What holds all values and their intervals, with room for names above and below."""
    values = numbers(table, "value")
    if log_y:
        values = values[values > 0]
        ends = np.concatenate([numbers(table, "low"), numbers(table, "high"), values])
        ends = ends[np.isfinite(ends) & (ends >= values.min() / DEEP)]
        low, high = math.log10(ends.min()), math.log10(ends.max())
        room = max(0.06 * (high - low), 0.08)
        return 10 ** (low - room), 10 ** (high + room)
    low, high = min(0.0, float(values.min())), float(numbers(table, "high").max())
    return low, high + 0.08 * (high - low)


def _traces(name: str, own: pd.DataFrame, dash: str, dark: bool, x_name: str, y_name: str, floor: float) -> list[Trace]:
    shape = look(name)
    color, x, y = shape.color(dark), numbers(own, "x"), numbers(own, "value")
    low, high = np.maximum(numbers(own, "low"), floor), numbers(own, "high")
    texts = [f"<b>{escape(name)}</b><br>{x_name} = {_short(a)}: {y_name} {b:.3g}" for a, b in zip(x, y, strict=True)]
    for i in np.flatnonzero(high > low):
        texts[i] += t("<br>interval {low} to {high}", low=f"{low[i]:.3g}", high=f"{high[i]:.3g}")
    drawn = [] if name in MARKS_ONLY else [line(name, x, y, color, shape.width, dash, texts)]
    if np.any(high > low):
        bar = {"type": "data", "symmetric": False, "array": high - y, "arrayminus": y - low}
        bar |= {"color": color, "thickness": 1, "width": 0}
        drawn.append(
            dots(f"{name} simulated", x, y, marker(shape, color, dark, 5), texts, error_y=bar, cliponaxis=False)
        )
    return drawn


def published(figure: go.Figure) -> go.Figure:
    """The figure without its internal traces and notes.

    >>> made = go.Figure({"data": [{"name": "truth", "meta": "internal"}, {"name": "published"}]})
    >>> [trace.name for trace in published(made).data]
    ['published']
    """
    made = figure.to_plotly_json()
    data = [trace for trace in made["data"] if trace.get("meta") != INTERNAL]
    notes = [note for note in made["layout"].get("annotations", ()) if note.get("name") != INTERNAL]
    return go.Figure({"data": data, "layout": made["layout"] | {"annotations": notes}}, _validate=False)


def light_hues() -> Mapping[str, str]:
    """Colours of charts alone: in the dark scheme → in the light one."""
    hues = {dark.lower(): light for (_, dark), (_, light) in zip(HUES[True], HUES[False], strict=True)}
    return hues | {pair_tones(True)[2].lower(): LIGHT.ink2}
