"""Unary encodings: a bit for every value, each flipped independently (theory/frequency#support).

Bit v is set with probability a[v] if the user holds v, else b[v]. A value with b = 0 is disclosed by its bit.
"""

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from math import exp, expm1

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq

from ldpcore import checks
from ldpcore.channel import ReportColumn
from ldpcore.integer_law import UNIT, Bits, Share
from ldpcore.mechanisms import bits, support
from ldpcore.mechanisms.marking import Basic, MarkedRandomizer
from ldpcore.randomizer import BLOCK, Reports
from ldpcore.support_family import SupportFamily
from ldpcore.tally import Tally

Pair = tuple[NDArray[np.float64], NDArray[np.float64]]


class Unary(support.Independent):
    """The family. A member states its probabilities."""

    @property
    @abstractmethod
    def _pair(self) -> Pair:
        """a (k,) and b (k,). All b that are not 0 are equal."""

    @cached_property
    def _hidden(self) -> float:
        """The b of the values that are not disclosed; 0 if all are."""
        return float(self._pair[1].max())

    def perturb(self, values: ArrayLike, rng: np.random.Generator) -> Reports:
        values = checks.codes(values, self.k)
        out = np.zeros((len(values), bits.width(self.k)), np.uint8)
        for start in range(0, len(values), BLOCK):
            block = slice(start, start + BLOCK)
            self._perturb_block(values[block], out[block], rng)
        return out

    def _perturb_block(self, values: NDArray[np.integer], out: NDArray[np.uint8], rng: np.random.Generator) -> None:
        a, b = self._pair
        if self._hidden > 0:
            bits.random(out, self._hidden, rng)
        if self.k % 8 or not b.all():
            out &= bits.pack(b > 0)
        bits.write(out, values, rng.random(len(values)) < a[values])

    def accepts(self, reports: Reports) -> NDArray[np.bool_]:
        on = bits.unpack(reports, self.k).astype(bool)
        return bits.clean(reports, self.k) & ((on & (self._pair[1] == 0)).sum(axis=1) <= 1)

    def tally(self, reports: Reports) -> Tally:
        return bits.tally(reports, self.k)

    def supported(self, reports: Reports) -> NDArray[np.float64]:
        return bits.unpack(np.asarray(reports, np.uint8), self.k).astype(float)

    def families(self) -> tuple[SupportFamily, ...]:
        """Every hidden bit as one likes, and one open bit at most."""
        hidden, alone = np.flatnonzero(self._pair[1]), np.flatnonzero(self._pair[1] == 0)
        return (self._family((hidden, 0, len(hidden)), (alone, 0, 1)),)

    @cached_property
    def _gains(self) -> Pair:
        """What a set bit and an unset bit add to the log-likelihood of its value against all others."""
        a, b = self._pair
        with np.errstate(divide="ignore"):
            return np.log(a) - np.log(b), np.log(self._missed) - np.log1p(-b)

    def log_likelihood(self, reports: Reports) -> NDArray[np.float64]:
        _, b = self._pair
        gain_set, gain_unset = self._gains
        on = bits.unpack(reports, self.k).astype(bool)
        # A set bit that only its own value can set rules out every other value: counted apart, as ln 0 is not finite.
        open_bits = on & (b == 0)
        with np.errstate(divide="ignore"):
            others = np.where(on, np.where(b == 0, 0.0, np.log(b)), np.log1p(-b)).sum(axis=1)
        bit_gain = np.where(on, np.where(b == 0, np.log(self._pair[0]), gain_set), gain_unset)
        disclosed = open_bits.sum(axis=1, keepdims=True) - open_bits
        return np.where(disclosed > 0, -np.inf, others[:, None] + bit_gain)

    def privacy_loss(self) -> NDArray[np.float64]:
        """ln(a_x/b_x) + ln((1−b_z)/(1−a_z)): bit x set and bit z unset."""
        gain_set, gain_unset = self._gains
        loss = gain_set[:, None] - gain_unset[None, :]
        np.fill_diagonal(loss, 0)
        return loss

    def disclosure(self) -> NDArray[np.float64]:
        a, b = self._pair
        return np.where(b == 0, a, 0.0)

    def success(self, prior: NDArray[np.float64]) -> NDArray[np.float64]:
        return support.success(prior, *self._pair, *self._gains)

    def count_outputs(self) -> int:
        hidden = int(np.count_nonzero(self._pair[1]))
        return (self.k - hidden + 1) << hidden

    def outputs(self, public: int | None = None) -> Reports:
        """Every pattern of the hidden bits, with none or one of the open bits set."""
        hidden, open_bits = np.flatnonzero(self._pair[1]), np.flatnonzero(self._pair[1] == 0)
        patterns = (np.arange(1 << len(hidden))[:, None] >> np.arange(len(hidden))) & 1
        out = np.zeros((len(open_bits) + 1, len(patterns), self.k), bool)
        out[:, :, hidden] = patterns
        out[np.arange(1, len(open_bits) + 1), :, open_bits] = True
        return bits.pack(out.reshape(-1, self.k))

    def describe(self, outputs: Reports) -> list[ReportColumn]:
        open_bit = self._pair[1] == 0
        columns = []
        for row in bits.unpack(outputs, self.k).astype(bool):
            named = np.flatnonzero(row & open_bit)
            label = "{" + ", ".join(str(v) for v in np.flatnonzero(row)) + "}"
            columns.append(ReportColumn(label, len(named) == 0, int(named[0]) if len(named) else None))
        return columns


