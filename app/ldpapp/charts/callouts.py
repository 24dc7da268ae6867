"""Names beside the marks of the plane, and ε written along one of its lines."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ldpapp import words
from ldpapp.charts.palette import mark, scheme

from .base import LABEL, TICK, Frame, colored, escape, kept, numbers, text_width
from .placing import Placer, place
from .remarks import PHONE

ALONG = (0.1, 0.2, 0.5, 1.0, 2.0, 4.0, 8.0)
"""The ε that are written along one of the lines."""


class PlotScale:
    """From data to px right of and above the lower left corner of the plot."""

    def __init__(self, x_range: tuple[float, float], y_range: tuple[float, float], frame: Frame) -> None:
        self.x_range, self.y_range, self.frame = x_range, y_range, frame

    def x(self, value: Any) -> Any:
        return (value - self.x_range[0]) / (self.x_range[1] - self.x_range[0]) * self.frame.plot_width

    def y(self, value: Any) -> Any:
        low, high = self.y_range
        return np.log10(value / low) / math.log10(high / low) * self.frame.plot_height


def _groups(at_points: pd.DataFrame, to_px: PlotScale) -> list[tuple[list[str], float, float]]:
    """Mechanisms by where their mark is, in data; those within 2 px share one label."""
    groups: list[tuple[list[str], float, float]] = []
    for name, x, y in zip(at_points["mechanism"], at_points["x"], at_points["value"], strict=True):
        near = next((g for g in groups if _apart(g[1:], (x, y), to_px) < 2), None)
        if near:
            near[0].append(name)
        else:
            groups.append(([name], float(x), float(y)))
    return groups


def _apart(one: tuple[float, float], other: tuple[float, float], to_px: PlotScale) -> float:
    """px between two places of the data."""
    return math.dist(*((float(to_px.x(x)), float(to_px.y(y))) for x, y in (one, other)))


@dataclass(frozen=True)
class Plots:
    """The plot as it is laid out, and as it is on a phone: what is taken in each."""

    scales: tuple[PlotScale, ...]
    placers: tuple[Placer, ...]

    @classmethod
    def of(cls, to_px: PlotScale, phone: int) -> "Plots":
        wide = to_px.frame
        narrow = Frame(min(wide.width, phone), wide.height, wide.left, wide.right, wide.top, wide.bottom)
        scales = (to_px, PlotScale(to_px.x_range, to_px.y_range, narrow))
        return cls(scales, tuple(Placer(s.frame.plot_width, s.frame.plot_height) for s in scales))

    def avoid_marks(self, x: Any, y: Any, half: float) -> None:
        """Marks of so many px around these data."""
        for scale, placer in zip(self.scales, self.placers, strict=True):
            for u, v in zip(np.atleast_1d(scale.x(x)), np.atleast_1d(scale.y(y)), strict=True):
                placer.avoid(u - half, v - half, u + half, v + half)

    def avoid_line(self, x: Any, y: Any) -> None:
        """A line through these data, which labels had better not hide."""
        for scale, placer in zip(self.scales, self.placers, strict=True):
            placer.avoid_points(*_dense(scale.x(x), scale.y(y)))

    def avoid_note(self, taken: dict) -> None:
        """Words at an edge of the plot: turned ones above its lower end, others left of its right end."""
        if taken["yshift"] < -20:  # below the axis
            return
        wide = text_width(taken["text"])
        for placer in self.placers:
            if taken.get("textangle"):
                left = taken["x"] * placer.width
                placer.avoid(left, 0, left + 18, wide + 8)
            else:
                right, top = placer.width - 8, taken["y"] * placer.height
                placer.avoid(right - wide, top - 26, right, top)

    def place(self, x: float, y: float, wide: float, high: float, near: bool = False) -> tuple[float, float, str]:
        """Where a text of wide × high px stands that is called out from these data: `placing.place`."""
        at = [(p, float(s.x(x)), float(s.y(y))) for s, p in zip(self.scales, self.placers, strict=True)]
        return place(at, wide, high, near)


def names(
    theory: pd.DataFrame,
    at_points: pd.DataFrame,
    limit: pd.DataFrame | None,
    notes: Sequence[dict],
    to_px: PlotScale,
    focus: str,
    dark: bool,
    small: Sequence[pd.DataFrame] = (),
    phone: int = PHONE,
) -> tuple[list[dict], Plots]:
    """A name beside every large mark, where it hides neither lines nor marks (`small` [x, value] too) nor names, nor on
    a phone, where the panel has `phone` px.
    """
    groups = sorted(_groups(at_points, to_px), key=lambda group: group[2])
    # Whoever comes first has the most room: from above or from below, whichever leaves more to all.
    tries = []
    for order in (groups[::-1], groups):
        plots = _taken(theory, at_points, limit, notes, to_px, small, phone)
        tries.append(([_name(*group, plots, to_px, focus, dark) for group in order], plots))
    return min(tries, key=lambda each: each[1].placers[0].spent)


def _taken(
    theory: pd.DataFrame,
    at_points: pd.DataFrame,
    limit: pd.DataFrame | None,
    notes: Sequence[dict],
    to_px: PlotScale,
    small: Sequence[pd.DataFrame],
    phone: int,
) -> Plots:
    """What is in the plot before there are names."""
    inside = kept(theory, theory["value"] > 0)
    plots = Plots.of(to_px, phone)
    for table in (inside,) if limit is None else (inside, limit):
        for _, part in table.groupby("mechanism") if "mechanism" in table else [("", table)]:
            plots.avoid_line(numbers(part, "x"), numbers(part, "value"))
    for table in small:
        plots.avoid_marks(numbers(table, "x"), numbers(table, "value"), 5)
    plots.avoid_marks(numbers(at_points, "x"), numbers(at_points, "value"), 8)
    for taken in notes:
        plots.avoid_note(taken)
    return plots


def _name(names: list[str], x: float, y: float, plots: Plots, to_px: PlotScale, focus: str, dark: bool) -> dict:
    """The name of the marks at these data, in two rows where there are many."""
    rows = [names] if len(names) < 3 else [names[: len(names) // 2], names[len(names) // 2 :]]
    label = ",<br>".join(
        words.listing(
            f"{colored(mark(n).glyph, mark(n).color(dark))} " + (f"<b>{escape(n)}</b>" if n == focus else escape(n))
            for n in row
        )
        for row in rows
    )
    width = max(text_width(words.listing(f"▲ {n}" for n in row), LABEL) for row in rows)
    dx, dy, anchor = plots.place(x, y, width, 14 * len(rows))
    leader = mark(names[-1]).color(dark)
    return _called(label, x, y, dx, dy, anchor, to_px, leader, LABEL, scheme(dark).ink) | {"standoff": 7}


STEP = 6
"""px between the points of a line that labels had better not hide."""


def _dense(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points along the line through these, in px."""
    if len(x) < 2:
        return x, y
    gone = np.r_[0, np.cumsum(np.hypot(np.diff(x), np.diff(y)))]
    steps = np.linspace(0, gone[-1], max(2, int(min(gone[-1], 20_000) / STEP)))
    return np.interp(steps, gone, x), np.interp(steps, gone, y)


