"""From what one person's answer errs to people, ε, and error: one two-way table for every task."""

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np
import scipy  # whose `optimize` is loaded where it is first used: it takes long
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from ldpcore import checks
from ldpcore.catalog import Dominated, dominated_at

LOWEST, HIGHEST = 0.01, 8.0
"""ε between which a plan is looked for."""
_STRIDE = (HIGHEST / LOWEST) ** (1 / 48)
"""From one ε to the next where an error may suffice, at most."""
_STEP = 2.0
"""More than any step of a mechanism that counts in whole numbers (a subset's size, say): what is so many times off is
not enough right after one.
"""
_LOOKS, _STEPS = 24, 1000
"""After so many looks what is looked at hardly changes any more, and they go further apart; where each step is looked
at, after so many.
"""
_SHARP = 1e-4
_BRINK = 1e-6
"""How near a step is looked at."""
FEW, ANSWERS = 30, 3.0
"""People, and answers that a half-width is worth, from which on an error is nearly normal."""
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


def margin_of(variances: NDArray[np.float64], confidence: float, every: bool) -> float:
    """The half-width with one person, of these variances (values,): of the worst value, or such that all of them are
    within at once (Šidák's inequality).

    >>> round(margin_of(np.ones(100), 0.95, False), 3), round(margin_of(np.ones(100), 0.95, True), 3)
    (1.96, 3.474)
    """
    spread = np.sqrt(np.maximum(variances, 0.0))
    worst = float(spread.max())
    if not every or not 0 < worst < math.inf:
        return quantile(confidence) * worst
    sizes, times = np.unique(np.round(spread[spread > 0] / worst, 12), return_counts=True)
    low, high = quantile(confidence), quantile(confidence, int(times.sum()))
    if high - low < 1e-12:
        return high * worst

    def missing(z: float) -> float:
        return float(times @ np.log1p(-2 * ndtr(-z / sizes))) - math.log(confidence)

    # Where one value errs most by far, `low` is the answer but for rounding.
    return float(scipy.optimize.brentq(missing, low - 1e-9, high + 1e-9, xtol=1e-12)) * worst


def margins_of(variances: NDArray[np.float64], confidence: float) -> NDArray[np.float64]:
    """The half-width with one person, for these variances (values,), of each value by itself.

    >>> margins_of(np.array([1.0, 4.0]), 0.95).round(2).tolist()
    [1.96, 3.92]
    """
    return quantile(confidence) * np.sqrt(np.maximum(variances, 0.0))


@dataclass(frozen=True)
class Plan:
    """What one mechanism errs, at any ε and with any number of people.

    alone: ε → the half-width with one person; with n it is `alone(ε)`·n^(−rate): rate ½ for an estimate from n reports,
    1 for a count of a curator as a share of n. gain: ε → the attacker's success; None where the promise alone is known.
    Both are inf (or nan) where there is no such mechanism or estimate. guess: the success without a report. steps:
    whether a larger ε may err more, as it does of mechanisms that count in whole numbers; whole: ε → these numbers, as
    long as which stay the error falls and success rises, None where they are not known; sways: whether success may
    fall all the same, as of an attacker who finds other answers likelier. reach: how many times the plan's ε the
    largest is that an answer has. bits: ε → the size of a report; None where people send none, or it is not known.
    each: ε → the half-width (values,) with one person of every value by itself; None for one number, or if not known.
    """

    key: str
    alone: Callable[[float], float]
    rate: float = 0.5
    gain: Callable[[float], float] | None = None
    guess: Callable[[], float] | None = None
    steps: bool = True
    whole: Callable[[float], Hashable] | None = None
    sways: bool = False
    reach: float = 1.0
    bits: Callable[[float], float] | None = None
    each: Callable[[float], NDArray[np.float64]] | None = None

    def weighing(self, design_effect: float) -> "Plan":
        """Where people have weights: n of them err as n/D with equal ones do, D = 1 + the squared variation of weights.

        >>> Plan("", lambda epsilon: 1 / epsilon).weighing(1.5).people(1.0, 0.1)
        150
        """
        if not 0 < design_effect < math.inf:
            raise ValueError(f"design_effect is above 0, 1 where all weights are equal, got {design_effect:g}")
        alone, each, times = self.alone, self.each, design_effect**self.rate
        weighed = None if each is None else lambda epsilon: each(epsilon) * times
        return replace(self, alone=lambda epsilon: alone(epsilon) * times, each=weighed)

    def within(self, epsilon: float, n: int) -> float:
        """The half-width with n people; inf where nothing is told."""
        return self._alone(checks.epsilon(epsilon)) / checks.integer(n, "n", 1) ** self.rate

    def people(self, epsilon: float, within: float) -> int | None:
        """The least n; None where no number of people suffices."""
        needed = (self._alone(checks.epsilon(epsilon)) / _positive(within)) ** (1 / self.rate)
        # A whole number of people that rounding has pushed just above itself is that number.
        return max(1, math.ceil(needed * (1 - 1e-12))) if math.isfinite(needed) else None

    def normal(self, n: int, within: float) -> bool:
        """Whether an error within this half-width is nearly normal with n people, as a plan takes it to be: from about
        thirty people on, and three answers that it is worth (at a large ε one wrong report may be the whole error).
        Before, ± at 95 % holds as seldom as 82 times in 100 (tests/laws/test_plan.py). A curator's noise needs neither.
        """
        return self.rate != 0.5 or (n >= FEW and n * within >= ANSWERS)

    def epsilon(self, n: int, within: float) -> float | None:
        """The least ε between LOWEST and HIGHEST that reaches it, four digits of it; None where none does."""
        goal = _positive(within) * checks.integer(n, "n", 1) ** self.rate
        if self.steps:
            return _first(self._alone, goal, partial(self._where_it_falls, goal), self.whole)
        error = cache(self._alone)
        if error(HIGHEST) > goal:
            return None
        return LOWEST if error(LOWEST) <= goal else _crossed(LOWEST, HIGHEST, error, goal)

    def dominated(self, epsilon: float) -> Dominated | None:
        """A smaller ε with which the same people err less, as whole numbers step between; None where there is none, or
        where these numbers are not known.
        """
        return None if self.whole is None else dominated_at(self._alone, checks.epsilon(epsilon), self.whole)

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

        goal = success + _EVEN
        whole = None if self.sways else self.whole

        def error(epsilon: float) -> float:
            manages = gain(epsilon)
            return 1 / manages if manages else math.inf

        # What is looked for is the least ε with more success: the largest without is just below it.
        over = _first(error, 1 / goal, partial(self._where_it_rises, goal), whole)
        return HIGHEST if over is None else over * (1 - _SHARP)

    def _where_it_falls(self, goal: float, epsilon: float, error: float, off: float) -> float:
        """Below this ε no error is down to `off` times the goal: between steps none falls faster than 1/(E − 1)
        (theory/questionnaire#least-budget).
        """
        if not math.isfinite(error):
            return epsilon * _STRIDE
        return math.log1p(math.expm1(self.reach * epsilon) * error / (goal * off)) / self.reach

    def _where_it_rises(self, goal: float, epsilon: float, error: float, off: float) -> float:
        """Below this ε no success, 1/error, is up to the goal, nor off by so many times: between steps a chance changes
        by no more than E does, that of a success and that of a miss.
        """
        wanted, manages = goal / off, 1 / error
        if math.isnan(manages) or wanted >= 1:
            return epsilon * _STRIDE
        if manages >= wanted:
            return epsilon
        rises = math.log(wanted / manages) if manages > 0 else 0.0
        return epsilon + max(rises, math.log((1 - manages) / (1 - wanted))) / self.reach

    def _alone(self, epsilon: float) -> float:
        error = self.alone(epsilon)
        return math.inf if math.isnan(error) else error


