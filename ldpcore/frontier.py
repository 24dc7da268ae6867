"""Families of plain LDP mechanisms at one ε: every member, where its error meets its exposure, and the limit.

Members are in support form: a report supports the value of its user with probability a, any other with b, and

    n·MSE = [a(1−a) + (k−1)b(1−b)] / (k(a−b)²)       exposure = a·E[1/(1+others supported)] + (1−a)·Pr[none]/k

whatever the shares are; exposure is the success of one who knows nothing beforehand, the Bayesian adversary's.
Unary encoding and local hashing are one curve: with p = E/(E+g−1) and q = 1/g their supports have one law.
The adaptive protocols of Arcolezi and Gambs (arXiv 2503.01482) take the member of their family with the least
weight·exposure + (1 − weight)·b(1−b)/(a−b)².

>>> members, protocols = families(16, 1.0), adaptive(16, 1.0)
>>> best = members.loc[members["mse"].idxmin()]
>>> best["family"], int(best["parameter"]), protocols["protocol"].tolist()
('subset', 4, ['ASS', 'AUE', 'ALH', 'ATHE'])
>>> exposed = float(best["exposure"])
>>> round(float(best["mse"] / edge(16, 1.0, [exposed])[0]), 6)  # subset selection is at the limit
1.0
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp, expm1

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore import catalog, checks, limit
from ldpcore.attacks import bayes
from ldpcore.mechanisms.unary import thresholded

Array = NDArray[np.float64]
FAMILIES = ("subset", "unary", "hash", "threshold")
"""Subset selection by the size w; unary encoding by p; local hashing by the buckets g; thresholding by θ."""
PROTOCOLS = {"ASS": "subset", "AUE": "unary", "ALH": "hash", "ATHE": "threshold"}
"""Adaptive protocol → the family that it chooses from."""
POINTS = 199
"""Members of a family whose parameter is a real number."""


@dataclass(frozen=True, eq=False)
class _Members:
    """One family: its parameters and support probabilities, all (m,); how a report's other supports are distributed."""

    parameter: Array
    a: Array
    b: Array
    fixed: bool = False
    """A report supports as many values as its parameter says; else the others independently of one another."""


def _subset(k: int, epsilon: float) -> _Members:
    w = np.arange(1, k)
    a = w * exp(epsilon) / (w * expm1(epsilon) + k)
    return _Members(w.astype(float), a, (a * (w - 1) + (1 - a) * w) / (k - 1), fixed=True)


def _unary(k: int, epsilon: float) -> _Members:
    p = np.linspace(0, 1, POINTS + 2)[1:-1]
    return _Members(p, p, p / (exp(epsilon) * (1 - p) + p))


def _hash(k: int, epsilon: float) -> _Members:
    g = np.arange(2, max(k, round(exp(min(epsilon, 12))) + 1) + 1)
    g = g[np.unique(np.round(np.geomspace(1, len(g), min(len(g), POINTS))).astype(int)) - 1].astype(float)
    return _Members(g, exp(epsilon) / (g + expm1(epsilon)), 1 / g)


def _threshold(k: int, epsilon: float) -> _Members:
    theta = np.linspace(0.5, 1, POINTS)
    return _Members(theta, *thresholded(theta, epsilon))


_MADE = {"subset": _subset, "unary": _unary, "hash": _hash, "threshold": _threshold}


def errors(a: Array, b: Array, k: int) -> Array:
    """n·MSE over all values, whatever the shares are."""
    return (a * (1 - a) + (k - 1) * b * (1 - b)) / (k * (a - b) ** 2)


def exposures(a: Array, b: Array, k: int) -> Array:
    """Success of one who knows nothing beforehand, where other values are supported independently."""
    with np.errstate(under="ignore"):
        none = np.exp((k - 1) * np.log1p(-b))
    return a * -np.expm1(k * np.log1p(-b)) / (k * b) + (1 - a) * none / k


def _table(made: _Members, k: int) -> pd.DataFrame:
    exposed = made.a / made.parameter if made.fixed else exposures(made.a, made.b, k)
    return pd.DataFrame({
        "parameter": made.parameter, "a": made.a, "b": made.b, "mse": errors(made.a, made.b, k), "exposure": exposed,
    })  # fmt: skip


def families(k: int, epsilon: float) -> pd.DataFrame:
    """Every member: family, parameter, a, b, mse (n·MSE over all values), exposure (uniform prior).

    k values, ε in nats. ValueError or TypeError with a sentence.
    """
    size, budget = checks.domain_size(k), checks.epsilon(epsilon)
    tables = [_table(_MADE[name](size, budget), size).assign(family=name) for name in FAMILIES]
    return pd.concat(tables, ignore_index=True)[["family", "parameter", "a", "b", "mse", "exposure"]]


def adaptive(k: int, epsilon: float, weight: float = 0.5) -> pd.DataFrame:
    """ASS, AUE, ALH and ATHE at this weight of exposure against error (0 to 1): protocol, and the member's columns.

    What is minimised is the published combination, with the exact success of the Bayesian adversary; unary encodings
    from p = ½ on, as they have it.
    """
    if not 0 <= weight <= 1:
        raise ValueError(f"the weight of exposure lies between 0 and 1, got {weight:g}; 0.5 is usual")
    every, rows = families(k, epsilon), []
    for protocol, family in PROTOCOLS.items():
        part = every[(every["family"] == family) & ((family != "unary") | (every["parameter"] >= 0.5))]
        spread = part["b"] * (1 - part["b"]) / (part["a"] - part["b"]) ** 2
        rows.append(
            {"protocol": protocol, **part.iloc[int((weight * part["exposure"] + (1 - weight) * spread).argmin())]}
        )
    return pd.DataFrame(rows)


def known(k: int, epsilon: float) -> pd.DataFrame:
    """Where the catalogue's mechanisms of plain LDP stand, members or not: mechanism, mse, exposure."""
    even = np.full(checks.domain_size(k), 1 / k)
    made = {key: entry.build(epsilon, k) for key, entry in catalog.FREQUENCY.items() if entry.promise == "LDP"}
    rows = [(key, float(m.variance(even, 1).mean()), float(bayes.success(m).mean())) for key, m in made.items()]
    return pd.DataFrame(rows, columns=["mechanism", "mse", "exposure"])


def edge(k: int, epsilon: float, exposure: Iterable[float]) -> list[float]:
    """n times the least mean squared error of any plain LDP mechanism that exposes no more than so: `limit.best`."""
    size = checks.domain_size(k)
    bounds = (min(1.0, max(1 / size, each) * (1 + 1e-9)) for each in exposure)
    return [limit.best("LDP", size, size, epsilon, exposure=bound).mse for bound in bounds]
