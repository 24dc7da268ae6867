"""Hadamard response (Acharya, Sun, Zhang 2019, §5): the report is one of K symbols, K a power of two near the number
of values; a value's own symbols are half a block, the +1 of its row of a Sylvester-Hadamard matrix.

B blocks of b symbols, b − 1 values each (row 0 is all ones and belongs to nobody); H[j, y] = −1 where j & y has an odd
number of ones. With D = K + s(E−1), s = b/2 own symbols: with probability κ = s(E−1)/D the truth, a uniform own
symbol; otherwise a uniform one of all K. uHR: values of S do this; any other is disclosed with probability κ, else
sends a uniform symbol, with (1−κ)/K = 1/D: the least that ULDP allows beside holders of S who send it with E/D.

All sums over symbols are Walsh-Hadamard transforms, O(K log K). A value is supported by its own symbols; with c_v such
reports, m values and share F in the block, E c_v/n = κ(f_v + F)/2 + (1−κ)s/K, so
f̂_v = 2ĉ_v − F̂, F̂ = 2Σĉ/(m+1), ĉ_v = (c_v/n − (1−κ)s/K)/κ.
"""

from abc import abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from math import exp, expm1

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.channel import ReportColumn
from ldpcore.mechanisms import support
from ldpcore.mechanisms.hadamard_blocks import best, width
from ldpcore.mechanisms.hadamard_symbols import Symbols, Vector
from ldpcore.mechanisms.marking import Basic, Guessing
from ldpcore.mechanisms.walsh import draw_symbols
from ldpcore.randomizer import BLOCK, Randomizer, Reports
from ldpcore.rng import random_words
from ldpcore.tally import Tally


