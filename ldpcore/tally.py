"""The statistic a collector keeps: mergeable, so that a file can be read in parts and users can arrive in batches."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Tally:
    """`n` reports, of which `total[v]` support value v: total (k,) int64."""

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
