"""A table of chances for numbers: rows are numbers of the public range, and a number between two is rounded to one of
them at random, with itself as the mean (theory/numbers#a-table-for-numbers).

So its law is a mixture of the two rows beside it, by how near it is to each. A ratio of mixtures is largest at their
ends: the largest loss is between rows, or towards an end of what is marked. Scores s of the reports with P·s = the
numbers of the rows are unbiased for every number between them too.
"""

from dataclasses import dataclass, field
from functools import cached_property
from math import log2

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.leveled_parts import Parts
from ldpcore.levels import Levels
from ldpcore.mechanisms.density import Density, Score
from ldpcore.mechanisms.report_density import ReportDensity
from ldpcore.numeric_randomizer import BINS, Vector
from ldpcore.policy import LDP, Policy

from .mechanism import CustomMechanism
from .promises import NONE, KeptPromise, losses, strongest, worst

PUBLIC = Parts([(-1.0, 1.0, np.inf)])
"""Nothing is marked."""
MOST_REPORTS = 1000
"""Columns up to which every answer's law is computed."""
APART = 1e-7
"""How far the numbers that stand for two reports are apart at least, where their scores are the same."""
EXACT = 1e-9


@dataclass(frozen=True, eq=False)
class CustomNumbers(Density):
    """The mechanism of `matrix[i, y]` = Pr[report y | the number `nodes[i]`], (rows, outputs), for numbers in [-1, 1].

    nodes: ascending, from -1 to 1; parts: what is marked, which its promise is told by (usually nothing). A report is
    the number that it adds to the mean: of the unbiased scores those with the least error where numbers are even. Its
    ε is the least of LDP, or, where reports exclude numbers, that towards marked ones; inf where it keeps neither.
    ValueError with a sentence for a table that is no channel, or from which no mean is unbiased.

    >>> m = CustomNumbers([[0.75, 0.25], [0.25, 0.75]], [-1, 1])  # Duchi's, at ε = ln 3
    >>> m.promise.definition, round(m.epsilon, 3), m.atoms.round(3).tolist(), round(m.variance([0.0, 0.5]), 4)
    ('LDP', 1.099, [-2.0, 2.0], 1.9375)
    """

    matrix: ArrayLike
    nodes: ArrayLike
    parts: Parts = PUBLIC
    bins: int = BINS
    labels: tuple[str, ...] = ()
    epsilon: float = field(init=False)
    table: CustomMechanism = field(init=False)
    scores_of_reports: Vector = field(init=False)
    """What each report adds to the mean (outputs,); 0 where nobody sends it."""

    unbiased = False  # its scores are: two that are the same stand for two reports, and those are told apart
    usual = "unbiased"

    def __post_init__(self) -> None:
        checks.integer(self.bins, "bins", 2, 100_000)
        table = CustomMechanism(self.matrix, labels=self.labels)
        nodes = self._nodes
        if nodes.shape != (table.k,) or nodes[0] != -1 or nodes[-1] != 1 or not (np.diff(nodes) > 0).all():
            raise ValueError(
                f"the rows are for {table.k} numbers that ascend from one end of the public range to the other, got "
                f"{nodes.round(4).tolist()[:6]} on [-1, 1]"
            )
        if len(table.labels) > MOST_REPORTS:
            raise ValueError(
                f"this table has {len(table.labels)} reports; for numbers at most {MOST_REPORTS} are computed exactly: "
                "join some"
            )
        object.__setattr__(self, "table", table)
        object.__setattr__(self, "scores_of_reports", self._scores())
        object.__setattr__(self, "epsilon", self.promise.epsilon)

    @cached_property
    def _nodes(self) -> Vector:
        """Those as near as rounding at an end of what is marked lie there: beside it, it would be a mixture."""
        nodes, ends = np.array(self.nodes, float), self.parts.ends[:, self.parts.hidden].ravel()
        if nodes.ndim == 1 and len(ends):
            nearest = ends[np.abs(nodes[:, None] - ends).argmin(axis=1)]
            nodes = np.where(np.abs(nodes - nearest) <= EXACT, nearest, nodes)
        return nodes

    @property
    def _rows(self) -> Vector:
        return self.table._p

    # what it promises --------------------------------------------------------------------------------------------

    @cached_property
    def corners(self) -> Vector:
        """The numbers at which a loss can be largest: those of the rows, and the ends of what is marked."""
        return np.unique(np.concatenate([self._nodes, self.parts.ends[:, self.parts.hidden].ravel()]))

    @cached_property
    def marked(self) -> NDArray[np.bool_]:
        """Which corners belong to what is marked, as an end or within."""
        left, right = self.parts.ends[:, self.parts.hidden]
        return np.any((self.corners[:, None] >= left) & (self.corners[:, None] <= right), axis=1)

    @cached_property
    def kept(self) -> dict[str, KeptPromise]:
        """Definition → the least ε at which it is kept, and what decides it: codes of `corners`."""
        rows, many = self.chances(self.corners), len(self.corners)
        every, reports = np.ones((many, many), bool), np.ones(rows.shape[1], bool)
        promises = {LDP.name: worst(LDP.name, rows, [(every, reports)])}
        if self.marked.any():
            promises[Levels.name] = worst(Levels.name, rows, [(every & self.marked[:, None], reports)])
        return promises

    @cached_property
    def promise(self) -> KeptPromise:
        """LDP, else what is kept towards marked numbers."""
        return strongest(self.kept)

    @cached_property
    def losses(self) -> Vector:
        """L[x, z], the largest ln(Pr[report | x]/Pr[report | z]) between `corners`."""
        return losses(self.chances(self.corners))

    def towards(self) -> Vector:
        """The least ε (marked pieces of `parts`,) towards the numbers of each."""
        left, right = self.parts.ends[:, self.parts.hidden]
        within = (self.corners >= left[:, None]) & (self.corners <= right[:, None])
        return np.array([self.losses[part].max() for part in within])

    def policy(self, points: Vector) -> Policy:
        if self.promise.definition == LDP.name:
            return LDP(self.epsilon)
        hidden = np.isfinite(self.parts.at(points)) & (self.promise.definition != NONE)
        return Levels(tuple(np.where(hidden, self.epsilon, np.inf).tolist()))

    # the law -----------------------------------------------------------------------------------------------------

    def _beside(self, x: Vector) -> tuple[NDArray[np.intp], Vector]:
        """The row below each number, and the chance of the one above it."""
        nodes = self._nodes
        below = np.clip(np.searchsorted(nodes, x, side="right") - 1, 0, len(nodes) - 2)
        return below, (x - nodes[below]) / (nodes[below + 1] - nodes[below])

    def chances(self, x: Vector) -> Vector:
        """Pr[report | x], (n, outputs)."""
        (below, above), rows = self._beside(x), self._rows
        return (1 - above)[:, None] * rows[below] + above[:, None] * rows[below + 1]

    @cached_property
    def _sent(self) -> NDArray[np.intp]:
        """The reports that somebody sends, by their scores."""
        sent = np.flatnonzero(self._rows.any(axis=0))
        return sent[np.argsort(self.scores_of_reports[sent], kind="stable")]

    @cached_property
    def _places(self) -> Vector:
        """The numbers that stand for them: their scores, those that are the same a little apart."""
        scores = self.scores_of_reports[self._sent]
        least = APART * max(1.0, float(np.abs(scores).max()))
        steps = least * np.arange(len(scores), dtype=np.float64)
        return np.asarray(np.maximum.accumulate(scores - steps) + steps, np.float64)

    @property
    def atoms(self) -> Vector:
        return self._places

    @property
    def span(self) -> tuple[float, float]:
        return float(min(-1.0, self._places[0])) - 1, float(max(1.0, self._places[-1])) + 1

    @cached_property
    def scorer(self) -> Score:
        # Each report has a piece of its own, on which the score is one number.
        ends = np.append(self._places, self._places[-1] + 1)
        return Score(ends, self.scores_of_reports[self._sent], np.zeros(len(self._sent)))

    def law(self, x: Vector) -> ReportDensity:
        return ReportDensity.of(len(x), self.span, atoms=self.atoms, atom_mass=self.chances(x)[:, self._sent])

    def perturb(self, x: ArrayLike, rng: np.random.Generator) -> Vector:
        values = checks.scaled(x)
        below, above = self._beside(values)
        codes = self.table.perturb(below + (rng.random(len(values)) < above), rng)
        place = np.zeros(len(self.table.labels))
        place[self._sent] = self._places
        return place[codes]

    def report_bits(self) -> float:
        return log2(len(self._sent)) if len(self._sent) > 1 else 0.0

    # the estimate ------------------------------------------------------------------------------------------------

    def _scores(self) -> Vector:
        """s with P·s = nodes, and of those the one with the least Σ s²·Pr[report] where numbers are even."""
        rows, nodes = self._rows, self._nodes
        width = np.diff(nodes) / 4
        sent = (np.append(width, 0) + np.append(0, width)) @ rows
        known, out = sent > 0, np.zeros(rows.shape[1])
        root = np.sqrt(sent[known])
        out[known] = np.linalg.pinv(rows[:, known] / root) @ nodes / root
        off = np.abs(rows @ out - nodes).max()
        if off > EXACT:
            raise ValueError(
                "no mean is unbiased from these reports: some row is a mixture of other rows whose numbers do not mix "
                f"to its own (the nearest estimate is off by {off / 2:.2g} of the public range); change it, or leave "
                "that row out"
            )
        return out

    def estimates(self) -> tuple[str, ...]:
        return "unbiased", "em", "mle"

    def report_moments(self, x: ArrayLike) -> tuple[Vector, Vector]:
        return self.law(checks.scaled(x)).moments()

    def score_moments(self, x: ArrayLike) -> tuple[Vector, Vector]:
        """The mean is x; the mean square is that of the rows beside it, mixed."""
        values = checks.scaled(x)
        below, above = self._beside(values)
        squares = self._rows @ self.scores_of_reports**2
        return values, (1 - above) * squares[below] + above * squares[below + 1] - values**2
