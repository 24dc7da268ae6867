"""How far each mechanism for sets is from the limit of its promise on these baskets."""

import pandas as pd

from ldpcore import catalog
from ldpcore.baskets import Baskets
from ldpcore.limit import SET_PROMISES
from ldpcore.policy import LDP
from ldpcore.study import sets
from ldpcore.study.definition import Study
from ldpcore.study.invented import KEY


def distances(study: Study, data: Baskets) -> pd.DataFrame:
    """mechanism, x, metric, scope, limit, times: the limit of the mean squared error that randomising adds, and
    the exact one over it. No rows for other promises, or where a set has too many items for the program.
    """
    rows, known = [], {}  # mechanisms with one promise share a limit
    for mechanism in study.mechanisms:
        if mechanism != KEY and catalog.ITEMS[mechanism].promise not in SET_PROMISES:
            continue
        for point, built in sets.cells(study, data, mechanism):
            promise, noise = built.policy.name, point.noise(built)
            if promise not in SET_PROMISES:
                continue
            for scope, part in point.scopes:
                if promise != LDP.name and not point.marked.any():
                    continue
                key = promise, point.x, scope, built.epsilon
                if key not in known:
                    known[key] = point.least(promise, scope, built.epsilon)
                floor, exact = known[key], float(noise[part].mean())
                if floor is not None:
                    times = exact / floor if floor > 0 else float("nan")
                    rows.append((mechanism, point.x, "mse:kept", scope, floor, times))
    return pd.DataFrame(rows, columns=["mechanism", "x", "metric", "scope", "limit", "times the limit"])
