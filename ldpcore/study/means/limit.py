"""How far each mechanism is from the limit of the mean on these data, under its promise."""

import numpy as np
import pandas as pd

from ldpcore import catalog
from ldpcore.custom import NONE, CustomNumbers
from ldpcore.leveled_parts import Parts
from ldpcore.levels import Levels
from ldpcore.limit import best_leveled_mean, best_mean
from ldpcore.mechanisms.graded_piecewise import SDPM
from ldpcore.numeric_randomizer import NumericRandomizer, Vector
from ldpcore.policy import LDP, ULDP
from ldpcore.study import intervals, means
from ldpcore.study.definition import Study
from ldpcore.study.means.numbers import NumberColumn

POINTS = 16
"""Groups of people in the limit's program: twice as many raise it by 3 % at ε = 4, less below, but take long there."""
MANY = 4.0
"""Above this ε what is lost inside a group counts, and the program is quick: twice the groups."""


def least(study: Study, data: NumberColumn, promise: str, epsilon: float) -> float:
    """n·Var that no mean under the promise, unbiased for all numbers of the public range, gets below on these data.

    People are gathered at their groups' means; no mark's end crosses a group. The average of its people's rows keeps
    every promise and is unbiased at their mean, so the program for the groups, less their inner variance, is a floor
    for the people. The ends of what is marked, where nobody need be, make it higher.
    """
    whole = [(data.interval.low, data.interval.high)]
    pairs = whole if promise == LDP.name else means.pairs(study.marks, data.interval)
    low = intervals.complement(pairs, data.interval)
    count = POINTS if epsilon <= MANY else 2 * POINTS
    parts = means.parts(study, data, epsilon)
    plain = SDPM(epsilon, low, count)
    m = catalog.LEVELED_MEANS["gPM"].build(parts.pieces, bins=count) if promise == Levels.name else plain
    where = np.clip(np.searchsorted(m.inputs, data.points, side="right") - 1, 0, len(m.points) - 1)
    squares, n = data.squares, float(data.squares.sum())  # people, or their squared weights: by these it errs
    weight = np.bincount(where, squares, len(m.points))
    sums = np.bincount(where, squares * data.points, len(m.points))
    centre = np.where(weight > 0, sums / np.where(weight > 0, weight, 1), m.points)
    within = float(squares @ (data.points - centre[where]) ** 2) / n
    if promise == Levels.name:
        return max(_leveled(parts, centre, weight / n) - within, 0.0)
    ends = np.clip(data.interval.encode(np.array([min(a for a, _ in pairs), max(b for _, b in pairs)])), -1, 1)
    bound = best_mean(
        epsilon, np.concatenate([centre, ends]), np.concatenate([weight / n, [0.0, 0.0]]),
        np.concatenate([~plain.is_low(m.points), [True, True]]),
    )  # fmt: skip
    return max(bound.low - within, 0.0)


def _leveled(parts: Parts, x: Vector, share: Vector) -> float:
    """The same with an ε for every part, and its ends, where nobody need be."""
    hidden = parts.hidden
    ends = parts.ends[:, hidden].ravel()
    epsilons = np.concatenate([parts.at(x), np.tile(parts.epsilons[hidden], 2)])
    return best_leveled_mean(epsilons, np.concatenate([x, ends]), np.concatenate([share, np.zeros(len(ends))])).low


def promise(mechanism: str, made: NumericRandomizer) -> str:
    """Whose limit a mechanism is held against; the paper's SDLDP has none of its own. "" where it keeps nothing."""
    if isinstance(made, CustomNumbers):  # which keeps LDP, or one ε towards all that is marked
        return {LDP.name: LDP.name, NONE: ""}.get(made.promise.definition, ULDP.name)
    kept = catalog.NUMBERS[mechanism].promise
    return kept if kept in (LDP.name, Levels.name) else ULDP.name


def distances(study: Study, data: NumberColumn) -> pd.DataFrame:
    """mechanism, x, metric, scope, limit, times: the limit of the mean's squared error, in the column's units, and
    the exact error of the mechanism's unbiased mean over it. No rows where nothing is promised or known.
    """
    rows, known = [], {}  # mechanisms with one promise share a limit
    for mechanism in study.mechanisms:
        for x in means.points(study, data):
            if study.choices or not means.exists(study, data, mechanism, x):
                continue
            point = means.cell(study, data, mechanism, x)
            made = point.groups[0].mechanism
            epsilon, kept = made.epsilon, promise(mechanism, made)
            if not kept or study.axis == "share" or (kept != LDP.name and not point.marked):
                continue
            if (kept, epsilon) not in known:
                known[kept, epsilon] = least(study, data, kept, epsilon)
            n = sum(group.effective for group in point.groups)
            floor = known[kept, epsilon] * data.unit**2 / n
            how = "mean" if made.unbiased else "unbiased"
            if how not in point.estimates((how,)) and how != "mean":
                continue
            error = point.groups[0].moments(how)[1] * data.unit**2
            rows.append((mechanism, x, f"mse:{how}", "all", floor, error / floor if floor > 0 else float("nan")))
    return pd.DataFrame(rows, columns=["mechanism", "x", "metric", "scope", "limit", "times the limit"])
