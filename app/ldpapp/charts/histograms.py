"""How common each answer is: bars for values, bars for numbers, what is marked in vermilion."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ldpapp import words
from ldpapp.charts.palette import scheme
from ldpapp.words.language import t

from .base import Frame, Trace, axis, bars, colored, escape, figure, grid_axis, linear_ticks, roomy, text_width
from .lines import tick

Floats = NDArray[Any]

Parts = tuple[NDArray[np.bool_], NDArray[np.bool_]]
THIN_BARS = 40
"""From here on bars stand without names; the names come on hover."""


def histogram(
    labels: Sequence[str],
    shares: Floats,
    sensitive: NDArray[np.bool_],
    *,
    secret: NDArray[np.bool_] | None = None,
    dark: bool = False,
    height: int = 168,
    width: int = 434,
) -> go.Figure:
    """Bars of shares (k,) between 0 and 1, in percent, the sensitive (k,) ones vermilion, with their values written.
    Where some of these are secret (k,), only those are filled, the others outlined.

    Names stand upright where they fit, else at 50°; above 40 values there are none.
    """
    percent, marked = np.asarray(shares, float) * 100, np.asarray(sensitive, bool)
    rim = private(marked, secret)
    names = [escape(t) for t in labels]
    many = len(names) > THIN_BARS
    short = [words.shorten(str(t), 16) for t in labels]
    slot = (width - 42) / max(len(names), 1)
    widest = max(map(text_width, short), default=0)
    turned = not many and widest + 6 > slot
    bottom = 10 if many else 12 + math.ceil(min(widest, 100) * math.sin(math.radians(50)) + 8) if turned else 24
    most = np.zeros(len(names), bool) if secret is None else np.asarray(secret, bool)
    frame = Frame(width, height, left=34, right=8, bottom=bottom)
    valued = not many and slot >= 21
    top = float(percent.max(initial=0.1)) * (1 + (18 if valued else 4) / frame.plot_height)
    xaxis = axis(dark, range=[-0.6, len(names) - 0.4], showline=many, ticks="", showticklabels=False)
    if not many:
        xaxis |= {"showticklabels": True, "ticklabelstandoff": 3} | _named(
            short, percent, (marked, most), slot, turned, dark
        )
    ticks = linear_ticks(0, top, max(3, frame.plot_height // 18))
    yaxis = grid_axis(dark, range=[0, top], tickvals=ticks, ticklabelstandoff=6)
    data = _bars(names, percent, (marked, rim), valued, 1.0 if many else 0.8, dark)
    return figure(data, frame, dark, xaxis=xaxis, yaxis=yaxis, barmode="overlay")


def _named(short: list[str], percent: Floats, parts: Parts, slot: float, turned: bool, dark: bool) -> dict[str, Any]:
    """The names under the bars; where turned ones would touch, the marked ones first, then the largest. parts: which
    are marked, and which of these are secret, in bold.
    """
    colors, (marked, most) = scheme(dark), parts
    least = 11.5 / math.sin(math.radians(50)) if turned else 0
    chosen = roomy(np.lexsort((-percent, ~marked)), slot, least)
    shown = [f"<b>{escape(short[i])}</b>" if most[i] else escape(short[i]) for i in chosen]
    text = [
        colored(name, colors.sensitive if marked[i] else colors.ink2) for name, i in zip(shown, chosen, strict=True)
    ]
    return {"tickangle": -50 if turned else 0, "tickvals": chosen, "ticktext": text}


def _bars(
    names: list[str],
    percent: Floats,
    parts: Parts,
    valued: bool,
    width: float,
    dark: bool,
) -> list[Trace]:
    """parts: which are marked, and which of these are only outlined."""
    colors, places, (marked, rim) = scheme(dark), np.arange(len(names)), parts
    traces: list[Trace] = []
    for name, color, ink, part in (
        ("other", colors.other, colors.ink2, ~marked),
        ("sensitive", colors.sensitive, colors.sensitive, marked & ~rim),
        ("private", colors.page, colors.sensitive, rim),
    ):
        if name == "private" and not part.any():
            continue
        texts = [f"<b>{names[i]}</b><br>{words.share(float(percent[i]) / 100)}" for i in places[part]]
        bar = bars(name, places[part], percent[part], color, width, texts)
        if name == "private":
            bar = outlined(bar, dark)
        if valued:
            text = [words.share(v / 100).removesuffix("\u00a0%") for v in percent[part]]
            font = {"size": 10, "color": ink}
            bar |= {"text": text, "textposition": "outside", "textfont": font, "cliponaxis": False, "textangle": 0}
            bar["constraintext"] = "none"
        traces.append(bar)
    return traces


def private(marked: NDArray[np.bool_], secret: NDArray[np.bool_] | None) -> NDArray[np.bool_]:
    """Which are marked and not secret, where any is secret; none with two levels."""
    most = np.zeros(len(marked), bool) if secret is None else np.asarray(secret, bool)
    return marked & ~most if most.any() else np.zeros(len(marked), bool)


def outlined(bar: Trace, dark: bool) -> Trace:
    """A bar of the page's colour in a vermilion rim: private, where filled ones are secret."""
    rim = {"color": scheme(dark).sensitive, "width": 1.4}
    return bar | {"marker": {"color": scheme(dark).page, "line": rim}}


