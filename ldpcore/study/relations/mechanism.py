"""What one mechanism makes of two questions: one drawn survey, how exact such surveys are, and who is exposed."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf, nan

import numpy as np
from numpy.typing import NDArray

from ldpcore import catalog
from ldpcore.randomizer import NotEnumerable
from ldpcore.relations import IndependenceTest, PairExposure, Relation, RelationEstimate, SurveyDesign, share_within
from ldpcore.relations.independence import EXACT_BELOW
from ldpcore.rng import stream
from ldpcore.study.definition import Study
from ldpcore.study.quantities import CHANCE, EPSILON, Known, quantity
from ldpcore.study.relations.people import PairCounts
from ldpcore.study.relations.rows import GroupRow, OtherWay
from ldpcore.study.relations.settings import SETTINGS, Compared, current, luck, options

Array = NDArray[np.float64]
POINTS, OF_GROUP, HEADS = "percentage points", "share of the group", "people"
TRIED = 40
"""ε that are looked at for one at which less is wrong."""
SEEN = 0.01
"""So much smaller an error is said."""
EMPTY = "a group cannot be told from an empty one, or its estimated size is below 0"
UNLISTED = "this mechanism has too many reports for a table of what they name"


@dataclass(frozen=True, eq=False)
class RelationFacts(Known):
    """One mechanism at the study's ε and people. drawn: the repetition of the study whose survey is looked at."""

    study: Study
    compared: Compared
    key: str
    design: SurveyDesign
    n: int
    drawn: int = 0

    @classmethod
    def of(cls, study: Study, people: PairCounts, key: str, drawn: int = 0) -> "RelationFacts":
        """ValueError, in a sentence, where this mechanism has no such setting."""
        compared = Compared.of(study, people)
        design = compared.design(key, options(study).setting, study.epsilon)
        return cls(study, compared, key, design, study.n or people.n, drawn)

    @property
    def shows_unmarked(self) -> bool:
        """Whether it is a report of both answers that may show one that is not marked: then the floor of a pair asked
        as one is none for it.
        """
        return self.key in catalog.PAIRS

    @quantity("bits")
    def bits(self) -> float:
        """Size of what one person sends: both reports, or the one of the pair."""
        return self.design.bits

    # one survey --------------------------------------------------------------------------------------------------

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
        c = self.compared
        one, other = (share_within(self.raw_table, c.answers, side) for side in (c.one, c.other))
        return 100 * (one - other)

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
        c = self.compared
        a, b = (share_within(table, c.answers, side) for side in (c.one, c.other))
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(np.divide(a * (1 - b), b * (1 - a)))

    @cached_property
    def groups(self) -> list[GroupRow]:
        """Group by group: each for itself, all intervals at once (Šidák)."""
        return [self._row(np.arange(self.design.kx) == x, looks=self.design.kx) for x in range(self.design.kx)]

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

    # what is expected --------------------------------------------------------------------------------------------

    @quantity(POINTS)
    def margin(self) -> float:
        """The 95 % margin, ±, of the difference in such a survey."""
        return 100 * self.compared.half_width(self.design, self.n)

    @quantity(EPSILON, absent="no smaller ε errs less")
    def smaller_epsilon(self) -> float | None:
        """The ε, down to a quarter of the chosen one, at which the same question errs least.

        A mechanism chooses its reports for the shares of one question, and a difference may be better served by those
        of a smaller ε, which promises more.
        """
        setting = options(self.study).setting
        tried = [float(f"{x:.3g}") for x in np.geomspace(self.study.epsilon / 4, self.study.epsilon, TRIED)[:-1]]
        half, epsilon = min((self.half_width(setting, x) or inf, x) for x in tried)
        return epsilon if 100 * half < self.margin * (1 - SEEN) else None

    @quantity(POINTS, absent="no smaller ε errs less")
    def smaller_margin(self) -> float | None:
        """The 95 % margin, ±, of the difference at that smaller ε."""
        if self.smaller_epsilon is None:
            return None
        return 100 * (self.half_width(options(self.study).setting, self.smaller_epsilon) or nan)

    @quantity(HEADS, absent="no number of people tells it: there is no difference among these people")
    def people(self) -> int | None:
        """Who tell the difference of these people from none, in four surveys of five."""
        return self.compared.people_for(self.design, None)

    def _asked(self, setting: str, epsilon: float, joined: bool) -> tuple[Compared, SurveyDesign] | None:
        is_more = joined and not options(self.study).join
        compared = self.compared.joined() if is_more else self.compared
        if is_more and compared.people.counts.shape == self.compared.people.counts.shape:
            return None  # there is nothing to join
        try:
            return compared, compared.design(self.key, setting, epsilon)
        except ValueError:
            return None

    def half_width(self, setting: str, epsilon: float, joined: bool = False, n: int | None = None) -> float | None:
        """± at this ε, as a share; None where this cannot be asked so."""
        asked = self._asked(setting, epsilon, joined)
        return None if asked is None else asked[0].half_width(asked[1], n or self.n)

    def size(self, setting: str, epsilon: float, joined: bool = False) -> float | None:
        """What one person sends at this ε, bits; None where this cannot be asked so."""
        asked = self._asked(setting, epsilon, joined)
        return None if asked is None else float(asked[1].bits)

    @cached_property
    def others(self) -> list[OtherWay]:
        """All other ways to ask the same at this ε that there are."""
        chosen, ways = options(self.study), []
        for joined in (True,) if chosen.join else (False, True):
            for setting in SETTINGS:
                if (setting, joined) == (chosen.setting, chosen.join):
                    continue
                asked = self._asked(setting, self.study.epsilon, joined)
                if asked is not None:
                    half = asked[0].half_width(asked[1], self.n)
                    groups, answers = asked[0].people.counts.shape
                    ways.append(OtherWay(setting, joined, groups, answers, 100 * half))
        return ways

    @quantity(POINTS, absent="this cannot be asked so")
    def margins(self) -> Mapping[str, float]:
        """The margin, ±, of the other ways to ask the same."""
        return {f"{way.setting}, joined" if way.joined else way.setting: way.margin for way in self.others}

    def people_for(self, setting: str, delta: float, power: float = 0.8, joined: bool = False) -> int | None:
        """Who tell a difference of delta, with its sign; None where none suffice, or this cannot be asked so."""
        asked = self._asked(setting, self.study.epsilon, joined)
        return None if asked is None else asked[0].people_for(asked[1], delta, power)

    def exposure(self, setting: str, side: int, joined: bool = False, secret: bool = False) -> PairExposure | None:
        """Who is told apart of the marked groups (side 0) or answers (side 1), or of those of them that are secret;
        None where nobody is, or everybody, or reports are too many to list.
        """
        asked = self._asked(setting, self.study.epsilon, joined)
        if asked is None:
            return None
        compared, design = asked
        marked = compared.secrets[side] if secret else (compared.mx, compared.my)[side]
        if not 0 < marked.sum() < len(marked):
            return None
        try:
            return design.exposure(compared.freq, **({"y": marked} if side else {"x": marked}))
        except NotEnumerable:
            return None

    @cached_property
    def exposures(self) -> tuple[PairExposure | None, PairExposure | None]:
        """Of marked groups and of marked answers, as they are asked now."""
        now = options(self.study).setting
        return self.exposure(now, 0), self.exposure(now, 1)

    @cached_property
    def secret_exposures(self) -> tuple[PairExposure | None, PairExposure | None]:
        """The same of those with a secret answer, from all others; None where a question has none."""
        now = options(self.study).setting
        return self.exposure(now, 0, secret=True), self.exposure(now, 1, secret=True)

    @quantity(CHANCE, absent="nothing of this question is marked, or everything, or reports are too many to list")
    def told_apart(self) -> Mapping[str, float]:
        """Pairs of a marked answer and another one that are told apart: by that answer's report, and by all reports; of
        secret ones, where there are some, also by themselves.
        """
        pairs = {}
        of = list(zip(self.compared.people.names, self.exposures, strict=True))
        if self.study.marks.secret:
            names = (f"{name}, secret" for name in self.compared.people.names)
            of += zip(names, self.secret_exposures, strict=True)
        for name, each in of:
            pairs[f"{name}: own report"] = nan if each is None else each.own_report
            pairs[f"{name}: all reports"] = nan if each is None else each.all_reports
        return pairs
