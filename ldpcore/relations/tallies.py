"""What a collector keeps of two answers: counts of report pairs, or second moments where these are too many to list."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PairTally:
    """`n` people. counts: how often each pair of reports came, in the order of the channel, or None; moments: Σ v vᵀ,
    v the scores of one person (of x, then of y; or of the pair). Tallies of the same channel add up.

    >>> one = PairTally(1, np.array([1, 0]), np.eye(2))
    >>> (one + one).n, sum([one, one]).counts.tolist()
    (2, [2, 0])
    """

    n: int
    counts: NDArray[np.int64] | None
    moments: Array

    def __add__(self, other: "PairTally") -> "PairTally":
        if not isinstance(other, PairTally):
            return NotImplemented
        listed = (self.counts is None, other.counts is None)
        if self.moments.shape != other.moments.shape or len({*listed}) > 1 or (
            self.counts is not None and other.counts is not None and self.counts.shape != other.counts.shape
        ):  # fmt: skip
            raise ValueError("these tallies cannot be added; they must come from the same questions and mechanisms")
        counts = None if self.counts is None or other.counts is None else self.counts + other.counts
        return PairTally(self.n + other.n, counts, self.moments + other.moments)

    def __radd__(self, other: object) -> "PairTally":
        """Lets sum(tallies) start from 0."""
        return self if other == 0 else NotImplemented
