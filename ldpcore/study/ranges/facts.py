"""The facts of a ranges study at its own point: how wrong each strategy's count of the range asked is, and of others.

>>> from ldpcore import Source, Study
>>> from ldpcore.study.execute import prepare
>>> keys = ("Identity", "Boost16")
>>> study = Study(Source("health"), "age", mechanisms=keys, bins=(0, 128, 128), grid=(), task="ranges")
>>> found = facts(study, prepare(study))
>>> found.chosen, {key: round(one.margin, 1) for key, one in found.parts.items()}  # people
((25, 54), {'Identity': 15.2, 'Boost16': 24.6})
>>> found.best, round(found.belief, 2)  # that somebody is in it: 50 % before what is published
(('Identity', 'Boost16'), 0.73)
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from ldpcore.attacks.bayes import believed
from ldpcore.catalog import LOCAL_RANGES
from ldpcore.data import Histogram
from ldpcore.ranges import Strategy, error_map
from ldpcore.study import ranges
from ldpcore.study.definition import Study
from ldpcore.study.quantities import CHANCE, Known, quantity
from ldpcore.study.ranges import local, strategies
from ldpcore.study.ranges import own as own_cells
from ldpcore.study.ranges.queries import Range

PEOPLE = "people"
EQUAL = 1e-9
"""Errors that differ by less than such a part are the same number, computed in two ways."""
MOST_COMPARED = 512
"""Own cells of whose ranges, 131 328, two strategies are compared one by one."""


@dataclass(frozen=True, eq=False)
class StrategyFacts(Known):
    """One strategy at the study's ε and N. chosen: the range looked at; listed: others (1-based, inclusive)."""

    key: str
    epsilon: float
    h: int
    cells: int
    chosen: Range
    listed: tuple[Range, ...]

    @property
    def build(self) -> strategies.Build:
        return ranges.CATALOG[self.key].build

    @cached_property
    def strategy(self) -> Strategy:
        return strategies.built(self.build, self.h)

    @quantity(PEOPLE, "asked")
    def margin(self) -> float:
        """The exact 95 % margin, ±, of the count of the range asked."""
        return strategies.margin(self.build, self.h, self.chosen, self.epsilon)

    @quantity(PEOPLE, "asked")
    def error(self) -> float:
        """The exact standard error of the count of the range asked."""
        return self.strategy.variance(*self.chosen, self.epsilon) ** 0.5

    @quantity(PEOPLE, absent="so many cells have too many ranges to visit")
    def average(self) -> float:
        """The typical error over all ranges of the column's own cells."""
        if not own_cells.averaged(self.cells):
            return math.nan
        coefficient = own_cells.average_coefficient(self.build, self.h, self.cells)
        return (self.strategy.noise(self.epsilon) * coefficient) ** 0.5

    def wins(self, other: "StrategyFacts") -> int | None:
        """Of how many ranges of the column's own cells its error is below the other's; None of too many cells."""
        if self.cells > MOST_COMPARED:
            return None
        mine, theirs = (error_map(each.strategy, self.epsilon, self.cells, self.cells)[0] for each in (self, other))
        return int((mine < theirs * (1 - EQUAL)).sum())

    @quantity(PEOPLE, "listed", absent="one range alone is asked")
    def listed_error(self) -> float:
        """The typical error over the other ranges that are asked."""
        if not self.listed:
            return math.nan
        ends = np.array(self.listed, np.int64)
        return float((self.strategy.noise(self.epsilon) * self.strategy.coefficients(*ends.T)).mean() ** 0.5)

    @quantity("(log₂N)³ / (Δ²c̄)", absent="a single cell has no index")
    def index(self) -> float:
        """The accuracy index at the study's N: the larger, the more exact over all ranges."""
        return self.strategy.accuracy_index() if self.h else math.nan


@dataclass(frozen=True, eq=False)
class RangesFacts(Known):
    """chosen: the range looked at; listed: others, over which errors are averaged (1-based, inclusive)."""

    study: Study
    data: Histogram
    chosen: Range
    listed: tuple[Range, ...]

    def of(self, key: str) -> StrategyFacts:
        """A strategy of the catalogue, whether or not it is compared."""
        kept = vars(self).setdefault("_of", {})
        if key not in kept:
            h = ranges.size(self.data).bit_length() - 1
            kept[key] = StrategyFacts(key, self.study.epsilon, h, self.data.domain.k, self.chosen, self.listed)
        return kept[key]

    @property
    def parts(self) -> dict[str, StrategyFacts]:
        return {key: self.of(key) for key in self.study.mechanisms}

    @cached_property
    def best(self) -> tuple[str, ...]:
        """The two most exact of the compared strategies for the range asked, or the one there is."""
        return tuple(sorted(self.study.mechanisms, key=lambda key: self.of(key).margin)[:2])

    @quantity(PEOPLE, "asked")
    def count(self) -> int:
        """How many people are in the range asked: internal, since nothing protects this number."""
        first, last = self.chosen
        return int(self.data.counts[first - 1 : last].sum())

    @quantity("bits")
    def local_bits(self) -> dict[str, float]:
        """Expected size of a report of each strategy without a curator; a curator is sent the answers themselves."""
        return {key: local.built(self.study, self.data, key).report_bits() for key in LOCAL_RANGES}

    @quantity(CHANCE)
    def belief(self) -> float:
        """How sure a reader of what is published can be at most that somebody is in it, who was so by half before."""
        return believed(0.5, math.exp(self.study.epsilon))


def facts(
    study: Study,
    data: Histogram,
    rows: pd.DataFrame | None = None,
    asked: Sequence[Range] | None = None,
) -> RangesFacts:
    """What is known of the study at its own point, all of it exact: no simulated rows are looked at.

    asked: the range looked at, then the others, in place of those of the study.
    """
    chosen, *listed = asked or ranges.asked(replace(study, axis="epsilon", grid=()), data)
    return RangesFacts(study, data, chosen, tuple(listed))
