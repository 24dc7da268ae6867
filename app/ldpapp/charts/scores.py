"""Scores that have no theory over ε, n or k: simulated means joined by lines, with intervals, on a linear axis."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

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
    axis,
    bars,
    escape,
    figure,
    line,
    linear_ticks,
    note,
    numbers,
    rgba,
    text_width,
)
from .curves import curve_frame, finite, span_of, x_scale
from .labels import End
from .lines import ends, lines, marks, rule, style, tick
from .remarks import PHONE, rule_note
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


# what a miner found --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mined:
    """One miner in one comparison: sets found of the truly frequent, and false ones."""

    group: str
    name: str
    found: float
    false: float


def mined_bars(rows: Sequence[Mined], truth: int, *, dark: bool = False, height: int = 204) -> go.Figure:
    """Colour: found, of `truth` frequent sets. Hatched: false ones, on the same scale as far as there is room."""
    colors = scheme(dark)
    groups = list(dict.fromkeys(row.group for row in rows))
    left = math.ceil(max(text_width(row.name, LABEL) for row in rows)) + 32
    frame = Frame(470, height, left=left, right=96, top=4, bottom=6)
    # Places from the top: a line of words for every group, then its bars.
    places, heads, at = [], {}, 0.0
    for group in groups:
        heads[group] = at
        at += 1
        for row in (row for row in rows if row.group == group):
            places.append((row, at + 0.5))
            at += 1
    reach, on_phone = truth * 2.1, PHONE - frame.left - frame.right
    data, notes = [], []
    for row, y in places:
        look = mark(row.name)
        color = look.color(dark)
        texts = [
            t(
                "<b>{name}</b><br>found {found} of {truth}<br>{false} false",
                name=escape(row.name),
                found=words.count(row.found),
                truth=words.count(truth),
                false=words.count(row.false),
            )
        ]
        data.append(bars("true", [truth], [y], colors.floor, 0.72, texts, orientation="h"))
        data.append(bars(row.name, [row.found], [y], color, 0.72, texts, orientation="h"))
        shown = min(row.false, reach - truth * 1.02)
        hatch = {"color": colors.page, "pattern": {"shape": "/", "fgcolor": colors.ink3, "size": 5, "solidity": 0.25}}
        rim = {"line": {"width": 0.8, "color": colors.ink3}}
        data.append(
            bars(f"{row.name} false", [shown], [y], color, 0.72, texts, orientation="h", base=truth * 1.02)
            | {"marker": hatch | rim}
        )
        y_paper = 1 - y / at
        # A numeral that leaves its bar on a phone stands beside it.
        number = words.count(row.found)
        inside = row.found / reach * on_phone > text_width(number, LABEL)
        text = {"color": "#FFFFFF" if inside and not dark else colors.page if inside else colors.ink, "size": LABEL}
        place = {"xref": "x", "xanchor": "left", "xshift": 4}
        notes.append(note(f"<b>{number}</b>", 0 if inside else row.found, y_paper, font=text, **place))
        false = words.count(row.false)
        said_false = t("{n} false →", n=false) if row.false > shown else t("{n} false", n=false)
        notes.append(
            note(said_false, truth * 1.02 + shown, y_paper, font={"size": TICK, "color": colors.ink2}, **place)
        )
        notes.append(note(look.glyph, 0, y_paper, xshift=10 - left, font={"size": LABEL, "color": color}))
        notes.append(note(escape(row.name), 0, y_paper, xshift=22 - left, font={"size": LABEL, "color": colors.ink}))
    for group, y in heads.items():
        font = {"size": TICK, "color": colors.ink2}
        notes.append(note(f"<b>{escape(group)}</b>", 0, 1 - (y + 0.55) / at, xshift=4 - left, font=font))
    font = {"size": TICK, "color": colors.ink2}
    notes.append(
        note(t("← {n} truly frequent", n=words.count(truth)), truth * 1.03, 1 - 0.55 / at, xref="x", font=font)
    )
    data.append(line("truth", [truth * 1.01] * 2, [0, at], colors.ink3, 1.4))
    xaxis = axis(dark, range=[0, reach], visible=False)
    yaxis = axis(dark, range=[at, 0], visible=False)
    return figure(data, frame, dark, xaxis=xaxis, yaxis=yaxis, annotations=notes, barmode="overlay")
