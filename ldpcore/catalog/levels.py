"""Mechanisms in which every value, part of a range or item has its own ε: public, private, secret, or more levels."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.catalog.entries import Catalog, Construction, MechanismEntry
from ldpcore.catalog.frequency import IDENTITY
from ldpcore.leveled_parts import Part, Parts
from ldpcore.levels import Leveled, checked
from ldpcore.limit import LeveledTable, can_have_nodes, nodes
from ldpcore.mechanisms.leveled import LeveledRR
from ldpcore.mechanisms.leveled_hits import LeveledHits
from ldpcore.mechanisms.leveled_nodes import LeveledNodes
from ldpcore.mechanisms.leveled_numbers import LeveledPM
from ldpcore.mechanisms.leveled_subset import LeveledSubset
from ldpcore.numeric_randomizer import BINS, NumericRandomizer
from ldpcore.set_randomizer import SetRandomizer


class LeveledEntry(MechanismEntry[Leveled]):
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

    def at(self, epsilon: float, epsilons: ArrayLike, **options: Any) -> Leveled:
        """The mechanism where the most secret values have this ε, and the others keep their ratio to it."""
        return self.build(np.asarray(epsilons, float) / np.min(epsilons) * epsilon, **options)

    def exists(self, epsilons: ArrayLike) -> bool:
        """Whether it can be built for such ε: some are computed up to a largest one, and for few levels only."""
        return self.factory.exists(checked(epsilons))


class LeveledMeanEntry(MechanismEntry[NumericRandomizer]):
    """One mechanism for numbers, every part of the range with its own ε."""

    def build(self, parts: Iterable[Part], share: ArrayLike | None = None, bins: int = BINS) -> NumericRandomizer:
        """The mechanism; parts: (left, right, ε) that cover [-1, 1], math.inf for a public one; share: a public guess
        of the share of the people in each, None: even on [-1, 1]. A wrong guess costs accuracy, never privacy.

        ValueError or TypeError with a sentence.
        """
        return self._made(marks=Parts(parts, share), bins=bins)

    def at(self, epsilon: float, parts: Iterable[Part], **options: Any) -> NumericRandomizer:
        """The mechanism where the most secret parts have this ε, and the others keep their ratio to it."""
        given = list(parts)
        times = epsilon / min(each[2] for each in given)
        return self.build([(left, right, budget * times) for left, right, budget in given], **options)

    def protecting(self, parts: Parts, unmarked: float, bins: int) -> NumericRandomizer:
        """The mechanism; `unmarked` plays no part."""
        return self.build(parts.pieces, bins=bins)

    def exists(self, parts: Parts) -> bool:
        """Whether it can be built for such parts: some are computed for some ε only."""
        return True


class TableEntry(LeveledMeanEntry):
    """One whose channel the limit computes."""

    def build(self, parts: Iterable[Part], share: ArrayLike | None = None, bins: int = BINS) -> NumericRandomizer:
        asked = Parts(parts, share)
        return LeveledNodes(asked, bins=bins, **vars(nodes(asked)))

    def exists(self, parts: Parts) -> bool:
        return can_have_nodes(parts)


class LeveledSetEntry(MechanismEntry[SetRandomizer]):
    """One mechanism for sets of m items, every item with its own ε."""

    def build(
        self, epsilons: Sequence[float] | ArrayLike, m: int = 1, dummies: int = 0, share: ArrayLike | None = None
    ) -> SetRandomizer:
        """The mechanism; epsilons (k,) nats, math.inf for a public item; share (k,): a public guess of the shares of
        holders, which sum to m (less with dummies). None is uniform; a wrong one costs accuracy, never privacy.

        ValueError or TypeError with a sentence.
        """
        made: Any = self.factory  # which takes an ε for every item
        return made(checked(epsilons), m, dummies, None if share is None else np.asarray(share, float))

    def at(self, epsilon: float, epsilons: ArrayLike, *asked: Any, **options: Any) -> SetRandomizer:
        """The mechanism where the most secret items have this ε, and the others keep their ratio to it."""
        return self.build(np.asarray(epsilons, float) / np.min(epsilons) * epsilon, *asked, **options)

    def protecting(self, epsilons: ArrayLike, unmarked: float, m: int = 1, dummies: int = 0) -> SetRandomizer:
        """The mechanism; `unmarked` plays no part."""
        return self.build(epsilons, m, dummies)


ONE_SIDED = (
    "It bounds how much a report can point to a value, not how much it can rule it out: a report may show that an "
    "answer is public, and which one it is."
)
LARGE_EPSILON = "It is computed up to ε = 10, and for few levels (300 000 ways to raise some values of each)."

ROUNDED = "It is computed for ε from 0.01 to 6."
HOLDERS = "Its promise compares only sets that contain the disclosed items: a disclosure proves them."
SECRET = (
    "Sets that differ in a private item may be told apart by the private ε, even where secret items differ too: if two "
    "items always go together, the one speaks for the other."
)
TWO = "It is made for at most two levels that are not public."

# One line per entry.
# fmt: off
LEVELS = Catalog(
    LeveledEntry("gRR", LeveledRR, "Randomised response with levels", "ours", "levels", Construction.SYMBOL,
          (ONE_SIDED, IDENTITY)),
    LeveledEntry("gSub", LeveledSubset, "Random subsets with levels", "ours", "levels", Construction.OPTIMISED_BITS,
          (ONE_SIDED, IDENTITY), default=True),
    LeveledEntry("gTable", LeveledTable, "The limit's own reports, with levels", "ours", "levels", Construction.SUBSET,
          (ONE_SIDED, IDENTITY, LARGE_EPSILON)),
)
LEVELED_MEANS: Catalog[LeveledMeanEntry] = Catalog(
    LeveledMeanEntry("gPM", LeveledPM, "Piecewise mechanism with levels", "ours", "levels", Construction.WINDOW,
                     (ONE_SIDED,)),
    TableEntry("gTable", LeveledNodes, "The limit's own reports, for numbers with levels", "ours", "levels",
               Construction.THREE_VALUES, (ONE_SIDED, ROUNDED), default=True),
)
LEVELED_SETS = Catalog(
    LeveledSetEntry("gHit", LeveledHits, "Subsets that hit the set, with levels", "ours", "levels-joint",
             Construction.SUBSET, (ONE_SIDED, HOLDERS, SECRET, TWO), default=True),
)
# fmt: on
"""Shares of the values of one column, the mean of numbers, and shares of the holders of items, from one report per
person, each value, part of the range or item protected by its own ε.
"""
