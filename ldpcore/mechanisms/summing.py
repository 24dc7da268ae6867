"""Summation with histogram encoding: a noisy number for every value, which the collector adds up.

The number of value v is the bit "v is mine" plus Laplace noise of scale 2/ε: n·Var = 8/ε², whatever the shares are. It
is a whole number of steps so small that nothing shows them: noise q^|j|, ln(1/q) at most 2⁻²², has the variance of
Laplace's to a float's last digits, totals are whole, add up exactly in any order, and can be drawn without a person.

What speaks for v is its number y cut to [0, 1], ε(y − ½) nats against the others: more than 1 proves no more. So the
adversary's scores have an atom at either end and a density between (theory/frequency#thresholding).
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import ceil, exp, expm1, log, log2, tanh

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.channel import ReportColumn
from ldpcore.mechanisms.marking import Basic
from ldpcore.mechanisms.support import compare, share_ties
from ldpcore.randomizer import BLOCK, NotEnumerable, Reports
from ldpcore.rng import random_words
from ldpcore.tally import Tally

Vector = NDArray[np.float64]
FINE = 22
"""Steps in half a scale of the noise: at least 2 to this power."""
LARGEST = 64.0
"""More than any exponential number that is drawn: 7.7 − ln 2⁻⁵³ at most (numpy's ziggurat)."""
_SIGNS = 1.0 - 2 * np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1)
"""Of each byte its bits as signs: (256, 8)."""
NODES, PANEL = 8, 0.5
"""Gauss-Legendre nodes for each panel of the scores, in nats."""


