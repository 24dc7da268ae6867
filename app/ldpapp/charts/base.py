"""What all charts share: the bare figure, axes, written ticks, traces and texts."""

import html
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ldpapp.charts.palette import scheme
from ldpapp.words import directions

FONT = "Inter, system-ui, sans-serif"
TICK, LABEL = 11, 12
"""Font sizes in px: ticks and remarks, names of lines."""

Trace = dict[str, Any]


@dataclass(frozen=True)
class Frame:
    """The px of a figure: its panel's usual width, its height and its margins."""

    width: int
    height: int
    left: int = 40
    right: int = 8
    top: int = 6
    bottom: int = 26

    @property
    def plot_width(self) -> int:
        return max(40, self.width - self.left - self.right)

    @property
    def plot_height(self) -> int:
        return max(40, self.height - self.top - self.bottom)


def figure(data: list[Trace], frame: Frame, dark: bool, **layout: Any) -> go.Figure:
    """A figure without template, titles, legend and zoom, on a transparent ground."""
    colors = scheme(dark)
    base = {
        "template": {},  # None would be read as "the default one"
        "height": frame.height,
        "autosize": True,
        "margin": {"l": frame.left, "r": frame.right, "t": frame.top, "b": frame.bottom, "pad": 0},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": FONT, "size": TICK, "color": colors.ink2},
        "showlegend": False,
        "dragmode": False,
        "uirevision": "fixed",
        "hovermode": "closest",
        "hoverlabel": {
            "bgcolor": colors.page,
            "bordercolor": colors.axis,
            "font": {"family": FONT, "size": LABEL, "color": colors.ink},
            "align": "left",
            "namelength": -1,
        },
    }
    # Plotly's validation takes 10 ms per figure, on every move of a slider; the tests validate every builder instead.
    built = go.Figure({"data": data, "layout": base | layout}, _validate=False)
    built.layout.template = None
    return built


def line(
    name: str, x: Any, y: Any, color: str, width: float = 1, dash: str = "solid", said: Any = None, **options: Any
) -> Trace:
    """A line; `said` holds the hover text of every point (None: it does not answer to the mouse)."""
    look = {"color": color, "width": width, "dash": dash}
    hover = {"hoverinfo": "skip"} if said is None else {"hoverinfo": "text", "hovertext": said}
    return {"type": "scatter", "name": name, "x": x, "y": y, "mode": "lines", "line": look} | hover | options


def area(name: str, x: Any, low: Any, high: Any, color: str, **options: Any) -> Trace:
    """The area between two lines over x (n,)."""
    x, y = np.concatenate([x, x[::-1]]), np.concatenate([high, low[::-1]])
    return line(name, x, y, color, 0) | {"fill": "toself", "fillcolor": color} | options


def dots(name: str, x: Any, y: Any, marker: dict[str, Any], said: Any, **options: Any) -> Trace:
    """Marks without lines; `said` holds their hover texts."""
    look = {"type": "scatter", "name": name, "x": x, "y": y, "mode": "markers", "marker": marker}
    return look | {"hoverinfo": "text", "hovertext": said} | options


INTERNAL = "internal"


def internal(part: dict[str, Any]) -> dict[str, Any]:
    """A trace or a note that compares with the truth: what is published leaves it out (`charts.published`)."""
    return part | ({"meta": INTERNAL} if "type" in part else {"name": INTERNAL})


def bars(name: str, x: Any, y: Any, color: str, width: Any, said: Any, **options: Any) -> Trace:
    """Bars without rims; `said` holds their hover texts."""
    look = {"type": "bar", "name": name, "x": x, "y": y, "width": width}
    look |= {"marker": {"color": color, "line": {"width": 0}}}
    return look | {"hoverinfo": "text", "hovertext": said} | options


def axis(dark: bool, **options: Any) -> dict[str, Any]:
    """An axis with ticks and a line below, no grid and no zoom; `options` are Plotly's."""
    colors = scheme(dark)
    return {
        "fixedrange": True,
        "showgrid": False,
        "zeroline": False,
        "automargin": False,
        "showline": True,
        "linecolor": colors.axis,
        "linewidth": 1,
        "ticks": "outside",
        "ticklen": 4,
        "tickcolor": colors.axis,
        "tickfont": {"size": TICK, "color": colors.ink2},
    } | options


