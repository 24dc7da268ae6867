"""Duchi's mechanism: one bit, scaled."""

from dataclasses import dataclass
from math import exp, sinh, tanh

import numpy as np
from numpy.typing import ArrayLike

from ldpcore import checks
from ldpcore.mechanisms.density import Density
from ldpcore.mechanisms.report_density import ReportDensity
from ldpcore.numeric_randomizer import BINS, Vector
from ldpcore.policy import LDP, Policy


@dataclass(frozen=True, eq=False)
class Duchi(Density):
    """±B with Pr[+B] = ½ + x/(2B), B = (E+1)/(E−1) (Duchi, Jordan, Wainwright 2018). Variance B² − x²."""

    epsilon: float
    bins: int = BINS

    def __post_init__(self) -> None:
        checks.epsilon(self.epsilon)
        checks.integer(self.bins, "bins", 2, 100_000)

    @property
    def size(self) -> float:
        """B."""
        return 1 / tanh(self.epsilon / 2)

    @property
    def span(self) -> tuple[float, float]:
        return -self.size - 1, self.size + 1

    @property
    def atoms(self) -> Vector:
        return np.array([-self.size, self.size])

    @property
    def _rare(self) -> float:
        """1/(E+1), the probability of the bit that speaks against an end."""
        return 1 / (exp(self.epsilon) + 1)

    def policy(self, points: Vector) -> Policy:
        return LDP(self.epsilon)

    def law(self, x: Vector) -> ReportDensity:
        # Either way from what is rare on: 1 − Pr[+B] would lose it at a large ε.
        clear = tanh(self.epsilon / 2)
        chance = [self._rare + (1 + sign * x) / 2 * clear for sign in (-1, 1)]
        return ReportDensity.of(len(x), self.span, atoms=self.atoms, atom_mass=np.column_stack(chance))

    def perturb(self, x: ArrayLike, rng: np.random.Generator) -> Vector:
        values = checks.scaled(x)
        return np.where(2 * self.size * rng.random(len(values)) < self.size + values, self.size, -self.size)

    def report_bits(self) -> float:
        """Which of the two numbers it is."""
        return 1.0

    def report_moments(self, x: ArrayLike) -> tuple[Vector, Vector]:
        values = checks.scaled(x)
        return values, (1 - values) * (1 + values) + sinh(self.epsilon / 2) ** -2
