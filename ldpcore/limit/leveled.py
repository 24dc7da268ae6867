"""The limit where every value has its own ε: the program of levels.py with one E per level (theory/levels#limit).

A level that is not public is a level of values with equal shares, whose raised entries are its own E; public values are
N of ULDP. So the columns are: how many values of each level are raised, and the disclosing one.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import nnls

from ldpcore import checks
from ldpcore import levels as definition

from .levels import LevelProgram, LevelSummary, plain, utility
from .shares import MOST_EPSILON, solve

Array = NDArray[np.float64]

MOST_ORBITS = 300_000
"""Ways to raise some values of each level, up to which the program is solved."""
CRUMBS = (1e-6, 1e-10)
"""Weights below which columns are left out: the first that costs next to nothing."""
ENOUGH = 1e-6
"""Relative error that leaving out may cost."""


@dataclass(frozen=True)
class LevelOrbit:
    """All columns with `raised[b]` values of level b raised by that level's E; levels as in `levels.blocks`."""

    raised: tuple[int, ...]
    weight: float


@dataclass(frozen=True, eq=False)
class LevelsLimit:
    """The least error of a channel that keeps `epsilons` and is fixed before the data; n·Var, given the data."""

    epsilons: tuple[float, ...]
    mse: float
    """n·MSE over the values that count: what the channel made of `columns` and `disclosing` reaches."""
    gap: float
    """Certified: none has less than mse·(1 − gap)."""
    variance: Array
    """(k,) n·Var of every value, at shares that are even within each level; nan where a level does not count."""
    columns: tuple[LevelOrbit, ...]
    disclosing: float
    """The probability with which a public value is sent openly."""


def best_levels(
    epsilons: Sequence[float] | ArrayLike, freq: ArrayLike | None = None, counted: ArrayLike | None = None
) -> LevelsLimit:
    """The least mean error of an unbiased estimate from a channel in which every value has its own ε.

    epsilons (k,): nats, math.inf for a public value; freq (k,): the shares, None: uniform; counted: over which values
    the mean is, a bool mask (k,), None: all. Only what each level has together counts: the channel and its estimate are
    fixed before the data, and the error is the mean over which values of a level are the common ones, as in `best`; at
    shares even within each level it is the limit for these very shares, as in `best_for`. ε ≤ 10 where it is finite.
    ValueError or TypeError with a sentence.

    >>> limit = best_levels([math.inf] * 8 + [2.0] * 5 + [0.5] * 5)
    >>> round(limit.mse, 3), limit.gap < 1e-5, limit.variance[[0, 8, 13]].round(3).tolist()
    (2.966, True, [0.214, 1.108, 9.226])
    >>> round(best_levels([math.inf] * 8 + [0.5] * 10).mse / limit.mse, 2)  # the private ones treated as secret
    2.19
    >>> secret = [False] * 13 + [True] * 5  # none that keeps the levels errs less on the secret ones
    >>> round(best_levels(limit.epsilons, counted=secret).mse, 3)
    8.878
    """
    given = definition.checked(epsilons)
    share, mask = checks.shares(freq, len(given)), _counted(counted, len(given))
    parts = definition.blocks(given)
    _affordable(parts)
    public = np.flatnonzero(np.isinf(given))
    members = [part.codes for part in parts] + ([public] if len(public) else [])
    weight = np.array([mask[codes].mean() for codes in members]) / mask.sum()
    if not parts or (not weight[: len(parts)].any() and share[public].sum() == 0):  # nobody's error, or nobody
        return LevelsLimit(given, 0.0, 0.0, np.where(mask, 0.0, math.nan), (), 0.0 if parts else 1.0)
    if len(public) == len(given) - 1 and share[public].sum() == 0:  # all have the one value that is left: it is known
        loud = 1 + parts[0].e_minus_1
        known = np.where(mask, 0.0, math.nan)
        return LevelsLimit(given, 0.0, 0.0, known, (LevelOrbit((1,), 1 / loud),), parts[0].e_minus_1 / loud)
    number = np.array([len(part.codes) for part in parts])
    mass = np.array([share[part.codes].sum() for part in parts]) / share.sum()
    e_minus_1 = np.array([part.e_minus_1 for part in parts])
    inside = LevelSummary(mass / number, number, 1.0)
    others = np.full(len(public), share[public].sum() / share.sum() / max(len(public), 1))
    plainly = utility(inside, others, 1.0, e_minus_1) if len(public) else plain([inside], e_minus_1)
    base = np.array([len(codes) * (f - f**2) for codes, f in zip(members, [*inside.share, *others[:1]], strict=True)])
    task = replace(plainly, within=plainly.within * weight, between=plainly.between * weight, base=float(weight @ base))
    optimum, rows = solve(task)
    levels, whole = _Given(number, e_minus_1, mass, bool(len(public))), optimum.value - task.base
    few, x, total = rows, optimum.weights, optimum.value
    for crumb in CRUMBS:
        few, x = _few(rows, optimum.weights, levels, crumb)
        total = sum(block.value(x) for block in task.blocks(few))
        if total - optimum.value < ENOUGH * whole:
            break
    rows = few
    each = np.full(len(given), math.nan)
    for codes, counts, error, less in zip(members, weight, _errors(task, rows, x), base, strict=True):
        if counts > 0:
            each[codes] = (error / counts - less) / len(codes)
    mse = total - task.base
    ordinary = levels.ordinary(rows)
    part = levels.part(rows[ordinary])
    weights = x[ordinary] * levels.unit(part)
    raised = np.round(part * number).astype(int).tolist()
    columns = tuple(LevelOrbit(tuple(some), float(w)) for some, w in zip(raised, weights, strict=True))
    least = optimum.value * (1 - optimum.gap) - task.base
    return LevelsLimit(given, mse, max(0.0, 1 - least / mse), each, columns, float(x[~ordinary].sum()) * levels.size)