def grid_axis(dark: bool, **options: Any) -> dict[str, Any]:
    """An axis shown only by its written ticks and a hairline grid."""
    grid = {"showgrid": True, "gridcolor": scheme(dark).grid, "gridwidth": 1, "showline": False, "ticks": ""}
    return axis(dark) | grid | options


def rgba(color: str, alpha: float) -> str:
    """A hex colour with transparency."""
    red, green, blue = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{alpha:g})"


def colored(text: str, color: str) -> str:
    """Text in a colour; Plotly's subset of HTML."""
    return f'<span style="color:{color}">{text}</span>'


def escape(text: object) -> str:
    """A name from the user's data as plain text: Plotly would read tags and links in it."""
    return html.escape(directions.isolated(text), quote=False)


def note(text: str, x: float, y: float, **options: Any) -> dict[str, Any]:
    """A text without arrow or box; by default in paper coordinates, anchored at its left and middle."""
    return {
        "text": text,
        "x": x,
        "y": y,
        "xref": "paper",
        "yref": "paper",
        "xanchor": "left",
        "yanchor": "middle",
        "showarrow": False,
        "borderpad": 0,
        "align": "left",
    } | options


_NARROW, _WIDE = frozenset("fijlrtI.,:;'|!()[]- /"), frozenset("mwMWGOQ%@—▲●■□◆⬟")


def text_width(text: str, size: float = TICK) -> float:
    """Roughly the px a text takes in Inter."""
    seen = (c for c in text if c not in directions.UNSEEN)
    em = sum(0.33 if c in _NARROW else 0.86 if c in _WIDE else 0.67 if c.isupper() else 0.585 for c in seen)
    return em * size


# Ticks


def log_ticks(low: float, high: float, most: int, steps: Iterable[Sequence[int]] = ((1, 2, 5), (1, 3), (1,))) -> list:
    """Round values between low and high for a log axis: the first of `steps` that gives at most `most`."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks: list[float] = []
    for factors in steps:
        # 10**-1 * 3 is 0.30000000000000004; the written form is the right number.
        ticks = [float(f"{f}e{p}") for p in powers for f in factors]
        ticks = [v for v in ticks if low * (1 - 1e-9) <= v <= high * (1 + 1e-9)]
        if len(ticks) <= most:
            return ticks
    return ticks[:: math.ceil(len(ticks) / most)]


def linear_ticks(low: float, high: float, most: int) -> list[float]:
    """Round values between low and high, at steps of 1, 2, 2.5 or 5 times a power of ten."""
    span = high - low
    if span <= 0:
        return [low]
    power = math.floor(math.log10(span / max(most, 1))) - 1
    steps = (float(f"{f}e{p}") for p in range(power, power + 4) for f in (1, 2, 2.5, 5))
    step = next(s for s in steps if math.floor(high / s + 1e-9) - math.ceil(low / s - 1e-9) + 1 <= most)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [float(f"{i * step:.10g}") for i in range(first, last + 1)]


def roomy(wanted: Iterable[int], pitch: float, least: float) -> list[int]:
    """Which of equally spaced names (`pitch` px) can be written `least` px apart, the first wanted ones first."""
    chosen: list[int] = []
    for i in wanted:
        if all(abs(i - j) * pitch >= least for j in chosen):
            chosen.append(int(i))
    return sorted(chosen)


# Tables


def numbers(table: pd.DataFrame, column: str) -> np.ndarray:
    """A column (n,) as floats."""
    return np.asarray(table[column], float)


def kept(table: pd.DataFrame, keep: Any, by: str | None = None) -> pd.DataFrame:
    """The rows where `keep` holds, in the order of a column."""
    places = np.flatnonzero(np.asarray(keep, bool))
    if by is not None:
        places = places[np.argsort(table[by].to_numpy()[places], kind="stable")]
    return table.take(places)


def by_mechanism(table: pd.DataFrame, name: str, by: str) -> pd.DataFrame:
    """The rows of one mechanism, in the order of a column."""
    # Not compared by pandas: on a few hundred names of Arrow's that takes ten times as long, for every line of a chart.
    return kept(table, table["mechanism"].to_numpy(object) == name, by)
