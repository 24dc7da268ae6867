"""What a page of relations shows beside its curves: numbers only, each from the engine.

>>> from ldpcore import Marks, Source, Study, data
>>> from ldpcore.study import relations as task, tasks
>>> tasks.add("relations", task, task.limits)
>>> study = Study(Source("health"), "sex", Marks.of(["smoking = every day", "sex = male"]), ("uSS",), epsilon=2.0,
...     task="relations", options={"groups": "smoking"})
>>> page = RelationFacts.of(study, task.prepare(study, data.load("health")), "uSS")
>>> page.headline().n, [row.label for row in page.groups()]
(20000, ['never', 'former', 'some days', 'every day'])
>>> tasks.remove("relations")
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ldpcore.randomizer import NotEnumerable
from ldpcore.relations import IndependenceTest, PairExposure, Relation, RelationEstimate, SurveyDesign, share_within
from ldpcore.rng import stream
from ldpcore.study.column import scaled
from ldpcore.study.definition import Study
from ldpcore.study.relations.people import PairCounts
from ldpcore.study.relations.settings import SETTINGS, Compared, options

Array = NDArray[np.float64]


@dataclass(frozen=True)
class RelationHeadline:
    """difference: of one drawn survey; truth: of these people; raw: what the reports' own table shows (nan where these
    were too many to list); half_width: ± that is expected; people: who tell it from 0, None for nobody; n: of the
    survey. others: (setting, groups are joined, ±) of the other ways to ask the same.
    """

    difference: RelationEstimate
    truth: float
    raw: float
    half_width: float
    people: int | None
    n: int
    others: tuple[tuple[str, bool, float], ...]


@dataclass(frozen=True)
class GroupRow:
    """label of a group; how many people are in it; the share of the answers in it, estimated, true and raw."""

    label: str
    people: int
    marked: bool
    share: RelationEstimate
    truth: float
    raw: float


@dataclass(frozen=True, eq=False)
class RelationFacts:
    """One mechanism of a study at its present ε and people: one survey is drawn, by the study's seed."""

    study: Study
    compared: Compared
    key: str
    design: SurveyDesign
    n: int

    @classmethod
    def of(cls, study: Study, people: PairCounts, key: str) -> "RelationFacts":
        """ValueError, in a sentence, where this mechanism has no such setting."""
        compared = Compared.of(study, people)
        design = compared.design(key, options(study).setting, study.epsilon)
        return cls(study, compared, key, design, study.n or people.n)

    @cached_property
    def survey(self) -> Relation:
        """What one survey says: its shares, intervals, test."""
        surveyed, rng = (
            scaled(self.compared.people.counts.ravel(), self.n),
            stream(self.study.seed, "relation", self.key),
        )
        return self.design.joint(self.design.draw(surveyed, rng, 1, self.compared.about)[0])

    @cached_property
    def raw(self) -> Array:
        """The table (kx, ky) that its reports name; nan where these were too many to list."""
        tally = self.survey.tally
        if tally is None or tally.counts is None:
            return np.full((self.design.kx, self.design.ky), np.nan)
        return self.design.raw_of(tally)

    def headline(self) -> RelationHeadline:
        """The sentence: how much rarer or commoner, ±, what a raw table shows, and other ways to ask."""
        c = self.compared
        difference = self.survey.difference(c.answers, c.one, c.other, c.about)
        raw = share_within(self.raw, c.answers, c.one) - share_within(self.raw, c.answers, c.other)
        others = tuple(
            (setting, joined, half)
            for joined in (False, True)
            for setting in SETTINGS
            if (setting, joined) != (options(self.study).setting, options(self.study).join)
            and (half := self.half_width(setting, self.study.epsilon, joined)) is not None
        )
        wide = c.half_width(self.design, self.n)
        return RelationHeadline(difference, c.truth, raw, wide, c.people_for(self.design, None), self.n, others)

    def groups(self) -> list[GroupRow]:
        """Group by group, as the forest shows it: each for itself, all intervals at once (Šidák)."""
        c, rows = self.compared, []
        sizes = c.people.counts.sum(axis=1)
        for x, label in enumerate(c.people.labels[0]):
            share = self.survey.within(c.answers, x, c.about, looks=self.design.kx)
            truth = share_within(c.freq, c.answers, x)
            rows.append(
                GroupRow(label, int(sizes[x]), bool(c.mx[x]), share, truth, share_within(self.raw, c.answers, x))
            )
        return rows

    def together(self, side: int) -> GroupRow:
        """The groups of one side (0 or 1) as one."""
        c = self.compared
        mask = (c.one, c.other)[side]
        label, people = "; ".join(np.array(c.people.labels[0])[mask]), int(c.people.counts[mask].sum())
        truth, raw = share_within(c.freq, c.answers, mask), share_within(self.raw, c.answers, mask)
        return GroupRow(
            label, people, bool((c.mx & mask).any()), self.survey.within(c.answers, mask, c.about), truth, raw
        )

    def test(self) -> IndependenceTest:
        """Whether there is a relation at all."""
        return self.survey.independence(stream(self.study.seed, "relation", "test", self.key))

    def odds_ratios(self) -> tuple[RelationEstimate, float, float]:
        """Estimated, of these people, and of the raw table."""
        c = self.compared
        odds = []
        for table in (c.freq, self.raw):
            a, b = (share_within(table, c.answers, side) for side in (c.one, c.other))
            with np.errstate(divide="ignore", invalid="ignore"):
                odds.append(float(np.divide(a * (1 - b), b * (1 - a))))
        return self.survey.odds_ratio(c.answers, c.one, c.other, c.about), odds[0], odds[1]

    # all settings ----------------------------------------------------------------------------------------------

    def _asked(self, setting: str, epsilon: float, joined: bool) -> tuple[Compared, SurveyDesign] | None:
        compared = self.compared.joined() if joined and not options(self.study).join else self.compared
        if joined and len(compared.mx) == len(self.compared.mx) and not options(self.study).join:
            return None  # there is nothing to join
        try:
            return compared, compared.design(self.key, setting, epsilon)
        except ValueError:
            return None

    def half_width(self, setting: str, epsilon: float, joined: bool = False, n: int | None = None) -> float | None:
        """± at this ε, for the error against ε; None where this cannot be asked so."""
        asked = self._asked(setting, epsilon, joined)
        return None if asked is None else asked[0].half_width(asked[1], n or self.n)

    def floor(self, epsilon: float, joined: bool = False, n: int | None = None) -> float | None:
        """± that no pair asked as one undercuts; None for more than 16 pairs, or nothing marked."""
        compared = self.compared.joined() if joined and not options(self.study).join else self.compared
        return compared.floor(epsilon, n or self.n)

    def people(self, setting: str, delta: float, power: float = 0.8, joined: bool = False) -> int | None:
        """Who tell a difference of delta, with its sign; None where none suffice, or this cannot be asked so."""
        asked = self._asked(setting, self.study.epsilon, joined)
        return None if asked is None else asked[0].people_for(asked[1], delta, power)

    def exposure(self, setting: str, side: int, joined: bool = False) -> PairExposure | None:
        """Who is told apart of the marked groups (side 0) or answers (side 1); None where nobody is marked, or
        everybody, or reports are too many to list.
        """
        asked = self._asked(setting, self.study.epsilon, joined)
        if asked is None:
            return None
        compared, design = asked
        marked = (compared.mx, compared.my)[side]
        if not 0 < marked.sum() < len(marked):
            return None
        try:
            return design.exposure(compared.freq, **({"y": marked} if side else {"x": marked}))
        except NotEnumerable:
            return None
