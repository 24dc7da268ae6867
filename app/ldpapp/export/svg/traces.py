"""Lines, areas, marks, bars and heatmaps."""

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ldpapp.export.svg import pen
from ldpapp.export.svg.axes import Axis
from ldpapp.export.svg.known import Unknown, nth, one_of, only
from ldpapp.export.svg.symbols import symbol

PASSED = (
    "type name hoverinfo hovertext hovertemplate hoverongaps hoverlabel customdata text meta xaxis yaxis visible "
    "cliponaxis opacity showlegend legendgroup selected unselected selectedpoints textangle textfont textposition "
    "constraintext"
)
"""What paper does not show, or `picture` looks after."""


def scatter(trace: Mapping[str, Any], x: Axis, y: Axis) -> list[str]:
    only(trace, "scatter", "x y mode line marker fill fillcolor error_x error_y connectgaps", PASSED)
    modes = set(trace.get("mode", "lines+markers").split("+"))
    if modes - {"lines", "markers"}:
        raise Unknown(f"scatter: mode {trace['mode']}")
    places = [(x.at(one), y.at(other)) for one, other in zip(trace["x"], trace["y"], strict=True)]
    out = list(_area(trace, places, y)) + list(_line(trace, places) if "lines" in modes else ())
    for name, axis in (("error_x", x), ("error_y", y)):
        if name in trace:
            out += _errors(trace[name], trace, places, axis)
    return out + list(_marks(trace.get("marker", {}), places) if "markers" in modes else ())


def _runs(places: list[tuple[float, float]]) -> list[list[tuple[float, float]]]:
    """Points without a gap between them."""
    runs: list[list[tuple[float, float]]] = [[]]
    for place in places:
        if all(map(math.isfinite, place)):
            runs[-1].append(place)
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if run]


def _way(run: list[tuple[float, float]], shape: str) -> str:
    n, (x, y) = pen.number, run[0]
    out = [f"M{n(x)},{n(y)}"]
    for to, up in run[1:]:
        steps = {
            "linear": f"L{n(to)},{n(up)}",
            "hv": f"H{n(to)}V{n(up)}",
            "vh": f"V{n(up)}H{n(to)}",
            "hvh": f"H{n((x + to) / 2)}V{n(up)}H{n(to)}",
        }
        if shape not in steps:
            raise Unknown(f"line: shape {shape}")
        out.append(steps[shape])
        x, y = to, up
    return "".join(out)


def _area(trace: Mapping[str, Any], places: list[tuple[float, float]], y: Axis) -> Iterator[str]:
    fill, runs = trace.get("fill", "none"), _runs(places)
    one_of(fill, "scatter: fill", "none", "toself", "tozeroy")
    if fill == "none" or not runs:
        return
    shape = trace.get("line", {}).get("shape", "linear")
    ways = []
    for run in runs:
        way = _way(run, shape)
        if fill == "tozeroy":
            foot = pen.number(y.own(y.range[0]) if y.log else min(max(y.at(0), y.ends[0]), y.ends[1]))
            way += f"V{foot}H{pen.number(run[0][0])}"
        ways.append(way + "Z")
    yield pen.path("".join(ways), "", trace["fillcolor"])


def _line(trace: Mapping[str, Any], places: list[tuple[float, float]]) -> Iterator[str]:
    look = trace.get("line", {})
    only(look, "line", "color width dash shape", "simplify")
    width, runs = look.get("width", 2), _runs(places)
    if width and runs:
        way = "".join(_way(run, look.get("shape", "linear")) for run in runs)
        drawn = pen.stroke(look.get("color", "#444"), width, look.get("dash", "solid"))
        yield pen.path(way, drawn + ' stroke-linejoin="round"')


def _errors(
    bar: Mapping[str, Any], trace: Mapping[str, Any], places: list[tuple[float, float]], axis: Axis
) -> Iterator[str]:
    only(bar, "error bars", "array arrayminus color thickness width", "type symmetric visible")
    if bar.get("width", 4) or bar.get("type", "data") != "data":
        raise Unknown("error bars: with caps, or not of data")
    values = trace["x"] if axis.across else trace["y"]
    n, end = pen.number, axis.last if axis.across else axis.first
    for (x, y), value, more, less in zip(
        places, values, bar["array"], bar.get("arrayminus", bar["array"]), strict=True
    ):
        high, low = axis.at(value + more), axis.at(value - less)
        low = axis.own(axis.range[0]) if axis.log and math.isnan(low) and math.isfinite(less) else low
        if not all(map(math.isfinite, (x, y, high, low, end))):
            continue
        way = f"M{n(low)},{n(y)}H{n(high)}" if axis.across else f"M{n(x)},{n(low)}V{n(high)}"
        yield pen.path(way, pen.stroke(bar.get("color", "#444"), bar.get("thickness", 2)))


