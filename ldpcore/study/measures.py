"""How a metric scatters from one repetition to the next, and so which interval its mean over them has.

A task says once, in its MEASURES, which of its metrics is what; nobody else chooses an interval.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.estimators import intervals
from ldpcore.estimators.intervals import Vector
from ldpcore.study.definition import Study

Ends = tuple[Vector, Vector]
"""low (q,) and high (q,)."""


class MetricKind(ABC):
    """A kind of metric."""

    @abstractmethod
    def ends(self, mean: Vector, variance: Vector, repeats: Vector, trials: int | None = None) -> Ends:
        """95 % intervals of q means, each over so many repetitions (q,) that have this variance (q,), by n − 1.

        `trials`: of one repetition, where they are counted (`Chance`).
        """

    def interval(self, values: ArrayLike) -> tuple[float, float]:
        """95 % interval of the mean of these repetitions (repeats,); the point itself for a single one.

        >>> low, high = POSITIVE.interval([1.0, 2.0, 0.5, 1.5, 1.2])
        >>> round(low, 2), round(high, 2)
        (0.62, 3.55)
        """
        given = np.asarray(values, float)
        spread = given.var(ddof=1) if len(given) > 1 else 0.0
        low, high = self.ends(np.array([given.mean()]), np.array([spread]), np.array([len(given)], float))
        return float(low[0]), float(high[0])


@dataclass(frozen=True)
class Positive(MetricKind):
    """What cannot be negative, nor above `most`: errors, scores, numbers of things (`intervals.error_interval`).

    `freedom`: least and most degrees of freedom that the χ² of one repetition has.
    """

    freedom: tuple[float, float] = (1.0, inf)
    most: float = inf

    def ends(self, mean: Vector, variance: Vector, repeats: Vector, trials: int | None = None) -> Ends:
        return intervals.error_ends(mean, variance, repeats, freedom=self.freedom, most=self.most)


@dataclass(frozen=True)
class Normal(MetricKind):
    """What is nearly normal and may have either sign: estimates (Student's t)."""

    def ends(self, mean: Vector, variance: Vector, repeats: Vector, trials: int | None = None) -> Ends:
        return intervals.mean_ends(mean, variance, repeats)


POSITIVE = Positive()
"""Means of many squared errors, largest errors, numbers of things."""
SQUARE = Positive(freedom=(1.0, 1.0))
"""The square of one nearly normal error: only the mean counts, its spread is known."""
LAPLACE = Positive(freedom=(0.4, inf))
"""Squared errors of few Laplace noises: one square has 5 times its mean square as variance, as χ² with 2/5 degrees."""
SCORE = Positive(most=1.0)
"""Between 0 and 1."""
NORMAL = Normal()


Trials = Callable[[Study, Any, str], int | None]
"""(study, prepared data, scope) → independent trials in each repetition; None where nobody knows."""


@dataclass(frozen=True)
class Chance(MetricKind):
    """A share of successes among so many `trials` per repetition (Clopper, Pearson 1934).

    Trials with different chances vary less than the binomial, so that theirs is wider than it need be. Where nobody
    knows how many trials there were, it is a score.
    """

    trials: Trials

    def ends(self, mean: Vector, variance: Vector, repeats: Vector, trials: int | None = None) -> Ends:
        if not trials:
            return SCORE.ends(mean, variance, repeats)
        return intervals.proportion_ends(np.round(mean * repeats * trials), repeats * trials)


Measures = Mapping[str, MetricKind]
"""Metric, or what stands before its colon, → its kind."""


def of(measures: Measures, metric: str) -> MetricKind:
    """The kind of a metric; ValueError for one that the task does not name.

    >>> of({"mse": SQUARE}, "mse:em") is SQUARE
    True
    """
    kind = measures.get(metric) or measures.get(metric.partition(":")[0])
    if kind is None:
        raise ValueError(f"there is no metric {metric!r} here; there are {', '.join(measures)}")
    return kind
