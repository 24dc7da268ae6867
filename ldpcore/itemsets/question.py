"""One question for every miner, and what of its answer does not depend on chance: counted once, used by all runs."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ldpcore.baskets import Baskets
from ldpcore.itemsets.apriori import apriori
from ldpcore.itemsets.candidates_by_length import MAX_CANDIDATES, Level, TooManyCandidates
from ldpcore.itemsets.counting import Tick
from ldpcore.itemsets.dfdp import candidate_count, perturbed
from ldpcore.itemsets.given import threshold
from ldpcore.itemsets.mined import MiningResult, ReleasedCandidates
from ldpcore.itemsets.smarttrunc import LENGTH, LEVELS

CLIP = 10.0
"""What the DFDP paper's experiment limits its noise to."""


@dataclass(frozen=True)
class MiningQuestion:
    """How much privacy, and how the search is bounded. `s` None: the same total ε for every miner; else the same s.

    Under the same s, miners without a budget per count still run at `epsilon`. `length`, `levels`, `candidate_count`
    are SmartTrunc's; `max_length` bounds what is searched at all.
    """

    epsilon: float = 1.0
    s: float | None = None
    clip: float | None = None
    length: int = LENGTH
    levels: int = LEVELS
    candidate_count: float | None = None
    max_length: int | None = None


@dataclass(frozen=True, eq=False)
class GroundTruth:
    """These baskets at one threshold; `withheld` items (codes) must not be published, and so are not looked for."""

    data: Baskets
    min_count: float
    withheld: frozenset[int] = frozenset()
    max_length: int | None = None

    @cached_property
    def least(self) -> int:
        return threshold(self.min_count, self.data.n)

    @cached_property
    def truth(self) -> MiningResult:
        """All frequent sets, those with withheld items too."""
        return apriori(self.data, self.least, max_length=self.max_length)

    @cached_property
    def allowed(self) -> np.ndarray:
        """Codes of the items that may be published, ascending."""
        return np.array([code for code in range(self.data.k) if code not in self.withheld], np.int32)

    @cached_property
    def released(self) -> Baskets:
        """The baskets as the miners see them: without the withheld items."""
        return self.data.onto(self.allowed) if self.withheld else self.data

    @cached_property
    def candidates(self) -> tuple[Level, ...]:
        """What DFDP perturbs."""
        return perturbed(self.released, self.least, self.max_length)

    def search(self, tick: Tick, most: int = MAX_CANDIDATES) -> None:
        """Both exact searches, telling `tick` how far they are; what it raises ends them, and nothing is kept.

        TooManyCandidates where more than `most` sets are frequent: too many to compare.
        """
        if "truth" not in vars(self):
            vars(self)["truth"] = apriori(self.data, self.least, max_length=self.max_length, tick=tick)
        if self.truth.published > most:
            raise TooManyCandidates(
                f"{self.truth.published:,} sets are frequent, more than the {most:,} that are compared at most; "
                "choose a higher min_count, or a smaller max_length"
            )
        if "candidates" not in vars(self):
            vars(self)["candidates"] = perturbed(self.released, self.least, self.max_length, tick=tick)

    def each(self, epsilon: float) -> float:
        """DFDP's s at this total, as it counts: ε over the number of its candidates."""
        return epsilon / candidate_count(self.candidates)

    def restored(self, mined: MiningResult) -> MiningResult:
        """A result about the released items in the codes of all items, so that it compares with the truth."""
        if not self.withheld:
            return mined
        levels = (ReleasedCandidates(self.allowed[x.items], x.counts, x.noisy, x.kept) for x in mined.levels)
        return replace(mined, labels=self.data.labels, levels=tuple(levels))
