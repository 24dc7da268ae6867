"""The statistic a collector keeps: mergeable, so that a file can be read in parts and users can arrive in batches."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

DIGITS = 21
"""Binary digits that a weight keeps."""
UNIT = 160
"""Weights are added up in whole numbers of 2⁻¹⁶⁰."""
_KEPT = 40
"""Binary digits after the point that are kept of sums of floats."""
Floats = NDArray[np.float64]


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

    @property
    def weight(self) -> int:
        """What all reports count: n."""
        return self.n

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


@dataclass(frozen=True)
class WeightedTally:
    """`n` reports with weights: Σ w, Σ w², and of every value Σ w t and Σ w² t, t being what one adds to the tally.

    In whole numbers of 2⁻¹⁶⁰ and of its square, so sums hang on no order and no parts (`estimators.weighted.tally`).

    >>> WeightedTally.nobody(2).n, WeightedTally.nobody(2) + WeightedTally.nobody(2) == WeightedTally.nobody(2)
    (0, True)
    """

    n: int
    weights: int
    squares: int
    totals: tuple[int, ...]
    squared_totals: tuple[int, ...]

    @classmethod
    def nobody(cls, k: int) -> "WeightedTally":
        """Of k values, without reports."""
        return cls(0, 0, 0, (0,) * k, (0,) * k)

    @classmethod
    def of(cls, n: int, whole: NDArray[np.float64], totals: tuple[list[int], list[int]], power: int) -> "WeightedTally":
        """Of so few weights whole·2^power (n,) that floats add exactly, and Σ whole·t and Σ whole²·t of each value."""
        if power + UNIT < 0 or power > UNIT:
            raise ValueError(f"weights lie between 2^-{UNIT - DIGITS} and 2^{UNIT}; multiply them all by one number")
        one, two = power + UNIT, 2 * (power + UNIT)
        sums = int(whole.sum()) << one, int((whole * whole).sum()) << two
        return cls(n, *sums, tuple(each << one for each in totals[0]), tuple(each << two for each in totals[1]))

    @classmethod
    def simulated(cls, n: int, sums: tuple[float, float], totals: tuple[Floats, Floats]) -> "WeightedTally":
        """Of sums that floats have already added up: of w and w², and of w t and w² t (k,)."""
        one, two = (int(each * 2.0**_KEPT) for each in sums)
        first, second = (np.rint(part * 2.0**_KEPT).tolist() for part in totals)
        up, upper = UNIT - _KEPT, 2 * UNIT - _KEPT
        return cls(
            n, one << up, two << upper, tuple(int(t) << up for t in first), tuple(int(t) << upper for t in second)
        )

    @property
    def weight(self) -> float:
        """Σ w."""
        return self.weights / (1 << UNIT)

    @property
    def square(self) -> float:
        """Σ w²."""
        return self.squares / (1 << 2 * UNIT)

    @property
    def effective(self) -> float:
        """Kish's n, (Σ w)²/Σ w²: so many people with equal weights err as much; 0 without reports."""
        return self.weights**2 / self.squares if self.squares else 0.0

    @property
    def total(self) -> NDArray[np.float64]:
        """Σ w t (k,)."""
        return np.array([each / (1 << UNIT) for each in self.totals])

    @property
    def squared(self) -> NDArray[np.float64]:
        """Σ w² t (k,)."""
        return np.array([each / (1 << 2 * UNIT) for each in self.squared_totals])

    def __add__(self, other: "WeightedTally") -> "WeightedTally":
        if not isinstance(other, WeightedTally):
            return NotImplemented
        if len(other.totals) != len(self.totals):
            raise ValueError(
                f"tallies of {len(self.totals)} and of {len(other.totals)} values cannot be added; they must come from "
                "the same mechanism"
            )
        both = [(self.totals, other.totals), (self.squared_totals, other.squared_totals)]
        sums = [tuple(a + b for a, b in zip(*pair, strict=True)) for pair in both]
        return WeightedTally(
            self.n + other.n, self.weights + other.weights, self.squares + other.squares, sums[0], sums[1]
        )

    def __radd__(self, other: object) -> "WeightedTally":
        """Lets sum(tallies) start from 0."""
        return self if other == 0 else NotImplemented


@dataclass(frozen=True, eq=False)
class NumericTally:
    """`n` reports that are numbers: how many fall into each cell, `counts` (cells,), and their sum there, `sums`.

    The cells are the mechanism's `edges`; sums are on its scale, where inputs lie in [-1, 1]. Tallies add up. Of
    reports with weights, 1 on average, they are Σ w and Σ w y (`estimators.weighted.numbers`).

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
    counts: NDArray[np.int64] | NDArray[np.float64]
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
