"""What the panels of the Means view share: the study, the data, the lines, and what is computed of them once."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from ldpapp import compute
from ldpapp.looks import look, wished
from ldpapp.tasks.means import data as means_data
from ldpapp.tasks.means import findings as means_findings
from ldpapp.tasks.means import study as own
from ldpapp.tasks.means.data import Spread, Unit
from ldpcore import catalog
from ldpcore.mechanisms.ternary import SWITCH
from ldpcore.study import Study
from ldpcore.study.means import Numbers

BEYOND = (SWITCH, SWITCH + 0.001)
"""The last ε of uTernary's first construction, and an ε of its second: its curves jump between them."""
DENSE = tuple(sorted({*(float(f"{x:.3g}") for x in np.geomspace(0.1, 4, 25)), *BEYOND}))
"""Where closed forms are drawn."""


@dataclass(frozen=True, eq=False)
class View:
    """Everything that the panels of one redraw share."""

    study: Study
    data: Numbers
    unit: Unit

    @cached_property
    def curves(self) -> Study:
        return means_data.curves(self.study, own.GRID)

    @cached_property
    def point(self) -> Study:
        return means_data.point(self.study)

    @cached_property
    def pairs(self) -> list[tuple[str, str]]:
        return means_data.pairs(self.study)

    @cached_property
    def at_point(self) -> pd.DataFrame:
        return compute.kept(self.point, self.data)

    @cached_property
    def spreads(self) -> list[Spread]:
        theory = compute.theory(self.point, self.data)
        return means_data.spreads(self.point, self.data, theory, self.at_point)

    @cached_property
    def focus(self) -> str:
        return means_findings.focus(self.spreads, self.study.mechanisms, wished("means_focus"))

    @property
    def promise(self) -> str:
        """Whose limit the focus is held against; the paper's SDLDP has none of its own."""
        return "LDP" if catalog.MEANS[self.focus].promise == "LDP" else "ULDP"

    @property
    def marked(self) -> list[tuple[float, float]]:
        return own.marked(self.study)


def current(study: Study, data: Numbers) -> View:
    return View(study, data, means_data.unit(look("means_unit", "typical"), data))
