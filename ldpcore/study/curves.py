"""What a curve of errors draws of a study along its axis: which scope, quantity and estimator, at which points.

>>> view = CurveOptions("all", "points", "raw", "epsilon", "targeted", "sensitive", (0.5, 1.0), (0.5, 0.7, 1.0))
>>> view.metric, view.log_x
('mse', True)
>>> theory = pd.DataFrame({"mechanism": ["SS"], "x": [1.0], "metric": ["mse"], "scope": ["all"], "theory": [1e-4]})
>>> error_lines(view, theory).round(2).to_dict("list")  # ± 95 %, in points
{'mechanism': ['SS'], 'x': [1.0], 'value': [1.96]}
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ldpcore.estimators.intervals import NORMAL_95

MARGIN = 100 * NORMAL_95
"""A root mean squared error times this is its 95 % margin in percentage points."""
_POINTS: Mapping[str, float] = {"points": MARGIN, "typical": 100, "largest": 100}
"""Quantity → what its axis multiplies a root mean squared error by."""


@dataclass(frozen=True)
class CurveOptions:
    """One way to look: scope, quantity and estimator of the error; prior and scope of the adversary; the axis.

    quantity: "points" (± 95 %), "typical" (the root mean squared error), "mse" or "largest". grid: where surveys are
    simulated; dense: where closed forms are computed.
    """

    scope: str
    quantity: str
    estimator: str
    axis: str
    prior: str
    attacked: str
    grid: tuple[float, ...]
    dense: tuple[float, ...]

    @property
    def metric(self) -> str:
        if self.quantity == "largest":
            return "max error"
        return "mse" if self.estimator == "raw" else f"mse:{self.estimator}"

    @property
    def log_x(self) -> bool:
        return self.axis in ("epsilon", "n")

    def shown_x(self, x: pd.Series) -> pd.Series:
        """Axis values as written: a share of values in percent."""
        return x * 100 if self.axis == "share" else x


def drawn(quantity: str, squared: Any) -> Any:
    """Squared errors of shares as the axis of this quantity has them: as they are, or their roots in points."""
    return squared if quantity == "mse" else np.sqrt(squared) * _POINTS[quantity]


def squares(margins: pd.DataFrame) -> pd.DataFrame:
    """95 % margins in percentage points [value, low, high] as mean squared errors of shares.

    >>> squares(pd.DataFrame({"x": [1.0], "value": [1.96]}))["value"].round(6).tolist()
    [0.0001]
    """
    columns = [name for name in ("value", "low", "high") if name in margins]
    return margins.assign(**{name: (margins[name] / MARGIN) ** 2 for name in columns})


def means(found: pd.DataFrame, metric: str, scope: str = "all", enough: int = 0, factor: float = 1.0) -> pd.DataFrame:
    """One metric of a summary, times `factor`: [mechanism, x, repetitions, value, low, high].

    Cells without a value are left out; fewer than `enough` repetitions show no interval: low = value = high.
    """
    wanted = (found["metric"] == metric) & (found["scope"] == scope) & found["value"].notna()
    out = found[wanted]
    out = out[["mechanism", "x", "repetitions", "value", "low", "high"]].reset_index(drop=True)
    for end in ("low", "high"):
        out[end] = out[end].where(out["repetitions"] >= enough, out["value"]) * factor
    return out.assign(value=out["value"] * factor)


def error_lines(view: CurveOptions, theory: pd.DataFrame) -> pd.DataFrame:
    """Theory as drawn: [mechanism, x, value]."""
    rows = theory[(theory["metric"] == "mse") & (theory["scope"] == view.scope)]
    value = drawn(view.quantity, rows["theory"])
    return pd.DataFrame({"mechanism": rows["mechanism"], "x": view.shown_x(rows["x"]), "value": value})


def error_marks(view: CurveOptions, summary: pd.DataFrame) -> pd.DataFrame:
    """Simulated means of a summary with their 95 % intervals, as drawn: [mechanism, x, value, low, high]."""
    marks = means(summary, view.metric, view.scope)
    ends = ["value", "low", "high"]
    marks[ends] = marks[ends] * 100 if view.quantity == "largest" else drawn(view.quantity, marks[ends])
    return marks.assign(x=view.shown_x(marks["x"]))[["mechanism", "x", *ends]]


def beside_floor(view: CurveOptions, rows: pd.DataFrame, floor: pd.DataFrame | None) -> pd.DataFrame:
    """Rows with their `theory` [x, theory, …], the floor [x, value] of a promise, and the squared error over it.

    >>> view = CurveOptions("all", "points", "raw", "epsilon", "targeted", "sensitive", (1.0,), (1.0,))
    >>> rows = pd.DataFrame({"x": [1.0], "theory": [3.0]})
    >>> beside_floor(view, rows, pd.DataFrame({"x": [1.0], "value": [1.5]})).values.tolist()
    [[1.0, 3.0, 1.5, 4.0]]
    """
    if floor is None:
        return rows
    joined = rows.merge(floor.rename(columns={"value": "limit"}), how="left", on="x")
    ratio = joined["theory"] / joined["limit"]
    return joined.assign(**{"MSE, times the limit": ratio if view.quantity == "mse" else ratio**2})


def sized(rows: pd.DataFrame, *known: pd.DataFrame, view: CurveOptions | None = None) -> pd.DataFrame:
    """Rows [mechanism, x, ...] with the size of a report there as one more column, `bits`: NaN where none is sent.

    known: theory, summaries of simulated rows, or both. view: where the rows' x is as written.

    >>> theory = pd.DataFrame({"mechanism": ["SS"], "x": [1.0], "metric": ["bits"], "scope": ["all"], "theory": [11.0]})
    >>> sized(pd.DataFrame({"mechanism": ["SS"], "x": [1.0], "value": [2.0]}), theory).to_dict("list")
    {'mechanism': ['SS'], 'x': [1.0], 'value': [2.0], 'bits': [11.0]}
    """
    bits: dict[tuple[str, float], float] = {}
    for table in known:
        # As arrays: pandas takes ten times as long to find these few rows, for every chart of a page.
        sent, whole = (table[name].to_numpy(object) == of for name, of in (("metric", "bits"), ("scope", "all")))
        names, size = table["mechanism"].to_numpy(object), table["value" if "value" in table else "theory"].to_numpy()
        x = (table["x"] if view is None else view.shown_x(table["x"])).to_numpy()
        for i in np.flatnonzero(sent & whole):
            bits.setdefault((names[i], float(x[i])), size[i])
    # Where nothing is simulated yet, columns without a row have no kind.
    out = rows.astype({"mechanism": object, "x": float}).reset_index(drop=True)
    places = zip(out["mechanism"], out["x"], strict=True)
    return out.assign(bits=np.array([bits.get(place, np.nan) for place in places], float))


def success_lines(view: CurveOptions, theory: pd.DataFrame) -> pd.DataFrame:
    """The adversary's exact success of 100: [mechanism, x, value]."""
    rows = theory[(theory["metric"] == f"success:{view.prior}") & (theory["scope"] == view.attacked)]
    return pd.DataFrame({"mechanism": rows["mechanism"], "x": view.shown_x(rows["x"]), "value": rows["theory"] * 100})


def success_marks(view: CurveOptions, summary: pd.DataFrame) -> pd.DataFrame:
    """Simulated attacks of 100, with 95 % intervals: [mechanism, x, value, low, high]."""
    marks = means(summary, f"success:{view.prior}", view.attacked, factor=100)
    return marks.assign(x=view.shown_x(marks["x"])).drop(columns="repetitions")
