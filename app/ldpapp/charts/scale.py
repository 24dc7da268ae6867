"""A figure made larger as a whole: type, lines, marks and distances, for large screens and projectors."""

from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go

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
