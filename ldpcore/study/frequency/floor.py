"""How far each mechanism is from the limit: the least error of any with its promise that is fixed before the data.

Averaged over which values, among the marked and among the others, are the common ones (ldpcore.limit).
"""

import pandas as pd

from ldpcore import catalog, limit
from ldpcore.data import Histogram
from ldpcore.own import Own
from ldpcore.study import frequency
from ldpcore.study.definition import Study

SCOPES = ("all", "sensitive", "other")
LEVELS = "levels"
"""The promise with an ε for every value."""


def policy(mechanism: str) -> str:
    """Whose limit a mechanism is held against: its promise's, or ULDP's where that has none (the paper's SDLDP)."""
    promise = catalog.ANSWERS[mechanism].promise
    return promise if promise in (*limit.POLICIES, LEVELS) else "ULDP"


def policy_of(here: frequency.Cell) -> str:
    """The same of a cell; "" for a mechanism of one's own whose promise has no limit."""
    made = here.groups[0].mechanism
    if not isinstance(made, Own):
        return policy(here.mechanism)
    return made.promise.definition if made.promise.definition in limit.POLICIES else ""


def least(promise: str, epsilon: float, k: int, marked: int, share: float, scope: str) -> float:
    """n times the least mean squared error over this scope of the values (theory/limits#three-scalars)."""
    found = limit.best(promise, k, marked, epsilon, share=share, weight=scope)
    return {"all": found.mse, "sensitive": found.sensitive, "other": found.other}[scope]


def _asked(here: frequency.Cell, scope: str) -> tuple[str, float, int, int, float, str]:
    """What `least` needs to know of a cell."""
    share = round(float(here.freq[here.marked].sum()), 12)
    epsilon = here.groups[0].mechanism.epsilon
    return policy_of(here), epsilon, len(here.marked), int(here.marked.sum()), share, scope


def of_cell(here: frequency.Cell, scope: str) -> float:
    """The least mean squared error at this cell's ε, marks, people and share of marked answers."""
    return least(*_asked(here, scope)) / int(here.counts.sum())


def for_shares(here: frequency.Cell, scope: str) -> limit.SharesLimit | None:
    """n times the mean squared error over this scope that none passes which is made for this cell's very shares.

    None where ε is too large for it, or where so many shares differ that it would be a bracket and keep a page waiting.
    """
    epsilon = here.groups[0].mechanism.epsilon
    asked = (policy_of(here), here.freq, here.marked, epsilon, scope)
    return limit.best_for(*asked) if epsilon <= limit.MOST_EPSILON and limit.is_reached(*asked) else None


def distances(study: Study, data: Histogram) -> pd.DataFrame:
    """arm, mechanism, x, metric, scope, limit, times: the limit of the mean squared error and the exact error over it.

    People who choose their own marks have no common limit and no rows.
    """
    rows, known = [], {}  # mechanisms with one promise share a limit
    for arm in study.arms:
        for mechanism in study.mechanisms:
            for x in frequency.points(study, data):
                if not frequency.exists(study, data, arm.name, mechanism, x):
                    continue
                here = frequency.cell(study, data, arm.name, mechanism, x)
                if not policy_of(here):
                    continue
                error = here.squared_error()
                for scope, part in here.scopes:
                    asked = _asked(here, scope)
                    if asked not in known:
                        known[asked] = least(*asked)
                    floor, exact = known[asked] / int(here.counts.sum()), float(error[part].mean())
                    rows.append(
                        (arm.name, mechanism, x, "mse", scope, floor, exact / floor if floor > 0 else float("nan"))
                    )
    return pd.DataFrame(rows, columns=["arm", "mechanism", "x", "metric", "scope", "limit", "times the limit"])
