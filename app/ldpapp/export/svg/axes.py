"""Axes: from what is measured to px, and their ticks, lines and grid."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ldpapp.export.svg import pen
from ldpapp.export.svg.known import Unknown, one_of, only

DRAWN = (
    "anchor domain gridcolor gridwidth linecolor linewidth range showgrid showline showticklabels tickangle tickcolor "
    "tickfont ticklabelstandoff ticklen ticks ticktext tickvals type visible side scaleanchor constrain constraintoward"
)
PASSED = "fixedrange automargin zeroline zerolinecolor autorange tickmode"


class Axis:
    """One axis between two px: `start` is where its domain's 0 stands, `end` its 1."""

    def __init__(self, name: str, look: Mapping[str, Any], start: float, end: float, values: Sequence[Any]) -> None:
        only(look, f"axis {name}", DRAWN, PASSED)
        if look.get("zeroline"):
            raise Unknown(f"axis {name}: zeroline")
        one_of(look.get("side", "bottom" if name[0] == "x" else "left"), f"axis {name}, side", "bottom", "left")
        self.name, self.look, self.log = name, look, look.get("type") == "log"
        self.across = name[0] == "x"
        first, last = look.get("domain", (0, 1))
        self.first, self.last = start + first * (end - start), start + last * (end - start)
        named = look.get("type", "-") in ("-", "category") and any(isinstance(value, str) for value in values)
        self.names = {each: i for i, each in enumerate(dict.fromkeys(map(str, values)))} if named else {}
        self.range = [float(end) for end in look["range"]] if "range" in look else self._fitting(values)

    def _fitting(self, values: Sequence[Any]) -> list[float]:
        """As Plotly would, roughly: only figures without range need it."""
        if self.names:
            return [-0.5, len(self.names) - 0.5]
        places = np.array([self.value(value) for value in values], float)
        places = places[np.isfinite(places)]
        low, high = (places.min(), places.max()) if len(places) else (0.0, 1.0)
        room = (high - low) * 0.05 or 0.5
        return [low - room, high + room]

    def value(self, value: Any) -> float:
        """In the axis's own numbers: exponents of ten on a log axis; NaN for what it cannot show."""
        if isinstance(value, str):
            return float(self.names.get(value, math.nan))
        value = math.nan if value is None else float(value)
        if not self.log:
            return value
        return math.log10(value) if value > 0 else math.nan

    def at(self, value: Any) -> float:
        return self.own(self.value(value))

    def own(self, value: float) -> float:
        """px of a number of the axis's own."""
        low, high = self.range
        return self.first + (value - low) / (high - low) * (self.last - self.first)

    @property
    def ends(self) -> tuple[float, float]:
        return min(self.first, self.last), max(self.first, self.last)

    def has(self, place: float) -> bool:
        low, high = self.ends
        return math.isfinite(place) and low - 0.6 <= place <= high + 0.6

    def ticks(self) -> list[tuple[float, str]]:
        """px and words of those in range."""
        values = self.look.get("tickvals")
        if values is None:
            values = self._round()
        texts = self.look.get("ticktext", [_written(value) for value in values])
        ticks = [(self.at(value), str(text)) for value, text in zip(values, texts, strict=True)]
        return [(place, text) for place, text in ticks if self.has(place)]

    def _round(self) -> list[float]:
        """Axes without written ticks of their own."""
        low, high = sorted(self.range)
        power = 10.0 ** math.floor(math.log10((high - low) / 4))
        step = next(power * each for each in (1, 2, 5, 10) if (high - low) / (power * each) <= 6)
        steps = np.arange(math.ceil(low / step), math.floor(high / step) + 1) * step
        return [float(10**value if self.log else value) for value in steps]


def squared(axis: Axis, other: Axis) -> None:
    """One unit is as long on both axes: the one with room to spare shrinks towards its side, as `constrain` asks."""
    one_of((axis.look.get("constrain"), other.look.get("constrain")), "scaleanchor", ("domain", "domain"))
    units = [abs(each.range[1] - each.range[0]) for each in (axis, other)]
    scale = min(abs(each.last - each.first) / unit for each, unit in zip((axis, other), units, strict=True))
    for each, unit in zip((axis, other), units, strict=True):
        spare = abs(each.last - each.first) - scale * unit
        toward = each.look.get("constraintoward", "center")
        before = {"left": 0.0, "bottom": 0.0, "right": 1.0, "top": 1.0}.get(toward, 0.5) * spare
        way = math.copysign(1.0, each.last - each.first)
        each.first, each.last = each.first + way * before, each.last - way * (spare - before)


def _written(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:g}".replace("-", "−")


def drawn(axis: Axis, other: Axis, size: float, color: str) -> tuple[list[str], list[str]]:
    """What stands behind the traces (the grid), and what before them."""
    look, (low, high) = axis.look, other.ends
    behind: list[str] = []
    before: list[str] = []
    if look.get("visible", True) is False:
        return behind, before
    edge = high if axis.across else low
    one_of(look.get("ticks", ""), "ticks", "", "outside")
    long = float(look.get("ticklen", 5)) if look.get("ticks") == "outside" else 0.0
    font = look.get("tickfont", {})
    only(font, "tickfont", "size color", "family")
    angle = look.get("tickangle", 0)
    turned = 0.0 if angle == "auto" else float(angle)
    for place, text in axis.ticks():
        if look.get("showgrid", True) and "gridcolor" in look:
            behind.append(_line(axis, place, low, high, look["gridcolor"], look.get("gridwidth", 1)))
        if long:
            end = edge + long if axis.across else edge - long
            before.append(_line(axis, place, edge, end, look.get("tickcolor", "#444"), 1))
        if look.get("showticklabels", True) and text:
            off = long + 3 + float(look.get("ticklabelstandoff", 0))
            look_ = (text, font.get("size", size), font.get("color", color))
            if axis.across:
                anchor = "middle" if not turned else "start" if turned > 0 else "end"
                before.append(pen.text(place, edge + off, *look_, anchor, "top", turned))
            else:
                before.append(pen.text(edge - off, place, *look_, "end", "middle"))
    if look.get("showline"):
        before.append(_line(other, edge, *axis.ends, look.get("linecolor", "#444"), look.get("linewidth", 1)))
    return behind, before


def _line(axis: Axis, place: float, start: float, end: float, color: str, width: float) -> str:
    """A stroke across an axis."""
    n = pen.number
    points = f"M{n(place)},{n(start)}V{n(end)}" if axis.across else f"M{n(start)},{n(place)}H{n(end)}"
    return pen.path(points, pen.stroke(color, width) + ' shape-rendering="crispEdges"')