class Flipped(Unary):
    """Bits that are flipped with chances in whole numbers."""

    def integer_law(self, e_epsilon: int) -> Bits:
        marked, unmarked = self._own(e_epsilon)
        other: Share = (UNIT, e_epsilon + UNIT)
        hidden = self._pair[1] > 0
        true_bits = tuple(marked if hides else unmarked for hides in hidden)
        return Bits(self.k, true_bits, tuple(other if hides else (0, 1) for hides in hidden))

    @abstractmethod
    def _own(self, e_epsilon: int) -> tuple[Share, Share]:
        """Of a hidden and of a disclosed value: its chance to set its own bit, in whole numbers."""


class Symmetric(Flipped):
    """Both bits are flipped alike: e^(ε/2) for each."""

    integer_law_root = 2

    def _own(self, e_epsilon: int) -> tuple[Share, Share]:
        return (e_epsilon, e_epsilon + UNIT), (e_epsilon - UNIT, e_epsilon)


class Optimised(Flipped):
    """The own bit is a coin."""

    def _own(self, e_epsilon: int) -> tuple[Share, Share]:
        return (1, 2), (e_epsilon - UNIT, 2 * e_epsilon)


@dataclass(frozen=True, eq=False)
class RAPPOR(Basic, Symmetric):
    """Basic one-time RAPPOR, also called symmetric unary encoding (Erlingsson, Pihur, Korolova 2014)."""

    @cached_property
    def _pair(self) -> Pair:
        flip = 1 / (exp(self.epsilon / 2) + 1)
        return np.full(self.k, 1 - flip), np.full(self.k, flip)

    @property
    def _missed(self) -> NDArray[np.float64]:
        return self._pair[1]


@dataclass(frozen=True, eq=False)
class OUE(Basic, Optimised):
    """Optimised unary encoding (Wang, Blocki, Li, Jha 2017): a = 1/2, b = 1/(E+1)."""

    @cached_property
    def _pair(self) -> Pair:
        return np.full(self.k, 0.5), np.full(self.k, 1 / (exp(self.epsilon) + 1))


@dataclass(frozen=True, eq=False)
class THE(Basic, Unary):
    """Thresholding with histogram encoding (Wang, Blocki, Li, Jha 2017): Laplace noise of scale 2/ε on every bit, of
    which the report says only whether the sum is above θ, in [½, 1]: that with the least error of a rare value.

    What it throws away is paid for and not used: its largest loss is below ε (theory/frequency#thresholding).
    """

    spends_all = False

    @cached_property
    def threshold(self) -> float:
        """θ, where the derivative of b(1−b)/(a−b)² is 0."""

        def falls(theta: float) -> float:
            a, b = thresholded(theta, self.epsilon)
            return float(1 - b / (1 - b) - 2 * (1 - a - b) / (a - b))

        return float(brentq(falls, 0.5, 1, xtol=1e-15, rtol=1e-15))  # type: ignore[arg-type]

    @cached_property
    def _pair(self) -> Pair:
        a, b = thresholded(self.threshold, self.epsilon)
        return np.full(self.k, a), np.full(self.k, b)

    @cached_property
    def _missed(self) -> NDArray[np.float64]:
        return np.full(self.k, exp(self.epsilon * (self.threshold - 1) / 2) / 2)


def thresholded(theta: NDArray[np.float64] | float, epsilon: float) -> Pair:
    """a and b of a bit that says whether a 1, or a 0, with Laplace noise of scale 2/ε is above θ in [½, 1].

    >>> a, b = thresholded(1.0, 2.0)
    >>> round(float(a), 3), round(float(b), 3)
    (0.5, 0.184)
    """
    above = np.asarray(theta, float)
    return 1 - np.exp(epsilon * (above - 1) / 2) / 2, np.exp(-epsilon * above / 2) / 2


@dataclass(frozen=True, eq=False)
class URAP(MarkedRandomizer, Symmetric):
    """Utility-optimised RAPPOR (Murakami, Kawamoto 2019): an unmarked value's bit is set by its holders only."""

    @cached_property
    def _pair(self) -> Pair:
        flip = 1 / (exp(self.epsilon / 2) + 1)
        a = np.where(self.sensitive, 1 - flip, -expm1(-self.epsilon / 2))
        return a, np.where(self.sensitive, flip, 0.0)

    @property
    def _missed(self) -> NDArray[np.float64]:
        return np.where(self.sensitive, self._pair[1], exp(-self.epsilon / 2))


@dataclass(frozen=True, eq=False)
class UOUE(MarkedRandomizer, Optimised):
    """OUE on the marked values; an unmarked value's bit is set by its holders only, with (E−1)/(2E)."""

    @cached_property
    def _pair(self) -> Pair:
        a = np.where(self.sensitive, 0.5, -expm1(-self.epsilon) / 2)
        return a, np.where(self.sensitive, 1 / (exp(self.epsilon) + 1), 0.0)
