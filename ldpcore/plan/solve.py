"""From what one person's answer errs to people, ε, and error: one two-way table for every task."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import scipy  # whose `optimize` is loaded where it is first used: it takes long
from scipy.special import ndtri

from ldpcore import checks

LOWEST, HIGHEST = 0.01, 8.0
"""ε between which a plan is looked for."""
GRID = np.geomspace(LOWEST, HIGHEST, 49)
"""Values of ε at which a plan is looked for. Mechanisms that count in whole numbers (a subset's size, say) err in
steps: after one the error rises again, by up to 60 %. A dip of the error narrower than a tenth of their distance may be
missed.
"""
_COARSE = 6
"""Every how many of them are looked at first."""
_STEP = 2.0
"""More than any step: between two values of ε whose errors are this many times too large, none is small enough."""
_BETWEEN = 12
"""How many are looked at between two of them where there may be a step."""
_SHARP = 1e-4
_EVEN = 1e-12
"""Successes closer than this are the same."""
_FARTHEST = 50.0
"""Logarithm of how many times too large or too small an error is said to be at most: there may be none at all."""


def quantile(confidence: float, values: int = 1) -> float:
    """Standard errors to either side, so that all of `values` normal estimates lie within at this confidence: exact
    for one; for more by Šidák's inequality, whatever their correlations, on the safe side.

    >>> round(quantile(0.95), 3), round(quantile(0.95, 100), 3)
    (1.96, 3.474)
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence is a share between 0 and 1, such as 0.95, got {confidence!r}")
    return -float(ndtri(-math.expm1(math.log(confidence) / values) / 2))


@dataclass(frozen=True)
class Plan:
    """What one mechanism errs, at any ε and with any number of people.

    alone: ε → the half-width with one person; with n it is `alone(ε)`·n^(−rate): rate ½ for an estimate from n reports,
    1 for a count of a curator as a share of n. gain: ε → the attacker's success; None where the promise alone is known.
    Both are inf (or nan) where there is no such mechanism or estimate. guess: the success without a report. steps:
    whether a larger ε may err more, as it does of mechanisms that count in whole numbers.
    """

    key: str
    alone: Callable[[float], float]
    rate: float = 0.5
    gain: Callable[[float], float] | None = None
    guess: Callable[[], float] | None = None
    steps: bool = True

    def within(self, epsilon: float, n: int) -> float:
        """The half-width with n people; inf where nothing is told."""
        return self._alone(checks.epsilon(epsilon)) / checks.integer(n, "n", 1) ** self.rate

    def people(self, epsilon: float, within: float) -> int | None:
        """The least n; None where no number of people suffices."""
        needed = (self._alone(checks.epsilon(epsilon)) / _positive(within)) ** (1 / self.rate)
        # A whole number of people that rounding has pushed just above itself is that number.
        return max(1, math.ceil(needed * (1 - 1e-12))) if math.isfinite(needed) else None

    def epsilon(self, n: int, within: float) -> float | None:
        """The least ε between LOWEST and HIGHEST that reaches it, four digits of it; None where none does."""
        goal = _positive(within) * checks.integer(n, "n", 1) ** self.rate
        if self.steps:
            return _first(self._alone, goal, 0.93)
        error = cache(self._alone)
        if error(HIGHEST) > goal:
            return None
        return LOWEST if error(LOWEST) <= goal else _crossed(LOWEST, HIGHEST, error, goal)

    def success(self, epsilon: float) -> float | None:
        """What the attacker manages at this ε, a chance; None where nothing but the promise is known."""
        return None if self.gain is None else self.gain(checks.epsilon(epsilon))

    def blind(self) -> float | None:
        """What whoever knows as much manages without any report, a chance; None where that is not known."""
        return None if self.guess is None else self.guess()

    def most_epsilon(self, success: float) -> float | None:
        """The largest ε between LOWEST and HIGHEST up to which the attacker manages no more; None where even the
        least is too much, or nothing is known.
        """
        if not 0 <= success <= 1:
            raise ValueError(f"success is a chance between 0 and 1, got {success!r}")
        gain = self.gain
        if gain is None or gain(LOWEST) > success + _EVEN:
            return None

        def error(epsilon: float) -> float:
            manages = gain(epsilon)
            return 1 / manages if manages else math.inf

        # What is looked for is the least ε with more success: the largest without is just below it.
        over = _first(error, 1 / (success + _EVEN), 1.0)
        return HIGHEST if over is None else over * (1 - _SHARP)

    def _alone(self, epsilon: float) -> float:
        error = self.alone(epsilon)
        return math.inf if math.isnan(error) else error


def _positive(within: float) -> float:
    if not within > 0:
        raise ValueError(f"within is a half-width above 0, such as 0.01 for one point, got {within!r}")
    return float(within)


def _first(error: Callable[[float], float], goal: float, falls: float) -> float | None:
    """The least ε whose error is at most `goal`; None where none is. falls: to what share of it an error without steps
    falls from one value of the grid to the next.
    """
    before, *values = GRID.tolist()
    errors = {before: error(before)}
    if errors[before] <= goal:
        return before
    for start in range(0, len(values), _COARSE):
        coarse = values[start : start + _COARSE]
        errors[coarse[-1]] = error(coarse[-1])
        # Where there is no estimate any more, one before it may have sufficed.
        if min(errors[before], errors[coarse[-1]]) <= goal * _STEP or errors[coarse[-1]] == math.inf:
            found = _among(before, coarse, errors, error, goal, falls)
            if found is not None:
                return found
        before = coarse[-1]
    return None


def _among(
    before: float,
    values: Sequence[float],
    errors: dict[float, float],
    error: Callable[[float], float],
    goal: float,
    falls: float,
) -> float | None:
    for epsilon in values:
        errors[epsilon] = errors[epsilon] if epsilon in errors else error(epsilon)
        # Where it hardly falls there may be a step up, and a dip before it.
        between = errors[epsilon] > max(goal, falls * errors[before])
        for one in np.geomspace(before, epsilon, _BETWEEN)[1:-1].tolist() if between else ():
            if error(one) <= goal:
                return _bisected(before, one, error, goal)
            before = one
        if errors[epsilon] <= goal:
            return _bisected(before, epsilon, error, goal)
        before = epsilon
    return None


def _bisected(low: float, high: float, error: Callable[[float], float], goal: float) -> float:
    """Just where it is reached, `high` being so and `low` not."""
    while high - low > _SHARP * high:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if error(middle) <= goal else (middle, high)
    return high


def _crossed(low: float, high: float, error: Callable[[float], float], goal: float) -> float:
    """The same of an error without steps, in half as many looks: by Brent's method on logarithms, as such errors fall
    nearly like powers of ε.
    """
    ends = {math.log(low): low, math.log(high): high}

    def beyond(place: float) -> float:
        nonlocal high
        epsilon = ends.get(place, math.exp(place))
        found = error(epsilon)
        apart = abs(math.log(found / goal)) if 0 < found < math.inf else math.inf
        # Never 0: Brent's method would stop there, and where it is just not reached `high` would stay far away.
        apart = min(max(apart, _EVEN), _FARTHEST)
        if found > goal:
            return apart
        high = min(high, epsilon)
        return -apart

    scipy.optimize.brentq(beyond, math.log(low), math.log(high), xtol=_SHARP, rtol=_EVEN)
    return high
