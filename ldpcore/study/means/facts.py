"""The facts of a means study at its own point: how exactly the mean is known, and how near its answers are guessed.

>>> from ldpcore import Marks, Source, Study
>>> from ldpcore.study.execute import prepare
>>> old, names = Marks.of(["80..98"]), ("PM", "uTernary", "SDPM")
>>> study = Study(Source("health"), "age", old, names, bins=(18, 98, 64), grid=(), task="means")
>>> found = facts(study, prepare(study))
>>> {key: round(one.margin, 2) for key, one in found.parts.items()}  # years, ± 95 %
{'PM': 1.2, 'uTernary': 0.68, 'SDPM': 0.82}
>>> found.best.marked.mechanism, found.best.every.mechanism, round(found.gain, 1)
('uTernary', 'PM', 1.8)
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import nan
from typing import NamedTuple

import pandas as pd

from ldpcore.catalog import Coverage
from ldpcore.memory import remembered
from ldpcore.numeric_randomizer import NumericRandomizer
from ldpcore.policy import LDP
from ldpcore.study import intervals, invented, means
from ldpcore.study.definition import Marks, Study
from ldpcore.study.means import limit, personal, reports
from ldpcore.study.means.estimates import covering, entered, unbiased
from ldpcore.study.means.numbers import MeanDesignPoint, NumberColumn
from ldpcore.study.means.spreads import Spread, spreads
from ldpcore.study.means.usual import NEAR, proposed, within
from ldpcore.study.quantities import CHANCE, PEOPLE, TIMES, Known, quantity

UNIT = "units of the column"
NO_MEAN = "for these marks it has no mean without bias"
UNSEEN = pd.DataFrame(columns=["mechanism", "x", "metric", "scope", "repetition", "value"])
"""No survey: what is known by closed form alone."""


class BestMeans(NamedTuple):
    """The most exact unbiased estimate under each promise; None where no mechanism has one."""

    marked: Spread | None
    """Protects the marked values; of a weaker promise only where no other is compared."""
    every: Spread | None

    @property
    def first(self) -> Spread | None:
        return self.marked or self.every

    @property
    def weaker(self) -> bool:
        return self.marked is not None and bool(covering([self.marked.mechanism], Coverage.WEAKER))


def best(every: Sequence[Spread]) -> BestMeans:
    """Among these estimates, at their point."""
    exact = [spread for spread in every if (spread.mechanism, spread.how) == unbiased(spread.mechanism)]

    def least(covered: Coverage) -> Spread | None:
        able = [spread for spread in exact if covering([spread.mechanism], covered)]
        return min(able, key=lambda spread: spread.typical, default=None)

    return BestMeans(least(Coverage.MARKED) or least(Coverage.WEAKER), least(Coverage.EVERY))


class GuessedAnswers(NamedTuple):
    """Whose answers are guessed to within ± near (the column's units), how often from a report of the best mechanism
    for the marked values, from one of the best for every value (None: there is none), and without a report.
    """

    scope: str
    near: float
    won: float
    rival: float | None
    blind: float

    @property
    def rise(self) -> float:
        return self.won - (self.blind if self.rival is None else self.rival)


@dataclass(frozen=True, eq=False)
class EstimateFacts(Known):
    """One mechanism at the study's own point. near: how near a guess must come, in the column's units."""

    key: str
    study: Study
    data: NumberColumn
    spread: Spread | None
    near: float

    @property
    def point(self) -> MeanDesignPoint:
        """The study's own."""
        return means.cell(self.study, self.data, self.key, self.study.epsilon)

    @property
    def mechanism(self) -> NumericRandomizer:
        """At the study's own point."""
        return self.point.groups[0].mechanism

    @quantity(UNIT, absent=NO_MEAN)
    def error(self) -> float:
        """Typical error of the unbiased mean: √(bias² + variance), exact."""
        return self.spread.typical if self.spread else nan

    @quantity(UNIT, absent=NO_MEAN)
    def margin(self) -> float:
        """The 95 % margin of the unbiased mean, ±."""
        return self.spread.margin if self.spread else nan

    @quantity("bits")
    def bits(self) -> float:
        """Size of a report: 64 for a number, 1 where it is one of two."""
        return self.point.bits

    @quantity(CHANCE)
    def guessed(self) -> dict[str, float]:
        """Answers of this scope guessed to within the distance from one report, by one who knows how the column is
        distributed.
        """
        alone = replace(self.study, mechanisms=(self.key,)).with_options(delta=self.near)
        rows = remembered(
            self.data, ("guessed", alone), lambda: reports.guessed(alone, self.data, (alone.epsilon,)), 64
        )
        return {str(scope): float(won) for scope, won in zip(rows["scope"], rows["theory"], strict=True)}

    @cached_property
    def promise(self) -> str:
        """The definition whose limit the mechanism is held against; "" where it keeps none that has one."""
        return limit.promise(self.key, self.mechanism)

    @property
    def is_limited(self) -> bool:
        """Whether there is a limit: with nothing marked ULDP promises nothing."""
        return bool(self.promise) and (self.promise == LDP.name or bool(self.study.marks))

    @quantity(UNIT, absent="with nothing marked this promise has no limit; at a large ε it is too small to compute")
    def least(self) -> float:
        """The least typical error of any unbiased mean with this promise on these data."""
        if not self.is_limited:
            return nan
        epsilon = self.mechanism.epsilon if self.key == invented.KEY else self.study.epsilon
        least = limit.least(self.study, self.data, self.promise, epsilon)
        n = (self.study.n or self.data.n) / self.data.design_effect
        return self.data.unit * (least / n) ** 0.5 if least > 0 else nan


@dataclass(frozen=True, eq=False)
class MeansFacts(Known):
    """study: at its own point of ε, of those chosen mechanisms that promise something for these marks. off: the others.
    near: how near a guess must come, in the column's units.
    """

    study: Study
    off: tuple[str, ...]
    data: NumberColumn
    near: float

    @property
    def on(self) -> tuple[str, ...]:
        """Those that promise something."""
        return tuple(key for key in self.study.mechanisms if key not in self.off)

    @property
    def marked(self) -> list[intervals.Pair]:
        """The sensitive intervals, in the column's units."""
        return intervals.parsed(self.study.marks.values)

    @cached_property
    def exact(self) -> list[Spread]:
        """Closed forms of all mechanisms."""
        if not self.on:
            return []
        asked = self.study.with_options(estimates=("mean", "unbiased"), attacks=0)
        return spreads(asked, self.data, UNSEEN)

    @cached_property
    def best(self) -> BestMeans:
        return best(self.exact)

    @cached_property
    def parts(self) -> dict[str, EstimateFacts]:
        free = {
            spread.mechanism: spread
            for spread in self.exact
            if (spread.mechanism, spread.how) == unbiased(spread.mechanism)
        }
        return {key: EstimateFacts(key, self.study, self.data, free.get(key), self.near) for key in self.on}

    def cell(self, mechanism: str) -> MeanDesignPoint:
        """The mechanism at these marks and ε, and its people."""
        return means.cell(self.study, self.data, mechanism, self.study.epsilon)

    @quantity(UNIT, absent="no mechanism that is chosen promises anything for these marks")
    def truth(self) -> float:
        """The true mean of the people of a survey, all of the data or as many as are asked: internal."""
        return float(self.data.interval.decode(self.cell(self.on[0]).groups[0].mean)) if self.on else nan

    @quantity(TIMES, absent="nothing is marked, or nothing that uses marks stands beside what protects every value")
    def gain(self) -> float:
        """How many times smaller the typical error is with the marked values protected than with every value."""
        marked, every = self.best
        return every.typical / marked.typical if marked and every and self.marked else nan

    @quantity(UNIT, absent="something is marked, or nothing chosen would use marks")
    def supposed_margin(self) -> float:
        """With nothing marked: the 95 % margin, ±, if only what is proposed were (`usual.proposed`)."""
        spread = self.supposed
        return spread.margin if spread else nan

    @cached_property
    def supposed(self) -> Spread | None:
        """With nothing marked: the best of those that protect marks alone, were the proposal marked."""
        if not self.off:
            return None
        marks = Marks.of([intervals.written(*pair) for pair in proposed(self.data)])
        asked = replace(self.study, mechanisms=self.off, marks=marks)
        return best(spreads(asked.with_options(estimates=("mean", "unbiased"), attacks=0), self.data, UNSEEN)).marked

    @quantity(PEOPLE, "sensitive")
    def held(self) -> float:
        """People whose number is marked."""
        return within(self.data, self.marked)

    @quantity(UNIT)
    def distance(self) -> float:
        """How near a guess must come: a tenth of the public range, or the option delta."""
        return self.near

    @quantity(UNIT)
    def blind_guess(self) -> float:
        """The one guess that is near enough for most people, of one who sees no report."""
        return self._blind[0]

    @quantity(CHANCE)
    def blind(self) -> dict[str, float]:
        """Answers of this scope that this guess is near enough to."""
        return self._blind[1]

    @property
    def _blind(self) -> tuple[float, dict[str, float]]:
        asked = replace(self.study, epsilon=1.0, repetitions=1, mechanisms=("SDPM",), secret_epsilon=None)
        return remembered(
            self.data, ("blind", asked, self.near), lambda: personal.blind(asked, self.data, self.near), 64
        )

    @cached_property
    def price(self) -> GuessedAnswers | None:
        """Of those whom the marks expose most: others, as a rule; marked ones where what is hidden gives them away."""
        if self.best.marked is None or "other" not in self.blind:  # all is marked, or no mechanism knows of it
            return None
        one, rival = self.parts[self.best.marked.mechanism].guessed, {}
        if self.best.every:
            rival = self.parts[self.best.every.mechanism].guessed
        prices = [
            GuessedAnswers(scope, self.near, one[scope], rival.get(scope), self.blind[scope])
            for scope in ("other", "sensitive") if scope in self.blind
        ]  # fmt: skip
        return max(prices, key=lambda price: price.rise)


def off(study: Study) -> tuple[str, ...]:
    """Those of its mechanisms that promise nothing for its marks: with nothing marked, all that protect marks alone."""
    return () if study.marks else tuple(key for key in entered(study.mechanisms) if means.CATALOG[key].uses_marks)


def facts(study: Study, data: NumberColumn, rows: pd.DataFrame | None = None, near: float | None = None) -> MeansFacts:
    """What is known of the study at its own point, all of it exact: no simulated rows are looked at."""
    idle = off(study)
    chosen = tuple(key for key in study.mechanisms if key not in idle)
    at = replace(study, axis="epsilon", grid=(), mechanisms=chosen or study.mechanisms)
    distance = near or means.options(study).delta or 2 * NEAR * data.unit
    return MeansFacts(at, idle, data, distance)