def is_computed(epsilons: Sequence[float] | ArrayLike) -> bool:
    """Whether `best_levels` has an answer for such ε (k,): none above 10 but inf, and few levels.

    >>> is_computed([math.inf, 1.0, 0.5]), is_computed([math.inf, 12.0])
    (True, False)
    """
    return not _why_not(definition.blocks(definition.checked(epsilons)))


def _counted(counted: ArrayLike | None, k: int) -> NDArray[np.bool_]:
    mask = np.ones(k, bool) if counted is None else checks.mask(counted, k)
    if not mask.any():
        raise ValueError("counted counts no value's error; mark at least one value, or leave it out")
    return mask


def _affordable(parts: tuple[definition.LevelBlock, ...]) -> None:
    if why := _why_not(parts):
        raise ValueError(why)


def _why_not(parts: tuple[definition.LevelBlock, ...]) -> str:
    if parts and parts[-1].epsilon > MOST_EPSILON:
        return (
            f"the limit for levels is computed up to ε = {MOST_EPSILON:g}, got {parts[-1].epsilon:g}; above it "
            "rounding hides so small an error: make that level public, or choose a smaller ε"
        )
    orbits = math.prod(len(part.codes) + 1 for part in parts)
    if orbits > MOST_ORBITS:
        return (
            f"{len(parts)} levels that are not public, of {', '.join(str(len(part.codes)) for part in parts)} values, "
            f"make {orbits:.3g} kinds of reports, more than the {MOST_ORBITS} that the limit is computed with; use "
            "fewer levels (gRR and gSub need no limit)"
        )
    return ""


@dataclass(frozen=True, eq=False)
class _Given:
    """The levels that are not public: how many values, E − 1, share of the people; and whether any value is public."""

    number: NDArray[np.intp]
    e_minus_1: Array
    mass: Array
    public: bool

    @property
    def size(self) -> int:
        """Levels, the public one too."""
        return len(self.number) + self.public

    def ordinary(self, rows: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Which columns do not disclose."""
        return rows < math.prod(self.number + 1)

    def part(self, rows: NDArray[np.intp]) -> Array:
        """Raised share of each level (n, levels) in ordinary columns."""
        return np.array(np.unravel_index(rows, tuple(self.number + 1))).T / self.number

    def unit(self, part: Array) -> Array:
        """W of one scaled unit of these ordinary columns: the program scales each to a mean of 1 over the levels."""
        return self.size / (self.size + (self.e_minus_1 * part).sum(axis=1))

    def rule(self, part: Array) -> Array:
        """(rows, n) What makes a channel: rule @ W = 1, that is Σ W(1 + δ_b) = 1; for public values Σ W + r = 1, r
        last.
        """
        rows = 1 + (self.e_minus_1 * part).T
        if not self.public:
            return rows
        return np.block([[rows, np.zeros((len(rows), 1))], [np.ones(rows.shape[1]), np.ones(1)]])

    def features(self, part: Array) -> Array:
        """(features, n) Σ W, Σ Wδ_b, Σ Wδ_bδ_c/m and Σ Wλ_b, with δ_b = (E_b − 1)·(raised share), say all of a channel;
        written so, they keep their digits at small ε.
        """
        delta = self.e_minus_1 * part
        m = 1 + delta @ self.mass
        one, other = np.triu_indices(len(self.number))
        apart = self.e_minus_1**2 * part * (1 - part)
        rows = [np.ones(len(m)), *delta.T, *(delta[:, one] * delta[:, other] / m[:, None]).T, *(apart / m[:, None]).T]
        return np.array(rows)


def _few(rows: NDArray[np.intp], x: Array, levels: _Given, crumb: float) -> tuple[NDArray[np.intp], Array]:
    """A few of these columns with the same information, and what makes them a channel, exactly."""
    ordinary = levels.ordinary(rows)
    kept = ordinary & (x > crumb)
    part = levels.part(rows[kept])
    features, rule = levels.features(part), levels.rule(part)
    unit = np.append(levels.unit(part), [levels.size] * levels.public)
    weights = np.append(x[kept], x[~ordinary]) * unit
    if levels.public:  # the disclosing column has a number of its own
        features = np.block([[features, np.zeros((len(features), 1))], [np.zeros(features.shape[1]), np.ones(1)]])
    size = np.maximum(np.abs(features).max(axis=1), 1e-300)
    chosen = nnls(features / size[:, None], features @ weights / size)[0]
    used = chosen > crumb
    # What rounding left is spread where there is weight.
    moved = rule[:, used] * chosen[used]
    fixed = chosen[used] + moved.T @ np.linalg.lstsq(moved @ rule[:, used].T, 1 - rule[:, used] @ chosen[used])[0]
    if (fixed < 0).any() or np.abs(rule[:, used] @ fixed - 1).max() > 1e-13:
        used, fixed = np.ones(len(weights), bool), weights
    few = np.append(rows[kept], rows[~ordinary])[used]
    return few, fixed / unit[used]


def _errors(task: LevelProgram, rows: NDArray[np.intp], x: Array) -> Array:
    """What each level adds to the error, in the order of the program; what is known errs nothing."""
    unknown = ~task.known
    out, terms = np.zeros(len(task.number)), iter(task.blocks(rows))
    for g in np.flatnonzero((task.within > 0) & unknown):
        out[g] += next(terms).value(x)
    if unknown.sum() > 1:
        for g in np.flatnonzero(unknown)[task.between[unknown] > 0]:
            out[g] += next(terms).value(x)
    return out
