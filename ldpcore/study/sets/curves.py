"""The Studies behind Sets' curves: where its axes are visited, and what each way to look asks.

>>> from ldpcore import Marks, Source, Study, data
>>> baskets = data.load("groceries").baskets("items")
>>> study = Study(Source("groceries"), "items", Marks.of(["milk"]), task="sets", axis="m", grid=())
>>> grids("m", study, baskets)[0]
(1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ldpcore.data import Baskets
from ldpcore.study import axis_points, sets
from ldpcore.study.curves import CurveOptions
from ldpcore.study.definition import Study
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
