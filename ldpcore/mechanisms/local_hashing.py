"""Optimised local hashing: the user hashes the value into g buckets with a hash of their own, and reports the
bucket by randomised response (Wang, Blocki, Li, Jha 2017).

With an ideal hash drawn per user the support events are independent: a = E/(E+g−1), b = 1/g. A report is the seed
of the hash and the bucket, both uint64. Privacy holds for every hash; a and b hold on average over them.
"""

import os
from collections.abc import Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import exp, expm1

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.channel import ReportColumn
from ldpcore.mechanisms import support
from ldpcore.mechanisms.marking import Basic
from ldpcore.randomizer import BLOCK, Reports
from ldpcore.support_family import SupportFamily
from ldpcore.tally import Tally

Words = NDArray[np.uint64]
MAX_BUCKETS = 1 << 16
"""Buckets are cut from 32 bits; more than this and their sizes would differ by over 2e-5. Reached at ε = 11."""
ROWS = 16
"""Values hashed at a time; with BLOCK users they take 4 MiB, and threads hardly meet at the interpreter's lock."""
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def _mix(words: Words) -> Words:
    """splitmix64's finaliser: every output bit depends on every input bit (Steele, Lea, Flood 2014)."""
    x = words + _GOLDEN
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@lru_cache(maxsize=8)
def multipliers(k: int) -> Words:
    """One fixed odd constant (k,) per value; neighbouring codes get unrelated ones."""
    out = _mix(np.arange(k, dtype=np.uint64)) | np.uint64(1)
    out.flags.writeable = False
    return out


def coefficients(seeds: Words) -> tuple[Words, Words]:
    """The hash of seed s is h(v) = a·M[v] + b mod 2⁶⁴: a odd, b, from two mixes of s."""
    a = _mix(seeds) | np.uint64(1)
    return a, _mix(a ^ _GOLDEN)


def count_hits(
    a: Words, shift: Words, size: Words | np.uint64, items: NDArray[np.integer], k: int
) -> NDArray[np.int64]:
    """For how many of n users a·M[v] + shift < size (mod 2⁶⁴): (n,), (n,), (n,) or () → (items,), codes below k.

    Large chunks, so that threads spend their time in NumPy and not in waiting for the interpreter's lock.
    """
    size = np.broadcast_to(size, a.shape)
    factor = multipliers(k)[items][:, None]

    def count(start: int) -> NDArray[np.int64]:
        users = slice(start, start + BLOCK)
        total = np.empty(len(factor), np.int64)
        scratch = np.empty((min(ROWS, len(factor)), len(a[users])), np.uint64)
        below = np.empty(scratch.shape, np.bool_)
        for v in range(0, len(factor), ROWS):
            rows = factor[v : v + ROWS]
            places, hits = scratch[: len(rows)], below[: len(rows)]
            np.multiply(a[users], rows, out=places)
            np.add(places, shift[users], out=places)
            np.less(places, size[users], out=hits)
            total[v : v + ROWS] = hits.view(np.uint8).sum(axis=1, dtype=np.uint32)
        return total

    starts = range(0, len(a), BLOCK)
    if len(starts) == 1:  # nothing to share out, and starting threads takes longer than counting few reports
        return count(0)
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        return sum(threads.map(count, starts), start=np.zeros(len(factor), np.int64))


@dataclass(frozen=True, eq=False)
class OLH(Basic, support.Independent):
    """Optimised local hashing with g = round(E) + 1 buckets (at most 65 536: more would only save rounding).

    Counts are drawn by the law of an ideal hash.
    """

    hashed = True

    @cached_property
    def g(self) -> int:
        """Number of buckets."""
        return min(round(exp(self.epsilon)) + 1, MAX_BUCKETS)

    @property
    def counted(self) -> Hashable:
        return self.g

    @cached_property
    def _scale(self) -> float:
        return self.g + expm1(self.epsilon)

    @cached_property
    def _pair(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return np.full(self.k, exp(self.epsilon) / self._scale), np.full(self.k, 1 / self.g)

    @property
    def _missed(self) -> NDArray[np.float64]:
        return np.full(self.k, (self.g - 1) / self._scale)

    def perturb(self, values: ArrayLike, rng: np.random.Generator, public: int | None = None) -> Reports:
        """`public`: one hash for all users (to test against its channel) instead of one each."""
        values = checks.codes(values, self.k)
        out = np.empty((len(values), 2), np.uint64)
        for start in range(0, len(values), BLOCK):
            block = slice(start, start + BLOCK)
            n = len(values[block])
            seeds = np.full(n, public, np.uint64) if public is not None else rng.integers(0, 1 << 64, n, np.uint64)
            drawn = np.minimum(rng.random(n) * self._scale, self.g).astype(np.uint64)
            buckets = self._bucket(seeds, values[block])
            out[block, 0] = seeds
            out[block, 1] = np.where(drawn < self.g, drawn, buckets)
        return out

    def _bucket(self, seeds: Words, values: NDArray[np.integer]) -> Words:
        a, b = coefficients(seeds)
        return ((a * multipliers(self.k)[values] + b) >> np.uint64(32)) * np.uint64(self.g) >> np.uint64(32)

    @cached_property
    def _edges(self) -> Words:
        """Where each bucket starts among the 2⁶⁴ hashes, and where the last one ends (2⁶⁴, stored as 0): (g + 1,)."""
        return np.array([(-(-(y << 32) // self.g) << 32) % (1 << 64) for y in range(self.g + 1)], np.uint64)

    def _supports(self, reports: Reports) -> tuple[Words, Words, Words]:
        """a, shifted b and bucket width, such that value v is supported iff a·M[v] + b < width (mod 2⁶⁴)."""
        a, b = coefficients(reports[:, 0])
        bucket = reports[:, 1].astype(np.intp)
        low = self._edges[bucket]
        return a, b - low, self._edges[bucket + 1] - low

    def accepts(self, reports: Reports) -> NDArray[np.bool_]:
        return np.asarray(reports)[:, 1] < self.g

    def tally(self, reports: Reports) -> Tally:
        return Tally(len(reports), count_hits(*self._supports(reports), np.arange(self.k), self.k))

    def families(self) -> tuple[SupportFamily, ...]:
        """Each value as if it chose its bucket: some seed gives that to a few of them, none to all of many."""
        return (self._family((np.arange(self.k), 0, self.k)),)

    def supported(self, reports: Reports) -> NDArray[np.float64]:
        a, shift, size = self._supports(reports)
        return (a[:, None] * multipliers(self.k)[None] + shift[:, None] < size[:, None]).astype(float)

    def log_likelihood(self, reports: Reports) -> NDArray[np.float64]:
        return self.epsilon * self.supported(reports) - np.log(self._scale)

    def privacy_loss(self) -> NDArray[np.float64]:
        """ε for every pair that the hash keeps apart; for a pair that collides, 0."""
        return np.where(np.eye(self.k, dtype=bool), 0.0, self.epsilon)

    def disclosure(self) -> NDArray[np.float64]:
        return np.zeros(self.k)

    def success(self, prior: NDArray[np.float64]) -> NDArray[np.float64]:
        gain, none = np.full(self.k, self.epsilon), np.zeros(self.k)
        return support.success(prior, *self._pair, gain, none)

    def count_outputs(self) -> int:
        return self.g

    def outputs(self, public: int | None = None) -> Reports:
        return np.column_stack([np.full(self.g, public, np.uint64), np.arange(self.g, dtype=np.uint64)])

    def describe(self, outputs: Reports) -> list[ReportColumn]:
        return [ReportColumn(f"bucket {bucket}") for bucket in outputs[:, 1]]
