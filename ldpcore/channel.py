"""A mechanism as a table: the probability of every report under every value.

A channel knows nothing of how reports are made, so privacy, posterior and variance that are computed from it can
contradict the mechanism's own formulas, and would: that is what the laws compare.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks, former


@dataclass(frozen=True)
class ReportColumn:
    """One possible report: its label, whether the promise protects it, and the value it gives away if not."""

    label: str
    protected: bool = True
    reveals: int | None = None


@dataclass(frozen=True, eq=False)
class Channel:
    """`matrix[x, y]` = Pr[report y | value x], shape (k, outputs), rows sum to 1; `columns`: a `ReportColumn` each.

    ValueError where a row is no distribution, or columns are missing.

    >>> import numpy as np
    >>> coin = Channel(np.array([[0.75, 0.25], [0.25, 0.75]]), (ReportColumn("yes"), ReportColumn("no")))
    >>> coin.privacy_loss().round(3).tolist()  # nats: ln 3 either way
    [[0.0, 1.099], [1.099, 0.0]]
    >>> coin.posterior([0.1, 0.9])[:, 0].round(6).tolist()  # after "yes", where one in ten held it
    [0.25, 0.75]
    >>> scores = np.array([[1.5], [-0.5]])  # unbiased for the share of "yes"
    >>> float(coin.variance(scores, [0.1, 0.9], n=100)[0])
    0.0075
    """

    matrix: NDArray[np.float64]
    columns: tuple[ReportColumn, ...]

    def __post_init__(self) -> None:
        if self.matrix.ndim != 2 or self.matrix.shape[1] != len(self.columns):
            raise ValueError(
                f"a channel needs one column for each report, got a matrix of shape {self.matrix.shape} "
                f"and {len(self.columns)} columns"
            )
        if np.any(self.matrix < 0) or not np.allclose(self.matrix.sum(axis=1), 1, atol=1e-9):
            raise ValueError("every row of a channel must be a distribution: not negative, with sum 1")

    @property
    def k(self) -> int:
        """The number of values, or of sets."""
        return self.matrix.shape[0]

    def privacy_loss(self, columns: NDArray[np.bool_] | None = None) -> NDArray[np.float64]:
        """L[x, z] = max over reports y (of these columns) of ln(P[x, y]/P[z, y]): (k, k), nats; inf if z excludes y."""
        p = self.matrix if columns is None else self.matrix[:, columns]
        loss = np.zeros((self.k, self.k))
        with np.errstate(divide="ignore"):
            log = np.log(p)
        for x in range(self.k):
            seen = p[x] > 0
            if seen.any():
                loss[x] = np.max(log[x, seen] - log[:, seen], axis=1)
        return loss

    def posterior(self, prior: ArrayLike | None = None) -> NDArray[np.float64]:
        """Pr[value x | report y]: (k, outputs); NaN for reports that this prior (k,), None: uniform, excludes."""
        joint = checks.shares(prior, self.k, "prior")[:, None] * self.matrix
        with np.errstate(invalid="ignore"):
            return joint / joint.sum(axis=0)

    def variance(self, scores: NDArray[np.float64], freq: ArrayLike, n: int) -> NDArray[np.float64]:
        """Exact variance (q,) of the mean score of n reports, conditional on the data.

        `scores` (outputs, q) is what each report adds to each of q estimates.
        """
        mean = self.matrix @ scores
        within = self.matrix @ scores**2 - mean**2
        return checks.shares(freq, self.k) @ within / n


@dataclass(frozen=True)
class SetColumn(ReportColumn):
    """One possible report about a set: the items it discloses, and beside them y₀ (equal text, equal y₀)."""

    disclosed: tuple[int, ...] = ()
    hidden: str = ""


@dataclass(frozen=True, eq=False)
class SetChannel(Channel):
    """A channel whose rows are sets: `sets` (rows, m) codes below `items`; its columns are `SetColumn`s.

    >>> from ldpcore import catalog
    >>> m = catalog.SETS["suRAP"].build(epsilon=1.0, k=3, sensitive=[True, False, False], m=2)
    >>> channel = m.channel()
    >>> channel.sets.tolist(), channel.holds()[0].tolist()
    ([[0, 1], [0, 2], [1, 2]], [True, True, False])
    >>> m.policy.check(channel).holds
    True
    """

    sets: NDArray[np.intp]
    items: int

    def holds(self) -> NDArray[np.bool_]:
        """Which set has which item: (rows, items)."""
        out = np.zeros((len(self.sets), self.items), bool)
        np.put_along_axis(out, self.sets, True, axis=1)
        return out


former.serve(__name__)
