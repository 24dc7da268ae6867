"""How often an adversary is right about each mechanism's reports: one row per mechanism, one column per question."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ldpapp import words
from ldpapp.charts.palette import mark, scheme
from ldpapp.words.language import t

from .base import LABEL, TICK, Frame, Trace, colored, escape, figure, grid_axis, line, note, text_width
from .lines import marker

LOW, HIGH = 40, 103
"""Where the axis begins unless something lies lower, and where it ends."""
TICKS = (0, 25, 50, 75, 100)


@dataclass(frozen=True)
class ExposedColumn:
    """One column: its heading (HTML, of our own words); the table's columns with success of 100 and interval."""

    head: str
    value: str
    low: str
    high: str
    marked: bool = False
    """Whether it is about what is marked."""


def exposed(
    rows: pd.DataFrame,
    questions: Sequence[ExposedColumn],
    *,
    focus: str,
    blind: float = 50,
    dark: bool = False,
    height: int = 236,
    width: int = 455,
) -> go.Figure:
    """rows [mechanism, and the columns of each question]: a mark with its 95 % interval, the number at its right.

    Numbers are right decisions of 100, `blind` what guessing gets. A question without a number in a row has no mark.
    All columns share one axis, which begins where the lowest interval does, or at 40.
    """
    colors, names = scheme(dark), list(rows["mechanism"])
    left = min(130, 30 + math.ceil(max((text_width(name, LABEL) for name in names), default=40)))
    frame = Frame(width, height, left=left, right=30, top=34, bottom=22)
    gap = 0.1 if len(questions) > 1 else 0.0
    part = (1 - gap * (len(questions) - 1)) / len(questions)
    begin = _begin(rows, questions, blind)
    ticks = [v for v in TICKS if v >= begin]
    data: list[Trace] = []
    notes: list[dict[str, Any]] = _names(names, focus, frame, dark)
    layout: dict[str, Any] = {}
    for i, question in enumerate(questions):
        which, start = "" if i == 0 else str(i + 1), i * (part + gap)
        layout[f"xaxis{which}"] = grid_axis(
            dark,
            domain=[start, start + part],
            range=[begin, HIGH],
            tickvals=ticks,
            ticktext=[str(v) for v in ticks],
        )
        guess = line("blind", [blind, blind], [-0.6, len(names) - 0.4], colors.ink3, 1, "2px,2px")
        data.append(guess | {"xaxis": f"x{which}"})
        data += _marks(rows, question, f"x{which}", dark)
        head = colored(f"<b>{question.head}</b>", colors.sensitive if question.marked else colors.ink)
        notes.append(note(head, start, 1, yanchor="bottom", yshift=3, font={"size": TICK}))
        for place, value in enumerate(rows[question.value]):
            if np.isfinite(value):
                shown = {"xref": f"x{which}", "yref": "y", "xshift": 4, "font": {"size": TICK, "color": colors.ink}}
                notes.append(note(words.of_100(value / 100), float(rows[question.high].iloc[place]), place, **shown))
    yaxis = {"range": [len(names) - 0.4, -0.6], "visible": False, "fixedrange": True}
    return figure(data, frame, dark, yaxis=yaxis, annotations=notes, **layout)


def _begin(rows: pd.DataFrame, questions: Sequence[ExposedColumn], blind: float) -> float:
    """Left end of the axis: at ten, twenty … below everything shown, with room for a mark; at most LOW."""
    shown = [rows[name].to_numpy(float) for q in questions for name in (q.value, q.low)]
    lowest = min((float(v) for part in shown for v in part if np.isfinite(v)), default=blind)
    return min(LOW, 10 * math.floor((min(lowest, blind) - 2) / 10))


def _names(names: list[str], focus: str, frame: Frame, dark: bool) -> list[dict[str, Any]]:
    """Glyph and name at the left of each row, the one in focus in bold."""
    out = []
    for place, name in enumerate(names):
        look = mark(name)
        text = f"<b>{escape(name)}</b>" if name == focus else escape(name)
        glyph = f'<span style="color:{look.color(dark)}">{look.glyph}</span>'
        shown = {"yref": "y", "xshift": 6 - frame.left, "font": {"size": LABEL, "color": scheme(dark).ink}}
        out.append(note(f"{glyph} {text}", 0, place, **shown))
    return out


def _marks(rows: pd.DataFrame, question: ExposedColumn, axis: str, dark: bool) -> list[Trace]:
    traces: list[Trace] = []
    for place, row in enumerate(rows.to_dict("records")):
        value, low, high = (float(row[name]) for name in (question.value, question.low, question.high))
        if not np.isfinite(value):
            continue
        look = mark(row["mechanism"])
        color = look.color(dark)
        text = t(
            "<b>{mechanism}</b><br>{question}: right in {right} of 100 ({low}–{high})",
            mechanism=escape(look.key),
            question=question.head.replace("<br>", " "),
            right=words.of_100(value / 100),
            low=words.of_100(low / 100),
            high=words.of_100(high / 100),
        )
        shown = {"xaxis": axis, "hoverinfo": "text", "hovertext": text}
        traces.append(line(look.key, [low, high], [place, place], color, 1.4) | shown)
        traces.append(
            {"type": "scatter", "name": look.key, "x": [value], "y": [place], "mode": "markers"}
            | {"marker": marker(look, color, dark, 8), "cliponaxis": False}
            | shown
        )
    return traces
