"""The planner where every value, or item, has its own ε."""

import math
from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import catalog, checks
from ldpcore import limit as limits
from ldpcore.attacks import bayes
from ldpcore.levels import Leveled, blocks, checked
from ldpcore.set_randomizer import SetRandomizer

from . import drawing
from .solve import Plan, margin_of, margins_of, quantile
from .tasks import _coin, _counted, _of_one_set, of_two


def levels(
    key: str,
    epsilons: Sequence[float] | ArrayLike,
    *,
    confidence: float = 0.95,
    every: bool = False,
    freq: ArrayLike | None = None,
    guess: ArrayLike | None = None,
    of: ArrayLike | None = None,
    asked: float = 1.0,
) -> Plan:
    """Shares of one column with an ε per value (k,), math.inf for public. The plan's ε is that of the most secret
    values, and the others keep their ratio to it; no plan goes where one would be beyond the mechanism's largest ε.

    key: of `catalog.LEVELS`; freq (k,): the shares, None for the worst; guess (k,): the public guess of them that the
    mechanism is made for, None for `freq`, or uniform; of (k,): which values are to be within, None for all; every: all
    of them at once; asked: as in `frequency`. The attacker knows that the answer is of the most secret level, and
    nothing else. ValueError or TypeError with a sentence.

    >>> plan = levels("gSub", [math.inf] * 8 + [2.0] * 5 + [0.5] * 5)
    >>> plan.people(epsilon=0.5, within=0.05), plan.people(epsilon=1.0, within=0.05)
    (24587, 6284)
    >>> round(plan.blind(), 3), round(plan.success(0.5), 3)
    (0.2, 0.252)
    """
    given = checked(epsilons)
    entry, size, secret = catalog.LEVELS[key], len(given), blocks(given)
    if not secret:
        raise ValueError("every value is public, so there is nothing to plan; give at least one value a finite ε")
    ratio, chosen = np.array(given) / secret[0].epsilon, _counted(of, size)
    known = None if freq is None else checks.shares(freq, size)
    most, out = checks.MAX_EPSILON / (secret[-1].epsilon / secret[0].epsilon), drawing.left_out(asked)

    def able(epsilon: float) -> bool:
        return epsilon <= most * (1 + 1e-12) and entry.exists(ratio * min(epsilon, most))

    def built(epsilon: float) -> Leveled:
        return entry.build(ratio * epsilon, known if guess is None else guess)

    def variances(epsilon: float) -> NDArray[np.float64]:
        if not able(epsilon):
            return np.full(size, math.inf)
        made = built(epsilon)
        return _worst(made, out) if known is None else made.variance(known, 1) + drawing.added(known, out)

    def alone(epsilon: float) -> float:
        return margin_of(variances(epsilon)[chosen], confidence, every)

    def each(epsilon: float) -> NDArray[np.float64]:
        return margins_of(variances(epsilon), confidence)

    def gain(epsilon: float) -> float:
        if not able(epsilon):
            return math.inf
        prior = np.isin(np.arange(size), secret[0].codes) / len(secret[0].codes)
        return float(prior @ bayes.success(built(epsilon), prior))

    reach = secret[-1].epsilon / secret[0].epsilon
    bits = lambda epsilon: built(epsilon).report_bits() if able(epsilon) else math.nan  # noqa: E731
    return Plan(key, alone, gain=gain, guess=lambda: 1 / len(secret[0].codes), reach=reach, bits=bits, each=each)


def levels_limit(
    epsilons: Sequence[float] | ArrayLike, *, confidence: float = 0.95, freq: ArrayLike | None = None
) -> Plan:
    """What no mechanism undercuts that keeps the ε of every value (`limit.best_levels`: fixed before the data, treating
    the values of a level alike): of the worst value, for any or all at once. Its ε is that of the most secret values,
    and no plan goes where the limit is not computed.

    freq (k,): the shares, of which a level's sum counts; None for the worst of some, which bounds the worst of all.

    >>> asked = [math.inf] * 8 + [2.0] * 5 + [0.5] * 5
    >>> levels_limit(asked).people(0.5, 0.05) <= levels("gTable", asked).people(0.5, 0.05)
    True
    """
    given = np.array(checked(epsilons))
    if not np.isfinite(given).any():
        raise ValueError("every value is public, so there is nothing to plan; give at least one value a finite ε")
    kinds = [given == level for level in np.unique(given)]
    if freq is None:
        shares = [np.full(len(given), 1 / len(given)), *(kind / kind.sum() for kind in kinds)]
    else:
        known = checks.shares(freq, len(given))
        shares = [sum(known[kind].sum() / kind.sum() * kind for kind in kinds)]
    ratio = given / given.min()

    def alone(epsilon: float) -> float:
        budgets = ratio * epsilon
        if budgets[np.isfinite(budgets)].max() > checks.MAX_EPSILON or not limits.is_computed(budgets):
            return math.inf
        floors = (limits.best_levels(budgets, part, counted=kind).mse for part in shares for kind in kinds)
        return quantile(confidence) * math.sqrt(max(0.0, *floors))

    return Plan("limit", alone, reach=float(ratio[np.isfinite(ratio)].max()))


