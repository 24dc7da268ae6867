"""How far each mechanism is from the limit: the least error of any with its promise that is fixed before the data.

Averaged over which values, among the marked and among the others, are the common ones (ldpcore.limit). Of people with
weights it is that of Kish's n, and of shares by squared weights, as their errors are.
"""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ldpcore import catalog, limit
from ldpcore.custom import CustomMechanism
from ldpcore.data import Histogram
from ldpcore.levels import Levels
from ldpcore.policy import LDP, ULDP, GuardedSDLDP
from ldpcore.scope import LEVELS, Scope, parts
from ldpcore.study import frequency
from ldpcore.study.definition import Study


def policy(mechanism: str, levels: bool = False) -> str:
    """Whose limit a mechanism is held against: its promise's, or ULDP's where that has none (the paper's SDLDP).

    levels: whether some values are secret. Then what hides the marked ones at the least ε keeps the levels, which allow
    less error.
    """
    promise = catalog.ANSWERS[mechanism].promise
    if promise in (LDP.name, GuardedSDLDP.name):
        return promise
    return Levels.name if levels or promise == Levels.name else ULDP.name


def policy_of(here: frequency.FrequencyDesignPoint) -> str:
    """The same of a cell; "" for a mechanism of one's own whose promise has no limit, and for people who choose other
    marks, who have none in common.
    """
    made, *others = (group.mechanism for group in here.groups)
    if others:
        return ""
    if not isinstance(made, CustomMechanism):
        return policy(here.mechanism, bool(here.secret.any()))
    return made.promise.definition if made.promise.definition in limit.POLICIES else ""


def least(promise: str, epsilon: float, k: int, marked: int, share: float, scope: str) -> float:
    """n times the least mean squared error over this scope of the values (theory/limits#three-scalars)."""
    bound = limit.best(promise, k, marked, epsilon, share=share, weight=scope)
    return {Scope.ALL: bound.mse, Scope.SENSITIVE: bound.sensitive, Scope.OTHER: bound.other}[Scope(scope)]


@dataclass(frozen=True)
class Layout:
    """How many values are public, private and secret, and which share of the people each level has."""

    sizes: tuple[int, int, int]
    shares: tuple[float, float, float]

    @classmethod
    def of(cls, here: frequency.FrequencyDesignPoint) -> "Layout":
        """That of a cell."""
        ranks = here.marked.astype(int) + here.secret
        parts = [ranks == rank for rank in range(3)]
        sizes = (int(part.sum()) for part in parts)
        return cls(tuple(sizes), tuple(round(float(here.noise[part].sum()), 12) for part in parts))  # type: ignore[arg-type]

    def least(self, epsilon: float, secret: float, scope: str) -> float:
        """n times the least mean squared error over this scope at these ε of private and secret values; nan where it is
        not computed (theory/levels#limit).
        """
        ranks = np.repeat(np.arange(3), self.sizes)
        # Levels of one ε stay two: the mean is over the orders within each.
        budgets = np.array([np.inf, epsilon, min(secret, np.nextafter(epsilon, 0))])[ranks]
        if not limit.is_computed(budgets):
            return math.nan
        share = np.array([mass / max(size, 1) for mass, size in zip(self.shares, self.sizes, strict=True)])[ranks]
        counted = parts(ranks > 0, ranks == 2)[scope]
        return limit.best_levels(budgets, share / share.sum(), counted).mse


Asked = tuple[str, float, int, int, float, str] | tuple[Layout, float, float, str]


def _asked(here: frequency.FrequencyDesignPoint, scope: str) -> Asked | None:
    """What the limit of a cell needs to know of it; None where there is none: guarded SDLDP compares the marked values
    with the others as one, whatever their levels.
    """
    promise, levels = policy_of(here), here.epsilons[here.marked]
    if not promise:
        return None
    if promise == Levels.name and len(levels):
        private = here.epsilons[here.marked & ~here.secret]
        return Layout.of(here), float(private.max(initial=levels.max())), float(levels.min()), scope
    if promise == GuardedSDLDP.name and scope in LEVELS:
        return None
    # One ε on every value: those counted stand for the marked ones.
    level = scope in LEVELS
    part = dict(here.scopes)[scope] if level else here.marked
    promise = ULDP.name if promise == Levels.name else promise
    share = round(float(here.noise[part].sum()), 12)
    epsilon = here.groups[0].mechanism.epsilon
    if math.isinf(epsilon):  # with levels, where nothing is marked: whatever it is, all is sent openly
        epsilon = 1.0
    return promise, epsilon, len(part), int(part.sum()), share, Scope.SENSITIVE if level else scope


def _least(asked: Asked | None) -> float:
    if asked is None:
        return math.nan
    return asked[0].least(*asked[1:]) if isinstance(asked[0], Layout) else least(*asked)  # type: ignore[arg-type]


def of_cell(here: frequency.FrequencyDesignPoint, scope: str) -> float:
    """The least mean squared error at this cell's ε, marks, people and share of marked answers; nan where it is not
    computed: with secret values, ε above 10, and guarded SDLDP on one level.
    """
    return _least(_asked(here, scope)) / here.effective


def for_shares(here: frequency.FrequencyDesignPoint, scope: str) -> limit.SharesLimit | None:
    """n times the mean squared error over this scope that none passes which is made for this cell's very shares.

    None where ε is too large for it, where so many shares differ that it would be a bracket and keep a page waiting,
    and for levels.
    """
    promise, epsilon = policy_of(here), here.groups[0].mechanism.epsilon
    if promise in ("", Levels.name) or scope not in limit.SCOPES or epsilon > limit.MOST_EPSILON:
        return None
    asked = (promise, here.noise, here.marked, epsilon, scope)
    return limit.best_for(*asked) if limit.is_reached(*asked) else None


def distances(study: Study, data: Histogram) -> pd.DataFrame:
    """mechanism, x, metric, scope, limit, times: the limit of the mean squared error and the exact error over it.

    People who choose their own marks have no common limit and no rows.
    """
    rows, known = [], {}  # mechanisms with one promise share a limit
    for mechanism in study.mechanisms:
        for x in frequency.points(study, data):
            if study.choices or not frequency.exists(study, data, mechanism, x):
                continue
            point = frequency.cell(study, data, mechanism, x)
            if not policy_of(point):
                continue
            error = point.squared_error()
            for scope, part in point.scopes:
                asked = _asked(point, scope)
                if asked not in known:
                    known[asked] = _least(asked)
                floor, exact = known[asked] / point.effective, float(error[part].mean())
                rows.append((mechanism, x, "mse", scope, floor, exact / floor if floor > 0 else float("nan")))
    return pd.DataFrame(rows, columns=["mechanism", "x", "metric", "scope", "limit", "times the limit"])
