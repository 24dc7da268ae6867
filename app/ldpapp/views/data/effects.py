"""What a setting of marks does to the answers of a column, from protecting every value (SS) to protecting the marked
ones (uSS). In words: findings.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ldpapp.compute.memory import once
from ldpapp.tasks.frequency import facts
from ldpapp.tasks.frequency.facts import Facts
from ldpcore.data import Histogram
from ldpcore.study import Arm, Source, Study


@once(64)
def _both(values: tuple[str, ...], epsilon: float) -> Study:
    """Everything protected, and what is marked."""
    return Study(Source(""), "", arms=(Arm.of("A", values),), mechanisms=("SS", "uSS"), epsilon=epsilon)


@dataclass(frozen=True, eq=False)
class Effect:
    """One setting of marks at one ε: the same survey with every value protected, and with the marked ones."""

    counted: Histogram
    every: Facts
    marked: Facts

    @classmethod
    def of(cls, counted: Histogram, values: Sequence[str], epsilon: float) -> "Effect":
        found = facts.facts(_both(tuple(values), epsilon), counted, "A")
        return cls(counted, found["SS"], found["uSS"])

    @property
    def names(self) -> tuple[str, str]:
        """The mechanisms behind the two errors."""
        return self.every.key, self.marked.key

    @property
    def groups(self) -> None:
        """Answers have no categories."""

    @property
    def labels(self) -> tuple[str, ...]:
        return self.counted.domain.labels

    @property
    def mask(self) -> NDArray[np.bool_]:
        return self.marked.marked

    @property
    def shares(self) -> NDArray[np.float64]:
        return self.marked.freq

    @property
    def epsilon(self) -> float:
        return self.marked.mechanism.epsilon

    @property
    def people(self) -> int:
        """How many gave a marked answer."""
        return int(self.counted.counts[self.mask].sum())

    @cached_property
    def loss(self) -> NDArray[np.float64]:
        """The privacy loss of every pair with the marks: (k, k)."""
        return self.marked.mechanism.privacy_loss()

    @cached_property
    def lift(self) -> float:
        """How many times a report can at most multiply odds, where that is bounded."""
        return float(np.exp(self.loss[np.isfinite(self.loss)].max(initial=0.0)))

    def errors(self, scope: str) -> tuple[float, float]:
        """A share’s root mean squared error with everything protected, and with the marks; pages say its margin."""
        return self.every.error(scope), self.marked.error(scope)

    def intervals(self, edges: NDArray[np.float64]) -> list[tuple[float, float]]:
        """The marked bins as intervals of numbers."""
        return [(float(edges[i]), float(edges[i + 1])) for i in np.flatnonzero(self.mask[: len(edges) - 1])]
