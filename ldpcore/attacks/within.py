"""The adversary who wins by guessing a number to within ±δ (theory/adversary#within-delta)."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.numeric_randomizer import NumericRandomizer, Vector


def success(mechanism: NumericRandomizer, delta: float, prior: ArrayLike | None = None) -> Vector:
    """Pr[the guess is within ±delta of x | x] at each of the mechanism's `points`, exactly for reports kept by cell."""
    return mechanism.success(delta, prior)


def blind(mechanism: NumericRandomizer, delta: float, prior: ArrayLike | None = None) -> float:
    """The same without any report: the most that one guess covers."""
    weight = _prior(mechanism, prior)
    return float(np.max(_near(mechanism, delta) @ weight))


def guess(mechanism: NumericRandomizer, reports: ArrayLike, delta: float, prior: ArrayLike | None = None) -> Vector:
    """The guess (n,) for each report: the point with the largest posterior mass within ±delta."""
    joint = _prior(mechanism, prior)[:, None] * mechanism.mass(mechanism.points, mechanism.edges)
    best = mechanism.points[np.argmax(_near(mechanism, delta) @ joint, axis=0)]
    return best[mechanism.cell(reports)]


def _near(mechanism: NumericRandomizer, delta: float) -> NDArray[np.bool_]:
    if not delta > 0:
        raise ValueError(f"delta must be positive, got {delta:g}: how near a guess must be to count")
    return np.abs(mechanism.points[:, None] - mechanism.points) <= delta + 1e-12


def _prior(mechanism: NumericRandomizer, prior: ArrayLike | None) -> Vector:
    width = np.diff(mechanism.inputs)
    return width / width.sum() if prior is None else checks.shares(prior, len(width), "prior")
