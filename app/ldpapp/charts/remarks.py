"""The words inside a chart of curves: on the rule, in the floor under the limit, at the blind guess."""

import math
import re
import textwrap
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ldpapp import words
from ldpapp.charts.palette import scheme
from ldpapp.words.language import t

from .base import TICK, Frame, escape, note, numbers, text_width
from .lines import tick

Path = tuple[np.ndarray, np.ndarray]
"""Where something is drawn: parts of the plot's width (n,), px above its lower edge (n,)."""

PHONE = 354
"""px a panel has on a phone."""

INSET = 10
"""px between an edge and the words in the floor."""


def position(value: float, span: tuple[float, float], log_x: bool) -> float:
    """Where a value of x lies between the left (0) and the right (1) end of the axis."""
    a, b, v = (math.log10(t) for t in (*span, value)) if log_x else (*span, value)
    return (v - a) / (b - a)


def rule_note(
    at: float | None, span: tuple[float, float], x_name: str, log_x: bool, frame: Frame, dark: bool, said: str = ""
) -> list[dict]:
    """What the rule stands at, beside its top: the value itself, unless something else is `said`."""
    if at is None:
        return []
    text = f"{x_name} = {said or (words.epsilon(at) if at < 1000 else words.count(at))}"
    place = position(at, span, log_x)
    font, needed = {"size": TICK, "color": scheme(dark).ink}, max(map(text_width, text.split("<br>"))) + 8
    if (1 - place) * frame.plot_width >= needed:
        return [note(text, place, 1, yanchor="top", font=font, xanchor="left", xshift=6)]
    if place * frame.plot_width + frame.left >= needed:
        return [note(text, place, 1, yanchor="top", font=font, xanchor="right", xshift=-5, align="right")]
    # Long words in a narrow chart: over the rule, from the nearer edge on, so that none of them is cut.
    edge = {"xanchor": "left", "xshift": 2} if place < 0.5 else {"xanchor": "right", "xshift": -2}
    ground = {"bgcolor": scheme(dark).page}
    return [note(text, 0 if place < 0.5 else 1, 1, yanchor="top", font=font, **edge, **ground)]


def free_right(at: float | None, span: tuple[float, float], log_x: bool, frame: Frame) -> float:
    """px between the rule and the right end of the axis; all of them where the rule is at an end or missing."""
    right = frame.plot_width * (1 - (position(at, span, log_x) if at is not None else 0))
    return right if right > 8 else frame.plot_width


def limit_note(
    text: str,
    limit: pd.DataFrame,
    span: tuple[float, float],
    at: float | None,
    log_x: bool,
    to_px: Callable[[Any], Any],
    frame: Frame,
    dark: bool,
    drawn: Sequence[Path] = (),
) -> list[dict]:
    """The words inside the floor where they hide nothing `drawn`; if there is no such place, fewer of them, or none.

    All of the text, else what stands before its semicolon, else the bold ones: those up to its colon.
    """
    if not text:
        return []
    head = text.partition(":")[0]
    limit = limit.sort_values("x")
    where = np.array([position(v, span, log_x) for v in numbers(limit, "x")])
    roof = to_px(numbers(limit, "value"))
    ruled = 2.0 if at is None else position(at, span, log_x)
    ink = np.concatenate([_dense(*path) for path in drawn]) if drawn else np.empty((0, 2))
    # The same figure is shown on the phone: the words must hide nothing there either.
    plots = (frame.plot_width, PHONE - frame.left - frame.right)
    starts = [0.0, *([ruled] if ruled < 1 else []), *np.arange(0.05, 0.85, 0.05)]
    for wording in dict.fromkeys((text, text.partition(";")[0], head)):
        for wrap in (26, 22, 34, 18) if wording != head else (26,):
            rows = textwrap.wrap(wording, wrap)
            right, up = max(text_width(t) for t in rows), 13.5 * len(rows) + 12
            for start in starts:
                if all(_fits(start, right, up, where * p, roof, ruled * p, ink * (p, 1), p) for p in plots):
                    bold = "<br>".join(escape(t) for t in rows).replace(escape(head), f"<b>{escape(head)}</b>", 1)
                    font = {"size": TICK, "color": scheme(dark).ink2}
                    place = {"xshift": INSET, "yanchor": "bottom", "yshift": 9, "font": font, "name": "limit"}
                    return [note(bold, float(start), 0, **place)]
    return []


def unsaid_limit(figure: go.Figure, text: str) -> str:
    """What of the words about the limit the figure has no room for: none, those behind the semicolon, or all."""
    layout: Any = figure.layout
    inside = [
        re.sub("</?b>", "", note.text.replace("<br>", " ")) for note in layout.annotations if note.name == "limit"
    ]
    first, _, rest = text.partition("; ")
    return "" if escape(text) in inside else rest if rest and escape(first) in inside else text


def _dense(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Points (n, 2) every few px of a path; one of a single point is that point."""
    steps = np.linspace(0, len(x) - 1, max(1, 20 * (len(x) - 1)))
    return np.c_[np.interp(steps, np.arange(len(x)), x), np.interp(steps, np.arange(len(y)), y)]


def _fits(
    start: float,
    right: float,
    up: float,
    where: np.ndarray,
    roof: np.ndarray,
    ruled: float,
    ink: np.ndarray,
    plot: float,
) -> bool:
    """Whether a text right × up px, from `start` of the plot's width on, lies under the roof, off rule and ink."""
    left = start * plot + INSET
    crossed = left - 4 < ruled < left + right + 2
    lowest = np.interp(np.linspace(left, left + right, 9), where, roof).min()
    if left + right >= plot or lowest <= up or crossed:
        return False
    x, y = ink.T
    return not np.any((x > left - 4) & (x < left + right + 5) & (y > 6) & (y < up + 2))


def blind_note(
    blind: float, text: str, to_px: Callable[[Any], Any], free: float, frame: Frame, dark: bool
) -> tuple[list[dict], bool]:
    """The words under the dotted line, where no curve runs; if the axis is too near: False (they go to the margin)."""
    if to_px(blind) < 16:
        return [], False
    number = tick(round(blind, 1) if blind % 1 else int(blind))
    # Between the rule and the right end, or shorter.
    written = f"{text} {number}"
    if text_width(written) + 8 >= free:
        written = t("blind {n}", n=number)
    font = {"size": TICK, "color": scheme(dark).ink2}
    options = {"xanchor": "right", "yanchor": "top", "xshift": -2, "yshift": -3, "font": font}
    return [note(written, 1, float(to_px(blind)) / frame.plot_height, **options)], True
