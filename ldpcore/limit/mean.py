"""The least error of a mean: no mechanism under the policy, with an unbiased score, gets below it (certified).

A report is a column q of the channel (its probability under every input) and a score s. With weights w over (q, s)

    minimise Σ w s² (f·q)   subject to   Σ w q = 1 (a channel),   Σ w s q = x (unbiased at every input),   w ≥ 0:

a linear program. Columns that cannot be split suffice: entries 1 and E, and under ULDP also the unit columns of the
inputs that are not sensitive. Given the program's prices, the best of the 2^K columns for a score is found entry by
entry, so columns are generated, and what no score can improve by any more bounds the distance from the optimum
(limits-and-repairs.md §9 has the values; the method is ours).
"""

from dataclasses import dataclass
from math import exp, tanh

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linprog

from ldpcore import checks

ROUNDS = 60
GAP = 5e-3
"""Relative distance from the optimum at which to stop."""


@dataclass(frozen=True)
class MeanLimit:
    """n·Var of the best unbiased estimate of the mean lies between `low` (certified) and `high` (attained)."""

    low: float
    high: float


def best_mean(epsilon: float, x: ArrayLike, freq: ArrayLike, sensitive: NDArray[np.bool_] | None = None) -> MeanLimit:
    """The limit for users with shares `freq` (K,) at the inputs x (K,) in [-1, 1].

    `sensitive` (K,) are the inputs that ULDP protects; None protects all (LDP). For inputs between the points it is a
    lower bound all the same: a mechanism for all inputs is one for these. ValueError for shares that are none.
    """
    growth, values = exp(checks.epsilon(epsilon)), checks.scaled(x)
    shares = checks.shares(freq, len(values))
    open_ = np.zeros(len(values), bool) if sensitive is None else ~checks.mask(sensitive, len(values))
    if open_.all():
        return MeanLimit(0.0, 0.0)
    k, square = len(values), float(shares @ values**2)
    reach = 2.5 / tanh(epsilon / 2) + 1
    scores = reach * np.sinh(np.linspace(-3, 3, 1201)) / np.sinh(3)
    columns, at = _start(values, scores[::40], growth, open_)
    low, high = 0.0, np.inf
    for _ in range(ROUNDS):
        found = linprog(
            at**2 * (shares @ columns),
            A_eq=np.vstack([columns, at * columns]),
            b_eq=np.concatenate([np.ones(k), values]),
        )
        if not found.success:
            raise RuntimeError(f"the limit's linear program failed: {found.message}")
        value = float(np.asarray(found.fun))
        high = value - square
        prices = np.asarray(found.eqlin.marginals)
        reduced = scores[:, None] ** 2 * shares - prices[:k] - scores[:, None] * prices[k:]
        best = np.where(reduced < 0, growth, 1.0)
        worth = np.sum(best * reduced, axis=1)
        # All weights of columns with entries at least 1 sum to at most 1, and so does each unit column's.
        unit = np.where(open_, np.minimum(reduced.min(axis=0), 0.0), 0.0)
        low = max(low, value + min(float(worth.min()), 0.0) + float(unit.sum()) - square)
        if high - low <= GAP * high:
            break
        chosen = _valleys(worth)
        added = [np.flatnonzero(open_ & (unit < -1e-12)), reduced.argmin(axis=0)]
        units = np.eye(k)[:, added[0]]
        columns = np.hstack([columns, best[chosen].T, units])
        at = np.concatenate([at, scores[chosen], scores[added[1][added[0]]]])
    return MeanLimit(low, high)


def _start(
    x: NDArray[np.float64], scores: NDArray[np.float64], growth: float, open_: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Columns (K, c) with scores (c,) that have a solution: thresholds and, where allowed, unit columns."""
    rising = np.where(x[:, None] >= x, growth, 1.0)
    both = np.hstack([rising, growth + 1 - rising])
    columns = [both, both, both]
    at = [np.full(both.shape[1], s) for s in (scores[0], scores[-1], 0.0)]
    units = np.eye(len(x))[:, open_]
    for s in (scores[0], scores[-1], 0.0):
        columns.append(units)
        at.append(np.full(units.shape[1], s))
    return np.hstack(columns), np.concatenate(at)


def _valleys(worth: NDArray[np.float64]) -> NDArray[np.intp]:
    """The scores at which a new column is worth most, and some of all others that are worth one."""
    inner = (worth <= np.roll(worth, 1)) & (worth <= np.roll(worth, -1))
    inner[::12] = True
    return np.flatnonzero(inner & (worth < -1e-12))
