"""What a setting of marks does to a survey at one ε: everything protected against what is marked, mechanism against
mechanism. `frequency.effects` has it of answers, `sets.effects` of items.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldpcore.data import Histogram


@dataclass(frozen=True, eq=False)
class MarkingEffect(ABC):
    """The same survey twice. every: the facts of the mechanism that protects everything; marked: of that which makes
    use of the marks. With secret values: all that is marked at the ε of the secret ones, and each at its level.
    counted: how many gave each answer, or hold each item. epsilon: of the marked ones that are not secret.
    """

    every: Any
    marked: Any
    counted: Histogram
    epsilon: float

    @property
    def names(self) -> tuple[str, str]:
        """The mechanisms behind the two errors."""
        return self.every.key, self.marked.key

    def errors(self, scope: str) -> tuple[float, float]:
        """A share’s root mean squared error with everything protected, and with the marks; pages say its margin."""
        return self.every.error(scope), self.marked.error(scope)

    def foremost(self, places: Sequence[int], most: int) -> list[int]:
        """Of these values (codes) so many at most, in their order: the marked ones and the commonest."""
        codes = np.asarray(places)
        order = np.lexsort((-self.shares[codes], ~self.mask[codes]))
        return sorted(codes[order[:most]].tolist())

    @property
    def groups(self) -> Mapping[str, tuple[str, ...]] | None:
        """Category → values that can be marked together; None: the values are answers, not items."""
        return None

    @property
    def labels(self) -> tuple[str, ...]:
        return self.counted.domain.labels

    @property
    @abstractmethod
    def mask(self) -> NDArray[np.bool_]:
        """What is marked: (k,)."""

    @property
    @abstractmethod
    def secret(self) -> NDArray[np.bool_]:
        """Which of the marked are secret: (k,)."""

    @property
    @abstractmethod
    def shares(self) -> NDArray[np.float64]:
        """The true shares (k,) of the people: internal."""

    @property
    @abstractmethod
    def people(self) -> int:
        """How many gave a marked answer, or hold a marked item."""

    @property
    @abstractmethod
    def secret_epsilon(self) -> float:
        """Of the secret ones; that of the others where there are none."""
