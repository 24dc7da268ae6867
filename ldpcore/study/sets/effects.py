"""What marking items does: from protecting every item (PrivSet) to protecting the marked ones (uPrivSet).

>>> from ldpcore import Marks, Source, Study, data
>>> held = data.load("groceries").baskets("items")
>>> effect = ItemEffect.of(Study(Source("groceries"), "items", task="sets").with_options(m=4), held, Marks.of(["milk"]))
>>> effect.names, [round(100 * error, 1) for error in effect.errors("all")]  # typical errors, points
(('PrivSet', 'uPrivSet'), [4.3, 1.7])
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ldpcore import catalog
from ldpcore.data import Baskets, Histogram
from ldpcore.domain import Categorical
from ldpcore.study.definition import Marks, Study
from ldpcore.study.effects import MarkingEffect
from ldpcore.study.sets import point
from ldpcore.study.sets.point import ItemFacts

EVERY, MARKED, ALWAYS = "PrivSet", "uPrivSet", "suWheel-J"


def _held(study: Study) -> Study:
    return study.at_point().with_options(simulated=None, marked=None, attacks=0)


@dataclass(frozen=True, eq=False)
class ItemEffect(MarkingEffect):
    """One setting of marks at one ε, of items.

    `marked` is suWheel-J's where uPrivSet does not exist (too few marked items for its subsets); with secret items that
    of the best mechanism for levels, and `every` treats all marked ones as secret.
    """

    every: ItemFacts
    marked: ItemFacts
    held: Baskets

    @classmethod
    def of(cls, study: Study, held: Baskets, marks: Marks) -> "ItemEffect":
        """On these baskets, whatever sets the study simulates, at its own point."""
        study = study.derived(("held",), lambda: _held(study))
        keys = (EVERY, MARKED, ALWAYS, *catalog.LEVELED_SETS)
        asked = study.derived(("marked", marks), lambda: replace(study, marks=marks, mechanisms=keys))
        every = point.every(asked, held)
        marked = every.get(MARKED, every[ALWAYS])
        pair = every[EVERY], marked
        if marks.secret:
            pair = marked, min((every[key] for key in catalog.LEVELED_SETS if key in every), key=ItemFacts.error)
        # Holders of each item: they do not add up to the people.
        counted = Histogram(Categorical(held.labels), held.counts, held.n, 0)
        return cls(*pair, counted, pair[1].here.epsilon, held)

    @property
    def groups(self) -> Mapping[str, tuple[str, ...]]:
        return self.held.groups

    @property
    def mask(self) -> NDArray[np.bool_]:
        return self.marked.here.marked

    @property
    def secret(self) -> NDArray[np.bool_]:
        return self.marked.here.secret

    @property
    def shares(self) -> NDArray[np.float64]:
        return self.marked.here.freq

    @property
    def secret_epsilon(self) -> float:
        return self.marked.here.secret_epsilon

    @cached_property
    def people(self) -> int:
        return int(np.unique(self.held.people[self.mask[self.held.codes]]).size)
