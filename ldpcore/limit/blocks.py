"""An interior-point method for min Σ_j c_j h_jᵀ M_j(x)⁻¹ h_j over the weights x of a channel's columns.

M_j(x) = Σ_k x_k Σ_i v_jki v_jkiᵀ is the information that a channel with weights x has about one kind of question, and
the value is the variance of the best unbiased answers; i runs over the ways in which a report can concern it. Its dual,
over answers φ and multipliers μ of the channel's rows,

    max Σ_j 2 c_j h_jᵀφ_j + Σ μ    with    gain_k(φ) = Σ_j c_j Σ_i (v_jki·φ_j)² ≤ −mean_kᵀ μ  for every column,

proves how far the value is from the least. φ is an unknown of its own, not M⁻¹h: its bounds bend with its square
alone, while M⁻¹h bends most where a channel knows least, so that the proof keeps up with the weights. A step eliminates
φ: what is left has the rank of all the blocks together, and costs one small system and a few passes over the columns.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, get_lapack_funcs

Array = NDArray[np.float64]

TARGET, CLOSE = 1e-9, 1e-6
"""Relative duality gap at which the method stops; and above which it tries again: rounding may hide the last digits."""
ITERATIONS = 60
WAYS = ((0.95, 0.02), (0.5, 0.1))
"""Length of each step as a share of the longest, and least centring: the second where the first goes in circles."""
FITTED, LEAST, MOST = 4, -2.0, 2.0
"""Times that the first weights are brought closer to a channel's, by factors within e^these."""
ROUNDED = 1e-2
"""With products of weights and slacks this far below the target, the gap is one of rounding."""
MODEST = 0.2
"""The first answers, as a part of the best: their bounds are far below those of the best of a poor channel."""
RIDGES = (1e-14, 1e-12, 1e-10, 1e-8)
"""Added to unit diagonals before they are factored: the first that suffices."""
TINY, EPS = np.finfo(float).tiny, np.finfo(float).eps
_FACTOR, _INVERT = get_lapack_funcs(("potrf", "trtri"), dtype=np.float64)  # pyrefly: ignore[not-iterable]  its stubs mean one name


@dataclass(frozen=True)
class InformationBlock:
    """cost · hᵀ M⁻¹ h, M = Σ_k x_k Σ_i v_ki v_kiᵀ."""

    cost: float
    target: Array
    """h (r,)"""
    vectors: Array
    """v (n, ways, r)"""

    @cached_property
    def rows(self) -> tuple[NDArray[np.intp], NDArray[np.bool_], Array]:
        """The vectors that are not 0, half of them may be: the columns that they are of (rows,), where they are
        (n, ways), and they (rows, r).
        """
        there: NDArray[np.bool_] = np.any(self.vectors, axis=2)
        return np.nonzero(there)[0], there, self.vectors[there]

    def factored(self, x: Array) -> tuple[Array, Array]:
        """L⁻¹D and L⁻¹Dh, where D M D = L Lᵀ."""
        column, _, rows = self.rows
        scaled = rows * np.sqrt(x)[column, None]
        root = _inverse_root(scaled.T @ scaled)  # of a matrix with itself BLAS computes only half
        return root, root @ self.target

    def value(self, x: Array) -> float:
        half = self.factored(x)[1]
        return float(self.cost * half @ half)

    def answer(self, x: Array) -> Array:
        """The best, M⁻¹h (r,)."""
        root, half = self.factored(x)
        return half @ root

    def gain(self, answer: Array) -> Array:
        """What each column (n,) adds to the information about these answers; for the best ones also how fast the value
        falls with its weight.
        """
        return self.cost * np.sum((self.vectors @ answer) ** 2, axis=1)


@dataclass(frozen=True)
class Solution:
    """Weights (n,), multipliers of the rows (layers,), answers of every block, value, and its relative gap over these
    columns.
    """

    weights: Array
    multipliers: Array
    answers: tuple[Array, ...]
    value: float
    gap: float


def minimise(blocks: Sequence[InformationBlock], mean: Array, law: Array, target: float = TARGET) -> Solution:
    """The best channel: Σ_k x_k mean_k = 1 in every layer. mean (n, layers), mean @ law = 1, Σ law = 1.

    Mehrotra's predictor and corrector, all sides with the same step; where that goes in circles, with shorter steps
    closer to the central path.
    """
    best = _path(blocks, mean, law, *WAYS[0], target)
    if best.gap > max(target, CLOSE):
        best = min(best, _path(blocks, mean, law, *WAYS[1], target), key=lambda found: found.gap)
    return best


