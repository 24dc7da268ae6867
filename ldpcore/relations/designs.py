"""A channel on pairs of answers with scores: open × hidden, both hidden apart, or a pair asked as one.

Pairs are c = x·ky + y, K = kx·ky of them; f their shares (kx, ky). A design differs in its channel and in nothing else:

    f̂ = mean of S[report],   E f̂ = f,   n·Cov f̂ = A(f) − f fᵀ  (people like these)  |  A(f) − diag f  (these people),
    A(f) = Σ_c f_c E[s sᵀ | c];  apart: s = s_x ⊗ s_y, so A(f) = Σ_xy f_xy A_x[x] ⊗ A_y[y].
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.relations.groups import Contrast, Mask, Members, about_checked, contrast, members
from ldpcore.relations.tallies import PairTally

Array = NDArray[np.float64]

MOST_LISTED = 1 << 20
"""Pairs of reports that are counted one by one; more are kept as second moments."""
MOST_CHANCES = 1 << 24
"""Chances in a channel of pairs."""


class PairDesign(ABC):
    """How two answers of one person reach the collector. `kx` groups and `ky` answers.

    epsilons: what the reports promise of x (whoever knows y), of y, and of both together, in nats; inf for an answer
    that is open.
    """

    kx: int
    ky: int
    epsilons: tuple[float, float, float]
    bits: float
    """Size of what one person sends."""
    is_apart: bool
    """Whether each answer has a report of its own."""

    # what is sent ----------------------------------------------------------------------------------------------

    @abstractmethod
    def channel(self) -> Array:
        """Pr[report | pair]: (K, reports); NotEnumerable where these are too many."""

    @abstractmethod
    def balanced_scores(self) -> Array:
        """What every report adds to the shares of pairs: (reports, K), rows sum to 1.

        channel() @ balanced_scores() is the identity.
        """

    @abstractmethod
    def perturb(self, x: ArrayLike, y: ArrayLike, rng: np.random.Generator) -> Any:
        """The reports of people with these answers, codes (n,) each: two arrays where they are sent apart."""

    @abstractmethod
    def tally(self, reports: Any, times: ArrayLike | None = None) -> PairTally:
        """Reports of `perturb`, counted; times (n,): how often each came.

        ValueError for one that nobody can have sent.
        """

    @abstractmethod
    def draw(self, counts: ArrayLike, rng: np.random.Generator, repeats: int, about: str = "these") -> list[PairTally]:
        """Whole surveys of people with this table (kx, ky) of counts; about="like": people drawn anew for each."""

    def simulate(self, counts: ArrayLike, rng: np.random.Generator, repeats: int, about: str = "these") -> Array:
        """The tables that such surveys estimate: (repeats, kx, ky)."""
        return np.array([self.table(tally) for tally in self.draw(counts, rng, repeats, about)])

    def drawn_moments(self, shares: Array, n: int, rng: np.random.Generator, repeats: int) -> Array:
        """The moments (repeats, m, m) of the tallies of surveys of n people drawn at these shares (kx, ky)."""
        people = rng.multinomial(n, shares.ravel() / shares.sum(), size=repeats)
        return np.array([self.draw(each, rng, 1)[0].moments for each in people])

    @abstractmethod
    def table(self, tally: PairTally) -> Array:
        """Unbiased shares (kx, ky) of pairs: the mean of the scores. They may be negative."""

    @abstractmethod
    def raw(self, freq: ArrayLike) -> Array:
        """The table (kx, ky) that reports name on average, a report that names several counting in parts."""

    @abstractmethod
    def raw_of(self, tally: PairTally) -> Array:
        """The same of these reports; ValueError where they were too many to list."""

    # exact moments ---------------------------------------------------------------------------------------------

    @abstractmethod
    def second(self, freq: ArrayLike) -> Array:
        """A(f): (K, K)."""

    @abstractmethod
    def squares(self, u: Array, v: Array) -> Array:
        """E[(u·s)(v·s) | pair] of two weights (kx, ky): (K,)."""

    @abstractmethod
    def corners(self, group: Mask, answers: Mask) -> Array:
        """Points (q, 2) whose hull has what one report adds to the pairs of this group with these answers, and to the
        group. An open group's size is known: (·, 0).
        """

    @property
    @abstractmethod
    def is_open(self) -> bool:
        """Whether everybody sees x."""

    def shares(self, freq: ArrayLike) -> Array:
        """A table of shares, checked, (kx, ky)."""
        return checks.shares(np.asarray(freq, float).ravel(), self.kx * self.ky).reshape(self.kx, self.ky)

    def covariance(self, freq: ArrayLike, n: int, about: str = "like") -> Array:
        """Exact covariance (K, K) of the estimated shares; about: people "like" these, or "these" themselves."""
        f = self.shares(freq).ravel()
        drawn = np.outer(f, f) if about_checked(about) == "like" else np.diag(f)
        return (self.second(f) - drawn) / checks.integer(n, "n (the number of people)", 1)

    def variance(self, freq: ArrayLike, y: Members, one: Members, other: Members, about: str = "like") -> float:
        """n·Var of Pr[y | one] − Pr[y | other], to first order exact: cᵀA(f)c, c its gradient (c·f = 0)."""
        f, c = self.shares(freq), contrast(self.shares(freq), y, one, other)
        return self.spread(f, c, about)

    def spread(self, freq: Array, c: Contrast, about: str = "like") -> float:
        """n·Var of c·f̂ for a contrast c (kx, ky)."""
        inside = float(freq.ravel() @ self.squares(c, c))
        given = float((freq * c).sum()) ** 2 if about_checked(about) == "like" else float((freq * c * c).sum())
        return inside - given

    def members(self, y: Members, group: Members) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Masks (ky,) and (kx,) of answers and of groups."""
        return members(y, self.ky, "answers"), members(group, self.kx, "groups")

    @cached_property
    def _pairs(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """x and y of every pair."""
        return np.repeat(np.arange(self.kx), self.ky), np.tile(np.arange(self.ky), self.kx)


def of_people(counts: ArrayLike, kx: int, ky: int) -> NDArray[np.int64]:
    """A table of counts, checked: (K,)."""
    return checks.counts(np.asarray(counts).ravel(), kx * ky)


def counted(seen: NDArray[np.intp], times: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """How often each report came (size,)."""
    out = np.zeros(size, np.int64)
    np.add.at(out, seen, times)
    return out


def drawn(
    people: NDArray[np.int64], chance: Array, row: Callable[[int], Array], rng: np.random.Generator, like: bool
) -> NDArray[np.int64]:
    """How often each report comes (reports,), once: of these people, or of as many that are drawn like them. chance:
    of every report, like them; row: of every report, of a pair.
    """
    if like:
        return rng.multinomial(people.sum(), np.maximum(chance, 0) / chance.sum())
    total = np.zeros(len(chance), np.int64)
    for pair in np.flatnonzero(people):
        each = row(int(pair))
        total += rng.multinomial(people[pair], each / each.sum())
    return total