def leveled_sets(
    key: str,
    epsilons: Sequence[float] | ArrayLike,
    m: int,
    *,
    dummies: int = 0,
    confidence: float = 0.95,
    every: bool = False,
    freq: ArrayLike | None = None,
    wobble: ArrayLike | None = None,
    of: ArrayLike | None = None,
) -> Plan:
    """Shares of the holders of items, m to each person, with an ε per item (k,), math.inf for public. The plan's ε is
    that of the most secret items, and the others keep their ratio to it.

    key: of `catalog.LEVELED_SETS`; the rest as in `sets` and `levels`. The attacker knows all that a person holds but
    one item, of the most secret level: what the promise allows (`of_two`). ValueError or TypeError with a sentence.

    >>> plan = leveled_sets("gHit", [math.inf] * 32 + [2.0] * 16 + [0.5] * 16, 2)
    >>> plan.people(epsilon=0.5, within=0.05), plan.people(epsilon=1.0, within=0.05)
    (66078, 18954)
    """
    given = checked(epsilons)
    entry, secret = catalog.LEVELED_SETS[key], blocks(given)
    if not secret:
        raise ValueError("every item is public, so there is nothing to plan; give at least one item a finite ε")
    ratio, chosen = np.array(given) / secret[0].epsilon, _counted(of, len(given))
    extra = 0.0 if wobble is None else np.asarray(wobble, float)

    def variances(epsilon: float) -> NDArray[np.float64]:
        if epsilon * secret[-1].epsilon / secret[0].epsilon > checks.MAX_EPSILON * (1 + 1e-12):
            return np.full(len(given), math.inf)
        built = entry.build(np.minimum(ratio * epsilon, np.where(np.isinf(ratio), math.inf, checks.MAX_EPSILON)), m,
                            dummies)  # fmt: skip
        return (_worst_sets(built, given) if freq is None else built.variance(freq, 1)) + extra

    def alone(epsilon: float) -> float:
        return margin_of(variances(epsilon)[chosen], confidence, every)

    def each(epsilon: float) -> NDArray[np.float64]:
        return margins_of(variances(epsilon), confidence)

    return Plan(key, alone, gain=of_two, guess=_coin, reach=secret[-1].epsilon / secret[0].epsilon, each=each)


def _worst_sets(built: SetRandomizer, epsilons: Sequence[float]) -> NDArray[np.float64]:
    """n·Var (k,) of every item where everybody holds the worst set: items of a level are alike, and all it is made of
    is how many items of each level a set holds.
    """
    budgets = np.r_[epsilons, np.full(built.dummies, min(epsilons))]
    kinds = [np.flatnonzero(budgets == level) for level in np.unique(budgets)]
    seen = np.max([_of_one_set(built, item_set) for item_set in _sets_of(kinds, built.m)], axis=0)
    out = np.empty(built.k)
    for codes in kinds:
        at = codes[codes < built.k]
        out[at] = seen[at].max(initial=0.0)
    return out


def _sets_of(kinds: list[NDArray[np.intp]], m: int) -> Iterator[NDArray[np.intp]]:
    """A set of each make: of every level its first items, so that some of each are held and others are not."""
    for counts in product(*(range(min(m, len(codes)) + 1) for codes in kinds)):
        if sum(counts) == m:
            yield np.sort(np.concatenate([codes[:count] for codes, count in zip(kinds, counts, strict=True)]))


def _worst(m: Leveled, out: float) -> NDArray[np.float64]:
    """n·Var (k,) of every value at its worst shares, where this part of the people is left out: at corners everybody
    holds one value, and values of a level are alike.
    """
    kinds = [level.codes for level in m.levels] + [np.flatnonzero(~m.sensitive)]
    some = np.unique(np.concatenate([codes[[0, -1]] for codes in kinds if len(codes)]))
    corners = [np.eye(1, m.k, int(value))[0] for value in some]
    return drawing.worst(corners, [m.variance(one, 1) for one in corners], kinds, out)
