"""The planner of a mean where every part of the range has its own ε, and the limit of it."""

import math
from collections.abc import Iterable
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import catalog, checks
from ldpcore import limit as limits
from ldpcore.attacks import within
from ldpcore.leveled_parts import Part, Parts
from ldpcore.numeric_randomizer import NumericRandomizer

from .floors import INSIDE, WORST, _spread
from .numbers import INPUTS
from .solve import Plan, quantile

Vector = NDArray[np.float64]

GROUPED = 5
"""Groups of people over the range: fewer than of two levels, as the program takes longer."""
MOST = 10.0
"""Above this ε the program takes long, and its limit is nothing."""


def leveled_means(
    key: str,
    parts: Iterable[Part],
    *,
    confidence: float = 0.95,
    x: ArrayLike | None = None,
    counts: ArrayLike | None = None,
    delta: float = 0.1,
) -> Plan:
    """The mean of numbers in [-1, 1] with an ε for every part: (left, right, ε), math.inf for a public one. The plan's
    ε is that of the most secret part, and the others keep their ratio to it; no plan goes where one would be beyond
    the mechanism's ε.

    key: of `catalog.LEVELED_MEANS`; x, counts and delta as in `means`. The attacker is after numbers of the most secret
    level, all alike, and knows nothing else. ValueError or TypeError with a sentence.

    >>> plan = leveled_means("gPM", [(-1, 0, math.inf), (0, 0.5, 2.0), (0.5, 1, 0.5)])
    >>> plan.people(epsilon=0.5, within=0.05), plan.people(epsilon=1.0, within=0.05)
    (12920, 4549)
    """
    entry, asked, least = catalog.LEVELED_MEANS[key], *_asked(parts)
    users = None if x is None or counts is None else checks.masses(counts, len(np.atleast_1d(x)))
    ends = asked.ends.ravel()
    beside = np.clip(np.concatenate([ends - 1e-9, ends, ends + 1e-9]), -1, 1)
    at = np.unique(np.r_[np.linspace(-1, 1, INPUTS), beside]) if x is None else x

    @cache
    def built(epsilon: float) -> NumericRandomizer | None:
        made = _scaled(asked, epsilon / least)
        return None if made is None or not entry.exists(made) else entry.build(made.pieces)

    def alone(epsilon: float) -> float:
        made = built(epsilon)
        if made is None:
            return math.inf
        spread = made.moments(at, "unbiased")[1]
        return quantile(confidence) * math.sqrt(float(spread.max() if x is None else np.average(spread, weights=users)))

    def gain(epsilon: float) -> float:
        made = built(epsilon)
        if made is None:
            return math.inf
        return float(np.average(within.success(made, delta), weights=_secret(made, asked, least)))

    def guess() -> float:
        made = built(least)
        if made is None:
            return math.nan
        weight = _secret(made, asked, least)
        return within.blind(made, delta, weight / weight.sum())

    return Plan(key, alone, gain=gain, guess=guess, reach=_reach(asked))


def _asked(parts: Iterable[Part]) -> tuple[Parts, float]:
    """The parts, and the ε of the most secret one."""
    asked = Parts(parts)
    if not asked.hidden.any():
        raise ValueError("every part is public, so there is nothing to plan; give at least one part a finite ε")
    return asked, float(asked.epsilons.min())


def _scaled(asked: Parts, times: float) -> Parts | None:
    """The same parts with so many times their ε; None where one would be too large."""
    if float(asked.epsilons[asked.hidden].max()) * times > checks.MAX_EPSILON:
        return None
    return Parts([(left, right, epsilon * times) for left, right, epsilon in asked.pieces])


def _reach(asked: Parts) -> float:
    """How many times the least ε the largest is."""
    return float(asked.epsilons[asked.hidden].max() / asked.epsilons.min())


def _secret(made: NumericRandomizer, asked: Parts, least: float) -> Vector:
    """Of every input bin, the width of what is most secret."""
    return np.where(asked.at(made.points) == least, np.diff(made.inputs), 0.0)


def leveled_means_limit(
    parts: Iterable[Part],
    *,
    confidence: float = 0.95,
    x: ArrayLike | None = None,
    counts: ArrayLike | None = None,
) -> Plan:
    """What no mean of numbers in [-1, 1] undercuts that keeps the ε of every part and is unbiased at every number
    (`limit.best_leveled_mean`). Its ε is that of the most secret part, and no plan goes where another's is above 10; x
    and counts as in `means_limit`, the worst being those that are spread evenly over what is most secret.

    >>> parts = [(-1, 0, math.inf), (0, 0.5, 2.0), (0.5, 1, 0.5)]
    >>> leveled_means_limit(parts).people(0.5, 0.05) < leveled_means("gPM", parts).people(0.5, 0.05)
    True
    """
    asked, least = _asked(parts)
    if x is None:
        at, mass, inner = _worst(asked)
    else:
        values = checks.scaled(x)
        weights = np.ones(len(values)) if counts is None else checks.masses(counts, len(values))
        at, mass, inner = _gathered(values, weights / weights.sum(), asked)

    @cache
    def alone(epsilon: float) -> float:
        budgets = asked.at(at) * epsilon / least
        if budgets[np.isfinite(budgets)].max() > MOST:
            return math.inf
        floor = limits.best_leveled_mean(budgets, at, mass).low - inner
        return quantile(confidence) * math.sqrt(max(0.0, floor))

    return Plan("limit", alone, reach=_reach(asked))


Groups = tuple[Vector, Vector, float]
"""Where people are, their shares, and the variance inside groups."""


def _inside(asked: Parts) -> NDArray[np.float64]:
    """(2, pieces) From where to where a number is surely of that piece."""
    left, right = asked.ends
    return np.stack([left + INSIDE * (left > -1), right - INSIDE * (right < 1)])


def _worst(asked: Parts) -> Groups:
    """Everybody spread evenly over what is most secret."""
    inside = _inside(asked)
    secret = inside[:, asked.epsilons == asked.epsilons.min()]
    at = _spread([(left, right) for left, right in secret.T.tolist()], WORST[0])
    ends = _ends(asked)
    return np.concatenate([at, ends]), np.concatenate([np.full(len(at), 1 / len(at)), np.zeros(len(ends))]), 0.0


def _ends(asked: Parts) -> Vector:
    """The outermost numbers that are not public, where nobody need be."""
    left, right = _inside(asked)[:, asked.hidden]
    return np.array([left.min(), right.max()])


def _gathered(x: Vector, shares: Vector, asked: Parts) -> Groups:
    """Groups' means, none of two pieces, with the ends of what is not public."""
    inside = _inside(asked)
    piece = np.clip(np.searchsorted(asked.ends[0], x, side="right") - 1, 0, len(asked.pieces) - 1)
    cell = np.clip(((x + 1) / 2 * GROUPED).astype(int), 0, GROUPED - 1)
    _, group = np.unique(np.stack([piece, cell]), axis=1, return_inverse=True)
    mass = np.bincount(group, shares).astype(float)
    there = mass > 0
    centre = np.bincount(group, shares * x)[there] / mass[there]
    inner = float(shares @ (x - centre[(np.cumsum(there) - 1)[group]]) ** 2)
    of = np.zeros(len(mass), np.intp)
    of[group] = piece
    left, right = inside[:, of[there]]
    centre = np.clip(centre, left, right).astype(float)
    ends = _ends(asked)
    return np.concatenate([centre, ends]), np.concatenate([mass[there], np.zeros(len(ends))]), inner
