"""The axes of a chart of curves, and the one way such a chart is put together."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from .base import Frame, Trace, axis, figure, grid_axis
from .labels import End, end_labels


@dataclass(frozen=True)
class Scale:
    """One axis: its ends, and what is written at which values."""

    low: float
    high: float
    ticks: Sequence[float]
    text: Sequence[str]
    log: bool = False

    def to_px(self, frame: Frame) -> Callable[[Any], Any]:
        """Values → px above the plot's lower edge; what lies beyond the ends is put there."""

        def px(value: Any) -> Any:
            inside = np.clip(value, self.low, self.high)
            if self.log:
                return np.log(inside / self.low) / math.log(self.high / self.low) * frame.plot_height
            return (inside - self.low) / (self.high - self.low) * frame.plot_height

        return px

    def drawn(self, look: Callable[..., dict[str, Any]], dark: bool, **options: Any) -> dict[str, Any]:
        """As Plotly has it; look: `axis` or `grid_axis`."""
        kind, ends = "linear", [self.low, self.high]
        if self.log:
            kind, ends = "log", [math.log10(self.low), math.log10(self.high)]
        return look(dark, type=kind, range=ends, tickvals=list(self.ticks), ticktext=list(self.text), **options)


def curve_figure(
    data: list[Trace],
    ends: Sequence[End],
    notes: list[dict],
    x: Scale,
    y: Scale,
    frame: Frame,
    dark: bool,
    **across: Any,
) -> go.Figure:
    """Lines with their names at their ends; `across` are options of the axis below."""
    named, leaders = end_labels(ends, frame, dark)
    return figure(
        data,
        frame,
        dark,
        xaxis=x.drawn(axis, dark, **across),
        yaxis=y.drawn(grid_axis, dark, ticklabelstandoff=6),
        annotations=notes + named,
        shapes=leaders,
    )
