"""Bias and spread of every estimate of the mean, apart: exact where there is a closed form, else as seen; and
the distribution recovered."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.numeric_randomizer import FITTED, Vector
from ldpcore.study import means
from ldpcore.study.definition import Study
from ldpcore.study.means.estimates import every_estimate
from ldpcore.study.means.numbers import NumberColumn


@dataclass(frozen=True, eq=False)
class Spread:
    """One estimate of one mechanism in several surveys; all of it in the column's units.

    `errors` (surveys,): estimate − truth in each. `bias` and `sd` are those of the estimate's law where `exact`, else
    the mean and the standard deviation of `errors`.
    """

    mechanism: str
    how: str
    errors: Vector
    bias: float
    sd: float
    exact: bool

    @property
    def typical(self) -> float:
        """√(bias² + sd²), the root of the mean squared error."""
        return float(np.hypot(self.bias, self.sd))

    @property
    def margin(self) -> float:
        """The 95 % margin of an estimate without bias, ±."""
        return NORMAL_95 * self.typical


def spreads(study: Study, data: NumberColumn, simulated: pd.DataFrame) -> list[Spread]:
    """Every estimate in the study's option `estimates`, mechanism by mechanism, at its current point.

    Where people choose other marks, their groups are weighted by how many they are. `simulated` are rows of this study,
    from `run(study)` or its chunks; there may be none. Estimates through the distribution (FITTED) have no closed form:
    with fewer than two surveys they are left out.

    >>> from ldpcore import Marks, Source, data, run
    >>> old = Marks.of(["80..98"])
    >>> study = Study(Source("health"), "age", old, ("SDPM",), bins=(18, 98, 64), grid=(), task="means")
    >>> study = study.with_options(attacks=0, estimates=("mean", "unbiased"))
    >>> numbers = means.prepare(study, data.load("health"))
    >>> [(s.how, round(s.bias, 1), round(s.sd, 1), len(s.errors)) for s in spreads(study, numbers, run(study))]  # years
    [('mean', 6.6, 0.6, 10), ('unbiased', 0.0, 0.4, 10)]
    """
    x, out = means.current(study, data), []
    seen = simulated[simulated["x"] == x]
    for mechanism in study.mechanisms:
        point = means.cell(study, data, mechanism, x)
        mine, truth = seen[seen["mechanism"] == mechanism], point.mean
        for how in point.estimates(means.options(study).estimates):
            estimates = mine[mine["metric"] == f"estimate:{how}"]["value"].to_numpy(float)
            errors = estimates - float(data.interval.decode(truth))
            if how not in FITTED:
                mean, variance = point.moments(how)
                spread = data.unit * float(np.sqrt(variance))
                out.append(Spread(mechanism, how, errors, data.unit * (mean - truth), spread, True))
            elif len(errors) > 1:
                out.append(Spread(mechanism, how, errors, float(errors.mean()), float(errors.std(ddof=1)), False))
    return out


def every_spread(study: Study, data: NumberColumn, simulated: pd.DataFrame) -> list[Spread]:
    """Those alone that a line may have: what a mechanism makes of its reports without bias, and what it recovers."""
    wanted = every_estimate(study.mechanisms)
    return [each for each in spreads(study, data, simulated) if (each.mechanism, each.how) in wanted]


def coarse(shares: Vector) -> Vector:
    """Shares over a quarter as many bins: recorded numbers are round, so narrow bins hold now one of them, now two."""
    return shares.reshape(-1, 4).sum(axis=1) if len(shares) % 4 == 0 else shares


def recovered(simulated: pd.DataFrame, data: NumberColumn, mechanism: str) -> Mapping[str, Vector]:
    """Recovered shares of coarse bins by "em" and "mle" in the first survey."""
    out = {}
    for how in ("em", "mle"):
        rows = simulated[(simulated["mechanism"] == mechanism) & (simulated["metric"] == f"share:{how}")]
        rows = rows[rows["repetition"] == 0]
        if len(rows):
            out[how] = coarse(rows.set_index("scope")["value"].reindex(data.labels).to_numpy(float))
    return out
