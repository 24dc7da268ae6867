"""SDPM: PM where the input is sensitive, the value itself with high probability where it is not (sdldp §4.3)."""

from dataclasses import dataclass
from functools import cached_property
from math import expm1

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.mechanisms import graded_score
from ldpcore.mechanisms.density import Score
from ldpcore.mechanisms.piecewise import PM
from ldpcore.mechanisms.report_density import ReportDensity
from ldpcore.numeric_randomizer import BINS, Intervals, Vector
from ldpcore.policy import LDP, SDLDP, Policy


@dataclass(frozen=True, eq=False)
class SDPM(PM):
    """Sensitivity-graded PM (sdldp §4.3, for several intervals): x ∉ L as PM; x ∈ L itself with probability
    p' = 1 − (2C−|L|)p/E, else uniform on [−C, C] without L. `low` is L; () is PM.

    The mean of a low report is not x: with M₁ = p'x − (p/E)Σ(r²−l²)/2 and M₂ = p'x² + (p/E)(2C³−Σ(r³−l³))/3 its
    variance is M₂ − M₁². The paper's Theorem 4 leaves out both atom and mean: `paper_variance`.
    """

    low: Intervals = ()

    usual = "em"
    unbiased = False
    uses_marks = True

    def __init__(self, epsilon: float, low: Intervals = (), bins: int = BINS) -> None:
        object.__setattr__(self, "epsilon", epsilon)
        object.__setattr__(self, "low", checks.intervals(low))
        object.__setattr__(self, "bins", bins)
        self.__post_init__()

    def policy(self, points: Vector) -> Policy:
        return SDLDP(self.epsilon, ~self.is_low(points)) if self.low else LDP(self.epsilon)

    def is_low(self, x: Vector) -> NDArray[np.bool_]:
        """Which inputs are not sensitive; L is closed."""
        return np.any([(x >= left) & (x <= right) for left, right in self.low] or [np.zeros(len(x), bool)], axis=0)

    @property
    def cuts(self) -> tuple[float, ...]:
        return tuple(end for pair in self.low for end in pair)

    @cached_property
    def holes(self) -> Intervals:
        """L, with its right ends inside cells that are open on the right."""
        return tuple((left, float(np.nextafter(right, np.inf))) for left, right in self.low)

    @property
    def _ends(self) -> Vector:
        return np.array(self.holes).reshape(-1, 2)

    @property
    def size(self) -> float:
        """|L|."""
        return float(sum(right - left for left, right in self.low))

    @property
    def keep(self) -> float:
        """p', the probability that a low value is reported as it is."""
        return self.size * self.background - expm1(-self.epsilon / 2)

    @property
    def knots(self) -> Vector:
        scored = self._scorer.knots if isinstance(self._scorer, Score) else np.array(self.span)
        # Inside L the score is one line, and a cell there belongs to one input bin.
        inside = np.any([(scored > a) & (scored < b) for a, b in self.holes] or [scored < -np.inf], axis=0)
        return np.concatenate([self._ends.ravel(), self.span, scored[~inside]])

    def law(self, x: Vector) -> ReportDensity:
        pm, low = super().law(x), self.is_low(x)
        return ReportDensity.of(
            len(x), self.span, level=pm.level, start=pm.start, width=pm.width, extra=np.where(low, 0.0, pm.extra),
            own=x, own_mass=np.where(low, self.keep, 0.0), holes=self.holes, holed=low,
        )  # fmt: skip

    def perturb(self, x: ArrayLike, rng: np.random.Generator) -> Vector:
        values = checks.scaled(x)
        out, low = super().perturb(values, rng), self.is_low(values)
        mine = values[low]
        away = -self.reach + rng.random(len(mine)) * (2 * self.reach - self.size)
        for left, right in self.low:
            away = np.where(away < left, away, away + right - left)
        out[low] = np.where(rng.random(len(mine)) < self.keep, mine, away)
        return out

    def report_moments(self, x: ArrayLike) -> tuple[Vector, Vector]:
        values = checks.scaled(x)
        mean, spread = super().report_moments(values)
        low = self.is_low(values)
        ends = np.array(self.low).reshape(-1, 2)
        # ∫ y and ∫ y² over the uniform reports of a low value; M₂ − M₁² without what cancels in it.
        shift = -self.background * float(np.sum(ends[:, 1] ** 2 - ends[:, 0] ** 2)) / 2
        away = self.background * (2 * self.reach**3 - float(np.sum(ends[:, 1] ** 3 - ends[:, 0] ** 3))) / 3
        lost = self.background * (2 * self.reach - self.size)
        within = away - shift**2 + self.keep * values * (lost * values - 2 * shift)
        return np.where(low, self.keep * values + shift, mean), np.where(low, within, spread)

    def paper_variance(self) -> float:
        """The paper's Theorem 4 for L = [−c, c]: (p/E)·2(C³ − c³)/3, without the atom and the mean.

        ValueError for other L, of which it says nothing.
        """
        if len(self.low) != 1 or abs(self.low[0][0] + self.low[0][1]) > 1e-12:
            raise ValueError(f"the paper's Theorem 4 is about one interval [-c, c], got {self.low}")
        return self.background * 2 * (self.reach**3 - self.low[0][1] ** 3) / 3

    @cached_property
    def _scorer(self) -> Score | graded_score.NoScore:
        if not self.low:
            return Score(np.array(self.span), np.array([self.span[0]]), np.ones(1))
        question = graded_score.ScoreProblem(
            self.reach, self.width, self.background, self.background * expm1(self.epsilon), self.keep, self.low,
            self._ends,
        )  # fmt: skip
        try:
            return graded_score.solve(question)
        except graded_score.NoScore as reason:
            return reason

    @property
    def scorer(self) -> Score:  # type: ignore[override]
        """The unbiased score (theory/numbers#unbiased-score); ValueError says why there is none to use."""
        if isinstance(self._scorer, graded_score.NoScore):
            raise ValueError(f"SDPM's unbiased score for these intervals at epsilon = {self.epsilon:g} {self._scorer}")
        return self._scorer

    def estimates(self) -> tuple[str, ...]:
        return tuple(how for how in super().estimates() if how != "unbiased" or isinstance(self._scorer, Score))

    def named(self, how: str) -> str:
        if how == "unbiased":
            self.scorer  # noqa: B018  says why there is none
        return super().named(how)
