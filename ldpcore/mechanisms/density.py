"""The family of mechanisms with piecewise constant report laws and atoms (report_density.py): what follows."""

from abc import abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.bins import merged
from ldpcore.channel import Channel, ReportColumn
from ldpcore.em import Products
from ldpcore.mechanisms.report_density import ReportDensity
from ldpcore.numeric_randomizer import Intervals, NumericRandomizer, Vector
from ldpcore.tally import NumericTally

ROUNDING = 16 * float(np.finfo(float).eps)
"""How far a report may lie beyond the end of its law, as a share of it."""


@dataclass(frozen=True, eq=False)
class Score:
    """g(y), linear between the knots: g = left + slope·(y − knot)."""

    knots: Vector
    left: Vector
    slope: Vector

    def piece(self, y: Vector) -> NDArray[np.intp]:
        return np.clip(np.searchsorted(self.knots, y, side="right") - 1, 0, len(self.left) - 1)

    def __call__(self, y: Vector) -> Vector:
        j = self.piece(y)
        return self.left[j] + self.slope[j] * (y - self.knots[j])

    def moments(self, law: ReportDensity, about: Vector | None = None) -> tuple[Vector, Vector]:
        """E[g] and Var[g] (n,) under each input, integrated exactly; `about` (n,) says where reports gather, so that
        squares do not cancel.
        """
        at = np.zeros(len(law.level)) if about is None else about
        # Each cell about its point nearest to there: far from it a steep piece of g would cancel.
        near = np.clip(at[:, None], self.knots[:-1], self.knots[1:])
        near[:, 0], near[:, -1] = np.minimum(at, near[:, 0]), np.maximum(at, near[:, -1])
        zero, one, two = (law.integrals(self.knots, power, near) for power in range(3))
        beside = self.left - self.slope * self.knots[:-1] + np.multiply.outer(at, self.slope - 1)
        beside = beside + self.slope * (near - at[:, None])
        mean = np.sum(zero * beside, axis=1) + one @ self.slope
        square = np.sum((zero * beside + 2 * one * self.slope) * beside, axis=1) + two @ self.slope**2
        return at + mean, square - mean**2


