"""Scored columns of the mean's program: the best of all columns and all real scores, in closed form; the certificate.

Prices a, b (K,) of the two kinds of constraints leave to a column q with score s the reduced cost Σ q_i r_i(s), where

    r_i(s) = f_i (s − x_i)² − b_i (s − x_i) − a_i.

Columns are scaled to a largest entry of 1: the others are 1/E. At a score the best column is 1 where r_i < 0, so
between two neighbouring roots of the r_i one column is best, and its cost is one convex parabola in s: at most 2K + 1
parabolas, each least at its vertex, cover all columns and all scores. Under ULDP an input that is not sensitive has
a column for itself: prices are feasible only where r_i ≥ 0 everywhere, and then its entry in the others is 1/E.
"""

from dataclasses import dataclass
from math import exp

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
STEPS = 60
ROUNDING = 1e-15
"""Relative to the sizes of a sum's terms, per term."""


@dataclass(frozen=True, eq=False)
class InputShares:
    """Users with shares (K,) at the inputs x (K,), and which (K,) are protected; the others all have a share."""

    epsilon: float
    x: Vector
    shares: Vector
    protected: NDArray[np.bool_]
    epsilons: Vector | None = None
    """(K,) Each input's own ε, which `epsilon` is then the least of; None: `epsilon` for all that are protected."""

    @property
    def least(self) -> float:
        """1/E."""
        return exp(-self.epsilon)

    @property
    def raised(self) -> tuple[Vector, float]:
        """What a column has at the inputs that it raises (K,), and at all others."""
        if self.epsilons is None:
            return np.ones(len(self.x)), self.least
        most = float(self.epsilons[self.protected].max())
        return np.exp(np.where(self.protected, self.epsilons, 0.0) - most), exp(-most)


@dataclass(frozen=True, eq=False)
class ScoredColumns:
    """Entries (K, c), at most 1, and how far the score lies from each input, s − x_i (K, c)."""

    entries: Vector
    away: Vector

    def cost(self, crowd: InputShares) -> Vector:
        """What a column adds to n·Var, (c,): the sum of q_i f_i (s − x_i)²."""
        return crowd.shares @ (self.entries * self.away**2)

    def with_(self, *others: "ScoredColumns") -> "ScoredColumns":
        return ScoredColumns(
            np.hstack([self.entries, *(o.entries for o in others)]), np.hstack([self.away, *(o.away for o in others)])
        )


@dataclass(frozen=True, eq=False)
class BestColumns:
    """The columns that are best for some score, at their best scores: reduced costs (c,), mean entries (c,) over the
    protected inputs, and how far rounding may have moved the costs.
    """

    columns: ScoredColumns
    worth: Vector
    weight: Vector
    doubt: Vector

    @property
    def shortfall(self) -> Vector:
        """By how much a, spread over the protected inputs, is too high for each column."""
        return -self.worth / self.weight


def best(crowd: InputShares, a: Vector, b: Vector) -> BestColumns:
    """One column for each stretch between the roots, at the vertex of its parabola."""
    x, f = crowd.x, crowd.shares
    inside = crowd.protected & (b * b + 4 * f * a > 0)
    b_in, a_in = b[inside], a[inside]
    far = (b_in + np.copysign(np.sqrt(b_in * b_in + 4 * f[inside] * a_in), b_in)) / 2
    with np.errstate(divide="ignore", invalid="ignore"):  # without a share there is one root
        roots = np.concatenate([x[inside] + far / f[inside], x[inside] - a_in / far])
    roots = np.sort(roots[np.isfinite(roots)])
    ends = np.concatenate([roots[:1] - 1, roots, roots[-1:] + 1]) if len(roots) else np.array([-1.0, 1.0])
    t = (ends[1:, None] + ends[:-1, None]) / 2 - x
    high, low = crowd.raised
    below = crowd.protected & (f * t * t - b * t - a < 0)
    bits = np.packbits(below, axis=1)  # rows of bytes sort as the entries would, and sooner
    _, which = np.unique(bits.view(np.dtype((np.void, bits.shape[1]))).ravel(), return_index=True)
    entries = np.where(below[which], high, low)
    entries /= entries.max(axis=1, keepdims=True)
    mass = entries @ f
    # The score as its distance from the input next to it: for a large ε it differs from it by less than a float shows.
    near = np.abs((entries @ (f * x + b / 2) / mass)[:, None] - x).argmin(axis=1)
    beside = x - x[near][:, None]
    away = (np.sum(entries * (f * beside + b / 2), axis=1) / mass)[:, None] - beside
    terms = entries * np.stack([f * away**2, -b * away, np.broadcast_to(-a, away.shape)])
    return BestColumns(
        ScoredColumns(entries.T, away.T), terms.sum(axis=(0, 2)), entries @ (crowd.protected / crowd.protected.sum()),
        ROUNDING * len(x) * np.abs(terms).sum(axis=(0, 2)),
    )  # fmt: skip


def certified(crowd: InputShares, a: Vector, b: Vector) -> float:
    """A lower bound of n·Var from any prices: a is lowered until no column at any real score costs less than 0.

    By duality Σ a of feasible prices is one. The least lowering is the root of a concave function; Newton's steps
    come to it from one side, and the last one adds what rounding may hide.
    """
    open_ = np.flatnonzero(~crowd.protected)
    a = a.copy()
    a[open_] = np.minimum(a[open_], -(b[open_] ** 2) / (4 * crowd.shares[open_]))
    spread = crowd.protected / crowd.protected.sum()
    lowered = 0.0
    for _ in range(STEPS):
        cheapest = best(crowd, a - lowered * spread, b)
        short = float(cheapest.shortfall.max())
        if short <= 1e-12 * abs(a.sum() - lowered):
            break
        lowered += short
    else:
        return 0.0
    rest = float(((cheapest.doubt - cheapest.worth) / cheapest.weight).max())
    return max(float(a.sum()) - lowered - max(rest, 0.0) - ROUNDING * float(np.abs(a).sum()) * len(a), 0.0)


def unit_columns(crowd: InputShares, a: Vector, b: Vector) -> tuple[ScoredColumns, Vector]:
    """For each input that is not sensitive the column for itself at its best score, and its reduced cost."""
    which = np.flatnonzero(~crowd.protected)
    t = b[which] / (2 * crowd.shares[which])
    away = crowd.x[which] + t - crowd.x[:, None]
    away[which, np.arange(len(which))] = t
    return ScoredColumns(np.eye(len(a))[:, which], away), -(b[which] * t) / 2 - a[which]
