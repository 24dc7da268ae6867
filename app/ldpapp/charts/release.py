"""One published table beside the errors of simulated ones: the same rows, or for many values the same ranks."""

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ldpapp import words
from ldpapp.charts.palette import scheme
from ldpapp.words.language import t

from .base import (
    Frame,
    Trace,
    axis,
    bars,
    colored,
    dots,
    escape,
    figure,
    grid_axis,
    internal,
    line,
    linear_ticks,
    roomy,
    text_width,
)
from .histograms import Parts, outlined, private
from .ranks import Floats, panels, ranks, reached, segments

ROW = 11.5
"""Least height in px of a row with a name."""
HALF_PHONE = 160
"""px of the error axis on a phone."""


def release(
    labels: Sequence[str],
    sensitive: NDArray[np.bool_],
    truth: Floats | None,
    estimate: Floats,
    interval: tuple[Floats, Floats],
    errors: Floats | None,
    band: Floats,
    *,
    secret: NDArray[np.bool_] | None = None,
    max_rows: int = 40,
    dark: bool = False,
    height: int = 216,
    width: int = 630,
) -> go.Figure:
    """Left: published shares with intervals, a tick at the truth. Right: errors of repetitions on their 95 % band.

    All are shares between 0 and 1: truth, estimate, band, the interval's low and high (k,), errors (repetitions, k);
    sensitive (k,).
    `truth` None leaves the ticks out (reports without internal numbers), `errors` None the dots (while loading).
    Where some of the sensitive values are secret (k,), only those are filled, the others outlined.
    Above `max_rows` values both sides show values by rank instead of rows.
    """
    marked = np.asarray(sensitive, bool)
    build = partial(_rows, private(marked, secret)) if len(labels) <= max_rows else ranks
    return build(
        [str(label) for label in labels],
        marked,
        None if truth is None else np.asarray(truth, float) * 100,
        np.asarray(estimate, float) * 100,
        np.asarray(interval, float) * 100,
        None if errors is None else np.asarray(errors, float) * 100,
        np.asarray(band, float) * 100,
        dark,
        height,
        width,
    )


