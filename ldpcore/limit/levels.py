"""The program for given shares with few levels: values of a side with equal shares are alike.

A column's orbit is how many values of each level it raises. Then J has a number for each level (λ, telling its values
apart) and a matrix between levels; J = K + 11ᵀ with K f = 0, so with any basis B of the complement of 1

    tr(W(J⁻¹ − diag f)) = Σ_levels w(number − 1)/λ + tr(W B(BᵀKB)⁻¹Bᵀ) − Σ w(f − f²),   BᵀKB = Σ x (Bᵀq)(Bᵀq)ᵀ/(qᵀf),

which keeps its digits at small ε. Values with f = 0 of N: a report that discloses them never comes, whatever its
probability, so they are known to be 0 and only what their labels may carry counts.
N under ULDP: all are disclosed with the same r, so with P = Σ_N f² it is one value of share F_N and variance V, and
Σ_N = (V + F_N²)P/F_N² + (F_N − P/F_N)/r − F_N.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .blocks import InformationBlock

Array = NDArray[np.float64]
EMinus1 = float | Array
"""E − 1, of all levels or of each."""


@dataclass(frozen=True)
class LevelSummary:
    """Values by level: (levels,) their share and their number; what one value's error weighs."""

    share: Array
    number: Array
    weight: float

    @property
    def base(self) -> float:
        """Σ w(f − f²)."""
        return float(self.weight * self.number @ (self.share - self.share**2))


@dataclass(frozen=True)
class ColumnMoments:
    """(n, levels) the mean of an orbit's entries, summed over its labels, and Σ(q − mean)²/(number − 1); (n,) qᵀf."""

    mean: Array
    spread: Array
    density: Array


@dataclass(frozen=True)
class LevelProgram:
    """min Σ within/λ + tr(…) over the weights of `columns`; the error is that less `base`."""

    columns: ColumnMoments
    number: Array
    """(levels,) how many values each has"""
    within: Array
    """(levels,) what 1/λ costs"""
    between: Array
    """(levels,) what the variance between levels costs; a level's own component is √number times its mean"""
    base: float
    known: NDArray[np.bool_]
    """(levels,) which are known to be 0"""
    open_rows: NDArray[np.intp]
    """Columns that alone make a channel: those that raise nothing, and those that disclose."""

    def blocks(self, rows: NDArray[np.integer]) -> list[InformationBlock]:
        """The program's terms for these columns."""
        columns, unknown = self.columns, ~self.known
        root = 1 / np.sqrt(columns.density[rows])
        out = [
            InformationBlock(
                float(self.within[g]), np.ones(1), (np.sqrt(columns.spread[rows, g]) * root)[:, None, None]
            )
            for g in np.flatnonzero((self.within > 0) & unknown)
        ]
        if unknown.sum() < 2:
            return out  # one share that is known, as they sum to 1
        size = np.sqrt(self.number[unknown])
        basis = np.linalg.svd(size[None])[2][1:]
        vectors = (columns.mean[rows][:, unknown] * size) @ basis.T * root[:, None]
        costs = self.between[unknown]
        return out + [
            InformationBlock(float(costs[g]), basis[:, g], vectors[:, None]) for g in np.flatnonzero(costs > 0)
        ]


def plain(sides: list[LevelSummary], e_minus_1: EMinus1) -> LevelProgram:
    """LDP: entries 1 and E on all values; every level may have its own E."""
    share, number = (np.concatenate([getattr(side, name) for side in sides]) for name in ("share", "number"))
    weight = np.concatenate([np.full(len(side.share), side.weight) for side in sides])
    mean, spread = _raised(number, e_minus_1)
    columns = _scaled(
        mean[:-1], spread[:-1], mean[:-1] @ (number * share)
    )  # all raised is none raised, or can be split
    return LevelProgram(
        columns,
        number,
        weight * (number - 1),
        weight,
        sum(side.base for side in sides),
        np.zeros(len(share), bool),
        np.zeros(1, np.intp),
    )


def utility(inside: LevelSummary, others: Array, weight: float, e_minus_1: EMinus1) -> LevelProgram:
    """ULDP: entries 1 and E on S, 1 on N; and one that discloses N. The last level is N. Every level of S may have its
    own E.
    """
    mass, squares = float(others.sum()), float(others @ others)
    mean, spread = _raised(inside.number, e_minus_1)
    n, levels = mean.shape
    mean = np.vstack([np.hstack([mean, np.ones((n, 1))]), np.eye(levels + 1)[-1:]])
    # λ of the last level is r
    spread = np.vstack([np.pad(spread, ((0, 0), (0, 1))), mass * np.eye(levels + 1)[-1:]])
    density = mean @ np.append(inside.number * inside.share, mass)
    known = np.append(np.zeros(levels, bool), mass == 0)
    apart, whole = (mass - squares / mass, squares / mass**2) if mass else (0.0, 0.0)
    return LevelProgram(
        _scaled(mean, spread, np.where(density > 0, density, 1.0)),
        np.append(inside.number, 1),
        np.append(inside.weight * (inside.number - 1), weight * apart),
        np.append(np.full(levels, inside.weight), weight * whole),
        inside.base + weight * (mass - squares),
        known,
        np.array([0, n]),
    )


def guarded(inside: LevelSummary, outside: LevelSummary, e_minus_1: float) -> LevelProgram:
    """Guarded SDLDP: a label of N with {1, E}/τ on S, or alone. A column stands for all labels of a level at once."""
    raised, apart = _raised(inside.number, e_minus_1)
    n, levels = raised.shape
    tau, others = outside.number.sum(), len(outside.number)
    means, spreads, densities = [], [], []
    for g, (share, labels) in enumerate(zip(outside.share, outside.number, strict=True)):
        label = np.eye(others)[g]
        means += [np.hstack([labels * raised / tau, np.tile(label, (n, 1))]), np.append(np.zeros(levels), label)[None]]
        spreads += [
            np.hstack([(labels / tau) ** 2 * apart, np.tile(labels * label, (n, 1))]),
            np.append(np.zeros(levels), labels * label)[None],
        ]
        densities += [labels * (share + raised @ (inside.number * inside.share) / tau), [labels * share]]
    density = np.concatenate(densities)
    # Where nobody is in S, a label that nobody has shows all of S at no cost either.
    never = np.full(levels, bool((inside.share == 0).all() and (outside.share == 0).any()))
    return LevelProgram(
        _scaled(np.vstack(means), np.vstack(spreads), np.where(density > 0, density, 1.0)),
        np.append(inside.number, outside.number),
        np.append(inside.weight * (inside.number - 1), outside.weight * (outside.number - 1)),
        np.append(np.full(levels, inside.weight), np.full(others, outside.weight)),
        inside.base + outside.base,
        np.append(never, outside.share == 0),
        np.concatenate([np.array([0, n]) + g * (n + 1) for g in range(others)]),
    )


def _raised(number: Array, e_minus_1: EMinus1) -> tuple[Array, Array]:
    """Mean and spread (n, levels) of every way to raise some values of each level by E."""
    counts = np.stack(np.meshgrid(*[np.arange(size + 1) for size in number], indexing="ij"), axis=-1)
    part = counts.reshape(-1, len(number)) / number
    return 1 + e_minus_1 * part, e_minus_1**2 * part * (1 - part) * number / np.maximum(number - 1, 1)


def _scaled(mean: Array, spread: Array, density: Array) -> ColumnMoments:
    """Each orbit weighed so that its mean over the levels is 1."""
    unit = 1 / mean.mean(axis=1)
    return ColumnMoments(mean * unit[:, None], spread * (unit**2)[:, None], density * unit)
