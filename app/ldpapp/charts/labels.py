"""Names at the ends of lines, pushed apart, with hairlines back to where their lines end; and names of rows."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from ldpapp.charts.palette import mark, scheme

from .base import LABEL, Frame, escape, note, text_width

GAP = 13.0
"""Least distance in px between two labels under each other."""


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> np.ndarray:
    """Positions as near to the wanted ones as possible, in the same order, at least `gap` apart, within [low, high].

    Least squares by pooling neighbours that would overlap. Where there is no room the labels leave [low, high]
    downwards rather than overlap.
    """
    order = np.argsort(wanted, kind="stable")
    # With i·gap taken off, "at least gap apart" is "not decreasing".
    pools: list[list[float]] = []
    for i, position in enumerate(np.asarray(wanted, float)[order]):
        pools.append([position - i * gap, 1.0])
        while len(pools) > 1 and pools[-2][0] >= pools[-1][0]:
            (a, n), (b, m) = pools[-2:]
            pools[-2:] = [[(a * n + b * m) / (n + m), n + m]]
    flat = np.repeat([value for value, _ in pools], [int(size) for _, size in pools])
    flat = np.minimum(np.maximum(flat, low), high - (len(order) - 1) * gap)
    result = np.empty(len(order))
    result[order] = flat + np.arange(len(order)) * gap
    return result


@dataclass(frozen=True)
class End:
    """A label at the right end of a line; `y` in px above the bottom of the plot."""

    text: str
    y: float
    color: str
    glyph: str = ""
    bold: bool = False
    slope: float = 0.0
    """px per step towards the end: orders lines that end in one point as they arrive."""


NAME_AT = 29
"""Where the names stand, px right of the plot; the glyphs are centred 8 px before."""


def ends_margin(texts: Iterable[str], least: int = 74) -> int:
    """The right margin in px that labels at the ends of lines need."""
    return max(least, math.ceil(max((text_width(t, LABEL) for t in texts), default=0.0)) + NAME_AT + 4)


def end_labels(ends: Sequence[End], frame: Frame, dark: bool) -> tuple[list[dict], list[dict]]:
    """Annotations and leaders for labels at line ends, pushed apart to GAP px: (annotations, shapes)."""
    # Two lines that end in one point keep the order in which they arrive, so that leaders do not cross.
    ordered = sorted(ends, key=lambda end: (round(end.y), -end.slope))
    places = spread([end.y for end in ordered], GAP, 3.0, frame.plot_height - 4.0)
    colors = scheme(dark)
    notes: list[dict] = []
    leaders: list[dict] = []
    for end, place in zip(ordered, places, strict=True):
        y = place / frame.plot_height
        text = f"<b>{escape(end.text)}</b>" if end.bold else escape(end.text)
        font = {"size": LABEL, "color": colors.ink if end.bold else colors.ink2}
        if end.glyph:
            look = {"size": LABEL, "color": end.color}
            notes.append(note(end.glyph, 1, y, xshift=NAME_AT - 8, xanchor="center", font=look))
        notes.append(note(text, 1, y, xshift=NAME_AT if end.glyph else NAME_AT - 13, font=font, name=f"end {end.text}"))
        if abs(place - end.y) > 2:
            leaders.append(_leader(end, place, frame))
    return notes, leaders


def _leader(end: End, place: float, frame: Frame) -> dict[str, Any]:
    """A hairline from the end of a line to its label; sizes in px, so that it holds at every width."""
    return {
        "type": "line",
        "xref": "paper",
        "yref": "paper",
        "xsizemode": "pixel",
        "ysizemode": "pixel",
        "xanchor": 1,
        "yanchor": end.y / frame.plot_height,
        "x0": 2,
        "x1": 13,
        "y0": 0,
        "y1": place - end.y,
        "line": {"color": end.color, "width": 0.8},
    }


def rows_margin(names: Sequence[str]) -> int:
    """The left margin in px that the names of rows need."""
    return max(64, math.ceil(max((text_width(n, LABEL) for n in names), default=40)) + 34)


def row_names(names: Sequence[str], frame: Frame, dark: bool) -> list[dict]:
    """Glyph and name at the left edge of the figure, both aligned."""
    notes = []
    for i, name in enumerate(names):
        y, look = 1 - (i + 0.5) / len(names), mark(name)
        glyph = {"size": LABEL, "color": look.color(dark)}
        notes.append(note(look.glyph, 0, y, xshift=7 - frame.left, xanchor="center", font=glyph))
        notes.append(note(escape(name), 0, y, xshift=17 - frame.left, font={"size": LABEL, "color": scheme(dark).ink}))
    return notes


def words_of(figure: go.Figure) -> list[str]:
    """Everything written in a figure but its ticks.

    >>> words_of(go.Figure({"data": [{"name": "uSS"}], "layout": {"xaxis": {"title": {"text": "ε"}}}}))
    ['ε', 'uSS']
    """
    traces: Any = figure.data
    return [*_texts(figure.layout.to_plotly_json()), *(trace.name for trace in traces if trace.name)]


def _texts(part: Any) -> Iterator[str]:
    if isinstance(part, Mapping):
        for key, value in part.items():
            if key == "text" and isinstance(value, str):
                yield value.replace("<br>", " ")
            else:
                yield from _texts(value)
    elif isinstance(part, (list, tuple)):
        for each in part:
            yield from _texts(each)
