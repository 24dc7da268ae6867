"""What marks do to the answers of a column: from protecting every value (SS, or the best) to protecting the marked ones
(uSS, or the best).

>>> from ldpcore import Marks, Source, Study, data
>>> from ldpcore.study import frequency
>>> study = Study(Source("health"), "condition", grid=())
>>> effect = AnswerEffect.of(frequency.prepare(study, data.load("health")), Marks.of(["HIV", "hepatitis B"]), 1.0)
>>> effect.names, [round(100 * error, 2) for error in effect.errors("all")], effect.people  # typical errors, points
(('SS', 'uSS'), [1.37, 0.29], 98)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ldpcore import catalog
from ldpcore.data import Histogram
from ldpcore.study.definition import Marks
from ldpcore.study.effects import MarkingEffect
from ldpcore.study.frequency import facts
from ldpcore.study.frequency.facts import ShareFacts


@dataclass(frozen=True, eq=False)
class AnswerEffect(MarkingEffect):
    """One setting of marks at one ε, of answers."""

    every: ShareFacts
    marked: ShareFacts

    @classmethod
    def of(
        cls,
        counted: Histogram,
        marks: Marks,
        epsilon: float,
        secret: float | None = None,
        best: Sequence[str] = ("SS", "uSS", *catalog.LEVELS),
    ) -> "AnswerEffect":
        """secret: the ε of secret ones. best: the mechanisms of each promise, as `facts.best` names them, so that every
        part of a page names the same.
        """
        marks = marks.within(counted.domain.labels)
        keys = best if len(best) > 1 else (*best, "uSS")  # nothing is marked: it sends all answers as they are
        known = facts.under(counted, marks, keys, epsilon, secret)
        pair = facts.leveled(known) if marks.secret else None
        every, marked = (pair[1], pair[0]) if pair else list(known.values())[:2]
        return cls(every, marked, counted, epsilon)

    @property
    def mask(self) -> NDArray[np.bool_]:
        return self.marked.marked

    @property
    def secret(self) -> NDArray[np.bool_]:
        return self.marked.secret

    @property
    def secret_epsilon(self) -> float:
        return float(self.marked.cell.epsilons[self.secret].min(initial=self.epsilon))

    @property
    def shares(self) -> NDArray[np.float64]:
        return self.marked.freq

    @property
    def people(self) -> int:
        return int(self.counted.counts[self.mask].sum())

    @cached_property
    def loss(self) -> NDArray[np.float64]:
        """The privacy loss of every pair with the marks: (k, k), in nats."""
        return self.marked.mechanism.privacy_loss()

    def lift(self, part: NDArray[np.bool_]) -> float:
        """How many times a report can at most multiply the odds of these values, where that is bounded."""
        loss = self.loss[part]
        return float(np.exp(loss[np.isfinite(loss)].max(initial=0.0)))
