"""Ranges: average errors against N, accuracy indices, experiment against theory."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from ldpapp import words
from ldpapp.palette import FOCUS_LINE, mark, scheme

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
from .labels import End, end_labels, ends_margin
from .lines import marker

Floats = NDArray[np.float64]


def average_errors(
    table: pd.DataFrame,
    *,
    focus: str,
    at: float,
    crossings: Mapping[str, float] | None = None,
    flat: str = "Flat",
    dark: bool = False,
    height: int = 196,
    width: int = 470,
) -> go.Figure:
    """The typical error over all ranges against N: table [mechanism, x, value], x = N, on log axes.

    crossings: mechanism → the N from which it is more exact than `flat`: a ring there.
    """
    colors = scheme(dark)
    order = list(dict.fromkeys(table["mechanism"]))
    values = numbers(table, "value")
    low, high = float(values.min()) / 1.25, float(values.max()) * 1.5
    ticks = log_ticks(low, high, max(3, (height - 34) // 24))
    text = [_plain(v) for v in ticks]
    right = ends_margin(order, 60)
    frame = Frame(width, height, left=max(34, math.ceil(max(map(text_width, text))) + 12), right=right)
    span = [float(v) for v in (numbers(table, "x").min(), numbers(table, "x").max())]

    def to_px(value: Any) -> Any:
        return np.log(np.clip(value, low, high) / low) / math.log(high / low) * frame.plot_height

    said = lambda name, x, y: f"<b>{escape(name)}</b><br>N = {words.count(x)}: ±{words.decimals(y)} people"  # noqa: E731
    data = [line("rule", [at, at], [low, high], colors.ink), *_lines(table, order, focus, dark, said)]
    turns, before = [], 0.0
    for name, n in sorted((crossings or {}).items(), key=lambda pair: pair[1]):
        own = by_mechanism(table, flat, "x")
        if name not in order or not span[0] < n <= span[1]:
            continue
        y = float(np.interp(math.log(n), np.log(numbers(own, "x")), numbers(own, "value")))
        ring = {"symbol": "circle-open", "size": 9, "color": colors.ink, "line": {"width": 1.4, "color": colors.ink}}
        tip = f"<b>{escape(name)}</b><br>more exact than {escape(flat.lower())} from N = {words.count(n)} on"
        data.append(dots(f"{name} overtakes", [n], [y], ring, [tip]))
        part, font = math.log(n / span[0]) / math.log(span[1] / span[0]), {"size": TICK, "color": colors.ink}
        # Two rings close together: the second one's number stands on the other side of the lines.
        above = n <= 3 * before
        place = {"xanchor": "right", "yanchor": "bottom", "xshift": -5, "yshift": 2}
        place = place if above else {"xanchor": "left", "yanchor": "top", "xshift": 5, "yshift": -3}
        if part > 0.88:  # right of it stand the names
            place = {"xanchor": "center", "yanchor": "top", "xshift": 0, "yshift": -8}
        before = n
        turns.append(note(words.count(n), part, float(to_px(y)) / frame.plot_height, font=font, **place))
    found, shapes = end_labels(_ends(table, order, focus, dark, to_px), frame, dark)
    x_ticks = [8.0**p for p in range(16) if span[0] <= 8.0**p <= span[1] * 1.001]
    xaxis = axis(dark, type="log", range=[math.log10(v) for v in span], tickangle=0, tickvals=x_ticks,
                 ticktext=[words.count(v) for v in x_ticks])  # fmt: skip
    yaxis = grid_axis(dark, type="log", range=[math.log10(low), math.log10(high)], tickvals=ticks, ticktext=text,
                      ticklabelstandoff=6)  # fmt: skip
    part = math.log(at / span[0]) / math.log(span[1] / span[0])
    found += [_rule_words(f"N = {words.count(at)}", part, dark), *turns]
    return figure(data, frame, dark, xaxis=xaxis, yaxis=yaxis, annotations=found, shapes=shapes)


def accuracy_indices(
    table: pd.DataFrame,
    limits: Mapping[str, float],
    *,
    focus: str,
    at: float,
    dark: bool = False,
    height: int = 196,
    width: int = 470,
) -> go.Figure:
    """The accuracy index against h = log₂ N: table [mechanism, x, value]; the limits are dotted."""
    colors = scheme(dark)
    order = list(dict.fromkeys(table["mechanism"]))
    high = max(float(numbers(table, "value").max()), *limits.values(), 1.0) * 1.3
    ticks = linear_ticks(0, high, max(4, (height - 34) // 28))
    names = {name: f"{name} → {limits[name]:.3g}" if name in limits else name for name in order}
    frame = Frame(width, height, left=30, right=ends_margin(names.values(), 60))
    span = [float(v) for v in (numbers(table, "x").min(), numbers(table, "x").max())]

    def to_px(value: Any) -> Any:
        return np.clip(value, 0, high) / high * frame.plot_height

    said = lambda name, x, y: f"<b>{escape(name)}</b><br>N = 2^{x:g}: index {words.decimals(y)}"  # noqa: E731
    data: list[Trace] = []
    for limit in sorted(set(limits.values())):
        owner = next(name for name in order if limits.get(name) == limit)
        data.append(line(f"limit {limit:g}", span, [limit, limit], mark(owner).color(dark), 1, "1px,2.5px"))
    data += [line("rule", [at, at], [0, high], colors.ink), *_lines(table, order, focus, dark, said)]
    ends = [
        End(names[end.text], float(to_px(limits.get(end.text, 0.0))) if end.text in limits else end.y,
            end.color, end.glyph, end.bold, end.slope)
        for end in _ends(table, order, focus, dark, to_px)
    ]  # fmt: skip
    found, shapes = end_labels(ends, frame, dark)
    x_ticks = [v for v in (1, 5, 10, 15, 20, 30, 40, 50) if span[0] <= v <= span[1]]
    xaxis = axis(dark, range=span, tickangle=0, tickvals=x_ticks, ticktext=[f"2<sup>{v}</sup>" for v in x_ticks])
    yaxis = grid_axis(dark, range=[0, high], tickvals=ticks, ticktext=[f"{v:g}" for v in ticks], ticklabelstandoff=6)
    part = (at - span[0]) / (span[1] - span[0])
    found.append(_rule_words(f"N = {words.count(2**at)}", part, dark))
    return figure(data, frame, dark, xaxis=xaxis, yaxis=yaxis, annotations=found, shapes=shapes)


def experiment_ratios(
    table: pd.DataFrame, *, focus: str, dark: bool = False, height: int = 190, width: int = 440
) -> go.Figure:
    """Experiment over theory for each range, with its interval: table [length, value, low, high, inside, name]."""
    colors, look = scheme(dark), mark(focus)
    color = look.color(dark)
    table = cast(pd.DataFrame, table.sort_values("length"))
    length, value, low, high = (numbers(table, name) for name in ("length", "value", "low", "high"))
    edge = max(0.25, float(np.max(high)) - 1, 1 - float(np.min(low))) * 1.06
    frame = Frame(width, height, left=38, right=10)
    x = np.arange(len(length)) + 0.5
    said = [
        f"<b>{escape(name)}</b><br>{v:.2f} times theory<br>95 %: {a:.2f} to {b:.2f}"
        for name, v, a, b in zip(table["name"], value, low, high, strict=True)
    ]
    bar = {"type": "data", "symmetric": False, "array": high - value, "arrayminus": value - low}
    bars_ = {"error_y": bar | {"color": color, "thickness": 1, "width": 0}}
    data = [
        line("theory", [0, len(x)], [1, 1], colors.ink),
        dots("experiment", x, value, marker(look, color, dark, 5), said, **bars_),
    ]
    ticks = linear_ticks(max(0.0, 1 - edge), 1 + edge, 5)
    yaxis = grid_axis(dark, range=[max(0.0, 1 - edge), 1 + edge], tickvals=ticks, ticktext=[f"{v:g}" for v in ticks],
                      ticklabelstandoff=6)  # fmt: skip
    at = [0, len(x) // 4, len(x) // 2, 3 * len(x) // 4, len(x) - 1]
    xaxis = axis(dark, range=[0, len(x)], tickvals=[x[i] for i in at], ticktext=[words.count(length[i]) for i in at])
    return figure(data, frame, dark, xaxis=xaxis, yaxis=yaxis)


# Pieces


def _plain(value: float) -> str:
    return words.count(value) if value >= 1 else f"{value:g}"


def _rule_words(text: str, part: float, dark: bool) -> dict[str, Any]:
    left = part > 0.8
    font = {"size": TICK, "color": scheme(dark).ink}
    return note(
        text,
        part,
        1,
        yanchor="top",
        xshift=-5 if left else 5,
        xanchor="right" if left else "left",
        font=font,
        name="at",
    )


def _lines(table: pd.DataFrame, order: Sequence[str], focus: str, dark: bool, said: Any) -> list[Trace]:
    data = []
    for name in [*(n for n in order if n != focus), *(n for n in order if n == focus)]:
        part, look = by_mechanism(table, name, "x"), mark(name)
        x, y = numbers(part, "x"), numbers(part, "value")
        texts = [said(name, a, b) for a, b in zip(x, y, strict=True)]
        data.append(line(name, x, y, look.color(dark), FOCUS_LINE if name == focus else look.width, look.dash, texts))
    return data


def _ends(table: pd.DataFrame, order: Sequence[str], focus: str, dark: bool, to_px: Any) -> list[End]:
    ends = []
    for name in order:
        y = np.atleast_1d(to_px(numbers(by_mechanism(table, name, "x"), "value")))
        look = mark(name)
        slope = float(y[-1] - y[max(0, len(y) - 3)])
        ends.append(End(name, float(y[-1]), look.color(dark), look.glyph, name == focus, slope))
    return ends
