"""A mechanism of one's own beside the best of the catalogue, and its distance to the certified limit."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, nan

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import catalog, checks, limit
from ldpcore.attacks import bayes
from ldpcore.levels import Levels
from ldpcore.policy import LDP
from ldpcore.randomizer import Randomizer

from .mechanism import CustomMechanism
from .promises import ORDER

Array = NDArray[np.float64]
LEAST, MOST = 1e-3, 20.0
"""The ε between which the same exposure is looked for."""
STEPS = 20
FEW = 3
"""Levels besides the public one up to which their limit is computed."""


@dataclass(frozen=True)
class Rival:
    """A mechanism of the catalogue: its key, its ε, n times its mean squared error, its exposure."""

    key: str
    epsilon: float
    mse: float
    exposure: float


@dataclass(frozen=True)
class Distance:
    """n times the least mean squared error of any mechanism with this promise at this ε, and how many times that the
    own one has, both averaged over which values, among the marked and among the others, are the common ones.
    """

    policy: str
    least: float
    times: float


def exposure(mechanism: Randomizer, sensitive: ArrayLike | None = None, freq: ArrayLike | None = None) -> float:
    """Pr[one who sees the report names the value], over holders of marked values, knowing that theirs is marked.

    With fewer than two values marked: over all, knowing nothing beforehand. freq (k,): how often each is held.

    >>> round(exposure(catalog.FREQUENCY["GRR"].build(1.0, 4)), 3)  # e/(e + 3)
    0.475
    """
    marks, shares = checks.mask(sensitive, mechanism.k), checks.shares(freq, mechanism.k)
    if marks.sum() < 2:
        return float(bayes.success(mechanism) @ shares)
    weight = shares * marks if (shares * marks).sum() > 0 else marks.astype(float)
    return float(bayes.success(mechanism, bayes.targeted_prior(marks)) @ weight / weight.sum())


def rivals(own: CustomMechanism) -> list[str]:
    """Keys of the catalogue whose promise is at least as strong as its own."""
    if own.promise.definition not in ORDER[:4]:
        return []
    strong = ORDER[: ORDER.index(own.promise.definition) + 1]
    return [key for key, entry in catalog.FREQUENCY.items() if entry.promise in strong]


def at_its_epsilon(own: CustomMechanism, freq: ArrayLike | None = None) -> Rival | None:
    """The one of the catalogue with the least error at these shares among those that promise as much at the same ε, or
    at a smaller one where that errs less. What takes a guess of the share of marked answers is made for theirs.

    None where nothing of the catalogue keeps this definition.

    >>> rival = at_its_epsilon(CustomMechanism(catalog.FREQUENCY["GRR"].build(1.0, 8).channel().matrix))
    >>> rival.key, rival.epsilon
    ('SS', 1.0)
    """
    best = _best([_rival(key, own, own.epsilon, freq) for key in rivals(own)])
    if best is None:
        return None
    f, key = checks.shares(freq, own.k), best.key
    earlier = catalog.dominated_at(
        lambda epsilon: float(_made(key, own, epsilon, f).variance(f, 1).mean()),
        max(own.epsilon, checks.MIN_EPSILON),
        lambda epsilon: _made(key, own, epsilon, f).counted,
    )
    return best if earlier is None else _rival(key, own, earlier.better, freq)


def at_its_exposure(own: CustomMechanism, freq: ArrayLike | None = None) -> Rival | None:
    """The same among those that expose no more, each at the largest ε at which it does."""
    most = exposure(own, own.sensitive, freq) * (1 + 1e-9)
    rivals_at_exposure = [_largest(lambda e, key=key: _rival(key, own, e, freq), most) for key in rivals(own)]
    return _best([each for each in rivals_at_exposure if each is not None])


def _best(found: list[Rival]) -> Rival | None:
    return min(found, key=lambda each: (float(f"{each.mse:.9g}"), each.key not in ("SS", "uSS")), default=None)


def _rival(key: str, own: CustomMechanism, epsilon: float, freq: ArrayLike | None) -> Rival:
    f = checks.shares(freq, own.k)
    made = _made(key, own, epsilon, f)
    return Rival(key, epsilon, float(made.variance(f, 1).mean()), exposure(made, own.sensitive, freq))


def _made(key: str, own: CustomMechanism, epsilon: float, freq: Array) -> Randomizer:
    share = min(1.0, float(freq[checks.mask(own.sensitive, own.k)].sum()))
    return catalog.FREQUENCY[key].guessing(share, max(epsilon, checks.MIN_EPSILON), own.k, own.sensitive)


def _largest(at: Callable[[float], Rival], most: float) -> Rival | None:
    """The one at the largest ε that exposes no more; None where even the least ε does."""
    low, high = LEAST, MOST
    if at(high).exposure <= most:
        return at(high)
    if at(low).exposure > most:
        return None
    for _ in range(STEPS):
        middle = float(np.sqrt(low * high))
        low, high = (middle, high) if at(middle).exposure <= most else (low, middle)
    return at(low)


def distance(own: CustomMechanism, freq: ArrayLike | None = None) -> Distance | None:
    """How far it is from the limit of its promise at its ε (`limit.best`); None where no limit is known for it.

    >>> ss = CustomMechanism(catalog.FREQUENCY["SS"].build(1.0, 6).channel().matrix)
    >>> round(distance(ss).times, 6)
    1.0
    """
    name = own.promise.definition
    if name == Levels.name:
        return _of_levels(own, freq)
    if name not in limit.POLICIES or own.epsilon < checks.MIN_EPSILON:
        return None
    f, marks = checks.shares(freq, own.k), checks.mask(own.sensitive, own.k)
    marks = marks if name != LDP.name else np.zeros(own.k, bool)
    share = round(float(f[marks].sum()), 12)
    even = np.full(own.k, 1 / own.k)
    if marks.any() and not marks.all():
        even = np.where(marks, share / marks.sum(), (1 - share) / (~marks).sum())
    optimum = limit.best(name, own.k, int(marks.sum()), own.epsilon, share=share if marks.any() else None)
    mine = float(own.variance(even / even.sum(), 1).mean())
    return Distance(name, optimum.mse, mine / optimum.mse if optimum.mse > 0 else (1.0 if mine <= 0 else nan))


def _of_levels(own: CustomMechanism, freq: ArrayLike | None) -> Distance | None:
    """The same for levels, where they are few enough to be computed."""
    given = np.round(own.promise.epsilons, 9)
    finite = np.unique(given[np.isfinite(given)])
    if len(finite) > FEW or finite.max() > limit.MOST_EPSILON:
        return None
    f = checks.shares(freq, own.k)
    even = np.empty(own.k)
    for level in np.unique(given):
        even[given == level] = f[given == level].mean()
    optimum = limit.best_levels(given, even)
    mine = float(own.variance(even / even.sum(), 1).mean())
    return Distance(Levels.name, optimum.mse, mine / optimum.mse if optimum.mse > 0 else nan)


def error_for(own: CustomMechanism, freq: ArrayLike) -> Array:
    """n·Var (k,) at these shares of the estimate that is best for them: what knowing them beforehand would bring."""
    return CustomMechanism(own.matrix, own.sensitive, share=freq, answers=own.answers).variance(freq, 1)


def lift(own: CustomMechanism) -> float:
    """The most that a report multiplies the odds of one value against another; inf where it proves a value."""
    worst = float(own.privacy_loss().max())
    return float(np.exp(worst)) if worst < 700 else inf


@dataclass(frozen=True, eq=False)
class CustomComparison:
    """A mechanism of one's own beside the best of the catalogue, at its ε and at its exposure, and beside the limit.

    >>> from ldpcore.custom import read
    >>> own = CustomMechanism(read("0.6 0.2 0.2\\n0.2 0.6 0.2\\n0.2 0.2 0.6").matrix)
    >>> beside = CustomComparison.of(own, (0.5, 0.25, 0.25))
    >>> beside.same_epsilon.key, round(beside.distance.times, 3), round(beside.known, 2)
    ('SS', 1.0, 1.17)
    """

    distance: Distance | None
    same_epsilon: Rival | None
    same_exposure: Rival | None
    known: float
    """n times its mean squared error, if its estimate were made for these very shares."""

    @classmethod
    def of(cls, mechanism: CustomMechanism, freq: tuple[float, ...]) -> "CustomComparison":
        """freq (k,): how often each answer is held."""
        return cls(
            distance(mechanism, freq),
            at_its_epsilon(mechanism, freq),
            at_its_exposure(mechanism, freq),
            float(error_for(mechanism, freq).mean()),
        )