@dataclass(frozen=True)
class _Point:
    """Weights, slacks of the columns' bounds, multipliers, answers; or a direction of all of them."""

    x: Array
    z: Array
    multipliers: Array
    answers: tuple[Array, ...]

    def moved(self, length: float, way: "_Point") -> "_Point":
        answers = tuple(a + length * b for a, b in zip(self.answers, way.answers, strict=True))
        multipliers = self.multipliers + length * way.multipliers
        return _Point(self.x + length * way.x, self.z + length * way.z, multipliers, answers)

    def reach(self, way: "_Point") -> float:
        """The largest step in (0, 1] that keeps weights and slacks positive."""
        return min(_longest(self.x, way.x), _longest(self.z, way.z))


@dataclass(frozen=True)
class _Local:
    """A block at some weights and answers φ, as a step needs it."""

    block: InformationBlock
    weights: Array
    """x"""
    root: Array
    """L⁻¹D, with the inverse of M in it"""
    best: Array
    """M⁻¹h"""
    answer: Array
    gain: Array
    pull: Array
    """Σ_i v_ki (v_ki·φ) (r, n)"""

    def bend(self, out: Array) -> None:
        """B (r, n): BᵀB is how the bounds bend with the weights."""
        np.matmul(np.sqrt(2 * self.block.cost) * self.root, self.pull, out=out)

    @property
    def value(self) -> float:
        return float(self.block.cost * self.block.target @ self.best)

    @property
    def lost(self) -> float:
        """What the bound lacks for the answers' not being the best of this channel: Σ c (φ − M⁻¹h)ᵀ M (φ − M⁻¹h)."""
        column, _, rows = self.block.rows
        return self.block.cost * float(self.weights[column] @ (rows @ (self.answer - self.best)) ** 2)

    def second(self, x: Array, answer: Array) -> tuple[Array, Array]:
        """What a step of these lengths leaves out: of M φ = h (r,), and of the bounds (n,)."""
        column, _, rows = self.block.rows
        seen = rows @ answer
        bound: Array = np.bincount(column, self.block.cost * seen**2, len(x)).astype(float)
        return -((seen * x[column]) @ rows), bound


def _local(block: InformationBlock, x: Array, answer: Array) -> _Local:
    root, half = block.factored(x)
    _, there, rows = block.rows
    seen = np.zeros(there.shape)
    seen[there] = rows @ answer
    # Summed over the ways before they are multiplied: a product instead of one for each.
    pull = np.einsum("kir,ki->rk", block.vectors, seen)
    return _Local(block, x, root, half @ root, answer, block.cost * np.einsum("ki,ki->k", seen, seen), pull)


def _path(
    blocks: Sequence[InformationBlock], mean: Array, law: Array, length: float, centring: float, target: float
) -> Solution:
    """The best point met; `length` of each step as a share of the longest, and the least `centring`."""
    at = _start(blocks, mean, law)
    best = Solution(at.x, at.multipliers, at.answers, np.inf, np.inf)
    for _ in range(ITERATIONS):
        local = [_local(block, at.x, answer) for block, answer in zip(blocks, at.answers, strict=True)]
        value, gain = float(sum(side.value for side in local)), np.sum([side.gain for side in local], axis=0)
        reduced, missing = -gain - mean @ at.multipliers, 1 - mean.T @ at.x
        # What the answers lack, the columns' slacks once the multipliers are shifted below them, what the rows lack.
        parts = (sum(side.lost for side in local), at.x @ (reduced - reduced.min()), abs(missing @ at.multipliers))
        gap = float(sum(parts)) / value + float(np.abs(missing).max())
        if gap < best.gap:
            best = Solution(at.x, at.multipliers, at.answers, value, gap)
        if gap < target or at.x @ at.z < ROUNDED * target * value:
            break
        way = _Step(local, mean, at, at.z - reduced, missing).way(centring)
        at = at.moved(length * at.reach(way), way)
    return best


def _start(blocks: Sequence[InformationBlock], mean: Array, law: Array) -> _Point:
    """Even weights, fitted to the rows; answers that are modest, and multipliers above all their gains."""
    x = np.full(len(mean), 1 / len(mean))
    for _ in range(FITTED):
        x = x * np.exp(np.clip((mean * law) @ -np.log(x @ mean), LEAST, MOST))
    answers = tuple(MODEST * block.answer(x) for block in blocks)
    gain = np.sum([block.gain(answer) for block, answer in zip(blocks, answers, strict=True)], axis=0)
    multipliers = -1.1 * gain.max() * law  # mean @ law = 1
    return _Point(x, -gain - mean @ multipliers, multipliers, answers)


