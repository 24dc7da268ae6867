"""How often an attribute is guessed from the messages: a row per method, a dot per run, the promise as a band."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ldpapp import words
from ldpapp.charts.palette import mark, scheme
from ldpapp.words.language import t

from .base import LABEL, TICK, Frame, Trace, axis, bars, dots, escape, figure, grid_axis, line, linear_ticks, note
from .labels import row_names, rows_margin, text_width

Span = tuple[float, float]
"""From what is guessed anyway to the most that ε allows, both of 100."""


def trace_leaks(
    rows: Sequence[tuple[str, NDArray[np.float64] | None]],
    *,
    blind: float,
    promised: float,
    epsilon: str,
    apart: Mapping[str, Span] | None = None,
    covered: Mapping[str, str] | None = None,
    dark: bool = False,
) -> go.Figure:
    """rows: (method, guessed right in each run, of 100; None where only its promise is known: the band alone).

    The band reaches from `blind` guessing to the most that ε allows, `promised`, both of 100. apart: methods with
    bounds of their own, since more is open: what that alone tells, and the most that ε allows beside it. covered: what
    of a method is, under its name.
    """
    names, colors = [name for name, _ in rows], scheme(dark)
    below = [(covered or {}).get(name, "") for name in names]
    left = max(rows_margin(names), *(math.ceil(text_width(text)) + 26 for text in below))
    frame = Frame(540, 60 * len(rows) + 48, left=left, right=38, top=22)
    spans = [(apart or {}).get(name, (blind, promised)) for name in names]
    seen = [*np.ravel(spans), *(v for _, rights in rows if rights is not None for v in rights)]
    low, high = max(0.0, min(seen) - 4), min(100.0, max(seen) + 4)
    data, notes = [], row_names(names, frame, dark)
    small = {"size": TICK, "color": colors.ink2}
    notes += [note(text, 0, 1 - (i + 0.5) / len(rows), xshift=17 - left, yshift=-15, font=small)
              for i, text in enumerate(below) if text]  # fmt: skip
    first = next((i for i, (_, rights) in enumerate(rows) if rights is not None), None)
    if first is not None:
        y = 1 - (first + 0.5) / len(rows)
        notes.append(note(t("mean"), 1, y, xshift=36, xanchor="right", yshift=16, font=small))
    for i, (name, rights) in enumerate(rows):
        color, y = mark(name).color(dark), 1 - (i + 0.5) / len(rows)
        if rights is None:
            most = words.of_100(promised / 100, most=True)
            text = t("<b>{name}</b><br>covered: at most {most} of 100", name=escape(name), most=most)
            data.append(
                bars(f"{name} promise", [promised - blind], [i], color, 0.16, text, base=blind, orientation="h")
            )
            data[-1]["opacity"] = 0.55
            notes.append(_value(f"≤ {most}", colors.ink2, y))
            continue
        values = rights
        spread = (np.arange(len(values)) * 0.618 % 1 - 0.5) * 0.5
        each = [
            t("<b>{name}</b><br>run {run}: {n} of 100", name=escape(name), run=r + 1, n=words.of_100(v / 100))
            for r, v in enumerate(values)
        ]
        data.append(dots(name, values, i + spread, {"size": 5, "color": color, "opacity": 0.6}, each))
        stroke = {"width": 2.4, "color": color}
        tick = {"symbol": "line-ns-open", "size": 15, "color": color, "line": stroke}
        mean = float(values.mean())
        text = t(
            "<b>{name}</b><br>mean {mean}, {low} to {high} of 100",
            name=escape(name),
            mean=words.of_100(mean / 100),
            low=words.of_100(float(values.min()) / 100),
            high=words.of_100(float(values.max()) / 100),
        )
        data.append(dots(f"{name} mean", [mean], [i], tick, [text]))
        notes.append(_value(words.of_100(mean / 100), colors.ink, y))
    allowed = t("ε = {eps} allows {n}", eps=epsilon, n=words.of_100(promised / 100, most=True))
    whole = ((blind, t("blind guess {n}", n=words.of_100(blind / 100)), "right"), (promised, allowed, "left"))
    if words.of_100(promised / 100) == words.of_100(blind / 100):  # at one place there is room for one text
        most = words.of_100(promised / 100, most=True)
        no_more = t("blind guess {n}, and ε = {eps} allows no more", n=words.of_100(blind / 100), eps=epsilon)
        if most != words.of_100(blind / 100):  # the number that stands in the headline
            no_more = t("blind guess {n}, ε = {eps} allows {most}", n=words.of_100(blind / 100), eps=epsilon, most=most)
        whole = ((promised, no_more, "left"),)
    near = promised - blind < 0.12 * (high - low)
    for value, text, side in whole if (blind, promised) in spans else ():
        x = (value - low) / (high - low)
        shift = (
            {"xanchor": side, "xshift": -3 if side == "right" else 3}
            if near or 0.15 < x < 0.6
            else {"xanchor": "center"}
        )
        font = {"size": TICK, "color": colors.ink if side == "left" else colors.ink2}
        notes.append(note(text, x, 1, yanchor="bottom", yshift=3, font=font, **shift))
    for i in (i for i, name in enumerate(names) if apart and name in apart and spans[i] not in spans[i - 1 : i]):
        x, text = (spans[i][1] - low) / (high - low), t("allows {n}", n=words.of_100(spans[i][1] / 100, most=True))
        font = {"size": TICK, "color": colors.ink}
        notes.append(note(text, x, 1 - i / len(rows), xanchor="right", xshift=-3, yanchor="top", font=font))
    ticks = linear_ticks(low, high, 6)
    shown = [f"{v:g}" for v in ticks]
    shown[-1:] = [t("{n} %", n=last) for last in shown[-1:]]
    xaxis = grid_axis(dark, range=[low, high], tickvals=ticks, ticktext=shown)
    yaxis = axis(dark, range=[len(rows) - 0.5, -0.5], visible=False)
    data = [*_bands(spans, dark), *data]
    return figure(data, frame, dark, xaxis=xaxis, yaxis=yaxis, annotations=notes, barmode="overlay")


def _bands(spans: Sequence[Span], dark: bool) -> list[Trace]:
    """Of every row, from what is known anyway to the most that ε allows."""
    colors, each = scheme(dark), range(len(spans))
    least, most = ([end for span in spans for end in (span[side], span[side], None)] for side in (0, 1))
    ends = [end for i in each for end in (i - 0.5, i + 0.5, None)]
    low, width = [span[0] for span in spans], [span[1] - span[0] for span in spans]
    band = bars("band", width, list(each), colors.floor, 1, "", base=low, orientation="h")
    return [
        band | {"hoverinfo": "skip", "hovertext": None},
        line("promise", most, ends, colors.ink, 1),
        line("blind", least, ends, colors.ink3, 1, "2px,2px"),
    ]


def _value(text: str, color: str, y: float) -> dict:
    return note(text, 1, y, xshift=8, font={"size": LABEL, "color": color})
