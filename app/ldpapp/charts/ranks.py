"""The release of very many values: by rank instead of in rows, and what both forms share."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ldpapp import words
from ldpapp.charts.palette import scheme
from ldpapp.words.language import t

from .base import Frame, Trace, area, axis, escape, figure, grid_axis, internal, line, linear_ticks

Floats = NDArray[Any]

LEAST = 0.01
"""Points: smaller errors are written "<0.01", and not drawn as if they were large."""
GUTTER = 28
"""px between the two panels whose headings stand above the one figure."""


def panels(frame: Frame, inset: int) -> tuple[list[float], list[float]]:
    """The two panels' parts of the plot, so that each chart starts and ends with its heading."""
    middle = frame.width / 2
    end = (middle - GUTTER / 2 - 10 - frame.left) / frame.plot_width
    start = (middle + GUTTER / 2 + inset - frame.left) / frame.plot_width
    return [0, max(end, 0.2)], [max(start, 0.3), 1]


def reached(errors: Floats | None, band: Floats) -> float:
    """The largest error to be shown, in points."""
    return float(max(LEAST, band.max(), np.abs(errors).max() if errors is not None and errors.size else 0.0))


def segments(x0: Floats, x1: Floats, y0: Floats, y1: Floats) -> tuple[Floats, Floats]:
    """Many separate segments as one line with holes."""
    hole = np.full(len(x0), np.nan)
    return np.c_[x0, x1, hole].ravel(), np.c_[y0, y1, hole].ravel()


def ranks(
    labels: list[str],
    marked: NDArray[np.bool_],
    truth: Floats | None,
    estimate: Floats,
    interval: Floats,
    errors: Floats | None,
    band: Floats,
    dark: bool,
    height: int,
    width: int,
) -> go.Figure:
    """Values from the most to the least frequent; lines, areas and holes instead of marks, so that 1000 draw fast."""
    order = np.argsort(-(estimate if truth is None else truth), kind="stable")
    marked, estimate, interval, band = marked[order], estimate[order], interval[:, order], band[order]
    truth = None if truth is None else truth[order]
    errors = None if errors is None else errors[:, order]
    names = [escape(labels[i]) for i in order]
    frame = Frame(width, height, left=40, right=18)
    first, second = panels(frame, 40)
    k = len(names)
    low, high = min(0.0, float(interval[0].min())), float(interval[1].max())
    reach = reached(errors, band) * 1.05
    data = _rank_shares(names, marked, truth, estimate, interval, dark) + _rank_errors(marked, errors, band, dark)
    ticks = [1, *linear_ticks(k / 10, k, 4)]
    ranks = {"range": [0.5, k + 0.5], "tickvals": ticks, "ticktext": [words.count(t) for t in ticks]}
    share = linear_ticks(low, high, 5)
    share_text = [f"{v:g}".replace("-", "−") for v in share]
    share_text[-1] += " %"
    miss = linear_ticks(-reach, reach, 5)
    miss_text = [words.signed(v) for v in miss]
    yaxis = grid_axis(dark, range=[low, high], tickvals=share, ticktext=share_text, ticklabelstandoff=6)
    yaxis2 = grid_axis(dark, range=[-reach, reach], tickvals=miss, ticktext=miss_text, anchor="x2")
    layout = {"xaxis": axis(dark, domain=first, **ranks), "xaxis2": axis(dark, domain=second, anchor="y2", **ranks)}
    return figure(data, frame, dark, **layout, yaxis=yaxis, yaxis2=yaxis2 | {"ticklabelstandoff": 6})


def _thin(k: int) -> float:
    """The px of one of k upright lines: many stay separate and light."""
    return min(1.2, max(0.4, 200 / k))


def _rank_shares(
    names: list[str], marked: NDArray[np.bool_], truth: Floats | None, estimate: Floats, interval: Floats, dark: bool
) -> list[Trace]:
    colors, ranks = scheme(dark), np.arange(1, len(names) + 1)
    # A template: 1000 written hover texts would be most of the figure's bytes.
    hover = {
        "text": names,
        "hoverinfo": None,
        "hovertemplate": f"<b>%{{text}}</b><br>{t('published')} %{{y:.2f}} %<extra></extra>",
    }
    x, y = segments(ranks[marked], ranks[marked], interval[0, marked], interval[1, marked])
    traces = [
        area("interval", ranks, interval[0], interval[1], colors.floor),
        line("published", ranks, estimate, colors.ink3, 1) | hover,
        line("sensitive", x, y, colors.sensitive, _thin(len(names))),
    ]
    return traces if truth is None else [*traces, internal(line("truth", ranks, truth, colors.ink, 1.4))]


def _rank_errors(marked: NDArray[np.bool_], errors: Floats | None, band: Floats, dark: bool) -> list[Trace]:
    """The band, and for every value a line from the smallest to the largest of its simulated errors."""
    colors, ranks = scheme(dark), np.arange(1, len(band) + 1)
    right = {"xaxis": "x2", "yaxis": "y2"}
    traces = [area("band", ranks, -band, band, colors.floor, **right)]
    if errors is None or not errors.size:
        return traces
    least, most = errors.min(0), errors.max(0)
    for name, color, part in (("errors", colors.ink3, ~marked), ("errors, sensitive", colors.sensitive, marked)):
        x, y = segments(ranks[part], ranks[part], least[part], most[part])
        traces.append(internal(line(name, x, y, color, _thin(len(band)), **right)))
    return traces
