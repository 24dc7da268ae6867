"""People who choose their own marks: the error of their mean, held against that where all mark alike."""

import pandas as pd
import plotly.graph_objects as go

from ldpapp.charts.palette import FOCUS_LINE, mark, scheme

from .base import Frame, Trace, escape, line, linear_ticks, log_ticks, numbers
from .curves import span_of
from .labels import End, ends_margin
from .lines import rule, tick
from .remarks import rule_note
from .scales import Scale, curve_figure

DASHES = ("1px,2.5px", "solid", "5px,3px")
"""Dashes of the grey lines, in their order."""


def personal_errors(
    table: pd.DataFrame,
    *,
    combined: tuple[str, str],
    at: float,
    dark: bool = False,
    height: int = 190,
    width: int = 400,
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
    frame = Frame(width, height, left=38, right=ends_margin(order, 60))
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
