"""The facts of an itemsets study at its own point: what one run of each miner finds, and what its bill is.

>>> from ldpcore import Source, Study
>>> from ldpcore.study.execute import prepare
>>> miners = ("DFDP", "Capped")
>>> study = Study(Source("groceries"), "items", mechanisms=miners, grid=(), task="itemsets").with_options(min_count=200)
>>> found = facts(study, prepare(study))
>>> {key: (one.true_sets, one.false_sets) for key, one in found.parts.items()}, found.frequent
({'Capped': (136, 18), 'DFDP': (93, 792)}, 152)
>>> found.best, found.parts["DFDP"].defended  # the ε that can be defended for what it publishes
('Capped', inf)
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import pandas as pd

from ldpcore.baskets import Baskets
from ldpcore.itemsets import CandidateLeak, MiningResult, leak
from ldpcore.itemsets.question import GroundTruth
from ldpcore.memory import remembered
from ldpcore.study import itemsets
from ldpcore.study.definition import Study
from ldpcore.study.itemsets import PAIR, compare
from ldpcore.study.itemsets.compare import Outcome
from ldpcore.study.quantities import CHANCE, EPSILON, Known, quantity

NO_EPSILON = "no ε bounds what it publishes"
BASKETS, SETS = "baskets", "sets of items"
KEPT = 48
"""Runs that are kept with the baskets."""


@dataclass(frozen=True, eq=False)
class MinerFacts(Known):
    """One run of one miner beside the truth."""

    outcome: Outcome

    @quantity(SETS)
    def true_sets(self) -> int:
        """Frequent sets that it publishes."""
        return self.outcome.scores.found

    @quantity(SETS)
    def missed_sets(self) -> int:
        """Frequent sets that it does not publish."""
        return self.outcome.scores.missed

    @quantity(SETS)
    def false_sets(self) -> int:
        """Sets that it publishes and that are not frequent."""
        return self.outcome.scores.false

    @quantity("F, 0 to 1")
    def f(self) -> float:
        """The harmonic mean of precision and recall; 0 also where nothing is frequent."""
        return self.outcome.f

    @quantity(SETS)
    def coins(self) -> float:
        """Frequent sets that a coin toss for each of its candidates would publish."""
        return self.outcome.coins[0]

    @quantity(EPSILON, absent=NO_EPSILON)
    def booked(self) -> float:
        """ε as the miner books it: the sum of what it spends."""
        return self.outcome.mined.ledger.total

    @quantity(EPSILON, absent=NO_EPSILON)
    def by_basket(self) -> float:
        """ε by what the longest basket can change."""
        return self.outcome.mined.ledger.by_basket(self.outcome.longest)

    @quantity(EPSILON, absent=NO_EPSILON)
    def defended(self) -> float:
        """ε that can be defended for all that it publishes (theory/itemsets#ledger)."""
        return self.outcome.mined.ledger.defended

    @quantity("bits", absent="a curator is trusted with the baskets themselves")
    def bits(self) -> float:
        """Size of the reports that were sent, on average."""
        return self.outcome.mined.bits

    @quantity(CHANCE)
    def delta(self) -> float:
        """The chance that limited noise proves a basket of the longest kind."""
        return self.outcome.delta


@dataclass(frozen=True, eq=False)
class ItemsetsFacts(Known):
    """study: of those miners that can run on these baskets. repetition: which of its runs is looked at."""

    study: Study
    data: Baskets
    repetition: int = 0

    @property
    def ground(self) -> GroundTruth:
        """The exact counts behind it."""
        return itemsets.ground(self.study, self.data, itemsets.current(self.study))

    @cached_property
    def runs(self) -> dict[str, Outcome]:
        """Miner → its run, first those whose promise is kept, the largest F first. ValueError or TooManyCandidates
        where these data cannot be mined so.
        """
        runs = [run(self.study, self.data, key, self.repetition) for key in self.study.mechanisms]
        return {one.key: one for one in sorted(runs, key=lambda one: (not one.kept, -one.f))}

    @cached_property
    def elsewhere(self) -> dict[str, Outcome]:
        """The pair that both comparisons are about, in the one that is not this study's."""
        return flipped(self.study, self.data, self.repetition)

    @cached_property
    def table(self) -> pd.DataFrame:
        """Every set that is frequent or published, and what each miner published of it."""
        return compare.side_by_side(self.ground.truth, self.runs)

    @cached_property
    def parts(self) -> dict[str, MinerFacts]:
        return {key: MinerFacts(one) for key, one in self.runs.items()}

    @property
    def best(self) -> str | None:
        """The miner with the largest F among those whose promise is kept; None where none is."""
        return compare.best(self.runs)

    @quantity(BASKETS)
    def least(self) -> int:
        """Baskets that make a set frequent."""
        return self.ground.least

    @quantity(SETS)
    def frequent(self) -> int:
        """Sets that are frequent: internal, from the exact counts."""
        return self.ground.truth.published

    @quantity(SETS)
    def given_up(self) -> int:
        """Frequent sets with a withheld item, which nobody can find."""
        return compare.given_up(self.ground)

    @quantity(EPSILON, absent="the other comparison is of DFDP and SmartTrunc, and neither is compared", by_part=True)
    def booked_elsewhere(self) -> dict[str, float]:
        """The bill in the other comparison: at the same s per count where the total is equal here, and conversely."""
        return {key: one.mined.ledger.total for key, one in self.elsewhere.items()}


def facts(study: Study, data: Baskets, rows: pd.DataFrame | None = None, repetition: int = 0) -> ItemsetsFacts:
    """What is known of the study at its own point, of one run of each miner; no simulated rows are looked at."""
    refused = itemsets.refused(study, data)
    able = tuple(key for key in study.mechanisms if key not in refused)
    asked = replace(study, mechanisms=able) if able and refused else study
    return remembered(data, ("facts", asked, repetition), lambda: ItemsetsFacts(asked, data, repetition), 4)


def run(study: Study, data: Baskets, mechanism: str, repetition: int = 0) -> Outcome:
    """One run at the study's own point, kept with the baskets."""
    x = itemsets.current(study)

    def mine() -> MiningResult:
        return itemsets.mine(study, data, mechanism, x, repetition)

    mined = remembered(data, ("mined", itemsets.identity(study, mechanism, x, repetition)), mine, KEPT)
    return Outcome(mechanism, mined, itemsets.ground(study, data, x), itemsets.question(study, x))


def flipped(study: Study, data: Baskets, repetition: int = 0) -> dict[str, Outcome]:
    """The runs of PAIR with the same s per count where the study has the same total, and conversely."""
    other = replace(study, axis="s" if study.axis == "epsilon" else "epsilon", grid=())
    return {key: run(other, data, key, repetition) for key in PAIR if key in study.mechanisms}


def leaking(study: Study, data: Baskets, s: float, taken: int | None) -> CandidateLeak | None:
    """The neighbours that show what DFDP's candidates give away at this s; None where there are none."""
    x = itemsets.current(study)
    ground, clip = itemsets.ground(study, data, x), itemsets.question(study, x).clip
    key = ("leak", ground.least, ground.withheld, ground.max_length, s, clip, taken)

    def search() -> CandidateLeak | None:
        try:
            return leak(ground.released, ground.least, s, clip=clip, taken=taken, levels=ground.candidates)
        except ValueError:  # there are none
            return None

    return remembered(data, key, search, 16)


def ranked(runs: Mapping[str, Outcome]) -> tuple[str, str]:
    """Of which two a sentence speaks: the best that keeps its promise, and DFDP; without it, the last of all."""
    order = sorted(runs, key=lambda key: -runs[key].f)
    first = compare.best(runs) or next((key for key in order if key != "DFDP"), order[0])
    return first, "DFDP" if "DFDP" in order else order[-1]
