"""How uTernary is built: which of its two constructions, with which numbers, is best at a public guess
(theory/numbers#uternary).
"""

from dataclasses import dataclass
from math import exp, expm1, log, sqrt

import numpy as np
from scipy.optimize import minimize_scalar

from ldpcore.numeric_randomizer import Intervals

WIDEST = 2 / 3
"""No window is wider than this share of the reach at the least error, whatever the guess (theory/numbers#uternary)."""
TRIED = 40
"""Widths from which the search for the best one starts."""


@dataclass(frozen=True)
class Guess:
    """Where people are believed to be: `share` have a sensitive value, at a mean (x−s₀)² of `within`; of the others it
    is `beyond`; h² is `square`.
    """

    share: float
    within: float
    beyond: float
    square: float

    @classmethod
    def of(cls, hull: tuple[float, float], low: Intervals, share: float | None, spread: float | None) -> "Guess":
        """The guess for uniform inputs, but for what is given."""
        centre, half = (hull[0] + hull[1]) / 2, (hull[1] - hull[0]) / 2
        ends = np.array(low).reshape(-1, 2)
        length = float(np.sum(ends[:, 1] - ends[:, 0]))
        cubes = (ends - centre) ** 3
        beyond = float(np.sum(cubes[:, 1] - cubes[:, 0])) / 3
        # The hull's own, without what is not sensitive in it.
        inner = (np.clip(ends, *hull) - centre) ** 3
        within = (2 * half**3 - float(np.sum(inner[:, 1] - inner[:, 0]))) / 3 / (2 - length)
        return cls(
            1 - length / 2 if share is None else share, within,
            (beyond / length if length else 0.0) if spread is None else spread, half**2,
        )  # fmt: skip


@dataclass(frozen=True)
class Design:
    """θ, and the window's share π of the reach; None is the three values. `error` is the mean variance at the guess."""

    theta: float
    window: float | None
    error: float

    @property
    def symbols(self) -> float:
        """n: 2, or 1/π."""
        return 2.0 if self.window is None else 1 / self.window

    @property
    def tail(self) -> float:
        """M, the mean square of a report that tells nothing, in units of hB, where it is not s₀."""
        return 1.0 if self.window is None else 1 / (3 * (1 - self.window) ** 2)

    def excess(self, epsilon: float) -> float:
        """B − 1, B the stretch of the scores: (1−θ)/θ + (1/θ + n − 1)/(E − 1)."""
        return (1 - self.theta) / self.theta + (1 / self.theta + self.symbols - 1) / expm1(epsilon)


def best(epsilon: float, guess: Guess) -> Design:
    """The construction, π and θ with the least mean variance at the guess."""
    tried = np.linspace(-epsilon / 3 - 1, log(WIDEST), TRIED)
    errors = [_designed(epsilon, guess, exp(place)).error for place in tried]
    near = int(np.clip(np.argmin(errors), 1, TRIED - 2))
    within = (tried[near - 1], tried[near + 1])
    place = minimize_scalar(
        lambda p: _designed(epsilon, guess, exp(p)).error, bounds=within, method="bounded", options={"xatol": 1e-7}
    ).x
    # At a tie three values, which are simpler.
    return min((_designed(epsilon, guess, window) for window in (None, exp(place))), key=lambda made: made.error)


def _designed(epsilon: float, guess: Guess, window: float | None) -> Design:
    """θ* = min(1, √(E·S/((1−F)D²(n−1)))), S = nMh²/(E−1) + F(N + mean (x−s₀)²), N a true report's noise."""
    gain, made = expm1(epsilon), Design(1.0, window, 0.0)
    noise = guess.square - guess.within if window is None else guess.square * made.tail * window**2
    spread = made.symbols * made.tail * guess.square / gain + guess.share * noise
    others = (1 - guess.share) * guess.beyond
    if others > 0:
        known = spread + guess.share * guess.within
        theta = min(1.0, sqrt(exp(epsilon) * known / others / (made.symbols - 1)))
        made = Design(theta, window, 0.0)
    excess = made.excess(epsilon)
    error = (
        (1 + excess) * spread + excess * guess.share * guess.within
        + others * (1 + made.theta * (made.symbols - 1)) / gain
    )  # fmt: skip
    return Design(made.theta, window, error)
