"""A question with two answers, which several lessons are about: its Study, its mechanism, and what follows exactly."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from ldpapp.compute import bundled
from ldpapp.views.papers.live import Live
from ldpcore.data import Histogram
from ldpcore.study import Marks, Source, Study, frequency
from ldpcore.study.frequency.cell import FrequencyDesignPoint

DATA, COLUMN, YES = "census", "income", ">50K"
MECHANISM = "GRR"
"""Of two answers: the coin of randomised response."""


@dataclass(frozen=True, eq=False)
class SalaryQuestion:
    """The question asked of all people at some ε. Chances and shares between 0 and 1."""

    study: Study
    cell: FrequencyDesignPoint

    @property
    def epsilon(self) -> float:
        return self.study.epsilon

    @property
    def yes(self) -> int:
        """The code of “yes”."""
        return int(np.flatnonzero(self.cell.marked)[0])

    @property
    def share(self) -> float:
        """Of the people, who would say “yes”."""
        return float(self.cell.freq[self.yes])

    @property
    def kept(self) -> float:
        """Chance that a true “yes” is sent as it is."""
        return float(self._sent[self.yes])

    @property
    def turned(self) -> float:
        """Chance that a true “no” is sent as “yes”."""
        return float(self._sent[1 - self.yes])

    @property
    def reported(self) -> float:
        """Expected share of reports that say “yes”."""
        return float(self._mechanism.support(self.cell.freq)[self.yes])

    def believed(self, prior: float) -> float:
        """How sure one can be of “yes” after a report that says it."""
        before = np.where(self.cell.marked, prior, 1 - prior)
        return float(self._mechanism.channel().posterior(before)[self.yes, self.yes])

    def estimate(self, reported: float) -> float:
        """The share that so many reports of “yes” stand for."""
        seen = np.where(self.cell.marked, reported, 1 - reported)
        return float(self._mechanism.invert(seen)[self.yes])

    @property
    def error(self) -> float:
        """The typical error of the share."""
        return float(np.sqrt(self.cell.squared_error()[self.yes]))

    @property
    def live(self) -> Live:
        return Live(self.study, "odds")

    @property
    def _mechanism(self):
        return self.cell.groups[0].mechanism

    @property
    def _sent(self):
        return self._mechanism.channel().matrix[:, self.yes]


@cache
def counted() -> Histogram:
    return frequency.prepare(_study(1.0), bundled(DATA))


def _study(epsilon: float, people: int | None = None, surveys: int = 3) -> Study:
    marks = Marks.of((YES,))
    return Study(
        Source(DATA), COLUMN, marks, (MECHANISM,), epsilon, n=people, grid=(), repetitions=surveys, missing="any"
    )


def asked(epsilon: float = 1.0, people: int | None = None, surveys: int = 3) -> SalaryQuestion:
    """people: how many are asked, with the same shares; None: as many as the data have. surveys: how many of them."""
    study = _study(epsilon, people, surveys)
    return SalaryQuestion(study, frequency.cell(study, counted(), MECHANISM, epsilon))
