"""What the panels of the Means view share: the study, the data, the lines, and what is computed of them once."""

from dataclasses import dataclass, replace
from functools import cached_property

import pandas as pd

from ldpapp import compute
from ldpapp.compute.memory import once
from ldpapp.looks import look, wished
from ldpapp.tasks.means import axes
from ldpapp.tasks.means import data as means_data
from ldpapp.tasks.means import findings as means_findings
from ldpapp.tasks.means import study as own
from ldpapp.tasks.means.data import Unit
from ldpcore.study import Study, means
from ldpcore.study.means import Numbers, limit
from ldpcore.study.means.numbers import Cell
from ldpcore.study.means.spreads import Spread, spreads


@dataclass(frozen=True, eq=False)
class View:
    """Everything that the panels of one redraw share. `study` is at its own point of ε; `axis` is the error's."""

    study: Study
    data: Numbers
    unit: Unit
    axis: str

    @cached_property
    def curves(self) -> Study:
        """The surveys behind the marks on the lines."""
        return axes.curves(self.study, self.axis, axes.GRIDS[self.axis])

    @cached_property
    def lines(self) -> pd.DataFrame:
        """Closed forms over the axis."""
        return compute.theory(axes.curves(self.study, self.axis, axes.DENSE[self.axis]), self.data)

    @cached_property
    def point(self) -> Study:
        """The study at the chosen point of the axis alone."""
        return _point(self.study, self.axis)

    @cached_property
    def at(self) -> float:
        """The chosen point of the axis."""
        return means.current(self.point, self.data)

    @cached_property
    def pairs(self) -> list[tuple[str, str]]:
        return means_data.pairs(self.study)

    @cached_property
    def at_point(self) -> pd.DataFrame:
        return compute.kept(self.point, self.data)

    @cached_property
    def spreads(self) -> list[Spread]:
        """Of every line that there is for these marks, at the chosen point."""
        found = spreads(self.point, self.data, self.at_point)
        return [spread for spread in found if (spread.mechanism, spread.how) in self.pairs]

    @cached_property
    def focus(self) -> str:
        return means_findings.focus(self.spreads, self.study.mechanisms, wished("means_focus"))

    @property
    def promise(self) -> str:
        """Whose limit the focus is held against."""
        return limit.promise(self.focus)

    @property
    def limited(self) -> bool:
        """Whether there is a limit: with nothing marked ULDP promises nothing."""
        return bool(self.marked) or self.promise == "LDP"

    @property
    def marked(self) -> list[tuple[float, float]]:
        return own.marked(self.study)

    def cell(self, mechanism: str) -> Cell:
        """The mechanism at the chosen ε and marks, and its people."""
        return means.cell(self.study, self.data, self.study.arms[0].name, mechanism, self.study.epsilon)


@once(64)
def _point(study: Study, axis: str) -> Study:
    return replace(study, axis=axis).with_options(estimates=means_data.estimates(study))


def current(asked: Study, data: Numbers, axis: str) -> View:
    return View(own.here(asked), data, means_data.unit(look("means_unit", "typical"), data), axis)
