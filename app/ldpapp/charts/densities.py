"""Laws and distributions of numbers: one report under one input, and a recovered distribution on the true one."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from ldpapp import words
from ldpapp.charts.palette import mark, scheme
from ldpapp.words.language import t

from .base import Frame, Trace, axis, bars, dots, figure, grid_axis, line, linear_ticks, note, rgba, text_width

GAP, ROW = 5, 13
"""px between a text and the rule, and from one line of words to the next."""


def report_density(
    at: np.ndarray,
    height_of: np.ndarray,
    atoms: Sequence[tuple[float, float]],
    x: float,
    name: str,
    *,
    public: tuple[float, float],
    marked: Sequence[tuple[float, float]] = (),
    own: float | None = None,
    dark: bool = False,
    height: int = 176,
    width: int = 308,
) -> go.Figure:
    """The density (n,) of a report at `at` (n,), its atoms as stems with their chance, and the input as a rule.

    A stem's height is its chance, of the whole height: a chance is no density. `own` is the place of the stem that is
    the answer itself, disclosed. Words stand beside the rule, never across it.
    """
    colors, color = scheme(dark), mark(name).color(dark)
    top = float(height_of.max(initial=0)) * 1.25 or 1.0
    places = [place for place, _ in atoms]
    used = height_of > 0
    reach = [*public, *places, x, *((float(at[used][0]), float(at[used][-1])) if used.any() else ())]
    first, last = min(reach), max(reach)
    room = 0.03 * (last - first)
    first, last = first - room, last + room
    frame = Frame(width, height, left=10, right=10, top=18)
    data: list[Trace] = []
    for low, high in marked:
        data.append(line("sensitive", [low, high], [0, 0], colors.sensitive, 6))
    data.append(line("public range", list(public), [0, 0], colors.ink3, 2))
    if used.any():
        texts = [
            t("density {height} at {place}", height=f"{h:.3g}", place=f"{v:.4g}")
            for v, h in zip(at, height_of, strict=True)
        ]
        data.append(line(name, at, height_of, color, 1.6, said=texts, fill="tozeroy", fillcolor=rgba(color, 0.18)))
    stems, notes = _stems(atoms, own, x, (first, last), top, color, frame)
    data += stems
    data.append(line("input", [x, x], [0, top], colors.ink, 1))
    share = (x - first) / (last - first)
    side = {"xanchor": "right", "xshift": -5} if share > 0.6 else {"xanchor": "left", "xshift": 5}
    font = {"size": 11, "color": colors.ink}
    notes.append(
        note(t("input {x}", x=f"{x:.4g}".replace("-", "−")), x, 1, xref="x", yanchor="bottom", font=font, **side)
    )
    ticks = linear_ticks(first, last, 6)
    text = [words.count(t) if abs(t) >= 1000 else f"{t:g}".replace("-", "−") for t in ticks]
    xaxis = axis(dark, range=[first, last], tickvals=ticks, ticktext=text)
    yaxis = {"range": [0, top], "visible": False, "fixedrange": True}
    return figure(data, frame, dark, xaxis=xaxis, yaxis=yaxis, annotations=notes)


def _stems(
    atoms: Sequence[tuple[float, float]],
    own: float | None,
    x: float,
    span: tuple[float, float],
    top: float,
    color: str,
    frame: Frame,
) -> tuple[list[Trace], list[dict[str, Any]]]:
    """A stem for every atom, on the density's axis with its whole height for certainty; and its chance in words."""
    data: list[Trace] = []
    notes: list[dict[str, Any]] = []
    taken: list[tuple[float, float, float]] = []
    per_unit = frame.plot_width / (span[1] - span[0])
    for place, chance in atoms:
        disclosed, peak = place == own, chance * top * 0.86
        holes = {"chance": words.chance_of_100(chance), "place": f"{place:.4g}"}
        hover = t("{chance} send exactly {place}", **holes)
        if disclosed:
            hover = t("{chance} send the answer, as {place}", **holes)
        data.append(line("atom", [place, place], [0, peak], color, 2.4))
        data.append(dots("chance", [place], [peak], {"size": 7, "color": color}, [hover]))
        text = f"{words.of_100(chance)}&nbsp;%"
        text = t("{chance}&nbsp;disclosed", chance=text) if disclosed else text
        wide, at = text_width(text.replace("&nbsp;", " ")), (place - span[0]) * per_unit
        start, up = _clear(at, wide, (x - span[0]) * per_unit, frame), peak / top * frame.plot_height + 4
        # Above the words that stand there already.
        for left, right, level in sorted(taken, key=lambda box: box[2]):
            if start < right + GAP and left < start + wide + GAP and abs(up - level) < ROW:
                up = level + ROW
        taken.append((start, start + wide, up))
        shift = {"xanchor": "left", "xshift": round(start - at, 1), "yanchor": "bottom", "yshift": round(up, 1)}
        notes.append(note(text, place, 0, xref="x", yref="y", **shift))
    return data, notes


