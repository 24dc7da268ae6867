"""Mechanisms for sets: several items per person."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ldpcore import checks
from ldpcore.catalog.dominated import RISES
from ldpcore.catalog.entries import Catalog, Construction, MechanismEntry
from ldpcore.mechanisms.multi_hot import SURAP, SplitRAPPOR
from ldpcore.mechanisms.per_item import SUGRR, SplitGRR
from ldpcore.mechanisms.privset import PrivSet, UPrivSet
from ldpcore.mechanisms.sampled import GRRSample, RAPPORSample, SUGRRSample, SURAPSample
from ldpcore.mechanisms.wheel import SUWheel, Wheel
from ldpcore.mechanisms.wheel_joint import SUWheelJ
from ldpcore.set_randomizer import SetRandomizer


class SetEntry(MechanismEntry[SetRandomizer]):
    """One mechanism for sets of m items."""

    def build(
        self, epsilon: float, k: int, sensitive: ArrayLike | None = None, m: int = 1, dummies: int = 0, **options: Any
    ) -> SetRandomizer:
        """The mechanism for sets of m items; those that know no marks treat every item as sensitive."""
        size = checks.domain_size(k)
        return self.factory(checks.epsilon(epsilon), size, checks.mask(sensitive, size), m, dummies, **options)

    def protecting(self, epsilons: ArrayLike, unmarked: float, m: int = 1, dummies: int = 0) -> SetRandomizer:
        """The mechanism that keeps an ε for every item (k,), math.inf for a public one: it has one ε, the least.

        unmarked: the ε where every item is public, for one that knows no marks.
        """
        each = np.asarray(epsilons, float)
        hidden = np.isfinite(each)
        return self.build(float(each[hidden].min()) if hidden.any() else unmarked, len(each), hidden, m, dummies)


LEAK = (
    "Its promise is about y₀ alone: a missing disclosure points to a sensitive item, and with the hash known the "
    "whole report is not ε-private (“Undisclosed slot” in docs/theory/sets.md)."
)
HOLDERS = "Its promise compares only sets that contain the disclosed items: a disclosure proves them."
MULTISET = "Reports keep duplicates; the paper's sets would bias the estimate (“Multisets” in docs/theory/sets.md)."
SPLIT = "Every item gets ε/m: the error grows steeply with m."
LONG = "A report has a bit for every item."
BASELINE = "Wheel is quoted as optimal; PrivSet's exact error is smaller, its report is longer."
SULDP, JOINT = "SULDP", "SULDP-joint"
KAIROUZ, ERLINGSSON = "Kairouz, Bonawitz, Ramage 2016", "Erlingsson, Pihur, Korolova 2014"

SYMBOL, BITS, RING, SUBSET = Construction.SYMBOL, Construction.BITS, Construction.RING, Construction.SUBSET

# One line per entry.
# fmt: off
SETS = Catalog(
    SetEntry("suGRR", SUGRR, "uRR on every item", f"{SULDP} §4", JOINT, SYMBOL, (HOLDERS, SPLIT, MULTISET), "GRR"),
    SetEntry("suGRR-Sample", SUGRRSample, "uRR on one sampled item", f"{SULDP} §4", JOINT, SYMBOL, (HOLDERS,),
             "GRR-Sample", "suGRR"),
    SetEntry("suRAP", SURAP, "uRAP on every item", f"{SULDP} §4", JOINT, BITS, (HOLDERS, SPLIT, LONG), "RAPPOR",
             default=True),
    SetEntry("suRAP-Sample", SURAPSample, "uRAP on one sampled item", f"{SULDP} §4", JOINT, BITS, (HOLDERS, LONG),
             "RAPPOR-Sample", "suRAP"),
    SetEntry("suWheel", SUWheel, "Utility-optimised Wheel", f"{SULDP} §4", "SULDP-y₀", RING, (LEAK, RISES), "Wheel",
             default=True),
    SetEntry("GRR", SplitGRR, "GRR on every item", KAIROUZ, "LDP", SYMBOL, (SPLIT,)),
    SetEntry("GRR-Sample", GRRSample, "GRR on one sampled item", KAIROUZ, "LDP", SYMBOL, variant="GRR"),
    SetEntry("RAPPOR", SplitRAPPOR, "RAPPOR on every item", ERLINGSSON, "LDP", BITS, (SPLIT, LONG)),
    SetEntry("RAPPOR-Sample", RAPPORSample, "RAPPOR on one sampled item", ERLINGSSON, "LDP", BITS, (LONG,),
             variant="RAPPOR"),
    SetEntry("Wheel", Wheel, "Wheel", "Wang et al. 2020", "LDP", RING, (BASELINE,), default=True),
    SetEntry("PrivSet", PrivSet, "PrivSet", "Wang, Huang, Nie, Xu, Yang 2018", "LDP", SUBSET, default=True),
    SetEntry("suWheel-J", SUWheelJ, "Utility-optimised Wheel, joint promise", "ours", JOINT, RING, (HOLDERS,), "Wheel",
             default=True),
    SetEntry("uPrivSet", UPrivSet, "Utility-optimised PrivSet", "ours", JOINT, SUBSET, (HOLDERS,), "PrivSet",
             default=True),
)
# fmt: on
"""Shares of the users who hold each item, from one report per set of m items."""
