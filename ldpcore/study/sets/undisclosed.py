"""Claim, leak, repair: what suWheel's undisclosed slot gives away, and the mechanisms that keep the promise on
the whole report (theory/sets#undisclosed-slot).

>>> import numpy as np
>>> from ldpcore import catalog
>>> found = leak(catalog.SETS["suWheel"].build(0.1, 64, np.arange(64) < 16, 8))
>>> round(found.promised, 1), round(found.times, 1)  # at most so many times likelier, and how many it is
(1.1, 2.7)
"""

from dataclasses import dataclass
from math import exp, inf

import numpy as np

from ldpcore.mechanisms.wheel import SUWheel
from ldpcore.policy import SULDPY0
from ldpcore.set_randomizer import SetRandomizer
from ldpcore.study.sets.point import ItemFacts
from ldpcore.study.sets.sample import SetSetting

LEAKY = SULDPY0.name
"""The promise that is about a part of the report only."""
REPAIRS = ("suWheel-J", "uPrivSet")
"""Of suWheel: they promise the same about the whole report."""


@dataclass(frozen=True)
class Leak:
    """What a report says that shows exactly m − 1 of a person's m items, the hash unknown. At a small ε that alone
    breaks what y₀ keeps; at a larger one it takes the hash, which reports carry: with it the ratio has no bound.

    m: items per set. epsilon: of the promise about y₀. with_one, with_none: the chances of such a report from a person
    with one marked item (or dummy), and from one with none.
    """

    m: int
    epsilon: float
    with_one: float
    with_none: float

    @property
    def times(self) -> float:
        """How many times likelier it is from the one with a marked item; inf where it is proof."""
        return self.with_one / self.with_none if self.with_none > 0 else inf

    @property
    def promised(self) -> float:
        """e^ε: what the odds of no y₀ exceed."""
        return exp(self.epsilon)


def leak(mechanism: SetRandomizer) -> Leak | None:
    """What the undisclosed slot gives away; None for a mechanism that has none, and where nobody can have m unmarked
    items: then nobody has no marked item or dummy.
    """
    if not isinstance(mechanism, SUWheel) or np.count_nonzero(~mechanism.marked) < mechanism.m:
        return None
    m = mechanism.m
    one, none = (float(mechanism.disclosed(unmarked)[m - 1]) for unmarked in (m - 1, m))
    return Leak(m, mechanism.epsilon, one, none)


def repairs(here: SetSetting) -> list[ItemFacts]:
    """The mechanisms that keep the joint promise on the same baskets, as far as they exist there."""
    out = []
    for key in REPAIRS:
        try:
            out.append(ItemFacts(key, here, here.build(key)))
        except ValueError:  # too few marked items for its subsets: then it repairs nothing here
            continue
    return out
