"""What a person's answer errs in each task: with these data, or with the worst that they could be."""

import math
from collections.abc import Hashable, Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from ldpcore import catalog, checks
from ldpcore import limit as limits
from ldpcore.attacks import bayes
from ldpcore.randomizer import Randomizer
from ldpcore.ranges import margin
from ldpcore.scope import Scope
from ldpcore.set_randomizer import SetRandomizer

from . import drawing
from .solve import Plan, margin_of, margins_of, quantile

Vector = NDArray[np.float64]


def people(
    key: str,
    *,
    k: int,
    sensitive: ArrayLike | None = None,
    epsilon: float,
    within: float,
    confidence: float = 0.95,
    every: bool = False,
    freq: ArrayLike | None = None,
    design_effect: float = 1.0,
) -> int | None:
    """`frequency(key, …).people(epsilon, within)`: the least number of people; None where none suffices.

    >>> people("SS", k=16, epsilon=1.0, within=0.01), people("SS", k=16, epsilon=1.0, within=0.01, every=True)
    (165785, 375004)
    """
    asked = frequency(key, k, sensitive, confidence=confidence, every=every, freq=freq, design_effect=design_effect)
    return asked.people(epsilon, within)


def epsilon(
    key: str,
    *,
    k: int,
    sensitive: ArrayLike | None = None,
    n: int,
    within: float,
    confidence: float = 0.95,
    every: bool = False,
    freq: ArrayLike | None = None,
    design_effect: float = 1.0,
) -> float | None:
    """`frequency(key, …).epsilon(n, within)`: the least ε; None where none between LOWEST and HIGHEST suffices.

    >>> round(epsilon("SS", k=16, n=165_785, within=0.01), 3), epsilon("SS", k=16, n=100, within=0.001)
    (1.0, None)
    """
    asked = frequency(key, k, sensitive, confidence=confidence, every=every, freq=freq, design_effect=design_effect)
    return asked.epsilon(n, within)


def success(
    key: str,
    *,
    k: int,
    sensitive: ArrayLike | None = None,
    epsilon: float,
    prior: ArrayLike | None = None,
    guess: float | None = None,
) -> float:
    """Of the people with a marked answer, the share whom the Bayesian attacker names rightly.

    `prior` None: the attacker knows that the answer is marked, and nothing else; with fewer than two marks, nothing.
    guess: of the share of marked answers, that the mechanism is made for (None: σ/k).
    """
    mask, size = checks.mask(sensitive, checks.domain_size(k)), checks.domain_size(k)
    known = checks.shares(prior, size, "prior") if prior is not None else _known(mask)
    won = bayes.success(catalog.FREQUENCY[key].guessing(guess, epsilon, size, mask), known)
    weight = known * (mask if mask.any() else 1.0)
    return float(won @ weight / weight.sum()) if weight.sum() else math.nan


def _known(mask: NDArray[np.bool_]) -> Vector:
    return bayes.targeted_prior(mask) if mask.sum() > 1 else np.full(len(mask), 1 / len(mask))


