"""The planner of a mean: what it errs with these numbers, or with the worst."""

from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import Any

from ldpcore import catalog, plan
from ldpcore.leveled_parts import Part
from ldpcore.levels import Levels
from ldpcore.memory import remembered
from ldpcore.study.means.numbers import NumberColumn


@dataclass(frozen=True)
class MeanPlans:
    """Plans for the mean. near: how near a guess must come, on [-1, 1]. worst: of the worst numbers, not of these.
    promise: whose limit stands beside them. parts: the range with the ε of every part over that of the most secret one,
    () where what is marked has one ε. Plans are then by the ε of the most secret part.

    >>> from ldpcore import Source, Study
    >>> from ldpcore.study.execute import prepare
    >>> ages = prepare(Study(Source("health"), "age", bins=(18, 98, 64), task="means"))
    >>> plans = MeanPlans(ages, ((-1.0, 0.5),), 0.1, worst=False, promise="ULDP")  # marked: 78 and more
    >>> plans.of("uTernary").people(epsilon=1.0, within=0.01), plans.limit().people(epsilon=1.0, within=0.01)
    (51652, 49072)
    """

    data: NumberColumn
    low: tuple[tuple[float, float], ...]
    near: float
    worst: bool
    promise: str
    parts: tuple[Part, ...] = ()

    def of(self, key: str) -> plan.Plan:
        if key in catalog.LEVELED_MEANS:
            made = plan.leveled_means(key, self.parts or self._alike, delta=self.near, **self.known)
            return made.weighing(self.data.design_effect)
        secret = [(left, right) for left, right, times in self.parts if times == 1]
        return plan.means(key, self.low, delta=self.near, after=secret, **self.known).weighing(self.data.design_effect)

    @property
    def _alike(self) -> list[Part]:
        """Whatever is marked has one ε."""
        edges = [-1.0, *(end for pair in self.low for end in pair), 1.0]
        parts = [(left, right, inf if (left, right) in self.low else 1.0) for left, right in pairwise(edges)]
        return [part for part in parts if part[0] < part[1]]

    def limit(self) -> plan.Plan | None:
        """Kept with the numbers: it remembers what it has computed, a program for every ε."""
        key = ("plan limit", self.low, self.worst, self.promise, self.parts)
        return remembered(self.data, key, self._limit, 16)

    def _limit(self) -> plan.Plan | None:
        if self.promise == Levels.name or (self.parts and self.promise != "LDP"):
            limit = plan.leveled_means_limit(self.parts, **self.known) if self.parts else None
        else:
            limit = plan.means_limit(self.promise, self.low, **self.known)
        return limit and limit.weighing(self.data.design_effect)

    @property
    def known(self) -> dict[str, Any]:
        """What is said of the people's numbers."""
        return {} if self.worst else {"x": self.data.points, "counts": self.data.squares}
