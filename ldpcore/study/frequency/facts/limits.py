"""How little any mechanism could err: along ε, made for these very shares, and at a bound on the exposure.

>>> from ldpcore import Marks, Source, Study
>>> from ldpcore.study.execute import prepare
>>> from ldpcore.study.frequency.facts import facts
>>> study = Study(Source("health"), "condition", Marks.of(["HIV", "hepatitis B"]), ("SS", "uSS"), grid=())
>>> data = prepare(study)
>>> every = facts(study, data).every
>>> (100 * along(study, data, every["uSS"], "all", (0.5, 1.0))).round(2).tolist()  # typical error, points
[0.56, 0.29]
>>> gap = exposed(study, data, every, "all")
>>> gap.key, round(100 * gap.error, 2), round(100 * gap.least, 2), round(gap.exposure, 2)
('SS', 1.37, 0.32, 0.62)
>>> even = at_equal_risk(study, data, every, every["SS"], "all")
>>> even.key, round(even.epsilon, 2), round(100 * even.error, 2), even.others_epsilon, round(100 * even.others_error, 2)
('uSS', 0.48, 0.57, 1.0, 1.37)
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from ldpcore import limit
from ldpcore.custom import CustomMechanism
from ldpcore.data import Histogram
from ldpcore.levels import Levels
from ldpcore.memory import remembered
from ldpcore.policy import LDP, ULDP
from ldpcore.scope import LEVELS, Scope
from ldpcore.study import frequency
from ldpcore.study.definition import Study
from ldpcore.study.frequency import floor
from ldpcore.study.frequency.facts import ByKey, best
from ldpcore.study.frequency.facts.mechanism import ShareFacts

Vector = NDArray[np.float64]
KEPT = 128
"""Limits that are kept with the data."""
WORTH = 1.05
"""Nearer to the limit than by this factor nothing is said to be off it."""


def along(study: Study, data: Histogram, main: ShareFacts, scope: str, epsilons: Sequence[float]) -> Vector | None:
    """The least typical error (q,) of a share over this scope at each ε, under the promise of this mechanism.

    NaN where it is not computed; None where the promise has no limit, or nothing is promised.
    """
    marked, promise = int(main.marked.sum()), floor.policy_of(main.cell)
    if not promise or (marked == 0 and main.promise != "LDP") or (promise != Levels.name and scope in LEVELS):
        return None
    if promise == Levels.name:
        layout, budgets = floor.Layout.of(main.cell), tuple((x, study.secret_at(x)) for x in epsilons)
        key = ("level limits", layout, budgets, scope)
        least = remembered(data, key, lambda: [layout.least(*pair, scope) for pair in budgets], KEPT)
    else:
        # Whoever protects all alike does so at the least ε.
        at = tuple(study.secret_at(x) if main.secret.any() else x for x in epsilons)
        share = round(float(main.cell.noise[main.marked].sum()), 12)
        asked = promise, at, len(main.marked), marked

        def curve() -> list[float]:
            return [_over(point, scope) for point in limit.curve(*asked, share=share, weight=scope)]

        least = remembered(data, ("limits", *asked, share, scope), curve, KEPT)
    return np.sqrt(np.array(least) / main.cell.effective)


def _over(point: limit.Limit, scope: str) -> float:
    return {Scope.ALL: point.mse, Scope.SENSITIVE: point.sensitive, Scope.OTHER: point.other}[Scope(scope)]


def for_shares(data: Histogram, main: ShareFacts, scope: str) -> tuple[float, float] | None:
    """Between which typical errors the least lies for mechanisms made for these very shares; None: not known."""
    key = floor.policy_of(main.cell), main.cell.groups[0].mechanism.epsilon, tuple(main.cell.noise)
    key = ("known shares", *key, tuple(main.marked), scope)
    ends = remembered(data, key, lambda: floor.for_shares(main.cell, scope), KEPT)
    people = main.cell.effective
    return None if ends is None else ((ends.least / people) ** 0.5, (ends.most / people) ** 0.5)


def at_exposure(study: Study, data: Histogram, main: ShareFacts, scope: str, exposures: Sequence[float]) -> Vector:
    """The least typical error (q,) over this scope under ULDP where marked answers are named rightly so often at most,
    by one who knows that they are marked.
    """
    share, asked = round(float(main.cell.noise[main.marked].sum()), 12), (len(main.marked), int(main.marked.sum()))

    def program(bound: float) -> Callable[[], float]:
        return lambda: _over(
            limit.best("ULDP", *asked, study.epsilon, share=share, exposure=bound, weight=scope), scope
        )

    key = ("exposed limits", *asked, study.epsilon, share, scope)
    least = [remembered(data, (*key, bound), program(bound), 8 * KEPT) for bound in exposures]
    return np.sqrt(np.array(least) / main.cell.effective)


def is_bounded(main: ShareFacts) -> bool:
    """Whether its promise is as strong as ULDP with one ε and the same marks for all, of which that limit is."""
    return main.promise in (LDP.name, ULDP.name) and len(main.cell.groups) == 1 and not main.secret.any()


@dataclass(frozen=True)
class ExposedError:
    """A mechanism, the marked answers that are named from its reports (share), its typical error over a scope, and the
    least that this exposure allows.
    """

    key: str
    scope: str
    exposure: float
    error: float
    least: float


def exposed(study: Study, data: Histogram, every: ByKey, scope: str) -> ExposedError | None:
    """The mechanism that is worst for its exposure; None where none is off the least error there by a twentieth: then
    none that `is_bounded` at this ε or a smaller one names as few and errs less by that. At a larger ε some may.
    """
    one = next(iter(every.values()))
    least = at_exposure(study, data, one, scope, [max(each.targeted, one.blind) for each in every.values()])
    worst: ExposedError | None = None
    for (key, each), floor_there in zip(every.items(), least.tolist(), strict=True):
        times = each.error(scope) / floor_there if floor_there else 0.0
        if isfinite(times) and times >= WORTH and (worst is None or times > worst.error / worst.least):
            worst = ExposedError(key, scope, each.targeted, each.error(scope), floor_there)
    return worst


HALVINGS = 24
"""Of the stretch from a thousandth of an ε to it: its third digit is right."""


@dataclass(frozen=True)
class EqualRisk:
    """A mechanism that errs less than another one where marked answers are named from the reports of either so often at
    most (share): the typical errors over a scope, and at which ε. One of the two is at the chosen ε, the other at that
    or a smaller one.
    """

    key: str
    exposure: float
    epsilon: float
    error: float
    others_epsilon: float
    others_error: float


def at_equal_risk(study: Study, data: Histogram, every: ByKey, main: ShareFacts, scope: str) -> EqualRisk | None:
    """Of these mechanisms the one that is most times more exact than `main` at equal risk, whatever it promises; None
    where none is by a twentieth. Whoever gives away more is compared at the largest smaller ε at which it does not.
    """

    def search() -> EqualRisk | None:
        named = best(study, data)  # of equals what other pages name, then what promises most
        better: EqualRisk | None = None
        for other in sorted(every.values(), key=lambda one: (one.key not in named, one.promise != LDP.name)):
            if other.key == main.key:
                continue
            risk = min(main.targeted, other.targeted)
            one, two = (_lowered(study, data, each, risk) for each in (other, main))
            if one is None or two is None:
                continue
            error, others = one[1].error(scope), two[1].error(scope)
            worth = WORTH if better is None else (1 + 1e-6) * better.others_error / better.error
            if error * worth < others:
                better = EqualRisk(other.key, risk, one[0], error, two[0], others)
        return better

    return remembered(data, ("equal risk", study, tuple(every), main.key, scope), search, KEPT)


def _lowered(study: Study, data: Histogram, one: ShareFacts, risk: float) -> tuple[float, ShareFacts] | None:
    """The largest ε, up to the chosen one, at which marked answers are named so often at most, and the mechanism there;
    None where it has no other ε, or names them more often at every one.
    """
    at, high = replace(study, axis="epsilon", grid=()), study.epsilon
    if one.targeted <= risk * (1 + 1e-9):
        return high, one
    if isinstance(one.mechanism, CustomMechanism):
        return None
    low, kept = high / 1000, None
    for step in range(HALVINGS):
        middle = low if step == 0 else (low * high) ** 0.5
        if not frequency.exists(at, data, one.key, middle):
            return None
        there = ShareFacts(one.key, frequency.cell(at, data, one.key, middle))
        if there.targeted <= risk:
            low, kept = middle, there
        elif step == 0:
            return None
        else:
            high = middle
    return None if kept is None else (low, kept)