def called_b(at_points: pd.DataFrame, second: pd.DataFrame, to_px: PlotScale, plots: Plots, dark: bool) -> list[dict]:
    """ "B" beside the small marks of the second setting that stand apart from their large ones."""
    large = {name: (x, y) for members, x, y in _groups(at_points, to_px) for name in members}
    small = _groups(second, to_px)
    for members, x, y in small:
        plots.avoid_line(*(np.array(pair) for pair in zip((x, y), large[members[0]], strict=True)))
    notes = []
    for members, x, y in small:
        if _apart((x, y), large[members[0]], to_px) < 12:
            continue
        dx, dy, anchor = plots.place(x, y, text_width("B", TICK), 10, near=True)
        color, ink = mark(members[0]).color(dark), scheme(dark).ink2
        notes.append(_called("B", x, y, dx, dy, anchor, to_px, color, TICK, ink) | {"standoff": 5})
    return notes


def along(theory: pd.DataFrame, at: float, to_px: PlotScale, plots: Plots, dark: bool) -> list[dict]:
    """ε written along the line that runs farthest up and to the right, where there is most room."""
    lines = {name: part.sort_values("epsilon") for name, part in kept(theory, theory["value"] > 0).groupby("mechanism")}
    if not lines:
        return []
    curve = max(lines.values(), key=lambda part: _outside(kept(part, part["epsilon"] <= at), to_px))
    grid = numbers(curve, "epsilon")
    notes = []
    for value in ALONG:
        if not grid[0] <= value <= grid[-1] or abs(value - at) < 0.2 * at:
            continue
        x, y = float(np.interp(value, grid, curve["x"])), float(np.exp(np.interp(value, grid, np.log(curve["value"]))))
        frame = to_px.frame
        if not (0 < to_px.x(x) < frame.plot_width - 50 and 0 < to_px.y(y) < frame.plot_height):
            continue
        text = f"ε = {words.epsilon(value)}"
        dx, dy, anchor = plots.place(x, y, text_width(text), 12, near=True)
        colors = scheme(dark)
        notes.append(_called(text, x, y, dx, dy, anchor, to_px, colors.ink3, TICK, colors.ink2) | {"standoff": 1})
    return notes


def _outside(part: pd.DataFrame, to_px: PlotScale) -> float:
    """How far up and to the right a line runs, in px."""
    if not len(part):
        return 0.0
    return float(np.mean(to_px.x(numbers(part, "x")) + to_px.y(numbers(part, "value"))))


def _called(
    text: str, x: float, y: float, dx: float, dy: float, anchor: str, to_px: PlotScale, leader: str, size: int, ink: str
) -> dict:
    """A text with a hairline to these data; dx, dy px from them, up is positive."""
    frame = to_px.frame
    at = {"x": float(to_px.x(x)) / frame.plot_width, "y": float(to_px.y(y)) / frame.plot_height}
    at |= {"xref": "paper", "yref": "paper"}
    arrow = {"showarrow": True, "arrowhead": 0, "arrowwidth": 0.8, "arrowcolor": leader, "ax": dx, "ay": -dy}
    font = {"size": size, "color": ink}
    return {"text": text, "xanchor": anchor, "yanchor": "middle", "borderpad": 2, "font": font} | at | arrow
