"""The Studies behind Sets' curves: where its axes are visited, and what each way to look asks.

>>> from ldpcore import Marks, Source, Study, data
>>> baskets = data.load("groceries").baskets("items")
>>> study = Study(Source("groceries"), "items", Marks.of(["milk"]), task="sets", axis="m", grid=())
>>> grids("m", study, baskets)[0]
(1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from scipy.interpolate import PchipInterpolator

from ldpcore import catalog, checks
from ldpcore.data import Baskets
from ldpcore.memory import remembered
from ldpcore.policy import LDP
from ldpcore.study import axis_points, sets
from ldpcore.study.curves import CurveOptions, drawn
from ldpcore.study.definition import Study
from ldpcore.study.invented import KEY
from ldpcore.study.sets import compared
from ldpcore.study.sets.point import ItemFacts
from ldpcore.study.sets.truncation import SIZES


@dataclass(frozen=True)
class SetsCurveOptions(CurveOptions):
    """Of sets: nothing is post-processed, and the attacks are made at the study's own point."""

    def simulated(self, study: Study) -> Study:
        """The study behind the marks on the curves; it does not change with the chosen ε."""
        return _along(study, self.axis, self.grid)

    def theoretical(self, study: Study) -> Study:
        """The study behind the lines."""
        return _along(study, self.axis, self.dense)

    @property
    def log_x(self) -> bool:
        return self.axis != "share"

    def at(self, study: Study, counted: Any) -> float:
        """Where the rule stands: the chosen point of the axis."""
        point = sets.current(on(self.axis, study), counted)
        return point * 100 if self.axis == "share" else point


def plain(study: Study, held: Baskets) -> SetsCurveOptions:
    """The plain way to look: against ε, over all items."""
    return SetsCurveOptions("all", "points", "raw", "epsilon", "", "sensitive", *grids("epsilon", study, held))


def over(study: Study, held: Baskets) -> Study:
    """The study, with a mechanism of one's own where its table fits, over the grid of its axis: what link, file and
    report of it have.
    """

    def made() -> Study:
        return replace(compared.added(study, held), grid=grids(study.axis, study, held)[0])

    return remembered(held, ("over", study), made, 16)


def least_of(study: Study) -> Study:
    """All of a study that a least error along its axis depends on, in one that is the same wherever that is."""

    def made() -> Study:
        asked = replace(study, mechanisms=("suGRR",), repetitions=1, grid=()).with_options(attacks=0)
        return asked.anchored(1.0) if study.axis == "epsilon" else asked

    return study.derived(("least of",), made)


def on(axis: str, study: Study) -> Study:
    """The study along this axis, at its own point alone."""
    return study.derived(("on", axis), lambda: replace(study, axis=axis, grid=()))


def _along(study: Study, axis: str, grid: tuple[float, ...]) -> Study:
    def made() -> Study:
        base = replace(study, axis=axis, grid=grid).with_options(attacks=0)
        return base.anchored(grid[0]) if axis == "epsilon" else base

    return study.derived(("along", axis, grid), made)


def grids(axis: str, study: Study, held: Baskets) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Where to simulate, and where to compute closed forms."""
    simulated = study.option("simulated")
    if axis == "epsilon":
        low, high = min(0.1, study.epsilon), max(5.0, study.epsilon)
        dense = axis_points.epsilons(low, high)
        return (0.1, 0.2, 0.5, 1.0, 2.0, 4.0), dense
    items = simulated or held.k
    if axis == "share":
        steps = np.unique(np.round(np.linspace(0, items, 21)))
        return tuple(float(s / items) for s in steps[::4]), tuple(float(s / items) for s in steps[1:])
    if axis == "k":
        most = 1024 if simulated else held.k
        least = sets.items_per_set(study, held) if simulated else 4
        powers = [2**i for i in range(2, 17) if least <= 2**i <= most]
        grid = tuple(float(k) for k in sorted({*powers, most}))
        return grid, grid
    if axis == "m":
        most = min(64, items) if simulated else min(64, max(8, int(held.lengths.max())))
        grid = tuple(float(m) for m in (1, 2, 4, 8, 16, 32, 64) if m <= most)
        return grid, tuple(float(m) for m in SIZES if m <= most)
    most = min(1_000_000, int(sets.MAX_PAIRS / max(sets.items_per_set(study, held), held.lengths.mean())))
    dense = tuple(float(n) for n in (500, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000) if n <= most)
    return dense[:6:2], dense


# the least error under the curves ------------------------------------------------------------------------------------


def limited(view: SetsCurveOptions, study: Study, held: Baskets) -> tuple[Study, list[float]]:
    """The study along the view's axis, and where on it the least error is searched for: at its own point first."""
    along = on(view.axis, study)
    point = sets.current(along, held)
    if view.axis == "epsilon":
        return along, list(axis_points.few_epsilons(view.dense[0], view.dense[-1], point))
    return along, [point, *(x for x in view.dense[::3] if x != point)]


def limited_for(main: ItemFacts, view: SetsCurveOptions, study: Study, held: Baskets) -> tuple[Study, list[float]]:
    """The same for the promise of one mechanism: nowhere where it makes none about the whole report. One's own has one
    ε, all of it for every marked item: along another axis it is not that of the others.
    """
    if not main.whole:
        return study, []
    if main.key != KEY:
        return limited(view, study, held)
    if view.axis != "epsilon" or main.epsilon < checks.MIN_EPSILON:
        return study, []
    return limited(view, replace(study, epsilon=main.epsilon, secret_epsilon=None), held)


def floor(view: SetsCurveOptions, least: Mapping[float, float], lines: pd.DataFrame, promise: str) -> pd.DataFrame:
    """The line [x, value] through least errors, as the axis has them: between them it bends, above no mechanism's line.

    least: x → mean squared error > 0 of shares, at two points or more. lines: the mechanisms' own [mechanism, x,
    value] as drawn, of which none that keeps the promise is below it.

    >>> view = SetsCurveOptions("all", "mse", "raw", "epsilon", "", "sensitive", (0.5, 2.0), (0.5, 1.0, 2.0))
    >>> mine = pd.DataFrame({"mechanism": ["PrivSet"] * 2, "x": [0.5, 2.0], "value": [0.5, 0.005]})
    >>> floor(view, {0.5: 0.1, 2.0: 0.01}, mine, "LDP").round(4).to_dict("list")
    {'x': [0.5, 1.0, 2.0], 'value': [0.1, 0.0375, 0.005]}
    """
    x = np.array(sorted(least))
    value = drawn(view.quantity, np.array([least[at] for at in x]))
    if view.log_x:  # so it bends little, and is straight while two points are known
        between = np.array([at for at in view.dense if x[0] < at < x[-1]])
        fine, bent = np.unique(np.concatenate([x, between])), axis_points.bent if view.axis == "epsilon" else np.log
        x, value = fine, np.exp(PchipInterpolator(bent(x), np.log(value))(bent(fine)))
    shown = view.shown_x(pd.Series(x)).to_numpy(float)
    for key, curve in lines.groupby("mechanism"):
        if key not in catalog.ITEMS or catalog.ITEMS[str(key)].promise not in (promise, LDP.name):
            continue
        reached = np.interp(np.log(shown), np.log(curve["x"]), np.log(curve["value"]), left=np.inf, right=np.inf)
        value = np.minimum(value, np.exp(reached))
    return pd.DataFrame({"x": shown, "value": value})
