"""Sums of numbers that are the same in whatever order and parts they are added: whole numbers of small steps.

Floats do not add up so: (a + b) + c is not a + (b + c), and a folder read by two workers would end in other digits than
read by one. Every report is rounded to a whole number of steps of 2⁻⁴⁴ of its scale, by itself, and from there on
all is exact.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ldpcore.randomizer import BLOCK
from ldpcore.tally import NumericTally

STEPS = 44
"""Binary digits behind the point, on the reports' scale."""
_HALF = 28
_LARGEST = 1 << 17


@dataclass(frozen=True, eq=False)
class ExactTally:
    """`n` reports that are numbers: how many fall into each cell, `counts` (cells,), and their sum there, `sums`
    (cells,), Python's whole numbers of `step`.

    >>> parts = [ExactTally.of(np.array(y), np.array([0, 0, 1]), 2) for y in ([0.1, 0.2, 5], [0.3, 1e-9, 7])]
    >>> parts[0] + parts[1] == parts[1] + parts[0], sum(parts).rounded().sums.round(6).tolist()
    (True, [0.6, 12.0])
    """

    n: int
    counts: NDArray[np.int64]
    sums: NDArray[np.object_]
    step: float

    @classmethod
    def of(cls, reports: NDArray[np.float64], cell: NDArray[np.intp], cells: int, scale: float = 1.0) -> "ExactTally":
        """Of reports (n,) within ±`largest(scale)`, each in its cell (n,)."""
        step = 2.0 ** (np.ceil(np.log2(scale)) - STEPS)
        counts = np.bincount(cell, minlength=cells).astype(np.int64)
        sums = np.zeros(cells, object)
        for start in range(0, len(reports), BLOCK):
            cells_of_block = cell[start : start + BLOCK]
            whole = np.rint(reports[start : start + BLOCK] / step).astype(np.int64)
            # Sums of a block's halves are below 2⁵³, where floats are whole numbers.
            high, low = whole >> _HALF, whole & ((1 << _HALF) - 1)
            halves = [np.bincount(cells_of_block, half, cells).astype(np.int64).astype(object) for half in (high, low)]
            sums += halves[0] * (1 << _HALF) + halves[1]
        return cls(len(reports), counts, sums, float(step))

    @staticmethod
    def largest(scale: float) -> float:
        """The largest report that can be summed, far beyond what any noise reaches."""
        return _LARGEST * scale

    def rounded(self) -> NumericTally:
        """With the sums as floats, each the nearest to the exact one."""
        return NumericTally(self.n, self.counts, np.array([float(total) for total in self.sums]) * self.step)

    def __add__(self, other: "ExactTally") -> "ExactTally":
        if not isinstance(other, ExactTally):
            return NotImplemented
        if other.counts.shape != self.counts.shape or other.step != self.step:
            raise ValueError("tallies of numbers with other cells or steps cannot be added; they must be of one client")
        return ExactTally(self.n + other.n, self.counts + other.counts, self.sums + other.sums, self.step)

    def __radd__(self, other: object) -> "ExactTally":
        """Lets sum(tallies) start from 0."""
        return self if other == 0 else NotImplemented

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ExactTally):
            return NotImplemented
        same = self.n == other.n and self.step == other.step and np.array_equal(self.counts, other.counts)
        return same and self.sums.tolist() == other.sums.tolist()

    __hash__ = None  # type: ignore[assignment]