def _marks(look: Mapping[str, Any], places: list[tuple[float, float]]) -> Iterator[str]:
    only(look, "marker", "symbol size color opacity line", "sizemode")
    rim = look.get("line", {})
    only(rim, "marker line", "color width")
    for i, (x, y) in enumerate(places):
        if not (math.isfinite(x) and math.isfinite(y)):
            continue
        size, color = float(nth(look.get("size", 6), i)), nth(look.get("color", "#444"), i)
        width = float(nth(rim.get("width", 0), i))
        drawn = symbol(nth(look.get("symbol", "circle"), i), x, y, size, color, width, nth(rim.get("color"), i))
        yield faded(drawn, nth(look.get("opacity"), i))


def faded(drawn: str, opacity: float | None) -> str:
    return drawn if opacity in (None, 1) else f'<g opacity="{pen.number(float(opacity))}">{drawn}</g>'


class Bars:
    """The bars of one figure: those of a stack stand on what was drawn there before."""

    def __init__(self, layout: Mapping[str, Any], uid: str) -> None:
        self.gap, self.mode, self.uid = float(layout.get("bargap", 0.2)), layout.get("barmode", "group"), uid
        self.stacked: dict[tuple[str, str, float], float] = {}
        self.patterns = 0

    def draw(self, trace: Mapping[str, Any], x: Axis, y: Axis) -> list[str]:
        only(trace, "bar", "x y width base orientation marker text", PASSED)
        upright = trace.get("orientation", "v") == "v"
        across, along = (x, y) if upright else (y, x)
        places, values = (trace["x"], trace["y"]) if upright else (trace["y"], trace["x"])
        numbers = sorted({across.value(place) for place in places})
        step = min((b - a for a, b in itertools.pairwise(numbers)), default=1.0)
        out = []
        for i, (place, value) in enumerate(zip(places, values, strict=True)):
            wide = nth(trace.get("width", step * (1 - self.gap)), i)
            middle, base = across.value(place), self._base(trace, i, place, value)
            sides = across.own(middle - float(wide) / 2), across.own(middle + float(wide) / 2)
            foot, top = along.at(base), along.at(base + value)
            foot = along.own(along.range[0]) if math.isnan(foot) else foot
            if not all(map(math.isfinite, (*sides, foot, top))):
                continue
            corners = (sides[0], foot, sides[1], top) if upright else (foot, sides[0], top, sides[1])
            out.append(self._bar(trace.get("marker", {}), i, corners))
            out += _written(trace, i, (sides[0] + sides[1]) / 2, top, upright)
        return out

    def _base(self, trace: Mapping[str, Any], i: int, place: float, value: float) -> float:
        if "base" in trace:
            return float(nth(trace["base"], i))
        if self.mode not in ("stack", "relative"):
            return 0.0
        key = (trace.get("xaxis", "x"), trace.get("yaxis", "y"), float(place))
        base = self.stacked.get(key, 0.0)
        self.stacked[key] = base + float(value)
        return base

    def _bar(self, look: Mapping[str, Any], i: int, corners: tuple[float, float, float, float]) -> str:
        only(look, "bar marker", "color line pattern opacity", "cornerradius")
        color, before, rim = nth(look.get("color", "#444"), i), "", look.get("line", {})
        if nth(look.get("pattern", {}).get("shape", ""), i):
            before, color = self._pattern(look["pattern"], i, color)
        width, rim_color = float(nth(rim.get("width", 0), i)), nth(rim.get("color"), i)
        drawn = pen.stroke(rim_color, width) if width and rim_color else ""
        bar = pen.rectangle(*corners, f' fill="{pen.escape(color)}"{drawn}')
        return before + faded(bar, nth(look.get("opacity"), i))

    def _pattern(self, look: Mapping[str, Any], i: int, color: str) -> tuple[str, str]:
        only(look, "pattern", "shape fgcolor bgcolor size solidity", "fillmode fgopacity")
        one_of(nth(look["shape"], i), "pattern", "/")
        self.patterns += 1
        name, size = f"{self.uid}p{self.patterns}", float(nth(look.get("size", 8), i))
        ink, ground = nth(look.get("fgcolor", color), i), nth(look.get("bgcolor", color), i)
        width = float(nth(look.get("solidity", 0.3), i)) * size / math.sqrt(2)
        n, quarter = pen.number, size / 4
        lines = (
            f"M{n(-quarter)},{n(quarter)}L{n(quarter)},{n(-quarter)}M0,{n(size)}L{n(size)},0"
            f"M{n(size - quarter)},{n(size + quarter)}L{n(size + quarter)},{n(size - quarter)}"
        )
        tile = pen.rectangle(0, 0, size, size, f' fill="{pen.escape(ground)}"') + pen.path(
            lines, pen.stroke(ink, width)
        )
        where = f'id="{name}" width="{n(size)}" height="{n(size)}" patternUnits="userSpaceOnUse"'
        return f"<pattern {where}>{tile}</pattern>", f"url(#{name})"


