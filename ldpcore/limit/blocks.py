"""An interior-point method for min Σ_j c_j h_jᵀ M_j(x)⁻¹ h_j over the weights x of a channel's columns.

M_j(x) = Σ_k x_k Σ_i v_jki v_jkiᵀ is the information that a channel with weights x has about one kind of question, and
the value is the variance of the best unbiased answers; i runs over the ways in which a report can concern it. It is
convex, its Hessian has the rank of all the blocks together, so a Newton step costs one small system and a few passes
over the columns. Certificate: the value's tangent at x, minimised over all channels of these columns.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, get_lapack_funcs

Array = NDArray[np.float64]

TARGET = 1e-7
"""Relative duality gap at which the method stops."""
ITERATIONS = 60
ROUGH = 1e-4
"""Above this target long steps are of no use."""
RIDGES = (1e-14, 1e-12, 1e-10, 1e-8)
"""Added to unit diagonals before they are factored: the first that suffices."""
_FACTOR, _SOLVE = get_lapack_funcs(("potrf", "trtrs"), dtype=np.float64)  # pyrefly: ignore[not-iterable]  its stubs mean one name


@dataclass(frozen=True)
class InformationBlock:
    """cost · hᵀ M⁻¹ h, M = Σ_k x_k Σ_i v_ki v_kiᵀ."""

    cost: float
    target: Array
    """h (r,)"""
    vectors: Array
    """v (n, ways, r)"""

    @cached_property
    def _rows(self) -> tuple[NDArray[np.bool_], Array]:
        """Where the vectors are not 0 (n, ways): half of them may be; and these (rows, r)."""
        there: NDArray[np.bool_] = np.any(self.vectors, axis=2)
        return there, self.vectors[there]

    def factored(self, x: Array) -> tuple[Array, Array]:
        """L⁻¹D and L⁻¹Dh, where D M D = L Lᵀ."""
        there, rows = self._rows
        scaled = rows * np.sqrt(x)[np.nonzero(there)[0]][:, None]
        root = _inverse_root(scaled.T @ scaled)  # of a matrix with itself BLAS computes only half
        return root, root @ self.target

    def value(self, x: Array) -> float:
        half = self.factored(x)[1]
        return float(self.cost * half @ half)

    def derivatives(self, x: Array) -> tuple[float, Array, Array]:
        """Value, gradient (n,), and B (r, n) with Hessian BᵀB."""
        root, half = self.factored(x)
        there, rows = self._rows
        answer = np.zeros(there.shape)
        answer[there] = rows @ (half @ root)
        # L⁻¹ Σ_i v_ki (v_ki·φ): summed over the ways before they are multiplied, a product instead of one for each.
        bent = root @ np.einsum("kir,ki->rk", self.vectors, np.sqrt(2 * self.cost) * answer)
        return float(self.cost * half @ half), -self.cost * np.sum(answer**2, axis=1), bent

    def answer(self, x: Array) -> Array:
        """φ = M⁻¹h (r,)."""
        root, half = self.factored(x)
        return half @ root

    def gain(self, answer: Array) -> Array:
        """How fast the value falls with each column's weight (n,), given φ."""
        return self.cost * np.sum((self.vectors @ answer) ** 2, axis=1)


@dataclass(frozen=True)
class Solution:
    """Weights (n,), multipliers of the rows (layers,), value, and its relative gap over these columns."""

    weights: Array
    multipliers: Array
    value: float
    gap: float


def minimise(blocks: list[InformationBlock], mean: Array, law: Array, target: float = TARGET) -> Solution:
    """The best channel: Σ_k x_k mean_k = 1 in every layer. mean (n, layers), mean @ law = 1.

    Mehrotra's predictor and corrector, both sides with the same step; where that goes in circles, with shorter steps
    closer to the central path.
    """
    ways = ((0.99, 1e-3), (0.5, 0.1)) if target < ROUGH else ((0.7, 0.1), (0.5, 0.1))
    best = _path(blocks, mean, law, *ways[0], target)
    if best.gap > target:
        best = min(best, _path(blocks, mean, law, *ways[1], target), key=lambda found: found.gap)
    return best