def frequency(
    key: str,
    k: int,
    sensitive: ArrayLike | None = None,
    *,
    confidence: float = 0.95,
    every: bool = False,
    freq: ArrayLike | None = None,
    of: ArrayLike | None = None,
    prior: ArrayLike | None = None,
    asked: float = 1.0,
    guess: float | None = None,
    design_effect: float = 1.0,
) -> Plan:
    """Shares of one column of k values.

    freq (k,): the shares, None for the worst; of (k,): which values are to be within, None for all; every: all of them
    at once, not only each; prior (k,): what the attacker knows, as in `success`; asked: the part of the people who are
    asked, drawn from all whom the shares are about; the plan's people are those asked; guess: the public guess of the
    share of marked answers that a mechanism is made for, None for freq's, or σ/k; design_effect: n over Kish's n, where
    people have weights. ValueError with a sentence.
    """
    size, out = checks.domain_size(k), drawing.left_out(asked)
    mask, counted = checks.mask(sensitive, size), _counted(of, size)
    entry, known = catalog.FREQUENCY[key], None if freq is None else checks.shares(freq, size)
    kind = mask if entry.uses_marks else np.ones(size, bool)
    made_for = guess if guess is not None or known is None else min(1.0, float(known[mask].sum()))

    def made(epsilon: float) -> Randomizer:
        return entry.guessing(made_for, epsilon, size, mask)

    def variances(epsilon: float) -> Vector:
        built = made(epsilon)
        if known is not None:
            return built.variance(known, 1) + drawing.added(known, out)
        corners = _corners(kind)
        return drawing.worst(corners, [built.variance(one, 1) for one in corners], (kind, ~kind), out)

    def blind() -> float:
        beliefs = checks.shares(prior, size, "prior") if prior is not None else _known(mask)
        best, targeted = beliefs >= beliefs.max(), beliefs * (mask if mask.any() else 1.0)
        return float(targeted[best].sum() / best.sum() / targeted.sum()) if targeted.sum() else math.nan

    def gain(epsilon: float) -> float:
        return success(key, k=size, sensitive=mask, epsilon=epsilon, prior=prior, guess=made_for)

    def whole(epsilon: float) -> Hashable | None:
        return made(epsilon).counted

    says = entry.factory.counted is not Randomizer.counted
    counted_whole = whole if says else None
    made_plan = Plan(key, lambda epsilon: margin_of(variances(epsilon)[counted], confidence, every), gain=gain,
                     guess=blind, whole=counted_whole, sways=prior is not None,
                     bits=lambda epsilon: made(epsilon).report_bits(),
                     each=lambda epsilon: margins_of(variances(epsilon), confidence))  # fmt: skip
    return made_plan.weighing(design_effect)


def _corners(mask: NDArray[np.bool_]) -> list[Vector]:
    """Everybody holds the same value: the first marked one, the last, and two others. The variance is linear in the
    shares, so its worst is at such a corner; and as a mechanism treats the values of either kind alike (but for those
    that fill up a last block), these stand for all.
    """
    some = [np.flatnonzero(part)[[0, -1]] for part in (mask, ~mask) if part.any()]
    return [np.eye(1, len(mask), int(value))[0] for value in np.unique(np.concatenate(some))]


def _worst(corners: list[Vector], mask: NDArray[np.bool_]) -> Vector:
    """The worst variance (k,) of each value: what its kind's worst one has in any of these corners."""
    seen = np.max(corners, axis=0)
    return np.where(mask, seen.max(where=mask, initial=0.0), seen.max(where=~mask, initial=0.0))


def sets(
    key: str,
    k: int,
    m: int,
    sensitive: ArrayLike | None = None,
    *,
    dummies: int = 0,
    confidence: float = 0.95,
    every: bool = False,
    freq: ArrayLike | None = None,
    company: ArrayLike | None = None,
    wobble: ArrayLike | None = None,
    of: ArrayLike | None = None,
    guess: float | None = None,
    design_effect: float = 1.0,
) -> Plan:
    """Shares of the holders of k items, m to each person: freq (k,) as they are, None for the worst. What `company`
    is, and which mechanisms look at it, `SetRandomizer.variance` says. wobble (k,): what drawing m of a person's items
    adds to the variances, None where everybody has m. guess: the public guess of the share of a person's items that are
    marked, which mechanisms are made for; None for freq's, or uniform sets. Not counted: what is left out of sets with
    more (a bias). Its success is what the promise allows (`of_two`), where it is one of the whole report.

    >>> round(sets("suWheel", 64, 4, [True] * 16 + [False] * 48).within(epsilon=1.0, n=100_000), 4)
    0.036
    """
    size = checks.domain_size(k)
    entry, counted = catalog.SETS[key], _counted(of, size)
    mask, extra = checks.mask(sensitive, size), 0.0 if wobble is None else np.asarray(wobble, float)

    if guess is None and freq is not None:
        guess = float(np.clip(1 - np.asarray(freq, float)[~mask].sum() / m, 0.0, 1.0))

    def variances(epsilon: float) -> Vector:
        built = entry.guessing(guess, epsilon, size, mask, m, dummies)
        if freq is not None:
            return built.variance(freq, 1, company) + extra
        return _worst([_of_one_set(built, item_set) for item_set in _kinds(built)], built.marked[: built.k]) + extra

    def alone(epsilon: float) -> float:
        return margin_of(variances(epsilon)[counted], confidence, every)

    def each(epsilon: float) -> Vector:
        return margins_of(variances(epsilon), confidence)

    # Of a mechanism whose reports disclose protected items, or whose promise is less, nothing is bounded.
    whole = catalog.coverage(entry.promise) in (catalog.Coverage.EVERY, catalog.Coverage.MARKED)

    def bits(epsilon: float) -> float:
        return entry.guessing(guess, epsilon, size, mask, m, dummies).report_bits(freq)

    known = (of_two, _coin) if whole else (None, None)
    return Plan(key, alone, gain=known[0], guess=known[1], bits=bits, each=each).weighing(design_effect)


