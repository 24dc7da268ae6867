"""What the Means view draws: lines named by mechanism and estimate, as tables for the charts. No Streamlit here."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from ldpapp.compute.memory import once
from ldpcore import catalog
from ldpcore.numeric_randomizer import FITTED, NumericRandomizer
from ldpcore.study import Study, means
from ldpcore.study.means import Numbers

ENOUGH = 10
"""Fewer surveys than these tell no typical error: their marks get no interval and no line."""
NAMES = {"mean": "mean", "unbiased": "unbiased", "em": "EM", "mle": "MLE", "ems": "EMS"}
"""Estimate → what it is called behind its mechanism. EM is the paper's stop, MLE the maximum of the likelihood."""


def named(mechanism: str, how: str) -> str:
    return f"{mechanism} ({NAMES[how]})"


def mechanism_of(name: str) -> str:
    return name.partition(" (")[0]


def pairs(study: Study) -> list[tuple[str, str]]:
    """(mechanism, estimate) of every line: the unbiased one, and both EMs where reports are fine enough for them."""
    out = []
    for key in study.mechanisms:
        factory = catalog.MEANS[key].factory
        out.append((key, "mean" if factory.unbiased else "unbiased"))
        out += [(key, how) for how in ("em", "mle") if factory.recovers]
        out += [(key, "ems")] if factory.smooths else []
    return out


@once(64)
def curves(study: Study, grid: tuple[float, ...]) -> Study:
    """The study behind the lines: over ε, whatever ε is chosen, without attacks."""
    return replace(study, epsilon=grid[0], grid=grid, axis="epsilon").with_options(
        attacks=0, estimates=_estimates(study)
    )


@once(64)
def point(study: Study) -> Study:
    """The study at the chosen ε alone."""
    return replace(study, grid=()).with_options(estimates=_estimates(study))


def _estimates(study: Study) -> tuple[str, ...]:
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


@dataclass(frozen=True, eq=False)
class Spread:
    """One estimate in several surveys, about the truth, in the column's units; `sd` and `bias` exact or None."""

    name: str
    errors: np.ndarray
    bias: float
    sd: float
    exact: bool

    @property
    def typical(self) -> float:
        return float(np.hypot(self.bias, self.sd))


def spreads(study: Study, data: Numbers, theory: pd.DataFrame, simulated: pd.DataFrame) -> list[Spread]:
    """Every line's errors at the chosen ε: exact bias and spread where there is a closed form, else those seen."""
    out = []
    for key, how in pairs(study):
        rows = simulated[(simulated["mechanism"] == key) & (simulated["metric"] == f"estimate:{how}")]
        errors = rows["value"].to_numpy(float) - data.mean
        if how in FITTED:
            if len(errors) < 2:
                continue
            out.append(Spread(named(key, how), errors, float(errors.mean()), float(errors.std(ddof=1)), False))
            continue
        mine = theory[theory["mechanism"] == key].set_index("metric")["theory"]
        bias = float(mine[f"estimate:{how}"]) - data.mean
        variance = max(float(mine[f"mse:{how}"]) - bias**2, 0.0)
        out.append(Spread(named(key, how), errors, bias, float(np.sqrt(variance)), True))
    return out


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


@dataclass(frozen=True, eq=False)
class Density:
    """The law of one report under the answer x, in the column's units: density, (place, probability) of its atoms.

    With probability `own` the answer is disclosed, which is sent as the number `sent`.
    """

    x: float
    at: np.ndarray
    height: np.ndarray
    atoms: list[tuple[float, float]]
    own: float

    @property
    def sent(self) -> float | None:
        return self.atoms[-1][0] if self.own else None


def density(m: NumericRandomizer, data: Numbers, x: float) -> Density:
    """The report's law under the input x of the column's units."""
    inside = np.clip(data.interval.encode(np.array([x])), -1, 1)
    places = [*getattr(m, "atoms", np.zeros(0)), float(m.places(inside)[0])]
    chances = [float(np.exp(m.log_likelihood(np.array([y]), inside))[0, 0]) for y in places]
    own = float(m.disclosure(inside)[0])
    if own == 0:
        places, chances = places[:-1], chances[:-1]
    span: tuple[float, float] = getattr(m, "span", (m.edges[0] / 2, m.edges[-1] / 2))
    grid = np.unique(
        np.concatenate([np.linspace(span[0], span[1], 1201), m.edges[(m.edges > span[0]) & (m.edges < span[1])]])
    )
    middle = (grid[1:] + grid[:-1]) / 2
    middle = middle + np.where(np.isin(middle, places), 1e-9, 0)
    height = np.exp(m.log_likelihood(middle, inside))[:, 0] / data.unit
    atoms = [(float(data.interval.decode(y)), c) for y, c in zip(places, chances, strict=True) if c > 0]
    return Density(x, data.interval.decode(middle), height, atoms, own)


@once(64)
def _alone(study: Study) -> Study:
    return replace(study, grid=())


def built(study: Study, data: Numbers, mechanism: str) -> NumericRandomizer:
    """The mechanism at the chosen ε and marks."""
    return means.cell(_alone(study), data, study.arms[0].name, mechanism, study.epsilon).groups[0].mechanism
