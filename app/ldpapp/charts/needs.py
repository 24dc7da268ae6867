"""People that the questions of a survey need at each ε: the worst question's line thick, the others thin."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ldpapp import words
from ldpapp.charts.palette import FOCUS_LINE, mark, scheme
from ldpapp.words.language import t

from .base import TICK, Trace, by_mechanism, colored, dots, escape, line, log_ticks, note, numbers
from .curves import curve_frame, error_range, span_of, x_scale
from .lines import hover, last, tick
from .remarks import rule_note
from .scales import Scale, curve_figure

THIN, ROW = 1.1, 15
"""px of the other lines, and of a second row of ticks."""


def needs(
    curves: pd.DataFrame,
    *,
    worst: str,
    people: float,
    enough: Mapping[str, float],
    key: str,
    apart: Callable[[float], str] | None = None,
    dark: bool = False,
    height: int = 176,
    width: int = 300,
) -> go.Figure:
    """curves [mechanism, x, value]: question, ε and people, both axes log. people: who answer, a line across. enough:
    question → the ε at which these are enough, a dot on that line. key: the mechanism whose colour all have. apart: ε →
    what stands below its tick.
    """
    color, colors = mark(key).color(dark), scheme(dark)
    there = pd.DataFrame({"value": [people]})
    low, high = error_range([curves, there], height)
    ticks = log_ticks(low, high, 4, ((1,), (1, 3), (1, 2, 5)))
    scale = Scale(low, high, ticks, [tick(v) for v in ticks], log=True)
    at = enough.get(worst)
    span = span_of(curves, at)
    frame = curve_frame([], scale.text, height, width)
    data: list[Trace] = [line("people", list(span), [people, people], colors.ink, 1)]
    data += [] if at is None else [line("rule", [at, at], [low, people], colors.ink, 1, "1.5px,2.5px")]
    order = list(dict.fromkeys(curves["mechanism"]))
    for name in last(order, worst):
        part = by_mechanism(curves, name, "x")
        texts = hover(name, part, "ε", lambda n: t("{n} people", n=words.count(n)), words.epsilon)
        thick = FOCUS_LINE if name == worst else THIN
        data.append(line(escape(name), numbers(part, "x"), numbers(part, "value"), color, thick, "solid", texts))
    for name in last([each for each in order if each in enough], worst):
        look: dict[str, Any] = {"size": 8, "color": color if name == worst else colors.page}
        look["line"] = {"width": 1.4, "color": color}
        data.append(
            dots(f"{escape(name)}: enough", [enough[name]], [people], look, [f"{escape(name)}: ε = {enough[name]:g}"])
        )
    quiet = {"size": TICK, "color": colors.ink2}
    place = np.log(people / low) / np.log(high / low)
    text = t("{n} people", n=words.count(people))
    notes = [note(text, 0, float(place), xanchor="left", xshift=4, yanchor="top", font=quiet)]
    notes += rule_note(at, span, "ε", True, frame, dark)
    x = x_scale(span, True, frame)
    if apart is not None:
        texts = [f"{text}<br>{colored(apart(v), colors.sensitive)}" for v, text in zip(x.ticks, x.text, strict=True)]
        x = Scale(x.low, x.high, x.ticks, texts, x.log)
    built = curve_figure(data, [], notes, x, scale, frame, dark)
    if apart is not None:
        layout: Any = built.layout
        below = int(layout["margin"]["b"])
        built.update_layout(height=height + ROW, margin_b=below + ROW)
    return built
