"""Intervals of released shares, and of a released mean.

They cover the true share, or mean, of *these* people: the data are given, and only the randomising is random.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from ldpcore import checks
from ldpcore.estimators.consistency import norm_sub
from ldpcore.estimators.intervals import tail
from ldpcore.numeric_randomizer import NumericRandomizer
from ldpcore.randomizer import Randomizer, moved
from ldpcore.set_randomizer import SetRandomizer

Floats = NDArray[np.float64]
Codes = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class _Line:
    """n·Var = share·held + (1 − share)·absent, per value; step: n times the most that one report moves the estimate."""

    absent: Floats
    held: Floats
    step: Floats


def score_interval(
    mechanism: Randomizer | SetRandomizer,
    estimate: ArrayLike,
    n: int,
    level: float = 0.95,
    company: ArrayLike | None = None,
    extra: ArrayLike = 0.0,
    sampled: bool = False,
) -> tuple[Floats, Floats]:
    """The least and the greatest share of each value that n people's unbiased estimates (..., k) do not reject.

    Wilson's score interval (1927) for the exact variance, a straight line in a value's own share; the other shares
    are taken from the estimates. With a correction for continuity, half the step that one report makes: the count of
    a rare value is far from normal. `company` is that of `SetRandomizer.variance`; `extra` (k,) adds variance from
    elsewhere, such as the sampling of long baskets. `sampled`: where nobody knows how long baskets were, the most that
    it can be. If person i keeps an item with chance p_i, 0 without it, the shares after sampling, p̄, scatter by
    Σ p_i(1 − p_i)/n² ≤ p̄(1 − p̄)/n. Ends lie in [0, 1], unless the estimate does not: its interval holds it all the
    same, and the nearest share.
    """
    checks.integer(n, "n (the number of people)", 1)
    seen, far = np.asarray(estimate, float), special.ndtri(tail(level)) ** 2
    if seen.shape[-1:] != (mechanism.k,):
        raise ValueError(f"an interval needs an estimate of each of the {mechanism.k} values, got shape {seen.shape}")
    line = _line(mechanism, seen, n) if isinstance(mechanism, Randomizer) else _line_of_sets(mechanism, seen, company)
    at_zero, slope = far * (line.absent / n + np.asarray(extra, float)), far * (line.held - line.absent) / n
    jump, near = line.step / (2 * n), np.clip(seen, 0, 1)
    bend = far / n if sampled else 0.0
    slope = slope + bend

    def end(start: Floats, sign: int) -> Floats:
        """Where (share − start)² = at_zero + slope·share − bend·share²."""
        inside = slope**2 / 4 + slope * start + at_zero + bend * (at_zero - start**2)
        return (start + slope / 2 + sign * np.sqrt(np.maximum(inside, 0))) / (1 + bend)

    # Less than half a step above nothing is no sign of a holder, whatever the line says of shares below 0.
    least = np.where(seen > jump, end(seen - jump, -1), -np.inf)
    low = np.minimum(np.maximum(least, np.minimum(seen, 0)), np.minimum(seen, near))
    high = np.maximum(np.minimum(end(seen + jump, 1), np.maximum(seen, 1)), np.maximum(seen, near))
    return low, high


# one value per person ------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def _of_values(m: Randomizer) -> tuple[Floats, Floats]:
    """n·Var of each estimate (columns) where all people hold one value (rows): (k, k). And the steps: (k,).

    People report independently, so given the data variances add up over them: they are linear in the shares.
    """
    each = np.array([m.variance(row, 1) for row in np.eye(m.k)])
    return each, m.step()


def _line(m: Randomizer, estimate: Floats, n: int) -> _Line:
    each, step = _of_values(m)
    # Half a person, spread evenly, keeps 1 − f from 0.
    f = (n * norm_sub(estimate) + 0.5 / m.k) / (n + 0.5)
    diagonal = np.diag(each)
    return _Line(np.maximum((f @ each - f * diagonal) / (1 - f), 0), diagonal, step)


# several items per person --------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Kinds:
    """What holds of every kind of items, of which `SetRandomizer.alike` says which are alike.

    held, absent (kinds, m + 1): n·Var if all people have b unmarked items, and the item, or not. step (kinds,). least,
    most: of b.
    """

    held: Floats
    absent: Floats
    step: Floats
    least: int
    most: int


@lru_cache(maxsize=16)
def _of_sets(m: SetRandomizer) -> _Kinds:
    marked, others = np.flatnonzero(m.marked), np.flatnonzero(~m.marked)
    kinds = [np.flatnonzero(m.alike == kind) for kind in range(m.alike.max() + 1)]
    least, most = max(0, m.m - len(marked)), min(m.m, len(others))
    present, absent = np.full((2, len(kinds), m.m + 1), np.nan)
    # The items of every kind first once, and the dummies.
    orders = [marked[::-1], *(np.r_[kind, np.setdiff1d(marked, kind)] for kind in kinds if m.marked[kind[0]])]
    for b in range(least, most + 1):
        for chosen in orders:
            holds = np.bincount(np.r_[others[:b], chosen[: m.m - b]], minlength=m.inner)[: m.k] > 0
            error = m.variance(holds, 1, np.tile(np.arange(m.m + 1) == b, (m.k, 1)))
            for row, kind in enumerate(kinds):
                if holds[kind].any():
                    present[row, b] = error[kind[holds[kind]][0]]
                if not holds[kind].all():
                    absent[row, b] = error[kind[~holds[kind]][0]]
    present, absent = _filled(present, absent), _filled(absent, present)
    unit = np.where(m.marked[: m.k], 1.0, m.unit)
    step = moved(m.invert, np.concatenate([kind[:2] for kind in kinds]), unit)
    return _Kinds(present, absent, np.array([step[kind[0]] for kind in kinds]), least, most)


def _filled(table: Floats, other: Floats) -> Floats:
    """Every b: between and beyond those that can be, the nearest ones; a kind that is never so is like the other."""
    out, b = np.where(np.isnan(table).all(axis=1, keepdims=True), other, table), np.arange(table.shape[1])
    for row in out:
        known = ~np.isnan(row)
        if known.any():
            row[:] = np.interp(b, b[known], row[known])
    return out


def _line_of_sets(m: SetRandomizer, estimate: Floats, company: ArrayLike | None) -> _Line:
    if (linear := m.parted(np.clip(estimate, 0, 1))) is not None:
        held, absent, step = linear
        return _Line(absent, held, step)
    kinds, kind, b = _of_sets(m), m.alike, np.arange(m.m + 1)
    unmarked = np.where(m.marked[: m.k], 0, 1)
    room = min(1e-6, (kinds.most - kinds.least) / 2)
    mean = np.clip(np.sum(estimate * unmarked, axis=-1), kinds.least + room, kinds.most - room)
    laws = np.stack(m.holders(m.open_law(mean)), axis=-2)
    law = laws[..., unmarked, :]
    if company is not None:
        given = np.asarray(company, float)
        law = np.where(given.sum(axis=1, keepdims=True) > 0, given, law)
    f = np.clip(estimate, 0, 1)
    present = np.sum(law * kinds.held[kind], axis=-1)
    # The mean of b among the others, whose variances are linear in b.
    rest = (mean[..., None] - f * (law @ b)) / np.maximum(1 - f, 1e-12)
    absent = np.stack([np.interp(rest, b, row) for row in kinds.absent])[kind, ..., np.arange(m.k)]
    return _Line(np.moveaxis(absent, 0, -1), present, kinds.step[kind])


# one number per person -----------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def _of_numbers(m: NumericRandomizer) -> tuple[float, float]:
    """The largest variance of what one report adds to the unbiased estimate, whatever the number is; and the largest
    third absolute moment over the variance, of the cells' mean reports.
    """
    beside = [np.clip(np.nextafter(m.inputs, side), -1, 1) for side in (-2.0, 2.0)]
    variance = m.moments(np.concatenate([m.inputs, m.points, *beside]), "unbiased")[1]
    mass, total = m.mass(m.points, m.edges), m.partial_moments(m.points, m.edges)[0]
    seen = mass > 0
    off = np.abs(m.score(np.divide(total, mass, out=np.zeros(mass.shape), where=seen).ravel()).reshape(mass.shape)
                 - m.points[:, None])  # fmt: skip
    third, second = np.sum(mass * off**3, axis=1), np.sum(mass * off**2, axis=1)
    return float(variance.max()), float(np.divide(third, second, out=np.zeros(len(third)), where=second > 0).max())


def number_interval(
    mechanism: NumericRandomizer, mean: ArrayLike, n: int, level: float = 0.95
) -> tuple[Floats, Floats]:
    """The least and the greatest mean of n people's numbers, in [-1, 1], that unbiased estimates do not reject.

    z·√(v/n) + (z² − 1)/6·s/n on either side: v is the largest variance that a report can have, s the largest third
    absolute moment over the variance. The second part is what skewness moves a quantile by (Cornish, Fisher 1938), at
    most: at a large ε nearly all reports are right and a rare one is far off, so that errors are far from normal.
    """
    checks.integer(n, "n (the number of people)", 1)
    z, (variance, lean) = -float(special.ndtri(tail(level))), _of_numbers(mechanism)
    half, seen = z * np.sqrt(variance / n) + max(0.0, z**2 - 1) / 6 * lean / n, np.asarray(mean, float)
    return np.clip(seen - half, -1, 1), np.clip(seen + half, -1, 1)
