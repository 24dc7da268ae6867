"""What is possible: a strategy optimised for the ranges asked, and the bound below which none can go.

p-Identity (McKenna, Miklau, Hay, Machanavajjhala 2018, HDMM §4): A = [I; Θ]·diag(1/s), s_j = 1 + Σ_i Θ_ij, Θ ≥ 0
(p, N), so Δ = 1. With Y = diag(s)·G·diag(s) (G: mean of I Iᵀ over the ranges) and M = (I + ΘᵀΘ)⁻¹, the mean of c is

    f = tr(Y M) = tr Y − tr(K Θ Y Θᵀ),  K = (I + ΘΘᵀ)⁻¹ (p, p),   ∂f/∂Θ = −2 Θ M Y M + 2·1·diag(G diag(s) M)ᵀ:

O(pN²) a step. Not convex: what is found bounds the best from above. Descent ends beside a good strategy or at a poor
one (the flat histogram is a minimum at every N), so the known strategies are compared with what it finds.
"""

from collections.abc import Callable
from dataclasses import replace
from itertools import count

import numpy as np
from scipy.optimize import minimize

from ldpcore import checks
from ldpcore.ranges.arguments import Vector
from ldpcore.ranges.matrix import Matrix
from ldpcore.ranges.privelet import Privelet
from ldpcore.ranges.search import best_weights
from ldpcore.ranges.strategy import Strategy
from ldpcore.ranges.tree import Identity, Tree
from ldpcore.ranges.workload import Workload, gram_of_all

MAX_SIZE = 1024
STEPS = 1500
Progress = Callable[[int, int], object]


def optimised(
    size: int,
    rng: np.random.Generator,
    workload: Workload | None = None,
    rows: int | None = None,
    restarts: int = 1,
    progress: Progress | None = None,
) -> Matrix:
    """The best strategy found for all ranges of N = size cells, or for a workload; N ≤ 1024, Δ = 1.

    A p-Identity strategy, or a known one where that is better: flat, Privelet, a tree or the best hierarchy, none of
    which has a smaller error than what is returned. rows: p, None: N/16, between 8 and 32. It depends on no data, so
    it costs no budget. `progress` is called after every step with (steps done, the most there can be): it ends earlier
    when it no longer gains; raise to stop it.
    """
    gram = _gram(size, workload)
    size = len(gram)
    p = checks.integer(min(size, 32, max(8, size // 16)) if rows is None else rows, "rows (of Θ)", 1, size)
    starts = [rng.random((p, size)) for _ in range(checks.integer(restarts, "restarts", 1))]
    optima = [_minimise(gram, start, progress) for start in starts]
    value, theta = min(optima, key=lambda pair: pair[0])
    known = _known(size, workload)
    costs = [_cost(strategy, gram) for strategy in known]
    if min(costs) <= value:
        return Matrix(_among(known[int(np.argmin(costs))].matrix(), size))
    return Matrix(np.vstack([np.eye(size), theta]) / (1 + theta.sum(axis=0)))


def svd_bound(size: int, workload: Workload | None = None) -> float:
    """A bound on the mean of Δ²c that no strategy is below: (Σ singular values of the workload)²/N (Li, Miklau 2013).

    It holds for noise scaled to the L2 norm of a column, which is at most the L1 norm; times 2/ε² it is a variance.
    """
    gram = _gram(size, workload)
    return float(np.sqrt(np.clip(np.linalg.eigvalsh(gram), 0, None)).sum() ** 2 / len(gram))


def _gram(size: int, workload: Workload | None) -> Vector:
    size = checks.integer(size, "size (the number of cells, for a dense optimisation)", 1, MAX_SIZE)
    if workload is not None and workload.size != size:
        raise ValueError(f"the ranges are among {workload.size} cells, not {size}; use one N")
    return gram_of_all(size) if workload is None else workload.gram()


def _known(size: int, workload: Workload | None) -> list[Strategy]:
    """The consistent strategies over the cells, and empty ones up to 2^h; a plain tree is never better than its own."""
    h = (size - 1).bit_length()
    trees = [Tree(h, 1 << step, True, root) for step in range(1, h + 1) for root in (False, True)]
    padded = None if workload is None else replace(workload, size=1 << h)
    return [Identity(h), Privelet(h), *trees, best_weights(h, padded)]


def _cost(strategy: Strategy, gram: Vector) -> float:
    """Δ²·c̄ over ranges of the first cells, from the covariance of the released ones."""
    cells = np.arange(1, len(gram) + 1)
    return strategy.sensitivity**2 * float(np.sum(gram * strategy.covariance(cells[:, None], cells)))


def _among(matrix: Vector, size: int) -> Vector:
    """A strategy without its empty cells, scaled to Δ = 1: its error is no larger, as it has fewer unknowns."""
    matrix = matrix[:, :size]
    matrix = matrix[np.any(matrix != 0, axis=1)]
    return matrix / np.abs(matrix).sum(axis=0).max()


def _minimise(gram: Vector, start: Vector, progress: Progress | None) -> tuple[float, Vector]:
    shape, steps = start.shape, count(1)

    def step(xk: Vector) -> None:
        if progress is not None:
            progress(next(steps), STEPS)

    def objective(flat: Vector) -> tuple[float, Vector]:
        value, slope = value_and_slope(gram, flat.reshape(shape))
        return value, slope.ravel()

    result = minimize(
        objective, start.ravel(), jac=True, method="L-BFGS-B", bounds=[(0, None)] * start.size, callback=step,
        options={"maxiter": STEPS, "maxfun": 3000, "ftol": 1e-6},
    )  # fmt: skip
    return float(result.fun), result.x.reshape(shape)


def value_and_slope(gram: Vector, theta: Vector) -> tuple[float, Vector]:
    """f and ∂f/∂Θ."""
    scale = 1 + theta.sum(axis=0)
    small = np.linalg.solve(np.eye(len(theta)) + theta @ theta.T, theta)  # KΘ
    scaled = theta * scale
    seen = scaled @ gram  # Θ·diag(s)·G
    right = (small * scale) @ gram * scale  # KΘY
    value = float(scale**2 @ np.diag(gram)) - float(np.sum(right * theta))
    through = right - (right @ theta.T) @ small  # ΘMYM, as ΘM = KΘ
    from_scale = 2 * (np.diag(gram) * scale - np.sum(seen * small, axis=0))
    return value, from_scale - 2 * through
