"""Levels for numbers: parts of [-1, 1], each with its own ε, from public (∞) to secret (theory/levels#numbers)."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.levels import Levels
from ldpcore.numeric_randomizer import Vector

Part = tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class Parts:
    """Intervals (left, right, ε) that together are [-1, 1], sorted, neighbours of one ε joined; inf is public.

    Where two meet the point belongs to the larger ε, as the ends of an interval that is not sensitive do. share: a
    public guess of the share of the people in each of the given intervals, who are even in it; None: even on [-1, 1].
    ValueError or TypeError with a sentence.

    >>> parts = Parts([(-1, 0, math.inf), (0, 0.5, 2), (0.5, 1, 0.5)])
    >>> parts.at(np.array([-0.3, 0.0, 0.5, 0.9])).tolist()
    [inf, inf, 2.0, 0.5]
    """

    given: Iterable[Part]
    share: ArrayLike | None = None
    pieces: tuple[Part, ...] = field(init=False)
    mass: Vector = field(init=False)
    """(pieces,) The guessed share of each."""

    def __post_init__(self) -> None:
        rows = np.asarray([] if isinstance(self.given, str) else list(self.given), float)
        if rows.ndim != 2 or len(rows.T) != 3 or np.isnan(rows).any():
            raise TypeError("parts must be a list of (left, right, ε) such as [(-1, 0, math.inf), (0, 1, 0.5)]")
        guess = (rows[:, 1] - rows[:, 0]) / 2 if self.share is None else self.share
        order = np.argsort(rows[:, 0], kind="stable")
        edges = np.append(rows[order, 0], rows[order[-1], 1])
        meet = np.allclose(rows[order, 1], edges[1:], rtol=0, atol=1e-12)
        if not (meet and (np.diff(edges) > 0).all() and edges[0] == -1 and edges[-1] == 1):
            raise ValueError(
                f"parts must cover [-1, 1] without gaps or overlaps, got {rows[order, :2].tolist()}; scale the user's "
                "units with Interval(low, high).encode"
            )
        mass = checks.shares(guess, len(rows), "share (a guess of the share of each part)")
        pieces: list[Part] = []
        masses: list[float] = []
        for (left, right, epsilon), part in zip(rows[order].tolist(), mass[order].tolist(), strict=True):
            budget = math.inf if epsilon == math.inf else checks.epsilon(epsilon)
            if pieces and pieces[-1][2] == budget and self.share is None:
                pieces[-1], masses[-1] = (pieces[-1][0], right, budget), masses[-1] + part
            else:
                pieces, masses = [*pieces, (left, right, budget)], [*masses, part]
        object.__setattr__(self, "given", tuple(pieces))
        object.__setattr__(self, "pieces", tuple(pieces))
        object.__setattr__(self, "mass", np.array(masses))

    @cached_property
    def epsilons(self) -> Vector:
        """(pieces,)"""
        return np.array([epsilon for _, _, epsilon in self.pieces])

    @property
    def hidden(self) -> NDArray[np.bool_]:
        """Which of the pieces are not public (pieces,)."""
        return np.isfinite(self.epsilons)

    @cached_property
    def ends(self) -> Vector:
        """(2, pieces) Where they start and stop."""
        return np.array([(left, right) for left, right, _ in self.pieces]).T

    @cached_property
    def public(self) -> tuple[tuple[float, float], ...]:
        """The intervals that are public."""
        return tuple((left, right) for left, right, epsilon in self.pieces if epsilon == math.inf)

    def moments(self, about: float) -> Vector:
        """Mean of (x − about)² in each piece, at even x: (pieces,)."""
        left, right = self.ends - about
        return (left**2 + left * right + right**2) / 3

    def at(self, x: Vector) -> Vector:
        """The ε of each number (n,)."""
        return np.max(np.where((x[:, None] >= self.ends[0]) & (x[:, None] <= self.ends[1]), self.epsilons, 0), axis=1)

    def policy(self, points: Vector) -> Levels:
        """What is promised of these inputs."""
        return Levels(tuple(self.at(points).tolist()))
