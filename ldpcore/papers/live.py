"""A figure of a paper as Studies: what opens as a page, what `ldpcore run` computes, and where its lines stand in that.

>>> from ldpcore.papers import LIVE
>>> LIVE["suldp", "Fig. 1"].files["suldp-fig1.toml"].option("simulated")
1024
"""

import re
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore.scope import Scope
from ldpcore.study import execute, tasks
from ldpcore.study.definition import Study
from ldpcore.study.serial import to_toml
from ldpcore.study.summaries import summary

Floats = NDArray[np.float64]
Turn = Callable[[Floats, Floats], Floats]
"""(x, what the run says there) → what the figure draws."""


def _times(factor: float, x: Floats, found: Floats) -> Floats:
    return factor * found


def times(factor: float) -> Turn:
    """So many times what the run says."""
    return partial(_times, factor)


def _times_over(factor: float, x: Floats, found: Floats) -> Floats:
    return factor * found / x


def times_over(factor: float) -> Turn:
    """So many times what the run says, over x."""
    return partial(_times_over, factor)


AS_IT_IS = times(1.0)


@dataclass(frozen=True)
class LineOfRun:
    """Where a line of a figure stands in the table of a run.

    setting: which of the figure's Studies; exact: its closed form is drawn, not the mean of its repetitions with its
    interval; against: "x", or "theory", where each scope is a point of its own, at its exact value.
    """

    line: str
    mechanism: str
    metric: str
    scope: str = "all"
    setting: str = ""
    exact: bool = True
    turn: Turn = AS_IT_IS
    against: str = "x"


@dataclass(frozen=True)
class LiveFigure:
    """A figure that opens: its Studies, by name, the first of which is the page's own ("" ); its lines in their tables.

    without: lines of the figure that no run has → why. stand_in: what is in the place of the paper's data, and of what
    it does not say. look: what of its task's page is to be seen first, such as "error" or "own marks".
    """

    paper: str
    number: str
    settings: Mapping[str, Study]
    lines: tuple[LineOfRun, ...]
    stand_in: str
    look: str = "error"
    without: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Of its first file, without the ending: "suldp-fig1"."""
        return f"{self.paper}-{re.sub(r'[^a-z0-9]', '', self.number.lower())}"

    @property
    def study(self) -> Study:
        """What opens."""
        return self.settings[""]

    @property
    def files(self) -> dict[str, Study]:
        """File → Study, for `ldpcore run`."""
        return {f"{self.name}{f'-{name}' if name else ''}.toml": study for name, study in self.settings.items()}

    @property
    def saving(self) -> str:
        """What writes these files."""
        return f"ldpcore papers --studies . --paper {self.paper}"

    @property
    def commands(self) -> tuple[str, ...]:
        """Its lines for the terminal."""
        return tuple(f"ldpcore run {file}" for file in self.files)

    def toml(self) -> dict[str, str]:
        """File → its text: what it is, where data or a parameter are a stand-in, and the Study."""
        about = textwrap.wrap(f"{self.paper}, {self.number}. {self.stand_in}", 110)
        head = "".join(f"# {line}\n" for line in about)
        return {file: head + to_toml(study) for file, study in self.files.items()}

    def drawn(self, tables: Mapping[str, pd.DataFrame] | None = None) -> pd.DataFrame:
        """The lines as its runs have them: x, line, value, low, high. tables: setting → the summary of a run; without
        them the Studies are run, where closed forms alone are drawn without surveys.
        """
        if tables is None:
            simulated = {line.setting for line in self.lines if not line.exact}
            tables = {name: _numbers(study, name in simulated) for name, study in self.settings.items()}
        return pd.concat([_drawn(line, tables[line.setting]) for line in self.lines], ignore_index=True)


def _numbers(study: Study, simulated: bool) -> pd.DataFrame:
    """What a page shows of a study, too."""
    counted = execute.prepare(study)
    return summary(study, counted, execute.run(study)) if simulated else tasks.of(study).theory(study, counted)


def _drawn(line: LineOfRun, table: pd.DataFrame) -> pd.DataFrame:
    rows = table[(table["mechanism"] == line.mechanism) & (table["metric"] == line.metric)]
    alone = line.against == "theory"
    rows = rows[rows["scope"] != Scope.ALL] if alone else rows[rows["scope"] == line.scope]
    x = rows["theory" if alone else "x"].to_numpy(float)
    names = ("theory",) * 3 if line.exact else ("value", "low", "high")
    value, low, high = (line.turn(x, rows[name].to_numpy(float)) for name in names)
    drawn = pd.DataFrame({"x": x, "line": line.line, "value": value, "low": low, "high": high})
    return drawn.sort_values("x", kind="stable")
