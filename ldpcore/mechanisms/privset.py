"""PrivSet, and uPrivSet for sets with unmarked items: each states its w and its estimate (theory/sets#privset)."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import ceil, exp, expm1, log2

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.mechanisms import bits
from ldpcore.mechanisms.hitting import Hitting
from ldpcore.mechanisms.hitting_law import HittingLaw, missing
from ldpcore.mechanisms.marking import BasicSets, GuessedSets
from ldpcore.randomizer import Reports
from ldpcore.set_randomizer import Vector


def smallest(error: Callable[[int], float], low: int, high: int) -> int:
    """Where a unimodal function of whole numbers is least: ternary search."""
    while high - low > 8:
        left, right = low + (high - low) // 3, high - (high - low) // 3
        if error(left) <= error(right):
            high = right - 1
        else:
            low = left + 1
    return min(range(low, high + 1), key=error)


def _largest(pool: int, m: int) -> int:
    """Where the search for w ends: the best is near pool/(m(E+1)), and far above it u leaves the floats."""
    return min(pool - m, max(1, 4 * pool // m))


@dataclass(frozen=True, eq=False)
class PrivSet(BasicSets, Hitting):
    """PrivSet (Wang, Huang, Nie, Xu, Yang 2018): a w-subset, E times likelier if it meets the set; w by its MSE."""

    @property
    def discloses(self) -> bool:
        return False

    @cached_property
    def w(self) -> int:
        """Least mean variance at uniform shares."""
        f = self.m / self.inner

        def error(w: int) -> float:
            a, b, gap = self._rates_of(w)
            return (f * a * (1 - a) + (1 - f) * b * (1 - b)) / gap**2

        return smallest(error, 1, _largest(self.inner, self.m))

    def _rates_of(self, w: int) -> tuple[float, float, float]:
        """a = (w/d)E/Z, b = (w/d)(E(1−u)+u)/Z, a − b = (w/d)(E−1)u/Z; u: w − 1 of d − 1 items miss the m
        (theory/sets#privset).
        """
        d, m, gain = self.inner, self.m, expm1(self.epsilon)
        t = missing(d, w, m)[-1]
        u = missing(d - 1, w - 1, m)[-1]
        z = 1 + gain * (1 - t)
        return w / d * (gain + 1) / z, w / d * (1 + gain * (1 - u)) / z, w / d * gain * u / z

    @cached_property
    def _rates(self) -> tuple[float, float, float]:
        return self._rates_of(self.w)

    def invert(self, seen: Vector) -> Vector:
        _, b, gap = self._rates
        return (seen - b) / gap

    def variance(self, freq: ArrayLike, n: int, company: ArrayLike | None = None) -> Vector:
        f, (a, b, gap) = self.shares(freq), self._rates
        return (f * a * (1 - a) + (1 - f) * b * (1 - b)) / (n * gap**2)

    def report_bits(self, freq: ArrayLike | None = None) -> float:
        """⌈log₂ C(d, w)⌉."""
        return float(self._subset_bits)


@dataclass(frozen=True, eq=False)
class PrivSetScores:
    """What the reports of uPrivSet score, and how much that errs."""

    law: HittingLaw

    @cached_property
    def weights(self) -> tuple[float, float, float]:
        """x₀, y₀, x₁: the score of a silent report, more if it holds v, and of a disclosing one."""
        law = self.law
        y0 = law.sigma / (law.w * law.c)
        x1 = (law.m - 1 / law.rho) / law.sigma if law.rho else 0.0
        return law.m / law.sigma - 1 / law.c, y0, x1

    @cached_property
    def shrink(self) -> Vector:
        """h(b) = E[1/|D|], (m + 1,)."""
        return self.law.size_law @ np.r_[0.0, 1 / np.arange(1, self.law.m + 1)]

    def inside_error(self, f: ArrayLike, absent: ArrayLike, beta: ArrayLike) -> Vector:
        """n·Var of a sensitive item: (1−f)Q_out(b̄) + f Q_in(β), both linear in b."""
        law, (x0, y0, x1) = self.law, self.weights
        f, absent, beta = np.asarray(f), np.asarray(absent), np.asarray(beta)

        def held(b: Vector) -> Vector:
            return law.w / law.sigma * (exp(law.epsilon) / law.z - b * (law.rho - law.c / law.sigma))

        p_in, p_out = held(beta), held(absent)
        q_in = x0**2 * (1 - law.rho * beta - p_in) + (x0 + y0) ** 2 * p_in + x1**2 * law.rho * beta - 1
        q_out = (
            x0**2 * (1 - law.rho * absent - p_out + 1 / y0)
            + (x0 + y0) ** 2 * (p_out - 1 / y0)
            + x1**2 * law.rho * absent
        )
        return (1 - f) * q_out + f * q_in


@dataclass(frozen=True, eq=False)
class UPrivSet(GuessedSets, Hitting):
    """PrivSet with a joint promise for sets with unmarked items (ours: theory/sets#uprivset), near the limit.

    `share`, as in GuessedSets, only chooses w.
    """

    @property
    def discloses(self) -> bool:
        return self.sigma < self.inner

    @cached_property
    def w(self) -> int:
        """Least total variance for uniform sets with the guessed share of marked items."""
        chance = self.open_law(self.m * (1 - self.guessed_share))
        inside, others = self.holders(chance)
        b = float(chance @ np.arange(self.m + 1))
        f, beta = (self.m - b) / self.sigma, float(inside @ np.arange(self.m + 1))

        def error(w: int) -> float:
            """Σ n·Var over the inner domain, shares uniform in S and in N."""
            scores = PrivSetScores(self._law_of(w))
            marked_error = self.sigma * scores.inside_error(f, (b - f * beta) / max(1 - f, 1e-12), beta)
            if not scores.law.rho:
                return float(marked_error)
            return float(marked_error + b * ((others @ scores.shrink) / scores.law.rho - 1))

        return smallest(error, 1, _largest(self.sigma, self.m))

    @cached_property
    def _scores(self) -> PrivSetScores:
        return PrivSetScores(self._law)

    def invert(self, seen: Vector) -> Vector:
        x0, y0, x1 = self._scores.weights
        inside = self.marked[: self.k]
        open_share = np.where(inside, 0, seen) / self.unit
        named = open_share.sum(axis=-1, keepdims=True)
        score = x0 * (1 - named) + y0 * seen + x1 * named
        return np.where(inside, score, open_share / self.rho if self.rho else 0.0)

    def variance(self, freq: ArrayLike, n: int, company: ArrayLike | None = None) -> Vector:
        """Needs, of the holders of v, the mean of b (S) and of h(b) (N)."""
        f = self.shares(freq)
        law = self._company(f, company)
        beta = law @ np.arange(self.m + 1)
        absent = (self.open_mean(f) - f * beta) / np.maximum(1 - f, 1e-12)
        inside = self._scores.inside_error(f, np.where(f < 1, absent, 0.0), beta)
        others = f * ((law @ self._scores.shrink) / self.rho - 1) if self.rho else np.zeros(self.k)
        # At large ε what is left is a difference of nearly equal numbers: never below 0.
        return np.maximum(np.where(self.marked[: self.k], inside, others), 0.0) / n

    def report_bits(self, freq: ArrayLike | None = None) -> float:
        """One bit for the kind; then ⌈log₂ C(σ, w)⌉, or the codes of D (how many: ⌈log₂ m⌉ more)."""
        law = self.open_law(self.open_mean(self.shares(freq)))
        b = np.arange(self.m + 1)
        open_share = float(law @ (self.rho * b))
        named = float(law @ (self.rho * b * (self._law.size_law @ b)))
        return self._bits(1 - open_share, open_share, named)

    def measure_bits(self, reports: Reports) -> float:
        size = np.count_nonzero(bits.unpack(reports, self.inner).astype(bool) & ~self.marked, axis=1)
        return self._bits(float(np.mean(size == 0)), float(np.mean(size > 0)), float(size.mean()))

    def _bits(self, silent: float, open_share: float, named: float) -> float:
        return (self.rho > 0) + silent * self._subset_bits + open_share * ceil(log2(self.m)) + named * self.code_bits
