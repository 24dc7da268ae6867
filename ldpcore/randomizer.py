"""The contract of a local frequency mechanism: three witnesses that must agree, and what follows from them.

The author of a mechanism writes a sampler (`perturb`), a likelihood (`log_likelihood`) and a closed form
(`variance`). The exact channel follows from the likelihood, and from the channel everything else; the laws in
tests/laws let the three testify against one another.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.channel import Channel, ReportColumn
from ldpcore.integer_law import IntegerLaw, NoIntegerLaw
from ldpcore.policy import Policy
from ldpcore.support_family import SupportFamily, moved
from ldpcore.tally import Tally, WeightedTally

MAX_OUTPUTS = 1 << 14
SEED_BITS = 64
"""Of the seed of a hash."""
TIE = 1e-9
"""Scores this close are a tie: in floats uRAP's unset bits, equal on paper, differ by rounding."""
BLOCK = 1 << 15
"""Users per block of a vectorised per-user path: small enough to stay in the cache, so memory stays bounded."""

Reports = NDArray[Any]


class NotEnumerable(ValueError):
    """The exact channel has too many reports; the message gives their number."""


class Randomizer(ABC):
    """A mechanism that one user runs on one of k values. Axis 0 is users, always.

    `epsilon` is in nats. Shares and totals have shape (k,), reports (n, …). Mechanisms come from `catalog.FREQUENCY`:

    >>> import numpy as np
    >>> from ldpcore import catalog
    >>> from ldpcore.rng import stream
    >>> m = catalog.FREQUENCY["OUE"].build(epsilon=2.0, k=4)
    >>> rng = stream(7)
    >>> reports = m.perturb(rng.choice(4, 50_000, p=[0.4, 0.3, 0.2, 0.1]), rng)  # on people's phones
    >>> m.estimate(m.tally(reports[:20_000]) + m.tally(reports[20_000:])).round(1).tolist()  # at the collector
    [0.4, 0.3, 0.2, 0.1]
    >>> m.variance([0.4, 0.3, 0.2, 0.1], n=50_000).shape, round(float(m.privacy_loss().max()), 6)
    ((4,), 2.0)
    >>> m.simulate([400, 300, 200, 100], rng, repeats=3).shape  # whole surveys, at a cost independent of n
    (3, 4)
    """

    k: int
    epsilon: float

    uses_marks: ClassVar[bool] = False
    """Whether the marks of sensitivity change what it does."""
    hashed: ClassVar[bool] = False
    """Whether each report carries a public hash; its channel then exists per hash only."""
    spends_all: ClassVar[bool] = True
    """Whether some report loses all of ε, as one that is made well does."""
    slow_draw: ClassVar[bool] = False
    """Whether `draw` costs much more than O(k): its simulated points then come last."""
    summed: ClassVar[bool] = False
    """Whether reports are numbers that the tally sums: they have no end, so there is no channel, and no counts."""
    tally_is_histogram: ClassVar[bool] = False
    """Whether the tally counts each report once, by its kind, so that EM can run on it."""
    integer_law_root: ClassVar[int] = 1
    """Its law in whole numbers is made of e^(ε/integer_law_root)."""

    @property
    def counted(self) -> Hashable | None:
        """The whole numbers that it chooses by ε, such as a subset's size: as long as they stay, a larger ε errs less.
        None where it does not say: the planner then finds its least ε a little less surely, with more looks.
        """
        return None

    @property
    def guessed(self) -> NDArray[np.float64]:
        """The shares (k,) that it is made for: a public guess, here uniform."""
        return np.full(self.k, 1 / self.k)

    @property
    def guessed_error(self) -> float:
        """The mean of n·Var over all values at the guessed shares: what it is chosen by."""
        return float(self.variance(self.guessed, 1).mean())

    def made_for(self, contrast: ArrayLike) -> "Randomizer":
        """The same promise, with what it may choose, such as a subset's size, chosen for this contrast (k,) of shares
        at the public guess in place of all shares; itself where it chooses nothing.
        """
        return self

    @property
    @abstractmethod
    def policy(self) -> Policy:
        """The definition this mechanism keeps, at its ε."""

    @abstractmethod
    def perturb(self, values: ArrayLike, rng: np.random.Generator) -> Reports:
        """Codes (n,) → reports, axis 0 = users, in canonical order."""

    def accepts(self, reports: Reports) -> NDArray[np.bool_]:
        """Whether this mechanism can have sent each of these: (n,), for reports in the form of `perturb`.

        A mechanism whose reports are too many to look up has its own way.
        """
        return np.isin(_keys(reports), _keys(self._enumerate(None)))

    @abstractmethod
    def tally(self, reports: Reports) -> Tally:
        """How many reports support each value."""

    def estimate(self, tally: Tally | WeightedTally) -> NDArray[np.float64]:
        """Unbiased shares (k,). They may be negative or above 1: post-processing is a separate, named step."""
        if tally.n < 1:
            raise ValueError("a tally without reports has no estimate; collect at least one")
        return self.invert(tally.total / tally.weight)

    def supported(self, reports: Reports) -> NDArray[np.float64]:
        """What each of these reports alone adds to the tally's totals: (n, k). Here kind by kind."""
        rows, codes = np.asarray(reports), _keys(np.asarray(reports))
        _, first, kind = np.unique(codes, return_index=True, return_inverse=True)
        each = [self.tally(rows[i : i + 1]).total for i in first]
        return np.array(each, float).reshape(-1, self.k)[kind]

    def scores(self, reports: Reports) -> NDArray[np.float64]:
        """What each of these reports alone says of the shares: (n, k). Their mean is the estimate.

        >>> from ldpcore import catalog
        >>> m = catalog.FREQUENCY["GRR"].build(epsilon=1.0, k=2)
        >>> m.scores(m.outputs()).round(3).tolist()
        [[1.582, -0.582], [-0.582, 1.582]]
        """
        return self.invert(self.supported(reports))

    def joint_support(self) -> NDArray[np.float64]:
        """E[t_u t_v | x], t being what a report adds to the tally's totals: (k, k, k), the value x first. Of reports
        that support values or do not, the chance that both are. Here by listing all reports: NotEnumerable where they
        are too many, ValueError where they hang on a public hash.
        """
        outputs = self._enumerate(None)
        added, chance = self.supported(outputs), np.exp(self.log_likelihood(outputs))
        return np.einsum("rx,ru,rv->xuv", chance, added, added, optimize=True)

    def families(self) -> tuple[SupportFamily, ...]:
        """All reports that it accepts, by form; () where they have none and must be listed.

        With hashes a family may hold more than some hash gives: the values are taken to choose for themselves.
        """
        return ()

    def listed_scores(self) -> NDArray[np.float64]:
        """`scores` of every report that it accepts: (reports, k). NotEnumerable where they are too many."""
        outputs = self._enumerate(None)
        return self.scores(outputs[self.accepts(outputs)])

    def size_laws(self) -> NDArray[np.float64]:
        """Pr[a report supports j values | value], j = 0, … k: (k, k + 1). Here by listing all reports."""
        outputs = self._enumerate(None)
        size, chance = self.supported(outputs).sum(axis=1), np.exp(self.log_likelihood(outputs))
        return np.array([[chance[size == j, x].sum() for j in range(self.k + 1)] for x in range(self.k)])

    def reach(self, weights: NDArray[np.float64]) -> tuple[float, float]:
        """The least and the most that Σ weights·t can be for one report, t as in `joint_support`."""
        if families := self.families():
            each, nothing = [weights * family.added for family in families], np.zeros(self.k)
            sums = [(-f.most(-t, nothing), f.most(t, nothing)) for f, t in zip(families, each, strict=True)]
            return min(low for low, _ in sums), max(high for _, high in sums)
        outputs = self._enumerate(None)
        listed = self.supported(outputs[self.accepts(outputs)]) @ weights
        return float(listed.min()), float(listed.max())

    @abstractmethod
    def invert(self, seen: NDArray[np.float64]) -> NDArray[np.float64]:
        """Shares of reports supporting each value → unbiased shares of its holders, (..., k) → (..., k)."""

    @abstractmethod
    def variance(self, freq: ArrayLike, n: int) -> NDArray[np.float64]:
        """Exact variance (k,) of the estimate, conditional on data with these shares."""

    def step(self) -> NDArray[np.float64]:
        """By how much one report can move each estimate, from the least to the most, times n: (k,).

        Here where the tally counts reports; one that adds up scores has its own way.
        """
        return moved(self.invert, np.arange(self.k), np.ones(self.k))

    def simulate(self, counts: ArrayLike, rng: np.random.Generator, repeats: int) -> NDArray[np.float64]:
        """Estimates (repeats, k) for users with this histogram: the exact law, at a cost independent of n."""
        return self.invert(self.draw(counts, rng, repeats) / np.sum(counts))

    @abstractmethod
    def draw(self, counts: ArrayLike, rng: np.random.Generator, repeats: int) -> NDArray[np.int64]:
        """Totals (repeats, k) that `repeats` surveys of users with this histogram would tally."""

    @abstractmethod
    def support(self, freq: ArrayLike) -> NDArray[np.float64]:
        """Expected share (k,) of the reports that support each value; `invert` is its inverse."""

    def names(self, outputs: Reports) -> NDArray[np.bool_]:
        """Which values each of these reports names (n, k): here those that it supports."""
        return np.array([self.tally(outputs[i : i + 1]).total > 0 for i in range(len(outputs))]).reshape(-1, self.k)

    def naming(self, freq: ArrayLike) -> NDArray[np.float64]:
        """Expected share (k,) of the reports that name each value, exact at any k."""
        return self.support(freq)

    @abstractmethod
    def log_likelihood(self, reports: Reports) -> NDArray[np.float64]:
        """ln Pr[report | value]: (n, k), nats; for hashed mechanisms given the hash inside the report."""

    @abstractmethod
    def privacy_loss(self) -> NDArray[np.float64]:
        """L[x, z], the largest ln(Pr[y | x] / Pr[y | z]) over the reports y: (k, k), nats, at any k."""

    @abstractmethod
    def disclosure(self) -> NDArray[np.float64]:
        """Pr[the report proves that the user holds x | the user holds x]: (k,)."""

    @abstractmethod
    def success(self, prior: NDArray[np.float64]) -> NDArray[np.float64]:
        """Pr[the Bayesian adversary with this prior names x | the user holds x]: (k,). Ties are shared evenly."""

    @abstractmethod
    def count_outputs(self) -> int:
        """How many different reports there are (for hashed mechanisms: given the hash); NotEnumerable without end."""

    def report_bits(self) -> float:
        """Size of a report, bits: of the shortest code of one length for all reports; with a hash, of its seed too.

        >>> from ldpcore import catalog
        >>> [catalog.FREQUENCY[key].build(1.0, 16).report_bits() for key in ("GRR", "SS", "OUE", "OLH")]
        [4.0, 11.0, 16.0, 66.0]
        """
        return float((self.count_outputs() - 1).bit_length() + (SEED_BITS if self.hashed else 0))

    @abstractmethod
    def outputs(self, public: int | None = None) -> Reports:
        """All of them, as `perturb` would return them."""

    @abstractmethod
    def describe(self, outputs: Reports) -> list[ReportColumn]:
        """What each of these reports says: label, protected or not, and the value it gives away if not."""

    def channel(self, public: int | None = None) -> Channel:
        """The exact channel, from the likelihood of every possible report; NotEnumerable where they are too many."""
        outputs = self._enumerate(public)
        return Channel(np.exp(self.log_likelihood(outputs)).T, tuple(self.describe(outputs)))

    def column(self, reports: Reports, public: int | None = None) -> NDArray[np.intp]:
        """The index (n,) of each report among the channel's columns."""
        outputs = self._enumerate(public)
        known, given = _keys(outputs), np.asarray(reports)
        sought = _keys(given.astype(outputs.dtype))  # bytes are compared
        order = np.argsort(known)
        index = order[np.minimum(np.searchsorted(known, sought, sorter=order), len(known) - 1)]
        if not (np.array_equal(known[index], sought) and np.array_equal(outputs[index], given)):
            raise ValueError("these reports hold one that this mechanism cannot send (or that another hash made)")
        return index

    def integer_law(self, e_epsilon: int) -> IntegerLaw:
        """Its law in whole numbers, e_epsilon/2³² being e^(ε/integer_law_root): what a client draws by.

        NoIntegerLaw if it has none.

        >>> from ldpcore import catalog
        >>> catalog.FREQUENCY["uRR"].build(1.0, 3, [True, True, False]).integer_law(11_674_931_554).written()
        {'family': 'subset', 'k': 3, 'marked': (0, 1), 'w': 1, 'truth': 7379964258, 'any': 8589934592}
        """
        raise NoIntegerLaw(f"{type(self).__name__} has no law in whole numbers yet; choose another mechanism")

    def _enumerate(self, public: int | None) -> Reports:
        if self.hashed and public is None:
            raise ValueError(
                f"{type(self).__name__} has one channel for each public hash: pass its seed, as in channel(public=7)"
            )
        size = self.count_outputs()
        if size > MAX_OUTPUTS:
            raise NotEnumerable(
                f"{type(self).__name__} with k = {self.k} has {size:.4g} different reports, more than the "
                f"{MAX_OUTPUTS} an exact channel may have; use log_likelihood, or a smaller k"
            )
        return self.outputs(public)


def _keys(reports: Reports) -> NDArray[np.void]:
    """Each report's bytes as one comparable item."""
    rows = np.ascontiguousarray(reports).reshape(len(reports), -1)
    return rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