def _path(
    blocks: list[InformationBlock], mean: Array, law: Array, length: float, centring: float, target: float
) -> Solution:
    """The best point met; `length` of each step as a share of the longest, and the least `centring`."""
    x = np.full(len(mean), 1 / len(mean))
    value, gradient, root = _sum(blocks, x)
    # mean @ law = 1: all reduced costs begin positive.
    multipliers = (gradient.min() - 0.1 * value) * law
    z = gradient - mean @ multipliers
    best = Solution(x, multipliers, value, np.inf)
    for _ in range(ITERATIONS):
        reduced, missing = gradient - mean @ multipliers, 1 - mean.T @ x
        gap = float(x @ reduced - reduced.min()) / value + float(np.abs(missing).max())
        if gap < best.gap:
            best = Solution(x, multipliers, value, gap)
        if gap < target:
            break
        step = _step(mean, root, x, z, reduced - z, missing, centring)
        reach = length * min(_longest(x, step[0]), _longest(z, step[1]))
        x, z, multipliers = x + reach * step[0], z + reach * step[1], multipliers + reach * step[2]
        value, gradient, root = _sum(blocks, x)
    return best


def _sum(blocks: list[InformationBlock], x: Array) -> tuple[float, Array, Array]:
    values, gradients, roots = zip(*(block.derivatives(x) for block in blocks), strict=True)
    return sum(values), np.sum(gradients, axis=0), np.vstack(roots)


def _step(
    mean: Array,
    root: Array,
    x: Array,
    z: Array,
    dual: Array,
    missing: Array,
    centring: float,
) -> tuple[Array, Array, Array]:
    """Direction of x, z and the multipliers; `dual` and `missing` are what the two sides lack."""
    ratio = x / z
    weighted = root * np.sqrt(ratio)
    inner = _inverse_root(np.eye(len(root)) + weighted @ weighted.T)

    def solve(right: Array) -> Array:
        """(BᵀB + Z/X)⁻¹ right, by Woodbury."""
        scaled = right * ratio
        return scaled - (inner.T @ (inner @ (root @ scaled))) @ root * ratio

    # meanᵀ (BᵀB + Z/X)⁻¹ mean by the same formula: a product of small factors, not of whole columns.
    scaled = mean * np.sqrt(ratio)[:, None]
    shared = inner @ (weighted @ scaled)
    schur = scaled.T @ scaled - shared.T @ shared

    def direction(centre: Array | float) -> tuple[Array, Array, Array]:
        force = solve(centre / x - z - dual)
        dual_step: Array = np.linalg.lstsq(schur, missing - mean.T @ force)[0].astype(float)
        dx = force + solve(mean @ dual_step)
        return dx, (centre - z * dx) / x - z, dual_step

    product = x @ z
    dx, dz, _ = direction(0.0)
    ahead = min(_longest(x, dx), _longest(z, dz))
    centre = max(((x + ahead * dx) @ (z + ahead * dz) / product) ** 3, centring) * product / len(x)
    return direction(centre - dx * dz)


def _inverse_root(matrix: Array) -> Array:
    """R with RᵀR = matrix⁻¹, from its Cholesky factor scaled to a unit diagonal: rows differ by many magnitudes."""
    # LAPACK itself: the matrices are small, and there are tens of thousands of them.
    scale = 1 / np.sqrt(np.maximum(np.diag(matrix), np.finfo(float).tiny))
    unit, size = matrix * scale * scale[:, None], np.eye(len(matrix))
    for ridge in RIDGES:
        factor, short = _FACTOR(unit + ridge * size, lower=True, clean=True)
        if not short:
            return _SOLVE(factor, np.diag(scale), lower=True)[0]
        # Rounding left it short of positive: a little more on the diagonal, at the cost of digits.
    raise LinAlgError("the information about some questions is not positive")


def _longest(x: Array, step: Array) -> float:
    """The largest step in (0, 1] that keeps x + step ≥ 0."""
    falling = step < 0
    return min(1.0, float(np.min(-x[falling] / step[falling], initial=1.0)))
