"""Simulated surveys of one mechanism beside what theory predicts of their shares, of values or of items.

>>> from ldpcore import Marks, Source, Study, data, run
>>> from ldpcore.study.execute import prepare
>>> from ldpcore.study.frequency.facts import facts
>>> study = Study(Source("health"), "condition", Marks.of(["HIV"]), ("uSS",), grid=(), repetitions=4)
>>> counted = prepare(study)
>>> shares = facts(study, counted).every["uSS"].simulated(counted.domain.labels, run(study))
>>> shares.estimates.shape == (4, counted.domain.k), shares.is_rare
(True, False)
>>> low, high = shares.by_chance
>>> low < 1 < high
True
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore.estimators.intervals import squares_by_chance

Shares = NDArray[np.float64]


def estimates(rows: pd.DataFrame, mechanism: str, labels: Sequence[str]) -> Shares:
    """Simulated rows → this mechanism's estimates (repetitions, k), in the order of these values or items."""
    mine = rows[(rows["metric"] == "estimate") & (rows["mechanism"] == mechanism)]
    return mine.pivot(index="repetition", columns="scope", values="value").reindex(columns=list(labels)).to_numpy()


@dataclass(frozen=True, eq=False)
class SimulatedShares:
    """Simulated surveys of one mechanism beside what theory predicts; shares between 0 and 1, k values or items."""

    mechanism: str
    labels: Sequence[str]
    marked: NDArray[np.bool_]
    truth: Shares
    estimates: Shares
    """(repetitions, k)"""
    variance: Shares
    """Of the estimates (k,)."""
    squared: Shares
    """Expected squared error (k,): the variance, and the bias where there is one."""
    interval: Callable[[Shares], tuple[Shares, Shares]]
    """A release (k,) → both ends of its 95 % intervals."""
    more: Mapping[str, Shares] = field(default_factory=dict)
    """Further columns of a table of them, by their names."""
    people: int = 0
    """Who take part in a survey; 0 where that is not needed."""
    secret: NDArray[np.bool_] | None = None
    """Which of the marked are secret."""

    @property
    def errors(self) -> Shares:
        return self.estimates - self.truth

    @property
    def ratios(self) -> Shares:
        """Each survey's squared error over the predicted one; empty where no error is predicted."""
        expected = self.squared.mean()
        return (self.errors**2).mean(axis=1) / expected if expected > 0 else np.empty(0)

    @property
    def by_chance(self) -> tuple[float, float]:
        """Between which the mean of `ratios` would lie in 95 of 100 such experiments, were theory right; two surveys at
        least.
        """
        return squares_by_chance(self.errors, self.squared)

    @property
    def is_rare(self) -> bool:
        """Whether theory expects less than one changed report in a survey: each moves two counts by one."""
        return self.people > 0 and float(self.squared.sum()) * self.people**2 < 2

    def draw(self, number: int) -> Shares:
        """The release of this number; they are counted round."""
        return self.estimates[number % len(self.estimates)]