def _clear(at: float, width: float, rule: float, frame: Frame) -> float:
    """Where a text over a stem begins, in px from the plot's left: within the figure, clear of the rule."""
    first, last = -float(frame.left), frame.plot_width + frame.right - width
    start = min(max(at - width / 2, first), last)
    if not start - GAP < rule < start + width + GAP:
        return start
    left, right = rule - GAP - width, rule + GAP
    return right if left < first or (at >= rule and right <= last) else left


def recovered(
    edges: np.ndarray,
    true: np.ndarray,
    found: Mapping[str, np.ndarray],
    name: str,
    *,
    marked: Sequence[tuple[float, float]] = (),
    dark: bool = False,
    height: int = 216,
) -> go.Figure:
    """True shares (b,) as bars between edges (b + 1,), recovered ones as lines: "em" dashed, "mle" solid and thin."""
    colors, color = scheme(dark), mark(name).color(dark)
    middle = (edges[:-1] + edges[1:]) / 2
    inside = np.any([(middle > low) & (middle < high) for low, high in marked] or [middle < -np.inf], axis=0)
    width_of = np.diff(edges)
    data: list[Trace] = []
    for label, part, shade in (("other", ~inside, colors.other), ("sensitive", inside, colors.sensitive)):
        texts = [t("{low} to {high}: {share}", low=f"{a:.4g}", high=f"{b:.4g}", share=words.share(s)) for a, b, s in
                zip(edges[:-1][part], edges[1:][part], true[part], strict=True)]  # fmt: skip
        data.append(bars(label, middle[part], 100 * true[part], rgba(shade, 0.55), width_of[part], texts))
    top = 100 * float(max(true.max(initial=0), *(np.percentile(f, 98) for f in found.values()), 1e-6)) * 1.2
    looks = {"em": (t("the paper’s stop"), 2.2, "4px,2px"), "mle": (t("maximum likelihood"), 1.3, "solid")}
    notes = []
    for place, (how, shares) in enumerate(found.items()):
        label, weight, dash = looks[how]
        shade = color if how == "em" else colors.ink
        data.append(line(label, middle, np.minimum(100 * shares, top), shade, weight, dash, line_shape="hvh"))
        font = {"size": 11, "color": shade}
        text = f"{'╌╌' if how == 'em' else '──'} {label}"
        notes.append(note(text, 1, 1, xanchor="right", yanchor="top", yshift=-14 * place, font=font))
    ticks = linear_ticks(0, top, 5)
    text = [f"{t:g}" for t in ticks]
    left = max(28, math.ceil(max(map(text_width, text))) + 12)
    frame = Frame(308, height, left=left, right=8)
    x_ticks = linear_ticks(float(edges[0]), float(edges[-1]), 6)
    shown = [words.count(t) if abs(t) >= 1000 else f"{t:g}".replace("-", "−") for t in x_ticks]
    xaxis = axis(dark, range=[edges[0], edges[-1]], tickvals=x_ticks, ticktext=shown)
    yaxis = grid_axis(dark, range=[0, top], tickvals=ticks, ticktext=text, ticklabelstandoff=6)
    return figure(data, frame, dark, xaxis=xaxis, yaxis=yaxis, annotations=notes, barmode="overlay")
