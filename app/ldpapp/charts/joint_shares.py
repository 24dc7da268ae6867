"""The estimated shares of all pairs of answers, as a table whose cells are the darker the larger their share."""

import math
import textwrap
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ldpapp import words
from ldpapp.charts.palette import mark, scheme
from ldpapp.words.language import t

from .base import LABEL, TICK, Frame, escape, figure, note, text_width

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
ROW, LINE = 22, 13
"""px of a row of cells, and of a line of the heads above them."""


def joint_shares(
    names: tuple[Sequence[str], Sequence[str]],
    marked: tuple[Mask, Mask],
    shares: Floats,
    margins: Floats,
    distinct: Mask,
    *,
    key: str,
    dark: bool = False,
    width: int = 488,
) -> go.Figure:
    """names and marked of columns (kx) and rows (ky); shares, margins and distinct (ky, kx) in percent and points; what
    is not told from none is pale. key: the mechanism whose hue it has.
    """
    across, up = names
    colors, hue = scheme(dark), mark(key).color(dark)
    left = min(120, math.ceil(max(text_width(name, TICK) for name in up)) + 10)
    cell = (width - left - 2) / len(across)
    heads = [_lines(name, cell) for name in across]
    head = LINE * max(map(len, heads)) + 4
    frame = Frame(width, ROW * len(up) + head + 4, left=left, right=2, top=head, bottom=4)
    top = max(float(shares.max()), 1e-9)
    depth = np.where(distinct, 0.16 + 0.84 * np.clip(shares, 0, None) / top, 0.05)
    hover = [
        [
            t(
                "<b>{x}, {y}</b><br>{share} ± {margin} of 100 people", x=escape(x), y=escape(y),
                share=words.decimals(shares[j, i]), margin=words.decimals(margins[j, i]),
            )
            for i, x in enumerate(across)
        ]
        for j, y in enumerate(up)
    ]  # fmt: skip
    trace = {
        "type": "heatmap", "name": "shares", "x0": 0, "dx": 1, "y0": 0, "dy": 1, "z": depth, "zmin": 0, "zmax": 1.6,
        "colorscale": [[0, colors.page], [1, hue]], "showscale": False, "xgap": 2, "ygap": 2, "hovertext": hover,
        "hoverinfo": "text",
    }  # fmt: skip
    notes: list[dict[str, Any]] = []
    for i, lines in enumerate(heads):
        font = {"size": TICK, "color": colors.sensitive if marked[0][i] else colors.ink}
        text, over = "<br>".join(map(escape, lines)), {"yanchor": "bottom", "yshift": 2, "align": "center"}
        notes.append(note(text, i, 1, xref="x", xanchor="center", font=font, **over))
    for j, name in enumerate(up):
        font = {"size": TICK, "color": colors.sensitive if marked[1][j] else colors.ink}
        shown = escape(words.shorten(name, 18))
        notes.append(note(shown, 0, j, yref="y", xanchor="right", xshift=-6, font=font))
    notes += _numbers(shares, margins, distinct, cell, dark)
    xaxis = {"range": [-0.5, len(across) - 0.5], "visible": False, "fixedrange": True}
    yaxis = {"range": [len(up) - 0.5, -0.5], "visible": False, "fixedrange": True}
    return figure([trace], frame, dark, xaxis=xaxis, yaxis=yaxis, annotations=notes)


def _lines(name: str, cell: float) -> list[str]:
    """A name in at most two lines of a cell's width."""
    room = max(4, int((cell - 3) / 6.1))
    lines = textwrap.wrap(name, room) or [name]
    rest = " ".join(lines[1:]) if " " in name else "".join(lines[1:])
    return [lines[0], *([words.shorten(rest, room)] if rest else [])]


def _numbers(shares: Floats, margins: Floats, distinct: Mask, cell: float, dark: bool) -> list[dict[str, Any]]:
    """In every cell its share and its ±, as far as they fit."""
    colors, out = scheme(dark), []
    for (j, i), share in np.ndenumerate(shares):
        short = f"{share:.0f}".replace("-0", "0").replace("-", words.MINUS)
        both = f"<b>{short}</b> ±{_short(float(margins[j, i]))}"
        wide = text_width(both.replace("<b>", "").replace("</b>", ""), TICK)
        text = both if wide <= cell - 3 else f"<b>{short}</b>" if text_width(short, LABEL) <= cell else ""
        if text:
            font = {"size": TICK, "color": colors.ink if distinct[j, i] else colors.ink2}
            out.append(note(text, i, j, xref="x", yref="y", xanchor="center", font=font))
    return out


def _short(margin: float) -> str:
    return f"{margin:.1f}" if margin < 9.95 else f"{margin:.0f}"
