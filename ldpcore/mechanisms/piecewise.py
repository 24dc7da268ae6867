"""Windows of higher density around the input: PM, HM (PM mixed with Duchi's atoms) and SW."""

from dataclasses import dataclass
from functools import cached_property
from math import exp, expm1, factorial, tanh

import numpy as np
from numpy.typing import ArrayLike

from ldpcore import checks
from ldpcore.mechanisms.density import Density, Score
from ldpcore.mechanisms.duchi import Duchi
from ldpcore.mechanisms.report_density import ReportDensity
from ldpcore.numeric_randomizer import BINS, Vector
from ldpcore.policy import LDP, Policy

HM_EPSILON = 0.6093525
"""Below it HM is Duchi (Wang et al. 2019, equation 8; 0.61 there)."""
TERMS = 22
"""Of the series of SW's β: what follows is below 1e-17 of it."""


@dataclass(frozen=True, eq=False)
class PM(Density):
    """Piecewise mechanism (Wang et al. 2019): density p on [λ, ρ], λ = ((C+1)x − (C−1))/2, ρ = λ+C−1, else p/E on
    [−C, C]; C = (e^{ε/2}+1)/(e^{ε/2}−1), p = e^{ε/2}/(2C). Variance x²/(e^{ε/2}−1) + (e^{ε/2}+3)/(3(e^{ε/2}−1)²).
    """

    epsilon: float
    bins: int = BINS

    recovers = True

    def __post_init__(self) -> None:
        checks.epsilon(self.epsilon)
        checks.integer(self.bins, "bins", 2, 100_000)

    @property
    def reach(self) -> float:
        """C."""
        return 1 / tanh(self.epsilon / 4)

    @property
    def width(self) -> float:
        """C − 1, the width of the window."""
        return 2 / expm1(self.epsilon / 2)

    @property
    def background(self) -> float:
        """p/E, the density outside the window."""
        return exp(-self.epsilon / 2) / (2 * self.reach)

    @property
    def span(self) -> tuple[float, float]:
        return -self.reach, self.reach

    def policy(self, points: Vector) -> Policy:
        return LDP(self.epsilon)

    def window(self, x: Vector) -> Vector:
        """λ(x), where the window begins."""
        return x + self.width * (x - 1) / 2

    def law(self, x: Vector) -> ReportDensity:
        level, width = np.full(len(x), self.background), np.full(len(x), self.width)
        extra = level * expm1(self.epsilon)
        return ReportDensity.of(len(x), self.span, level=level, start=self.window(x), width=width, extra=extra)

    def perturb(self, x: ArrayLike, rng: np.random.Generator) -> Vector:
        values = checks.scaled(x)
        start = self.window(values)
        kept = rng.random(len(values)) < 1 / (1 + exp(-self.epsilon / 2))
        place = rng.random(len(values))
        # Outside the window the line [−C, λ) ∪ (ρ, C] has length C + 1, whatever x is.
        away = -self.reach + place * (self.reach + 1)
        return np.where(kept, start + place * self.width, np.where(away < start, away, away + self.width))

    def report_moments(self, x: ArrayLike) -> tuple[Vector, Vector]:
        values = checks.scaled(x)
        gain, half = expm1(self.epsilon / 2), exp(self.epsilon / 2)
        return values, values**2 / gain + (half + 3) / (3 * gain**2)