@dataclass(frozen=True)
class _System:
    """What a step solves: the bounds bend with the weights by BᵀB, Z/X is diagonal."""

    root: Array
    """B (r, n), all blocks'"""
    ratio: Array
    """X/Z"""
    inner: Array
    """R with RᵀR = (1 + B X/Z Bᵀ)⁻¹"""
    rows: Array
    """(meanᵀ (BᵀB + Z/X)⁻¹ mean)⁻¹"""

    def solve(self, right: Array) -> Array:
        """(BᵀB + Z/X)⁻¹ right, by Woodbury."""
        scaled = right * self.ratio
        return scaled - (self.inner.T @ (self.inner @ (self.root @ scaled))) @ self.root * self.ratio


def _system(local: Sequence[_Local], mean: Array, ratio: Array) -> _System:
    ends = np.cumsum([len(side.root) for side in local])
    root = np.empty((ends[-1], len(ratio)))
    for side, end in zip(local, ends, strict=True):
        side.bend(out=root[end - len(side.root) : end])
    weighted = root * np.sqrt(ratio)
    curved = weighted @ weighted.T
    curved.ravel()[:: len(root) + 1] += 1
    inner = _inverse_root(curved)
    # By the same formula: a product of small factors, not of whole columns.
    scaled = mean * np.sqrt(ratio)[:, None]
    shared = inner @ (weighted @ scaled)
    sizes, ways = np.linalg.eigh(scaled.T @ scaled - shared.T @ shared)
    some = np.abs(sizes) > mean.shape[1] * EPS * np.abs(sizes).max()
    rows = (ways[:, some] / sizes[some]) @ ways[:, some].T
    return _System(root, ratio, inner, rows)


@dataclass(frozen=True)
class _Step:
    """From a point; `dual` (n,) and `missing` (layers,) are what the bounds and the rows lack there."""

    local: Sequence[_Local]
    mean: Array
    at: _Point
    dual: Array
    missing: Array

    def way(self, centring: float) -> _Point:
        """The direction in which the products of weights and slacks become alike, and smaller."""
        at = self.at
        system = _system(self.local, self.mean, at.x / at.z)
        product, first = at.x @ at.z, self._direction(system, 0.0, None)
        ahead = at.moved(at.reach(first), first)
        centre = max((ahead.x @ ahead.z / product) ** 3, centring) * product / len(at.x)
        return self._direction(system, centre - first.x * first.z, first)

    def _direction(self, system: _System, centre: Array | float, before: _Point | None) -> _Point:
        """To products `centre`, with what the step `before` left out."""
        at, lacking, wanted = self.at, self.dual.copy(), []
        for j, side in enumerate(self.local):
            change = side.best - side.answer
            if before is not None:
                answer, bound = side.second(before.x, before.answers[j])
                change = change + side.root.T @ (side.root @ answer)
                lacking += bound
            lacking += 2 * side.block.cost * (change @ side.pull)
            wanted.append(change)
        force = system.solve(centre / at.x - at.z + lacking)
        multipliers = system.rows @ (self.missing - self.mean.T @ force)
        x = force + system.solve(self.mean @ multipliers)
        answers = [
            change - side.root.T @ (side.root @ (side.pull @ x))
            for change, side in zip(wanted, self.local, strict=True)
        ]
        return _Point(x, (centre - at.z * x) / at.x - at.z, multipliers, tuple(answers))


def _inverse_root(matrix: Array) -> Array:
    """R with RᵀR = matrix⁻¹, from its Cholesky factor scaled to a unit diagonal: rows differ by many magnitudes."""
    # LAPACK itself: the matrices are small, and there are tens of thousands of them.
    every = len(matrix) + 1
    scale = 1 / np.sqrt(np.maximum(matrix.ravel()[::every], TINY))
    unit = matrix * scale * scale[:, None]
    diagonal = unit.ravel()[::every]
    ones = diagonal.copy()
    for ridge in RIDGES:
        np.add(ones, ridge, out=diagonal)
        factor, short = _FACTOR(unit, lower=True, clean=True)
        if not short:
            return _INVERT(factor, lower=True, overwrite_c=True)[0] * scale
        # Rounding left it short of positive: a little more on the diagonal, at the cost of digits.
    raise LinAlgError("the information about some questions is not positive")


def _longest(x: Array, step: Array) -> float:
    """The largest step in (0, 1] that keeps x + step ≥ 0; x > 0."""
    return 1 / max(1.0, -float((step / x).min()))
