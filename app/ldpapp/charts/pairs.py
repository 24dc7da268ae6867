"""Which pairs of values one report can tell apart."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ldpapp import words
from ldpapp.charts.palette import scheme
from ldpapp.words.language import t

from .base import Frame, escape, figure

MAX_CELLS = 64
"""Above this many values cells would be smaller than 2 px: blocks of marked and unmarked values instead."""

BOUNDED, EXCLUDED, APART = 0, 1, 2


def pair_tones(dark: bool = False) -> tuple[str, str, str]:
    """The colours of the three kinds of pairs: bounded, may be ruled out, told apart."""
    colors = scheme(dark)
    return colors.floor, colors.ink3, (colors.ink2 if not dark else "#B9BFC8")


def loss_heatmap(
    loss: NDArray[np.floating[Any]],
    sensitive: NDArray[np.bool_],
    labels: Sequence[str] | None = None,
    *,
    secret: NDArray[np.bool_] | None = None,
    dark: bool = False,
) -> go.Figure:
    """The privacy loss of every pair, loss (k, k) in nats: row against column, how far a report can raise the odds.

    Light: bounded. Middle: a report may rule the column out, but not the other way round. Dark: without bound both
    ways. Rows of sensitive (k,) values come first, in a vermilion frame; of these the secret (k,) ones first, in an
    inner frame. Above 64 values: blocks, sized by the share of values.
    """
    loss, marked = np.asarray(loss, float), np.asarray(sensitive, bool)
    most = np.zeros(len(marked), bool) if secret is None else np.asarray(secret, bool)
    names = (
        [escape(t) for t in labels]
        if labels is not None
        else [t("value {number}", number=i + 1) for i in range(len(marked))]
    )
    frame = Frame(138, 138, left=2, right=2, top=2, bottom=2)
    if len(marked) > MAX_CELLS:
        values, sizes, heads = _blocks(loss, marked)
    else:
        order = np.lexsort((~most, ~marked))
        values, sizes, heads = loss[np.ix_(order, order)], np.ones(len(order)), [names[i] for i in order]
    whole = len(marked) <= MAX_CELLS
    tones = _tones(values, whole)
    edges = np.r_[0, np.cumsum(sizes)]
    trace = _cells(values, tones, edges, heads, whole, frame, dark)
    end = float(edges[-1])
    hidden = {"visible": False, "fixedrange": True}
    xaxis = hidden | {"range": [0, end], "constrain": "domain", "constraintoward": "left"}
    yaxis = hidden | {"range": [end, 0], "scaleanchor": "x", "constrain": "domain", "constraintoward": "top"}
    drawn = [(marked, 1.6), *(((most, 3.0),) if whole and most.any() and (marked & ~most).any() else ())]
    shapes = [
        {
            "type": "rect", "x0": 0, "x1": end, "y0": 0, "y1": int(part.sum()), "layer": "above",
            "line": {"color": scheme(dark).sensitive, "width": width},
        }
        for part, width in drawn
    ]  # fmt: skip
    return figure([trace], frame, dark, xaxis=xaxis, yaxis=yaxis, shapes=shapes if marked.any() else [])


def _blocks(loss: NDArray[Any], marked: NDArray[np.bool_]) -> tuple[NDArray[Any], NDArray[Any], list[str]]:
    """The largest loss within and between the marked and the unmarked values."""
    groups = [(m, name) for m, name in ((marked, t("a marked value")), (~marked, t("an unmarked value"))) if m.any()]
    values = np.array([[loss[np.ix_(rows, cols)].max() for cols, _ in groups] for rows, _ in groups])
    return values, np.array([m.sum() for m, _ in groups], float), [name for _, name in groups]


def _tones(values: NDArray[Any], whole: bool) -> NDArray[Any]:
    free = ~np.isfinite(values)
    tones = np.where(free & free.T, APART, np.where(free, EXCLUDED, BOUNDED)).astype(float)
    if whole:
        np.fill_diagonal(tones, np.nan)  # a value against itself: no pair
    return tones


def _cells(
    values: NDArray[Any],
    tones: NDArray[Any],
    edges: NDArray[Any],
    heads: list[str],
    whole: bool,
    frame: Frame,
    dark: bool,
) -> dict[str, Any]:
    scale = [(edge / 3, color) for i, color in enumerate(pair_tones(dark)) for edge in (i, i + 1)]
    texts = [[_odds(heads[i], heads[j], float(v)) for j, v in enumerate(row)] for i, row in enumerate(values)]
    cell = frame.plot_height / max(len(values), 1)
    gap = (1 if cell >= 4 else 0) if whole else 2
    trace = {"type": "heatmap", "name": "privacy loss", "x": edges, "y": edges, "z": tones, "zmin": -0.5, "zmax": 2.5}
    look = {"colorscale": scale, "showscale": False, "xgap": gap, "ygap": gap, "hoverongaps": False}
    return trace | look | {"hovertext": texts, "hoverinfo": "text"}


def _odds(row: str, column: str, loss: float) -> str:
    if loss < 700:
        times = words.times(math.exp(loss), most=True)
        return t("<b>{row}</b> against {column}<br>odds rise at most {times}", row=row, column=column, times=times)
    return t("<b>{row}</b> against {column}<br>odds rise without bound", row=row, column=column)