def _inside(middle: Floats, intervals: Sequence[tuple[float, float]]) -> NDArray[np.bool_]:
    inside = np.zeros(len(middle), bool)
    for low, high in intervals:
        inside |= (middle > low) & (middle < high)
    return inside


def _held(low: float, high: float, people: float) -> str:
    """What a bar holds, and how many people."""
    first, last = (f"{end:g}".replace("-", "−") for end in (low, high))
    if first == last:
        return t("<b>{low}</b><br>{n} people", low=first, n=words.count(people))
    return t("<b>{low} to {high}</b><br>{n} people", low=first, high=last, n=words.count(people))


def number_histogram(
    edges: Floats,
    counts: Floats,
    intervals: Sequence[tuple[float, float]] = (),
    *,
    secret: Sequence[tuple[float, float]] = (),
    step: float = 0.0,
    dark: bool = False,
    height: int = 168,
    width: int = 434,
) -> go.Figure:
    """Bars of counts (b,) between edges (b + 1,); what lies in one of the marked intervals is vermilion. Where some of
    these are secret, only those are filled. step: of the recorded scale, where edges lie between its numbers: a bar is
    then called by those that it holds.

    A bar that an interval covers in part is split there. Dragging along x brushes an interval.
    """
    edges, counts = np.asarray(edges, float), np.asarray(counts, float)
    ends = [float(v) for pair in (*intervals, *secret) for v in pair if edges[0] < v < edges[-1]]
    cuts = np.unique(np.r_[edges, ends])
    middle = (cuts[:-1] + cuts[1:]) / 2
    # A part of a bar keeps the bar's height: heights are counts per bar, not densities.
    bins = np.clip(np.searchsorted(edges, middle, side="right") - 1, 0, len(counts) - 1)
    inside, most = _inside(middle, intervals), _inside(middle, secret)
    rim = private(inside, most)
    colors = scheme(dark)
    data: list[Trace] = []
    for name, color, part in (
        ("other", colors.other, ~inside),
        ("sensitive", colors.sensitive, inside & ~rim),
        *((("private", colors.page, rim),) if rim.any() else ()),
    ):
        texts = [_held(edges[i] + step / 2, edges[i + 1] - step / 2, float(counts[i])) for i in bins[part]]
        bar = bars(name, middle[part], counts[bins[part]], color, np.diff(cuts)[part], texts)
        if name == "private":
            data.append(outlined(bar, dark))
            continue
        # A rim of the page's colour keeps neighbours apart at every width.
        rim = {"width": 0.6 if len(counts) <= 80 else 0, "color": colors.page}
        dim = {"unselected": {"marker": {"opacity": 1}}, "selected": {"marker": {"opacity": 1}}}
        data.append(bar | {"marker": {"color": color, "line": rim}} | dim)
    top = float(counts.max(initial=1)) * 1.06
    ticks = linear_ticks(0, top, max(3, (height - 32) // 34))
    text = [words.count(v) for v in ticks]
    frame = Frame(width, height, left=min(58, max(34, math.ceil(max(map(text_width, text))) + 12)), right=12)
    x_ticks = linear_ticks(float(edges[0]), float(edges[-1]), 7)
    xaxis = axis(
        dark, range=[edges[0], edges[-1]], tickvals=x_ticks, ticktext=[tick(v) for v in x_ticks], fixedrange=False
    )
    yaxis = grid_axis(dark, range=[0, top], tickvals=ticks, ticktext=text, ticklabelstandoff=6)
    line = {"color": colors.sensitive, "width": 1, "dash": "solid"}
    drag = {"dragmode": "select", "selectdirection": "h", "newselection": {"line": line}}
    return figure(data, frame, dark, xaxis=xaxis, yaxis=yaxis, barmode="overlay", bargap=0, **drag)
