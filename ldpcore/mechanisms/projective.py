"""Projective geometry response (Feldman, Nelson, Nguyen, Talwar 2022): a report is a point of a projective space,
likelier one that is orthogonal to the user's own. Its error is near subset selection's, its report one symbol.

Over the field of q elements, q prime, the space of t coordinates has K = (q^t−1)/(q−1) points; each is orthogonal to
c = (q^{t−1}−1)/(q−1) of them, its own symbols, and two different ones share i = (q^{t−2}−1)/(q−1). Values are the
first k points. With D = K + c(E−1): an own symbol has the chance E/D, any other 1/D; so a = Ec/D, b = (Ei + c − i)/D.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import exp, expm1
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.channel import ReportColumn
from ldpcore.mechanisms import support
from ldpcore.mechanisms.marking import Basic
from ldpcore.randomizer import BLOCK, Reports
from ldpcore.tally import Tally

Vector = NDArray[np.float64]
WIDEST = 4
"""Of so many times k points a space may be, and of so few always: totals are sums over values times points."""
FEW = 64
TABLE = 1 << 22
"""Values times points up to which a table says once for all which symbols are whose."""


@lru_cache(maxsize=64)
def spaces(k: int) -> NDArray[np.int64]:
    """For every prime q below 4 100 the least t whose space has k points, where that is not too wide: (spaces, 2).

    >>> spaces(5)[:3].tolist()
    [[2, 3], [3, 3], [5, 2]]
    """
    sieve = np.ones(4100, bool)
    sieve[:2] = False
    for number in range(2, 65):
        sieve[number * number :: number] = False
    every = ((q, next(t for t in range(2, 64) if count_points(q, t) >= k)) for q in np.flatnonzero(sieve).tolist())
    return np.array([(q, t) for q, t in every if count_points(q, t) <= max(FEW, WIDEST * k)])


def count_points(q: int, t: int) -> int:
    """Points of the space of t coordinates.

    >>> [count_points(3, t) for t in range(4)]
    [0, 1, 4, 13]
    """
    return (q**t - 1) // (q - 1)


def points(q: int, t: int, count: int) -> NDArray[np.float32]:
    """The first points (count, t): the first coordinate that is not 0 is 1, then the others in base q.

    >>> points(2, 2, 3).astype(int).tolist()
    [[0, 1], [1, 0], [1, 1]]
    """
    out = np.zeros((count, t), np.float32)
    for free in range(t):
        begin, size = count_points(q, free), q**free
        rows = np.arange(begin, min(begin + size, count))
        out[rows, t - 1 - free] = 1
        for place in range(free):
            out[rows, t - 1 - place] = (rows - begin) // q**place % q
    return out


@dataclass(frozen=True, eq=False)
class PGR(Basic, support.Paired):
    """Projective geometry response with the q and t of the least exact error at even shares."""

    slow_draw = True

    @cached_property
    def space(self) -> tuple[int, int]:
        """q and t."""
        able = spaces(self.k)
        a, b, missed = self._chances(able[:, 0].astype(float), able[:, 1])
        q, t = able[int(np.argmin((a * missed + (self.k - 1) * b * (1 - b)) / (a - b) ** 2))].tolist()
        return q, t

    def _chances(self, q: Any, t: Any) -> tuple[Any, Any, Any]:
        """a, b and 1 − a; of one space or of many."""
        every, own, shared = ((q ** (t - each) - 1) / (q - 1) for each in range(3))
        scale = every + own * expm1(self.epsilon)
        return exp(self.epsilon) * own / scale, (shared * expm1(self.epsilon) + own) / scale, (every - own) / scale

    @property
    def counted(self) -> Hashable:
        return self.space

    @cached_property
    def K(self) -> int:
        """Number of points."""
        return count_points(*self.space)

    @cached_property
    def own(self) -> int:
        """Own symbols of a value."""
        q, t = self.space
        return count_points(q, t - 1)

    @cached_property
    def _pair(self) -> tuple[Vector, Vector]:
        a, b, _ = self._chances(*self.space)
        return np.full(self.k, a), np.full(self.k, b)

    @cached_property
    def _missed(self) -> Vector:
        return np.full(self.k, self._chances(*self.space)[2])

    @cached_property
    def _scale(self) -> float:
        """D."""
        return self.K + self.own * expm1(self.epsilon)

    @cached_property
    def _points(self) -> NDArray[np.float32]:
        return points(*self.space, self.K)

    def _owns(self, values: NDArray[np.intp] | slice, symbols: NDArray[np.integer] | slice) -> NDArray[np.bool_]:
        """Whether each of the symbols is one of the values' own: (values, symbols)."""
        if self.k * self.K <= TABLE:
            return self._table[values][:, symbols]
        return self._orthogonal(self._points[: self.k][values], self._points[symbols])

    @cached_property
    def _table(self) -> NDArray[np.bool_]:
        return self._orthogonal(self._points[: self.k], self._points)

    def _orthogonal(self, some: NDArray[np.float32], others: NDArray[np.float32]) -> NDArray[np.bool_]:
        return (some @ others.T).astype(np.int32) % self.space[0] == 0

    def _blocks(self) -> list[slice]:
        """Slices of the values, with as many products in each as memory takes."""
        size = max(1, BLOCK * 64 // self.K)
        return [slice(start, min(start + size, self.k)) for start in range(0, self.k, size)]

    # the sampler -----------------------------------------------------------------------------------------------

    def perturb(self, values: ArrayLike, rng: np.random.Generator) -> Reports:
        """Uniform with the chance K/D; else one of the value's own."""
        values = checks.codes(values, self.k)
        out = rng.integers(0, self.K, len(values), np.int32)
        kept = rng.random(len(values)) * self._scale >= self.K
        pick = rng.integers(0, self.own, len(values))
        for value in np.unique(values[kept]):
            rows = np.flatnonzero(kept & (values == value))
            out[rows] = np.flatnonzero(self._owns(np.array([value]), slice(None))[0])[pick[rows]]
        return out

    def accepts(self, reports: Reports) -> NDArray[np.bool_]:
        sent = np.asarray(reports, np.int64)
        return (sent >= 0) & (sent < self.K)

    def draw(self, counts: ArrayLike, rng: np.random.Generator, repeats: int) -> NDArray[np.int64]:
        """Own symbols of the holders of each value, and uniform ones of all others: O(k·K/q) for each survey."""
        users = checks.counts(counts, self.k)
        kept = rng.binomial(users, self.own * expm1(self.epsilon) / self._scale, (repeats, self.k))
        sent = rng.multinomial(users.sum() - kept.sum(axis=1), np.full(self.K, 1 / self.K))
        even = np.full(self.own, 1 / self.own)
        for block in self._blocks():
            owns = self._owns(block, slice(None))
            for value, mine in zip(range(block.start, block.stop), owns, strict=True):
                if users[value]:
                    sent[:, mine] += rng.multinomial(kept[:, value], even)
        return self._supported(sent)

    # the estimate ----------------------------------------------------------------------------------------------

    def _supported(self, sent: NDArray[np.int64]) -> NDArray[np.int64]:
        """Reports (..., K) → how many of them support each value: (..., k)."""
        total = np.empty((*sent.shape[:-1], self.k), np.int64)
        for block in self._blocks():
            total[..., block] = np.rint(sent.astype(float) @ self._owns(block, slice(None)).T)
        return total

    def tally(self, reports: Reports) -> Tally:
        return Tally(len(reports), self._supported(np.bincount(np.asarray(reports, np.intp), minlength=self.K)))

    def supported(self, reports: Reports) -> Vector:
        return self._owns(slice(None), np.asarray(reports, np.intp)).T.astype(float)

    def support(self, freq: ArrayLike) -> Vector:
        return support.expected(freq, *self._pair)

    # the likelihood --------------------------------------------------------------------------------------------

    def log_likelihood(self, reports: Reports) -> Vector:
        return self.epsilon * self.supported(reports) - np.log(self._scale)

    def privacy_loss(self) -> Vector:
        return np.where(np.eye(self.k, dtype=bool), 0.0, self.epsilon)

    def disclosure(self) -> Vector:
        return np.zeros(self.k)

    def success(self, prior: Vector) -> Vector:
        """Symbol by symbol: its owners score πE, all others π; those alone are looked at who can win at all."""
        able = np.flatnonzero(prior * exp(self.epsilon) >= prior.max() * (1 - support.TIE))
        if prior[able].min() == prior.max():
            return self._alike(able)
        out, size = np.zeros(self.k), max(1, BLOCK * 16 // len(able))
        for start in range(0, self.K, size):
            gain = np.where(self._owns(able, slice(start, start + size)), exp(self.epsilon), 1.0)
            score = prior[able, None] * gain
            wins = score >= score.max(axis=0) * (1 - support.TIE)
            out[able] += (gain * wins / wins.sum(axis=0)).sum(axis=1) / self._scale
        return np.where(prior > 0, np.minimum(out, 1.0), 0.0)

    def _alike(self, able: NDArray[np.intp]) -> Vector:
        """Where only these values can be meant, all alike: one of a symbol's owners is named, or one of all."""
        out, size = np.zeros(self.k), max(1, BLOCK * 16 // len(able))
        for start in range(0, self.K, size):
            owns = self._owns(able, slice(start, start + size))
            owners = np.count_nonzero(owns, axis=0)
            named = np.where(owners > 0, exp(self.epsilon) / np.maximum(owners, 1), 0.0)
            out[able] += owns @ named + np.count_nonzero(owners == 0) / len(able)
        return np.minimum(out / self._scale, 1.0)

    # the channel -----------------------------------------------------------------------------------------------

    def count_outputs(self) -> int:
        return self.K

    def outputs(self, public: int | None = None) -> Reports:
        return np.arange(self.K, dtype=np.int32)

    def describe(self, outputs: Reports) -> list[ReportColumn]:
        return [ReportColumn(f"point {y}") for y in np.asarray(outputs).tolist()]
