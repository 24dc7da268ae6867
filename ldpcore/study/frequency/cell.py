"""One cell of a frequency study: people in groups with the same marks, and what is known of their estimate exactly."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.attacks import bayes
from ldpcore.data.weighing import Weighing
from ldpcore.estimators import likelihood, personalised, weighted
from ldpcore.estimators.released import score_interval
from ldpcore.randomizer import Randomizer
from ldpcore.scope import LEVELS, Scope, parts
from ldpcore.tally import Tally, WeightedTally

Shares = NDArray[np.float64]
Mask = NDArray[np.bool_]
MARKED = (Scope.SENSITIVE, *LEVELS)
"""Scopes of marked values only."""


@dataclass(frozen=True, eq=False)
class ChoiceGroup:
    """People with the same marks; weighing: where they have weights, what they count for."""

    mechanism: Randomizer
    counts: NDArray[np.int64]
    weighing: Weighing | None = None

    @property
    def people(self) -> int:
        return int(self.counts.sum())

    @property
    def held(self) -> Shares:
        """How much of all there is of each value (k,): people, or their weights."""
        return self.counts.astype(float) if self.weighing is None else self.weighing.total

    @property
    def freq(self) -> Shares:
        return self.counts / self.counts.sum() if self.weighing is None else self.weighing.freq

    @property
    def noise(self) -> Shares:
        """The shares (k,) that the variance goes by: of weights those by their squares."""
        return self.freq if self.weighing is None else self.weighing.noise

    @property
    def effective(self) -> float:
        """So many people with equal weights err as much."""
        return self.people if self.weighing is None else self.weighing.effective

    @property
    def drawn(self) -> Shares:
        """The shares (k,) of those who are simulated: of many different weights the same but for their rounding."""
        return self.freq if self.weighing is None else self.weighing.drawn

    def tallies(self, rng: np.random.Generator, surveys: int) -> Sequence[Tally | WeightedTally]:
        """What a collector keeps of so many surveys."""
        if self.weighing is not None:
            return weighted.drawn(self.mechanism, self.weighing.weights, self.weighing.counts, rng, surveys)
        return [Tally(self.people, total) for total in self.mechanism.draw(self.counts, rng, surveys)]

    def likeliest(self, rng: np.random.Generator) -> Shares:
        """The shares (k,) of the largest likelihood of one survey's reports, weighted."""
        counts = self.counts[None] if self.weighing is None else self.weighing.counts
        answers = np.repeat(np.tile(np.arange(counts.shape[1]), len(counts)), counts.ravel())
        reports = self.mechanism.perturb(answers, rng)
        if self.weighing is None or len(self.weighing.weights) == 1:
            return likelihood.of_reports(self.mechanism, reports).freq
        times = np.repeat(self.weighing.weights, counts.sum(axis=1))
        return likelihood.of_reports(self.mechanism, reports, times).freq


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
        """The shares (k,), of people or of their weights."""
        return _shares([group.held for group in self.groups])

    @cached_property
    def noise(self) -> Shares:
        """The shares (k,) that errors go by: of people with weights those by their squares."""
        return _shares([w.square for w in self.weighings]) if self.weighings else self.freq

    @cached_property
    def drawn(self) -> Shares:
        """The shares (k,) of those who are simulated."""
        return _shares([w.weights @ w.counts for w in self.weighings]) if self.weighings else self.freq

    @property
    def people(self) -> int:
        return int(self.counts.sum())

    @property
    def bits(self) -> float:
        """Size of a report; where people choose their marks, on average over them."""
        sizes = [group.mechanism.report_bits() for group in self.groups]
        return float(np.average(sizes, weights=[group.people for group in self.groups]))

    @property
    def effective(self) -> float:
        """So many people with equal weights err as much: Kish's n, or all of them."""
        if not self.weighings:
            return self.people
        weights, squares = (sum(getattr(w, name).sum() for w in self.weighings) for name in ("total", "square"))
        return float(weights**2 / squares)

    @property
    def weighings(self) -> list[Weighing]:
        """Of each group, where people have weights."""
        return [group.weighing for group in self.groups if group.weighing is not None]

    @property
    def scopes(self) -> Iterator[tuple[str, Mask]]:
        """The parts of the domain that errors are averaged over; a part without values gives no row."""
        there = parts(self.marked, self.secret if self.secret.any() else None)
        return ((name, part) for name, part in there.items() if part.any())

    def weights(self, how: str) -> Shares:
        sizes = [g.held.sum() if how == "share" else g.effective for g in self.groups]
        return personalised.weights([g.mechanism for g in self.groups], sizes, how)

    @property
    def combinations(self) -> tuple[str, ...]:
        """How the groups are combined: "share" is the plain "mse" row."""
        return personalised.HOW if len(self.groups) > 1 else ("share",)

    def squared_error(self, how: str = "share") -> Shares:
        """Exact expected squared error (k,) of the combined estimate: variance, and bias² where there is one."""
        # Kish's n is no whole number.
        variance = [group.mechanism.variance(group.noise, group.effective) for group in self.groups]  # type: ignore[arg-type]
        return np.sum(self.weights(how) ** 2 * np.array(variance), axis=0) + self.bias(how) ** 2

    def bias(self, how: str = "share") -> Shares:
        """By how much (k,) the combined estimate is off on average: 0 where the groups count by their sizes, else where
        people of different answers choose differently.
        """
        if how == "share":
            return np.zeros(len(self.marked))
        return np.sum(self.weights(how) * np.array([group.freq for group in self.groups]), axis=0) - self.freq

    def interval(self, estimates: ArrayLike) -> tuple[Shares, Shares]:
        """The 95 % intervals (..., k) of released shares (..., k), of people who all have the same marks; with weights
        as if Kish's n, rounded down, had answered (theory/weights#coverage). ValueError for groups, whose estimates are
        combined.
        """
        group, *others = self.groups
        if others:
            raise ValueError("an interval is of one group of people: take each group's own mechanism and estimate")
        return score_interval(group.mechanism, estimates, max(1, int(self.effective)))

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
        holders = np.array([group.held for group in self.groups], float)
        # Nobody holds the value: each group counts by its size, as its members might.
        holders[:, self.counts == 0] = holders.sum(axis=1, keepdims=True)
        won = [bayes.success(group.mechanism, prior) for group in self.groups]
        return np.sum(holders * won, axis=0) / holders.sum(axis=0)


def _shares(parts: Sequence[Shares]) -> Shares:
    total = np.sum(parts, axis=0)
    return total / total.sum()
