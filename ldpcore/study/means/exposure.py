"""Who is recognised in one cell of the means task: exactly, and in one simulated survey."""

from collections.abc import Iterator

import numpy as np

from ldpcore.attacks import within
from ldpcore.numeric_randomizer import Vector
from ldpcore.scope import Mask, Scope, parts
from ldpcore.study.means.numbers import MeanDesignPoint, NumberColumn, PointGroup
from ldpcore.study.skeleton import Row


def scopes(data: NumberColumn, here: MeanDesignPoint, x: Vector) -> dict[str, Mask]:
    """Which of these numbers (n,) on [-1, 1] lie where."""
    given = data.interval.decode(x)
    marked, secret = data.interval.mask(given, here.marked), data.interval.mask(given, here.secret)
    return parts(marked, secret if here.secret else None)


def exposed(data: NumberColumn, here: MeanDesignPoint, delta: float) -> Iterator[Row]:
    """The exact success of a guess, and how often a report proves its value, over the people in each scope;
    a guess wins within ±delta, on [-1, 1].
    """
    group = here.groups[0]
    m, prior = group.mechanism, at_bins(group)
    # At everybody's own number: its report is not that of the bin's midpoint, where the law has steps.
    won = within.success(m, delta, prior / prior.sum(), group.points)
    proof = m.disclosure(group.points)
    for scope, users in scopes(data, here, group.points).items():
        if group.held[users].sum():
            yield "proved", scope, float(np.average(proof[users], weights=group.held[users]))
            yield "guessed", scope, float(np.average(won[users], weights=group.held[users]))


def at_bins(group: PointGroup) -> Vector:
    """Users (bins,) in each input bin of the mechanism, or their weights."""
    many = len(group.mechanism.points)
    return np.bincount(within.bins(group.mechanism, group.points), group.held, many).astype(float)


def attack(
    data: NumberColumn, here: MeanDesignPoint, delta: float, count: int, rng: np.random.Generator
) -> Iterator[Row]:
    """Guesses about the reports of `count` people, drawn as the population is, and how many reports are proof."""
    group = here.groups[0]
    x = rng.choice(group.points, count, p=group.held / group.held.sum())
    reports, prior = group.mechanism.perturb(x, rng), at_bins(group)
    # The guess is a bin's midpoint, and so is what it is held against, as in the exact success.
    guessed = within.guess(group.mechanism, reports, delta, prior / prior.sum())
    hit = np.abs(guessed - group.mechanism.points[within.bins(group.mechanism, x)]) <= delta + 1e-12
    yield from (("guessed", scope, float(hit[who].mean())) for scope, who in scopes(data, here, x).items() if who.any())
    exact = (reports == group.mechanism.places(x)) & (group.mechanism.disclosure(x) > 0)
    yield "proved", Scope.ALL, float(exact.mean())
