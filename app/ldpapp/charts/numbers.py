"""A column of numbers and its mean: the people with what is marked, and what a survey would publish of them."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from ldpapp.charts.palette import FOCUS_LINE, mark, scheme

from .base import (
    LABEL,
    TICK,
    Frame,
    Trace,
    axis,
    colored,
    dots,
    escape,
    figure,
    internal,
    line,
    linear_ticks,
    log_ticks,
    note,
    numbers,
    text_width,
)
from .curves import span_of
from .histograms import number_histogram
from .labels import End, ends_margin
from .lines import marker, rule, tick
from .remarks import PHONE, rule_note
from .scales import Scale, curve_figure

Floats = NDArray[Any]
ROW = 14
"""px of a line of words."""
WIDTH, HEIGHT = 590, 162
"""px of the histogram with the mean."""


def mean_histogram(
    edges: Floats,
    counts: Floats,
    intervals: Sequence[tuple[float, float]],
    *,
    mean: float,
    mean_text: str,
    marked_text: Sequence[str] = (),
    step: float = 0.0,
    dark: bool = False,
) -> go.Figure:
    """`number_histogram` with the mean as a rule, and lines of words over the widest of the marked intervals.

    The words stand above the bars, so that neither covers the other; `mean_text` may hold Plotly's HTML.
    """
    edges, counts, colors = np.asarray(edges, float), np.asarray(counts, float), scheme(dark)
    drawn = number_histogram(edges, counts, intervals, step=step, dark=dark, height=HEIGHT, width=WIDTH)
    layout: Any = drawn.layout
    plot, sides = HEIGHT - layout.margin.t - layout.margin.b, layout.margin.l + layout.margin.r
    most, whole = float(counts.max(initial=1)), edges[-1] - edges[0]
    per_px = whole / (min(WIDTH, PHONE) - sides)  # where words are widest, in the column's units
    room, notes = ROW + 4, []
    if marked_text and intervals:
        low, high = max(intervals, key=lambda pair: pair[1] - pair[0])
        wide = max(map(text_width, marked_text)) * per_px
        # From the interval's outer end inwards: so the words stay in the figure at every width.
        right = low + high > edges[0] + edges[-1]
        first, last = (high - wide, high) if right else (low, low + wide)
        under = counts[(edges[1:] > first) & (edges[:-1] < last)]
        tall = ROW * len(marked_text) + 6
        under_px = float(under.max(initial=0)) / most * (plot - room)
        if under_px + tall > plot - room:
            room += tall
        up = float(under.max(initial=0)) / most * (plot - room) + 4
        text = "<br>".join([colored(escape(marked_text[0]), colors.sensitive), *map(escape, marked_text[1:])])
        side = {"xanchor": "right", "align": "right"} if right else {"xanchor": "left"}
        place = {"xref": "x", "yanchor": "bottom", "yshift": round(up, 1), "bgcolor": colors.page}
        font = {"size": TICK, "color": colors.ink2}
        notes.append(note(text, high if right else low, 0, font=font, **place, **side))
    top = most * plot / (plot - room)
    beyond = (edges[-1] - mean) / per_px > text_width(re.sub("<[^>]*>", "", mean_text)) + 10
    side = {"xanchor": "left", "xshift": 6} if beyond else {"xanchor": "right", "xshift": -6}
    font = {"size": TICK, "color": colors.ink}
    notes.append(note(mean_text, mean, 1, xref="x", yanchor="top", font=font, **side))
    drawn.add_trace(line("mean", [mean, mean], [0, top], colors.ink, 1.4))
    drawn.update_layout(annotations=notes, yaxis_range=[0, top])
    return drawn


@dataclass(frozen=True)
class Published:
    """One row: who is protected, by which mechanism, the estimate of one survey, its margin, and both in words."""

    label: str
    mechanism: str
    estimate: float
    margin: float
    text: str


def published_means(
    rows: Sequence[Published],
    truth: float,
    *,
    truth_label: str,
    truth_text: str,
    dark: bool = False,
    height: int = 176,
) -> go.Figure:
    """A mark with its interval in every row, its words above; below them the mean of the answers, dotted upwards."""
    colors = scheme(dark)
    names = [row.label for row in rows] + [truth_label]
    left = math.ceil(max(text_width(name, LABEL) for name in names)) + 12
    frame = Frame(340, height, left=left, right=16, top=4)
    reach = [truth] + [row.estimate + side * row.margin for row in rows for side in (-1, 1)]
    low, high = min(reach), max(reach)
    room = 0.08 * ((high - low) or 1.0)
    low, high = low - room, high + room
    per_px = (high - low) / frame.plot_width
    data: list[Trace] = [internal(line("truth", [truth, truth], [-0.6, len(rows)], colors.ink, 1, "3px,3px"))]
    notes: list[dict[str, Any]] = []
    for place, row in enumerate(rows):
        look = mark(row.mechanism)
        color = look.color(dark)
        ends = [row.estimate - row.margin, row.estimate + row.margin]
        hover = f"<b>{escape(row.mechanism)}</b><br>{escape(row.text)}"
        data.append(line(row.mechanism, ends, [place, place], color, 2.6, said=[hover, hover]))
        data.append(dots(f"{row.mechanism} estimate", [row.estimate], [place], marker(look, color, dark, 9), [hover]))
        half = text_width(row.text, LABEL) / 2 * per_px
        at = min(max(row.estimate, low + half), high - half)
        font = {"size": LABEL, "color": colors.ink}
        lift = {"xref": "x", "yref": "y", "xanchor": "center", "yanchor": "bottom", "yshift": 6, "bgcolor": colors.page}
        notes.append(note(f"<b>{escape(row.text)}</b>", at, place, font=font, **lift))
        glyph = colored(look.glyph, color)
        name = f"{escape(row.label)}<br>{glyph} {escape(row.mechanism)}"
        notes.append(_name(name, place, colors.ink, left))
    notes.append(internal(_name(escape(truth_label), len(rows), colors.ink, left)))
    there = dots("answers", [truth], [len(rows)], {"size": 6, "color": colors.ink}, [escape(truth_label)])
    data.append(internal(there))
    beyond = (high - truth) / per_px > text_width(re.sub("<[^>]*>", "", truth_text)) + 12
    side = {"xanchor": "left", "xshift": 8} if beyond else {"xanchor": "right", "xshift": -8}
    font = {"size": TICK, "color": colors.ink2}
    notes.append(internal(note(truth_text, truth, len(rows), xref="x", yref="y", font=font, **side)))
    # As many as stand side by side: Plotly turns what does not, over the edge of the figure.
    least = max(text_width(tick(v)) for v in linear_ticks(low, high, 5)) + 14
    ticks = linear_ticks(low, high, max(2, min(5, int((high - low) / per_px / least) + 1)))
    text = [tick(v) for v in ticks]
    xaxis = axis(dark, range=[low, high], tickvals=ticks, ticktext=text, showgrid=True, gridcolor=colors.grid)
    yaxis = {"range": [len(rows) + 0.4, -0.75], "visible": False, "fixedrange": True}
    return figure(data, frame, dark, xaxis=xaxis, yaxis=yaxis, annotations=notes)


def _name(text: str, place: int, color: str, left: int) -> dict[str, Any]:
    return note(text, 0, place, yref="y", xshift=-left, font={"size": LABEL, "color": color})


# people who choose ---------------------------------------------------------------------------------------------------


DASHES = ("1px,2.5px", "solid", "5px,3px")
"""Dashes of the grey lines, in their order."""


def personal_errors(
    table: pd.DataFrame,
    *,
    combined: tuple[str, str],
    at: float,
    dark: bool = False,
) -> go.Figure:
    """table [x, line, value]: a ratio near 1 against ε. The two `combined` lines have the colour of SDPM, others grey.

    The first of the two is solid and wide, the second dashed.
    """
    order = list(dict.fromkeys(table["line"]))
    grey = [name for name in order if name not in combined]
    values = numbers(table, "value")
    room = max(0.1 * float(values.max() - values.min()), 0.02)
    low, high = max(float(values.min()) - room, 0.0), float(values.max()) + 2 * room
    ticks = [v for v in linear_ticks(low, high, 5) if low <= v < high - room]
    scale = Scale(low, high, ticks, [f"{v:g}" for v in ticks])
    frame = Frame(400, 178, left=38, right=ends_margin(order, 60))
    colors, plum = scheme(dark), mark("SDPM").color(dark)
    data: list[Trace] = [*rule(at, low, high, dark)]
    ends = []
    for name in [*grey, *combined]:
        rows = table[table["line"] == name].sort_values("x")
        x, y = numbers(rows, "x"), numbers(rows, "value")
        first = name == combined[0]
        color = plum if name in combined else colors.ink3
        dash = DASHES[grey.index(name) % len(DASHES)] if name in grey else "solid" if first else "5px,3px"
        texts = [f"<b>{escape(name)}</b><br>ε = {tick(a)}: {b:.3f}" for a, b in zip(x, y, strict=True)]
        data.append(line(name, x, y, color, FOCUS_LINE if first else 1.6, dash, texts))
        px = scale.to_px(frame)(y)
        ends.append(
            End(name, float(px[-1]), color if name in combined else colors.ink2, "", first, float(px[-1] - px[-2]))
        )
    span = span_of(table, None)
    places = log_ticks(*span, 6)
    below = Scale(*span, places, [tick(v) for v in places], log=True)
    return curve_figure(data, ends, rule_note(at, span, "ε", True, frame, dark), below, scale, frame, dark)