class Density(NumericRandomizer):
    """A mechanism of this family. It says its law; the exact integrals, EM and the channel follow."""

    @property
    @abstractmethod
    def span(self) -> tuple[float, float]:
        """The interval that holds all reports."""

    @abstractmethod
    def law(self, x: Vector) -> ReportDensity:
        """The report laws of these inputs."""

    @property
    def atoms(self) -> Vector:
        """Reports with positive probability under every input."""
        return np.zeros(0)

    @property
    def holes(self) -> Intervals:
        """Where the only reports of some inputs are their own atoms."""
        return ()

    @property
    def lone(self) -> Intervals:
        """Where own atoms lie."""
        return self.holes

    @cached_property
    def scorer(self) -> Score:
        """The unbiased score; here the report itself."""
        return Score(np.array(self.span), np.array([self.span[0]]), np.ones(1))

    @property
    def knots(self) -> Vector:
        """Edges that the cells need besides those of the input bins."""
        return np.array(self.span)

    @cached_property
    def edges(self) -> Vector:
        equal = np.linspace(*self.span, self.bins + 1)
        # Where inputs are sent as they are a cell must belong to one input bin: its reports speak for that bin alone.
        hollow = np.any([(equal > left) & (equal < right) for left, right in self.lone] or [equal < -np.inf], axis=0)
        places = self.places(self.inputs)
        places = places[(places >= self.span[0]) & (places <= self.span[1])]
        edges = merged(np.concatenate([self.knots, places, equal[~hollow]]))
        for atom in self.atoms:
            # An atom has a cell for itself, that of one float.
            edges = edges[np.abs(edges - atom) > 1e-9]
            edges = np.sort(np.append(edges, [atom, np.nextafter(atom, np.inf)]))
        return edges

    @cached_property
    def apart(self) -> Vector:
        if not (self.recovers and 0 < self.law(self.points).width.max() < np.diff(self.inputs).min()):
            return self.edges
        # Reports hardly leave their input. Cells are then the input bins: one that no bin's midpoint reaches would
        # speak for none, and the reports of people there for anybody.
        atoms = np.concatenate([self.atoms, np.nextafter(self.atoms, np.inf)])
        wanted = np.concatenate([self.inputs[1:-1], atoms, self.edges[[0, -1]]])
        return self.edges[np.unique(np.abs(self.edges[:, None] - wanted).argmin(axis=0))]

    def mass(self, x: ArrayLike, edges: Vector) -> Vector:
        return self.law(checks.scaled(x)).integrals(np.asarray(edges, float))

    def partial_moments(self, x: Vector, edges: Vector) -> tuple[Vector, Vector]:
        law = self.law(x)
        return law.integrals(edges, 1), law.integrals(edges, 2)

    def accepts(self, reports: Vector) -> NDArray[np.bool_]:
        """Where some law has a density, up to rounding at its ends; its common atoms; and the own atoms' places."""
        y, law = np.asarray(reports, float), self.law(self.points)
        good = np.isin(y, law.atoms[law.atom_mass.any(axis=0)])
        # Of the outermost floats of a window some lie beyond its end by their last digits.
        slack = ROUNDING * max(map(abs, law.span))
        spans = [(law.span[0] - slack, law.span[1] + slack)] if law.level.any() else []
        for left, right in (*spans, *self.lone):
            good |= (y >= left) & (y <= right)
        return good

    def disclosure(self, x: ArrayLike) -> Vector:
        return self.law(checks.scaled(x)).own_mass

    def log_likelihood(self, reports: ArrayLike, x: ArrayLike) -> Vector:
        return self.law(checks.scaled(x)).log(checks.numbers(reports, "reports"))

    def products(self, edges: Vector | None = None) -> Products:
        return self.law(self.points).products(self.edges if edges is None else edges)

    def score(self, reports: ArrayLike) -> Vector:
        return self.scorer(checks.numbers(reports, "reports"))

    def extremes(self) -> tuple[float, float]:
        self.named("unbiased")
        law = self.law(self.points)
        spans = ([law.span] if law.level.any() else []) + list(self.lone)
        at = [law.atoms[law.atom_mass.any(axis=0)], *map(np.array, spans)]
        score = Score(np.array(self.span), np.array([self.span[0]]), np.ones(1)) if self.unbiased else self.scorer
        # Between its knots the score is a line; at a knot it may jump.
        inside = [score.knots[(score.knots >= left) & (score.knots <= right)] for left, right in spans]
        beside = [np.nextafter(knots, -np.inf) for knots in inside]
        y = np.concatenate([*at, *inside, *beside])
        s = score(y[self.accepts(y)])
        return float(s.min()), float(s.max())

    def score_moments(self, x: ArrayLike) -> tuple[Vector, Vector]:
        values = checks.scaled(x)
        return self.scorer.moments(self.law(values), values)

    def score_of_tally(self, tally: NumericTally) -> float:
        j = self.scorer.piece((self.edges[1:] + self.edges[:-1]) / 2)
        slope = self.scorer.slope[j]
        start = self.scorer.left[j] - slope * self.scorer.knots[j]
        return float(start @ tally.counts + slope @ tally.sums) / tally.n

    def channel(self) -> Channel:
        """Input bins' midpoints → cells; an own atom shares its cell in a hole, else it is a column for itself."""
        law, edges = self.law(self.points), self.edges
        lone = np.flatnonzero(law.own_mass > 0)
        cell = law.cells(edges, law.own[lone])
        shared = np.any([(law.own[lone] >= a) & (law.own[lone] < b) for a, b in self.holes] or [lone < 0], axis=0)
        mass = law.own_mass.copy()
        mass[lone[~shared]] = 0.0
        common = replace(law, own_mass=mass).integrals(edges)
        reveals = dict(zip(cell[shared].tolist(), lone[shared].tolist(), strict=True))
        columns = [
            ReportColumn(f"{left:.4g} to {right:.4g}", j not in reveals, reveals.get(j))
            for j, (left, right) in enumerate(pairwise(edges))
        ]
        apart = np.zeros((len(self.points), np.count_nonzero(~shared)))
        apart[lone[~shared], np.arange(apart.shape[1])] = law.own_mass[lone[~shared]]
        columns += [ReportColumn(f"{law.own[i]:.4g} itself", False, int(i)) for i in lone[~shared]]
        return Channel(np.maximum(np.hstack([common, apart]), 0.0), tuple(columns))
