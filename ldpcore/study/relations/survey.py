"""One drawn survey of two questions by one mechanism: what it estimates, and what a table of its raw reports says."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import nan

import numpy as np
from numpy.typing import NDArray

from ldpcore.relations import IndependenceTest, Relation, RelationEstimate, SurveyDesign, share_within
from ldpcore.relations.independence import EXACT_BELOW
from ldpcore.rng import stream
from ldpcore.study.definition import Study
from ldpcore.study.quantities import CHANCE, Known, quantity
from ldpcore.study.relations.rows import GroupRow
from ldpcore.study.relations.settings import Compared, current, luck

Array = NDArray[np.float64]
POINTS, OF_GROUP, HEADS = "percentage points", "share of the group", "people"
EMPTY = "a group cannot be told from an empty one, or its estimated size is below 0"
UNLISTED = "this mechanism has too many reports for a table of what they name"


@dataclass(frozen=True, eq=False)
class SurveyFacts(Known):
    """One survey at the study's ε and people. drawn: the repetition of the study that it is."""

    study: Study
    compared: Compared
    key: str
    design: SurveyDesign
    n: int
    drawn: int = 0

    @cached_property
    def survey(self) -> Relation:
        """What one survey says: its shares, intervals, test."""
        x = current(self.study, self.compared.people)
        chance = luck(self.study, self.key, x, self.drawn)
        return self.design.joint(self.compared.drawn(self.design, self.n, chance))

    @cached_property
    def raw_table(self) -> Array:
        """The table (kx, ky) that its reports name; nan where these were too many to list."""
        tally = self.survey.tally
        if tally is None or tally.counts is None:
            return np.full((self.design.kx, self.design.ky), np.nan)
        return self.design.raw_of(tally)

    @cached_property
    def estimate(self) -> RelationEstimate:
        """The difference, as shares; its ends may be infinite."""
        c = self.compared
        return self.survey.difference(c.answers, c.one, c.other, c.about)

    @quantity(POINTS, "survey", absent=EMPTY)
    def difference(self) -> float:
        """What the first of the study's surveys estimates: the first side's share less the other's."""
        return 100 * self.estimate.value

    @quantity(POINTS, "survey", absent=EMPTY)
    def low(self) -> float:
        """The lower end of the 95 % interval of that difference."""
        return 100 * self.estimate.low

    @quantity(POINTS, "survey", absent=EMPTY)
    def high(self) -> float:
        """The upper end of the 95 % interval of that difference."""
        return 100 * self.estimate.high

    @quantity("standard errors", "survey", absent="the groups are open, so that their sizes are known")
    def size_in_errors(self) -> float:
        """How many standard errors the smaller side is above empty: below 3 its difference says nothing."""
        return self.estimate.size_in_errors

    @quantity(POINTS, "survey", absent=UNLISTED)
    def raw(self) -> float:
        """The same difference in the table that the reports name, as if they were answers."""
        one, other = self.sides(self.raw_table)
        return 100 * (one - other)

    @quantity(POINTS, absent=UNLISTED)
    def raw_expected(self) -> float:
        """The difference that the table of raw reports of ever more people comes to: exact, and another than theirs."""
        one, other = self.sides(self.design.raw(self.compared.freq))
        return 100 * (one - other)

    def sides(self, table: Array) -> tuple[float, float]:
        """The share of the answers on either side, in a table (kx, ky) of pairs."""
        c = self.compared
        return share_within(table, c.answers, c.one), share_within(table, c.answers, c.other)

    @cached_property
    def odds_estimate(self) -> RelationEstimate:
        """The odds ratio; an end may be 0 or infinite."""
        c = self.compared
        return self.survey.odds_ratio(c.answers, c.one, c.other, c.about)

    @quantity("times", absent=EMPTY)
    def odds(self) -> Mapping[str, float]:
        """The odds of the answers on the first side over those on the other: estimated, its interval, true and raw."""
        estimate = self.odds_estimate
        known = {"estimate": estimate.value, "low": estimate.low, "high": estimate.high}
        return known | {"truth": self._odds(self.compared.freq), "raw": self._odds(self.raw_table)}

    def _odds(self, table: Array) -> float:
        a, b = self.sides(table)
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(np.divide(a * (1 - b), b * (1 - a)))

    @cached_property
    def groups(self) -> list[GroupRow]:
        """Group by group: each for itself, all intervals at once (Šidák)."""
        return [self._row(np.arange(self.design.kx) == x, looks=self.design.kx) for x in range(self.design.kx)]

    @property
    def is_different(self) -> bool:
        """Whether the survey tells a difference at all: its interval is on one side of zero."""
        return bool(self.estimate.told) and not self.low <= 0 <= self.high

    def together(self, side: int) -> GroupRow:
        """The groups of one side (0 or 1) as one."""
        return self._row((self.compared.one, self.compared.other)[side])

    def _row(self, mask: NDArray[np.bool_], looks: int = 1) -> GroupRow:
        c = self.compared
        share = self.survey.within(c.answers, mask, c.about, looks=looks)
        truth, raw = (share_within(table, c.answers, mask) for table in (c.freq, self.raw_table))
        label, size = "; ".join(np.array(c.people.labels[0])[mask]), float(self.survey.shares[mask].sum())
        people = int(c.people.counts[mask].sum())
        return GroupRow(label, people, size, bool((c.mx & mask).any()), share, truth, raw)

    @quantity(OF_GROUP, absent=EMPTY)
    def within(self) -> Mapping[str, float]:
        """The estimated share of the answers, group by group."""
        return {row.label: row.share.value if row.share.told else nan for row in self.groups}

    @cached_property
    def against_others(self) -> list[RelationEstimate]:
        """Each group against all others together, all intervals at once (Šidák)."""
        return self.survey.against_others(self.compared.answers, about=self.compared.about)

    @cached_property
    def told_from_others(self) -> list[int]:
        """The groups of which these intervals are on one side of 0, the clearest first."""
        gaps = {x: gap for x, gap in enumerate(self.against_others) if gap.told and not gap.low <= 0 <= gap.high}
        return sorted(gaps, key=lambda x: -abs(gaps[x].value) / max(gaps[x].high - gaps[x].low, 1e-12))

    @cached_property
    def true_against_others(self) -> list[float]:
        """The same of these people, as shares: internal."""
        counts, answers = self.compared.people.counts, self.compared.answers
        people, hits = counts.sum(axis=1), counts[:, answers].sum(axis=1)
        return (hits / people - (hits.sum() - hits) / (people.sum() - people)).tolist()

    @cached_property
    def test(self) -> IndependenceTest:
        """Whether there is a relation at all."""
        return self.survey.independence(stream(self.study.seed, "relation", "test", self.key, self.drawn))

    @property
    def is_tested_at_once(self) -> bool:
        """Whether the test is a formula: of few people, or of a pair asked as one, a thousand surveys may be drawn."""
        return self.design.is_apart and self.n >= EXACT_BELOW

    @quantity(CHANCE, "survey")
    def p(self) -> float:
        """The chance of so clear a table of reports if the two answers had nothing to do with one another."""
        return self.test.p

    @cached_property
    def strength(self) -> RelationEstimate:
        """Cramér's V; told only where every group and every answer is told from an empty one."""
        return self.survey.strength(self.compared.about)
