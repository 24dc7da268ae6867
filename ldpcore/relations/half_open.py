"""A pair of answers in one report that may show the half of it that is not marked.

*Either* marks hide both answers of whoever has one marked: also the half that needs it not. *Half-open* hides a marked
answer from whoever knows the other one, and a pair with both marked from everybody; a half that is not marked may be
shown (theory/relations#half-open). Asked apart it may be too, and with ε/2 each all that is asked apart keeps this.

>>> import numpy as np
>>> marks, other = np.array([False, True]), np.array([True, False])
>>> m = HalfOpenPair(1.0, marks, marks, marks, marks, other)
>>> m.policy.check(m.channel()).holds, m.policy.name, m.k
(True, 'half-open', 4)
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from ldpcore import checks, limit
from ldpcore.attacks import bayes
from ldpcore.channel import Channel, ReportColumn
from ldpcore.mechanisms.tabled import Tabled
from ldpcore.policy import TOLERANCE, Policy, Verdict
from ldpcore.randomizer import Reports
from ldpcore.relations.groups import either, guessed_contrast

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

UNKNOWN = 12**-0.5
"""Standard deviation of a share of which nothing is known: it is anywhere from 0 to 1."""
KEPT = 256
"""Tables that are kept: a page looks at the same ones again and again."""


@dataclass(frozen=True, eq=False)
class HalfOpen(Policy):
    """Of pairs x·ky + y, in every report: a marked x is within ε of any other x with the same y, a marked y of any
    other y with the same x, and a pair with both marked of any pair. x, y: marks (kx,) and (ky,).

    >>> HalfOpen(1.0, np.array([False, True]), np.array([False, True])).covers(4).astype(int).tolist()
    [[1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0], [1, 1, 1, 1]]
    """

    epsilon: float
    x: Mask
    y: Mask
    name = "half-open"

    def check(self, channel: Channel) -> Verdict:
        loss = np.where(self.covers(channel.k), channel.privacy_loss(), 0.0)
        worst = float(loss.max())
        why = f"largest loss {worst:.6g} over pairs that are hidden from one another, ε is {self.epsilon:.6g}"
        return Verdict(worst <= self.epsilon + TOLERANCE, worst, why)

    def covers(self, k: int) -> Mask:
        group, answer = np.divmod(np.arange(k), len(self.y))
        mx, my = self.x[group], self.y[answer]
        known_y = mx[:, None] & (answer[:, None] == answer)
        known_x = my[:, None] & (group[:, None] == group)
        return known_y | known_x | (mx & my)[:, None] | np.eye(k, dtype=bool)


@dataclass(frozen=True, eq=False)
class HalfOpenPair(Tabled):
    """One report of the pair x·ky + y, made to tell how the share of some answers differs between two sides of groups.

    x_marks, y_marks: of groups (kx,) and answers (ky,); compared, one, other: masks of the answers and of both sides.
    Nothing of the data enters: its table of chances is the best (within a thousandth) where all pairs are as frequent
    and nothing is known of the share in either side; a fiftieth of the reports tells everything else. ValueError, with
    a sentence, where a question has no marks, or marks are too many.
    """

    epsilon: float
    x_marks: Mask
    y_marks: Mask
    compared: Mask
    one: Mask
    other: Mask
    uses_marks = True

    @property
    def k(self) -> int:  # type: ignore[override]
        return len(self.x_marks) * len(self.y_marks)

    @property
    def sensitive(self) -> Mask:
        """Pairs of which either answer is marked."""
        return either(self.x_marks, self.y_marks)

    @property
    def policy(self) -> HalfOpen:
        return HalfOpen(self.epsilon, self.x_marks, self.y_marks)

    @cached_property
    def _p(self) -> Array:
        masks = self.x_marks, self.y_marks, self.compared, self.one, self.other
        return _table(self.epsilon, *(tuple(mask.tolist()) for mask in masks))

    def privacy_loss(self) -> Array:
        return self.channel().privacy_loss()

    def success(self, prior: Array) -> Array:
        return bayes.success_of_channel(self.channel(), prior)

    def describe(self, outputs: Reports) -> list[ReportColumn]:
        return [self._columns[y] for y in outputs]

    @cached_property
    def _columns(self) -> tuple[ReportColumn, ...]:
        return tuple(self._described())

    def _described(self) -> Iterator[ReportColumn]:
        """A report that is possible under one pair alone gives it away; others may show one half."""
        for code, column in enumerate(self._p.T):
            possible = np.flatnonzero(column > 0)
            alone = len(possible) == 1
            yield ReportColumn(str(code), not alone, int(possible[0]) if alone else None)


def contrasts(answers: Mask, one: Mask, other: Mask) -> Array:
    """What the difference of two sides is made of, (3, kx, ky): its gradient at even shares, and what moves that where
    the share in either side is anything from 0 to 1.
    """
    groups, shares = guessed_contrast(answers, one, other)
    sides = [np.outer(UNKNOWN * side / side.sum(), np.ones(len(answers))) for side in (one, other)]
    return np.array([np.outer(groups, shares), *sides])


@lru_cache(KEPT)
def _table(epsilon: float, *masks: tuple[bool, ...]) -> Array:
    x, y, answers, one, other = (np.array(mask) for mask in masks)
    checks.epsilon(epsilon)
    even = np.full((len(x), len(y)), 1 / (len(x) * len(y)))
    table = limit.half_open_channel(even, (x, y), epsilon, contrasts(answers, one, other))
    table = table / table.sum(axis=1, keepdims=True)
    table.flags.writeable = False
    return table
