"""Behind the curves of Relations: the ways to ask that are drawn, their margins along ε or the people, simulated ones.

>>> from ldpcore import Marks, Source, Study, data
>>> from ldpcore.study import relations as task
>>> from ldpcore.study.relations.facts import facts
>>> study = Study(Source("health"), "sex", Marks.of(["smoking = every day"]), ("uSS",), task="relations",
...     options={"groups": "smoking"})
>>> one = facts(study, task.prepare(study, data.load("health"))).best
>>> ways(one)
[('apart', False), ('as one', False), ('open', False)]
>>> line(one, ("apart", False), "n").iloc[[0, -1]].round(2).values.tolist()  # a thousand times as many
[[1000.0, 26.62, 3.0], [1000000.0, 0.84, 3.0]]
"""

from dataclasses import replace
from math import isclose, nan

import numpy as np
import pandas as pd

from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.study import axis_points
from ldpcore.study.definition import Study
from ldpcore.study.relations.mechanism import RelationFacts
from ldpcore.study.relations.people import PairCounts
from ldpcore.study.relations.settings import HOWEVER, SETTINGS, options
from ldpcore.study.summaries import summary

Way = tuple[str, bool]
"""A setting, and whether groups that are not compared are joined."""
GRIDS = {
    "epsilon": (0.25, 0.5, 1.0, 2.0, 4.0),
    "n": (1_000.0, 10_000.0, 100_000.0, 1_000_000.0),
}
"""Where surveys are simulated, and what link, file and results hold."""
ERROR = "squared error of the difference"
SAME = 1e-6
"""Two margins this near, of their size, are one."""
ENOUGH = 4
"""Surveys from which on their error has an interval."""


def dense(axis: str) -> tuple[float, ...]:
    """Where lines are computed."""
    grid = GRIDS[axis]
    between = axis_points.epsilons if axis == "epsilon" else axis_points.people
    return tuple(sorted({*between(grid[0], grid[-1]), *grid}))


def single(study: Study) -> Study:
    """One survey of it, at its own point: what is exact does not depend on how many there are."""
    return study.derived(("single",), lambda: replace(study, repetitions=1, grid=()))


def along(study: Study, key: str) -> Study:
    """The surveys behind the marks on this mechanism's line: the same whatever point of the axis is chosen."""

    def made() -> Study:
        grid = GRIDS[study.axis]
        base = replace(study, mechanisms=(key,), grid=grid)
        return base.anchored(grid[0]) if study.axis == "epsilon" else replace(base, n=round(grid[0]))

    return study.derived(("along", key), made)


def ways(one: RelationFacts) -> list[Way]:
    """The ways that are drawn: the present one, the other settings, and the best of those with groups joined; of those
    that err just as much the first: they are one way where one question is hidden alone, or joining changes nothing.
    """
    chosen = options(one.study)
    now = (chosen.setting, chosen.join)
    joined = [way for way in one.others if way.joined and way.setting != "open" and not chosen.join]
    best = min(joined, key=lambda way: way.margin, default=None)
    shown = [*((setting, chosen.join) for setting in SETTINGS), *([(best.setting, True)] if best is not None else [])]
    margins = {now: one.margin} | {(way.setting, way.joined): way.margin for way in one.others}
    kept = [now]
    for way in shown:
        same = [each for each in kept if way in margins and isclose(margins[way], margins.get(each, nan), rel_tol=SAME)]
        if way not in kept and not same:
            kept.append(way)
    return kept


def line(one: RelationFacts, way: Way, axis: str) -> pd.DataFrame:
    """Margins, ± 95 %, in points along the axis, and what one person sends [x, value, bits]; no rows where this cannot
    be asked so.
    """
    if axis == "n":
        half, bits = (known(way[0], one.study.epsilon, way[1]) for known in (one.half_width, one.size))
        off = [] if half is None else [(n, 100 * half * (one.n / n) ** 0.5, bits) for n in dense("n")]
    else:
        # A mechanism for pairs is searched for at every ε.
        grid = GRIDS["epsilon"] if one.shows_unmarked else dense("epsilon")
        halves = [(epsilon, one.half_width(way[0], epsilon, way[1])) for epsilon in grid]
        off = [(epsilon, 100 * half, one.size(way[0], epsilon, way[1])) for epsilon, half in halves if half]
    return pd.DataFrame(off, columns=["x", "value", "bits"])


def simulated(study: Study, people: PairCounts, rows: pd.DataFrame) -> pd.DataFrame:
    """The same margins of the surveys in these rows of `study` [x, value, low, high], with 95 % intervals."""
    wanted = rows[rows["metric"] == ERROR]
    if not len(wanted):
        return pd.DataFrame({name: pd.Series(dtype=float) for name in ("x", "value", "low", "high")})
    means = summary(study, people, wanted)
    ends = {name: 100 * NORMAL_95 * np.sqrt(means[name].to_numpy(float)) for name in ("value", "low", "high")}
    few = means["repetitions"].to_numpy() < ENOUGH
    for name in ("low", "high"):
        ends[name] = np.where(few, ends["value"], ends[name])
    return pd.DataFrame({"x": means["x"].to_numpy(float), **ends})


def floor_of(one: RelationFacts) -> str:
    """What the floor under its line is of: what is asked as it is, or where a pair may show its unmarked half
    everything.
    """
    return HOWEVER if one.shows_unmarked else options(one.study).setting


def distinct(one: RelationFacts) -> list[str]:
    """The settings that can be asked so here, of those that are one way the first: no two err alike."""
    chosen, epsilon = options(one.study), one.study.epsilon
    return [setting for setting, joined in ways(one)
            if joined == chosen.join and one.half_width(setting, epsilon, joined) is not None]  # fmt: skip


def floors_of(one: RelationFacts) -> list[str]:
    """What else has a floor worth saying: the ways to hide that differ here, the present one first."""
    able = distinct(one)
    both = [HOWEVER] if one.compared.mx.any() and one.compared.my.any() else []
    return sorted([*able, *both], key=lambda asked: asked != floor_of(one))


def over(study: Study, people: PairCounts) -> Study:
    """The study over the grid of its axis: what link, file and report of it have."""
    return study.derived(("over",), lambda: replace(study, grid=GRIDS[study.axis]))


def at(study: Study, x: float) -> tuple[float, int | None]:
    """ε and people (None: all of the data) at this point of the study's axis."""
    return (x, study.n) if study.axis == "epsilon" else (study.epsilon, round(x))
