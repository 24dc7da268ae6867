"""Hadamard response's symbols: which are whose, and sums over them.

B blocks of b symbols, b − 1 values each (row 0 is all ones and belongs to nobody); a value's own symbols are the +1 of
its row of a Sylvester-Hadamard matrix. All sums over symbols are Walsh-Hadamard transforms, O(K log K), K = Bb.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ldpcore.mechanisms.walsh import odd, transform

Vector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Symbols:
    """B blocks of b symbols for σ values, numbered as they are in S."""

    sigma: int
    blocks: int
    width: int

    @property
    def K(self) -> int:
        """Number of symbols; 0 when nothing is marked, so that nothing is hidden."""
        return self.blocks * self.width if self.sigma else 0

    @property
    def own(self) -> int:
        """s, the symbols of each value."""
        return self.width // 2

    @cached_property
    def place(self) -> NDArray[np.int64]:
        """block·b + row of every value: (σ,)."""
        number, rows = np.arange(self.sigma), max(self.width - 1, 1)
        return number // rows * self.width + number % rows + 1

    @cached_property
    def block_of(self) -> NDArray[np.int64]:
        """Block of every value: (σ,)."""
        return self.place // self.width

    def supported(self, symbols: NDArray) -> NDArray:
        """Σ over the own symbols of every value: (..., K) → (..., σ); for 0/1 weights, counts."""
        blocks = transform(symbols.reshape(*symbols.shape[:-1], self.blocks, self.width))
        twice = (blocks[..., :1] + blocks).reshape(symbols.shape)[..., self.place]
        return twice // 2 if np.issubdtype(twice.dtype, np.integer) else twice / 2

    def spread(self, weights: Vector) -> Vector:
        """Σ of the weights (σ,) of the values whose own symbol it is, for every symbol: (K,)."""
        rows = np.zeros((self.blocks, self.width))
        rows.ravel()[self.place] = weights
        return ((rows.sum(axis=1, keepdims=True) + transform(rows)) / 2).ravel()

    def in_block(self, symbols: Vector) -> Vector:
        """Σ over all symbols of a value's block: (K,) → (σ,)."""
        return symbols.reshape(self.blocks, self.width).sum(axis=1)[self.block_of]

    def beside(self, weights: Vector) -> Vector:
        """Σ over the values of a value's block: (σ,) → (σ,)."""
        return np.bincount(self.block_of, weights).astype(float)[self.block_of]

    def mean_of_block(self, weights: Vector) -> Vector:
        """Σ over the values of the same block / (their number + 1): (..., σ) → (..., σ)."""
        starts = np.flatnonzero(np.diff(self.block_of, prepend=-1))
        number = np.diff(starts, append=self.sigma)
        return np.repeat(np.add.reduceat(weights, starts, axis=-1) / (number + 1), number, axis=-1)

    def owns(self, place: NDArray[np.integer], symbols: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Whether each symbol (n,) is one of those of the value at each place; beyond K nobody's: (n, values)."""
        at, y = place[None], symbols[:, None]
        mine = (at < self.K) & (at // self.width == y // self.width)
        return mine & ~odd(at & (self.width - 1), y & (self.width - 1))
