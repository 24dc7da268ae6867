"""The traces of curves over x: lines of theory, marks of simulations, the floor of the limit, the rule."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from ldpapp import words
from ldpapp.charts.palette import FOCUS_LINE, QUIET_LINE, Mark, mark, scheme
from ldpapp.words.language import t

from .base import Trace, area, by_mechanism, dots, escape, internal, line, numbers
from .labels import End

MAX_COLORED = 8
"""More lines than these cannot be told apart: the rest is grey and named on hover."""

Say = Callable[[float], str]
"""Writes a value with its unit."""


def tick(value: float) -> str:
    """A round value beside an axis, as short as people write it: "2 500", "1.5 million", "−40 billion"."""
    size = abs(value)
    sign = words.MINUS if value < 0 else ""
    if size >= 1e15 or 0 < size < 1e-4:
        return sign + words.scientific(size)
    for unit, word in ((1e12, t("trillion")), (1e9, t("billion")), (1e6, t("million"))):
        short = f"{size / unit:.2f}".rstrip("0").rstrip(".")
        if size >= unit and float(short) * unit == size:  # no digit is lost
            return f"{sign}{short} {word}"
    return sign + f"{size:,.10g}".replace(",", words.THIN)


def floor(limit: pd.DataFrame, low: float, high: float, dark: bool, log_x: bool, filled: bool = True) -> Trace:
    """The floor under the limit, straight between its points as lines are; clipped at the axis range: where the limit
    leaves it, the crossing is a corner. Not filled it is the limit's line alone: where something else lies below.
    """
    limit = limit.sort_values("x")
    x, y = numbers(limit, "x"), numbers(limit, "value")
    # Corners every few px: cutting off is then exact to less than a px, on log axes too.
    fine = np.unique(np.concatenate([x, np.interp(np.linspace(0, len(x) - 1, 240), np.arange(len(x)), x)]))
    place = np.log if log_x else np.asarray
    edge = np.clip(np.exp(np.interp(place(fine), place(x), np.log(y))), low, high)
    if not filled:
        inside = np.where((edge > low) & (edge < high), edge, np.nan)
        return line("limit", fine, inside, scheme(dark).ink3, 1)
    return area("limit", fine, np.full(len(fine), low), edge, scheme(dark).floor)


def rule(at: float | None, low: float, high: float, dark: bool) -> list[Trace]:
    """The rule at the chosen x. A trace, not a shape: it must lie above the floor and under the lines."""
    if at is None:
        return []
    return [line("rule", [at, at], [low, high], scheme(dark).ink)]


def colored_names(order: list[str], focus: str) -> list[str]:
    """The mechanisms that get a colour, marks and a label: the one in focus, then the first ones."""
    return [n for n in order if n == focus] + [n for n in order if n != focus][: MAX_COLORED - 1]


def style(name: str, order: list[str], focus: str, dark: bool) -> tuple[Mark, str, float]:
    """(mark, colour, line width) of a mechanism in a chart that shows `order`."""
    look = mark(name)
    if name == focus:
        return look, look.color(dark), FOCUS_LINE
    if name in colored_names(order, focus):
        return look, look.color(dark), min(look.width, QUIET_LINE)
    return look, scheme(dark).ink3, 1.0


def last(order: list[str], focus: str) -> list[str]:
    """The order of drawing: the one in focus on top."""
    return [n for n in order if n != focus] + [n for n in order if n == focus]


def hover(name: str, part: pd.DataFrame, x_name: str, say: Say, where: Say = tick) -> list[str]:
    head = f"<b>{escape(name)}</b><br>{x_name} = "
    return [f"{head}{where(x)}: {say(y)}" for x, y in zip(part["x"], part["value"], strict=True)]


def lines(
    theory: pd.DataFrame, order: list[str], focus: str, dark: bool, x_name: str, say: Say, where: Say = tick
) -> list[Trace]:
    """One line a mechanism; say: writes a value, where: a place on the x axis."""
    traces = []
    for name in last(order, focus):
        part = by_mechanism(theory, name, "x")
        look, color, width = style(name, order, focus, dark)
        x, y = numbers(part, "x"), numbers(part, "value")
        texts = hover(name, part, x_name, say, where)
        if len(part) == 1:  # a line of one point is not seen
            traces.append(dots(name, x, y, marker(look, color, dark), texts, cliponaxis=False))
            continue
        traces.append(line(name, x, y, color, width, look.dash, texts))
    return traces


def marks(
    points: pd.DataFrame,
    order: list[str],
    focus: str,
    dark: bool,
    x_name: str,
    say: Say,
    low: float,
) -> list[Trace]:
    traces = []
    simulated, shown = set(points["mechanism"]), colored_names(order, focus)
    for name in last([n for n in order if n in simulated and n in shown], focus):
        part = by_mechanism(points, name, "x")
        look, color, _ = style(name, order, focus, dark)
        y = np.maximum(numbers(part, "value"), low)
        texts = [t("{said} simulated", said=text) for text in hover(name, part, x_name, say)]
        x, name_ = numbers(part, "x"), f"{name} simulated"
        size = 7 if name == focus else 5
        trace = dots(name_, x, y, marker(look, color, dark, size), texts, cliponaxis=False)
        if name == focus and {"low", "high"} <= set(part.columns):
            # A log axis cannot show a bar that ends at or below zero.
            up, down = numbers(part, "high") - y, y - np.maximum(numbers(part, "low"), low)
            bar = {"type": "data", "symmetric": False, "array": up, "arrayminus": down}
            trace["error_y"] = bar | {"color": color, "thickness": 1.2, "width": 0}
        traces.append(internal(trace))
    return traces


def marker(look: Mark, color: str, dark: bool, size: float = 7) -> dict[str, Any]:
    """A marker with a thin rim of the page's colour, so that marks on lines stay readable; open ones have none."""
    if look.symbol.endswith("-open"):
        return {"symbol": look.symbol, "size": size, "color": color, "line": {"width": 1.3, "color": color}}
    # Triangles, diamonds and stars look smaller than circles of the same size.
    size += {"triangle-up": 1, "diamond": 1, "pentagon": 1, "star": 4}.get(look.symbol, 0)
    return {"symbol": look.symbol, "size": size, "color": color, "line": {"width": 0.8, "color": scheme(dark).page}}


def dotted(reference: pd.DataFrame, dark: bool) -> list[Trace]:
    traces = []
    for name in dict.fromkeys(reference["mechanism"]):
        part = by_mechanism(reference, name, "x")
        x, y = numbers(part, "x"), numbers(part, "value")
        traces.append(line(f"{name} in A", x, y, mark(name).color(dark), 1, "1px,2.5px"))
    return traces


def ends(theory: pd.DataFrame, order: list[str], focus: str, dark: bool, to_px: Callable[[Any], Any]) -> list[End]:
    ends = []
    shown = colored_names(order, focus)
    for name in order:
        part = by_mechanism(theory, name, "x")
        if name not in shown or not len(part):
            continue
        y = np.atleast_1d(to_px(numbers(part, "value")))
        before = y[max(0, len(y) - 1 - max(1, len(y) // 8))]
        look, color, _ = style(name, order, focus, dark)
        ends.append(End(name, float(y[-1]), color, look.glyph, name == focus, float(y[-1] - before)))
    return ends
