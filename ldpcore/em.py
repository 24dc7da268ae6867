"""Expectation maximisation for a mixture of known report laws, on any pair of products.

The channel enters only through f ↦ fM (the expected share of every kind of report) and w ↦ Mw (the mean of w under
every value), so structure is worth what it saves: keep-else-uniform costs O(k) per step, a dense matrix O(k²).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Vector = NDArray[np.float64]
Product = Callable[[Vector], Vector]


@dataclass(frozen=True, eq=False)
class Fit:
    """The estimated shares (k,), the total log-likelihood (nats) and the number of products taken."""

    freq: Vector
    log_likelihood: float
    steps: int
    converged: bool


def fit(
    counts: ArrayLike, forward: Product, backward: Product, k: int, *, gain: float = 1e-9, max_steps: int = 10_000
) -> Fit:
    """Maximum-likelihood shares from the histogram `counts` of report kinds, started at uniform.

    Momentum in ln f with a restart whenever the likelihood falls (recipes.md §4); stops when a plain EM step gains
    less than `gain` nats per user. The guard makes the likelihood never fall.
    """
    seen = np.asarray(counts, float)
    n = seen.sum()
    freq = previous = np.full(k, 1 / k)
    value, momentum = _log_likelihood(seen, forward(freq)), 1.0
    for step in range(1, max_steps + 1):
        ahead = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        trial = _push(freq, previous, (momentum - 1) / ahead)
        new = _step(seen, forward(trial), backward, trial)
        new_value = _log_likelihood(seen, forward(new))
        plain = momentum == 1.0
        if new_value < value:
            if plain:
                return Fit(freq, value, step, True)
            momentum, previous = 1.0, freq
            continue
        if plain and new_value - value < gain * n:
            return Fit(new, new_value, step, True)
        slow = new_value - value < gain * n
        previous, freq, value = freq, new, new_value
        # A small accelerated gain proves nothing; the plain step from here decides.
        momentum = 1.0 if slow else ahead
    return Fit(freq, value, max_steps, False)


def _step(seen: Vector, expected: Vector, backward: Product, freq: Vector) -> Vector:
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(seen > 0, seen / expected, 0.0)
    new = freq * backward(ratio)
    return new / new.sum()


def _push(freq: Vector, previous: Vector, beta: float) -> Vector:
    if beta == 0:
        return freq
    with np.errstate(divide="ignore", invalid="ignore"):
        pushed = np.where(freq > 0, freq * (freq / previous) ** beta, 0.0)
    pushed = np.nan_to_num(pushed, nan=0.0, posinf=0.0)
    return pushed / pushed.sum()


def _log_likelihood(seen: Vector, expected: Vector) -> float:
    used = seen > 0
    with np.errstate(divide="ignore"):
        return float(seen[used] @ np.log(expected[used]))