def _written(trace: Mapping[str, Any], i: int, middle: float, top: float, upright: bool) -> list[str]:
    """Words beyond the end of a bar."""
    text = nth(trace.get("text", ""), i)
    if not text:
        return []
    one_of(trace.get("textposition"), "bar: textposition", "outside")
    font = trace.get("textfont", {})
    look = (str(text), font.get("size", 11), nth(font.get("color", "#444"), i))
    if upright:
        return [pen.text(middle, top - 3, *look, "middle", "bottom")]
    return [pen.text(top + 3, middle, *look, "start", "middle")]


def heatmap(trace: Mapping[str, Any], x: Axis, y: Axis) -> list[str]:
    only(trace, "heatmap", "x y x0 dx y0 dy z zmin zmax colorscale xgap ygap", f"{PASSED} showscale")
    if trace.get("showscale", True):
        raise Unknown("heatmap: with a scale")
    gaps = [float(trace.get(name, 0)) for name in ("xgap", "ygap")]
    z = np.asarray([[math.nan if v is None else v for v in row] for row in trace["z"]], float)
    low, high = trace.get("zmin", np.nanmin(z)), trace.get("zmax", np.nanmax(z))
    across = [x.own(edge) for edge in _edges(_centers(trace, x, z.shape[1]), z.shape[1])]
    up = [y.own(edge) for edge in _edges(_centers(trace, y, z.shape[0]), z.shape[0])]
    cells: dict[str, list[str]] = {}
    n = pen.number
    for row, (y0, y1) in zip(z, itertools.pairwise(up), strict=True):
        colors = [None if math.isnan(v) else ramp(trace["colorscale"], (v - low) / (high - low or 1)) for v in row]
        start = 0
        for i in range(1, len(colors) + 1):  # cells of one colour beside each other are one
            if i < len(colors) and colors[i] == colors[start] and not gaps[0]:
                continue
            color = colors[start]
            if color is not None:
                cell = _between(across[start], across[i], gaps[0]), _between(y0, y1, gaps[1])
                (left, wide), (top, tall) = cell
                way = f"M{n(left)},{n(top)}h{n(wide)}v{n(tall)}h{n(-wide)}z"
                cells.setdefault(color, []).append(way)
            start = i
    return [pen.path("".join(ways), "", color) for color, ways in cells.items()]


def _between(start: float, end: float, gap: float) -> tuple[float, float]:
    """Where a cell begins and how long it is: without gaps a hair over the next one, so that paper shows no seams."""
    way = math.copysign(1.0, end - start)
    return start + way * gap / 2, end - start - way * (gap or -0.25)


def _centers(trace: Mapping[str, Any], axis: Axis, count: int) -> list[float]:
    letter = "x" if axis.across else "y"
    if letter in trace:
        return [axis.value(value) for value in trace[letter]]
    first, step = float(trace.get(f"{letter}0", 0)), float(trace.get(f"d{letter}", 1))
    return [first + i * step for i in range(count)]


TONES = 48
"""Steps of a scale: finer ones nobody sees, and they would be large."""


def _edges(centers: list[float], count: int) -> list[float]:
    if len(centers) == count + 1:
        return centers
    middles = np.asarray(centers, float)
    if len(middles) == 1:
        return [middles[0] - 0.5, middles[0] + 0.5]
    middle = (middles[1:] + middles[:-1]) / 2
    return [2 * middles[0] - middle[0], *middle, 2 * middles[-1] - middle[-1]]


def ramp(scale: Any, share: float) -> str:
    """The colour at this share of a scale of (share, hex)."""
    share = round(min(max(share, 0.0), 1.0) * TONES) / TONES
    at = [float(place) for place, _ in scale]
    channels = [[int(color[i : i + 2], 16) for _, color in scale] for i in (1, 3, 5)]
    return "#" + "".join(f"{round(float(np.interp(share, at, channel))):02x}" for channel in channels)
