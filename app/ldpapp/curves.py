"""What the curves draw: theory, and means over repetitions with their intervals, as tables for the chart builders."""

from typing import Any

import numpy as np
import pandas as pd

from ldpapp import compute, words
from ldpapp.controls import View
from ldpapp.language import t
from ldpcore.study import Study

ENOUGH = 4
"""Runs of miners and starts of clusterings: the interval of fewer is as wide as the axis, and says nothing."""


def means(
    found: pd.DataFrame, metric: str, scope: str = "all", arm: str | None = None, enough: int = 0, factor: float = 1.0
) -> pd.DataFrame:
    """One metric of a summary, times `factor`: [mechanism, x, repetitions, value, low, high].

    Cells without a value are left out; fewer than `enough` repetitions show no interval: low = value = high.
    """
    wanted = (found["metric"] == metric) & (found["scope"] == scope) & found["value"].notna()
    out = found[wanted if arm is None else wanted & (found["arm"] == arm)]
    out = out[["mechanism", "x", "repetitions", "value", "low", "high"]].reset_index(drop=True)
    for end in ("low", "high"):
        out[end] = out[end].where(out["repetitions"] >= enough, out["value"]) * factor
    return out.assign(value=out["value"] * factor)


def error_lines(view: View, theory: pd.DataFrame, arm: str) -> pd.DataFrame:
    """Theory as drawn: [mechanism, x, value]."""
    rows = theory[(theory["arm"] == arm) & (theory["metric"] == "mse") & (theory["scope"] == view.scope)]
    value = rows["theory"] if view.quantity == "mse" else np.sqrt(rows["theory"]) * 100
    return pd.DataFrame({"mechanism": rows["mechanism"], "x": view.shown_x(rows["x"]), "value": value})


def error_marks(view: View, simulated: Study, data: Any, arm: str) -> pd.DataFrame:
    """Simulated means with 95 % intervals, as drawn: [mechanism, x, value, low, high]."""
    marks = means(compute.summary(simulated, data, view.metric), view.metric, view.scope, arm)
    drawn = ["value", "low", "high"]
    if view.quantity != "mse":
        marks[drawn] = (np.sqrt(marks[drawn]) if view.quantity == "points" else marks[drawn]) * 100
    return marks.assign(x=view.shown_x(marks["x"]))[["mechanism", "x", *drawn]]


def said(repetitions: int, noun: str, nouns: str | None = None) -> str:
    """What is drawn, in words: "Mean of 10 runs, 95 %."."""
    if repetitions == 1:
        return t("One {noun}.", noun=noun)
    many = words.plural(repetitions, noun, nouns)
    if repetitions < ENOUGH:
        return t("Mean of {many}.", many=many)
    return t("Mean of {many}, 95&nbsp;%.", many=many)
