"""The error of a difference against ε, or people: a line for each way to ask, and the limit of the one in focus."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ldpapp import words
from ldpapp.charts.palette import FOCUS_LINE, LINE, mark, scheme
from ldpapp.words.language import t

from .base import Trace, dots, escape, internal, line, log_ticks
from .curves import curve_frame, error_range, span_of, x_scale
from .labels import End
from .lines import floor, marker, rule, tick
from .remarks import limit_note, rule_note
from .scales import Scale, curve_figure

DASHES = ("solid", "5px,3px", "2px,2px")
"""How groups are asked: both hidden, the pair as one, groups open."""
SAME = 1e-3
"""So much, of a number, a line may lie below a floor that is straight between few points."""


@dataclass(frozen=True)
class SettingLine:
    """points [x, value]; dash: a place in DASHES; joined: fewer groups; focus: as now; now: its error at the rule."""

    name: str
    points: pd.DataFrame
    dash: int
    joined: bool = False
    focus: bool = False
    now: str = ""

    @property
    def label(self) -> str:
        """What stands at its end."""
        return f"{self.name}, {self.now}" if self.now else self.name


def setting_curves(
    drawn: Sequence[SettingLine],
    simulated: pd.DataFrame,
    *,
    key: str,
    at: float,
    limit: pd.DataFrame | None = None,
    limit_text: str = "",
    x_name: str = "ε",
    squared: bool = False,
    dark: bool = False,
    height: int = 206,
    width: int = 452,
) -> go.Figure:
    """simulated [x, value, low, high]: of the line in focus, internal. All values in points, on a log axis; or squared,
    mean squared errors of shares.
    """
    every = pd.concat([each.points for each in drawn], ignore_index=True)
    low, high = error_range([every, simulated], height)
    ticks = log_ticks(low, high, 6, ((1, 2, 3, 4, 6, 8), (1, 2, 5), (1, 3), (1,)))
    scale = Scale(low, high, ticks, [(words.scientific if squared else tick)(v) for v in ticks], log=True)
    frame = curve_frame([each.label for each in drawn], scale.text, height, width)
    to_px, span = scale.to_px(frame), span_of(every, at)
    data: list[Trace] = []
    notes: list[dict[str, Any]] = []
    if limit is not None and len(limit):
        data.append(floor(limit, low, high, dark, True, filled=not any(_is_below(each, limit) for each in drawn)))
        paths = [_path(each, span, to_px) for each in drawn]
        notes += limit_note(limit_text, limit, span, at, True, to_px, frame, dark, paths)
    data += rule(at, low, high, dark)
    ends: list[End] = []
    for each in sorted(drawn, key=lambda one: one.focus):
        data += _line(each, key, x_name, dark, squared)
        ends.append(_end(each, key, to_px, dark))
    data += _simulated(simulated, key, low, dark, squared)
    notes += rule_note(at, span, x_name, True, frame, dark)
    return curve_figure(data, ends, notes, x_scale(span, True, frame), scale, frame, dark)


def _is_below(each: SettingLine, limit: pd.DataFrame) -> bool:
    """Whether this line leaves the floor of another one: then that is no floor of all that is drawn."""
    limit = limit.sort_values("x")
    x, value = (np.log(each.points[name].to_numpy(float)) for name in ("x", "value"))
    edge = np.interp(x, *(np.log(limit[name].to_numpy(float)) for name in ("x", "value")), left=-np.inf, right=-np.inf)
    return bool((value < edge - SAME).any())


def _path(each: SettingLine, span: tuple[float, float], to_px: Any) -> Any:
    x = np.log(each.points["x"].to_numpy(float))
    first, last = np.log(span)
    return (x - first) / (last - first), to_px(each.points["value"].to_numpy(float))


def _color(each: SettingLine, key: str, dark: bool) -> str:
    return scheme(dark).ink if DASHES[each.dash] == DASHES[-1] else mark(key).color(dark)


def _said(off: float, squared: bool) -> str:
    return words.scientific(off) if squared else t("± {error} points", error=words.decimals(off))


def _line(each: SettingLine, key: str, x_name: str, dark: bool, squared: bool) -> list[Trace]:
    x, y = (each.points[name].to_numpy(float) for name in ("x", "value"))
    hover = [
        t("<b>{name}</b><br>{axis} = {x}: {error}", name=escape(each.name), axis=x_name, x=tick(place),
          error=_said(off, squared))
        for place, off in zip(x, y, strict=True)
    ]  # fmt: skip
    width = FOCUS_LINE if each.focus else 1.1 if each.joined else LINE
    return [line(each.name, x, y, _color(each, key, dark), width, DASHES[each.dash], hover)]


def _end(each: SettingLine, key: str, to_px: Any, dark: bool) -> End:
    y = np.atleast_1d(to_px(each.points.sort_values("x")["value"].to_numpy(float)))
    glyph = ("─", "╌", "·")[each.dash]
    before = y[max(0, len(y) - 1 - max(1, len(y) // 8))]
    return End(each.label, float(y[-1]), _color(each, key, dark), glyph, each.focus, float(y[-1] - before))


def _simulated(points: pd.DataFrame, key: str, low: float, dark: bool, squared: bool) -> list[Trace]:
    if not len(points):
        return []
    look = mark(key)
    color, y = look.color(dark), points["value"].to_numpy(float)
    hover = [
        t("{axis}: {error} simulated", axis=tick(x), error=_said(off, squared))
        for x, off in zip(points["x"], y, strict=True)
    ]
    bar = {
        "type": "data", "symmetric": False, "array": points["high"].to_numpy(float) - y,
        "arrayminus": y - np.maximum(points["low"].to_numpy(float), low), "color": color, "thickness": 1.2, "width": 0,
    }  # fmt: skip
    made = dots("simulated", points["x"].to_numpy(float), y, marker(look, color, dark), hover, cliponaxis=False)
    return [internal(made | {"error_y": bar})]
