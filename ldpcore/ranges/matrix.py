"""Any matrix as a strategy, dense: the witness of every fast formula, and the door for strategies of one's own."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.ranges import arguments
from ldpcore.ranges.arguments import Cells, Vector
from ldpcore.ranges.strategy import RangeRelease, Strategy, measured


@dataclass(frozen=True, eq=False)
class Matrix(Strategy):
    """A (measurements, N), any N up to 4096; x̂ = A⁺(Ax + noise), Cov = (2Δ²/ε²)A⁺A⁺ᵀ (the paper's theorem 1).

    O(N³) once, then O(1) for a range. ValueError if A is singular: then some range has no unbiased answer.
    """

    A: Vector

    def __post_init__(self) -> None:
        array = np.array(self.A, float)
        if array.ndim != 2 or array.size == 0:
            raise ValueError(f"A must be a matrix with a row for each measurement, got shape {array.shape}")
        if not np.all(np.isfinite(array)):
            raise ValueError("A must hold finite numbers")
        arguments.dense(max(array.shape))
        rank = int(np.linalg.matrix_rank(array))
        if rank < array.shape[1]:
            raise ValueError(
                f"A must have rank {array.shape[1]}, its number of columns, to answer every range; its rank is {rank} "
                "(singular): add rows, for instance a small multiple of the identity"
            )
        array.flags.writeable = False
        object.__setattr__(self, "A", array)

    @property
    def size(self) -> int:
        return self.A.shape[1]

    @property
    def sensitivity(self) -> float:
        return float(np.abs(self.A).sum(axis=0).max())

    @cached_property
    def _inverse(self) -> Vector:
        return np.linalg.pinv(self.A).astype(float)

    @cached_property
    def _prefixes(self) -> Vector:
        """Covariance (N+1, N+1) of the sums of the first 0 … N cells."""
        sums = np.zeros((self.size + 1, self.size + 1))
        sums[1:, 1:] = self.covariance_matrix().cumsum(axis=0).cumsum(axis=1)
        return sums

    def _coefficients(self, a: Cells, b: Cells) -> Vector:
        """A range is a difference of two such sums."""
        return self._prefixes[a, a] + self._prefixes[b, b] - 2 * self._prefixes[a, b]

    def _loads(self, a: int, b: int) -> Vector:
        return self._inverse[a:b].sum(axis=0)

    def average_coefficient(self) -> float:
        """Over all pairs of sums: ((N+1)·trace − sum of all)/#ranges."""
        n = self.size
        return float(((n + 1) * np.trace(self._prefixes) - self._prefixes.sum()) / (n * (n + 1) / 2))

    def covariance(self, i: ArrayLike, j: ArrayLike) -> Vector:
        first, second = self._cells(i, j)
        return self._gram[first, second]

    @cached_property
    def _gram(self) -> Vector:
        return self._inverse @ self._inverse.T

    def matrix(self) -> Vector:
        return self.A

    def _release(self, x: Vector, scale: float, rng: np.random.Generator) -> RangeRelease:
        return RangeRelease((1,), (self._inverse @ measured(self.A @ x, scale, rng),))
