"""The least error of a mean: no mechanism under the policy, with an unbiased score, gets below it (certified).

A report is a column q of the channel (its probability under every input) and a score s. With weights w over (q, s)

    minimise Σ w Σ_i q_i f_i (s − x_i)²   subject to   Σ w q = 1 (a channel),   Σ w q_i (s − x_i) = 0 (unbiased at every
    input),   w ≥ 0:

a linear program; its value is n·Var itself. Columns that cannot be split suffice: entries 1 and E, and under ULDP also
the unit columns of the inputs that are not sensitive. Given the program's prices, the best of the 2^K columns at the
best of all real scores is known in closed form (scored.py): so columns are generated, and what none of them can improve
by any more bounds the distance from the optimum (theory/limits#numbers has the values; the method is ours).
"""

from dataclasses import dataclass
from math import exp, expm1, sinh, tanh
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import OptimizeResult, linprog

from ldpcore import checks

from .scored import InputShares, ScoredColumns, Vector, best, certified, unit_columns

ROUNDS = 200
GAP = 1e-3
"""Relative distance from the optimum at which to stop."""
KEPT = 8
"""Columns per input that go on to the next program, those nearest to use; one more with every round."""
NOBODY = 1e-9
"""A share that is so small in units of 1/E is left out of what is not sensitive: the limit is a little lower for it."""
DROPPED = 1e-8
"""Entries below it are 0 for the solver, whose tolerance they are within."""


@dataclass(frozen=True)
class MeanLimit:
    """n·Var of the best unbiased estimate of the mean lies between `low` (certified: below every mechanism's) and
    `high` (a mechanism comes this near, to the solver's tolerance of 1e-6).
    """

    low: float
    high: float

    @property
    def gap(self) -> float:
        """The share of `high` by which the limit may be lower."""
        return (self.high - self.low) / self.high if self.high else 0.0


def best_mean(epsilon: float, x: ArrayLike, freq: ArrayLike, sensitive: NDArray[np.bool_] | None = None) -> MeanLimit:
    """The limit for users with shares `freq` (K,) at the inputs x (K,) in [-1, 1], at 0 < ε ≤ 40.

    No channel within the policy, even one made for these very shares, has a score that is unbiased at every one of
    the inputs and a smaller mean variance. `sensitive` (K,) are the inputs that ULDP protects; None protects all (LDP).
    A mechanism for more inputs is one for these. ValueError for shares that are none.
    """
    checks.epsilon(epsilon)
    values = checks.scaled(x)
    shares = checks.shares(freq, len(values))
    protected = np.ones(len(values), bool) if sensitive is None else checks.mask(sensitive, len(values))
    return search(epsilon, values, shares, protected).limit


@dataclass(frozen=True, eq=False)
class SearchResult:
    """What the search ends with: the limit, and columns with weights (c,) that come to `high`; None where it failed."""

    limit: MeanLimit
    columns: ScoredColumns | None = None
    weights: Vector | None = None


def search(
    epsilon: float, values: Vector, shares: Vector, protected: NDArray[np.bool_], epsilons: Vector | None = None
) -> SearchResult:
    """The program for checked inputs; epsilons (K,): each one's own ε, of which `epsilon` is the least."""
    # One who is neither protected nor there costs nothing: any score, however large, does for the column of its own.
    asked = protected | (shares > NOBODY * exp(-epsilon))
    if not protected.any() or np.ptp(values[asked]) == 0:
        return SearchResult(MeanLimit(0.0, 0.0))
    budgets = None if epsilons is None else epsilons[asked]
    crowd = InputShares(epsilon, values[asked], shares[asked], protected[asked], budgets)
    columns, scale = _start(crowd)
    low, high, incumbent = 0.0, np.inf, None
    for turn in range(ROUNDS):
        solved = _solved(crowd, columns, scale)
        if solved is None:
            break  # what is certified stands
        value, weights, a, b, idle = solved
        scale = value if value > 0 else scale
        if value < high:
            high, incumbent = value, (columns, weights)
        low = max(low, *(certified(crowd, *prices) for prices in ((a, b), _clipped(crowd, a, b))))
        own_columns, cost = unit_columns(crowd, a, b)
        cheapest = best(crowd, a, b)
        useful, lacking = cheapest.shortfall > 1e-12 * high, cost < -1e-12 * high
        if high - low <= GAP * high or not (useful.any() or lacking.any()):
            break
        kept = np.argsort(idle, kind="stable")[: (KEPT + turn) * len(crowd.x)]
        columns = _chosen(columns, kept).with_(_chosen(cheapest.columns, useful), _chosen(own_columns, lacking))
    if incumbent is None:
        raise RuntimeError("the limit's linear program could not be solved for these inputs; leave out near-equal ones")
    return SearchResult(MeanLimit(min(low, high), high), *incumbent)