class Hadamard(Randomizer):
    """The family. A member states S (`marked`, codes); any other value is disclosed."""

    blocks: int | None

    @property
    @abstractmethod
    def marked(self) -> NDArray[np.intp]:
        """Codes of S."""

    @cached_property
    def sigma(self) -> int:
        return len(self.marked)

    @cached_property
    def other(self) -> NDArray[np.intp]:
        """Codes of N; report K + i discloses the i-th."""
        return np.delete(np.arange(self.k), self.marked)

    @cached_property
    def symbols(self) -> Symbols:
        """b is the least power of two with room for all values: B given, or with the least exact error over all values
        at the guessed shares. The paper's B ≈ E/2 is right up to a constant; at ε = 1 it costs up to 54 %.
        """
        marked_share = float(self.guessed[self.marked].sum())
        blocks = self.blocks or (best(self.sigma, marked_share, self.epsilon) if self.sigma else 1)
        return Symbols(self.sigma, blocks, width(self.sigma, blocks))

    @property
    def counted(self) -> Hashable:
        return self.symbols.blocks

    @property
    def K(self) -> int:
        """Number of symbols; 0 when nothing is marked, so that nothing is hidden."""
        return self.symbols.K

    @cached_property
    def keep(self) -> float:
        """κ."""
        gain = self.symbols.own * expm1(self.epsilon)
        return gain / (self.K + gain) if self.sigma else 1.0

    @cached_property
    def _place(self) -> NDArray[np.int64]:
        """block·b + row of every value (k,); of values of N the place of the report that discloses them."""
        place = np.empty(self.k, np.int64)
        place[self.marked] = self.symbols.place
        place[self.other] = self.K + np.arange(len(self.other))
        return place

    # the sampler -----------------------------------------------------------------------------------------------

    def perturb(self, values: ArrayLike, rng: np.random.Generator) -> Reports:
        values = checks.codes(values, self.k)
        out, place = np.empty(len(values), np.int32), self._place.astype(np.int32)
        for start in range(0, len(values), BLOCK):
            block = slice(start, start + BLOCK)
            out[block] = self._perturb_block(place[values[block]], rng)
        return out

    def _perturb_block(self, place: NDArray[np.int32], rng: np.random.Generator) -> NDArray[np.int32]:
        """A symbol that is not one's own becomes one by flipping the bit that is the lowest of one's row.

        What is chosen is chosen by masks: `where` is several times slower where no branch predictor knows which.
        """
        kept = _mask(rng.random(len(place)) < self.keep)
        if not self.sigma:
            return place
        symbol, low = random_words(len(place), np.dtype(np.int32), rng), np.int32(self.symbols.width - 1)
        symbol &= self.K - 1  # a power of two
        row, own = place & low, symbol & low
        flipped = _mask(np.bitwise_count(own & row) & 1)
        flipped &= row
        flipped &= -row
        own ^= flipped
        own += place
        own -= row
        if len(self.other):
            own ^= _mask(place >= self.K) & (own ^ place)
        own ^= symbol
        own &= kept
        own ^= symbol
        return own

    def accepts(self, reports: Reports) -> NDArray[np.bool_]:
        sent = np.asarray(reports, np.int64)
        return (sent >= (0 if self.sigma else self.K)) & (sent < self.K + len(self.other))

    def draw(self, counts: ArrayLike, rng: np.random.Generator, repeats: int) -> NDArray[np.int64]:
        """Symbols are drawn bit by bit for all holders at once: O(K log K) binomials."""
        users = checks.counts(counts, self.k)
        total = rng.binomial(users, min(self.keep, 1.0), (repeats, self.k))
        if not self.sigma:
            return total
        blocks, width = self.symbols.blocks, self.symbols.width
        free = users.sum() - total.sum(axis=1)
        start = np.zeros((repeats, blocks * width), np.int64)
        start[:, self._place[self.marked]] = total[:, self.marked]
        start = start.reshape(repeats, blocks, width)
        start[:, :, 0] = rng.multinomial(free, np.full(blocks, 1 / blocks))
        total[:, self.marked] = self.symbols.supported(draw_symbols(start, rng).reshape(repeats, self.K))
        return total

    # the estimate ----------------------------------------------------------------------------------------------

    def tally(self, reports: Reports) -> Tally:
        seen = np.zeros(self.K + len(self.other), np.int64)
        for start in range(0, len(reports), BLOCK):
            seen += np.bincount(reports[start : start + BLOCK], minlength=len(seen))
        total = np.empty(self.k, np.int64)
        total[self.other] = seen[self.K :]
        if self.sigma:
            total[self.marked] = self.symbols.supported(seen[: self.K])
        return Tally(len(reports), total)

    @cached_property
    def _base(self) -> float:
        """Chance that a uniform symbol is sent and supports a given value."""
        return self.symbols.own * self._rarest if self.sigma else 0.0

    @cached_property
    def _rarest(self) -> float:
        """1/D = (1 − κ)/K: the least chance of a symbol."""
        return 1 / (self.K + self.symbols.own * expm1(self.epsilon))

    def invert(self, seen: NDArray[np.float64]) -> NDArray[np.float64]:
        out = seen / self.keep
        if self.sigma:
            clean = out[..., self.marked] - self._base / self.keep
            out[..., self.marked] = 2 * clean - 2 * self.symbols.mean_of_block(clean)
        return out

    def variance(self, freq: ArrayLike, n: int) -> NDArray[np.float64]:
        """A symbol y scores 2(t − g)/κ − c for v: t = 1 if it is v's own, g = (values of the block that own it)/(m+1).

        Its square, averaged over the symbols that are sent, less f_v; a disclosed value scores 1/κ, and −c for v.
        One own symbol is the support form, which keeps its digits where the average is near f_v: at large ε.
        """
        f = checks.shares(freq, self.k)
        if not self.sigma:
            return np.zeros(self.k)
        out = f * self.K * self._rarest / (self.keep * n)
        if self.symbols.own == 1:
            b = np.full(self.k, self._rarest)
            alone = support.variance(f, n, self.keep + b, b, (self.K - 1) * b)
            return np.where(self._place < self.K, alone, out)
        sent = self.keep / self.symbols.own * self.symbols.spread(f[self.marked]) + self._rarest
        ones = np.ones(self.sigma)
        part = self.symbols.mean_of_block(ones)
        g = self.symbols.spread(ones - part)
        squares = self.symbols.supported(sent * (1 - 2 * g)) + self.symbols.in_block(sent * g**2)
        c = 2 * self._base / self.keep * (1 - part)
        # Σ sent·(2/κ)(t − g) = f + c, so the mixed terms are −2cf − c².
        out[self.marked] = (4 / self.keep**2 * squares - 2 * c * f[self.marked] - c**2 - f[self.marked]) / n
        return out

    def support(self, freq: ArrayLike) -> NDArray[np.float64]:
        f = checks.shares(freq, self.k)
        out = f * self.keep
        if self.sigma:
            inside = f[self.marked]
            out[self.marked] = self._base + self.keep / 2 * (inside + self.symbols.beside(inside))
        return out

    # the likelihood --------------------------------------------------------------------------------------------

    def log_likelihood(self, reports: Reports) -> NDArray[np.float64]:
        """E/D for an own symbol, 1/D for any other; r for a disclosed value."""
        codes, sent = np.arange(self.k), np.asarray(reports, np.int64)
        with np.errstate(divide="ignore"):
            open_share = np.where(sent[:, None] == self._place[codes], np.log(self.keep), -np.inf)
        if not self.sigma:
            return open_share
        hidden = np.where(self.symbols.owns(self._place, sent), self.epsilon, 0.0) + np.log(self._rarest)
        return np.where((sent < self.K)[:, None], hidden, open_share)

    def privacy_loss(self) -> NDArray[np.float64]:
        loss = np.full((self.k, self.k), np.inf)
        loss[self.marked] = self.epsilon
        np.fill_diagonal(loss, 0)
        return loss

    def disclosure(self) -> NDArray[np.float64]:
        out = np.full(self.k, self.keep)
        out[self.marked] = 0
        return out

    def success(self, prior: NDArray[np.float64]) -> NDArray[np.float64]:
        """Symbol by symbol: its owners score πE, all others π; O(K) times those who can win at all, O(K log K) where
        all of these are equally likely values of S.
        """
        out = self.disclosure()
        lifted = prior * np.where(self._place < self.K, exp(self.epsilon), 1.0)
        able = np.flatnonzero(lifted >= prior.max() * (1 - support.TIE))
        if self.sigma and prior[able].min() == prior.max() and self._place[able].max() < self.K:
            out[able] += self._alike(able)
            return np.where(prior > 0, np.minimum(out, 1.0), 0.0)
        size = max(1, BLOCK * 16 // len(able))
        for start in range(0, self.K, size):
            symbols = np.arange(start, min(start + size, self.K))
            gain = np.where(self.symbols.owns(self._place[able], symbols), exp(self.epsilon), 1.0)
            score = prior[able] * gain
            wins = score >= score.max(axis=1, keepdims=True) * (1 - support.TIE)
            out[able] += (gain * wins / wins.sum(axis=1, keepdims=True)).sum(axis=0) * self._rarest
        return np.where(prior > 0, np.minimum(out, 1.0), 0.0)

    def _alike(self, able: NDArray[np.intp]) -> Vector:
        """Pr[a symbol is sent and x is named | x], if only these values of S can be meant, all alike: one of a symbol's
        owners is named; one of all where nobody owns it.
        """
        owned = np.round(self.symbols.spread(np.isin(self.marked, able).astype(float)))
        shared = np.where(owned > 0, 1 / np.maximum(owned, 1), 0.0)
        named = np.zeros(self.k)
        named[self.marked] = exp(self.epsilon) * self.symbols.supported(shared)
        return self._rarest * (named[able] + np.count_nonzero(owned == 0) / len(able))

    # the channel -----------------------------------------------------------------------------------------------

    def count_outputs(self) -> int:
        return self.K + len(self.other)

    def outputs(self, public: int | None = None) -> Reports:
        return np.arange(self.count_outputs(), dtype=np.int32)

    def describe(self, outputs: Reports) -> list[ReportColumn]:
        columns = []
        for y in np.asarray(outputs, np.int64):
            value = int(self.other[y - self.K]) if y >= self.K else None
            columns.append(ReportColumn(f"symbol {y}" if value is None else str(value), value is None, value))
        return columns


def _mask(which: NDArray) -> NDArray[np.int32]:
    """All ones where it is true, or 1, else all zeros."""
    out = which.astype(np.int32)
    return np.negative(out, out=out)


def _check_blocks(blocks: int | None) -> None:
    if blocks is not None and (checks.integer(blocks, "blocks", 1) & (blocks - 1)):
        raise ValueError(f"blocks must be a power of two, got {blocks}; leave it out for the best")


@dataclass(frozen=True, eq=False)
class HR(Basic, Hadamard):
    """Hadamard response for LDP (Acharya, Sun, Zhang 2019); `blocks`, a power of two, default the best."""

    blocks: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_blocks(self.blocks)


@dataclass(frozen=True, eq=False)
class UHR(Guessing, Hadamard):
    """Hadamard response on the marked values; any other value is disclosed with probability κ. `share`, the public
    guess of F, chooses the blocks.
    """

    blocks: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_blocks(self.blocks)
