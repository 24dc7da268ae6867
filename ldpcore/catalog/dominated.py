"""Where a smaller ε does better.

A mechanism for ε′ < ε keeps the promise of ε, so an error that rises with ε pays for nothing. It does where a whole
number is rounded, or a formula is kept as published. Of any error (ε → a number that is to be small) this finds where.
"""

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar

from ldpcore import checks

Error = Callable[[float], float]
Whole = Callable[[float], Hashable]
RISES = (
    "Its error can rise with ε: there a smaller ε, which promises more, is more exact "
    "(“Larger epsilon” in docs/theory/frequency.md)."
)
"""The caveat of an entry that stays as it was published though a smaller ε may do better (`dominated_from`)."""
LOWEST, HIGHEST = 0.05, 12.0
"""ε between which a catalogue is walked."""
STEPS = 120
"""ε that are looked at between these, evenly on a logarithmic scale."""
BACK = 16.0
"""How many times smaller an ε may be that is looked at beside a given one."""
RATIO = BACK ** (2 / STEPS)
"""Between neighbours of the grid beside a given ε. These are its powers, whatever ε is given: errors may be kept."""
NEAR = 1e-9
"""How near, relatively, a step of a whole number is found, and below which difference errors are equal."""
DIGITS = (1, 2, 3, 4)
"""Of an ε that is shown: as few as do."""
CHANGES = 4
"""Changes of a whole number between two neighbours of the grid that are looked at: where there are more, each is small.
"""


@dataclass(frozen=True)
class Dominated:
    """At `epsilon` the error is `times` that at the smaller ε `better`.

    >>> Dominated(3.7, 3.4, 1.1).times
    1.1
    """

    epsilon: float
    better: float
    times: float


def dominating(built: Callable[[float], Any]) -> tuple[Error, Whole]:
    """Of mechanisms by their ε: the typical error at the public guess, and the whole numbers that are chosen by ε."""
    return (
        lambda epsilon: math.sqrt(max(built(epsilon).guessed_error, 0.0)),
        lambda epsilon: getattr(built(epsilon), "counted", None),
    )


def dominated_from(error: Error, whole: Whole | None = None) -> Dominated | None:
    """The least ε at which a smaller one errs less, and the best of the smaller ones; None where no error rises.

    error is looked at on a grid between LOWEST and HIGHEST. whole: ε → the whole numbers that are chosen by it: where
    they change between two neighbours of the grid, the error is looked at on both sides of the last few changes.

    >>> steps = dominated_from(lambda epsilon: 3 - epsilon % 2, lambda epsilon: epsilon // 2)
    >>> round(steps.epsilon, 6), round(steps.better, 6), round(steps.times, 3)
    (2.0, 2.0, 3.0)
    """
    best, least = LOWEST, math.inf
    for epsilon, size in _walked(cache(error), whole, np.geomspace(LOWEST, HIGHEST, STEPS).tolist()):
        if size > least * (1 + NEAR):
            return Dominated(epsilon, best, size / least)
        if size < least:
            best, least = epsilon, size
    return None


def dominated_at(error: Error, epsilon: float, whole: Whole | None = None) -> Dominated | None:
    """A smaller ε that errs less than this one does, near the one that errs least: the roundest number with half of the
    gain. None where none errs less.

    >>> dominated_at(lambda epsilon: 3 - epsilon % 2, 2.5, lambda epsilon: epsilon // 2).better
    1.9
    """
    epsilon, looked = float(epsilon), cache(error)
    low = max(checks.MIN_EPSILON, epsilon / BACK)
    if low >= epsilon or not looked(epsilon) > 0:
        return None
    walked = _walked(looked, whole, [*_powers(low, epsilon), epsilon])
    best = min(range(len(walked)), key=lambda place: walked[place][1])
    better, least = walked[best]
    if whole is None and 0 < best < len(walked) - 1:  # a smooth error may be least between two that were looked at
        ends = walked[best - 1][0], walked[best + 1][0]
        optimum = minimize_scalar(looked, bounds=ends, method="bounded", options={"maxiter": 24})
        better, least = min((better, least), (float(optimum.x), float(optimum.fun)), key=lambda seen: seen[1])
    most = looked(epsilon)
    if not most > least * (1 + NEAR):
        return None
    shown = next((each for each in map(partial(_down, better), DIGITS) if looked(each) <= (least + most) / 2), better)
    return Dominated(epsilon, shown, most / looked(shown) if looked(shown) > 0 else math.inf)


def _powers(low: float, high: float) -> list[float]:
    """The powers of RATIO from low to high, without high."""
    first, last = math.ceil(math.log(low, RATIO)), math.ceil(math.log(high, RATIO))
    return [each for each in (RATIO**place for place in range(first, last)) if low <= each < high]


def _down(number: float, digits: int) -> float:
    """Rounded down to so many digits, on the safe side of a step above it."""
    unit = 10.0 ** (math.floor(math.log10(number)) + 1 - digits)
    return max(float(f"{math.floor(number / unit) * unit:.6g}"), checks.MIN_EPSILON)


def _walked(error: Error, whole: Whole | None, grid: list[float]) -> list[tuple[float, float]]:
    """ε and their errors, ascending: the grid, and where whole numbers change both sides of a change."""
    places = set(grid)
    if whole is not None:
        counted = cache(whole)
        for low, high in pairwise(grid):
            for _ in range(CHANGES):
                if counted(low) == counted(high):
                    break
                high, after = _sides(low, high, counted)
                places.update((high, after))
    points = ((place, error(place)) for place in sorted(places))
    return [(place, seen) for place, seen in points if not math.isnan(seen)]


def _sides(low: float, high: float, whole: Whole) -> tuple[float, float]:
    """Just before and just after the last change between these."""
    while high - low > NEAR * high:
        middle = math.sqrt(low * high)
        if whole(middle) == whole(high):
            high = middle
        else:
            low = middle
    return low, high
