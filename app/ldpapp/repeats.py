"""Means over repetitions, as the curves of runs and starts show them."""

from typing import cast

import pandas as pd

from ldpapp import words
from ldpapp.language import t
from ldpcore.estimators import intervals

ENOUGH = 4
"""Repetitions: the interval of fewer is as wide as the axis, and says nothing."""


def means(rows: pd.DataFrame, metric: str, *, most: float, factor: float = 1.0) -> pd.DataFrame:
    """Means and 95 % intervals within [0, `most`], times `factor`: [mechanism, x, value, low, high].

    Undefined scores are left out; fewer than ENOUGH repetitions have no interval: low = value = high.
    """
    chosen = rows[rows["metric"] == metric].dropna(subset=["value"])
    out = []
    for key, values in chosen.groupby(["mechanism", "x"], sort=False)["value"]:
        mechanism, x = cast(tuple[str, float], key)
        numbers = values.to_numpy(float)
        mean = float(numbers.mean())
        low, high = intervals.error_interval(numbers, most=most) if len(numbers) >= ENOUGH else (mean, mean)
        out.append((mechanism, x, mean * factor, low * factor, high * factor))
    return pd.DataFrame(out, columns=["mechanism", "x", "value", "low", "high"])


def said(repetitions: int, noun: str, nouns: str | None = None) -> str:
    """What is drawn, in words: "Mean of 10 runs, 95 %."."""
    if repetitions == 1:
        return t("One {noun}.", noun=noun)
    many = words.plural(repetitions, noun, nouns)
    if repetitions < ENOUGH:
        return t("Mean of {many}.", many=many)
    return t("Mean of {many}, 95&nbsp;%.", many=many)
