"""Reports of one form: which values each can support, as one likes, and what it then scores."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
CELLS = 1 << 19
"""Values times values that are looked at in one step: small enough to stay in the cache."""
Choice = tuple[NDArray[np.intp], int, int]
"""Codes, and the least and the most of them that a report supports: any of them."""


@dataclass(frozen=True, eq=False)
class SupportFamily:
    """Reports in which every value's score is one of two: `on` (k,) where it is supported, `off` (k,) where not.

    A report supports some of the codes of every choice, and no others. `added` (k,) is what a supported value adds to
    the tally. Sums over values are then largest where the largest gains are chosen, and no report need be listed.

    >>> family = SupportFamily(np.full(3, 2.0), np.full(3, -1.0), ((np.arange(3), 1, 1),))  # one of three values
    >>> family.most(family.on, family.off), [ends.tolist() for ends in family.extremes()]
    (0.0, [[-1.0, -1.0, -1.0], [2.0, 2.0, 2.0]])
    """

    on: Vector
    off: Vector
    choices: tuple[Choice, ...]
    added: Vector | float = 1.0

    def most(self, on: Vector, off: Vector) -> float:
        """The largest that Σ_v (on_v if v is supported, else off_v) can be."""
        gain, total = on - off, float(off.sum())
        for codes, least, most in self.choices:
            ordered = np.sort(gain[codes])[::-1]
            total += float(ordered[:least].sum() + np.maximum(ordered[least:most], 0).sum())
        return total

    def extremes(self) -> tuple[Vector, Vector]:
        """The least and the largest score of each value: two (k,)."""
        can, must = np.zeros(len(self.on), bool), np.zeros(len(self.on), bool)
        for codes, least, most in self.choices:
            can[codes], must[codes] = most > 0, least == len(codes)
        on, off = np.where(can, self.on, self.off), np.where(must, self.on, self.off)
        return np.minimum(on, off), np.maximum(on, off)


def chosen(codes: NDArray[np.intp], k: int, least: int, most: int) -> Choice:
    """Of these codes those below k: codes from k on pad sets, and a report may support them instead.

    >>> chosen(np.arange(2, 6), 4, 3, 3)
    (array([2, 3]), 1, 2)
    """
    real = codes[codes < k]
    return real, max(0, least - (len(codes) - len(real))), min(most, len(real))


def moved(invert: Callable[[Vector], Vector], codes: NDArray[np.intp], unit: Vector) -> Vector:
    """From the least to the most that support of one of these values alone adds to each estimate: (k,)."""
    k = len(unit)
    nothing, least, most = invert(np.zeros(k)), np.zeros(k), np.zeros(k)
    size = max(1, CELLS // k)
    for start in range(0, len(codes), size):
        part = codes[start : start + size]
        support = np.zeros((len(part), k))
        support[np.arange(len(part)), part] = unit[part]
        change = invert(support) - nothing
        least, most = np.minimum(least, change.min(axis=0)), np.maximum(most, change.max(axis=0))
    return most - least
