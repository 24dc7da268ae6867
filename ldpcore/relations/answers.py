"""How one answer, or a pair of answers, is sent: its reports, and what each of them adds to the shares."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from math import ceil, log2

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.randomizer import MAX_OUTPUTS, NotEnumerable, Randomizer, Reports

Array = NDArray[np.float64]

MOST_ANSWERS = 128
"""Answers of a hidden question: their second moments are as many numbers to the third power."""
EVEN = 1e-9
"""Sums of scores so near to 1 are 1."""


class SentAnswer(ABC):
    """One question with k answers: sent openly, or through a mechanism."""

    k: int
    is_open: bool

    @property
    @abstractmethod
    def epsilon(self) -> float:
        """What its own report promises, in nats; inf where it is open."""

    @property
    @abstractmethod
    def reports(self) -> int | None:
        """How many different reports there are; None where they are too many to list."""

    @property
    @abstractmethod
    def bits(self) -> float:
        """Size of a report."""

    @property
    @abstractmethod
    def channel(self) -> Array:
        """Pr[report | answer]: (k, reports); NotEnumerable where these are too many."""

    @property
    @abstractmethod
    def scores(self) -> Array:
        """`balanced` of every report: (reports, k)."""

    @property
    @abstractmethod
    def moments(self) -> Array:
        """E[s sᵀ | answer] of the balanced scores: (k, k, k), exact at any number of reports."""

    @property
    @abstractmethod
    def named(self) -> Array:
        """What every report names, each of several values in part: (reports, k), rows sum to 1, or to 0."""

    @abstractmethod
    def balanced(self, reports: Reports) -> Array:
        """What each report adds to the shares: (n, k), rows sum to 1."""

    @abstractmethod
    def perturb(self, values: ArrayLike, rng: np.random.Generator) -> Reports:
        """Codes (n,) → reports, axis 0 = people."""

    @abstractmethod
    def column(self, reports: Reports) -> NDArray[np.intp]:
        """The place (n,) of each report in the channel; ValueError for one that nobody can have sent."""

    @abstractmethod
    def reach(self, weights: Array) -> tuple[float, float]:
        """The least and the most that weights·scores can be for one report."""


@dataclass(frozen=True, eq=False)
class OpenAnswer(SentAnswer):
    """One that is sent as it is."""

    k: int
    is_open = True
    epsilon = float("inf")  # type: ignore[assignment]

    @property
    def reports(self) -> int:
        return self.k

    @property
    def bits(self) -> float:
        return float(max(1, ceil(log2(self.k))))

    @cached_property
    def channel(self) -> Array:
        return np.eye(self.k)

    @property
    def scores(self) -> Array:
        return self.channel

    @property
    def named(self) -> Array:
        return self.channel

    @cached_property
    def moments(self) -> Array:
        x, out = np.arange(self.k), np.zeros((self.k, self.k, self.k))
        out[x, x, x] = 1
        return out

    def balanced(self, reports: Reports) -> Array:
        return self.channel[self.column(reports)]

    def perturb(self, values: ArrayLike, rng: np.random.Generator) -> Reports:
        return checks.codes(values, self.k)

    def column(self, reports: Reports) -> NDArray[np.intp]:
        return checks.codes(reports, self.k).astype(np.intp)

    def reach(self, weights: Array) -> tuple[float, float]:
        return float(weights.min()), float(weights.max())


@dataclass(frozen=True, eq=False)
class HiddenAnswer(SentAnswer):
    """One that goes through a mechanism.

    A report's score is affine in what it adds to the tally, t: s = M t + m. Bits' scores do not sum to 1; unbiased all
    the same, (1 − Σs)/σ is added to the scores of the σ values that no report proves, as E[Σs] = 1
    (theory/relations#balanced-scores).
    """

    mechanism: Randomizer
    is_open = False

    @property
    def k(self) -> int:  # type: ignore[override]
        return self.mechanism.k

    @property
    def epsilon(self) -> float:
        return self.mechanism.epsilon

    @property
    def bits(self) -> float:
        return self.mechanism.report_bits()

    @cached_property
    def _hidden(self) -> NDArray[np.bool_]:
        """The values that no report proves; all where there are none."""
        hidden = self.mechanism.disclosure() <= 0
        return hidden if hidden.any() else np.ones(self.k, bool)

    def _evened(self, scores: Array) -> Array:
        rest = 1 - scores.sum(axis=-1, keepdims=True)
        if np.all(np.abs(rest) < EVEN):
            return scores
        return scores + np.where(self._hidden, rest / self._hidden.sum(), 0.0)

    def balanced(self, reports: Reports) -> Array:
        return self._evened(self.mechanism.scores(reports))

    @cached_property
    def _affine(self) -> tuple[Array, Array]:
        """M (k, k) and m (k,)."""
        start = self._evened(self.mechanism.invert(np.zeros(self.k)))
        return (self._evened(self.mechanism.invert(np.eye(self.k))) - start).T, start

    @cached_property
    def moments(self) -> Array:
        slope, start = self._affine
        mean = np.array([self.mechanism.support(row) for row in np.eye(self.k)]) @ slope.T
        mixed = mean[:, :, None] * start
        both = slope @ self.mechanism.joint_support() @ slope.T
        return both + mixed + mixed.transpose(0, 2, 1) + np.outer(start, start)

    def reach(self, weights: Array) -> tuple[float, float]:
        slope, start = self._affine
        low, high = self.mechanism.reach(weights @ slope)
        return low + float(start @ weights), high + float(start @ weights)

    def perturb(self, values: ArrayLike, rng: np.random.Generator) -> Reports:
        return self.mechanism.perturb(values, rng)

    # listed reports --------------------------------------------------------------------------------------------

    @cached_property
    def reports(self) -> int | None:
        count = self.mechanism.count_outputs()
        return count if count <= MAX_OUTPUTS else None

    @cached_property
    def _outputs(self) -> Reports:
        if self.reports is None:
            raise NotEnumerable(f"{_name(self.mechanism)} has no table of chances; choose GRR, SS, uRR or uSS.")
        return self.mechanism.outputs()

    @cached_property
    def channel(self) -> Array:
        return np.exp(self.mechanism.log_likelihood(self._outputs)).T

    @cached_property
    def scores(self) -> Array:
        return self.balanced(self._outputs)

    @cached_property
    def named(self) -> Array:
        names = self.mechanism.names(self._outputs).astype(float)
        return names / np.maximum(names.sum(axis=1, keepdims=True), 1)

    def column(self, reports: Reports) -> NDArray[np.intp]:
        return self.mechanism.column(reports)


def _name(mechanism: Randomizer) -> str:
    return f"{type(mechanism).__name__} with {mechanism.k} answers"


def sent(given: Randomizer | int) -> SentAnswer:
    """An int k: k answers, sent openly. ValueError or TypeError, in a sentence, for a mechanism without second moments.

    >>> sent(3).moments[1].tolist()
    [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]
    """
    if not isinstance(given, Randomizer):
        return OpenAnswer(checks.integer(given, "k (the number of answers)", 2))
    if given.hashed or given.summed:
        raise ValueError(f"{type(given).__name__} has no table of chances; choose GRR, SS, uRR or uSS.")
    if given.k > MOST_ANSWERS:
        raise ValueError(f"a hidden question has at most {MOST_ANSWERS} answers here, got {given.k}; join some")
    made = HiddenAnswer(given)
    try:
        _ = made.moments
    except NotEnumerable:
        raise ValueError(f"{_name(given)} has no table of chances; choose GRR, SS, uRR or uSS.") from None
    return made
