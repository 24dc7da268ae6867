"""What the means task makes of the data: a column of numbers, and the people of one cell in their groups."""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ldpcore.domain import Interval
from ldpcore.estimators import personal_means
from ldpcore.memory import Remembering
from ldpcore.numeric_randomizer import FITTED, NumericRandomizer, Vector
from ldpcore.study import intervals
from ldpcore.tally import NumericTally

PEOPLE = 200_000
"""Up to so many people are simulated one by one; more by their counts in cells (NumericRandomizer.simulate)."""


@dataclass(frozen=True, eq=False)
class NumberColumn(Remembering):
    """A column of numbers: distinct `points` on [-1, 1] with `counts` users, its public range, and what was lost."""

    interval: Interval
    bins: int
    points: Vector
    counts: NDArray[np.int64]
    dropped: int
    clipped: int
    hidden: float
    """The mean of the column before clipping minus after, in the user's units: what clipping hides."""

    @property
    def n(self) -> int:
        return int(self.counts.sum())

    @property
    def mean(self) -> float:
        """The true mean of the clipped numbers, in the user's units."""
        return float(self.interval.decode(self.points @ self.counts / self.n))

    @property
    def unit(self) -> float:
        """The user's units per unit of [-1, 1]."""
        return (self.interval.high - self.interval.low) / 2

    @cached_property
    def labels(self) -> list[str]:
        """Names of the equal bins, 'low..high'."""
        ends = np.linspace(self.interval.low, self.interval.high, self.bins + 1)
        return [f"{low:.6g}..{high:.6g}" for low, high in pairwise(ends)]

    @cached_property
    def shares(self) -> Vector:
        """True shares (bins,)."""
        return np.histogram(self.points, np.linspace(-1, 1, self.bins + 1), weights=self.counts)[0] / self.n


@dataclass(frozen=True, eq=False)
class PointGroup:
    """People with the same marks: how many at each of the points."""

    mechanism: NumericRandomizer
    points: Vector
    counts: NDArray[np.int64]

    @property
    def n(self) -> int:
        return int(self.counts.sum())

    def moments(self, how: str) -> tuple[float, float]:
        """Exact mean and variance of the group's estimated mean, on [-1, 1]."""
        mean, spread = self.mechanism.moments(self.points, how)
        return float(mean @ self.counts) / self.n, float(spread @ self.counts) / self.n**2

    def survey(self, rng: np.random.Generator) -> NumericTally:
        if self.n > PEOPLE:
            return next(self.mechanism.draw(self.points, rng, 1, self.counts))
        return self.mechanism.tally(self.mechanism.perturb(np.repeat(self.points, self.counts), rng))


@dataclass(frozen=True, eq=False)
class MeanDesignPoint:
    """One mechanism at one value of the axis."""

    groups: tuple[PointGroup, ...]
    marked: tuple[intervals.Pair, ...]
    secret: tuple[intervals.Pair, ...] = ()
    """Those of them with a smaller ε than the others."""

    @property
    def mean(self) -> float:
        """The true mean of all people, on [-1, 1]."""
        return float(sum(g.points @ g.counts for g in self.groups) / sum(g.n for g in self.groups))

    def moments(self, how: str, combination: str = "share") -> tuple[float, float]:
        """Exact mean and variance of everybody's estimated mean, on [-1, 1]."""
        mean, spread = np.array([g.moments(how) for g in self.groups]).T
        weight = self.weights(combination, how)
        return float(weight @ mean), float(weight**2 @ spread)

    @property
    def combinations(self) -> tuple[str, ...]:
        return personal_means.HOW if len(self.groups) > 1 else ("share",)

    def weights(self, combination: str, how: str) -> Vector:
        parts = [g.mechanism for g in self.groups], [g.n for g in self.groups]
        return personal_means.weights(*parts, combination, how)

    def estimates(self, wanted: tuple[str, ...]) -> list[str]:
        """Those that every group's mechanism has."""
        of_groups = [estimates_of(g.mechanism, wanted) for g in self.groups]
        return [how for how in wanted if all(how in each for each in of_groups)]


def estimates_of(mechanism: NumericRandomizer, wanted: tuple[str, ...]) -> list[str]:
    """Those that a mechanism has; where the report is unbiased, its mean alone.

    >>> from ldpcore import catalog
    >>> estimates_of(catalog.MEANS["PM"].build(1.0), ("mean", "unbiased", "mle"))
    ['mean', 'mle']
    """
    once = ("unbiased",) if mechanism.unbiased else ()
    fitted = () if mechanism.recovers else FITTED
    return [how for how in wanted if how in mechanism.estimates() and how not in (*once, *fitted)]