def of_two(epsilon: float) -> float:
    """E/(E + 1): the most that anybody guesses right who knows that it is one of two neighbours, equally likely: for a
    set, two that differ in one hidden item; for a curator's release, that a person is in the data or not (between two
    answers of one person that is of_two(2ε)). It is what the promise allows; a mechanism may give less.

    >>> round(of_two(1.0), 3)
    0.731
    """
    return float(expit(epsilon))


def _coin() -> float:
    return 0.5


def _kinds(built: SetRandomizer) -> Iterator[NDArray[np.intp]]:
    """Two sets of each kind: with so many protected items, from the first codes on, and from the last (the dummies)."""
    protected, other = np.flatnonzero(built.marked), np.flatnonzero(~built.marked)
    for count in range(max(0, built.m - len(other)), min(built.m, len(protected)) + 1):
        rest = other[: built.m - count]
        yield np.concatenate([protected[:count], rest])
        yield np.concatenate([protected[len(protected) - count :], rest])


def _of_one_set(built: SetRandomizer, held: NDArray[np.intp]) -> Vector:
    """Variances (k,) of one report where everybody holds this set."""
    freq = np.zeros(built.inner)
    freq[held] = 1.0
    return built.variance(freq[: built.k], 1, built.company(held[None, :]))


def ranges(key: str, cells: int, asked: tuple[int, int], *, confidence: float = 0.95) -> Plan:
    """The share of people from cell l to cell r (1-based, inclusive) of `cells`, from a curator's noisy histogram.

    Exact: no normal law, and nothing about the data. Its success is what the promise allows (`of_two`).

    >>> ranges("Privelet", 128, (31, 45)).people(epsilon=1.0, within=0.01)
    2303
    """
    h = (checks.domain_size(cells) - 1).bit_length()
    strategy = catalog.RANGES[key].build(h)
    unit = margin(strategy, *asked, 1.0, confidence)
    return Plan(key, lambda epsilon: unit / epsilon, rate=1.0, gain=of_two, guess=_coin)


def limit(
    promise: str,
    k: int,
    marked: int,
    *,
    confidence: float = 0.95,
    share: float | None = None,
) -> Plan:
    """What no mechanism of this promise undercuts (`ldpcore.limit`: fixed before the data, treating marked values
    alike, and the others): of the worst value, for any or all at once.

    share: of the people with a marked answer; None for the worst of some shares, which bounds the worst of all.

    >>> limit("ULDP", 18, 2).people(epsilon=1.0, within=0.01) <= people(
    ...     "uSS", k=18, sensitive=[True] * 2 + [False] * 16, epsilon=1.0, within=0.01)
    True
    """
    shares = [share] if share is not None else sorted({marked / k, float(marked > 0)})

    def alone(epsilon: float) -> float:
        floors = (
            getattr(limits.best(promise, k, marked, epsilon, part, weight=weight), value)
            for part in shares
            for weight, value in ((Scope.ALL, "mse"), (Scope.SENSITIVE, "sensitive"), (Scope.OTHER, "other"))
            if {Scope.ALL: k, Scope.SENSITIVE: marked, Scope.OTHER: k - marked}[weight]
        )
        return quantile(confidence) * math.sqrt(max(max(floors), 0.0))

    return Plan("limit", alone, steps=False)


def _counted(of: ArrayLike | None, k: int) -> NDArray[np.bool_]:
    counted = np.ones(k, bool) if of is None else checks.mask(of, k)
    if not counted.any():
        raise ValueError("of marks no value, so nothing is to be within; mark at least one")
    return counted
