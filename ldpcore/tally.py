"""The statistic a collector keeps: mergeable, so that a file can be read in parts and users can arrive in batches."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Tally:
    """`n` reports, of which `total[v]` support value v: total (k,) int64.

    Tallies of the same mechanism add up (ValueError for others): to tally parts and add is to tally everything.

    >>> import numpy as np
    >>> monday, tuesday = Tally(3, np.array([2, 1])), Tally(2, np.array([0, 2]))
    >>> both = monday + tuesday
    >>> both.n, both.total.tolist(), both == sum([monday, tuesday])
    (5, [2, 3], True)
    """

    n: int
    total: NDArray[np.int64]

    def __add__(self, other: "Tally") -> "Tally":
        if not isinstance(other, Tally):
            return NotImplemented
        if other.total.shape != self.total.shape:
            raise ValueError(
                f"tallies of {self.total.size} and of {other.total.size} values cannot be added; "
                "they must come from the same mechanism"
            )
        return Tally(self.n + other.n, self.total + other.total)

    def __radd__(self, other: object) -> "Tally":
        """Lets sum(tallies) start from 0."""
        return self if other == 0 else NotImplemented

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        return self.n == other.n and np.array_equal(self.total, other.total)

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, eq=False)
class NumericTally:
    """`n` reports that are numbers: how many fall into each cell, `counts` (cells,), and their sum there, `sums`.

    The cells are the mechanism's `edges`; sums are on its scale, where inputs lie in [-1, 1]. Tallies add up.

    >>> import numpy as np
    >>> from ldpcore import catalog
    >>> from ldpcore.rng import stream
    >>> m = catalog.MEANS["Duchi"].build(epsilon=1.0)
    >>> reports = m.perturb([0.2, 0.4, -0.1], stream(7))
    >>> whole = m.tally(reports)
    >>> whole == m.tally(reports[:1]) + m.tally(reports[1:]), whole.n, bool(np.isclose(whole.total, reports.sum()))
    (True, 3, True)
    """

    n: int
    counts: NDArray[np.int64]
    sums: NDArray[np.float64]

    @property
    def total(self) -> float:
        """The sum of all reports."""
        return float(self.sums.sum())

    def __add__(self, other: "NumericTally") -> "NumericTally":
        if not isinstance(other, NumericTally):
            return NotImplemented
        if other.counts.shape != self.counts.shape:
            raise ValueError(
                f"tallies over {self.counts.size} and over {other.counts.size} cells cannot be added; "
                "they must come from the same mechanism"
            )
        return NumericTally(self.n + other.n, self.counts + other.counts, self.sums + other.sums)

    def __radd__(self, other: object) -> "NumericTally":
        """Lets sum(tallies) start from 0."""
        return self if other == 0 else NotImplemented

    def __eq__(self, other: object) -> bool:
        """Equal counts, and sums equal up to the order in which floats were added."""
        if not isinstance(other, NumericTally):
            return NotImplemented
        same = self.n == other.n and np.array_equal(self.counts, other.counts)
        return same and np.allclose(self.sums, other.sums, rtol=1e-9, atol=1e-9)

    __hash__ = None  # type: ignore[assignment]
