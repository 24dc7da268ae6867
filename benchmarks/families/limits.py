"""The limits: convex programs with a certificate, by the number of answers. No answer is kept: every ε is a new one."""

import itertools
import math
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from benchmarks.case import LINEAR, Case, Family, Growth, Measured, Work
from ldpcore import limit
from ldpcore.leveled_parts import Parts
from ldpcore.rng import stream

Solve = Callable[[int, float], object]
"""k and ε → a solved limit."""


def _half(k: int) -> np.ndarray:
    return np.arange(k) % 2 == 0


def _uneven(k: int, levels: int = 4) -> np.ndarray:
    """Shares with so many different values."""
    shares = 1.0 + stream(1, "benchmark", "uneven", k).integers(0, levels, k)
    return shares / shares.sum()


def _levels(k: int, epsilon: float) -> limit.LevelsLimit:
    kind = np.arange(k) % 3
    return limit.best_levels(np.where(kind == 0, math.inf, np.where(kind == 1, 2 * epsilon, epsilon)))


def _mean(k: int, epsilon: float) -> limit.MeanLimit:
    x = np.linspace(-1, 1, k)
    return limit.best_mean(epsilon, x, np.full(k, 1 / k), x > 0)


def _nodes(k: int, epsilon: float) -> limit.Nodes:
    return limit.nodes(Parts([(-1.0, 0.0, math.inf), (0.0, 0.5, 2 * epsilon), (0.5, 1.0, epsilon)]))


SOLVES: dict[str, tuple[Solve, tuple[int, ...], float | None]] = {
    "best, LDP": (lambda k, e: limit.best("LDP", k, 0, e), (16, 128, 1024), LINEAR),
    "best, ULDP": (lambda k, e: limit.best("ULDP", k, k // 2, e), (16, 128, 1024), LINEAR),
    "best, guarded SDLDP": (lambda k, e: limit.best("guarded SDLDP", k, k // 2, e), (16, 128, 1024), LINEAR),
    "best_for, LDP": (lambda k, e: limit.best_for("LDP", _uneven(k), None, e), (16, 64, 256), LINEAR),
    "best_for, ULDP": (lambda k, e: limit.best_for("ULDP", _uneven(k), _half(k), e), (16, 64, 256), LINEAR),
    "best_levels": (_levels, (18, 72, 288), LINEAR),
    "best_mean": (_mean, (8, 16, 32, 64), 3.0),
    "best_sets, m = 3": (lambda k, e: limit.best_sets(k, k // 2, 3, e), (16, 64, 256), LINEAR),
    "nodes": (_nodes, (3,), None),
}
"""What is solved, at which k, and the exponent in k that is promised."""


def solved(solve: Solve, k: int) -> Work:
    near = itertools.count()
    return lambda: solve(k, 1.0 + next(near) * 1e-6)


def cases(quick: bool) -> Iterator[Measured]:
    for name, (solve, sizes, most) in SOLVES.items():
        k = sizes[0]
        yield Case(name, {"k": k, "ε": 1.0}, lambda solve=solve, k=k: (solved(solve, k), None))
        if most is not None and not quick:
            yield Growth(name, "k", sizes, partial(solved, solve), most, {"ε": 1.0})


FAMILY = Family(
    "limits",
    "Limits",
    "One point of a limit, solved from a cold start, half of the values marked; shares given in advance have "
    "four different values; levels are a third public, a third at 2ε, a third at ε.",
    cases,
)