@dataclass(frozen=True, eq=False)
class HM(PM):
    """Hybrid mechanism (Wang et al. 2019): PM with probability 1 − e^{−ε/2}, else Duchi; Duchi alone up to ε*."""

    @cached_property
    def _duchi(self) -> Duchi:
        return Duchi(self.epsilon, self.bins)

    @property
    def share(self) -> float:
        """How often it is PM."""
        return -expm1(-self.epsilon / 2) if self.epsilon > HM_EPSILON else 0.0

    @property
    def rest(self) -> float:
        """1 − share, how often it is Duchi."""
        return exp(-self.epsilon / 2) if self.epsilon > HM_EPSILON else 1.0

    @property
    def atoms(self) -> Vector:
        return self._duchi.atoms

    def law(self, x: Vector) -> ReportDensity:
        pm, duchi = super().law(x), self._duchi.law(x)
        return ReportDensity.of(
            len(x), self.span, level=self.share * pm.level, start=pm.start, width=pm.width, extra=self.share * pm.extra,
            atoms=duchi.atoms, atom_mass=self.rest * duchi.atom_mass,
        )  # fmt: skip

    def perturb(self, x: ArrayLike, rng: np.random.Generator) -> Vector:
        piecewise = rng.random(len(checks.scaled(x))) < self.share
        return np.where(piecewise, super().perturb(x, rng), self._duchi.perturb(x, rng))

    def report_moments(self, x: ArrayLike) -> tuple[Vector, Vector]:
        mean, spread = super().report_moments(x)
        return mean, self.share * spread + self.rest * self._duchi.report_moments(x)[1]


@dataclass(frozen=True, eq=False)
class SW(Density):
    """Square wave (Li et al. 2020): density p within β of the input, q elsewhere, on [−β, 1+β] for inputs in [0, 1].

    Here inputs lie in [−1, 1] and reports in [−1−2β, 1+2β]. The mean of a report is 2β(p−q)·x: linear, so a rescaled
    report is an unbiased score, and SW needs no EM for the mean (theory/numbers#mechanisms).
    """

    epsilon: float
    bins: int = BINS

    usual = "em"
    unbiased = False
    smooths = True
    recovers = True

    def __post_init__(self) -> None:
        checks.epsilon(self.epsilon)
        checks.integer(self.bins, "bins", 2, 100_000)

    @property
    def beta(self) -> float:
        """β = (εE − E + 1)/(2E(E − 1 − ε)); up to ε = 1, where that cancels, by the series of both over ε²."""
        e = self.epsilon
        if e > 1:
            return (e - 1 + exp(-e)) / (2 * (expm1(e) - e))
        above = sum((k - 1) * e ** (k - 2) / factorial(k) for k in range(2, TERMS))
        below = sum(e ** (k - 2) / factorial(k) for k in range(2, TERMS))
        return above / (2 * exp(e) * below)

    @property
    def span(self) -> tuple[float, float]:
        return -1 - 2 * self.beta, 1 + 2 * self.beta

    @property
    def _q(self) -> float:
        return 1 / (2 * self.beta * exp(self.epsilon) + 1)

    @property
    def slope(self) -> float:
        """E[report | x] / x = 2β(p − q)."""
        return 2 * self.beta * self._q * expm1(self.epsilon)

    def policy(self, points: Vector) -> Policy:
        return LDP(self.epsilon)

    def law(self, x: Vector) -> ReportDensity:
        half, level = 2 * self.beta, np.full(len(x), self._q / 2)
        extra, width = level * expm1(self.epsilon), np.full(len(x), 2 * half)
        return ReportDensity.of(len(x), self.span, level=level, start=x - half, width=width, extra=extra)

    def perturb(self, x: ArrayLike, rng: np.random.Generator) -> Vector:
        values = checks.scaled(x)
        half = 2 * self.beta
        place = rng.random(len(values))
        near = rng.random(len(values)) < 2 * self.beta * self._q * exp(self.epsilon)
        away = -1 - half + 2 * place
        away = np.where(away < values - half, away, away + 2 * half)
        return np.where(near, values - half + 2 * half * place, away)

    def report_moments(self, x: ArrayLike) -> tuple[Vector, Vector]:
        values, b, q = checks.scaled(x), 2 * self.beta, self._q
        # 1 − slope is q(1 + 2β): so the variance is a sum, and nothing cancels.
        return self.slope * values, q * (1 + b) ** 3 / 3 + self.slope * (b**2 / 3 + q * (1 + b) * values**2)

    @cached_property
    def scorer(self) -> Score:
        left, right = self.span
        return Score(np.array([left, right]), np.array([left / self.slope]), np.array([1 / self.slope]))
