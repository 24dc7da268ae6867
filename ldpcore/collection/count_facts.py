"""What is known of the counts of reports alone: how many, and whether an honest crowd gives such."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldpcore.attacks import diagnostics
from ldpcore.collection import weighing
from ldpcore.collection.batch import FolderQuestion
from ldpcore.collection.kinds import ItemBatch, NumberBatch
from ldpcore.collection.phones import Phones
from ldpcore.collection.weighing import WeighedReports
from ldpcore.estimators import consistency
from ldpcore.randomizer import Randomizer
from ldpcore.study.quantities import CHANCE, Known, quantity

Vector = NDArray[np.float64]
REPORTS, CHANCES = "reports", "chance of an honest crowd"
CELLS = 1 << 22
"""Of reports by values, unpacked at once."""
ALARM = 0.05
"""p below which counts are called strange: of honest surveys so many at most are."""


@dataclass(frozen=True, eq=False)
class CountFacts(Known):
    """Of reports that were read; weights change nothing of it."""

    read: WeighedReports

    @property
    def asked(self) -> FolderQuestion[Any]:
        """The question, with its mechanism and ε."""
        return self.read.asked

    @property
    def question(self) -> str:
        """What was asked, as its client says; "" where it does not."""
        asked: Any = self.asked
        return asked.client.question if isinstance(asked, Phones) else asked.question or asked.column

    @property
    def numbers(self) -> bool:
        """Whether a mean was asked for, not shares."""
        return isinstance(self.asked, NumberBatch)

    @property
    def called(self) -> str:
        """Name of the column of answers or items; "" for a mean."""
        return "" if self.numbers else "item" if isinstance(self.asked, ItemBatch) else "answer"

    @cached_property
    def mechanism(self) -> Any:
        """The engine's own."""
        return weighing.mechanism_of(self.asked)

    @quantity(REPORTS)
    def n(self) -> int:
        """Reports that count."""
        return len(self.read.reports)

    @cached_property
    def nearest(self) -> Vector:
        """The nearest shares (k,) that can be, in the client's order, unweighted."""
        share = self.mechanism.estimate(self.mechanism.tally(self._sent))
        return (
            consistency.at_most(share, self.asked.m)
            if isinstance(self.asked, ItemBatch)
            else consistency.norm_sub(share)
        )

    @quantity(CHANCES, absent="the counts of this mechanism have no known ends")
    def ends(self) -> float | None:
        """How often an honest crowd has a count as far beyond what any answers give: exact, or less often."""
        if not isinstance(self.mechanism, Randomizer):
            return None
        try:
            return diagnostics.ends(self.mechanism, self.mechanism.tally(self._sent))
        except ValueError:
            return None

    @quantity(CHANCES, absent="reports of this mechanism are of one size, or their sizes say the answer")
    def sizes(self) -> float | None:
        """How often sizes of honest reports are as far from their law, or as near to it: the rarer of both, doubled."""
        if not isinstance(self.mechanism, Randomizer):
            return None
        try:
            counts = [diagnostics.count_sizes(self.mechanism, part) for part in self._blocks()]
            tails = diagnostics.sizes(self.mechanism, np.sum(counts, axis=0))
        except ValueError:
            return None
        return min(1.0, 2 * min(tails))

    @property
    def _sent(self) -> Any:
        return weighing.sent_to(self.asked, self.read.reports)

    def _blocks(self) -> Iterator[Any]:
        """Reports that are looked at one by one, so many at a time."""
        sent, step = self._sent, max(1, CELLS // self.mechanism.k)
        return (sent[start : start + step] for start in range(0, len(sent), step))

    @cached_property
    def strange(self) -> str | None:
        """Which of "ends" and "sizes" no honest crowd gives but once in 1/ALARM surveys; None where neither is.

        Two are looked at: each alarms below half of ALARM.
        """
        known = {name: getattr(self, name) for name in ("ends", "sizes")}
        tried = {name: p for name, p in known.items() if p is not None}
        return next((name for name, p in tried.items() if p < ALARM / len(tried)), None)

    @quantity(CHANCE, absent="how many false reports stay unseen is known where a report names one answer")
    def unseen(self) -> float | None:
        """The largest share of false reports, all alike, that no test of the counts can see."""
        if self.numbers or self.called == "item" or not diagnostics.has_hidden(self.mechanism):
            return None
        return max(diagnostics.hidden_until(self.mechanism, self.nearest, y[None]) for y in self.mechanism.outputs())
