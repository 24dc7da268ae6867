"""What one miner found: the frequent sets by rank, one stripe each, and the false ones below at the same scale."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ldpapp import words
from ldpapp.charts.palette import mark, scheme
from ldpapp.words.language import t

from .base import LABEL, TICK, Frame, Trace, axis, bars, dots, escape, figure, grid_axis, line, note, text_width
from .lines import marker

ROWS = 6
"""Rows of false sets that are drawn; the number says how many there are."""
STRIPE, ROW = 36, 6
"""px of the stripes, and from one row of false sets to the next."""
STRIPES, BARS = 600, 120
"""Most stripes; beyond, that many bars."""


def mined_strip(
    ranked: pd.DataFrame,
    published: Sequence[float],
    false: int,
    key: str,
    *,
    most: int | None = None,
    dark: bool = False,
) -> go.Figure:
    """ranked [itemset, count]: the frequent sets, commonest first; `published`: what is published of each, NaN: missed.

    One stripe each; of more than STRIPES one bar for several, as high as the share that is found. `false` sets stand
    below in grey, a full row being as many as there are frequent sets. most: the most false sets of the figures that
    stand beside it, which are as high.
    """
    rows = min(-(-max(false, most or 0) // max(len(ranked), 1)), ROWS)
    height = STRIPE + 4 + rows * ROW
    colors, color = scheme(dark), mark(key).color(dark)
    n, noisy = len(ranked), np.asarray(published, float)
    frame = Frame(300, height, left=0, right=0, top=0, bottom=0)
    data = _stripes(ranked, noisy, color, dark) if n <= STRIPES else _shares(~np.isnan(noisy), color, dark)
    left, row = false, 0
    while left > 0 and row < ROWS and n:
        y = -4 - row * ROW
        last = row == ROWS - 1 and left > n
        text = t("{false}, {n} to a row", false=words.plural(false, t("false set"), t("false sets")), n=words.count(n))
        data.append(
            line("false", [0, min(left, n)], [y, y], colors.ink3, 3.2, "1px,3px" if last else "solid", [text] * 2)
        )
        left, row = left - n, row + 1
    xaxis = axis(dark, range=[0, max(n, 1)], visible=False)
    yaxis = axis(dark, range=[STRIPE - height, STRIPE], visible=False)
    return figure(data, frame, dark, xaxis=xaxis, yaxis=yaxis, bargap=0, barmode="overlay")


def _stripes(ranked: pd.DataFrame, noisy: np.ndarray, color: str, dark: bool) -> list[Trace]:
    texts = [_stripe(*row) for row in zip(ranked["itemset"], ranked["count"], noisy, strict=True)]
    if not texts:
        return []
    # A heat map samples stripes finer than a px; bars drawn over each other would hide the missed ones.
    return [
        {
            "type": "heatmap",
            "name": "sets",
            "z": [np.where(np.isnan(noisy), 0, 1)],
            "x0": 0.5,
            "dx": 1,
            "y0": STRIPE / 2,
            "dy": STRIPE,
            "zmin": 0,
            "zmax": 1,
            "colorscale": [[0, scheme(dark).floor], [1, color]],
            "showscale": False,
            "hoverinfo": "text",
            "hovertext": [texts],
        }
    ]


def _stripe(items: Sequence[object], count: float, published: float) -> str:
    holes = {"items": escape(words.shorten(" + ".join(map(str, items)), 60)), "count": words.count(count)}
    if np.isnan(published):
        return t("<b>{items}</b><br>true count {count}<br>missed", **holes)
    return t("<b>{items}</b><br>true count {count}<br>published: {noisy}", **holes, noisy=words.count(published))


def _shares(found: np.ndarray, color: str, dark: bool) -> list[Trace]:
    edges = np.linspace(0, len(found), BARS + 1).astype(int)
    sizes, hits = np.diff(edges), np.add.reduceat(found.astype(int), edges[:-1])
    texts = [
        t(
            "ranks {first} to {last}: {hit} of {size} found",
            first=words.count(first + 1),
            last=words.count(first + size),
            hit=hit,
            size=size,
        )
        for first, size, hit in zip(edges[:-1], sizes, hits, strict=True)
    ]
    middle = edges[:-1] + sizes / 2
    return [
        bars("sets", middle, np.full(BARS, STRIPE), scheme(dark).floor, sizes, texts),
        bars("found", middle, STRIPE * hits / sizes, color, sizes, texts),
    ]


def scores_by_length(rows: pd.DataFrame, *, dark: bool = False) -> go.Figure:
    """F for the sets of each length, one dot per miner: rows [mechanism, length, f, true]; NaN is undefined."""
    colors = scheme(dark)
    order = list(dict.fromkeys(rows["mechanism"]))
    rows = rows[rows["true"] > 0]
    lengths = sorted(set(rows["length"]))
    shift = {name: (place - (len(order) - 1) / 2) * 0.12 for place, name in enumerate(order)}
    data = []
    for name in order:
        part = rows[(rows["mechanism"] == name) & rows["f"].notna()].sort_values("length")
        x = [lengths.index(length) + shift[name] for length in part["length"]]
        look, color = mark(name), mark(name).color(dark)
        texts = [
            t(
                "<b>{name}</b><br>{items}: F = {f}<br>{true} are true",
                name=escape(name),
                items=words.plural(length, t("item"), t("items")),
                f=f"{f:.2f}",
                true=words.count(true),
            )
            for length, f, true in zip(part["length"], part["f"], part["true"], strict=True)
        ]
        for at, f in zip(x, part["f"], strict=True):
            data.append(line(f"{name} stem", [at, at], [0, f], color, 1))
        data.append(dots(name, x, part["f"], marker(look, color, dark, 8), texts, cliponaxis=False))
    xaxis = axis(
        dark,
        range=[-0.6, len(lengths) - 0.4],
        tickvals=list(range(len(lengths))),
        ticktext=[str(length) for length in lengths],
        tickangle=0,
    )
    yaxis = grid_axis(dark, range=[0, 1.06], tickvals=[0, 0.5, 1], ticktext=["0", "0.5", "1"], ticklabelstandoff=6)
    frame = Frame(300, 170, left=30, right=6, top=20, bottom=36)
    middle = {"xanchor": "center", "yanchor": "top", "yshift": -20, "font": {"size": TICK, "color": colors.ink2}}
    notes, x = [note(t("items per set"), 0.5, 0, **middle)], 0.0
    named = sum(25 + text_width(name, LABEL) for name in order) <= frame.plot_width
    for name in order:
        look = mark(name)
        font = {"size": TICK, "color": colors.ink}
        notes.append(note(look.glyph, 0, 1, xshift=x, yanchor="bottom", font=font | {"color": look.color(dark)}))
        if named:
            notes.append(note(escape(name), 0, 1, xshift=x + 13, yanchor="bottom", font=font))
        x += 25 + text_width(name, LABEL) if named else 20
    return figure(data, frame, dark, xaxis=xaxis, yaxis=yaxis, annotations=notes)
