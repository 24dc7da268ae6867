"""A mechanism as a table: the probability of every report under every value."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks


@dataclass(frozen=True)
class Column:
    """One possible report: its label, whether the promise protects it, and the value it gives away if not."""

    label: str
    protected: bool = True
    reveals: int | None = None


@dataclass(frozen=True, eq=False)
class Channel:
    """`matrix[x, y]` = Pr[report y | value x], shape (k, outputs), rows sum to 1; one `Column` per report."""

    matrix: NDArray[np.float64]
    columns: tuple[Column, ...]

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
        """Pr[value x | report y]: (k, outputs); NaN for reports that this prior excludes."""
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
class SetColumn(Column):
    """One possible report about a set: the items it discloses, and beside them y₀ (equal text, equal y₀)."""

    disclosed: tuple[int, ...] = ()
    hidden: str = ""


@dataclass(frozen=True, eq=False)
class SetChannel(Channel):
    """A channel whose rows are sets: `sets` (rows, m) codes below `items`."""

    sets: NDArray[np.intp]
    items: int

    def holds(self) -> NDArray[np.bool_]:
        """Which set has which item: (rows, items)."""
        out = np.zeros((len(self.sets), self.items), bool)
        np.put_along_axis(out, self.sets, True, axis=1)
        return out
