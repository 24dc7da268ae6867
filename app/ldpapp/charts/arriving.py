"""How ± shrinks as reports arrive: what there is, what is yet to come, and the floor that no mechanism undercuts."""

import numpy as np
import plotly.graph_objects as go

from ldpapp.charts.palette import scheme
from ldpapp.words.language import t

from .base import LABEL, TICK, Frame, area, axis, dots, figure, grid_axis, line, linear_ticks, note

FIRST, USUAL, MOST = 5, 300, 100_000
"""Reports at which the axis begins, where it usually ends, and where it ends at the latest."""
HIGH = 0.7
"""Share of the axis above which what is said of a point stands beside it: the curve falls away there."""


def arriving(
    alone: float,
    least: float,
    now: int,
    goal: tuple[float, int | None],
    *,
    last: int = 0,
    said: str = "",
    dark: bool = False,
    height: int = 150,
    width: int = 400,
) -> go.Figure:
    """alone, least: ± of one report in percentage points, and the limit's; both fall with the root of their number.

    now: reports there are, of at most `last`. goal: a wished ±, and how many reach it. said: written beside `now`.
    """
    colors = scheme(dark)
    wished, needed = goal[0], goal[1] or 0
    reached = FIRST < needed <= MOST
    end = int(max(USUAL, 1.5 * last, 1.5 * needed if reached else 0))
    x = np.geomspace(FIRST, end, 200)
    top = float(min(100.0, alone / np.sqrt(FIRST)))
    frame = Frame(width, height, left=36, right=14, top=8, bottom=22)
    data = [area("limit", x, np.zeros_like(x), np.minimum(least / np.sqrt(x), top), colors.floor)]
    seen = alone / np.sqrt(x) <= top * (1 + 1e-9)
    texts = [t("{n} reports: ±{margin}", n=round(one), margin=f"{alone / np.sqrt(one):.0f}") for one in x]
    for name, part, dash, thick in (("now", x <= now, "solid", 2.6), ("to come", x >= now, "1.5px,4px", 2.2)):
        part = part & seen
        hover = [text for text, shown in zip(texts, part, strict=True) if shown]
        data.append(line(name, x[part], alone / np.sqrt(x[part]), colors.sensitive, thick, dash, hover))
    notes, ticks = [], [FIRST, end]
    if reached and alone / np.sqrt(needed) <= top:
        ring = {"size": 8, "color": colors.page, "line": {"color": colors.sensitive, "width": 1.8}}
        data.append(dots("goal", [needed], [wished], ring, [""]))
        goal_said = t("±{margin} at {people}", margin=f"{wished:g}", people=needed)
        free = not FIRST <= now <= end or abs(np.log(needed / now)) > 0.25
        if free:
            place = {"yshift": 11, "xshift": 4, "font": {"size": TICK, "color": colors.ink2}}
            notes.append(note(goal_said, float(np.log10(needed)), wished, xref="x", yref="y", **place))
        ticks.append(needed)
    if FIRST <= now <= end:
        height_now = min(top, alone / np.sqrt(now))
        ring = {"size": 11, "color": colors.page, "line": {"color": colors.sensitive, "width": 2.4}}
        data.append(dots("at", [now], [height_now], ring, [said], cliponaxis=False))
        right = np.log(now / FIRST) > 0.8 * np.log(end / FIRST)
        place = {"yshift": 13, "xshift": -6 if right else 6, "xanchor": "right" if right else "left"}
        if height_now > HIGH * top:  # above it the plot ends, and the axis has its number
            place = {"yshift": 0, "xshift": 13, "xanchor": "left"}
        font = {"size": LABEL + 1, "color": colors.ink, "weight": 600}
        notes.append(note(said, float(np.log10(now)), height_now, xref="x", yref="y", font=font, **place))
        ticks.append(now)
    written = _apart(ticks, now, end, frame.plot_width)
    xaxis = axis(
        dark, type="log", range=[float(np.log10(FIRST)), float(np.log10(end))], tickvals=written,
        ticktext=[f"<b>{tick}</b>" if tick == now else str(tick) for tick in written],
    )  # fmt: skip
    levels = linear_ticks(0, top, 4)
    yaxis = grid_axis(
        dark, range=[0, top * 1.02], tickvals=levels, ticktext=[f"±{level:g}" if level else "0" for level in levels]
    )
    return figure(data, frame, dark, xaxis=xaxis, yaxis=yaxis, annotations=notes)


def _apart(ticks: list[int], now: int, end: int, width: int) -> list[int]:
    """Those that can be written beside one another: where reports are now before all others."""
    chosen: list[int] = []
    scale = width / np.log(end / FIRST)
    for tick in sorted(ticks, key=lambda one: one != now):
        if all(abs(np.log(tick / other)) * scale > 8 + 7 * len(str(max(tick, other))) for other in chosen):
            chosen.append(tick)
    return sorted(chosen)
