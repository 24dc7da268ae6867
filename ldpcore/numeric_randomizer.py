"""The contract of a local mechanism for one number in [-1, 1], beside those for values and for sets.

Again three witnesses: a sampler (`perturb`), a likelihood (`mass`, exact integrals) and a closed form
(`report_moments`). A collector keeps a histogram of the reports with the sum in every cell, and estimates from it:

- "mean": the mean of the reports. Unbiased where a report's mean is the input.
- "unbiased": the mean of a score g(y) with E[g | x] = x for every x.
- "em": the distribution by plain EM from uniform to the paper's stop (gain ≤ E·10⁻³ nats), then its mean.
- "mle": the same to the maximum of the likelihood. They differ much (theory/numbers#em): both are shown.
- "ems": as "em", smoothed by ¼, ½, ¼ after every step (square wave only).
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from math import exp, nan
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks, em
from ldpcore.bins import Vector, drawn, gathered, merged, smoothed
from ldpcore.channel import Channel
from ldpcore.policy import Policy
from ldpcore.tally import NumericTally

Intervals = tuple[tuple[float, float], ...]
HOW = ("mean", "unbiased", "em", "mle", "ems")
FITTED = ("em", "mle", "ems")
"""Estimates that go through the distribution; they have no closed form."""
BINS = 256
TOGETHER = 64
"""Surveys to which EM is fitted at once: what they compute with stays in the cache."""


class NumericRandomizer(ABC):
    """A mechanism that one user runs on one number in [-1, 1]; `bins` is the number of equal input bins of EM.

    `epsilon` is in nats; reports, sums and edges are on the scale of the inputs. Mechanisms come from `catalog.MEANS`:

    >>> import numpy as np
    >>> from ldpcore import catalog
    >>> from ldpcore.rng import stream
    >>> m = catalog.MEANS["PM"].build(epsilon=2.0)
    >>> rng = stream(7)
    >>> x = rng.choice([-0.5, 0.3], 100_000)
    >>> tally = m.tally(m.perturb(x, rng))
    >>> round(m.estimate_mean(tally), 1), round(m.variance(x) ** 0.5, 4)  # the mean, and its exact standard error
    (-0.1, 0.0027)
    >>> shares = m.estimate_distribution(tally, bins=4, how="mle")  # of [-1, -½), [-½, 0), [0, ½), [½, 1]
    >>> shares.shape
    (4,)
    """

    epsilon: float
    bins: int

    uses_marks: ClassVar[bool] = False
    """Whether `low`, the intervals that are not sensitive, change what it does."""
    usual: ClassVar[str] = "mean"
    """The estimate that `how="default"` stands for."""
    unbiased: ClassVar[bool] = True
    """Whether the mean of a report is the input."""
    smooths: ClassVar[bool] = False
    """Whether "ems" is made for it."""
    recovers: ClassVar[bool] = False
    """Whether its reports are fine enough for EM to recover a distribution from them."""

    @abstractmethod
    def policy(self, points: Vector) -> Policy:
        """The definition this mechanism keeps, at its ε, on a channel whose rows are these inputs."""

    @abstractmethod
    def perturb(self, x: ArrayLike, rng: np.random.Generator) -> Vector:
        """Numbers (n,) in [-1, 1] → reports (n,)."""

    @abstractmethod
    def accepts(self, reports: Vector) -> NDArray[np.bool_]:
        """Which of these numbers (n,) some input can have sent: those and no others."""

    def report_bits(self) -> float:
        """Size of a report, bits: of a number as machines write it, unless a family has fewer reports."""
        return 64.0

    @abstractmethod
    def report_moments(self, x: ArrayLike) -> tuple[Vector, Vector]:
        """Mean (n,) and variance (n,) of the report under each input, in closed form."""

    @abstractmethod
    def mass(self, x: ArrayLike, edges: Vector) -> Vector:
        """Pr[report in a cell | x], exact integrals: (n, cells). The end cells hold what is beyond them."""

    @abstractmethod
    def log_likelihood(self, reports: ArrayLike, x: ArrayLike) -> Vector:
        """ln of the density of each report under each of the inputs x: (n, len(x)).

        A report that is an atom under any of them has the logarithm of its probability instead, −∞ where that is 0.
        """

    @abstractmethod
    def score_moments(self, x: ArrayLike) -> tuple[Vector, Vector]:
        """Mean (n,) and variance (n,) of the unbiased score of a report, by exact integration."""

    @abstractmethod
    def score(self, reports: ArrayLike) -> Vector:
        """g(y) (n,), E[g | x] = x."""

    def scores(self, reports: ArrayLike) -> Vector:
        """What each of these reports alone adds to the estimate "unbiased": (n,). ValueError where there is none.

        >>> from ldpcore import catalog
        >>> m = catalog.MEANS["SW"].build(epsilon=1.0)
        >>> m.scores([0.0, 0.5]).round(3).tolist(), [round(end, 3) for end in m.extremes()]
        ([0.0, 1.359], [-4.11, 4.11])
        """
        self.named("unbiased")
        y = checks.numbers(reports, "reports")
        return y if self.unbiased else self.score(y)

    @abstractmethod
    def extremes(self) -> tuple[float, float]:
        """The least and the largest of `scores` over all reports that it accepts; ±inf where they have no end."""

    @abstractmethod
    def channel(self) -> Channel:
        """The exact channel from the input bins' midpoints to the cells and the atoms."""

    @cached_property
    @abstractmethod
    def edges(self) -> Vector:
        """Ends (cells + 1,) of the cells that a tally counts; reports beyond the last count in the last."""

    @abstractmethod
    def score_of_tally(self, tally: NumericTally) -> float:
        """The mean of g over the tallied reports."""

    @property
    def cuts(self) -> tuple[float, ...]:
        """Points of [-1, 1] where the law changes its kind: no input bin crosses one."""
        return ()

    @cached_property
    def inputs(self) -> Vector:
        """Edges of the input bins: `bins` equal ones, those that a cut crosses split."""
        return merged(np.concatenate([self.cuts, np.linspace(-1, 1, self.bins + 1)]))

    @cached_property
    def points(self) -> Vector:
        """The midpoints of the input bins, which stand for them."""
        return (self.inputs[1:] + self.inputs[:-1]) / 2

    @property
    def guessed_error(self) -> float:
        """n·Var of the unbiased mean where numbers are even on [-1, 1]: what it is chosen by, without another guess.
        nan where it has no unbiased mean.
        """
        if "unbiased" not in self.estimates():
            return nan
        return float(np.diff(self.inputs) / 2 @ self.moments(self.points, "unbiased")[1])

    @cached_property
    def apart(self) -> Vector:
        """Edges of the cells that EM tells apart: here all of `edges`, else some of them."""
        return self.edges

    def products(self, edges: Vector | None = None) -> em.Products:
        """The products of EM over these cells (None: those of `edges`) from the dense matrix; a family with structure
        has faster ones.
        """
        matrix = self.mass(self.points, self.edges if edges is None else edges)
        return em.Products.of(matrix)

    @cached_property
    def _products(self) -> em.Products:
        return self.products(self.apart)

    def cell(self, reports: ArrayLike) -> NDArray[np.intp]:
        """The index (n,) of each report's cell; cells are closed on the left."""
        index = np.searchsorted(self.edges, np.asarray(reports, float), side="right") - 1
        return np.clip(index, 0, len(self.edges) - 2)

    def tally(self, reports: ArrayLike) -> NumericTally:
        """How many reports fall into each cell, and their sum there."""
        y = checks.numbers(reports, "reports")
        cell, cells = self.cell(y), len(self.edges) - 1
        return NumericTally(len(y), np.bincount(cell, minlength=cells), np.bincount(cell, y, cells).astype(float))

    def estimates(self) -> tuple[str, ...]:
        """The estimates of the mean that this mechanism has."""
        return tuple(how for how in HOW if how != "ems" or self.smooths)

    def estimate_mean(self, tally: NumericTally | ArrayLike, how: str = "default") -> float:
        """The mean on [-1, 1] from a tally, or from reports; see the module for `how`."""
        how, tally = self.named(how), self._tallied(tally)
        if how == "mean" or (how == "unbiased" and self.unbiased):
            return tally.total / tally.n
        if how == "unbiased":
            return self.score_of_tally(tally)
        return float(self.points @ self.fit(tally, how).freq)

    def estimate_distribution(self, tally: NumericTally | ArrayLike, bins: int = BINS, how: str = "em") -> Vector:
        """Shares (bins,) of `bins` equal bins of [-1, 1], by EM on the mechanism's own bins, then summed by overlap."""
        count = checks.integer(bins, "bins", 1, 100_000)
        if how not in FITTED:
            raise ValueError(f"a distribution is estimated by one of {', '.join(FITTED)}, got {how!r}")
        freq = self.fit(self._tallied(tally), self.named(how)).freq
        below = np.interp(np.linspace(-1, 1, count + 1), self.inputs, np.concatenate([[0.0], np.cumsum(freq)]))
        return np.diff(below)

    def fit(self, tally: NumericTally, how: str, **options: float) -> em.Fit:
        """The shares of the input bins `points`, by "em", "mle" or "ems"."""
        products, k = self._products, len(self.points)
        counts = self._reports(tally)
        if how == "mle":
            return em.fit(counts, products, k, **options)  # type: ignore[arg-type]
        smooth = smoothed if how == "ems" else None
        stop = exp(self.epsilon) * 1e-3
        return em.plain(counts, products, k, gain=stop, smooth=smooth)

    def _reports(self, tally: NumericTally) -> Vector:
        """How many reports of each kind that EM tells apart."""
        return np.add.reduceat(tally.counts, np.searchsorted(self.edges, self.apart[:-1]))

    def named(self, how: str) -> str:
        """The estimate that `how` stands for; ValueError where this mechanism has no such estimate."""
        chosen = self.usual if how == "default" else how
        if chosen not in self.estimates():
            raise ValueError(
                f"{type(self).__name__} has no estimate {chosen!r}; it has default, {', '.join(self.estimates())}"
            )
        return chosen

    def _tallied(self, tally: NumericTally | ArrayLike) -> NumericTally:
        out = tally if isinstance(tally, NumericTally) else self.tally(tally)
        if out.n < 1:
            raise ValueError("a tally without reports has no estimate; collect at least one")
        return out

    def moments(self, x: ArrayLike, how: str = "default") -> tuple[Vector, Vector]:
        """Exact mean (n,) and variance (n,) of what one report adds to "mean" or "unbiased"."""
        chosen = self.named(how)
        if chosen in FITTED:
            raise ValueError(f"the estimate {chosen!r} has no closed form; simulate it")
        return self.score_moments(x) if chosen == "unbiased" and not self.unbiased else self.report_moments(x)

    def variance(self, x: ArrayLike, how: str = "unbiased") -> float:
        """Exact variance of the estimated mean, conditional on these users' inputs x (n,)."""
        within = self.moments(x, how)[1]
        return float(within.sum()) / len(within) ** 2

    def bias(self, x: ArrayLike, how: str = "unbiased") -> float:
        """Exact bias of the estimated mean, conditional on x (n,)."""
        return float(np.mean(self.moments(x, how)[0] - checks.scaled(x)))

    def simulate(
        self,
        x: ArrayLike,
        rng: np.random.Generator,
        repeats: int,
        how: str = "default",
        counts: ArrayLike | None = None,
    ) -> Vector:
        """Estimates (repeats,) for `counts` users at each of the inputs x (None: one each), free of n.

        Exact: the law of the counts, cell by cell, for users at x; inputs within 1/4096 of one another are one.
        Approximate: the sum of the reports inside one cell is taken as normal with the moments of its reports.
        """
        tallies = self.draw(x, rng, repeats, counts)
        if self.named(how) != "em":
            return np.array([self.estimate_mean(t, how) for t in tallies])
        parts = [np.zeros(0)]
        while some := [self._reports(tally) for tally in islice(tallies, TOGETHER)]:
            asked = np.array(some), self._products, len(self.points)
            parts.append(em.plain_each(*asked, gain=exp(self.epsilon) * 1e-3) @ self.points)
        return np.concatenate(parts)

    def draw(
        self, x: ArrayLike, rng: np.random.Generator, repeats: int, counts: ArrayLike | None = None
    ) -> Iterator[NumericTally]:
        """Tallies of `repeats` surveys of these users; `simulate` says what is exact."""
        points, users = gathered(checks.scaled(x), counts)
        moments = self.partial_moments(points, self.edges)
        return drawn(users, self.mass(points, self.edges), moments, self.edges, rng, repeats)

    @abstractmethod
    def partial_moments(self, x: Vector, edges: Vector) -> tuple[Vector, Vector]:
        """E[y; y in the cell] and E[y²; y in the cell] under each input: two (n, cells)."""

    def disclosure(self, x: ArrayLike) -> Vector:
        """Pr[the report is the input's own atom, and so proves it | x]: (n,)."""
        return np.zeros(len(checks.scaled(x)))

    def places(self, x: Vector) -> Vector:
        """The report (n,) that sends each input as it is."""
        return x
