"""Names beside the marks of the plane, and ε written along one of its lines."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from ldpapp import words
from ldpapp.palette import mark, scheme

from .base import LABEL, TICK, Frame, colored, escape, kept, numbers, text_width
from .placing import Placer

ALONG = (0.1, 0.2, 0.5, 1.0, 2.0, 4.0, 8.0)
"""The ε that are written along one of the lines."""


class Scale:
    """From data to px right of and above the lower left corner of the plot."""

    def __init__(self, x_range: tuple[float, float], y_range: tuple[float, float], frame: Frame) -> None:
        self.x_range, self.y_range, self.frame = x_range, y_range, frame

    def x(self, value: Any) -> Any:
        return (value - self.x_range[0]) / (self.x_range[1] - self.x_range[0]) * self.frame.plot_width

    def y(self, value: Any) -> Any:
        low, high = self.y_range
        return np.log10(value / low) / math.log10(high / low) * self.frame.plot_height


def _groups(at_points: pd.DataFrame, to_px: Scale) -> list[tuple[list[str], float, float]]:
    """Mechanisms by the px of their mark; those within 2 px share one label."""
    groups: list[tuple[list[str], float, float]] = []
    for name, x, y in zip(at_points["mechanism"], at_points["x"], at_points["value"], strict=True):
        px, py = float(to_px.x(x)), float(to_px.y(y))
        near = next((g for g in groups if math.hypot(g[1] - px, g[2] - py) < 2), None)
        if near:
            near[0].append(name)
        else:
            groups.append(([name], px, py))
    return groups


def names(
    theory: pd.DataFrame,
    at_points: pd.DataFrame,
    limit: pd.DataFrame | None,
    notes: Sequence[dict],
    to_px: Scale,
    focus: str,
    dark: bool,
    small: Sequence[pd.DataFrame] = (),
) -> tuple[list[dict], Placer]:
    """A name beside every large mark, where it hides neither lines nor marks (`small` [x, value] too) nor names."""
    frame = to_px.frame
    groups = _groups(at_points, to_px)
    inside = kept(theory, theory["value"] > 0)
    placer = Placer(frame.plot_width, frame.plot_height)
    for table in (inside,) if limit is None else (inside, limit):
        for _, part in table.groupby("mechanism") if "mechanism" in table else [("", table)]:
            placer.avoid_points(*_dense(to_px.x(numbers(part, "x")), to_px.y(numbers(part, "value"))))
    for table in small:
        for x, y in zip(to_px.x(numbers(table, "x")), to_px.y(numbers(table, "value")), strict=True):
            placer.avoid(x - 5, y - 5, x + 5, y + 5)
    for _, x, y in groups:
        placer.avoid(x - 8, y - 8, x + 8, y + 8)
    for taken in notes:
        right, top = frame.plot_width - 8, taken["y"] * frame.plot_height
        placer.avoid(right - text_width(taken["text"]), top - 26, right, top)
    found = []
    for names, x, y in sorted(groups, key=lambda g: -g[2]):
        label = words.listing(
            f"{colored(mark(n).glyph, mark(n).color(dark))} " + (f"<b>{escape(n)}</b>" if n == focus else escape(n))
            for n in names
        )
        width = text_width(words.listing(f"▲ {n}" for n in names), LABEL)
        dx, dy, anchor = placer.place(x, y, width, 14)
        leader = mark(names[-1]).color(dark)
        found.append(_called(label, x, y, dx, dy, anchor, to_px, leader, LABEL, scheme(dark).ink) | {"standoff": 7})
    return found, placer


STEP = 6
"""px between the points of a line that labels had better not hide."""


def _dense(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points along the line through these, in px."""
    if len(x) < 2:
        return x, y
    gone = np.r_[0, np.cumsum(np.hypot(np.diff(x), np.diff(y)))]
    steps = np.linspace(0, gone[-1], max(2, int(min(gone[-1], 20_000) / STEP)))
    return np.interp(steps, gone, x), np.interp(steps, gone, y)


def called_b(at_points: pd.DataFrame, second: pd.DataFrame, to_px: Scale, placer: Placer, dark: bool) -> list[dict]:
    """ "B" beside the small marks of the second setting that stand apart from their large ones."""
    first, found = at_points.set_index("mechanism"), []
    for names_, x, y in _groups(second, to_px):
        name = names_[0]
        if math.hypot(to_px.x(first.at[name, "x"]) - x, to_px.y(first.at[name, "value"]) - y) < 12:
            continue
        color, ink = mark(name).color(dark), scheme(dark).ink2
        dx, dy, anchor = placer.place(x, y, text_width("B", TICK), 12, near=True)
        found.append(_called("B", x, y, dx, dy, anchor, to_px, color, TICK, ink) | {"standoff": 5})
    return found


def along(theory: pd.DataFrame, at: float, to_px: Scale, placer: Placer, dark: bool) -> list[dict]:
    """ε written along the line that runs farthest up and to the right, where there is most room."""
    lines = {name: part.sort_values("epsilon") for name, part in kept(theory, theory["value"] > 0).groupby("mechanism")}
    if not lines:
        return []
    curve = max(lines.values(), key=lambda part: _outside(kept(part, part["epsilon"] <= at), to_px))
    grid = numbers(curve, "epsilon")
    found = []
    for value in ALONG:
        if not grid[0] <= value <= grid[-1] or abs(value - at) < 0.2 * at:
            continue
        x = float(to_px.x(np.interp(value, grid, curve["x"])))
        y = float(to_px.y(np.exp(np.interp(value, grid, np.log(curve["value"])))))
        if not (0 < x < to_px.frame.plot_width - 50 and 0 < y < to_px.frame.plot_height):
            continue
        text = f"ε = {words.epsilon(value)}"
        dx, dy, anchor = placer.place(x, y, text_width(text), 12, near=True)
        colors = scheme(dark)
        found.append(_called(text, x, y, dx, dy, anchor, to_px, colors.ink3, TICK, colors.ink2) | {"standoff": 1})
    return found


def _outside(part: pd.DataFrame, to_px: Scale) -> float:
    """How far up and to the right a line runs, in px."""
    if not len(part):
        return 0.0
    return float(np.mean(to_px.x(numbers(part, "x")) + to_px.y(numbers(part, "value"))))


def _called(
    text: str, x: float, y: float, dx: float, dy: float, anchor: str, to_px: Scale, leader: str, size: int, ink: str
) -> dict:
    """A text with a hairline to the point (x, y) in px; dx, dy px from it, up is positive."""
    place = {"x": x / to_px.frame.plot_width, "y": y / to_px.frame.plot_height, "xref": "paper", "yref": "paper"}
    arrow = {"showarrow": True, "arrowhead": 0, "arrowwidth": 0.8, "arrowcolor": leader, "ax": dx, "ay": -dy}
    font = {"size": size, "color": ink}
    return {"text": text, "xanchor": anchor, "yanchor": "middle", "borderpad": 2, "font": font} | place | arrow
