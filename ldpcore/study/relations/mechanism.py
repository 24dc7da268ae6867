"""What one mechanism makes of two questions: how exact its surveys are, how else to ask, and who is exposed."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf, nan

import numpy as np

from ldpcore import catalog
from ldpcore.randomizer import NotEnumerable
from ldpcore.relations import PairExposure, SurveyDesign, share_within
from ldpcore.study.definition import Study
from ldpcore.study.quantities import CHANCE, EPSILON, PEOPLE, quantity
from ldpcore.study.relations.people import PairCounts
from ldpcore.study.relations.rows import OtherWay
from ldpcore.study.relations.settings import SETTINGS, Compared, options
from ldpcore.study.relations.survey import HEADS, POINTS, SurveyFacts

TRIED = 40
"""ε that are looked at for one at which less is wrong."""
SEEN = 0.01
"""So much smaller an error is said."""


@dataclass(frozen=True, eq=False)
class RelationFacts(SurveyFacts):
    """One mechanism at the study's ε and people. drawn: the repetition of the study whose survey is looked at."""

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

    @quantity(PEOPLE, absent="there is nothing to join, or this cannot be asked so")
    def joined_people(self) -> float | None:
        """Of the people, who suffice for the same margin where all that nobody compares is joined, else asked so."""
        joined = [way.margin for way in self.others if way.joined and way.setting == options(self.study).setting]
        return (joined[0] / self.margin) ** 2 if joined and self.margin > 0 else None

    def people_for(self, setting: str, delta: float, power: float = 0.8, joined: bool = False) -> int | None:
        """Who tell a difference of delta, with its sign; None where none suffice, or this cannot be asked so."""
        asked = self._asked(setting, self.study.epsilon, joined)
        return None if asked is None else asked[0].people_for(asked[1], delta, power)

    def direction(self, size: float) -> int | None:
        """Where a difference of this size, a share, is looked for: 1 above 0, −1 below. As these people's, unless the
        share on the other side leaves it no room: nothing is 5 points rarer than 2 %. None where neither side has room.
        """
        share = share_within(self.compared.freq, self.compared.answers, self.compared.other)
        likely = -1 if self.compared.truth < 0 else 1
        return next((sign for sign in (likely, -likely) if 0 <= share + sign * size <= 1), None)

    def people_seeing(self, setting: str, size: float, power: float = 0.8, joined: bool = False) -> int | None:
        """Who tell a difference of this size, in its `direction`; None where there is none or none suffice."""
        sign = self.direction(size)
        return None if sign is None else self.people_for(setting, sign * size, power, joined)

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

    def exposures_by_setting(self, side: int) -> dict[str, PairExposure | None]:
        """Of the marked groups (side 0) or answers (side 1), in every way to ask: setting → who is told apart."""
        return {setting: self.exposure(setting, side, options(self.study).join) for setting in SETTINGS}

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
