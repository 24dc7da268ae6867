"""A pair asked as one question: an answer is a pair, and one report stands for both."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.randomizer import Randomizer, Reports
from ldpcore.relations.answers import SentAnswer, sent
from ldpcore.relations.apart import some_reports, whole_table
from ldpcore.relations.designs import counted, drawn, of_people
from ldpcore.relations.exposure import PairExposure, named, of_channel
from ldpcore.relations.groups import Mask, about_checked
from ldpcore.relations.surveys import SurveyDesign
from ldpcore.relations.tallies import PairTally

Array = NDArray[np.float64]

MOST_PAIRS = 64
"""Answers of a question that is a pair."""


@dataclass(frozen=True, eq=False)
class AsOne(SurveyDesign):
    """One report of the pair c = x·ky + y."""

    kx: int
    ky: int
    pair: SentAnswer
    is_open, is_apart = False, False  # type: ignore[assignment]

    @property
    def epsilons(self) -> tuple[float, float, float]:  # type: ignore[override]
        """The pair's is that of either answer and of both: a report of a pair speaks for all of it."""
        epsilon = self.pair.epsilon
        return epsilon, epsilon, epsilon

    @property
    def bits(self) -> float:  # type: ignore[override]
        return self.pair.bits

    # what is sent ----------------------------------------------------------------------------------------------

    def channel(self) -> Array:
        return self.pair.channel

    def balanced_scores(self) -> Array:
        return self.pair.scores

    def perturb(self, x: ArrayLike, y: ArrayLike, rng: np.random.Generator) -> Reports:
        first, second = checks.codes(x, self.kx), checks.codes(y, self.ky)
        if len(first) != len(second):
            raise ValueError(f"{len(first)} answers to one question and {len(second)} to the other do not fit together")
        return self.pair.perturb(first.astype(np.intp) * self.ky + second, rng)

    def tally(self, reports: Reports, times: ArrayLike | None = None) -> PairTally:
        often = np.ones(len(reports), np.int64) if times is None else np.asarray(times, np.int64)
        if self.pair.reports is not None:
            return self._of_counts(counted(self.pair.column(reports), often, self.pair.reports))
        v = self.pair.balanced(reports)
        return PairTally(int(often.sum()), None, v.T @ (often[:, None] * v))

    def _of_counts(self, counts: NDArray[np.int64]) -> PairTally:
        s = self.pair.scores
        return PairTally(int(counts.sum()), counts, s.T @ (counts[:, None] * s))

    def draw(self, counts: ArrayLike, rng: np.random.Generator, repeats: int, about: str = "these") -> list[PairTally]:
        people, like = of_people(counts, self.kx, self.ky), about_checked(about) == "like"
        n = int(people.sum())
        if self.pair.reports is not None:
            channel = self.pair.channel
            chance = people / n @ channel
            return [self._of_counts(drawn(people, chance, lambda c: channel[c], rng, like)) for _ in range(repeats)]
        surveys = []
        for _ in range(repeats):
            pairs = np.repeat(np.arange(len(people)), rng.multinomial(n, people / n) if like else people)
            surveys.append(self.tally(self.pair.perturb(pairs, rng)))
        return surveys

    def drawn_moments(self, shares: Array, n: int, rng: np.random.Generator, repeats: int) -> Array:
        if self.pair.reports is None:
            return super().drawn_moments(shares, n, rng, repeats)
        chance, s = np.maximum(shares.ravel() @ self.pair.channel, 0), self.pair.scores
        out = np.empty((repeats, s.shape[1], s.shape[1]))
        for survey in range(repeats):  # most reports never come
            counts = rng.multinomial(n, chance / chance.sum())
            seen = np.flatnonzero(counts)
            out[survey] = s[seen].T @ (counts[seen, None] * s[seen])
        return out

    def table(self, tally: PairTally) -> Array:
        return tally.moments.sum(axis=1).reshape(self.kx, self.ky) / some_reports(tally)

    def raw(self, freq: ArrayLike) -> Array:
        table = self.shares(freq).ravel() @ self.pair.channel @ self.pair.named
        return whole_table(table.reshape(self.kx, self.ky))

    def raw_of(self, tally: PairTally) -> Array:
        if tally.counts is None:
            raise ValueError("these reports were too many to list, so there is no table of what they name")
        return whole_table((tally.counts @ self.pair.named).reshape(self.kx, self.ky))

    # exact moments ---------------------------------------------------------------------------------------------

    def second(self, freq: ArrayLike) -> Array:
        return np.tensordot(self.shares(freq).ravel(), self.pair.moments, 1)

    def squares(self, u: Array, v: Array) -> Array:
        return self.pair.moments @ v.ravel() @ u.ravel()

    def corners(self, group: Mask, answers: Mask) -> Array:
        inside = np.outer(group, answers).ravel().astype(float)
        beside = np.outer(group, ~answers).ravel().astype(float)
        if self.pair.reports is None:  # a box around them: on the safe side
            return np.array([(a, a + b) for a in self.pair.reach(inside) for b in self.pair.reach(beside)])
        sums = self.pair.scores @ np.column_stack([inside, inside + beside])
        return np.unique(np.round(sums, 9), axis=0)

    def _exposed(self, table: Array, inside: Mask, answer: NDArray[np.intp]) -> PairExposure:
        channel, nothing = self.pair.channel, np.ones((1, 1))
        apart = of_channel(table.ravel(), inside.ravel(), channel)
        column = table.reshape(-1, 1), answer.reshape(-1, 1)
        return PairExposure(apart, apart, *named(*column, channel, nothing))


def pair_too_large(size: int) -> str:
    """Why a pair of so many answers is not asked as one, in a sentence; "" where it can be."""
    if size <= MOST_PAIRS:
        return ""
    return f"The pair has {size} answers, more than {MOST_PAIRS}; join some, or ask separately."


def as_one(kx: int, ky: int, pair: Randomizer | int) -> AsOne:
    """kx groups and ky answers asked as one question, of kx·ky answers, through a mechanism of that many values.

    >>> from ldpcore import catalog
    >>> from ldpcore.relations.groups import either
    >>> marks = either([False, True], [False, True])
    >>> as_one(2, 2, catalog.FREQUENCY["uSS"].build(1.0, 4, marks)).channel().shape
    (4, 4)
    """
    groups = checks.integer(kx, "kx (the number of groups)", 2)
    answers = checks.integer(ky, "ky (the number of answers)", 2)
    size = groups * answers
    if too_many := pair_too_large(size):
        raise ValueError(too_many)
    made = sent(pair)
    if made.k != size:
        raise ValueError(f"the mechanism is for {made.k} values, the pair has {groups} · {answers} = {size}")
    return AsOne(groups, answers, made)
