"""Mechanisms for the answers to two questions that are asked as one."""

from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from ldpcore import checks
from ldpcore.catalog.entries import Catalog, Construction, MechanismEntry
from ldpcore.randomizer import Randomizer
from ldpcore.relations.half_open import HalfOpenPair


class PairEntry(MechanismEntry[Randomizer]):
    """One mechanism for pairs of a group and an answer, made for what is compared."""

    def build(
        self, epsilon: float, groups: ArrayLike, answers: ArrayLike, *compared: ArrayLike, **options: Any
    ) -> Randomizer:
        """The mechanism of kx·ky values x·ky + y. groups, answers: marks, (kx,) and (ky,); compared: masks of the
        answers whose share is compared and of both sides of groups; without them the marked ones with the others.
        ValueError or TypeError with a sentence.

        >>> PAIRS["half-open"].build(1.0, [False, True, True], [False, True]).k
        6
        """
        x, y = (checks.mask(np.asarray(marks), np.size(marks)) for marks in (groups, answers))
        asked = compared or (y, x, ~x)
        masks = (checks.mask(np.asarray(each), size) for each, size in
                 zip(asked, (len(y), len(x), len(x)), strict=True))  # fmt: skip
        return cast(Any, self.factory)(checks.epsilon(epsilon), x, y, *masks, **options)


SHOWS = (
    "It may show the half of a pair that is not marked, as asking separately does: who knows how the two answers go "
    "together learns as much of the marked half as they do."
)
MADE_FOR = "It is made for one comparison: other groups and answers are told less exactly."

# fmt: off
PAIRS = Catalog(
    PairEntry("half-open", HalfOpenPair, "Half-open pair", "ours", "half-open", Construction.PAIR,
              (SHOWS, MADE_FOR)),
)
# fmt: on
"""A difference between two sides of groups, from one report per person that stands for both answers."""
