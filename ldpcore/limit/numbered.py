"""The reports of channels that are sampled orbit by orbit: which orbit, and which values the report holds."""

from abc import abstractmethod

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.randomizer import BLOCK, Randomizer, Reports

Counts = NDArray[np.int64]
Mask = NDArray[np.bool_]
NUMBER = 2
"""Bytes of an orbit's number."""


class Numbered(Randomizer):
    """A report is a byte pair with the orbit's number, then the packed bits of the values it holds."""

    def perturb(self, values: ArrayLike, rng: np.random.Generator) -> Reports:
        values = checks.codes(values, self.k)
        out = np.zeros((len(values), NUMBER + (self.k + 7) // 8), np.uint8)
        for start in range(0, len(values), BLOCK // 4):
            block = slice(start, start + BLOCK // 4)
            out[block] = self._write(*self._sampled(values[block], rng))
        return out

    @abstractmethod
    def _sampled(self, values: NDArray[np.integer], rng: np.random.Generator) -> tuple[Counts, Mask]:
        """Of every user (n,) the orbit (n,) and the values that the report holds (n, k)."""

    @staticmethod
    def _write(orbit: Counts, held: Mask) -> NDArray[np.uint8]:
        """Orbits (n,) and values held (n, k) as reports."""
        number = np.stack([orbit & 255, orbit >> 8], axis=1).astype(np.uint8)
        return np.hstack([number, np.packbits(held, axis=1, bitorder="little")])

    def _read(self, reports: Reports) -> tuple[Counts, Mask]:
        """The other way round."""
        rows = np.asarray(reports, np.uint8)
        orbit = rows[:, 0].astype(np.int64) | rows[:, 1].astype(np.int64) << 8
        return orbit, np.unpackbits(rows[:, NUMBER:], axis=1, count=self.k, bitorder="little").astype(bool)
