"""Mechanisms for the shares of one column."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ldpcore import checks
from ldpcore.catalog.dominated import RISES
from ldpcore.catalog.entries import Catalog, Construction, MechanismEntry
from ldpcore.mechanisms.direct import GRR, SDGRR, URR
from ldpcore.mechanisms.guarded import SDSS
from ldpcore.mechanisms.hadamard import HR, UHR
from ldpcore.mechanisms.local_hashing import OLH
from ldpcore.mechanisms.marked_hashing import ULH
from ldpcore.mechanisms.projective import PGR
from ldpcore.mechanisms.subset import SS, USS
from ldpcore.mechanisms.summing import SHE
from ldpcore.mechanisms.unary import OUE, RAPPOR, THE, UOUE, URAP
from ldpcore.randomizer import Randomizer


class Entry(MechanismEntry[Randomizer]):
    """One mechanism for the answers of one column."""

    def build(self, epsilon: float, k: int, sensitive: ArrayLike | None = None, **options: Any) -> Randomizer:
        """The mechanism; one that knows no marks ignores `sensitive` (bool mask (k,), None marks nothing)."""
        budget, size = checks.epsilon(epsilon), checks.domain_size(k)
        return self._made(budget, size, marks=checks.mask(sensitive, size), **options)

    def protecting(self, epsilons: ArrayLike, unmarked: float, guess: float | None = None) -> Randomizer:
        """The mechanism that keeps an ε for every value (k,), math.inf for a public one: it has one ε, the least.

        unmarked: the ε where every value is public, for one that knows no marks. guess: a public guess of the share of
        people with a value that is not public, for one that takes it.
        """
        each = np.asarray(epsilons, float)
        hidden = np.isfinite(each)
        return self.guessing(guess, float(each[hidden].min()) if hidden.any() else unmarked, len(each), hidden)

    def exists(self, epsilons: ArrayLike) -> bool:
        """Whether it can be built for such ε."""
        return True


IDENTITY = "With nothing marked it sends every answer as it is: no protection at all."
OPEN = "Reports may show that an answer is not marked, and which one it is."
GRADED = (
    "Its promise does not compare a marked with an unmarked value on low reports: a low label that is rare among "
    "the others points to a marked answer (“Low labels” in docs/theory/definitions.md)."
)
PAPER = (
    "The paper's variance (12) takes the estimated share of marked answers as known "
    "(“Graded variance” in docs/theory/frequency.md)."
)
WEAKER = (
    "SDLDP is the weaker definition: every ULDP mechanism keeps it (“Weaker than ULDP” in docs/theory/definitions.md)."
)
CROWD = (
    "Its promise compares a marked value with the average of the others: a label excludes every other unmarked value. "
    "Decoys are drawn uniformly unless told otherwise, so a label that is rare among the others points to a marked one."
)

UNSPENT = (
    "It does not use all of its ε: what the threshold hides is paid for. Bits of OUE err less at the same ε "
    "(“Thresholding” in docs/theory/frequency.md)."
)

RAW = "Its reports are as many numbers as there are answers; RAPPOR sends bits and errs less at every ε."

WANG, MURAKAMI = "Wang, Blocki, Li, Jha 2017", "Murakami, Kawamoto 2019"
HE = "He, Zhu, Liu, Pan, Dong 2025"

SYMBOL, BITS, OPTIMISED = Construction.SYMBOL, Construction.BITS, Construction.OPTIMISED_BITS
HASH, SUBSET, TRANSFORM = Construction.HASH, Construction.SUBSET, Construction.TRANSFORM
NOISE = Construction.NOISE

# One line per entry.
# fmt: off
FREQUENCY = Catalog(
    Entry("GRR", GRR, "Generalised randomised response", "Kairouz, Bonawitz, Ramage 2016", "LDP", SYMBOL, default=True),
    Entry("RAPPOR", RAPPOR, "Basic one-time RAPPOR", "Erlingsson, Pihur, Korolova 2014", "LDP", BITS),
    Entry("OUE", OUE, "Optimised unary encoding", WANG, "LDP", OPTIMISED, default=True),
    Entry("THE", THE, "Thresholding with histogram encoding", WANG, "LDP", BITS, (UNSPENT,)),
    Entry("SHE", SHE, "Summation with histogram encoding", WANG, "LDP", NOISE, (RAW,), instead="RAPPOR"),
    Entry("OLH", OLH, "Optimised local hashing", WANG, "LDP", HASH, (RISES,)),
    Entry("SS", SS, "Subset selection", "Ye, Barg 2018", "LDP", SUBSET, (RISES,), default=True),
    Entry("HR", HR, "Hadamard response", "Acharya, Sun, Zhang 2019", "LDP", TRANSFORM),
    Entry("PGR", PGR, "Projective geometry response", "Feldman, Nelson, Nguyen, Talwar 2022", "LDP", TRANSFORM),
    Entry("uRR", URR, "Utility-optimised randomised response", MURAKAMI, "ULDP", SYMBOL, (OPEN, IDENTITY), "GRR",
          default=True),
    Entry("uRAP", URAP, "Utility-optimised RAPPOR", MURAKAMI, "ULDP", BITS, (OPEN,), "RAPPOR"),
    Entry("uOUE", UOUE, "Utility-optimised OUE", f"after {MURAKAMI}", "ULDP", OPTIMISED, (OPEN,), "OUE", default=True),
    Entry("uSS", USS, "Utility-optimised subset selection", HE, "ULDP", SUBSET, (OPEN, IDENTITY), "SS",
          default=True),
    Entry("uHR", UHR, "Utility-optimised Hadamard response", f"after {HE}", "ULDP", TRANSFORM, (OPEN, IDENTITY), "HR"),
    Entry("uLH", ULH, "Utility-optimised local hashing", HE, "ULDP", HASH, (OPEN, IDENTITY, RISES), "OLH"),
    Entry("SDGRR", SDGRR, "Sensitivity-graded GRR", "SDLDP §4", "SDLDP", SYMBOL, (GRADED, WEAKER, PAPER, IDENTITY),
          "GRR", default=True),
    Entry("SDSS", SDSS, "Subset selection with decoys", "ours", "guarded SDLDP", SUBSET, (OPEN, CROWD, IDENTITY), "SS"),
)
# fmt: on
"""Shares of the values of one column, from one report per person."""
