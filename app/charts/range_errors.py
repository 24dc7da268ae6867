"""Ranges: the histogram with a chosen range, what is published of it, the error of every range, averages, indices."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

import words
from palette import FOCUS_LINE, mark, scheme

from .base import (
    LABEL,
    TICK,
    Frame,
    Trace,
    axis,
    bars,
    by_mechanism,
    colored,
    dots,
    escape,
    figure,
    grid_axis,
    line,
    linear_ticks,
    log_ticks,
    note,
    numbers,
    roomy,
    text_width,
)
from .labels import End, end_labels, ends_margin
from .lines import marker

Floats = NDArray[np.float64]
_HUES = {
    False: ((0.0, "#F1F4FE"), (0.35, "#B7C4F4"), (0.65, "#6382E2"), (0.85, "#1F44C1"), (1.0, "#0F1D5C")),
    True: ((0.0, "#1B1F2C"), (0.35, "#2B3A72"), (0.65, "#5470C4"), (0.85, "#97B3FF"), (1.0, "#EEF3FF")),
}
"""One hue from small to large errors."""


def _cells_text(names: tuple[str, str], at: float, dark: bool) -> str:
    return f"<b>{escape(names[0] if names[0] == names[1] else ' to '.join(names))}</b><br>{words.count(at)} people"


def range_histogram(
    counts: Floats,
    firsts: Sequence[str],
    lasts: Sequence[str],
    chosen: tuple[int, int],
    *,
    ticks: Sequence[tuple[float, str]] = (),
    dark: bool = False,
    height: int = 150,
    width: int = 468,
) -> go.Figure:
    """Bars of counts (k,) over cells named from `firsts` to `lasts`; cells l to r (1-based) in ink. Dragging brushes.

    `ticks` are (place, text) with cell i from i to i + 1; without them the names of the cells that fit are written.
    """
    colors, k = scheme(dark), len(counts)
    top = float(np.max(counts, initial=1)) * 1.06
    y_ticks = linear_ticks(0, top, max(3, (height - 32) // 34))
    text = [words.count(v) for v in y_ticks]
    frame = Frame(width, height, left=min(58, max(34, math.ceil(max(map(text_width, text))) + 12)), right=14)
    inside = np.zeros(k, bool)
    inside[chosen[0] - 1 : chosen[1]] = True
    rim = {"width": 0.6 if k <= 110 else 0, "color": colors.page}
    dim = {"unselected": {"marker": {"opacity": 1}}, "selected": {"marker": {"opacity": 1}}}
    data: list[Trace] = []
    for name, color, part in (("other", colors.other, ~inside), ("chosen", colors.ink, inside)):
        said = [_cells_text((firsts[i], lasts[i]), float(counts[i]), dark) for i in np.flatnonzero(part).tolist()]
        bar = bars(name, np.flatnonzero(part) + 0.5, counts[part], color, 1, said)
        data.append(bar | {"marker": {"color": color, "line": rim}} | dim)
    ticks = ticks or _named_cells(firsts, chosen, frame)
    # A box starts where nothing is drawn, too: the whole height is ground to drag on.
    xaxis = axis(
        dark,
        range=[0, k],
        tickangle=0,
        tickvals=[t for t, _ in ticks],
        ticktext=[escape(t) for _, t in ticks],
        fixedrange=False,
    )
    yaxis = grid_axis(dark, range=[0, top], tickvals=y_ticks, ticktext=text, ticklabelstandoff=6)
    drag = {"dragmode": "select", "selectdirection": "h", "newselection": {"line": {"color": colors.ink, "width": 1}}}
    # Behind the bars: the chosen cells are seen where they are nearly empty, too.
    band = {"type": "rect", "xref": "x", "yref": "paper", "x0": chosen[0] - 1, "x1": chosen[1], "y0": 0, "y1": 1}
    band |= {"layer": "below", "line": {"width": 0}, "fillcolor": colors.floor}
    return figure(data, frame, dark, xaxis=xaxis, yaxis=yaxis, barmode="overlay", bargap=0, shapes=[band], **drag)


def _named_cells(names: Sequence[str], chosen: tuple[int, int], frame: Frame) -> list[tuple[float, str]]:
    """The ends of the chosen range first, then what fits beside them."""
    pitch = frame.plot_width / len(names)
    short = [words.shorten(name, 14) for name in names]
    widest = max(map(text_width, short))
    wanted = [chosen[0] - 1, chosen[1] - 1, 0, len(names) - 1, *range(len(names))]
    # Texts are centred: at the very ends they would leave the figure.
    fits = [i for i in wanted if text_width(short[i]) / 2 <= min(i + 0.5, len(names) - i - 0.5) * pitch + frame.right]
    return [(i + 0.5, short[i]) for i in roomy(fits, pitch, widest + 8)]


def range_releases(
    rows: pd.DataFrame, truth: float, *, dark: bool = False, row: int = 22, width: int = 468
) -> go.Figure:
    """What each strategy publishes of one range: rows [mechanism, value, error, half]; the truth is a rule."""
    colors = scheme(dark)
    names = list(rows["mechanism"])
    value, error, half = (numbers(rows, name) for name in ("value", "error", "half"))
    label = [f"{words.count(v)} ±{words.decimals(e).lstrip('±')}" for v, e in zip(value, error, strict=True)]
    left = math.ceil(max(text_width(name, LABEL) for name in names)) + 24
    right = math.ceil(max(text_width(text, LABEL) for text in label)) + 16
    frame = Frame(width, row * len(names) + 16 + 22, left=left, right=right, top=16, bottom=22)
    reach = max(float(np.max(np.abs(value - truth) + half)), 1e-9) * 1.04
    low, high = truth - reach, truth + reach
    ticks = linear_ticks(low, high, max(2, frame.plot_width // 62))
    places = np.arange(len(names))[::-1]
    data = [line("truth", [truth, truth], [-0.5, len(names) - 0.5], colors.ink)]
    notes = [
        note(f"true {words.count(truth)}", truth, 1, xref="x", xanchor="center", yanchor="bottom",
             font={"size": TICK, "color": colors.ink}, name="truth")
    ]  # fmt: skip
    for name, at, v, reach_, text in zip(names, places, value, half, label, strict=True):
        look = mark(name)
        color = look.color(dark)
        said = f"<b>{escape(name)}</b><br>published {words.count(v)}<br>±{words.decimals(reach_)} with 95 %"
        data.append(line(f"{name} interval", [v - reach_, v + reach_], [at, at], color, 1.6))
        data.append(dots(name, [v], [at], marker(look, color, dark), [said]))
        y = (at + 0.5) / len(names)
        notes.append(note(look.glyph, 0, y, xanchor="center", xshift=8 - left, font={"size": LABEL, "color": color}))
        notes.append(note(escape(name), 0, y, xshift=18 - left, font={"size": LABEL, "color": colors.ink}))
        notes.append(note(text, 1, y, xshift=right, xanchor="right", font={"size": LABEL, "color": colors.ink}))
    xaxis = grid_axis(dark, range=[low, high], tickangle=0, tickvals=ticks, ticktext=[_whole(t) for t in ticks])
    yaxis = axis(dark, range=[-0.5, len(names) - 0.5], visible=False)
    return figure(data, frame, dark, xaxis=xaxis, yaxis=yaxis, annotations=notes)


def _whole(value: float) -> str:
    return words.count(value) if float(value).is_integer() else f"{value:g}".replace("-", words.MINUS)


def error_maps(
    maps: Mapping[str, Floats],
    firsts: Sequence[str],
    lasts: Sequence[str],
    *,
    chosen: tuple[int, int],
    said: Mapping[str, str],
    ticks: Sequence[tuple[int, str]],
    dark: bool = False,
    height: int = 262,
    width: int = 448,
) -> go.Figure:
    """The standard error of every range from a cell (across) to a cell (up), side by side on one scale.

    maps: name → (k, k) with NaN where a range would end before it begins, rows = last cell. `chosen` are 0-based places
    in the map; `said` the line under each name, in the empty corner; `ticks` (place, text).
    """
    colors, count = scheme(dark), len(maps)
    top = max(float(np.nanmax(z)) for z in maps.values())
    scale = [[at, hue] for at, hue in _HUES[dark]]
    left = min(64, max(30, math.ceil(max((text_width(t) for _, t in ticks), default=0)) + 10))
    frame = Frame(width, height, left=left, right=6, top=6, bottom=22)
    gap = 0.05
    part = (1 - gap * (count - 1)) / count
    data: list[Trace] = []
    notes: list[dict[str, Any]] = []
    layout: dict[str, Any] = {}
    size = len(firsts)
    # As categories, the names stand in the hover text without a text for each of thousands of ranges.
    x, y = [escape(name) for name in firsts], [escape(name) for name in lasts]
    for i, (name, z) in enumerate(maps.items()):
        suffix = "" if i == 0 else str(i + 1)
        look = mark(name)
        data.append(
            {
                "type": "heatmap",
                "name": name,
                "x": x,
                "y": y,
                "z": np.asarray(z, np.float32),
                "zmin": 0,
                "zmax": top,
                "colorscale": scale,
                "showscale": False,
                "hoverongaps": False,
                "xaxis": f"x{suffix}",
                "yaxis": f"y{suffix}",
                "hovertemplate": "<b>%{x} to %{y}</b>: ±%{z:,.3~r} people<extra></extra>",
            }
        )
        first, last = chosen
        ring = {"symbol": "circle-open", "size": 11, "color": colors.page, "line": {"width": 4, "color": colors.page}}
        inner = ring | {"color": colors.ink, "line": {"width": 1.6, "color": colors.ink}}
        text = f"<b>{escape(name)}</b><br>{escape(firsts[first])} to {escape(lasts[last])}: "
        text += f"±{words.decimals(float(z[last, first]))} people"
        for look_ in (ring, inner):
            on = {"xaxis": f"x{suffix}", "yaxis": f"y{suffix}", "cliponaxis": False}
            data.append(dots("chosen", [x[first]], [y[last]], look_, [text], **on))
        start = i * (part + gap)
        corner = {"xanchor": "right", "yanchor": "bottom", "align": "right"}
        head = f"{colored(look.glyph, look.color(dark))} <b>{escape(name)}</b>"
        notes.append(note(head, start + part, 0, yshift=24, font={"size": LABEL, "color": colors.ink}, **corner))
        notes.append(note(said[name], start + part, 0, yshift=7, font={"size": TICK, "color": colors.ink2}, **corner))
        ends = {
            "type": "category",
            "tickangle": 0,
            "range": [-0.5, size - 0.5],
            "ticktext": [escape(t) for _, t in ticks],
        }
        across = ends | {
            "domain": [start, start + part],
            "anchor": f"y{suffix}",
            "tickvals": [x[at] for at, _ in ticks],
        }
        up = ends | {"anchor": f"x{suffix}", "tickvals": [y[at] for at, _ in ticks], "showticklabels": i == 0}
        layout[f"xaxis{suffix}"] = axis(dark, **across)
        layout[f"yaxis{suffix}"] = axis(dark, **(up | {"ticks": "outside" if i == 0 else ""}))
    return figure(data, frame, dark, annotations=notes, **layout)


def map_scale(dark: bool) -> str:
    """The colours of the maps from 0 to their largest error, as a CSS gradient."""
    return f"linear-gradient(90deg,{','.join(f'{hue} {at:.0%}' for at, hue in _HUES[dark])})"


def average_errors(
    table: pd.DataFrame,
    *,
    focus: str,
    at: float,
    crossings: Mapping[str, float] | None = None,
    flat: str = "Flat",
    dark: bool = False,
    height: int = 196,
    width: int = 470,
) -> go.Figure:
    """The typical error over all ranges against N: table [mechanism, x, value], x = N, on log axes.

    crossings: mechanism → the N from which it is more exact than `flat`: a ring there.
    """
    colors = scheme(dark)
    order = list(dict.fromkeys(table["mechanism"]))
    values = numbers(table, "value")
    low, high = float(values.min()) / 1.25, float(values.max()) * 1.5
    ticks = log_ticks(low, high, max(3, (height - 34) // 24))
    text = [_plain(v) for v in ticks]
    right = ends_margin(order, 60)
    frame = Frame(width, height, left=max(34, math.ceil(max(map(text_width, text))) + 12), right=right)
    span = [float(v) for v in (numbers(table, "x").min(), numbers(table, "x").max())]

    def to_px(value: Any) -> Any:
        return np.log(np.clip(value, low, high) / low) / math.log(high / low) * frame.plot_height

    said = lambda name, x, y: f"<b>{escape(name)}</b><br>N = {words.count(x)}: ±{words.decimals(y)} people"  # noqa: E731
    data = [line("rule", [at, at], [low, high], colors.ink), *_lines(table, order, focus, dark, said)]
    turns, before = [], 0.0
    for name, n in sorted((crossings or {}).items(), key=lambda pair: pair[1]):
        own = by_mechanism(table, flat, "x")
        if name not in order or not span[0] < n <= span[1]:
            continue
        y = float(np.interp(math.log(n), np.log(numbers(own, "x")), numbers(own, "value")))
        ring = {"symbol": "circle-open", "size": 9, "color": colors.ink, "line": {"width": 1.4, "color": colors.ink}}
        tip = f"<b>{escape(name)}</b><br>more exact than {escape(flat.lower())} from N = {words.count(n)} on"
        data.append(dots(f"{name} overtakes", [n], [y], ring, [tip]))
        part, font = math.log(n / span[0]) / math.log(span[1] / span[0]), {"size": TICK, "color": colors.ink}
        # Two rings close together: the second one's number stands on the other side of the lines.
        above = n <= 3 * before
        place = {"xanchor": "right", "yanchor": "bottom", "xshift": -5, "yshift": 2}
        place = place if above else {"xanchor": "left", "yanchor": "top", "xshift": 5, "yshift": -3}
        if part > 0.88:  # right of it stand the names
            place = {"xanchor": "center", "yanchor": "top", "xshift": 0, "yshift": -8}
        before = n
        turns.append(note(words.count(n), part, float(to_px(y)) / frame.plot_height, font=font, **place))
    found, shapes = end_labels(_ends(table, order, focus, dark, to_px), frame, dark)
    x_ticks = [8.0**p for p in range(16) if span[0] <= 8.0**p <= span[1] * 1.001]
    xaxis = axis(dark, type="log", range=[math.log10(v) for v in span], tickangle=0, tickvals=x_ticks,
                 ticktext=[words.count(v) for v in x_ticks])  # fmt: skip
    yaxis = grid_axis(dark, type="log", range=[math.log10(low), math.log10(high)], tickvals=ticks, ticktext=text,
                      ticklabelstandoff=6)  # fmt: skip
    part = math.log(at / span[0]) / math.log(span[1] / span[0])
    found += [_rule_words(f"N = {words.count(at)}", part, dark), *turns]
    return figure(data, frame, dark, xaxis=xaxis, yaxis=yaxis, annotations=found, shapes=shapes)


def accuracy_indices(
    table: pd.DataFrame,
    limits: Mapping[str, float],
    *,
    focus: str,
    at: float,
    dark: bool = False,
    height: int = 196,
    width: int = 470,
) -> go.Figure:
    """The accuracy index against h = log₂ N: table [mechanism, x, value]; the limits are dotted."""
    colors = scheme(dark)
    order = list(dict.fromkeys(table["mechanism"]))
    high = max(float(numbers(table, "value").max()), *limits.values(), 1.0) * 1.3
    ticks = linear_ticks(0, high, max(4, (height - 34) // 28))
    names = {name: f"{name} → {limits[name]:.3g}" if name in limits else name for name in order}
    frame = Frame(width, height, left=30, right=ends_margin(names.values(), 60))
    span = [float(v) for v in (numbers(table, "x").min(), numbers(table, "x").max())]

    def to_px(value: Any) -> Any:
        return np.clip(value, 0, high) / high * frame.plot_height

    said = lambda name, x, y: f"<b>{escape(name)}</b><br>N = 2^{x:g}: index {words.decimals(y)}"  # noqa: E731
    data: list[Trace] = []
    for limit in sorted(set(limits.values())):
        owner = next(name for name in order if limits.get(name) == limit)
        data.append(line(f"limit {limit:g}", span, [limit, limit], mark(owner).color(dark), 1, "1px,2.5px"))
    data += [line("rule", [at, at], [0, high], colors.ink), *_lines(table, order, focus, dark, said)]
    ends = [
        End(names[end.text], float(to_px(limits.get(end.text, 0.0))) if end.text in limits else end.y,
            end.color, end.glyph, end.bold, end.slope)
        for end in _ends(table, order, focus, dark, to_px)
    ]  # fmt: skip
    found, shapes = end_labels(ends, frame, dark)
    x_ticks = [v for v in (1, 5, 10, 15, 20, 30, 40, 50) if span[0] <= v <= span[1]]
    xaxis = axis(dark, range=span, tickangle=0, tickvals=x_ticks, ticktext=[f"2<sup>{v}</sup>" for v in x_ticks])
    yaxis = grid_axis(dark, range=[0, high], tickvals=ticks, ticktext=[f"{v:g}" for v in ticks], ticklabelstandoff=6)
    part = (at - span[0]) / (span[1] - span[0])
    found.append(_rule_words(f"N = {words.count(2**at)}", part, dark))
    return figure(data, frame, dark, xaxis=xaxis, yaxis=yaxis, annotations=found, shapes=shapes)


def experiment_ratios(
    table: pd.DataFrame, *, focus: str, dark: bool = False, height: int = 190, width: int = 440
) -> go.Figure:
    """Experiment over theory for each range, with its interval: table [length, value, low, high, inside, name]."""
    colors, look = scheme(dark), mark(focus)
    color = look.color(dark)
    table = cast(pd.DataFrame, table.sort_values("length"))
    length, value, low, high = (numbers(table, name) for name in ("length", "value", "low", "high"))
    edge = max(0.25, float(np.max(high)) - 1, 1 - float(np.min(low))) * 1.06
    frame = Frame(width, height, left=38, right=10)
    x = np.arange(len(length)) + 0.5
    said = [
        f"<b>{escape(name)}</b><br>{v:.2f} times theory<br>95 %: {a:.2f} to {b:.2f}"
        for name, v, a, b in zip(table["name"], value, low, high, strict=True)
    ]
    bar = {"type": "data", "symmetric": False, "array": high - value, "arrayminus": value - low}
    bars_ = {"error_y": bar | {"color": color, "thickness": 1, "width": 0}}
    data = [
        line("theory", [0, len(x)], [1, 1], colors.ink),
        dots("experiment", x, value, marker(look, color, dark, 5), said, **bars_),
    ]
    ticks = linear_ticks(max(0.0, 1 - edge), 1 + edge, 5)
    yaxis = grid_axis(dark, range=[max(0.0, 1 - edge), 1 + edge], tickvals=ticks, ticktext=[f"{v:g}" for v in ticks],
                      ticklabelstandoff=6)  # fmt: skip
    at = [0, len(x) // 4, len(x) // 2, 3 * len(x) // 4, len(x) - 1]
    xaxis = axis(dark, range=[0, len(x)], tickvals=[x[i] for i in at], ticktext=[words.count(length[i]) for i in at])
    return figure(data, frame, dark, xaxis=xaxis, yaxis=yaxis)


# Pieces


def _plain(value: float) -> str:
    return words.count(value) if value >= 1 else f"{value:g}"


def _rule_words(text: str, part: float, dark: bool) -> dict[str, Any]:
    left = part > 0.8
    font = {"size": TICK, "color": scheme(dark).ink}
    return note(
        text,
        part,
        1,
        yanchor="top",
        xshift=-5 if left else 5,
        xanchor="right" if left else "left",
        font=font,
        name="at",
    )


def _lines(table: pd.DataFrame, order: Sequence[str], focus: str, dark: bool, said: Any) -> list[Trace]:
    data = []
    for name in [*(n for n in order if n != focus), *(n for n in order if n == focus)]:
        part, look = by_mechanism(table, name, "x"), mark(name)
        x, y = numbers(part, "x"), numbers(part, "value")
        texts = [said(name, a, b) for a, b in zip(x, y, strict=True)]
        data.append(line(name, x, y, look.color(dark), FOCUS_LINE if name == focus else look.width, look.dash, texts))
    return data


def _ends(table: pd.DataFrame, order: Sequence[str], focus: str, dark: bool, to_px: Any) -> list[End]:
    ends = []
    for name in order:
        y = np.atleast_1d(to_px(numbers(by_mechanism(table, name, "x"), "value")))
        look = mark(name)
        slope = float(y[-1] - y[max(0, len(y) - 3)])
        ends.append(End(name, float(y[-1]), look.color(dark), look.glyph, name == focus, slope))
    return ends
