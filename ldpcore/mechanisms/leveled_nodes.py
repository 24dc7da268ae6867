"""gTable for numbers: a channel for a few nodes of every part, to which people round at random
(theory/levels#numbers).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.leveled_parts import Parts
from ldpcore.mechanisms.leveled_numbers import LeveledNumbers
from ldpcore.mechanisms.report_density import ReportDensity
from ldpcore.numeric_randomizer import BINS, Vector


@dataclass(frozen=True, eq=False, init=False)
class LeveledNodes(LeveledNumbers):
    """A number rounds to a node beside it, of its own part, at random with itself as the mean; then the node's row of
    `chance` (nodes, reports) picks one of `reports`. A public one picks from `floor`, else is sent as it is.

    at, part (nodes,): where the nodes lie, and in which piece; the channel keeps the level of each, and the mean of a
    row's reports is its node: `limit.nodes` makes it. It comes from `catalog.LEVELED_MEANS["gTable"]`.
    """

    at: Vector
    part: NDArray[np.intp]
    reports: Vector
    chance: Vector
    floor: Vector

    def __init__(self, parts: Parts, bins: int = BINS, **channel: NDArray[Any]) -> None:
        for name, value in {"parts": parts, "bins": bins, **channel}.items():
            object.__setattr__(self, name, value)
        self.__post_init__()

    @cached_property
    def keep(self) -> float:
        return float(1 - self.floor.sum())

    @cached_property
    def centre(self) -> float:
        """Where a public value's score is itself."""
        return float(self.floor @ self.reports / self.floor.sum())

    @property
    def atoms(self) -> Vector:
        return self.reports

    @property
    def span(self) -> tuple[float, float]:
        far = max(float(np.abs(self.reports - self.centre).max()), (1 + abs(self.centre)) / self.keep) + 0.5
        return self.centre - far, self.centre + far

    def _beside(self, x: Vector) -> tuple[NDArray[np.intp], Vector]:
        """The node below each input, of its own part, and the chance of the one above."""
        owner = np.argmax(
            (x[:, None] >= self.parts.ends[0]) & (x[:, None] <= self.parts.ends[1])
            & (self.parts.epsilons == self.parts.at(x)[:, None]), axis=1,
        )  # fmt: skip
        first = np.searchsorted(self.part, owner)
        count = np.searchsorted(self.part, owner, side="right") - first
        left, right = self.parts.ends[0][owner], self.parts.ends[1][owner]
        place = np.clip((x - left) / (right - left), 0, 1) * np.maximum(count - 1, 1)
        below = np.minimum(place.astype(np.intp), np.maximum(count - 2, 0))
        return first + below, place - below

    def _chances(self, x: Vector) -> Vector:
        """Pr[report | x] (n, reports), what is sent as it is left out."""
        public = self.is_public(x)
        below, above = self._beside(np.where(public, self.at[0], x))
        inside = (1 - above)[:, None] * self.chance[below] + above[:, None] * self.chance[below + 1]
        return np.where(public[:, None], self.floor, inside)

    def law(self, x: Vector) -> ReportDensity:
        sent = np.where(self.is_public(x), self.keep, 0.0)
        return ReportDensity.of(
            len(x), self.span, own=self.places(x), own_mass=sent, atoms=self.atoms, atom_mass=self._chances(x)
        )

    def perturb(self, x: ArrayLike, rng: np.random.Generator) -> Vector:
        values = checks.scaled(x)
        public = self.is_public(values)
        below, above = self._beside(np.where(public, self.at[0], values))
        node = below + (rng.random(len(values)) < above)
        u, out = rng.random(len(values)), self.places(values)
        for row, law in enumerate([*self.chance, self.floor]):
            users = np.flatnonzero(public if row == len(self.chance) else ~public & (node == row))
            pick = np.searchsorted(np.cumsum(law), u[users], side="right")
            hidden = pick < len(law) if row == len(self.chance) else np.ones(len(users), bool)
            out[users[hidden]] = self.reports[np.minimum(pick[hidden], len(law) - 1)]
        return out

    def report_moments(self, x: ArrayLike) -> tuple[Vector, Vector]:
        """Var: of the node's reports and of rounding together."""
        values = checks.scaled(x)
        spread = np.sum(self._chances(values) * (self.reports - values[:, None]) ** 2, axis=1)
        public_spread = np.where(self.is_public(values), self.keep * (self.places(values) - values) ** 2, 0.0)
        return values, spread + public_spread
