"""Direct mechanisms: GRR and those that treat marked values with more care, uRR and SDGRR."""

from dataclasses import dataclass
from functools import cached_property
from math import expm1

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.channel import ReportColumn
from ldpcore.integer_law import Subsets
from ldpcore.mechanisms import support
from ldpcore.mechanisms.keep_else_uniform import Direct, ValueGroup
from ldpcore.mechanisms.marking import Basic, MarkedRandomizer
from ldpcore.policy import SDLDP, Policy
from ldpcore.randomizer import Reports
from ldpcore.support_family import SupportFamily


@dataclass(frozen=True, eq=False)
class GRR(Basic, support.Paired, Direct):
    """Generalised randomised response (Kairouz, Bonawitz, Ramage 2016): keep with (E−1)/(k+E−1)."""

    @cached_property
    def groups(self) -> tuple[ValueGroup, ...]:
        everything = np.arange(self.k)
        gain = expm1(self.epsilon)
        return (ValueGroup(everything, gain / (self.k + gain), everything, 1 / (self.k + gain)),)

    @cached_property
    def _pair(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        stray = self.groups[0].stray
        return np.full(self.k, self.groups[0].keep + stray), np.full(self.k, stray)

    @cached_property
    def _missed(self) -> NDArray[np.float64]:
        return np.full(self.k, (self.k - 1) * self.groups[0].stray)

    def integer_law(self, e_epsilon: int) -> Subsets:
        return Subsets.of(self.k, self.marked, 1, e_epsilon)

    def describe(self, outputs: Reports) -> list[ReportColumn]:
        return [ReportColumn(str(y)) for y in outputs]


class Marked(MarkedRandomizer, Direct):
    """A direct mechanism that knows which values are sensitive. It discloses a value only by naming it."""

    def describe(self, outputs: Reports) -> list[ReportColumn]:
        return [ReportColumn(str(y), bool(self.sensitive[y]), None if self.sensitive[y] else int(y)) for y in outputs]


@dataclass(frozen=True, eq=False)
class URR(support.Paired, Marked):
    """Utility-optimised randomised response (Murakami, Kawamoto 2019): every value strays within S only."""

    @cached_property
    def groups(self) -> tuple[ValueGroup, ...]:
        everything = np.arange(self.k)
        gain = expm1(self.epsilon)
        # Nothing marked: every value is kept and the pool is never used; it must only not be empty.
        pool = self.marked if len(self.marked) else everything
        stray = 1 / (len(self.marked) + gain) if len(self.marked) else 0.0
        return (ValueGroup(everything, gain / (len(self.marked) + gain), pool, stray),)

    def integer_law(self, e_epsilon: int) -> Subsets:
        return Subsets.of(self.k, self.marked, 1, e_epsilon)

    @cached_property
    def _pair(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        b = np.where(self.sensitive, self.groups[0].stray, 0.0)
        return self.groups[0].keep + b, b

    @cached_property
    def _missed(self) -> NDArray[np.float64]:
        return np.where(self.sensitive, len(self.marked) - 1, len(self.marked)) * self.groups[0].stray


@dataclass(frozen=True, eq=False)
class SDGRR(Marked):
    """Sensitivity-graded GRR (sdldp §4): marked values as in GRR, the others kept more often, straying into S.

    c₁ = E/(k+E−1), c₂ = 1/(k+E−1), c₃ = (k−σ+E−1)/(k+E−1). The estimate of an unmarked value subtracts c₂ times the
    *estimated* mass of S; the paper's variance (12) takes that mass as known, `variance` does not
    (theory/frequency#graded-variance).
    """

    @property
    def policy(self) -> Policy:
        return SDLDP(self.epsilon, self.sensitive)

    @property
    def _scale(self) -> float:
        return self.k + expm1(self.epsilon)

    @cached_property
    def groups(self) -> tuple[ValueGroup, ...]:
        everything = np.arange(self.k)
        high = ValueGroup(self.marked, expm1(self.epsilon) / self._scale, everything, 1 / self._scale)
        kept = (self._scale - len(self.marked)) / self._scale
        pool, stray = (self.marked, 1 / self._scale) if len(self.marked) else (everything, 0.0)
        low = ValueGroup(np.flatnonzero(~self.sensitive), kept, pool, stray)
        return tuple(group for group in (high, low) if len(group.values))

    def invert(self, seen: NDArray[np.float64]) -> NDArray[np.float64]:
        c2, c3 = 1 / self._scale, (self._scale - len(self.marked)) / self._scale
        out = (seen - c2) * self._scale / expm1(self.epsilon)
        mass = out[..., self.sensitive].sum(axis=-1, keepdims=True)
        return np.where(self.sensitive, out, (seen - c2 * mass) / c3)

    def variance(self, freq: ArrayLike, n: int) -> NDArray[np.float64]:
        f = checks.shares(freq, self.k)
        gain, sigma = expm1(self.epsilon), len(self.marked)
        c1, c2, c3 = (gain + 1) / self._scale, 1 / self._scale, (self._scale - sigma) / self._scale
        high = support.variance(f, n, np.full(self.k, c1), np.full(self.k, c2), np.full(self.k, (self.k - 1) * c2))
        t = 1 / gain

        def one_report(names: float, into_marked: float, neither: float) -> float:
            """Var of 1[report = v] − t·1[report in S]: disjoint events of these probabilities."""
            spread = names * (into_marked + neither) + t * t * into_marked * (names + neither)
            return spread + 2 * t * names * into_marked

        mass = f[self.sensitive].sum()
        low = (
            mass * one_report(c2, c1 + (sigma - 1) * c2, (self.k - sigma - 1) * c2)
            + f * one_report(c3, sigma * c2, 0)
            + (1 - mass - f) * one_report(0, sigma * c2, c3)
        ) / (n * c3**2)
        return np.where(self.sensitive, high, low)

    def families(self) -> tuple[SupportFamily, ...]:
        """One value: the others hear whether it is marked."""
        kinds, out = (self.marked, np.flatnonzero(~self.sensitive)), []
        c3 = (self._scale - len(self.marked)) / self._scale
        apart = np.where(self.sensitive, self._scale / expm1(self.epsilon), 1 / c3)
        for codes in kinds:
            if len(codes):
                share = np.zeros(self.k)
                share[codes] = 1 / len(codes)
                off = self.invert(share) - apart * share  # affine, and alike for all reports of this kind
                out.append(SupportFamily(off + apart, off, ((codes, 1, 1),)))
        return tuple(out)

    def paper_variance(self, freq: ArrayLike, n: int) -> NDArray[np.float64]:
        """The paper's approximations (2) and (12): small shares, and the mass of S taken as known."""
        f = checks.shares(freq, self.k)
        gain = expm1(self.epsilon)
        mass = f[self.sensitive].sum()
        high = (self.k - 1 + gain) / (n * gain**2)
        low = (self._scale - mass) * mass / (n * (self._scale - len(self.marked)) ** 2)
        return np.where(self.sensitive, high, low)
