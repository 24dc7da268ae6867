"""Families of mechanisms at one ε: every member where its error meets its exposure, and the limit as the lower edge."""

import pandas as pd
import plotly.graph_objects as go

from ldpapp.charts.palette import mark, scheme
from ldpapp.words.language import t

from .base import Frame, Trace, dots, escape, figure, kept, line, numbers
from .callouts import PlotScale, names
from .lines import marker
from .plane import FINE, edge_notes, floor_under, limit_words, plane_axes, where
from .remarks import PHONE

LEADERS = {"subset": "SS", "unary": "OUE", "hash": "OLH", "threshold": "THE"}
"""Family → the mechanism whose colour its members have."""
FOLDED = PHONE - 26
"""px a panel inside a fold has on a phone."""


def families(
    members: pd.DataFrame,
    named: pd.DataFrame,
    limit: pd.DataFrame,
    *,
    blind: float,
    limit_text: str = "",
    x_text: str = "",
    corner_text: str = "",
    dark: bool = False,
    height: int = 430,
    width: int = 968,
) -> go.Figure:
    """members [family, said, x, value]: lines, and small marks where members are counted. named [mechanism, x, value]:
    large marks with names. limit [x, value]; x of 100, value in points, log; `blind` of 100.
    """
    frame = Frame(width, height, left=46, right=12, top=6, bottom=44 if x_text else 26)
    x_range, y_range = _ranges(named, limit, blind)
    to_px, (low, high) = PlotScale(x_range, y_range, frame), y_range
    shown = kept(members, (members["value"] <= high * 1.5) & (members["x"] <= x_range[1] * 1.05))
    data: list[Trace] = floor_under(limit, x_range, low, high, dark)
    notes = limit_words(limit_text, limit, to_px, frame, dark)
    data.append(line("blind", [blind, blind], [low, high], scheme(dark).ink3, 1, "2px,2px"))
    for family in dict.fromkeys(shown["family"]):
        data += _family(kept(shown, shown["family"] == family), str(family), dark)
    for name, x, y in zip(named["mechanism"], numbers(named, "x"), numbers(named, "value"), strict=True):
        look = mark(str(name))
        texts = [f"<b>{escape(name)}</b><br>{where(x, y)}"]
        data.append(dots(str(name), [x], [y], marker(look, look.color(dark), dark, 11), texts))
    lines = shown.assign(mechanism=shown["family"])
    edges = edge_notes(blind, t("blind guess"), corner_text, x_text, x_range, dark)
    notes += edges + names(lines, named, limit, [*notes, *edges], to_px, "", dark, phone=FOLDED)[0]
    return figure(data, frame, dark, **plane_axes(to_px, blind, dark, FINE), annotations=notes)


def _family(part: pd.DataFrame, family: str, dark: bool) -> list[Trace]:
    look = mark(LEADERS[family])
    x, y, color = numbers(part, "x"), numbers(part, "value"), look.color(dark)
    texts = [f"<b>{escape(name)}</b><br>{where(u, v)}" for name, u, v in zip(part["said"], x, y, strict=True)]
    counted = family in ("subset", "hash")
    # Hashing lies on the line of unary encoding.
    drawn = [] if family == "hash" else [line(family, x, y, color, 1.2, look.dash, None if counted else texts)]
    return [*drawn, *([dots(f"{family} members", x, y, marker(look, color, dark, 7), texts)] if counted else [])]


def _ranges(named: pd.DataFrame, limit: pd.DataFrame, blind: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """From a little left of the blind guess to a little beyond the named ones."""
    far = max(float(named["x"].max()), blind)
    right = min(100.0, far + 0.12 * (far - blind) + 0.5)
    values = numbers(named, "value")
    inside = numbers(kept(limit, limit["x"] <= right), "value")
    low = min(values.min(), inside.min()) * 0.8
    return (blind - (right - blind) * 0.01, right), (float(low), float(values.max() * 1.6))
