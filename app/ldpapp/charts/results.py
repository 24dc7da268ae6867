"""What reports say: a row per answer, its interval as a bar, and the numbers beside it, as one picture."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from ldpapp import words
from ldpapp.charts.palette import Scheme, scheme

from .base import LABEL, Frame, Trace, dots, escape, figure, grid_axis, line, linear_ticks, note, rgba, text_width

PITCH, HEADS, FOOT, APART = 19.0, 20, 22, 0.6
"""px of a row, above the first and below the last; rows between two kinds."""
LONGEST, MOST = 190, 28
"""px and letters of a name at most."""
COLUMNS = (54.0, 162.0, 262.0)
"""px right of the axis where the numbers end: share, interval, unweighted."""


@dataclass(frozen=True)
class ResultRow:
    """value None: it is not told from none, and has a bar from the axis' begin alone. ring: the estimate without
    weights, tick: as a publisher would print it, where they are drawn. texts: of the columns, left to right.
    """

    label: str
    value: float | None
    low: float
    high: float
    hidden: bool
    texts: Sequence[str]
    ring: float | None = None
    tick: float | None = None

    @property
    def reach(self) -> float:
        """The largest that is drawn of it."""
        drawn = (self.value, self.high, self.ring, self.tick)
        return max(float(each) for each in drawn if each is not None)


def results(
    rows: Sequence[ResultRow],
    heads: Sequence[str],
    *,
    begin: float = 0.0,
    end: float | None = None,
    unit: str = " %",
    remark: str = "",
    dark: bool = False,
    width: int = 968,
) -> go.Figure:
    """rows from top to bottom, hidden ones first; heads: of the columns of numbers. begin, end: of the axis, where
    what is drawn does not say so. remark: beside the bars of those that are not told from none.
    """
    colors = scheme(dark)
    left = min(LONGEST, math.ceil(max(text_width(words.shorten(row.label, MOST), LABEL) for row in rows)) + 20)
    right = COLUMNS[len(heads) - 1] + 22
    places = _places(rows)
    depth = places[-1] + 1
    frame = Frame(width, round(HEADS + FOOT + PITCH * depth), left=left, right=round(right), top=HEADS, bottom=FOOT)
    last = max(row.reach for row in rows) if end is None else end
    data: list[Trace] = []
    notes: list[dict[str, Any]] = []
    for row, place in zip(rows, places, strict=True):
        data += _drawn(row, place, begin, colors)
        notes += _written(row, place, colors)
    for head, shift in zip(heads, COLUMNS, strict=False):
        font = {"size": 11, "color": colors.ink2}
        notes.append(note(head, 1, 1, xanchor="right", yanchor="bottom", xshift=shift, yshift=4, font=font))
    untold = [place for row, place in zip(rows, places, strict=True) if row.value is None]
    if remark and len(untold) > 2:
        at = max(row.high for row in rows if row.value is None)
        font = {"size": LABEL, "color": colors.ink2}
        notes.append(note(remark, at, sum(untold) / len(untold), xref="x", yref="y", xshift=48, font=font))
    lines = [
        {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": (a + b) / 2, "y1": (a + b) / 2,
         "line": {"color": colors.grid, "width": 1}}
        for a, b in itertools.pairwise(places) if b - a > 1 + APART / 2
    ]  # fmt: skip
    ticks = linear_ticks(begin, last, 6)
    texts = [f"{tick:g}" for tick in ticks]
    texts[-1] += unit
    xaxis = grid_axis(dark, range=[begin, last + 0.02 * (last - begin)], tickvals=ticks, ticktext=texts)
    yaxis = {"range": [depth - 0.5, -0.5], "visible": False, "fixedrange": True}
    return figure(data, frame, dark, xaxis=xaxis, yaxis=yaxis, annotations=notes, shapes=lines)


def _places(rows: Sequence[ResultRow]) -> list[float]:
    """From the top; a gap between hidden and open ones."""
    places, at = [], 0.0
    for i, row in enumerate(rows):
        at += APART if i and rows[i - 1].hidden and not row.hidden else 0.0
        places.append(at)
        at += 1
    return places


def _drawn(row: ResultRow, place: float, begin: float, colors: Scheme) -> list[Trace]:
    color = colors.sensitive if row.hidden else colors.ink
    text = f"<b>{escape(row.label)}</b> {' · '.join(filter(None, row.texts))}"
    if row.value is None:
        return [line(row.label, [begin, row.high], [place, place], rgba(color, 0.5), 3.2, said=[text, text])]
    bar, thick = (color, 3.2) if row.hidden else (colors.ink3, 2.2)
    out = [line(row.label, [row.low, row.high], [place, place], bar, thick, said=[text, text])]
    if row.tick is not None:
        look = {"symbol": "line-ns", "size": 11, "line": {"width": 2, "color": colors.ink3}}
        out.append(dots("published", [row.tick], [place], look, [text]))
    if row.ring is not None:
        look = {"size": 8, "color": colors.page, "line": {"color": colors.ink3, "width": 1.4}}
        out.append(dots("unweighted", [row.ring], [place], look, [text], cliponaxis=False))
    look = {"size": 9, "color": color, "line": {"color": colors.page, "width": 1}}
    return [*out, dots(row.label, [row.value], [place], look, [text], cliponaxis=False)]


def _written(row: ResultRow, place: float, colors: Scheme) -> list[dict[str, Any]]:
    """Its name and its numbers."""
    color = colors.sensitive if row.hidden else colors.ink
    name = escape(words.shorten(row.label, MOST))
    bold = row.hidden and row.value is not None
    font = {"size": LABEL, "color": color}
    shown = f"<b>{name}</b>" if bold else name
    out = [note(shown, 0, place, yref="y", xanchor="right", xshift=-10, font=font)]
    for i, (text, shift) in enumerate(zip(row.texts, COLUMNS, strict=False)):
        font = {"size": LABEL, "color": (colors.ink, colors.ink2, colors.ink3)[i]}
        shown = f"<b>{text}</b>" if i == 0 and text else text
        out.append(note(shown, 1, place, yref="y", xanchor="right", xshift=shift, font=font))
    return [each for each in out if each["text"]]
