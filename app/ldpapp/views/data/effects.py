"""What a setting of marks does to the answers of a column, from protecting every value (SS) to protecting the marked
ones (uSS); with secret values from treating all marked as secret to each at its level. In words: findings.py.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ldpcore import catalog
from ldpcore.data import Histogram
from ldpcore.study import Marks
from ldpcore.study.frequency import facts
from ldpcore.study.frequency.facts import ShareFacts


@dataclass(frozen=True, eq=False)
class Effect:
    """One setting of marks at one ε: the same survey with every value protected, and with the marked ones."""

    counted: Histogram
    every: ShareFacts
    marked: ShareFacts

    epsilon: float

    @classmethod
    def of(cls, counted: Histogram, marks: Marks, epsilon: float, secret: float | None = None) -> "Effect":
        """secret: the ε of secret ones."""
        marks = marks.within(counted.domain.labels)
        keys = ("uSS", *catalog.LEVELS) if marks.secret else ("SS", "uSS")
        known = facts.under(counted, marks, keys, epsilon, secret)
        pair = facts.leveled(known)
        return cls(counted, *((pair[1], pair[0]) if pair else (known["SS"], known["uSS"])), epsilon)

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
    def secret(self) -> NDArray[np.bool_]:
        """Which of the marked are secret: (k,)."""
        return self.marked.secret

    @property
    def secret_epsilon(self) -> float:
        """Their ε."""
        return float(self.marked.cell.epsilons[self.secret].min(initial=self.epsilon))

    @property
    def shares(self) -> NDArray[np.float64]:
        return self.marked.freq

    @property
    def people(self) -> int:
        """How many gave a marked answer."""
        return int(self.counted.counts[self.mask].sum())

    @cached_property
    def loss(self) -> NDArray[np.float64]:
        """The privacy loss of every pair with the marks: (k, k)."""
        return self.marked.mechanism.privacy_loss()

    def lift(self, part: NDArray[np.bool_]) -> float:
        """How many times a report can at most multiply the odds of these values, where that is bounded."""
        loss = self.loss[part]
        return float(np.exp(loss[np.isfinite(loss)].max(initial=0.0)))

    def errors(self, scope: str) -> tuple[float, float]:
        """A share’s root mean squared error with everything protected, and with the marks; pages say its margin."""
        return self.every.error(scope), self.marked.error(scope)

    @staticmethod
    def intervals(part: NDArray[np.bool_], edges: NDArray[np.float64]) -> list[tuple[float, float]]:
        """The bins of this part as intervals of numbers."""
        return [(float(edges[i]), float(edges[i + 1])) for i in np.flatnonzero(part[: len(edges) - 1])]
