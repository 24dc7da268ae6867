"""What the means task makes of the data: a column of numbers, and the people of one cell in their groups."""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ldpcore.data.weighing import MayBeWeighted, Weighing
from ldpcore.domain import Interval
from ldpcore.estimators import personal_means, weighted
from ldpcore.memory import Remembering
from ldpcore.numeric_randomizer import FITTED, NumericRandomizer, Vector
from ldpcore.study import intervals
from ldpcore.tally import NumericTally

PEOPLE = 200_000
"""Up to so many people are simulated one by one; more by their counts in cells (NumericRandomizer.simulate)."""


class _AtPoints(MayBeWeighted):
    """So many people at each point, who may have weights."""

    counts: NDArray[np.int64]

    @property
    def n(self) -> int:
        return int(self.counts.sum())

    @property
    def held(self) -> Vector:
        """How much of all there is at each point: people, or their weights."""
        return self.counts.astype(float) if self.weighing is None else self.weighing.total

    @property
    def squares(self) -> Vector:
        """What the variance goes by at each point: people, or their squared weights (theory/weights#exact)."""
        return self.counts.astype(float) if self.weighing is None else self.weighing.square


@dataclass(frozen=True, eq=False)
class NumberColumn(Remembering, _AtPoints):
    """A column of numbers: distinct `points` on [-1, 1] with `counts` users, its public range, and what was lost;
    weighing: what the users at each point count for, where they have weights.
    """

    interval: Interval
    bins: int
    points: Vector
    counts: NDArray[np.int64]
    dropped: int
    clipped: int
    hidden: float
    """The mean of the column before clipping minus after, in the user's units: what clipping hides."""
    weighing: Weighing | None = None

    @property
    def mean(self) -> float:
        """The true mean of the clipped numbers, in the user's units: of people, or of those whom weights stand for."""
        return float(self.interval.decode(self.points @ self.held / self.held.sum()))

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
        return np.histogram(self.points, np.linspace(-1, 1, self.bins + 1), weights=self.held)[0] / self.held.sum()


@dataclass(frozen=True, eq=False)
class PointGroup(_AtPoints):
    """People with the same marks: how many at each of the points; weighing: where they have weights, what they count
    for there.
    """

    mechanism: NumericRandomizer
    points: Vector
    counts: NDArray[np.int64]
    weighing: Weighing | None = None

    @property
    def effective(self) -> float:
        """So many people with equal weights err as much."""
        return self.n if self.weighing is None else self.weighing.effective

    @property
    def mean(self) -> float:
        """The true mean, on [-1, 1]."""
        return float(self.points @ self.held / self.held.sum())

    @property
    def drawn(self) -> Vector:
        """How much there is of those who are simulated: of many different weights the same but for their rounding."""
        return self.held if self.weighing is None else self.weighing.weights @ self.weighing.counts

    def moments(self, how: str) -> tuple[float, float]:
        """Exact mean and variance of the group's estimated mean, on [-1, 1]."""
        mean, spread = self.mechanism.moments(self.points, how)
        total = float(self.held.sum())
        return float(mean @ self.held) / total, float(spread @ self.squares) / total**2

    def survey(self, rng: np.random.Generator) -> NumericTally:
        if self.weighing is None:
            return self._of(self.counts, rng)
        some = self.weighing.counts.any(axis=1)
        tallies = [self._of(counts, rng) for counts in self.weighing.counts[some]]
        return weighted.numbers(tallies, self.weighing.weights[some])

    def _of(self, counts: NDArray[np.int64], rng: np.random.Generator) -> NumericTally:
        if self.n > PEOPLE:
            return next(self.mechanism.draw(self.points, rng, 1, counts))
        return self.mechanism.tally(self.mechanism.perturb(np.repeat(self.points, counts), rng))


@dataclass(frozen=True, eq=False)
class MeanDesignPoint:
    """One mechanism at one value of the axis."""

    groups: tuple[PointGroup, ...]
    marked: tuple[intervals.Pair, ...]
    secret: tuple[intervals.Pair, ...] = ()
    """Those of them with a smaller ε than the others."""

    @property
    def mean(self) -> float:
        """The true mean of all people, on [-1, 1], or of those whom their weights stand for."""
        return float(sum(g.points @ g.held for g in self.groups) / sum(g.held.sum() for g in self.groups))

    @property
    def drawn(self) -> float:
        """That of those who are simulated."""
        return float(sum(g.points @ g.drawn for g in self.groups) / sum(g.drawn.sum() for g in self.groups))

    @property
    def rounding(self) -> float:
        """What simulating classes of weights takes off the mean; 0 where no weights are rounded."""
        return self.mean - self.drawn

    def moments(self, how: str, combination: str = "share") -> tuple[float, float]:
        """Exact mean and variance of everybody's estimated mean, on [-1, 1]."""
        mean, spread = np.array([g.moments(how) for g in self.groups]).T
        weight = self.weights(combination, how)
        return float(weight @ mean), float(weight**2 @ spread)

    @property
    def bits(self) -> float:
        """Size of a report; where people choose their marks, on average over them."""
        sizes = [group.mechanism.report_bits() for group in self.groups]
        return float(np.average(sizes, weights=[group.n for group in self.groups]))

    @property
    def combinations(self) -> tuple[str, ...]:
        return personal_means.HOW if len(self.groups) > 1 else ("share",)

    def weights(self, combination: str, how: str) -> Vector:
        sizes = [g.held.sum() if combination == "share" else g.effective for g in self.groups]
        return personal_means.weights([g.mechanism for g in self.groups], sizes, combination, how)

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
