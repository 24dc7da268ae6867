"""Lines over ε (or n, k, a share): the error with its limit, and the adversary's success with the blind guess."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ldpapp import words
from ldpapp.charts.palette import scheme
from ldpapp.words.language import t

from .base import (
    Frame,
    Trace,
    kept,
    line,
    linear_ticks,
    log_ticks,
    numbers,
    text_width,
)
from .labels import End, ends_margin
from .lines import dotted, ends, floor, lines, marks, rule, tick
from .remarks import Path, blind_note, free_right, limit_note, position, rule_note
from .scales import Scale, curve_figure

HEADROOM, FOOTROOM = 20, 12
"""px kept free above the highest line, for the words on the rule, and below the lowest, for its label."""
LUCKY = 100
"""How far below the lowest line marks are shown in their place."""


def error_curves(
    theory: pd.DataFrame,
    points: pd.DataFrame | None,
    *,
    focus: str,
    at: float | None,
    limit: pd.DataFrame | None = None,
    limit_text: str = "",
    rule_text: str = "",
    unit: str = "points",
    reference: pd.DataFrame | None = None,
    x_name: str = "ε",
    log_x: bool = True,
    labels: bool = True,
    y_range: tuple[float, float] | None = None,
    dark: bool = False,
    height: int = 236,
    width: int = 484,
) -> go.Figure:
    """Error against ε (or n, k, a share in %): lines are theory, marks are simulation.

    theory [mechanism, x, value] and points [mechanism, x, value, low, high] (empty or None while loading); values in
    percentage points when `unit` is "points", squared errors when it is "mse", else numbers of that unit.
    `at` is the chosen x (a rule, beside which stands x or `rule_text`); `limit` [x, value] becomes the floor under the
    lines, with `limit_text` inside: its words up to the first colon are bold. `reference` [mechanism, x, value] is
    drawn dotted. `y_range` from `error_range` makes two charts share their axis.
    """
    theory, points = _positive(theory), _positive(points)
    low, high = y_range or error_range([theory, points, reference], height)
    # No grid line through the words on the rule.
    ticks = [v for v in _error_ticks(low, high, height) if v < high * (low / high) ** (13 / (height - 32))]
    write = words.scientific if unit == "mse" else tick
    scale = Scale(low, high, ticks, [write(v) for v in ticks], log=True)
    order = list(dict.fromkeys(theory["mechanism"]))
    frame = curve_frame(order if labels else [], scale.text, height, width)
    to_px = scale.to_px(frame)

    def say(value: float) -> str:
        return _say(value, unit)

    span = span_of(theory, at)
    data: list[Trace] = []
    notes: list[dict] = []
    if limit is not None and len(limit):
        data.append(floor(_positive(limit), low, high, dark, log_x))
        drawn = _paths(theory, points, focus, span, log_x, to_px)
        notes += limit_note(limit_text, limit, span, at, log_x, to_px, frame, dark, drawn)
    data += rule(at, low, high, dark)
    if reference is not None:
        data += dotted(_positive(reference), dark)
    data += lines(theory, order, focus, dark, x_name, say) + marks(points, order, focus, dark, x_name, say, low)
    named = ends(theory, order, focus, dark, to_px) if labels else []
    notes += rule_note(at, span, x_name, log_x, frame, dark, rule_text)
    return curve_figure(data, named, notes, x_scale(span, log_x, frame), scale, frame, dark)


def success_curves(
    theory: pd.DataFrame,
    points: pd.DataFrame | None,
    *,
    focus: str,
    at: float | None,
    blind: float,
    blind_text: str = "",
    x_name: str = "ε",
    log_x: bool = True,
    labels: bool = True,
    dark: bool = False,
    height: int = 216,
    width: int = 308,
) -> go.Figure:
    """The adversary's success, of 100 tries, against ε; lines are exact, marks are attacks carried out.

    theory [mechanism, x, value], points [mechanism, x, value, low, high], values and `blind` between 0 and 100.
    The blind guess is a dotted line with its own words.
    """
    points = finite(points)
    order = list(dict.fromkeys(theory["mechanism"]))
    ticks = [0, 25, 50, 75, 100]
    text = [str(v) for v in ticks]
    frame = curve_frame(order if labels else [], text, height, width)
    # The rule's words stand above 100, beside the lines that reach it.
    top = 100 * (1 + 18 / frame.plot_height)
    scale = Scale(0, top, ticks, text)
    to_px = scale.to_px(frame)

    def say(value: float) -> str:
        return t("{n} of 100", n=words.of_100(value / 100))

    span = span_of(theory, at)
    named = ends(theory, order, focus, dark, to_px) if labels else []
    notes, inside = blind_note(
        blind, blind_text or t("blind guess"), to_px, free_right(at, span, log_x, frame), frame, dark
    )
    if labels and not inside:
        named.append(End(t("blind {n}", n=tick(round(blind, 1))), float(to_px(blind)), scheme(dark).ink3))
    guess = line("blind", list(span), [blind] * 2, scheme(dark).ink3, 1, "2px,2px")
    data = [guess, *rule(at, 0, top, dark)]
    data += lines(theory, order, focus, dark, x_name, say) + marks(points, order, focus, dark, x_name, say, 0)
    notes += rule_note(at, span, x_name, log_x, frame, dark)
    return curve_figure(data, named, notes, x_scale(span, log_x, frame), scale, frame, dark)


def error_range(frames: Sequence[pd.DataFrame | None], height: int = 236) -> tuple[float, float]:
    """The range of a log axis that holds the values of all frames, with room above and below in px of `height`. Marks
    (with `low` and `high`) reach down to a hundredth of the lowest line: one lucky survey, whose error is by chance
    nearly 0, would press all lines together; it is drawn at the edge.
    """
    shown = [frame for frame in frames if frame is not None and len(frame)]
    lines, marks = (
        [numbers(frame, "value") for frame in shown if ("low" in frame) == are_marks] for are_marks in (0, 1)
    )
    values, marked = (np.concatenate([[], *each]) for each in (lines, marks))
    values, marked = (each[np.isfinite(each) & (each > 0)] for each in (values, marked))
    least = values.min() / LUCKY if len(values) else 0.0
    values = np.concatenate([values, np.maximum(marked, least)])
    low, high = (math.log10(values.min()), math.log10(values.max())) if len(values) else (-1.0, 1.0)
    # Nearly equal errors must not look far apart: at least half a decade.
    missing = max(0.0, 0.5 - (high - low)) / 2
    low, high = low - missing, high + missing
    per_px = (high - low) / (Frame(0, height).plot_height - HEADROOM - FOOTROOM)
    return 10 ** (low - FOOTROOM * per_px), 10 ** (high + HEADROOM * per_px)


# Pieces


def finite(table: pd.DataFrame | None) -> pd.DataFrame:
    if table is None or not len(table):
        return pd.DataFrame({"mechanism": [], "x": [], "value": [], "low": [], "high": []})
    return kept(table, np.isfinite(numbers(table, "value")))


def _positive(table: pd.DataFrame | None) -> pd.DataFrame:
    """Rows that a log axis can show."""
    table = finite(table)
    return kept(table, numbers(table, "value") > 0)


def _paths(
    theory: pd.DataFrame,
    points: pd.DataFrame,
    focus: str,
    span: tuple[float, float],
    log_x: bool,
    to_px: Callable[[Any], Any],
) -> list[Path]:
    """What words must not cover: every line, every mark, and the intervals of the one in focus."""
    lines = [theory[theory["mechanism"] == name].sort_values("x") for name in dict.fromkeys(theory["mechanism"])]

    def across(xs: Any) -> np.ndarray:
        return np.array([position(x, span, log_x) for x in xs])

    paths = [(across(part["x"]), to_px(numbers(part, "value"))) for part in lines]
    for row in points.itertuples():
        ends = (row.low, row.high) if row.mechanism == focus else (row.value,)
        paths.append((across([row.x] * len(ends)), to_px(np.array(ends, float))))
    return paths


def _say(value: float, unit: str) -> str:
    if unit == "points":
        return t("{error} points", error=words.points(value / 100))
    return words.scientific(value) if unit == "mse" else f"{words.decimals(value)} {unit}".rstrip()


def _error_ticks(low: float, high: float, height: int) -> list[float]:
    most = max(3, Frame(0, height).plot_height // 20)
    ticks = log_ticks(low, high, most, ((1, 3), (1,)))
    if len(ticks) < 4:
        ticks = log_ticks(low, high, most, ((1, 2, 5), (1, 3), (1,)))
    return ticks if len(ticks) > 2 else [v for v in linear_ticks(low, high, 4) if v > 0]


def curve_frame(names: Sequence[str], ticks: Sequence[str], height: int, width: int) -> Frame:
    left = min(80, max(34, math.ceil(max(text_width(t) for t in ticks)) + 12)) if ticks else 34
    return Frame(width, height, left=left, right=ends_margin(names) if names else 8)


def span_of(theory: pd.DataFrame, at: float | None) -> tuple[float, float]:
    xs = [*numbers(theory, "x")] if len(theory) else [at or 0.1, at or 1.0]
    inside = [] if at is None else [at]
    low, high = float(min(xs + inside)), float(max(xs + inside))
    return (low, high) if high > low else (low * 0.9, high * 1.1 or 1.0)


def x_scale(span: tuple[float, float], log_x: bool, frame: Frame) -> Scale:
    """Round ticks, and the ends of the axis where these are round and there is room: 4 after 1 and 2."""
    # A written tick of a large number is wider; 8 fit the usual panel.
    most = min(8, int(frame.plot_width / (text_width(tick(span[1])) + 16)) + 1)
    ticks = (log_ticks if log_x else linear_ticks)(*span, max(3, most))
    ends = [
        end
        for end in span
        if end == float(f"{end:.2g}") and all(_apart(end, each, span, log_x, frame) for each in ticks)
    ]
    ticks = sorted([*ticks, *ends])
    return Scale(*span, ticks, [tick(v) for v in ticks], log_x)


def _apart(one: float, other: float, span: tuple[float, float], log_x: bool, frame: Frame) -> bool:
    """Whether two ticks of an axis can be written beside one another."""
    whole = math.log(span[1] / span[0]) if log_x else span[1] - span[0]
    between = abs(math.log(one / other) if log_x else one - other)
    return between / whole * frame.plot_width >= (text_width(tick(one)) + text_width(tick(other))) / 2 + 8
