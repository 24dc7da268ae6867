"""What marking items does, from protecting every item (PrivSet) to protecting the marked ones (uPrivSet); with secret
items from treating all marked as secret (uPrivSet) to each at its level (gHit).

It has the face of `effects.Effect`, so that the table of values serves items too. In words: findings.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ldpapp.compute.memory import once
from ldpcore import catalog
from ldpcore.data import Baskets, Histogram
from ldpcore.domain import Categorical
from ldpcore.study import Marks, Study
from ldpcore.study.sets import point
from ldpcore.study.sets.point import ItemFacts

EVERY, MARKED = "PrivSet", "uPrivSet"


@once(64)
def _compared(study: Study, marks: Marks) -> Study:
    return replace(study, marks=marks, mechanisms=(EVERY, MARKED, "suWheel-J", *catalog.LEVELED_SETS))


@dataclass(frozen=True, eq=False)
class SetEffect:
    """One setting of marks at one ε: the same survey with every item protected, and with the marked ones.

    `marked` is suWheel-J's where uPrivSet does not exist (too few marked items for its subsets).
    """

    held: Baskets
    every: ItemFacts
    marked: ItemFacts

    @classmethod
    def of(cls, study: Study, held: Baskets, marks: Marks) -> "SetEffect":
        every = point.every(_compared(study, marks), held)
        marked = every.get(MARKED, every["suWheel-J"])
        if not marks.secret:
            return cls(held, every[EVERY], marked)
        return cls(held, marked, min((every[key] for key in catalog.LEVELED_SETS if key in every), key=ItemFacts.error))

    @property
    def groups(self) -> Mapping[str, tuple[str, ...]]:
        """Category → items that can be marked together."""
        return self.held.groups

    @property
    def labels(self) -> tuple[str, ...]:
        return self.held.labels

    @property
    def mask(self) -> NDArray[np.bool_]:
        return self.marked.here.marked

    @property
    def secret(self) -> NDArray[np.bool_]:
        """Which of the marked are secret."""
        return self.marked.here.secret

    @property
    def shares(self) -> NDArray[np.float64]:
        return self.marked.here.freq

    @property
    def counted(self) -> Histogram:
        """Holders of each item; they do not add up to the people."""
        return Histogram(Categorical(self.labels), self.held.counts, self.held.n, 0)

    @property
    def epsilon(self) -> float:
        return self.marked.here.epsilon

    @property
    def secret_epsilon(self) -> float:
        return self.marked.here.secret_epsilon

    @cached_property
    def people(self) -> int:
        """How many hold a marked item."""
        return int(np.unique(self.held.people[self.mask[self.held.codes]]).size)

    @property
    def names(self) -> tuple[str, str]:
        """The mechanisms behind the two errors."""
        return self.every.key, self.marked.key

    def errors(self, scope: str) -> tuple[float, float]:
        """A share’s root mean squared error with everything protected, and with the marks; pages say its margin."""
        return self.every.error(scope), self.marked.error(scope)
