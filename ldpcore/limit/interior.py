"""A primal-dual interior-point method for min Σ c·loss/information over channels, with at most three such terms.

The Hessian has rank three and there are at most three constraints, so a Newton step costs one 6×6 system and a few
passes over the orbits. All of them take part in the certificate: the value is convex, so its tangent at x, minimised
over all channels, bounds every channel from below; multipliers under which no column has a negative reduced cost prove
that minimum (Frank and Wolfe's gap).
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

from .objective import ObjectiveTerms, Program, certificate, gap_of, terms_of

Array = NDArray[np.float64]

TARGET = 1e-8
"""Relative duality gap at which the method stops."""
ENOUGH = 1e-7
"""Gap over all columns at which no more of them are taken in."""
MORE = 1500
"""Columns taken in at a time."""
KEPT = 600
"""Columns from which the few are chosen."""
HALVINGS = 6
"""Tries of a shorter step before the full one is taken after all. Where even a sixtieth of it does not help, much
shorter ones that do lead nowhere: the gradient bends in a few columns, which one full step leaves behind.
"""
CRUMB = 1e-6
"""Weight below which a column is dropped where that costs nothing."""


def minimise(program: Program, start: Array) -> tuple[Array, float]:
    """An optimal x (n,) on few columns, and its certified gap over all columns as a share of the value.

    start: a feasible x; the method begins with the columns where it is positive, prices all the others, takes in the
    cheapest, and ends when the certificate holds over all.
    """
    terms = terms_of(program)
    active = np.flatnonzero(start)
    first = start
    while True:
        part = program if len(active) == len(start) else program.restricted(active)
        inside, multipliers = _follow(part, first[active])
        x = np.zeros(len(start))
        x[active] = _few(part, inside, multipliers)
        gap, reduced = certificate(program, terms, x, multipliers)
        grown = np.union1d(active, np.argsort(reduced)[:MORE])
        if gap < ENOUGH or len(grown) == len(active):
            return x, gap
        # A little of every new column: not quite a channel, which the first steps repair.
        first = 0.9 * start
        first[grown] += 0.1 / len(grown)
        active = grown


def _few(program: Program, x: Array, multipliers: Array) -> Array:
    """A channel of at most six columns with the same loss, information and exposure, if it is certified as well."""
    terms = terms_of(program)
    target = np.concatenate([terms.slope @ x, program.right])
    size = np.where(target == 0, 1.0, np.abs(target))
    basis = np.vstack([terms.slope, program.rows]) / size[:, None]
    kept = np.argsort(np.abs(basis).max(axis=0) * x)[-KEPT:]
    basis = basis[:, kept]
    # The constraints must hold exactly; of the rest, more digits than the gap shows are of no use.
    emphasis = np.where(np.arange(len(target)) < len(terms.cost), 1.0, 1e3)
    solution = nnls(basis * emphasis[:, None], target / size * emphasis)[0]
    few = np.zeros(len(x))
    few[kept] = solution
    choice, best = x, np.inf
    for y in (_without_crumbs(program, few), few, _without_crumbs(program, x), x):
        if y.min() >= 0 and program.missed(y) < 1e-9 and np.isfinite(terms.value(y)):
            gap = certificate(program, terms, y, multipliers)[0]
            if gap < min(best, max(ENOUGH, 0.1 * best)):
                choice, best = y, gap
                if gap < ENOUGH:
                    break
    return choice


def _without_crumbs(program: Program, x: Array) -> Array:
    """Only the columns that carry weight, moved by as little as keeps the constraints."""
    kept = np.where(x > CRUMB, x, 0.0)
    weighted = program.rows * kept
    return kept + weighted.T @ np.linalg.lstsq(weighted @ program.rows.T, program.right - program.rows @ kept)[0]


def _follow(program: Program, start: Array, iterations: int = 60) -> tuple[Array, Array]:
    """An interior x near the optimum and the multipliers of its rows, by Mehrotra's predictor and corrector.

    Both sides take the same step: the gradient is not linear, and unequal steps would break what links them.
    """
    terms = terms_of(program)
    unit = terms.value(start)
    terms = replace(terms, cost=terms.cost / unit)
    best = _path(program, terms, start, iterations, careful=False)
    if best[0] > ENOUGH:
        # Full steps can go in circles where a few columns carry everything; shorter ones are slow elsewhere.
        best = min(best, _path(program, terms, start, 3 * iterations, careful=True), key=lambda found: found[0])
    multipliers = best[2] * unit
    if program.bounded:
        multipliers[-1] = min(multipliers[-1], 0.0)
    return best[1], multipliers


def _path(
    program: Program, terms: ObjectiveTerms, start: Array, iterations: int, careful: bool
) -> tuple[float, Array, Array]:
    """The best point met: its gap, itself and its multipliers."""
    state = _begin(program, terms, start)
    best = (np.inf, start, state.multipliers)
    for _ in range(iterations):
        value = terms.value(state.x)
        first, second = terms.derivatives(state.x)
        reduced = first @ terms.slope - state.multipliers @ program.rows
        missing = program.right - program.rows @ state.x
        gap = gap_of(program, reduced, state.x) / value + program.missed(state.x)
        if gap < best[0]:
            best = (gap, state.x, state.multipliers)
        # Rounding may hide the last digits: then what was best so far is the answer.
        if gap < TARGET or state.x @ state.z < 1e-3 * TARGET * value:
            break
        state = _step(program, terms, state, reduced - state.z, missing, second, careful)
    return best


@dataclass(frozen=True)
class _State:
    x: Array
    z: Array
    multipliers: Array

    def moved(self, length: float, direction: "_State") -> "_State":
        return _State(
            self.x + length * direction.x,
            self.z + length * direction.z,
            self.multipliers + length * direction.multipliers,
        )

    def longest(self, direction: "_State") -> float:
        return min(_longest(self.x, direction.x), _longest(self.z, direction.z))


def _begin(program: Program, terms: ObjectiveTerms, x: Array) -> _State:
    """Reduced costs that are all positive."""
    gradient = terms.derivatives(x)[0] @ terms.slope
    multipliers = np.zeros(len(program.right))
    if program.bounded:
        multipliers[-1] = -1.0
    multipliers[0] += min(0.0, float((gradient - multipliers @ program.rows).min())) - 0.5
    return _State(x, gradient - multipliers @ program.rows, multipliers)


def _step(
    program: Program, terms: ObjectiveTerms, at: _State, dual: Array, missing: Array, second: Array, careful: bool
) -> _State:
    """One predictor and corrector; `dual` and `missing` are what the two sides lack."""
    basis = np.vstack([terms.slope, program.rows])
    ratio = at.x / at.z
    weighted = basis * ratio
    matrix = weighted @ basis.T
    kinds = len(second)
    matrix[np.arange(kinds), np.arange(kinds)] += 1 / second
    lead = np.concatenate([np.zeros(kinds), missing])

    def direction(centre: Array | float) -> _State:
        force = centre / at.x - at.z - dual
        w = _solve(matrix, lead - weighted @ force)
        dx = ratio * (force + w @ basis)
        return _State(dx, (centre - at.z * dx) / at.x - at.z, w[kinds:])

    product = at.x @ at.z
    predictor = direction(0.0)
    ahead = at.moved(at.longest(predictor), predictor)
    centre = max((ahead.x @ ahead.z / product) ** 3, 1e-3) * product / len(at.x)
    corrector = direction(centre - predictor.x * predictor.z)
    if careful:
        return _descended(program, terms, at, corrector, centre)
    return at.moved(0.99 * at.longest(corrector), corrector)


def _descended(program: Program, terms: ObjectiveTerms, at: _State, direction: _State, centre: Array | float) -> _State:
    """The longest step after which less is missing: 1/information bends, and full steps can go in circles."""
    before, length = _missing(program, terms, at, centre), 0.99 * at.longest(direction)
    for _ in range(HALVINGS):
        new = at.moved(length, direction)
        if _missing(program, terms, new, centre) <= (1 - 0.01 * length) * before:
            return new
        length /= 2
    return at.moved(0.99 * at.longest(direction), direction)


def _missing(program: Program, terms: ObjectiveTerms, at: _State, centre: Array | float) -> float:
    """Length of what the conditions of the central path lack: the gradient's, the rows', the products'."""
    gradient = terms.derivatives(at.x)[0] @ terms.slope - at.multipliers @ program.rows
    parts = (gradient - at.z, program.right - program.rows @ at.x, at.x * at.z - centre)
    return float(np.sqrt(sum(part @ part for part in parts)))


def _longest(x: Array, step: Array) -> float:
    """The largest step in (0, 1] that keeps x + step ≥ 0."""
    falling = step < 0
    return min(1.0, float(np.min(-x[falling] / step[falling], initial=1.0)))


def _solve(matrix: Array, right: Array) -> Array:
    size = np.sqrt(np.maximum(np.diag(matrix), np.finfo(float).tiny))
    scaled = matrix / np.outer(size, size)
    try:
        return np.linalg.solve(scaled, right / size) / size
    except np.linalg.LinAlgError:
        return np.linalg.lstsq(scaled, right / size, rcond=None)[0] / size