def _positive(within: float) -> float:
    if not within > 0:
        raise ValueError(f"within is a half-width above 0, such as 0.01 for one point, got {within!r}")
    return float(within)


def _first(
    error: Callable[[float], float],
    goal: float,
    nearest: Callable[[float, float, float], float],
    whole: Callable[[float], Hashable] | None,
) -> float | None:
    """The least ε whose error is at most `goal`; None where none is. nearest: below which ε none is, nor so many times
    the goal, from an ε and its error; so no dip is jumped over, however narrow.
    """
    looked, counted = cache(error), None if whole is None else cache(whole)
    enduring = _LOOKS if whole is None else _STEPS
    epsilon, before, looks = LOWEST, 0.0, 1
    while not (seen := looked(epsilon)) <= goal:
        if epsilon >= HIGHEST:
            return None
        least = 1 + _SHARP * 2.0 ** max(0, min(looks - enduring, 12))
        sure = max(nearest(epsilon, seen, _STEP), min(nearest(epsilon, seen, 1.0), epsilon * _STRIDE))
        ahead = sure if counted is None else _onwards(epsilon, sure, counted)
        before, epsilon = epsilon, min(HIGHEST, max(ahead, epsilon * min(least, _STRIDE)))
        looks += 1
    return _crossed(before, epsilon, looked, goal) if before else epsilon


def _onwards(epsilon: float, sure: float, whole: Callable[[float], Hashable]) -> float:
    """Where to look next: as long as the whole numbers stay, only the end of a stride can be the first that is enough;
    else just before they change, as after that it may not be enough for long.
    """
    stays, now = min(HIGHEST, max(sure, epsilon * (1 + _BRINK))), whole(epsilon)
    far = min(HIGHEST, max(stays, epsilon * _STRIDE))
    if whole(far) == now or whole(stays) != now:
        return far if whole(far) == now else sure
    while far - stays > _BRINK * far:
        middle = math.sqrt(stays * far)
        stays, far = (middle, far) if whole(middle) == now else (stays, middle)
    return stays


def _crossed(low: float, high: float, error: Callable[[float], float], goal: float) -> float:
    """Just where the error is down to the goal, `high` being so and `low` not: by Brent's method on logarithms, as
    errors fall nearly like powers of ε.
    """
    ends = {math.log(low): low, math.log(high): high}

    def beyond(place: float) -> float:
        nonlocal high
        epsilon = ends.get(place, math.exp(place))
        reached = error(epsilon)
        apart = abs(math.log(reached / goal)) if 0 < reached < math.inf else math.inf
        # Never 0: Brent's method would stop there, and where it is just not reached `high` would stay far away.
        apart = min(max(apart, _EVEN), _FARTHEST)
        if not reached <= goal:
            return apart
        high = min(high, epsilon)
        return -apart

    scipy.optimize.brentq(beyond, math.log(low), math.log(high), xtol=_SHARP, rtol=_EVEN)
    return high
