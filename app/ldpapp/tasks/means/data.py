"""What the Means view draws: lines named by mechanism and estimate, as tables for the charts. No Streamlit here."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ldpcore import catalog
from ldpcore.study import Study
from ldpcore.study.means import Numbers

ENOUGH = 10
"""Fewer surveys than these tell no typical error: their marks get no interval and no line."""
NAMES = {"mean": "mean", "unbiased": "unbiased", "em": "EM", "mle": "MLE", "ems": "EMS"}
"""Estimate → what it is called behind its mechanism. EM is the paper's stop, MLE the maximum of the likelihood."""


def named(mechanism: str, how: str) -> str:
    return f"{mechanism} ({NAMES[how]})"


def pairs(study: Study) -> list[tuple[str, str]]:
    """(mechanism, estimate) of every line: the unbiased one, and both EMs where reports are fine enough for them."""
    out = []
    for key in study.mechanisms:
        factory = catalog.MEANS[key].factory
        out.append((key, "mean" if factory.unbiased else "unbiased"))
        out += [(key, how) for how in ("em", "mle") if factory.recovers]
        out += [(key, "ems")] if factory.smooths else []
    return out


def estimates(study: Study) -> tuple[str, ...]:
    """What the mechanisms of these lines can make of the reports."""
    smoothed = any(catalog.MEANS[key].factory.smooths for key in study.mechanisms)
    return ("mean", "unbiased", "em", "mle", *(["ems"] if smoothed else []))


@dataclass(frozen=True)
class Unit:
    """How errors are written: on the axis, in words, and from a squared error in the column's units."""

    key: str
    name: str
    scale: float

    def __call__(self, mse: np.ndarray) -> np.ndarray:
        return np.sqrt(mse) if self.key == "typical" else mse * self.scale


def unit(key: str, data: Numbers) -> Unit:
    """ "typical": √MSE in the column's units; "mse" in their square; "scaled": MSE on [−1, 1]."""
    return Unit(key, "" if key == "typical" else "mse", 1.0 if key != "scaled" else data.unit**-2)


def lines(theory: pd.DataFrame, wanted: list[tuple[str, str]], unit: Unit) -> pd.DataFrame:
    """Closed forms [mechanism, x, value]: those that have one."""
    parts = []
    for key, how in wanted:
        rows = theory[(theory["mechanism"] == key) & (theory["metric"] == f"mse:{how}")]
        value = unit(rows["theory"].to_numpy(float))
        parts.append(pd.DataFrame({"mechanism": named(key, how), "x": rows["x"], "value": value}))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=["mechanism", "x", "value"])


def marks(found: pd.DataFrame, wanted: list[tuple[str, str]], unit: Unit) -> pd.DataFrame:
    """Simulated errors of a summary [mechanism, x, value, low, high, repetitions], from ENOUGH on with intervals."""
    parts = []
    for key, how in wanted:
        rows = found[(found["mechanism"] == key) & (found["metric"] == f"mse:{how}")].sort_values("x")
        drawn = rows[["value", "low", "high"]].apply(unit)
        sure = rows["repetitions"] >= ENOUGH
        parts.append(drawn.assign(mechanism=named(key, how), x=rows["x"], repetitions=rows["repetitions"],
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