def _chosen(columns: ScoredColumns, which: NDArray[np.bool_] | NDArray[np.intp]) -> ScoredColumns:
    return ScoredColumns(columns.entries[:, which], columns.away[:, which])


def _clipped(crowd: InputShares, a: Vector, b: Vector) -> tuple[Vector, Vector]:
    """Prices as good where ε is large: there the solver's tolerance leaves b open far beyond what it can be."""
    a = np.where(crowd.protected, a, np.minimum(a, 0.0))
    most = 8 * (len(a) + 1) / expm1(crowd.epsilon)
    bound = np.where(crowd.protected, np.inf, 2 * np.sqrt(np.maximum(-a * crowd.shares, 0.0)))
    return a, np.clip(b, -np.minimum(most, bound), np.minimum(most, bound))


def _start(crowd: InputShares) -> tuple[ScoredColumns, float]:
    """Columns that hold two channels, a bit (Duchi's) and randomized response, and the smaller n·Var of these."""
    x, k, gain = crowd.x, len(crowd.x), expm1(crowd.epsilon)
    protected, open_ = np.flatnonzero(crowd.protected), np.flatnonzero(~crowd.protected)
    rising, same = x[:, None] >= x, np.eye(k, dtype=bool)
    kinds = np.hstack([rising, ~rising, np.ones((k, 1), bool)])
    thresholds = np.where(kinds & crowd.protected[:, None], 1.0, crowd.least)
    thresholds /= thresholds.max(axis=0)
    size = 1 / tanh(crowd.epsilon / 2)
    parts = [
        ScoredColumns(thresholds, np.repeat(s - x[:, None], thresholds.shape[1], axis=1)) for s in (-size, 0.0, size)
    ]
    # Randomized response: the score of "i" lies beyond x_i by this much.
    beyond, beside = (k * x - x.sum()) / gain, x - x[:, None]
    truth = np.where(same, 1.0, crowd.least)
    for shift in (beyond, 0.0, 2 * k / gain, -2 * k / gain):
        parts += [ScoredColumns(truth[:, protected], (beside + shift)[:, protected])]
        parts += [ScoredColumns(same[:, open_].astype(float), (beside + shift)[:, open_])]
    parts += [ScoredColumns(np.ones((k, len(open_))), (beside + beyond)[:, open_])]
    bit = float(crowd.shares @ (1 - x**2)) + sinh(crowd.epsilon / 2) ** -2
    response = float(ScoredColumns(truth, beside + beyond).cost(crowd).sum()) / (1 + (k - 1) * crowd.least)
    return parts[0].with_(*parts[1:]), min(bit, response)


def _solved(
    crowd: InputShares, columns: ScoredColumns, scale: float
) -> tuple[float, Vector, Vector, Vector, Vector] | None:
    """The value, the weights (c,), the prices a, b (K,), and how far each column (c,) is from use, of this program.

    Rows differ from the first protected input's by little at a small ε, so they are taken from it, in units of
    1 − 1/E; costs are in units of `scale`.
    """
    k, first = len(crowd.x), int(np.argmax(crowd.protected))
    change = np.eye(k)
    change[:, first] -= 1
    change /= -expm1(-crowd.epsilon)
    change[first, first] = 1
    unit = 1 / tanh(crowd.epsilon / 2)
    rows = np.vstack([change @ columns.entries, change @ (columns.entries * columns.away) / unit])
    rows[np.abs(rows) < DROPPED] = 0.0
    right = np.zeros(2 * k)
    right[first] = 1.0
    size = np.abs(rows).max(axis=0)
    solution = _linear(columns.cost(crowd) / scale / size, rows / size, right)
    if solution is None:
        return None
    prices = solution.eqlin.marginals * scale
    weights = solution.x / size
    return (
        float(solution.fun) * scale,
        weights,
        prices[:k] @ change,
        prices[k:] @ change / unit,
        solution.lower.marginals,
    )


def _linear(cost: Vector, rows: Vector, right: Vector) -> OptimizeResult | None:
    """The solver at its finest; where that is beyond rounding, less fine, and at last by another method; None: lost.

    First without looking for what could be left out: rows and columns are made so that nothing can, and it takes as
    long as the solution.
    """
    tried: tuple[tuple[Any, float, bool], ...] = (
        ("highs", 1e-10, False),
        ("highs", 1e-10, True),
        ("highs", 1e-9, True),
        ("highs", 1e-7, True),
        ("highs-ipm", 1e-9, True),
    )
    for method, tolerance, presolve in tried:
        options: Any = {"dual_feasibility_tolerance": tolerance, "presolve": presolve}
        solution = linprog(cost, A_eq=rows, b_eq=right, method=method, options=options)
        if solution.success:
            return solution
    return None
