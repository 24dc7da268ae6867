"""Mechanisms in which every value has its own ε: public, private, secret, or any number of levels."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.catalog.entries import Catalog, Construction, MechanismEntry
from ldpcore.catalog.frequency import IDENTITY
from ldpcore.levels import Leveled, checked
from ldpcore.limit import LeveledTable
from ldpcore.mechanisms.leveled import LeveledRR, LeveledSubset


class Entry(MechanismEntry[Leveled]):
    """One mechanism for the answers of one column, every value with its own ε."""

    def build(self, epsilons: Sequence[float] | ArrayLike, share: ArrayLike | None = None) -> Leveled:
        """The mechanism; epsilons (k,) nats, math.inf for a public value; share (k,): a public guess of the shares.

        None is the uniform guess; a wrong one costs accuracy, never privacy. ValueError or TypeError with a sentence.
        """
        return self.factory(checked(epsilons), None if share is None else np.asarray(share, float))

    def protecting(self, epsilons: ArrayLike, unmarked: float, guess: float | None = None) -> Leveled:
        """The mechanism; `unmarked` plays no part. guess: a public guess of the share of people with a value that is
        not public, spread evenly over these values.
        """
        hidden = np.isfinite(np.asarray(epsilons, float))
        if guess is None or hidden.all() or not hidden.any():
            return self.build(epsilons)
        return self.build(epsilons, np.where(hidden, guess / hidden.sum(), (1 - guess) / (~hidden).sum()))

    def exists(self, epsilons: ArrayLike) -> bool:
        """Whether it can be built for such ε: some are computed up to a largest one, and for few levels only."""
        return self.factory.exists(checked(epsilons))


ONE_SIDED = (
    "It bounds how much a report can point to a value, not how much it can rule it out: a report may show that an "
    "answer is public, and which one it is."
)
LARGE_EPSILON = "It is computed up to ε = 10, and for few levels (300 000 ways to raise some values of each)."

# One line per entry.
# fmt: off
LEVELS = Catalog(
    Entry("gRR", LeveledRR, "Randomised response with levels", "ours", "levels", Construction.SYMBOL,
          (ONE_SIDED, IDENTITY)),
    Entry("gSub", LeveledSubset, "Random subsets with levels", "ours", "levels", Construction.OPTIMISED_BITS,
          (ONE_SIDED, IDENTITY), default=True),
    Entry("gTable", LeveledTable, "The limit's own reports, with levels", "ours", "levels", Construction.SUBSET,
          (ONE_SIDED, IDENTITY, LARGE_EPSILON)),
)
# fmt: on
"""Shares of the values of one column, from one report per person, each value protected by its own ε."""
