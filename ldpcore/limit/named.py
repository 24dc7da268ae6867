"""The Bayesian adversary against a report that holds values drawn without replacement from every level.

A held value of level b scores πE_b, any other π; the likeliest is named, ties shared. Values of a level that are alike
in how they compare with x are counted, so what is left is how many of those that tie are held: hypergeometric.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ldpcore.randomizer import TIE
from ldpcore.subsets import log_binomials

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Pool:
    """The values of one level: their prior (n,), ε (inf where none is ever held), and how many of them are held."""

    prior: Array
    epsilon: float
    held: int

    @cached_property
    def _sorted(self) -> tuple[Array, Array]:
        """Scores of values that are not held, and of held ones."""
        plain = np.sort(self.prior)
        return plain, plain * np.exp(self.epsilon) if self.held else plain

    def scores(self, held: bool) -> Array:
        """Of the level's own values (n,), as they stand in `prior`."""
        return self.prior * np.exp(self.epsilon) if held else self.prior

    def against(self, score: Array) -> tuple[NDArray[np.int64], ...]:
        """For each score: how many beat it unheld, tie unheld, beat it held, tie held."""
        counts = []
        for each in self._sorted:
            above = len(each) - np.searchsorted(each, score * (1 + TIE), side="right")
            level = len(each) - np.searchsorted(each, score * (1 - TIE), side="left") - above
            counts += [above, level]
        return tuple(counts)


def named(pools: Sequence[Pool], own: int, held: bool) -> Array:
    """Pr[x is named | x is of level `own`, and held or not] for all values of that level (n,)."""
    score = pools[own].scores(held)
    rows = np.array([counts for pool in pools for counts in pool.against(score)]).T
    kinds, place = np.unique(rows, axis=0, return_inverse=True)
    won = np.array([_won(pools, own, held, kind.reshape(len(pools), 4)) for kind in kinds])
    return won[place.ravel()]


def _won(pools: Sequence[Pool], own: int, held: bool, kind: NDArray[np.int64]) -> float:
    """E[1[nobody beats x]/(number of those that tie, x too)]."""
    if kind[:, 0].any():  # a prior alone is larger, and a held one larger still
        return 0.0
    ties = np.ones(1)
    for number, (pool, (_, level, above, tied)) in enumerate(zip(pools, kind.tolist(), strict=True)):
        size, draws = len(pool.prior), pool.held
        if number == own:  # x itself is neither drawn nor left; unheld it ties with itself, and held it would beat that
            size, draws, tied, level = size - 1, draws - held, tied - held, level - (not held)
            above -= not held and draws > 0
        # Whoever ties unheld would beat x if held, and is among those above.
        hit = _drawn(size, draws, above, tied) if pool.held else np.ones(1)
        ties = np.convolve(ties, np.concatenate([np.zeros(level), hit]))
    return float(ties @ (1 / np.arange(1, len(ties) + 1)))


def _drawn(size: int, draws: int, avoid: int, tied: int) -> Array:
    """Pr[none of `avoid`, and h of `tied`, among `draws` out of `size`] for h = 0 … tied."""
    hit = np.arange(tied + 1)
    rest, left = size - avoid - tied, draws - hit
    able = (left >= 0) & (left <= rest)
    log = log_binomials(tied, hit) + log_binomials(rest, np.where(able, left, 0)) - log_binomials(size, draws)
    return np.where(able, np.exp(log), 0.0)
