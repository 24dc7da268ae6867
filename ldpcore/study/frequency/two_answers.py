"""A question with two answers, one of them marked: what a report of it says, exactly.

>>> from ldpcore import Marks, Source, data
>>> from ldpcore.study import frequency
>>> study = Study(Source("census"), "income", Marks.of([">50K"]), ("GRR",), grid=(), missing="any")
>>> counted = frequency.prepare(study, data.load("census"))
>>> asked = TwoAnswers(study, frequency.cell(study, counted, "GRR", study.epsilon))
>>> round(asked.kept, 3), round(asked.turned, 3), round(asked.kept / asked.turned, 3)
(0.731, 0.269, 2.718)
>>> abs(asked.estimate(asked.reported) - asked.share) < 1e-12
True
"""

from dataclasses import dataclass

import numpy as np

from ldpcore.randomizer import Randomizer
from ldpcore.study.definition import Study
from ldpcore.study.frequency.cell import FrequencyDesignPoint, Shares


@dataclass(frozen=True, eq=False)
class TwoAnswers:
    """The marked answer is “yes”, the other one “no”. Chances and shares between 0 and 1.

    ValueError where there are not two answers, one of them marked.
    """

    study: Study
    cell: FrequencyDesignPoint

    def __post_init__(self) -> None:
        if len(self.cell.marked) != 2 or self.cell.marked.sum() != 1:
            k, marked = len(self.cell.marked), int(self.cell.marked.sum())
            raise ValueError(f"give a question of two answers and mark one of them, got {k} answers, {marked} marked")

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
        """How sure one can be of “yes” after a report that says it; prior: how sure one was before."""
        before = np.where(self.cell.marked, prior, 1 - prior)
        return float(self._mechanism.channel().posterior(before)[self.yes, self.yes])

    def estimate(self, reported: float) -> float:
        """The share that so many reports of “yes” stand for, without bias: perhaps below 0 or above 1."""
        seen = np.where(self.cell.marked, reported, 1 - reported)
        return float(self._mechanism.invert(seen)[self.yes])

    @property
    def error(self) -> float:
        """The typical error of the share: its root mean square."""
        return float(np.sqrt(self.cell.squared_error()[self.yes]))

    @property
    def _mechanism(self) -> Randomizer:
        return self.cell.groups[0].mechanism

    @property
    def _sent(self) -> Shares:
        return self._mechanism.channel().matrix[:, self.yes]
