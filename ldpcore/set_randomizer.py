"""The contract of a mechanism for sets: every user holds exactly m distinct items and sends one report.

As in `ldpcore.randomizer` the author writes a sampler, a likelihood and a closed form that know nothing of each other.
Here the likelihood is that of a report under given *sets*, and the exact channel has one row per set.
Codes run over the inner domain: k items, then `dummies` codes that pad short sets. Dummies are sensitive and never
estimated. `sensitive` is (k,); mechanisms that know no marks treat every item as sensitive.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks, former
from ldpcore.channel import SetChannel, SetColumn
from ldpcore.policy import Policy
from ldpcore.randomizer import MAX_OUTPUTS, NotEnumerable, Reports
from ldpcore.subsets import log_binomials, tilted
from ldpcore.support_family import SupportFamily
from ldpcore.tally import Tally, WeightedTally

MAX_SETS = 10_000
MAX_ENTRIES = 1 << 25
"""Largest exact channel: sets, and sets times reports."""

Vector = NDArray[np.float64]
Sets = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class SetRandomizer(ABC):
    """A mechanism that one user runs on one set of m items. Axis 0 is users, always.

    `epsilon` (nats); `k` items, of which the mask `sensitive` (k,) is marked; `m` items per set; `dummies` codes that
    pad short sets. Shares (k,) sum to m, sets are codes (n, m), reports (n, …). Mechanisms come from `catalog.SETS`:

    >>> import numpy as np
    >>> from ldpcore import catalog
    >>> from ldpcore.rng import stream
    >>> m = catalog.SETS["uPrivSet"].build(epsilon=2.0, k=6, sensitive=np.arange(6) < 4, m=2)
    >>> rng = stream(7)
    >>> sets = np.sort(rng.permuted(np.tile(np.arange(6), (60_000, 1)), axis=1)[:, :2], axis=1)
    >>> m.estimate(m.tally(m.perturb(sets, rng))).round(1).tolist()  # everybody holds 2 of 6
    [0.3, 0.3, 0.3, 0.3, 0.3, 0.3]
    >>> (m.variance(np.full(6, 1 / 3), n=1000)[[0, 5]] ** 0.5).round(3).tolist()  # marked items cost more
    [0.029, 0.022]
    """

    epsilon: float
    k: int
    sensitive: NDArray[np.bool_]
    m: int
    dummies: int = 0

    uses_marks: ClassVar[bool] = False
    hashed: ClassVar[bool] = False
    """Whether each report carries a public hash; its channel then exists per hash only."""
    others_alike: ClassVar[bool] = False
    """Whether the chance of a report hangs, of the unmarked items that it does not disclose, on their number alone."""

    def __post_init__(self) -> None:
        checks.epsilon(self.epsilon)
        checks.domain_size(self.k)
        object.__setattr__(self, "sensitive", checks.mask(self.sensitive, self.k))
        checks.integer(self.dummies, "dummies (codes that pad short sets)", 0)
        checks.integer(self.m, "m (items per set)", 1, self.inner)

    @property
    def inner(self) -> int:
        """Codes of the inner domain: k + dummies."""
        return self.k + self.dummies

    @cached_property
    def marked(self) -> NDArray[np.bool_]:
        """What the mechanism treats as sensitive (inner,): the marks and the dummies, or everything."""
        if not self.uses_marks:
            return np.ones(self.inner, bool)
        return np.r_[self.sensitive, np.ones(self.dummies, bool)]

    @cached_property
    def sigma(self) -> int:
        """Sensitive codes of the inner domain."""
        return int(np.count_nonzero(self.marked))

    @cached_property
    def alike(self) -> NDArray[np.intp]:
        """Which kind each item is of (k,), from 0: those of a kind have the same error at the same share."""
        return np.unique(self.marked[: self.k], return_inverse=True)[1]

    @property
    def unit(self) -> int:
        """What a report adds to the total of an unmarked item that it discloses alone: totals may count in parts."""
        return 1

    @property
    def guessed(self) -> Vector:
        """The shares (k,) of holders that it is made for: a public guess, here of uniform sets."""
        return self.shares(None)

    @property
    def guessed_error(self) -> float:
        """The mean of n·Var over all items at the guessed shares: what it is chosen by."""
        return float(self.variance(self.guessed, 1).mean())

    @property
    @abstractmethod
    def policy(self) -> Policy:
        """The definition this mechanism keeps, at its ε."""

    @abstractmethod
    def perturb(self, sets: ArrayLike, rng: np.random.Generator) -> Reports:
        """Sets (n, m) → reports, axis 0 = users, canonical: the order of a set does not show."""

    @abstractmethod
    def accepts(self, reports: Reports) -> NDArray[np.bool_]:
        """Which of these (n,), in the form of `perturb`, some set can have sent: those and no others."""

    @abstractmethod
    def tally(self, reports: Reports) -> Tally:
        """What the reports say of each item, as whole numbers (k,)."""

    def estimate(self, tally: Tally | WeightedTally) -> Vector:
        """Unbiased shares (k,) of the users who hold each item."""
        if tally.n < 1:
            raise ValueError("a tally without reports has no estimate; collect at least one")
        return self.invert(tally.total / tally.weight)

    @abstractmethod
    def supported(self, reports: Reports) -> Vector:
        """What each of these reports alone adds to the tally's totals: (n, k)."""

    def scores(self, reports: Reports) -> Vector:
        """What each of these reports alone says of the shares of holders: (n, k). Their mean is the estimate.

        >>> from ldpcore import catalog
        >>> m = catalog.SETS["PrivSet"].build(epsilon=1.0, k=4, m=2)
        >>> m.scores(m.outputs()[:2]).round(3).tolist()
        [[3.746, -0.582, -0.582, -0.582], [-0.582, 3.746, -0.582, -0.582]]
        """
        return self.invert(self.supported(reports))

    @abstractmethod
    def families(self) -> tuple[SupportFamily, ...]:
        """All reports that it accepts, by form, dummies left out: in each a score is one of two.

        With hashes a family may hold more than some hash gives: the items are taken to choose for themselves. Where a
        report names an item several times, the family holds those that name one item only: of sums of convex
        functions of the scores they have the largest.
        """

    @abstractmethod
    def invert(self, seen: Vector) -> Vector:
        """Totals per report → unbiased shares of holders, (..., k) → (..., k)."""

    @abstractmethod
    def variance(self, freq: ArrayLike, n: int, company: ArrayLike | None = None) -> Vector:
        """Exact variance (k,) of the estimate, conditional on data with these shares (they sum to m).

        Where it depends on which items are held together, `company` is `self.company(sets)`; None takes the sets
        as uniform, but for how many marked items they hold on average. Others ignore it.
        """

    def parted(self, freq: Vector) -> tuple[Vector, Vector, Vector] | None:
        """Of a mechanism whose variance is linear in the shares (…, k), clipped: n·Var of each estimate among holders
        of the item and among the others, and the most that one report moves it. None: `variance` of sets tells.
        """
        return None

    @abstractmethod
    def simulate(self, sets: ArrayLike, rng: np.random.Generator, repeats: int) -> Vector:
        """Estimates (repeats, k) of these users: the exact law (for hashed mechanisms: of an ideal hash)."""

    @abstractmethod
    def log_likelihood(self, reports: Reports, sets: ArrayLike) -> Vector:
        """ln Pr[report | set]: (n, number of sets), nats; for hashed mechanisms the density of y₀, given the hash."""

    def own_log_likelihood(self, reports: Reports, sets: ArrayLike) -> Vector:
        """The same, each report with sets of its own (n, number of sets, m)."""
        each = enumerate(self._own_sets(sets))
        return np.vstack([self.log_likelihood(reports[i : i + 1], some) for i, some in each])

    def _own_sets(self, sets: ArrayLike) -> Sets:
        """Sets of every report (n, number of sets, m), checked."""
        each = np.asarray(sets)
        return checks.item_sets(each.reshape(-1, self.m), self.inner, self.m).reshape(each.shape)

    @abstractmethod
    def outputs(self, public: int | None = None) -> Reports:
        """All reports, as `perturb` would return them; on a ring one of each cell."""

    @abstractmethod
    def describe(self, outputs: Reports) -> list[SetColumn]:
        """What each of these reports discloses, and what it says beside that."""

    @abstractmethod
    def count_outputs(self) -> int:
        """How many different reports there are (on a ring: a bound, given the hash)."""

    @abstractmethod
    def report_bits(self, freq: ArrayLike | None = None) -> float:
        """Expected size of a report for users with these shares (None: uniform), bits."""

    def measure_bits(self, reports: Reports) -> float:
        """Mean size of these reports in the same encoding, bits."""
        return self.report_bits()

    # what follows ----------------------------------------------------------------------------------------------

    @property
    def code_bits(self) -> int:
        """⌈log₂(k + dummies)⌉, the size of a code."""
        return (self.inner - 1).bit_length()

    def shares(self, freq: ArrayLike | None) -> Vector:
        """Checked shares (k,) of holders: each in [0, 1], sum m, or less where dummies fill up; None: uniform sets."""
        if freq is None:
            return np.full(self.k, self.m / self.inner)
        f = np.asarray(freq, float)
        if f.shape != (self.k,):
            raise ValueError(f"freq must have one entry for each of the {self.k} items, got shape {f.shape}")
        total, slack = float(f.sum()), 1e-6 * self.m
        right = total <= self.m + slack and (self.dummies > 0 or total >= self.m - slack)
        if not (np.all(np.isfinite(f)) and np.all(f >= 0) and np.all(f <= 1 + 1e-9) and right):
            raise ValueError(
                f"freq must be the shares of the holders of each item, between 0 and 1 with sum m = {self.m} "
                f"(less only with dummies), got a sum of {total:g}"
            )
        return f

    def open_mean(self, f: Vector) -> float:
        """M_N: unmarked items per user."""
        return float(f[~self.marked[: self.k]].sum())

    def company(self, sets: ArrayLike, weights: ArrayLike | None = None) -> Vector:
        """Law of the number b of unmarked items among the holders of v: (k, m + 1), rows sum to 1 (0: no holder).

        weights (n,): what each set counts; None: one.
        """
        item_sets = checks.item_sets(sets, self.inner, self.m)
        b = np.count_nonzero(~self.marked[item_sets], axis=1)
        place, each = (item_sets * (self.m + 1) + b[:, None]).ravel(), None
        if weights is not None:
            each = np.repeat(np.asarray(weights, float), self.m)
        joint = np.bincount(place, each, minlength=self.inner * (self.m + 1))
        joint = joint.reshape(self.inner, self.m + 1)[: self.k].astype(float)
        total = joint.sum(axis=1, keepdims=True)
        return joint / np.where(total > 0, total, 1)

    def _company(self, f: Vector, company: ArrayLike | None) -> Vector:
        """Checked; None: `open_law` as the holders of an item see it."""
        if company is None:
            return np.where(self.marked[: self.k, None], *self.holders(self.open_law(self.open_mean(f))))
        given = np.asarray(company, float)
        if given.shape != (self.k, self.m + 1):
            raise ValueError(
                f"company must have shape ({self.k}, {self.m + 1}), as company(sets) returns, got {given.shape}"
            )
        return given

    def open_law(self, mean: ArrayLike) -> NDArray[np.float64]:
        """Laws of b (..., m + 1) with these means (...), sets with equal b alike: C(τ, b)C(σ, m−b)θ^b. θ = 1 is all
        sets alike.
        """
        tau, b = self.inner - self.sigma, np.arange(self.m + 1)
        possible = (b <= tau) & (self.m - b <= self.sigma)
        inside, outside = np.where(possible, b, 0), np.where(possible, self.m - b, 0)
        log_ways = np.where(possible, log_binomials(tau, inside) + log_binomials(self.sigma, outside), -np.inf)
        return tilted(log_ways, mean)

    def holders(self, law: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The same laws (..., m + 1) among holders of a sensitive item, and of another: times m − b, and times b."""
        inside, outside = law * np.arange(self.m, -1, -1), law * np.arange(self.m + 1)
        inside /= np.maximum(inside.sum(axis=-1, keepdims=True), 1e-300)
        outside /= np.maximum(outside.sum(axis=-1, keepdims=True), 1e-300)
        return inside, outside

    def count_sets(self) -> int:
        """C(k + dummies, m): rows of the exact channel."""
        return comb(self.inner, self.m)

    def all_sets(self) -> Sets:
        """Every set of the inner domain: (C(k + dummies, m), m)."""
        size = self.count_sets()
        if size > MAX_SETS:
            raise NotEnumerable(
                f"there are {size:.4g} sets of m = {self.m} among {self.inner} items, more than the {MAX_SETS} "
                "an exact channel may have; use log_likelihood on some of them, or a smaller k or m"
            )
        return np.array(list(combinations(range(self.inner), self.m)), np.intp)

    def channel(self, public: int | None = None) -> SetChannel:
        """The exact channel over all sets, from the likelihood of every report; NotEnumerable where it is too large."""
        sets = self.all_sets()
        outputs = self._enumerate(public)
        matrix = np.exp(self.log_likelihood(outputs, sets)).T * self._sizes(outputs, public)
        return SetChannel(matrix, tuple(self.describe(outputs)), sets, self.inner)

    def column(self, reports: Reports, public: int | None = None) -> NDArray[np.intp]:
        """The index (n,) of each report among the channel's columns."""
        known, keys = keys_of(self._enumerate(public)), keys_of(self._cell(reports, public))
        order = np.argsort(known)
        index = order[np.minimum(np.searchsorted(known, keys, sorter=order), len(known) - 1)]
        if not np.array_equal(known[index], keys):
            raise ValueError("these reports hold one that this mechanism cannot send (or that another hash made)")
        return index

    def _sizes(self, outputs: Reports, public: int | None) -> Vector:
        """What turns the likelihood of each output into a probability: on a ring, the length of its cell."""
        return np.ones(len(outputs))

    def _cell(self, reports: Reports, public: int | None) -> Reports:
        """Each report as its cell's representative."""
        return reports

    def _enumerate(self, public: int | None) -> Reports:
        if self.hashed and public is None:
            raise ValueError(
                f"{type(self).__name__} has one channel for each public hash: pass its seed, as in channel(public=7)"
            )
        size = self.count_outputs()
        if size > MAX_OUTPUTS or size * self.count_sets() > MAX_ENTRIES:
            raise NotEnumerable(
                f"{type(self).__name__} on {self.inner} items has {size:.4g} different reports for "
                f"{self.count_sets():.4g} sets, more than an exact channel may have; "
                "use log_likelihood, or a smaller k or m"
            )
        return self.outputs(public)


def keys_of(reports: NDArray[Any]) -> NDArray[np.void]:
    """Each report's bytes, or those of any row, as one comparable item."""
    rows = np.ascontiguousarray(reports)
    return np.frombuffer(rows.tobytes(), np.dtype((np.void, rows.nbytes // max(len(rows), 1) or 1)))


former.serve(__name__)