def _rows(
    rim: NDArray[np.bool_],
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
    k, colors = len(labels), scheme(dark)
    short = [words.shorten(label, 18) for label in labels]
    labels = [escape(label) for label in labels]
    frame = Frame(width, height, left=min(122, max(40, math.ceil(max(map(text_width, short))) + 14)), right=26)
    low, high = min(0.0, float(interval[0].min())), float(max(interval[1].max(), 1e-3))
    reach = reached(errors, band) * 1.08
    row = frame.plot_height / k
    data = _bars(labels, (marked, rim), truth, estimate, interval, row, dark) + _bands(labels, band, dark)
    data.append(line("zero", [0, 0], [-0.5, k - 0.5], colors.ink, 1, "3px,3px", xaxis="x2"))
    data += _dots(labels, (marked, rim), errors, dark) if errors is not None else []
    # Where not every row can have its name: the marked ones first, then the largest.
    named = roomy(np.lexsort((-estimate, ~marked)), row, min(ROW, frame.plot_height / 16))
    text = [colored(escape(short[i]), colors.sensitive if marked[i] else colors.ink2) for i in named]
    first, second = panels(frame, 18)
    yaxis = axis(dark, range=[k - 0.5, -0.5], tickvals=named, ticktext=text, ticks="", showline=False)
    yaxis |= {"ticklabelstandoff": 8}
    pad = (high - low) * 0.02
    xaxis = _share_axis(low - pad, high + pad, first, dark)
    xaxis2 = _error_axis(reach, second, dark)
    layout = {"xaxis": xaxis, "xaxis2": xaxis2, "yaxis": yaxis, "barmode": "overlay", "bargap": 0}
    return figure(data, frame, dark, **layout)


def _share_axis(low: float, high: float, domain: list[float], dark: bool) -> dict[str, Any]:
    ticks = linear_ticks(max(low, 0.0), high, 4)
    text = [f"{v:g}" for v in ticks]
    text[-1] += "\u00a0%"
    return grid_axis(dark, domain=domain, range=[low, high], tickvals=ticks, ticktext=text, anchor="y")


def _error_axis(reach: float, domain: list[float], dark: bool) -> dict[str, Any]:
    for most in (5, 3):  # as many as stand side by side on a phone
        ticks = linear_ticks(-reach, reach, most)
        text = [words.signed(v) for v in ticks]
        text[-1] += " pts"
        if sum(text_width(t) + 6 for t in text) < HALF_PHONE:
            break
    look = {"tickvals": ticks, "ticktext": text, "tickangle": 0}
    return grid_axis(dark, domain=domain, range=[-reach, reach], anchor="y", **look)


def _bars(
    labels: list[str],
    parts: Parts,
    truth: Floats | None,
    estimate: Floats,
    interval: Floats,
    row: float,
    dark: bool,
) -> list[Trace]:
    colors, rows, (marked, rim) = scheme(dark), np.arange(len(labels)), parts
    texts = [
        t(
            "<b>{label}</b><br>published {share} %, 95 %: {low} to {high}",
            label=label,
            share=f"{e:.1f}".replace("-", words.MINUS),
            low=words.decimals(low),
            high=words.decimals(high),
        )
        for label, e, low, high in zip(labels, estimate, *interval, strict=True)
    ]
    traces: list[Trace] = []
    for name, color, rows_ in (("other", colors.other, ~marked), ("sensitive", colors.sensitive, marked & ~rim)):
        hover = [texts[i] for i in rows[rows_]]
        traces.append(bars(name, estimate[rows_], rows[rows_], color, 0.62, hover, orientation="h"))
    if rim.any():
        hover = [texts[i] for i in rows[rim]]
        bar = bars("private", estimate[rim], rows[rim], colors.page, 0.62, hover, orientation="h")
        traces.append(outlined(bar, dark))
    x, y = segments(interval[0], interval[1], rows, rows)
    traces.append(line("interval", x, y, colors.ink2, 1.2))
    if truth is not None:
        stroke = {"width": 1.8, "color": colors.ink}
        tick = {"symbol": "line-ns-open", "size": min(9.0, 0.75 * row), "color": colors.ink, "line": stroke}
        hover = [
            t("<b>{label}</b><br>truth {share} %, internal", label=label, share=f"{v:.1f}")
            for label, v in zip(labels, truth, strict=True)
        ]
        traces.append(internal(dots("truth", truth, rows, tick, hover)))
    return traces


def _bands(labels: list[str], band: Floats, dark: bool) -> list[Trace]:
    texts = [
        t("<b>{label}</b><br>95 % within ±{points} points", label=label, points=words.decimals(b))
        for label, b in zip(labels, band, strict=True)
    ]
    rows, color = np.arange(len(labels)), scheme(dark).floor
    return [bars("band", 2 * band, rows, color, 0.72, texts, base=-band, orientation="h", xaxis="x2")]


def _dots(labels: list[str], parts: Parts, errors: Floats, dark: bool) -> list[Trace]:
    """A dot per repetition and value, moved up or down by the golden ratio: spread, and the same on every rerun."""
    repeats, k = errors.shape
    step = (np.arange(repeats)[:, None] * 0.618 + np.arange(k) * 0.382) % 1 - 0.5
    rows = np.arange(k) + 0.5 * step
    colors, (marked, rim) = scheme(dark), parts
    traces: list[Trace] = []
    dot = {"size": 4, "color": colors.sensitive}
    ring = {"size": 4, "color": colors.page, "line": {"color": colors.sensitive, "width": 1}}
    for name, marker, cols in (
        ("errors", {"size": 4, "color": colors.ink}, ~marked),
        ("errors, sensitive", dot, marked & ~rim),
        *((("errors, private", ring, rim),) if rim.any() else ()),
    ):
        x = errors[:, cols].ravel()
        names = np.tile(np.array(labels, dtype=object)[cols], repeats)
        texts = [_miss(name_, v) for name_, v in zip(names, x, strict=True)]
        traces.append(internal(dots(name, x, rows[:, cols].ravel(), marker, texts, xaxis="x2")))
    return traces


def _miss(label: str, error: float) -> str:
    off = f"{words.MINUS if error < 0 else '+'}{abs(error):.2f}"
    return t("<b>{label}</b><br>off by {points} points", label=label, points=off)
