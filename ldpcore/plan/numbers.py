"""What a person's number errs: with these numbers, or with the worst that they could be."""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import catalog, checks
from ldpcore.attacks import within
from ldpcore.numeric_randomizer import NumericRandomizer

from .solve import Plan, quantile

INPUTS = 2001
"""Evenly spaced inputs at which a number's worst variance is looked for, beside the ends of the marked intervals."""


def means(
    key: str,
    low: Any = (),
    *,
    confidence: float = 0.95,
    x: ArrayLike | None = None,
    counts: ArrayLike | None = None,
    delta: float = 0.1,
    after: Any = (),
    design_effect: float = 1.0,
) -> Plan:
    """The mean of numbers in [-1, 1], by the unbiased estimate; `low` are the intervals that are not sensitive. Where a
    mechanism has none at some ε, as SDPM for some intervals, no number of people suffices there.

    x (n,): the people's numbers, None for the worst: all at the one input with the largest variance; counts (n,): how
    many people have each of them, None for one. delta: how near the attacker's guess must be to count, on this scale;
    its success is of marked numbers, all alike (of all, where none is marked), or of those in the intervals `after`.

    >>> means("Duchi").people(epsilon=1.0, within=0.05)  # of a range of 2
    7196
    """
    entry, unmarked = catalog.MEANS[key], checks.intervals(low)
    users = None if x is None or counts is None else checks.masses(counts, len(np.atleast_1d(x)))
    ends = [min(max(float(end) + by, -1.0), 1.0) for pair in unmarked for end in pair for by in (-1e-9, 0.0, 1e-9)]
    everywhere = np.unique(np.r_[np.linspace(-1, 1, INPUTS), ends])

    def alone(epsilon: float) -> float:
        built = entry.build(epsilon, unmarked)
        if "unbiased" not in built.estimates():
            return math.inf
        spread = built.moments(everywhere if x is None else x, "unbiased")[1]
        return quantile(confidence) * math.sqrt(float(spread.max() if x is None else np.average(spread, weights=users)))

    def gain(epsilon: float) -> float:
        built = entry.build(epsilon, unmarked)
        return float(np.average(within.success(built, delta), weights=_width(built, unmarked, after)))

    def guess() -> float:
        built = entry.build(1.0, unmarked)
        weight = _width(built, unmarked, after)
        return within.blind(built, delta, weight / weight.sum())

    size = entry.build(1.0, unmarked).report_bits()
    return Plan(key, alone, gain=gain, guess=guess, bits=lambda _: size).weighing(design_effect)


def _width(built: NumericRandomizer, unmarked: Any, after: Any) -> NDArray[np.float64]:
    """Of every input bin, the width of what the attacker is after: of what is marked; where nothing is, of all."""
    width, points = np.diff(built.inputs), built.points
    if len(after):
        return np.where(np.any([(points >= first) & (points <= last) for first, last in after], axis=0), width, 0.0)
    open_ = np.zeros(len(width), bool)
    for first, last in unmarked if len(unmarked) else ():
        open_ |= (points >= first) & (points <= last)
    return width if open_.all() else np.where(open_, 0.0, width)
