"""What the curves draw: theory, and simulation with its intervals, as tables for the chart builders."""

import numpy as np
import pandas as pd

from ldpapp.controls import View
from ldpcore.estimators import intervals


def error_lines(view: View, theory: pd.DataFrame, arm: str) -> pd.DataFrame:
    """Theory as drawn: [mechanism, x, value]."""
    rows = theory[(theory["arm"] == arm) & (theory["metric"] == "mse") & (theory["scope"] == view.scope)]
    value = rows["theory"] if view.quantity == "mse" else np.sqrt(rows["theory"]) * 100
    return pd.DataFrame({"mechanism": rows["mechanism"], "x": view.shown_x(rows["x"]), "value": value})


def error_marks(view: View, simulated: pd.DataFrame, arm: str) -> pd.DataFrame:
    """Simulated means with 95 % intervals: [mechanism, x, value, low, high]."""
    rows = simulated[
        (simulated["arm"] == arm) & (simulated["metric"] == view.metric) & (simulated["scope"] == view.scope)
    ]
    out = []
    for (mechanism, x), values in rows.groupby(["mechanism", "x"], sort=False)["value"]:
        out.append((mechanism, x, values.mean(), *intervals.error_interval(values.to_numpy())))
    marks = pd.DataFrame(out, columns=["mechanism", "x", "value", "low", "high"])
    marks["x"] = view.shown_x(marks["x"])
    if view.quantity != "mse":
        drawn = ["value", "low", "high"]
        marks[drawn] = (np.sqrt(marks[drawn]) if view.quantity == "points" else marks[drawn]) * 100
    return marks