@dataclass(frozen=True, eq=False)
class SHE(Basic):
    """Summation with histogram encoding (Wang, Blocki, Li, Jha 2017); a report is k numbers of steps."""

    summed = True

    @cached_property
    def steps(self) -> int:
        """How many steps make 1, the bit: a power of two."""
        return 1 << max(0, ceil(log2(self.epsilon / 2)) + FINE)

    @cached_property
    def _nats(self) -> float:
        """Of one step: the noise of j steps has chance tanh(nats/2)·e^(−nats·|j|)."""
        return self.epsilon / 2 / self.steps

    @property
    def _kind(self) -> type[np.signedinteger]:
        """Of a report's numbers: 32 bits wherever no noise that is drawn leaves them."""
        return np.int32 if LARGEST / self._nats + self.steps < 1 << 31 else np.int64

    # the sampler -----------------------------------------------------------------------------------------------

    def perturb(self, values: ArrayLike, rng: np.random.Generator) -> Reports:
        values = checks.codes(values, self.k)
        out, size = np.empty((len(values), self.k), self._kind), max(1, BLOCK // self.k)
        for start in range(0, len(values), size):
            block = out[start : start + size]
            self._noise(block, rng)
            block[np.arange(len(block)), values[start : start + size]] += self.steps
        return out

    def _noise(self, out: NDArray[np.signedinteger], rng: np.random.Generator) -> None:
        """The whole part of an exponential number, which is geometric, with a sign: −0 is drawn again, as the noise of
        0 steps would come twice as often else.
        """
        signs = random_words(out.size // 8 + 1, np.dtype(np.uint8), rng)
        noise = np.take(_SIGNS / self._nats, signs, axis=0).reshape(-1)[: out.size].reshape(out.shape)
        noise *= rng.standard_exponential(out.shape)
        np.copyto(out, noise, casting="unsafe")
        if np.count_nonzero(out) == out.size:
            return
        at = np.flatnonzero(out == 0)
        again = at[np.signbit(noise.reshape(-1)[at])]
        if len(again):
            redrawn = np.empty(len(again), out.dtype)
            self._noise(redrawn, rng)
            out.reshape(-1)[again] = redrawn

    def accepts(self, reports: Reports) -> NDArray[np.bool_]:
        """Any numbers can be sent."""
        return np.full(len(reports), np.shape(reports)[1:] == (self.k,))

    def draw(self, counts: ArrayLike, rng: np.random.Generator, repeats: int) -> NDArray[np.int64]:
        """The sum of n geometric numbers is negative binomial."""
        users, shape = checks.counts(counts, self.k), (repeats, self.k)
        sums = [rng.negative_binomial(users.sum(), -expm1(-self._nats), shape) for _ in range(2)]
        return users * self.steps + sums[0] - sums[1]

    # the estimate ----------------------------------------------------------------------------------------------

    def tally(self, reports: Reports) -> Tally:
        return Tally(len(reports), np.asarray(reports).reshape(-1, self.k).sum(axis=0, dtype=np.int64))

    def invert(self, seen: Vector) -> Vector:
        return seen / self.steps

    def variance(self, freq: ArrayLike, n: int) -> Vector:
        checks.shares(freq, self.k)
        return np.full(self.k, 8 / self.epsilon**2 / n)

    def support(self, freq: ArrayLike) -> Vector:
        """The expected sum of a report for each value, in steps."""
        return checks.shares(freq, self.k) * self.steps

    # the likelihood --------------------------------------------------------------------------------------------

    def log_likelihood(self, reports: Reports) -> Vector:
        y = np.asarray(reports, np.int64)
        nothing = self.k * log(tanh(self._nats / 2)) - self._nats * np.abs(y).sum(axis=1, keepdims=True)
        return nothing + self._nats * (np.abs(y) - np.abs(y - self.steps))

    def privacy_loss(self) -> Vector:
        """The number of x at 1 or more, and that of z at 0 or less: ε/2 for each."""
        return np.where(np.eye(self.k, dtype=bool), 0.0, self.epsilon)

    def disclosure(self) -> Vector:
        return np.zeros(self.k)

    def names(self, outputs: Reports) -> NDArray[np.bool_]:
        """The values that a report speaks for most: all that reach 1, else the largest number; none reaches 0: all."""
        y = np.clip(outputs, 0, self.steps)
        return y == y.max(axis=1, keepdims=True)

    def naming(self, freq: ArrayLike) -> Vector:
        f, end = checks.shares(freq, self.k), exp(-self.epsilon / 2) / 2
        score, weight = _panels(np.array([0.0, self.epsilon]))
        below = _below(score)
        high, low = (np.exp(-gap / 2) / 4 for gap in (self.epsilon - score, score))
        others = below ** (self.k - 2)
        own_named = 0.5 + end * 0.5 ** (self.k - 1) + high * below * others @ weight
        other = end + 0.5 * end * 0.5 ** (self.k - 2) + low * 2 * high * others @ weight
        return f * own_named + (1 - f) * other

    def success(self, prior: Vector) -> Vector:
        """Pr[own score]·Pr[all others are below it], at both atoms and over the density between; ties are shared."""
        alive = prior > 0
        each, kind_of, members = np.unique(prior[alive], return_inverse=True, return_counts=True)
        low = np.log(each)
        high = low + self.epsilon
        won = 0.5 * self._wins(high, low, members) + exp(-self.epsilon / 2) / 2 * self._wins(low, low, members)
        # Below the highest of all lows whoever has it wins, and nobody is that low but by an atom.
        score, weight = _panels(np.append(low.max(), high))
        for start in range(0, len(score), BLOCK):
            s = score[start : start + BLOCK, None]
            with np.errstate(divide="ignore"):
                lost = np.log(np.where(s < high, _below(np.maximum(s - low, 0)), 1.0))
            density = np.where(s < high, np.exp((s - high) / 2) / 4, 0.0)
            won += weight[start : start + BLOCK] @ (density * np.exp((lost @ members)[:, None] - lost))
        out = np.zeros(self.k)
        out[alive] = np.clip(won, 0, 1)[kind_of]
        return out

    def _wins(self, score: Vector, low: Vector, members: NDArray[np.intp]) -> Vector:
        """Chance (kinds,) that the score of one value of each kind beats all other values, ties shared."""
        end, out = exp(-self.epsilon / 2) / 2, np.empty(len(score))
        for start in range(0, len(score), 256):
            block = np.arange(start, min(start + 256, len(score)))
            s = score[block, None]
            (above_low, at_low), (above_high, at_high) = (compare(one, s) for one in (low, low + self.epsilon))
            inside = above_low & ~at_high
            below = np.where(above_high, 1.0, np.where(inside, _below(np.maximum(s - low, 0)), 0.0))
            below = np.where(at_high, 1 - end, below)
            others = np.repeat(members[None], len(block), axis=0)
            others[np.arange(len(block)), block] -= 1
            out[block] = share_ties(below, at_low * 0.5 + at_high * end, others)
        return out

    # no channel ------------------------------------------------------------------------------------------------

    def report_bits(self) -> float:
        """k whole numbers of 32 bits each, or of 64 where the noise may leave these."""
        return 8.0 * np.dtype(self._kind).itemsize * self.k

    def count_outputs(self) -> int:
        raise NotEnumerable(
            f"{type(self).__name__} sends numbers, of which there is no end, so no table lists its reports; "
            "use log_likelihood, or another mechanism"
        )

    def outputs(self, public: int | None = None) -> Reports:
        return self._enumerate(public)

    def describe(self, outputs: Reports) -> list[ReportColumn]:
        return [ReportColumn(", ".join(f"{y:.2f}" for y in row)) for row in np.asarray(outputs) / self.steps]


def _below(score: Vector) -> Vector:
    """Pr[a value that is not held scores less], for a score in (0, ε] over the least."""
    return 1 - np.exp(-score / 2) / 2


def _panels(ends: Vector) -> tuple[Vector, Vector]:
    """Nodes and weights from the least to the largest of these ends, none in a panel that an end divides."""
    cuts = np.unique(ends)
    cuts = cuts[cuts >= ends[0]]
    between = [np.linspace(a, b, ceil((b - a) / PANEL), endpoint=False) for a, b in pairwise(cuts)]
    starts = np.concatenate(between)
    width = np.diff(np.append(starts, cuts[-1]))
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    score = starts[:, None] + width[:, None] * (nodes + 1) / 2
    return score.ravel(), (width[:, None] * weights / 2).ravel()
