"""What a chart of means draws: lines named by mechanism and estimate, as tables.

>>> labels([("PM", "mean"), ("SDPM", "unbiased"), ("SDPM", "em")])
{('PM', 'mean'): 'PM', ('SDPM', 'unbiased'): 'SDPM (unbiased)', ('SDPM', 'em'): 'SDPM (EM)'}
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.study import invented
from ldpcore.study.means import NumberColumn
from ldpcore.study.means.estimates import EstimateOf, every_estimate, unbiased
from ldpcore.study.means.facts import MeansFacts

ENOUGH = 10
"""Fewer surveys than these tell no typical error: their marks get no interval and no line."""
NAMES = {"mean": "mean", "unbiased": "unbiased", "em": "EM", "mle": "MLE", "ems": "EMS"}
"""Estimate → what it is called behind its mechanism. EM is the paper's stop, MLE the maximum of the likelihood."""


def named(mechanism: str, how: str) -> str:
    return f"{mechanism} ({NAMES[how]})"


def drawn(known: MeansFacts, focus: str, every: bool = False) -> list[EstimateOf]:
    """Which lines there are: of both best mechanisms, of the one in focus and of one's own, without bias; or all."""
    keys = known.study.mechanisms
    if every:
        return every_estimate(keys)
    shown = dict.fromkeys([spread.mechanism for spread in known.best if spread])
    shown |= dict.fromkeys([focus, *(key for key in keys if key == invented.KEY)])
    exact = {(spread.mechanism, spread.how) for spread in known.exact}
    return [pair for pair in map(unbiased, shown) if pair in exact]


def labels(wanted: Sequence[EstimateOf]) -> dict[EstimateOf, str]:
    """What each line is called: a mechanism that has none but its unbiased one, by its name alone."""
    keys = [key for key, _ in wanted]
    return {p: p[0] if keys.count(p[0]) == 1 and p == unbiased(p[0]) else named(*p) for p in wanted}


@dataclass(frozen=True)
class MeanUnit:
    """How errors are written: on the axis, in words, and from a squared error in the column's units."""

    key: str
    name: str
    scale: float

    def __call__(self, mse: np.ndarray) -> np.ndarray:
        return self.scale * (np.sqrt(mse) if self.key in ROOTS else mse)


ROOTS = {"margin": NORMAL_95, "typical": 1.0}
"""How errors are written in the column's units → times the root mean squared error."""


def unit(key: str, data: NumberColumn) -> MeanUnit:
    """ "margin" (± 95 %) and "typical" (√MSE) are in the column's units, "mse" in their square, "scaled" on [−1, 1]."""
    if key in ROOTS:
        return MeanUnit(key, "", ROOTS[key])
    return MeanUnit(key, "mse", 1.0 if key != "scaled" else data.unit**-2)


def lines(theory: pd.DataFrame, wanted: list[tuple[str, str]], unit: MeanUnit) -> pd.DataFrame:
    """Closed forms [mechanism, x, value]: those that have one."""
    parts, called = [], labels(wanted)
    for key, how in wanted:
        rows = theory[(theory["mechanism"] == key) & (theory["metric"] == f"mse:{how}")]
        value = unit(rows["theory"].to_numpy(float))
        parts.append(pd.DataFrame({"mechanism": called[key, how], "x": rows["x"], "value": value}))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=["mechanism", "x", "value"])


def marks(found: pd.DataFrame, wanted: list[tuple[str, str]], unit: MeanUnit) -> pd.DataFrame:
    """Simulated errors of a summary [mechanism, x, value, low, high, repetitions], from ENOUGH on with intervals."""
    parts, called = [], labels(wanted)
    for key, how in wanted:
        rows = found[(found["mechanism"] == key) & (found["metric"] == f"mse:{how}")].sort_values("x")
        drawn = rows[["value", "low", "high"]].apply(unit)
        sure = rows["repetitions"] >= ENOUGH
        parts.append(drawn.assign(mechanism=called[key, how], x=rows["x"], repetitions=rows["repetitions"],
                                  low=drawn["low"].where(sure), high=drawn["high"].where(sure)))  # fmt: skip
    return pd.concat(parts, ignore_index=True)[["mechanism", "x", "value", "low", "high", "repetitions"]]


def fitted(marks: pd.DataFrame, lines: pd.DataFrame) -> pd.DataFrame:
    """What stands for a line [mechanism, x, value] where there is no closed form: the marks joined, if all are of
    ENOUGH surveys; else the last mark alone, where the name goes.
    """
    simulated = marks[~marks["mechanism"].isin(lines["mechanism"])].sort_values("x")
    sure = simulated.groupby("mechanism")["repetitions"].transform("min") >= ENOUGH
    return simulated[sure | ~simulated.duplicated("mechanism", keep="last")][["mechanism", "x", "value"]]
