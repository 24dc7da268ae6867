"""Mechanisms for sets that pass items through a mechanism of one value, in the form of `support`."""

from abc import abstractmethod

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.channel import SetColumn
from ldpcore.mechanisms import bits
from ldpcore.randomizer import Randomizer, Reports
from ldpcore.set_randomizer import SetRandomizer, Vector
from ldpcore.support_family import Choice, SupportFamily, chosen
from ldpcore.tally import Tally

CELLS = 1 << 20
"""Report-set pairs per block of a likelihood."""


class PassedSets(SetRandomizer):
    """What a user's report says of each item is what the mechanism of one value says of what is passed through it."""

    @property
    @abstractmethod
    def single(self) -> Randomizer:
        """What happens to each item, or vector of all items, that a user passes through it."""

    def tally(self, reports: Reports) -> Tally:
        whole = self.single.tally(reports)
        return Tally(whole.n, whole.total[: self.k])

    def supported(self, reports: Reports) -> Vector:
        return self.single.supported(reports)[:, : self.k]


class PairedSets(PassedSets):
    """What the support probabilities say of the estimate, and the codes in a report of what it discloses."""

    passed = 1
    """How many items, or vectors of all items, a user passes through `single`."""

    @property
    @abstractmethod
    def _pair(self) -> tuple[Vector, Vector]:
        """a and b (k,): chance that what is passed supports v if the user passed v, and if not."""

    @property
    @abstractmethod
    def _missed(self) -> Vector:
        """1 − a (k,), which can be too near to 0 for the difference."""

    def _family(self, *choices: Choice) -> SupportFamily:
        """An item's score follows from its own support alone."""
        return SupportFamily(self.invert(np.ones(self.k)), self.invert(np.zeros(self.k)), choices)

    def invert(self, seen: Vector) -> Vector:
        a, b = self._pair
        return (seen - self.passed * b) / (a - b)

    def variance(self, freq: ArrayLike, n: int, company: ArrayLike | None = None) -> Vector:
        f, (a, b) = self.shares(freq), self._pair
        return (f * a * self._missed + (self.passed - f) * b * (1 - b)) / (n * (a - b) ** 2)

    @abstractmethod
    def _symbols(self, outputs: Reports) -> list[list[int]]:
        """The codes that each report names."""

    def describe(self, outputs: Reports) -> list[SetColumn]:
        columns = []
        for row in self._symbols(outputs):
            named = tuple(y for y in row if not self.marked[y])
            columns.append(SetColumn(str(row), not named, None, named, str([y for y in row if self.marked[y]])))
        return columns


class BitSets(PairedSets):
    """The report is a bit for every code."""

    def families(self) -> tuple[SupportFamily, ...]:
        """Any hidden bits, and as many others as a report may disclose."""
        hidden, alone = np.flatnonzero(self.marked), np.flatnonzero(~self.marked)
        return (self._family(chosen(hidden, self.k, 0, len(hidden)), chosen(alone, self.k, 0, self._most_shown)),)

    @property
    @abstractmethod
    def _most_shown(self) -> int:
        """Bits that only their holders set, in a report."""

    def _symbols(self, outputs: Reports) -> list[list[int]]:
        return [np.flatnonzero(row).tolist() for row in bits.unpack(outputs, self.inner)]

    def report_bits(self, freq: ArrayLike | None = None) -> float:
        """A bit for every code."""
        return float(self.inner)
