"""Mechanisms for one number of each person: the mean and the distribution."""

import math
from typing import Any

from ldpcore import checks
from ldpcore.catalog.dominated import RISES
from ldpcore.catalog.entries import Catalog, Construction, MechanismEntry
from ldpcore.leveled_parts import Parts
from ldpcore.mechanisms.duchi import Duchi
from ldpcore.mechanisms.graded_piecewise import SDPM
from ldpcore.mechanisms.laplace import Laplace
from ldpcore.mechanisms.piecewise import HM, PM, SW
from ldpcore.mechanisms.ternary import UTernary
from ldpcore.numeric_randomizer import NumericRandomizer


class MeanEntry(MechanismEntry[NumericRandomizer]):
    """One mechanism for numbers. A guess of the share comes with one of the `spread`, where the others are."""

    def build(self, epsilon: float, low: Any = (), **options: Any) -> NumericRandomizer:
        """The mechanism. `low`: disjoint intervals of [-1, 1] that are not sensitive, or one pair; () marks everything,
        ((-1, 1),) nothing. One that knows no marks ignores it, but not a mistake in it.
        """
        return self._made(checks.epsilon(epsilon), marks=checks.intervals(low), **options)

    def protecting(self, parts: Parts, unmarked: float, bins: int) -> NumericRandomizer:
        """The mechanism that keeps an ε for every part: it has one ε, the least. unmarked: the ε where every part is
        public, for one that knows no marks.
        """
        least = float(parts.epsilons[parts.hidden].min(initial=math.inf))
        return self.build(unmarked if least == math.inf else least, parts.public, bins=bins)

    def exists(self, parts: Parts) -> bool:
        """Whether it can be built for such parts."""
        return True


REPEAT = (
    "A low value that is reported as it is can be recognised in recorded data, which have few decimals "
    "(“Exact repeats” in docs/theory/adversary.md)."
)
BIASED = "The mean of its reports is not the input: estimate by the unbiased score, or by EM."
PULL = (
    "EM with the paper's stop is pulled to its uniform start: that flatters data whose mean is in the middle of the "
    "public range (“EM” in docs/theory/numbers.md)."
)
THEOREM = "The paper's Theorem 4 leaves out the atom and the mean of low reports (“SDPM” in docs/theory/numbers.md)."
LINEAR = "The mean of its reports is linear in the input, so a rescaled report is unbiased: no EM is needed."
HULL = "The half-width of the marked values' hull sets the error: two marked ends gain next to nothing at small ε."
OPEN = "Reports may show that a value lies outside the hull of the marked ones, and which one it is."
WANG = "Wang et al. 2019"

WINDOW = Construction.WINDOW

# One line per entry.
# fmt: off
MEANS = Catalog(
    MeanEntry("Laplace", Laplace, "Laplace noise", "Dwork, McSherry, Nissim, Smith 2006", "LDP", Construction.NOISE,
              instead="PM"),
    MeanEntry("Duchi", Duchi, "Duchi's mechanism", "Duchi, Jordan, Wainwright 2018", "LDP", Construction.ONE_BIT,
              default=True),
    MeanEntry("PM", PM, "Piecewise mechanism", WANG, "LDP", WINDOW, default=True),
    MeanEntry("HM", HM, "Hybrid mechanism", WANG, "LDP", Construction.MIXTURE),
    MeanEntry("SW", SW, "Square wave", "Li et al. 2020", "LDP", Construction.SQUARE_WAVE, (LINEAR,)),
    MeanEntry("SDPM", SDPM, "Sensitivity-graded PM", "SDLDP §4.3", "SDLDP", WINDOW,
              (REPEAT, BIASED, PULL, THEOREM, RISES), "PM", default=True),
    MeanEntry("uTernary", UTernary, "Three values or a window on the hull", "ours", "ULDP", Construction.THREE_VALUES,
              (HULL, OPEN), "Duchi", default=True),
)
# fmt: on
"""The mean of one column of numbers, from one report per person."""
