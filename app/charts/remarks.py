"""The words inside a chart of curves: on the rule, in the floor under the limit, at the blind guess."""

import math
import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

import words
from palette import scheme

from .base import TICK, Frame, escape, note, numbers, text_width
from .lines import tick

PHONE = 354
"""px a panel has on a phone."""

INSET = 10
"""px between an edge and the words in the floor."""


def position(value: float, span: tuple[float, float], log_x: bool) -> float:
    """Where a value of x lies between the left (0) and the right (1) end of the axis."""
    a, b, v = (math.log10(t) for t in (*span, value)) if log_x else (*span, value)
    return (v - a) / (b - a)


def rule_note(
    at: float | None, span: tuple[float, float], x_name: str, log_x: bool, frame: Frame, dark: bool
) -> list[dict]:
    if at is None:
        return []
    text = f"{x_name} = {words.epsilon(at) if at < 1000 else words.count(at)}"
    place = position(at, span, log_x)
    left = (1 - place) * frame.plot_width < text_width(text) + 8
    font = {"size": TICK, "color": scheme(dark).ink}
    side = {"xanchor": "right", "xshift": -5} if left else {"xanchor": "left", "xshift": 6}
    return [note(text, place, 1, yanchor="top", font=font, **side)]


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
) -> list[dict]:
    """The words inside the floor: left of the rule if they fit there, else right of it, else only the bold ones."""
    if not text:
        return []
    head = text.partition(":")[0]
    limit = limit.sort_values("x")
    where = np.array([position(v, span, log_x) for v in numbers(limit, "x")])
    roof = to_px(numbers(limit, "value"))
    ruled = 2.0 if at is None else position(at, span, log_x)
    # The same figure is shown on the phone: what fits there too is better.
    widths = [[frame.plot_width, PHONE - frame.left - frame.right], [frame.plot_width]]
    for said, plots in [(text, widths[0]), (text, widths[1]), (head, widths[0]), (head, widths[1])]:
        for wrap, start in ((26, 0.0), (26, ruled), (22, 0.0), (22, ruled)):
            rows = textwrap.wrap(said, wrap)
            right, up = max(text_width(t) for t in rows), 13.5 * len(rows) + 12
            if all(_fits(start, right, up, where * p, roof, ruled * p, p) for p in plots):
                bold = "<br>".join(escape(t) for t in rows).replace(escape(head), f"<b>{escape(head)}</b>", 1)
                font = {"size": TICK, "color": scheme(dark).ink2}
                place = {"xshift": INSET, "yanchor": "bottom", "yshift": 9, "font": font, "name": "limit"}
                return [note(bold, start, 0, **place)]
    return []


def _fits(
    start: float, right: float, up: float, where: np.ndarray, roof: np.ndarray, ruled: float, plot: float
) -> bool:
    """Whether a text right × up px, from `start` of the plot's width on, lies under the roof and off the rule."""
    left = start * plot + INSET
    crossed = left - 4 < ruled < left + right + 2
    lowest = np.interp(np.linspace(left, left + right, 9), where, roof).min()
    return left + right < plot and lowest > up and not crossed


def blind_note(
    blind: float, text: str, to_px: Callable[[Any], Any], free: float, frame: Frame, dark: bool
) -> tuple[list[dict], bool]:
    """The words under the dotted line, where no curve runs; if the axis is too near: False (they go to the margin)."""
    if to_px(blind) < 16:
        return [], False
    number = tick(round(blind, 1) if blind % 1 else int(blind))
    # Between the rule and the right end, or shorter.
    written = f"{text} {number}" if text_width(f"{text} {number}") + 8 < free else f"{text.split()[0]} {number}"
    font = {"size": TICK, "color": scheme(dark).ink2}
    options = {"xanchor": "right", "yanchor": "top", "xshift": -2, "yshift": -3, "font": font}
    return [note(written, 1, float(to_px(blind)) / frame.plot_height, **options)], True
