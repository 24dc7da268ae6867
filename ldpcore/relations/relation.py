"""What reports of two answers say: shares of pairs, groups compared, a test, a strength, each with its interval."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from ldpcore.estimators.intervals import tail
from ldpcore.relations import independence, strength
from ldpcore.relations.comparisons import compared
from ldpcore.relations.designs import PairDesign
from ldpcore.relations.fieller import ScoreTest
from ldpcore.relations.groups import Mask, Members, about_checked, members, sides, some_answers
from ldpcore.relations.independence import IndependenceTest
from ldpcore.relations.joint_shares import joint_interval
from ldpcore.relations.plausible import SURE, plausible
from ldpcore.relations.tallies import PairTally
from ldpcore.rng import stream

Array = NDArray[np.float64]


@dataclass(frozen=True)
class RelationEstimate:
    """value, and the interval low..high. told: whether the groups it is about are told from empty ones at all, at 3
    standard errors of their sizes; where not it says nothing and is not to be shown. size_in_errors: how many of these
    the smaller of them is; below 5 "barely told from empty: read with care". Numbers, or arrays for several surveys.
    """

    value: Any
    low: Any
    high: Any
    told: Any = True
    size_in_errors: Any = float("inf")


@dataclass(frozen=True, eq=False)
class Relation:
    """n people's reports, as the design estimates from them: shares (kx, ky) of all pairs, unbiased, so perhaps
    negative; margins are the single estimates. shares may be those of several surveys, (repeats, kx, ky): then so are
    all results.

    `about`: people "like" these, sampling and all, or "these" people. `looks`: of so many intervals all cover (Šidák).
    """

    design: PairDesign
    n: int
    shares: Array
    tally: PairTally | None = None

    @property
    def _tables(self) -> Array:
        return self.shares.reshape(-1, self.design.kx, self.design.ky)

    def _shaped(self, *values: NDArray[Any]) -> tuple[Any, ...]:
        """(r,) → the shape of several surveys, or a number."""
        outer = self.shares.shape[:-2]
        return tuple(each.reshape(outer) if outer else each[0].item() for each in values)

    @cached_property
    def plausible(self) -> Array:
        """The nearest shares that can be, none of them 0: what variances are taken at."""
        return plausible(self._tables, self.n, self.design.is_open).reshape(self.shares.shape)

    @property
    def covariance(self) -> Array:
        """Of the shares (K, K), people like these: exact at `plausible`. ValueError for several surveys."""
        return self.design.covariance(self._one(self.plausible), self.n, "like")

    def _one(self, tables: Array) -> Array:
        if self.shares.ndim != 2:
            raise ValueError("this is asked of one survey, not of several")
        return tables

    # intervals -------------------------------------------------------------------------------------------------

    def interval(self, about: str = "like", level: float = 0.95, looks: int = 1) -> tuple[Array, Array]:
        """Of every pair's share: low and high, in the shape of `shares`."""
        ends = joint_interval(self.design, self._tables, self.n, _z(level, looks), about_checked(about))
        low, high = (end.reshape(self.shares.shape) for end in ends)
        return low, high

    def _test(self, y: Mask, group: Mask, about: str) -> ScoreTest:
        return ScoreTest(self.design, self._tables, self.n, group, y, about_checked(about))

    def within(
        self, y: Members, group: Members, about: str = "like", level: float = 0.95, looks: int = 1
    ) -> RelationEstimate:
        """Pr[y | group], answers and groups by their codes or as masks."""
        answers = some_answers(y, self.design.ky)
        test = self._test(answers, members(group, self.design.kx, "groups"), about)
        value, low, high = test.interval(_z(level, looks), shown=True)
        return RelationEstimate(*self._shaped(value, low, high, test.ratio >= SURE, test.ratio))

    def difference(
        self, y: Members, one: Members, other: Members, about: str = "like", level: float = 0.95, looks: int = 1
    ) -> RelationEstimate:
        """Pr[y | one] − Pr[y | other]."""
        return self._compared("difference", y, one, other, about, level, looks)

    def ratio(
        self, y: Members, one: Members, other: Members, about: str = "like", level: float = 0.95, looks: int = 1
    ) -> RelationEstimate:
        """Pr[y | one] / Pr[y | other]; an end may be 0 or inf."""
        return _exponential(self._compared("ratio", y, one, other, about, level, looks))

    def odds_ratio(
        self, y: Members, one: Members, other: Members, about: str = "like", level: float = 0.95, looks: int = 1
    ) -> RelationEstimate:
        """The odds of y in one over those in the other; an end may be 0 or inf."""
        return _exponential(self._compared("odds", y, one, other, about, level, looks))

    def _compared(
        self, scale: str, y: Members, one: Members, other: Members, about: str, level: float, looks: int
    ) -> RelationEstimate:
        answers = some_answers(y, self.design.ky)
        first, second = (self._test(answers, side, about) for side in sides(one, other, self.design.kx))
        value, low, high = compared(first, second, _z(level, looks), scale)
        ratio = np.minimum(first.ratio, second.ratio)
        return RelationEstimate(*self._shaped(value, low, high, ratio >= SURE, ratio))

    def against_others(
        self, y: Members, groups: Sequence[Members] | None = None, about: str = "like", level: float = 0.95
    ) -> list[RelationEstimate]:
        """Each of these groups (default: all) against all others together, all intervals at once (Šidák)."""
        chosen = list(range(self.design.kx)) if groups is None else list(groups)
        every = [members(each, self.design.kx, "groups") for each in chosen]
        return [self.difference(y, each, ~each, about, level, looks=len(every)) for each in every]

    # is there one, and how strong ------------------------------------------------------------------------------

    def independence(self, rng: np.random.Generator | None = None, draws: int = 999) -> IndependenceTest:
        """The test of independence; rng: for what it permutes or draws, default a stream of its own."""
        if self.tally is None:
            raise ValueError("the test needs the reports themselves: take it of design.joint(tally)")
        return independence.tested(self.design, self.tally, rng or stream(0, "relations", "independence"), draws)

    def strength(self, about: str = "like", level: float = 0.95) -> RelationEstimate:
        """Cramér's V, 0 to 1; told only where every group and every answer is 3 standard errors above empty."""
        value, low, high = strength.cramers_v(
            self.design, self._one(self.shares), self.n, tail(level), about_checked(about)
        )
        ratio = self._least_margin(about)
        return RelationEstimate(value, low, high, bool(ratio >= SURE), ratio)

    def correlation(self, u: ArrayLike, v: ArrayLike, about: str = "like", level: float = 0.95) -> RelationEstimate:
        """Pearson's, of ordered answers with public numbers u (kx,) and v (ky,); told unless it may be anything."""
        first, second = np.asarray(u, float), np.asarray(v, float)
        if (len(first), len(second)) != (self.design.kx, self.design.ky):
            raise ValueError(f"a correlation needs {self.design.kx} and {self.design.ky} numbers, one for each answer")
        if np.ptp(first) == 0 or np.ptp(second) == 0:
            raise ValueError("answers that are all the same number have no correlation; give each its own")
        table, z = self._one(self.shares), _z(level, 1)
        value, low, high = strength.correlation(self.design, table, self.n, first, second, z, about_checked(about))
        return RelationEstimate(value, low, high, high - low < 2)

    def _least_margin(self, about: str) -> float:
        """Standard errors of the smallest group or answer, hidden ones alone."""
        f, ratios = self._one(self.plausible), []
        kx, ky = self.design.kx, self.design.ky
        spread = self.design.covariance(f, self.n, about).reshape(kx, ky, kx, ky)
        sides = [(self.shares.sum(axis=0), np.einsum("abcb->b", spread))]
        if not self.design.is_open:
            sides.append((self.shares.sum(axis=1), np.einsum("abad->a", spread)))
        for share, variance in sides:
            ratios.append(float(np.min(share / np.sqrt(np.maximum(variance, 1e-300)))))
        return min(ratios)


def _z(level: float, looks: int) -> float:
    """Standard errors to either side, so that all of so many intervals cover (Šidák)."""
    return -float(ndtri(tail(level ** (1 / looks))))


def _exponential(estimate: RelationEstimate) -> RelationEstimate:
    value, low, high = (
        turned if np.ndim(turned) else float(turned)
        for turned in (np.exp(estimate.value), np.exp(estimate.low), np.exp(estimate.high))
    )
    return RelationEstimate(value, low, high, estimate.told, estimate.size_in_errors)
