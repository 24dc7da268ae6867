"""The Studies behind Means' curves: ε, the number of people, or how much of the public range is marked.

>>> from ldpcore import Source, Study
>>> study = Study(Source("health"), "age", bins=(18, 98, 64), task="means", grid=())
>>> along(study, "n", (100.0, 1000.0), ("mean",)).n, scale("share")
(100, 100.0)
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pandas as pd

from ldpcore.study import axis_points, intervals
from ldpcore.study.definition import Marks, Study
from ldpcore.study.means import compared
from ldpcore.study.means.numbers import NumberColumn

GRIDS = {
    "epsilon": (0.1, 0.2, 0.5, 1.0, 2.0, 4.0),
    "n": (100.0, 1_000.0, 10_000.0, 100_000.0, 1_000_000.0),
    "share": (0.1, 0.2, 0.4, 0.6, 0.8, 1.0),
}
"""Where surveys are simulated, and what link, file and results hold."""
DENSE = {
    "epsilon": axis_points.epsilons(0.1, 4),
    "n": tuple(sorted({*axis_points.people(100, 1_000_000), *GRIDS["n"]})),
    "share": tuple(sorted({*axis_points.percents(2, 100), *GRIDS["share"]})),
}
"""Where closed forms are computed."""


def scale(axis: str) -> float:
    """How a point of the axis is written: shares in percent."""
    return 100.0 if axis == "share" else 1.0


def along(study: Study, axis: str, grid: tuple[float, ...], estimates: tuple[str, ...]) -> Study:
    """The study behind the lines: the same whatever point of the axis is chosen, and without attacks.

    Of the shares every one but the study's own has the paper's marks; here the own one is 0, which nobody draws.
    """

    def made() -> Study:
        base = replace(study, axis=axis, grid=grid).with_options(attacks=0, estimates=estimates)
        if axis == "epsilon":
            return base.anchored(grid[0])
        return replace(base, n=round(grid[0])) if axis == "n" else replace(base, marks=Marks())

    return study.derived(("along", axis, grid, estimates), made)


def over(study: Study, data: NumberColumn) -> Study:
    """The study, with a mechanism of one's own where its table fits, over the grid of its axis: what link, file and
    report of it have.
    """
    return study.derived(("over",), lambda: replace(compared.added(study), grid=GRIDS[study.axis]))


def seen(study: Study, axis: str, estimates: tuple[str, ...]) -> Study:
    """At the chosen point of the axis alone, without the attacks, whose numbers are exact anyway."""
    return study.derived(
        ("seen", axis, estimates), lambda: replace(study, axis=axis).with_options(estimates=estimates, attacks=0)
    )


def limited(study: Study, data: NumberColumn, axis: str, x: float, own: float) -> tuple[Study, float]:
    """Whose limit belongs to this point of the axis, and of how many people, of those with weights as many as err as
    much with equal ones; `own` is the study's own point.
    """
    people = (study.n or data.n) / data.design_effect
    if axis == "epsilon":
        return study.derived(("at", x), lambda: replace(study, epsilon=x)), people
    if axis == "n":
        return study, round(x) / data.design_effect
    if x == own:
        return study, people
    marks = Marks.of(intervals.written(*pair) for pair in intervals.outer(x, data.interval))
    return study.derived(("share", marks), lambda: replace(study, marks=marks)), people


def floor(axis: str, least: Mapping[float, float]) -> pd.DataFrame:
    """The line [x, value] through least squared errors as the axis is written, straight between them in logarithms.

    least: x → mean squared error > 0, at one point or more.

    >>> floor("n", {100.0: 4.0, 10_000.0: 0.04}).iloc[[0, -1]].round(6).values.tolist()
    [[100.0, 4.0], [10000.0, 0.04]]
    """
    at, dense = np.array(sorted(least)), np.array(DENSE[axis])
    dense = dense[(at[0] <= dense) & (dense <= at[-1])]
    along = np.asarray if axis == "share" else np.log
    value = np.exp(np.interp(along(dense), along(at), np.log([least[x] for x in at])))
    return pd.DataFrame({"x": scale(axis) * dense, "value": value})
