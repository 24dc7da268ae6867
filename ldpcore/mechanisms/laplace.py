"""Laplace noise on a number: the baseline that everybody knows."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.bins import merged
from ldpcore.channel import Channel, ReportColumn
from ldpcore.numeric_randomizer import BINS, NumericRandomizer, Vector
from ldpcore.policy import LDP, Policy
from ldpcore.tally import NumericTally

TAIL = 16.0
"""Scales beyond ±1 that have cells of their own; past them, e⁻¹⁶, reports count in the end cells."""


@dataclass(frozen=True, eq=False)
class Laplace(NumericRandomizer):
    """x + Lap(2/ε) (Dwork, McSherry, Nissim, Smith 2006). Variance 8/ε²."""

    epsilon: float
    bins: int = BINS

    def __post_init__(self) -> None:
        checks.epsilon(self.epsilon)
        checks.integer(self.bins, "bins", 2, 100_000)

    @property
    def scale(self) -> float:
        return 2 / self.epsilon

    def policy(self, points: Vector) -> Policy:
        return LDP(self.epsilon)

    def perturb(self, x: ArrayLike, rng: np.random.Generator) -> Vector:
        values = checks.scaled(x)
        return values + rng.laplace(0.0, self.scale, len(values))

    def accepts(self, reports: Vector) -> NDArray[np.bool_]:
        """Any number: noise has no end."""
        return np.isfinite(np.asarray(reports, float))

    def report_moments(self, x: ArrayLike) -> tuple[Vector, Vector]:
        values = checks.scaled(x)
        return values, np.full(len(values), 2 * self.scale**2)

    @cached_property
    def edges(self) -> Vector:
        far = 1 + TAIL * self.scale
        return merged(np.concatenate([self.inputs, np.linspace(-far, far, self.bins + 1)]))

    def _upto(self, y: Vector, power: int) -> Vector:
        """∫ up to y of t or t² (`power`) times the density of Lap(scale) at 0; y may be infinite."""
        b, far = self.scale, np.isinf(y)
        t = np.where(far, 0.0, y)
        tail = np.where(far, 0.0, np.exp(-np.abs(t) / b) / 2)
        # Beyond y the moments are those of an exponential: (y + b, y² + 2by + 2b²) times the tail's mass.
        over = tail * (np.abs(t) + b) if power == 1 else tail * (t * t + 2 * b * np.abs(t) + 2 * b * b)
        whole = 0.0 if power == 1 else 2 * b * b
        return np.where(y < 0, over * (-1) ** power, whole - over)

    def _cells(self, x: Vector, edges: Vector, power: int) -> Vector:
        ends = np.concatenate([[-np.inf], np.asarray(edges, float)[1:-1], [np.inf]])
        return np.diff(self._upto(ends - x[:, None], power), axis=1)

    def mass(self, x: ArrayLike, edges: Vector) -> Vector:
        ends = np.concatenate([[-np.inf], np.asarray(edges, float)[1:-1], [np.inf]]) - checks.scaled(x)[:, None]

        def beyond(start: Vector, stop: Vector) -> Vector:
            """On one side of x, to the last bit also far out, where a difference of tails has none left."""
            start, stop = np.maximum(start, 0.0), np.maximum(stop, 0.0)
            return -np.exp(-start / self.scale) * np.expm1((start - stop) / self.scale) / 2

        return beyond(ends[:, :-1], ends[:, 1:]) + beyond(-ends[:, 1:], -ends[:, :-1])

    def partial_moments(self, x: Vector, edges: Vector) -> tuple[Vector, Vector]:
        zero, one, two = self.mass(x, edges), self._cells(x, edges, 1), self._cells(x, edges, 2)
        at = x[:, None]
        return one + at * zero, two + 2 * at * one + at**2 * zero

    def log_likelihood(self, reports: ArrayLike, x: ArrayLike) -> Vector:
        distance = np.abs(checks.numbers(reports, "reports")[:, None] - checks.scaled(x))
        return -distance / self.scale - np.log(2 * self.scale)

    def score(self, reports: ArrayLike) -> Vector:
        return checks.numbers(reports, "reports")

    def extremes(self) -> tuple[float, float]:
        return -np.inf, np.inf

    def score_moments(self, x: ArrayLike) -> tuple[Vector, Vector]:
        return self.report_moments(x)

    def score_of_tally(self, tally: NumericTally) -> float:
        return tally.total / tally.n

    def channel(self) -> Channel:
        cells = zip(self.edges[:-1], self.edges[1:], strict=True)
        return Channel(self.mass(self.points, self.edges), tuple(ReportColumn(f"{a:.4g} to {b:.4g}") for a, b in cells))
