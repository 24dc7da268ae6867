"""The adversary who wins by guessing a number to within ±δ (theory/adversary#within-delta)."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.numeric_randomizer import NumericRandomizer, Vector

MANY = 1024
"""Numbers, above which each bin's are gone through apart."""


def success(
    mechanism: NumericRandomizer, delta: float, prior: ArrayLike | None = None, x: ArrayLike | None = None
) -> Vector:
    """Pr[the guess is within ±delta of x | x] at each of these x (n,), of one who sees the cell of the report; held
    against the midpoint of x's bin, as the guess is one. x None: the mechanism's `points`. prior: of the input bins;
    None gives each its width.
    """
    near, weight = _near(mechanism, delta), _prior(mechanism, prior)
    mass = mechanism.mass(mechanism.points, mechanism.edges)
    hits = near[:, _guessed(near, weight, mass)]
    if x is None:
        return np.sum(mass * hits, axis=1)
    given = np.asarray(x, float)
    guesses = bins(mechanism, given)
    if len(given) <= MANY:
        return np.sum(mechanism.mass(given, mechanism.edges) * hits[guesses], axis=1)
    chances = np.empty(len(given))
    for each in np.unique(guesses):
        chances[guesses == each] = _won(mechanism, given[guesses == each], hits[each])
    return chances


def _won(mechanism: NumericRandomizer, x: Vector, hit: NDArray[np.bool_]) -> Vector:
    """Pr[report in one of these cells | x] (n,): of the few runs that they make, not cell by cell."""
    bounds = np.concatenate([[0], np.flatnonzero(hit[1:] != hit[:-1]) + 1, [len(hit)]])
    return mechanism.mass(x, mechanism.edges[bounds])[:, hit[bounds[:-1]]].sum(axis=1)


def bins(mechanism: NumericRandomizer, x: ArrayLike) -> NDArray[np.intp]:
    """The input bin (n,) of each number."""
    where = np.searchsorted(mechanism.inputs, np.asarray(x, float), side="right") - 1
    return np.clip(where, 0, len(mechanism.points) - 1)


def blind(mechanism: NumericRandomizer, delta: float, prior: ArrayLike | None = None) -> float:
    """The same without any report: the most that one guess covers."""
    weight = _prior(mechanism, prior)
    return float(np.max(_near(mechanism, delta) @ weight))


def guess(mechanism: NumericRandomizer, reports: ArrayLike, delta: float, prior: ArrayLike | None = None) -> Vector:
    """The guess (n,) for each report: the point with the largest posterior mass within ±delta."""
    near, weight = _near(mechanism, delta), _prior(mechanism, prior)
    mass = mechanism.mass(mechanism.points, mechanism.edges)
    return mechanism.points[_guessed(near, weight, mass)][mechanism.cell(reports)]


def _guessed(near: NDArray[np.bool_], weight: Vector, mass: Vector) -> NDArray[np.intp]:
    """The bin that is guessed from each cell."""
    return np.argmax(near @ (weight[:, None] * mass), axis=0)


def _near(mechanism: NumericRandomizer, delta: float) -> NDArray[np.bool_]:
    if not delta > 0:
        raise ValueError(f"delta must be positive, got {delta:g}: how near a guess must be to count")
    return np.abs(mechanism.points[:, None] - mechanism.points) <= delta + 1e-12


def _prior(mechanism: NumericRandomizer, prior: ArrayLike | None) -> Vector:
    width = np.diff(mechanism.inputs)
    return width / width.sum() if prior is None else checks.shares(prior, len(width), "prior")
