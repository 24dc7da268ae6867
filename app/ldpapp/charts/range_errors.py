"""Ranges: average errors against N, accuracy indices, experiment against theory."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ldpapp import words
from ldpapp.charts.palette import mark, scheme
from ldpapp.words.language import t

from .base import (
    TICK,
    Frame,
    Trace,
    axis,
    by_mechanism,
    dots,
    escape,
    figure,
    grid_axis,
    line,
    linear_ticks,
    log_ticks,
    note,
    numbers,
    text_width,
)
from .curves import span_of
from .labels import ends_margin
from .lines import ends, lines, marker, rule
from .remarks import position, rule_note
from .scales import Scale, curve_figure

FLAT = "Flat"
WIDTH, HEIGHT = 470, 142
"""px of a figure over N."""


def average_errors(
    table: pd.DataFrame,
    *,
    focus: str,
    at: float,
    crossings: Mapping[str, float] | None = None,
    squared: bool = False,
    dark: bool = False,
) -> go.Figure:
    """The typical error over all ranges against N, or squared: table [mechanism, x, value], x = N, on log axes.

    crossings: mechanism → the N from which it is more exact than the flat histogram: a ring there.
    """
    order = list(dict.fromkeys(table["mechanism"]))
    values = numbers(table, "value")
    low, high = float(values.min()) / 1.25, float(values.max()) * 1.5
    ticks = log_ticks(low, high, max(3, (HEIGHT - 34) // 24))
    scale = Scale(low, high, ticks, [words.count(v) if v >= 1 else f"{v:g}" for v in ticks], log=True)
    left = max(34, math.ceil(max(map(text_width, scale.text))) + 12)
    frame = Frame(WIDTH, HEIGHT, left=left, right=ends_margin(order, 60))
    span, to_px = span_of(table, None), scale.to_px(frame)
    data = rule(at, low, high, dark)
    said = words.decimals if squared else lambda y: t("typically {error} people", error=words.decimals(y))
    data += lines(table, order, focus, dark, "N", said)
    rows, notes, before = by_mechanism(table, FLAT, "x"), rule_note(at, span, "N", True, frame, dark), 0.0
    for name, n in sorted((crossings or {}).items(), key=lambda pair: pair[1]):
        if name in order and span[0] < n <= span[1]:
            y = float(np.interp(math.log(n), np.log(numbers(rows, "x")), numbers(rows, "value")))
            part = position(n, span, True)
            data.append(_ring(name, n, y, dark))
            # Two rings close together: the second one's number stands on the other side of the lines.
            notes.append(_turn(n, part, float(to_px(y)) / frame.plot_height, n <= 3 * before, dark))
            before = n
    named = ends(table, order, focus, dark, to_px)
    x_ticks = [8.0**p for p in range(16) if span[0] <= 8.0**p <= span[1] * 1.001]
    below = Scale(*span, x_ticks, [words.count(v) for v in x_ticks], log=True)
    return curve_figure(data, named, notes, below, scale, frame, dark, tickangle=0)


def _ring(name: str, n: float, y: float, dark: bool) -> Trace:
    ink = scheme(dark).ink
    look = {"symbol": "circle-open", "size": 9, "color": ink, "line": {"width": 1.4, "color": ink}}
    text = t(
        "<b>{name}</b><br>more exact than {flat} from N = {n} on",
        name=escape(name),
        flat=FLAT.lower(),
        n=words.count(n),
    )
    return dots(f"{name} overtakes", [n], [y], look, [text])


def _turn(n: float, part: float, up: float, above: bool, dark: bool) -> dict[str, Any]:
    """The number beside a ring."""
    place = {"xanchor": "left", "yanchor": "top", "xshift": 5, "yshift": -3}
    if part > 0.88:  # right of it stand the names
        place = {"xanchor": "center", "yanchor": "top", "xshift": 0, "yshift": -8}
    elif above:
        place = {"xanchor": "right", "yanchor": "bottom", "xshift": -5, "yshift": 2}
    return note(words.count(n), part, up, font={"size": TICK, "color": scheme(dark).ink}, **place)


def accuracy_indices(
    table: pd.DataFrame,
    limits: Mapping[str, float],
    *,
    focus: str,
    at: float,
    dark: bool = False,
) -> go.Figure:
    """The accuracy index against h = log₂ N: table [mechanism, x, value]; the limits are dotted."""
    order = list(dict.fromkeys(table["mechanism"]))
    high = max(float(numbers(table, "value").max()), *limits.values(), 1.0) * 1.3
    ticks = linear_ticks(0, high, max(4, (HEIGHT - 34) // 28))
    scale = Scale(0, high, ticks, [f"{v:g}" for v in ticks])
    names = {name: f"{name} → {limits[name]:.3g}" if name in limits else name for name in order}
    frame = Frame(WIDTH, HEIGHT, left=30, right=ends_margin(names.values(), 60))
    span, to_px = span_of(table, None), scale.to_px(frame)
    data: list[Trace] = []
    for limit in sorted(set(limits.values())):
        owner = next(name for name in order if limits.get(name) == limit)
        data.append(line(f"limit {limit:g}", list(span), [limit, limit], mark(owner).color(dark), 1, "1px,2.5px"))
    data += rule(at, 0, high, dark)
    say = lambda y: t("index {index}", index=words.decimals(y))  # noqa: E731
    data += lines(table, order, focus, dark, "N", say, lambda h: f"2^{h:g}")
    named = [
        replace(end, text=names[end.text], y=float(to_px(limits[end.text])) if end.text in limits else end.y)
        for end in ends(table, order, focus, dark, to_px)
    ]
    x_ticks = [v for v in (1, 5, 10, 15, 20, 30, 40, 50) if span[0] <= v <= span[1]]
    below = Scale(*span, x_ticks, [f"2<sup>{v}</sup>" for v in x_ticks])
    notes = rule_note(at, span, "N", False, frame, dark, words.count(2**at))
    return curve_figure(data, named, notes, below, scale, frame, dark, tickangle=0)


def experiment_ratios(table: pd.DataFrame, *, focus: str, dark: bool = False) -> go.Figure:
    """Experiment over theory for each range, with its interval: table [length, value, low, high, inside, name]."""
    colors, look = scheme(dark), mark(focus)
    color = look.color(dark)
    table = cast(pd.DataFrame, table.sort_values("length"))
    length, value, low, high = (numbers(table, name) for name in ("length", "value", "low", "high"))
    edge = max(0.25, float(np.max(high)) - 1, 1 - float(np.min(low))) * 1.06
    frame = Frame(440, 190, left=38, right=10)
    x = np.arange(len(length)) + 0.5
    texts = [
        t(
            "<b>{name}</b><br>{ratio} times theory<br>95 %: {low} to {high}",
            name=escape(name),
            ratio=f"{v:.2f}",
            low=f"{a:.2f}",
            high=f"{b:.2f}",
        )
        for name, v, a, b in zip(table["name"], value, low, high, strict=True)
    ]
    bar = {"type": "data", "symmetric": False, "array": high - value, "arrayminus": value - low}
    bars_ = {"error_y": bar | {"color": color, "thickness": 1, "width": 0}}
    data = [
        line("theory", [0, len(x)], [1, 1], colors.ink),
        dots("experiment", x, value, marker(look, color, dark, 5), texts, **bars_),
    ]
    ticks = linear_ticks(max(0.0, 1 - edge), 1 + edge, 5)
    yaxis = grid_axis(dark, range=[max(0.0, 1 - edge), 1 + edge], tickvals=ticks, ticktext=[f"{v:g}" for v in ticks],
                      ticklabelstandoff=6)  # fmt: skip
    at = [0, len(x) // 4, len(x) // 2, 3 * len(x) // 4, len(x) - 1]
    xaxis = axis(dark, range=[0, len(x)], tickvals=[x[i] for i in at], ticktext=[words.count(length[i]) for i in at])
    return figure(data, frame, dark, xaxis=xaxis, yaxis=yaxis)
