"""The axes of a chart of curves, and the one way such a chart is put together."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from .base import Frame, Trace, axis, figure, grid_axis
from .labels import End, end_labels


@dataclass(frozen=True)
class Scale:
    """One axis: its ends, and what is written at which values."""

    low: float
    high: float
    ticks: Sequence[float]
    text: Sequence[str]
    log: bool = False

    def to_px(self, frame: Frame) -> Callable[[Any], Any]:
        """Values → px above the plot's lower edge; what lies beyond the ends is put there."""

        def px(value: Any) -> Any:
            inside = np.clip(value, self.low, self.high)
            if self.log:
                return np.log(inside / self.low) / math.log(self.high / self.low) * frame.plot_height
            return (inside - self.low) / (self.high - self.low) * frame.plot_height

        return px

    def drawn(self, look: Callable[..., dict[str, Any]], dark: bool, **options: Any) -> dict[str, Any]:
        """As Plotly has it; look: `axis` or `grid_axis`."""
        kind, ends = "linear", [self.low, self.high]
        if self.log:
            kind, ends = "log", [math.log10(self.low), math.log10(self.high)]
        return look(dark, type=kind, range=ends, tickvals=list(self.ticks), ticktext=list(self.text), **options)


def curve_figure(
    data: list[Trace],
    ends: Sequence[End],
    notes: list[dict],
    x: Scale,
    y: Scale,
    frame: Frame,
    dark: bool,
    **across: Any,
) -> go.Figure:
    """Lines with their names at their ends; `across` are options of the axis below."""
    named, leaders = end_labels(ends, frame, dark)
    return figure(
        data,
        frame,
        dark,
        xaxis=x.drawn(axis, dark, **across),
        yaxis=y.drawn(grid_axis, dark, ticklabelstandoff=6),
        annotations=notes + named,
        shapes=leaders,
    )


_PX = frozenset((
    "size", "ax", "ay", "xshift", "yshift", "l", "r", "t", "b", "pad", "ticklen", "tickwidth", "linewidth", "gridwidth",
    "standoff", "borderpad", "borderwidth", "arrowwidth", "thickness", "height",
))  # fmt: skip
"""Plotly's properties in px, wherever they stand."""
_WHOLE = frozenset(("ticklabelstandoff", "ticklabelshift"))
"""The same, where Plotly takes whole numbers only and forgets all others."""
_LINES = frozenset(("line", "error_x", "error_y"))
"""Where `width` is in px too; that of a bar is in the units of its axis."""


def scaled(figure: go.Figure, factor: float) -> go.Figure:
    """The same picture, `factor` times as large. The width is that of its container.

    >>> scaled(go.Figure({"layout": {"height": 100, "margin": {"l": 40}}}), 1.5).layout.height
    150.0
    """
    if factor == 1:
        return figure
    spec = _grown(figure.to_plotly_json(), factor, "")
    for trace in spec["data"]:
        # Marks have a size of their own where nothing is said of it.
        if "markers" in trace.get("mode", ""):
            trace.setdefault("marker", {}).setdefault("size", 6 * factor)
    built = go.Figure(spec, _validate=False)
    built.layout.template = None
    return built


def _grown(part: Any, factor: float, within: str) -> Any:
    if isinstance(part, Mapping):
        pixels = part.get("xsizemode") == "pixel"
        return {key: _property(key, value, factor, within, pixels) for key, value in part.items()}
    if isinstance(part, (list, tuple)) and any(isinstance(each, Mapping) for each in part):
        return [_grown(each, factor, within) for each in part]
    return part


def _property(key: str, value: Any, factor: float, within: str, pixels: bool) -> Any:
    if key in _WHOLE:
        return round(value * factor)
    if key in _PX or (key == "width" and within in _LINES) or (pixels and key in ("x0", "x1", "y0", "y1")):
        return _times(value, factor)
    if key == "dash" and isinstance(value, str) and "px" in value:
        return ",".join(f"{float(length.removesuffix('px')) * factor:g}px" for length in value.split(","))
    return _grown(value, factor, key)


def _times(value: Any, factor: float) -> Any:
    if isinstance(value, (int, float)):
        return value * factor
    if isinstance(value, (list, tuple)):
        return [_times(each, factor) for each in value]
    return value if value is None or isinstance(value, (str, Mapping)) else value * factor
