"""Sets: how the page looks at the baskets, along which axis, over which items, and with which mechanism in focus."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from ldpapp import compute
from ldpapp.compute.memory import once
from ldpapp.parts import curve_options, curves
from ldpapp.state.view_options import look
from ldpapp.words.language import t
from ldpcore.catalog import ITEMS
from ldpcore.data import Baskets
from ldpcore.scope import Scope
from ldpcore.study import Study, axis_points
from ldpcore.study import sets as task
from ldpcore.study.sets import point as engine
from ldpcore.study.sets.facts import BITS, LEVEL, MEMBERSHIP, PRESENCE
from ldpcore.study.sets.truncation import SIZES

SHOWN = 8
"""Items that are named first: so many of the commonest marked ones, and as many others."""


def scopes() -> dict[str, str]:
    return {
        Scope.ALL: t("all items"),
        Scope.SENSITIVE: t("marked items"),
        Scope.PRIVATE: t("private items"),
        Scope.SECRET: t("secret items"),
        Scope.OTHER: t("other items"),
    }


def axes() -> dict[str, str]:
    """What the axis of a chart says."""
    return {
        "epsilon": t("ε"),
        "share": t("marked, %"),
        "k": t("number of items"),
        "m": t("items per report"),
        "n": t("number of people"),
    }


def short_axes() -> dict[str, str]:
    """The same on the buttons."""
    return {"epsilon": t("ε"), "share": t("marked"), "k": t("items"), "m": t("m"), "n": t("people")}


@dataclass(frozen=True)
class SetsCurveOptions(curve_options.CurveOptions):
    """The same for sets: nothing is post-processed, and the attacks are made at the study's own point."""

    @classmethod
    def of(cls, study: Study, held: Baskets) -> "SetsCurveOptions":
        """The chosen looks as far as they fit what is marked; the axis is the study's."""
        scope = look("sets_scope", "all")
        if scope not in dict(engine.setting(study, held).scopes):
            scope = "all"
        grid, dense = grids(study.axis, study, held)
        return cls(scope, look("sets_quantity", "points"), "raw", study.axis, "", "sensitive", grid, dense)

    def simulated(self, study: Study) -> Study:
        """The study behind the marks on the curves; it does not change with the chosen ε."""
        return _along(study, self.axis, self.grid)

    def theoretical(self, study: Study) -> Study:
        """The study behind the lines."""
        return _along(study, self.axis, self.dense)

    @property
    def log_x(self) -> bool:
        return self.axis != "share"

    def at(self, study: Study, counted: Any) -> float:
        """Where the rule stands: the chosen point of the axis."""
        point = task.current(on(self.axis, study), counted)
        return point * 100 if self.axis == "share" else point


@once(64)
def on(axis: str, study: Study) -> Study:
    """The study along this axis, at its own point alone."""
    return replace(study, axis=axis, grid=())


@once(128)
def _along(study: Study, axis: str, grid: tuple[float, ...]) -> Study:
    base = replace(study, axis=axis, grid=grid).with_options(attacks=0)
    return base.anchored(grid[0]) if axis == "epsilon" else base


def grids(axis: str, study: Study, held: Baskets) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Where to simulate, and where to draw theory."""
    simulated = study.option("simulated")
    if axis == "epsilon":
        low, high = min(0.1, study.epsilon), max(5.0, study.epsilon)
        dense = axis_points.epsilons(low, high)
        return (0.1, 0.2, 0.5, 1.0, 2.0, 4.0), dense
    items = simulated or held.k
    if axis == "share":
        steps = np.unique(np.round(np.linspace(0, items, 21)))
        return tuple(float(s / items) for s in steps[::4]), tuple(float(s / items) for s in steps[1:])
    if axis == "k":
        most = 1024 if simulated else held.k
        least = task.items_per_set(study, held) if simulated else 4
        powers = [2**i for i in range(2, 17) if least <= 2**i <= most]
        grid = tuple(float(k) for k in sorted({*powers, most}))
        return grid, grid
    if axis == "m":
        most = min(64, items) if simulated else min(64, max(8, int(held.lengths.max())))
        grid = tuple(float(m) for m in (1, 2, 4, 8, 16, 32, 64) if m <= most)
        return grid, tuple(float(m) for m in SIZES if m <= most)
    most = min(1_000_000, int(task.MAX_PAIRS / max(task.items_per_set(study, held), held.lengths.mean())))
    dense = tuple(float(n) for n in (500, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000) if n <= most)
    return dense[:6:2], dense


@once(64)
def comparing(study: Study, mechanisms: tuple[str, ...]) -> Study:
    """The study of these mechanisms alone."""
    return replace(study, mechanisms=mechanisms)


def curves_of(view: SetsCurveOptions, study: Study, held: Baskets) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Theory and simulation of the error as drawn, of what protects something."""
    lines = curves.error_lines(view, compute.theory(view.theoretical(study), held))
    marks = curves.error_marks(view, view.simulated(study), held)
    return _protected(view, lines), _protected(view, marks)


def _protected(view: SetsCurveOptions, rows: pd.DataFrame) -> pd.DataFrame:
    """Where no item is marked, at the end of the axis of the share marked, only what protects every item."""
    every = rows["mechanism"].isin([key for key, entry in ITEMS.items() if entry.promise == "LDP"])
    return rows[every | (rows["x"] > 0)].reset_index(drop=True) if view.axis == "share" else rows


def told(study: Study, held: Baskets) -> pd.DataFrame:
    """What reports tell at the study's own point, by the surveys so far: the summary of the attacks, and of bits."""
    return compute.summary(study, held, PRESENCE, MEMBERSHIP, LEVEL, BITS)


def success(told: pd.DataFrame, key: str, metric: str, end: str = "value", scope: str = "all") -> float | None:
    """Mean success over the surveys so far, or an `end` of its interval: "low" or "high"."""
    rows = told[(told["mechanism"] == key) & (told["metric"] == metric) & (told["scope"] == scope)]
    return float(rows[end].iloc[0]) if len(rows) else None
