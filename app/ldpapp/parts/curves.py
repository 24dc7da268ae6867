"""What the curves draw: theory, and means over repetitions with their intervals, as tables for the chart builders."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from ldpapp import compute, words
from ldpapp.parts.curve_options import CurveOptions
from ldpapp.words.language import t
from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.study import Study

ENOUGH = 4
"""Runs of miners and starts of clusterings: the interval of fewer is as wide as the axis, and says nothing."""
MARGIN = 100 * NORMAL_95
"""A root mean squared error times this is its 95 % margin in percentage points (`words.margin`)."""
_POINTS: Mapping[str, float] = {"points": MARGIN, "typical": 100, "largest": 100}
"""Quantity → what its axis multiplies a root mean squared error by."""


def drawn(quantity: str, squared: Any) -> Any:
    """Squared errors of shares as the axis of this quantity has them: as they are, or their roots in points."""
    return squared if quantity == "mse" else np.sqrt(squared) * _POINTS[quantity]


def written(quantity: str, error: float) -> str:
    """A root mean squared error in words that agree with the axis: the 95 % margin, unless typical errors are asked."""
    return words.points(error) if quantity == "typical" else words.margin(error)


def less_exact(name: str, published: bool, epsilons: tuple[float, float], errors: tuple[float, float]) -> str:
    """A mechanism that errs more at an ε than at a smaller one, which promises more; "" where that does not show.

    published: it is so at the shares that it is made for, by its own formula. epsilons: the larger, the smaller;
    errors: root mean squared, likewise.
    """
    more, less = map(words.margin, errors)
    if more == less:
        return ""
    holes = {"mechanism": name, "eps": words.epsilon(epsilons[0]), "smaller": words.epsilon(epsilons[1])}
    if published:
        return t(
            "{mechanism} as published is less exact at ε = {eps} ({more}) than at {smaller} ({less}).",
            **holes,
            more=more,
            less=less,
        )
    return t(
        "{mechanism} is made for other shares, and less exact at ε = {eps} ({more}) than at {smaller} ({less}).",
        **holes,
        more=more,
        less=less,
    )


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


def error_marks(view: CurveOptions, simulated: Study, data: Any) -> pd.DataFrame:
    """Simulated means with 95 % intervals, as drawn: [mechanism, x, value, low, high]."""
    marks = means(compute.summary(simulated, data, view.metric), view.metric, view.scope)
    ends = ["value", "low", "high"]
    marks[ends] = marks[ends] * 100 if view.quantity == "largest" else drawn(view.quantity, marks[ends])
    return marks.assign(x=view.shown_x(marks["x"]))[["mechanism", "x", *ends]]


def said(repetitions: int, noun: str, nouns: str | None = None) -> str:
    """What is drawn, in words: "Mean of 10 runs, 95 %."."""
    if repetitions == 1:
        return t("One {noun}.", noun=noun)
    many = words.plural(repetitions, noun, nouns)
    if repetitions < ENOUGH:
        return t("Mean of {many}.", many=many)
    return t("Mean of {many}, 95&nbsp;%.", many=many)
