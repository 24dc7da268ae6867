"""Expectation maximisation for a mixture of known report laws, on any pair of products.

The channel enters only through f ↦ fM (the expected share of every kind of report) and w ↦ Mw (the mean of w under
every value), so structure is worth what it saves: keep-else-uniform costs O(k) per step, a dense matrix O(k²).

>>> import numpy as np
>>> matrix = np.array([[0.75, 0.25], [0.25, 0.75]])  # Pr[report | value]
>>> found = fit([700, 300], Products.of(matrix), k=2)
>>> found.freq.round(4).tolist(), found.converged  # 0.7 = 0.75·0.9 + 0.25·0.1
([0.9, 0.1], True)
>>> stopped = plain([700, 300], Products.of(matrix), k=2, gain=1.0)
>>> stopped.freq.round(2).tolist(), stopped.steps  # an early stop stays near uniform
([0.84, 0.16], 8)
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Vector = NDArray[np.float64]
Product = Callable[[Vector], Vector]


@dataclass(frozen=True, eq=False)
class Products:
    """The two products of EM: `forward`, f ↦ fM, (k,) → (kinds,), and `backward`, w ↦ Mw, (kinds,) → (k,)."""

    forward: Product
    backward: Product

    @classmethod
    def of(cls, matrix: Vector) -> "Products":
        """Those of a dense matrix (k, kinds); they take tables row by row, too."""
        return cls(lambda f: f @ matrix, lambda w: w @ matrix.T)


@dataclass(frozen=True, eq=False)
class Fit:
    """The estimated shares (k,), the total log-likelihood (nats) and the number of products taken."""

    freq: Vector
    log_likelihood: float
    steps: int
    converged: bool


def plain(
    counts: ArrayLike,
    products: Products,
    k: int,
    *,
    gain: float,
    max_steps: int = 10_000,
    smooth: Product | None = None,
) -> Fit:
    """Plain EM steps from uniform until one gains less than `gain` nats in total: the paper's stop is E·10⁻³.

    `counts` (kinds,): how many reports of each kind. Where it stops is part of the estimator (sdldp, algorithm 1):
    structure may make a step cheaper, never skip one. `smooth` follows every step (EMS: Li et al. 2020); the likelihood
    may then fall, and its change decides.
    """
    seen = np.asarray(counts, float)
    freq = np.full(k, 1 / k)
    expected = products.forward(freq)
    value = _log_likelihood(seen, expected)
    for step in range(1, max_steps + 1):
        freq = _step(seen, expected, products.backward, freq)
        if smooth is not None:
            freq = smooth(freq)
        expected = products.forward(freq)
        before, value = value, _log_likelihood(seen, expected)
        if abs(value - before) <= gain:
            return Fit(freq, value, step, True)
    return Fit(freq, value, max_steps, False)


def plain_each(
    counts: ArrayLike,
    products: Products,
    k: int,
    *,
    gain: float,
    max_steps: int = 10_000,
) -> Vector:
    """The shares (r, k) at which `plain` stops for each row of counts (r, kinds), all rows in one step.

    products: of tables row by row; what `forward` gives is positive. Equal to `plain` but for rounding, in a third of
    the time: a step of one row costs calls, not sums.
    """
    seen: Vector = np.asarray(counts, float)
    out = np.full((len(seen), k), 1 / k)
    left, freq = np.arange(len(out)), out.copy()
    expected = products.forward(freq)
    value = _log_likelihoods(seen, expected)
    for _ in range(max_steps):
        freq = freq * products.backward(seen / expected)
        freq /= freq.sum(axis=-1, keepdims=True)
        expected = products.forward(freq)
        before, value = value, _log_likelihoods(seen, expected)
        out[left] = freq  # type: ignore[call-overload]
        on: NDArray[np.bool_] = np.abs(value - before) > gain
        if not on.all():
            left, freq, seen, expected, value = left[on], freq[on], seen[on], expected[on], value[on]
            if not len(left):
                break
    return out


def fit(
    counts: ArrayLike,
    products: Products,
    k: int,
    *,
    gain: float = 1e-9,
    max_steps: int = 10_000,
    target: float = np.inf,
    start: Vector | None = None,
) -> Fit:
    """Maximum-likelihood shares from the histogram `counts` of report kinds, from `start` (k,), all > 0, or uniform.

    `counts` (kinds,): how many reports of each kind. Momentum in ln f with a restart whenever the likelihood falls
    (theory/numbers#em-structure); stops when a plain EM step gains less than `gain` nats per user, or the total
    log-likelihood reaches `target`. The guard makes it never fall.
    """
    seen = np.asarray(counts, float)
    n = seen.sum()
    freq = previous = np.full(k, 1 / k) if start is None else start
    expected = products.forward(freq)
    value, momentum = _log_likelihood(seen, expected), 1.0
    for step in range(1, max_steps + 1):
        ahead = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        trial = _push(freq, previous, (momentum - 1) / ahead)
        new = _step(seen, expected if trial is freq else products.forward(trial), products.backward, trial)
        new_expected = products.forward(new)
        new_value = _log_likelihood(seen, new_expected)
        plain = momentum == 1.0
        if new_value < value:
            if plain:
                return Fit(freq, value, step, True)
            momentum, previous = 1.0, freq
            continue
        if plain and new_value - value < gain * n:
            return Fit(new, new_value, step, True)
        slow = new_value - value < gain * n
        previous, freq, value, expected = freq, new, new_value, new_expected
        if value >= target:
            return Fit(freq, value, step, False)
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
        pushed = freq * (freq / previous) ** beta
    pushed = np.where((freq > 0) & np.isfinite(pushed), pushed, 0.0)
    return pushed / pushed.sum()


def _log_likelihood(seen: Vector, expected: Vector) -> float:
    # Cells without reports count nothing, whatever is expected there.
    with np.errstate(divide="ignore"):
        return float(seen @ np.log(np.where(seen > 0, expected, 1.0)))


def _log_likelihoods(seen: Vector, expected: Vector) -> Vector:
    """Of each row (r,), where all that is expected is positive."""
    return np.einsum("ij,ij->i", seen, np.log(expected))
