"""What the Means view draws: lines named by mechanism and estimate, as tables for the charts. No Streamlit here."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from ldpcore import catalog
from ldpcore.catalog import Coverage
from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.study import Study, intervals
from ldpcore.study.means import Numbers
from ldpcore.study.means.spreads import Spread

ENOUGH = 10
"""Fewer surveys than these tell no typical error: their marks get no interval and no line."""
NAMES = {"mean": "mean", "unbiased": "unbiased", "em": "EM", "mle": "MLE", "ems": "EMS"}
"""Estimate → what it is called behind its mechanism. EM is the paper's stop, MLE the maximum of the likelihood."""


def named(mechanism: str, how: str) -> str:
    return f"{mechanism} ({NAMES[how]})"


Pair = tuple[str, str]
"""Mechanism and estimate."""


def unbiased(mechanism: str) -> Pair:
    """The mechanism and its estimate without bias."""
    return mechanism, "mean" if catalog.NUMBERS[mechanism].factory.unbiased else "unbiased"


def labels(wanted: Sequence[Pair]) -> dict[Pair, str]:
    """What each line is called: a mechanism that has none but its unbiased one, by its name alone."""
    keys = [key for key, _ in wanted]
    return {p: p[0] if keys.count(p[0]) == 1 and p == unbiased(p[0]) else named(*p) for p in wanted}


def pairs(study: Study) -> list[Pair]:
    """(mechanism, estimate) of every line: the unbiased one, and both EMs where reports are fine enough for them."""
    out = []
    for key in study.mechanisms:
        factory = catalog.NUMBERS[key].factory
        out.append(unbiased(key))
        out += [(key, how) for how in ("em", "mle") if factory.recovers]
        out += [(key, "ems")] if factory.smooths else []
    return out


def estimates(study: Study) -> tuple[str, ...]:
    """What the mechanisms of these lines can make of the reports."""
    smoothed = any(catalog.NUMBERS[key].factory.smooths for key in study.mechanisms)
    return ("mean", "unbiased", "em", "mle", *(["ems"] if smoothed else []))


def covering(mechanisms: Sequence[str], *covered: Coverage) -> list[str]:
    """Those whose promise covers these values."""
    return [key for key in mechanisms if catalog.coverage(catalog.NUMBERS[key].promise) in covered]


def held(data: Numbers, marked: Sequence[intervals.Pair]) -> float:
    """The share of the people whose number lies in these intervals."""
    inside = data.interval.mask(data.interval.decode(data.points), marked)
    return float(data.counts[inside].sum()) / data.n


class Best(NamedTuple):
    """The most exact unbiased estimate under each promise; None where no mechanism has one."""

    marked: Spread | None
    """Protects the marked values; of a weaker promise only where no other is compared."""
    every: Spread | None

    @property
    def weaker(self) -> bool:
        return self.marked is not None and bool(covering([self.marked.mechanism], Coverage.WEAKER))


def best(found: Sequence[Spread]) -> Best:
    """Among these estimates, at their point."""
    exact = [spread for spread in found if (spread.mechanism, spread.how) == unbiased(spread.mechanism)]

    def least(covered: Coverage) -> Spread | None:
        able = [spread for spread in exact if covering([spread.mechanism], covered)]
        return min(able, key=lambda spread: spread.typical, default=None)

    return Best(least(Coverage.MARKED) or least(Coverage.WEAKER), least(Coverage.EVERY))


@dataclass(frozen=True)
class Unit:
    """How errors are written: on the axis, in words, and from a squared error in the column's units."""

    key: str
    name: str
    scale: float

    def __call__(self, mse: np.ndarray) -> np.ndarray:
        return self.scale * (np.sqrt(mse) if self.key in ROOTS else mse)


ROOTS = {"margin": NORMAL_95, "typical": 1.0}
"""How errors are written in the column's units → times the root mean squared error."""


def unit(key: str, data: Numbers) -> Unit:
    """ "margin" (± 95 %) and "typical" (√MSE) are in the column's units, "mse" in their square, "scaled" on [−1, 1]."""
    if key in ROOTS:
        return Unit(key, "", ROOTS[key])
    return Unit(key, "mse", 1.0 if key != "scaled" else data.unit**-2)


def lines(theory: pd.DataFrame, wanted: list[tuple[str, str]], unit: Unit) -> pd.DataFrame:
    """Closed forms [mechanism, x, value]: those that have one."""
    parts, called = [], labels(wanted)
    for key, how in wanted:
        rows = theory[(theory["mechanism"] == key) & (theory["metric"] == f"mse:{how}")]
        value = unit(rows["theory"].to_numpy(float))
        parts.append(pd.DataFrame({"mechanism": called[key, how], "x": rows["x"], "value": value}))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=["mechanism", "x", "value"])


def marks(found: pd.DataFrame, wanted: list[tuple[str, str]], unit: Unit) -> pd.DataFrame:
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
    own = marks[~marks["mechanism"].isin(lines["mechanism"])].sort_values("x")
    sure = own.groupby("mechanism")["repetitions"].transform("min") >= ENOUGH
    return own[sure | ~own.duplicated("mechanism", keep="last")][["mechanism", "x", "value"]]


def coarse(shares: np.ndarray) -> np.ndarray:
    """Shares over a quarter as many bins: recorded numbers are round, so narrow bins hold now one of them, now two."""
    return shares.reshape(-1, 4).sum(axis=1) if len(shares) % 4 == 0 else shares


def shares(simulated: pd.DataFrame, data: Numbers, mechanism: str) -> dict[str, np.ndarray]:
    """Recovered shares of coarse bins by "em" and "mle" in the first survey."""
    out = {}
    for how in ("em", "mle"):
        rows = simulated[(simulated["mechanism"] == mechanism) & (simulated["metric"] == f"share:{how}")]
        rows = rows[rows["repetition"] == 0]
        if len(rows):
            out[how] = coarse(rows.set_index("scope")["value"].reindex(data.labels).to_numpy(float))
    return out
