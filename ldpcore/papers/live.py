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

from ldpcore.study.definition import Study
from ldpcore.study.serial import to_toml

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

    setting: which of the figure's Studies; exact: its closed form is drawn, not the mean of its repetitions; against:
    "x", or "theory", where each scope is a point of its own, at its exact value.
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

    def drawn(self, tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
        """The lines as these runs have them (setting → the table of `run`): x, line, value."""
        return pd.concat([_drawn(line, tables[line.setting]) for line in self.lines], ignore_index=True)


def _drawn(line: LineOfRun, table: pd.DataFrame) -> pd.DataFrame:
    rows = table[(table["mechanism"] == line.mechanism) & (table["metric"] == line.metric)]
    if line.against == "theory":
        mean = rows[rows["scope"] != "all"].groupby("scope", sort=False)[["value", "theory"]].mean()
        x = values = mean["theory"].to_numpy(float)
        values = values if line.exact else mean["value"].to_numpy(float)
    else:
        mean = rows[rows["scope"] == line.scope].groupby("x")[["value", "theory"]].mean()
        x = mean.index.to_numpy(float)
        values = mean["theory" if line.exact else "value"].to_numpy(float)
    return pd.DataFrame({"x": x, "line": line.line, "value": line.turn(x, values)})
