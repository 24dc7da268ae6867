"""One cell of a frequency study: people in groups with the same marks, and what is known of their estimate exactly."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.attacks import bayes
from ldpcore.estimators import personalised
from ldpcore.estimators.released import score_interval
from ldpcore.randomizer import Randomizer
from ldpcore.scope import LEVELS, Scope, parts

Shares = NDArray[np.float64]
Mask = NDArray[np.bool_]
MARKED = (Scope.SENSITIVE, *LEVELS)
"""Scopes of marked values only."""


@dataclass(frozen=True, eq=False)
class ChoiceGroup:
    """People with the same marks."""

    mechanism: Randomizer
    counts: NDArray[np.int64]

    @property
    def freq(self) -> Shares:
        return self.counts / self.counts.sum()


@dataclass(frozen=True, eq=False)
class FrequencyDesignPoint:
    """One mechanism at one value of the axis."""

    mechanism: str
    x: float
    groups: tuple[ChoiceGroup, ...]
    epsilons: Shares
    """(k,) the ε of every value, inf for a public one; of people who choose, the more protected."""
    secret: Mask
    """Those of the marked values that are more than sensitive."""

    @cached_property
    def marked(self) -> Mask:
        """The values that are not public."""
        return np.isfinite(self.epsilons)

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        return np.sum([group.counts for group in self.groups], axis=0)

    @cached_property
    def freq(self) -> Shares:
        return self.counts / self.counts.sum()

    @property
    def scopes(self) -> Iterator[tuple[str, Mask]]:
        """The parts of the domain that errors are averaged over; a part without values gives no row."""
        there = parts(self.marked, self.secret if self.secret.any() else None)
        return ((name, part) for name, part in there.items() if part.any())

    def weights(self, how: str) -> Shares:
        return personalised.weights([g.mechanism for g in self.groups], [int(g.counts.sum()) for g in self.groups], how)

    @property
    def combinations(self) -> tuple[str, ...]:
        """How the groups are combined: "share" is the plain "mse" row."""
        return personalised.HOW if len(self.groups) > 1 else ("share",)

    def squared_error(self, how: str = "share") -> Shares:
        """Exact expected squared error (k,) of the combined estimate: variance, and bias² where there is one."""
        variance = [group.mechanism.variance(group.freq, int(group.counts.sum())) for group in self.groups]
        return np.sum(self.weights(how) ** 2 * np.array(variance), axis=0) + self.bias(how) ** 2

    def bias(self, how: str = "share") -> Shares:
        """By how much (k,) the combined estimate is off on average: 0 where the groups count by their sizes, else where
        people of different answers choose differently.
        """
        if how == "share":
            return np.zeros(len(self.marked))
        return np.sum(self.weights(how) * np.array([group.freq for group in self.groups]), axis=0) - self.freq

    def interval(self, estimates: ArrayLike) -> tuple[Shares, Shares]:
        """The 95 % intervals (..., k) of released shares (..., k), of people who all have the same marks; ValueError
        for groups, whose estimates are combined.
        """
        group, *others = self.groups
        if others:
            raise ValueError("an interval is of one group of people: take each group's own mechanism and estimate")
        return score_interval(group.mechanism, estimates, int(self.counts.sum()))

    def success(self, prior: str) -> Shares:
        """The adversary's exact success (k,) against the holders of each value, over the groups they are in."""
        return np.sum([known * self._success(belief) for known, belief in self.beliefs(prior)], axis=0)

    def beliefs(self, name: str) -> Iterator[tuple[Mask, Shares | None]]:
        """What the adversary of this name believes of holders of these values (k,): nothing, the population's shares,
        that the answer is marked ("targeted"), or of which level it is ("level").
        """
        if name == "level":
            parts = (self.marked & ~self.secret, self.secret)
            yield from ((part, bayes.targeted_prior(part)) for part in parts if part.any())
            return
        belief = self.freq if name == "population" else None
        yield np.ones_like(self.marked), bayes.targeted_prior(self.marked) if name == "targeted" else belief

    def _success(self, prior: Shares | None) -> Shares:
        if len(self.groups) == 1:
            return bayes.success(self.groups[0].mechanism, prior)
        holders = np.array([group.counts for group in self.groups], float)
        # Nobody holds the value: each group counts by its size, as its members might.
        holders[:, self.counts == 0] = holders.sum(axis=1, keepdims=True)
        won = [bayes.success(group.mechanism, prior) for group in self.groups]
        return np.sum(holders * won, axis=0) / holders.sum(axis=0)
