"""The facts of a clusters study at its own point: how near each method comes to K-modes, and what its messages tell.

Means over the starts that were played, of those from which every method has run.

>>> from ldpcore import Source, Study
>>> from ldpcore.study.execute import prepare
>>> study = Study(Source("health"), "condition", mechanisms=("LDPK", "Fresh"), grid=(), repetitions=2, task="clusters")
>>> found = facts(study.with_options(columns=("sex", "condition", "smoking")), prepare(study))
>>> {key: round(one.right, 2) for key, one in found.parts.items()}
{'LDPK': 0.84, 'Fresh': 0.68}
>>> round(found.blind, 2), round(found.parts["LDPK"].named, 2), round(found.promised, 2)
(0.45, 0.45, 0.45)
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from math import nan

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import stdtrit

from ldpcore.catalog import Coverage, coverage
from ldpcore.memory import remembered
from ldpcore.study import clusters
from ldpcore.study.clusters import ClusterRecords, compare
from ldpcore.study.clusters.grading import levels
from ldpcore.study.definition import Study
from ldpcore.study.quantities import CHANCE, PEOPLE, Known, quantity, simulated

UNKNOWN = "no attack on it is known, the study leaves attacks out, or no start was played yet"
UNMARKED = "no method that is compared goes by marks"
ALONE = "nothing that protects more is compared with what protects first reports, or one start was played"
UNPLAYED = "no start was played yet"
ONE_START = "fewer than two starts were played"


def whole_starts(rows: pd.DataFrame, methods: int) -> pd.DataFrame:
    """The rows of the starts from which all of so many methods have run: means over them compare like with like."""
    return rows[rows.groupby("repetition")["mechanism"].transform("nunique") == methods]


@dataclass(frozen=True, eq=False)
class MethodFacts(Known):
    """One method. rows: of the study's own point. column: the one that is attacked. started: the share of the people in
    the right cluster by each start itself (repetitions,), asked for when it is needed.
    """

    key: str
    column: str
    rows: pd.DataFrame
    started: Callable[[], NDArray[np.float64]]

    @property
    def leak(self) -> NDArray[np.float64] | None:
        """The share of the people whose column is named, start by start (r,); None where no attack is known."""
        return compare.guessed(self.rows, self.key, self.column)

    @quantity(PEOPLE, absent=UNPLAYED)
    def right(self) -> float:
        """People in the cluster that stands for their true one (AC)."""
        return self._mean("ac")

    @quantity("bits", absent=UNPLAYED)
    def entropy(self) -> float:
        """Entropy of the true clusters within those found, on average."""
        return self._mean("entropy")

    @quantity("rounds", absent=UNPLAYED)
    def rounds(self) -> float:
        """Rounds until it ends."""
        return self._mean("rounds")

    @quantity("bytes", absent=UNPLAYED)
    def sent(self) -> float:
        """What one person sends."""
        return self._mean("bytes per person")

    @quantity("bits", absent=UNPLAYED)
    def bits(self) -> float:
        """What one person sends in all rounds, on average; to a trusted curator the record itself."""
        return self._mean("bits")

    @quantity(CHANCE, absent=UNKNOWN)
    def named(self) -> float:
        """Values of the attacked column named rightly from the messages, by one who knows half of the people."""
        return nan if self.leak is None else float(self.leak.mean())

    @quantity(CHANCE, absent=UNKNOWN)
    def named_least(self) -> float:
        """The same from the start that tells least."""
        return nan if self.leak is None else float(self.leak.min())

    @quantity(CHANCE, absent=UNKNOWN)
    def named_most(self) -> float:
        """The same from the start that tells most."""
        return nan if self.leak is None else float(self.leak.max())

    @quantity(PEOPLE, absent=ONE_START)
    def learned(self) -> float:
        """More people in the right cluster than by the starts themselves, before anybody reports."""
        return self._learned_from(0)

    @quantity(PEOPLE, absent=ONE_START)
    def learned_least(self) -> float:
        """The lower end of the 95 % interval of that difference, start by start."""
        return self._learned_from(-1)

    @quantity(PEOPLE, absent=ONE_START)
    def learned_most(self) -> float:
        """The upper end of the 95 % interval of that difference, start by start."""
        return self._learned_from(1)

    def _learned_from(self, sign: int) -> float:
        part = self.rows[(self.rows["metric"] == "ac") & (self.rows["mechanism"] == self.key)]
        if len(part) < 2:
            return nan
        return _paired(part["value"].to_numpy(float) - self.started()[part["repetition"].to_numpy(int)], sign)

    def _mean(self, metric: str) -> float:
        part = self.rows[(self.rows["metric"] == metric) & (self.rows["mechanism"] == self.key)]["value"]
        return float(part.mean()) if len(part) else nan


def _paired(gains: NDArray[np.float64], sign: int) -> float:
    """The mean of differences start by start (0), or an end of its 95 % interval (−1, 1): Student's t."""
    return float(gains.mean() + sign * stdtrit(len(gains) - 1, 0.975) * gains.std(ddof=1) / len(gains) ** 0.5)


@dataclass(frozen=True, eq=False)
class ClustersFacts(Known):
    """rows: of the study's own point as far as it is played; None: all of it, played when it is first needed."""

    study: Study
    data: ClusterRecords
    rows: pd.DataFrame | None = None

    @cached_property
    def starts(self) -> pd.DataFrame:
        """The rows of the starts from which every method has run."""
        rows = self.rows
        if rows is None:
            rows = simulated(clusters.chunks(replace(self.study, axis="epsilon", grid=()), self.data))
        return whole_starts(rows, len(self.study.mechanisms))

    @cached_property
    def parts(self) -> dict[str, MethodFacts]:
        return {key: MethodFacts(key, self.study.column, self.starts, self._started) for key in self.study.mechanisms}

    def _started(self) -> NDArray[np.float64]:
        return started(self.study, self.data)

    @property
    def leaking(self) -> MethodFacts | None:
        """The first method whose promise is not about all of its messages."""
        return next((one for key, one in self.parts.items() if not clusters.CATALOG[key].whole), None)

    @property
    def best(self) -> MethodFacts | None:
        """Of those that keep the whole promise and trust no curator, the one nearest to K-modes."""
        every = (coverage(clusters.CATALOG[key].promise) is Coverage.EVERY for key in self.parts)
        kept = [one for (key, one), covers in zip(self.parts.items(), every, strict=True)
                if covers and not clusters.CATALOG[key].central]  # fmt: skip
        return max(kept, key=lambda one: one.right, default=None)

    @property
    def graded(self) -> MethodFacts | None:
        """The first method that keeps its promise of the marked columns, and sends the others as they are."""
        kept = (key for key in self.parts if clusters.CATALOG[key].whole and clusters.CATALOG[key].uses_marks)
        return next((self.parts[key] for key in kept), None)

    @cached_property
    def marked(self) -> tuple[str, ...]:
        """The columns that are protected where marks count."""
        return tuple(levels(self.study, self.data.columns))

    @cached_property
    def open_bounds(self) -> compare.Limits:
        base = replace(self.study, mechanisms=("Graded",))
        return remembered(self.data, ("open", base, self.study.column),
                          lambda: compare.open_limits(base, self.data, self.study.column))  # fmt: skip

    @cached_property
    def bounds(self) -> compare.Limits:
        return compare.limits(self.data, self.study.column, self.study.epsilon)

    @quantity(CHANCE)
    def blind(self) -> float:
        """Values of the attacked column guessed rightly without any message: the share of the commonest."""
        return self.bounds.blind

    @quantity(CHANCE)
    def promised(self) -> float:
        """The most that anybody names rightly from any reports within ε."""
        return self.bounds.promised

    @quantity(CHANCE, absent=UNMARKED)
    def seen(self) -> float:
        """Values of the attacked column named rightly by one who sees the columns that are not marked, and no more."""
        return self.open_bounds.blind if self._grades else nan

    @quantity(CHANCE, absent=UNMARKED)
    def seen_promised(self) -> float:
        """The most that reports within ε about marked columns raise this to."""
        return self.open_bounds.promised if self._grades else nan

    @property
    def apart(self) -> dict[str, tuple[float, float]]:
        """Methods that send the columns without a mark as they are → what these tell of the attacked one, `seen`, and
        the most that ε allows beside them; none where it is sent so itself.
        """
        graded = (key for key in self.parts if clusters.CATALOG[key].uses_marks)
        return dict.fromkeys(graded, (self.seen, self.seen_promised)) if self.study.column in self.marked else {}

    @property
    def _grades(self) -> bool:
        return any(clusters.CATALOG[key].uses_marks for key in self.parts)

    @quantity(PEOPLE)
    def untouched(self) -> float:
        """People in the right cluster by the starts themselves: what a method has that learns nothing."""
        return float(self._started().mean())

    @property
    def beside(self) -> MethodFacts | None:
        """What `leaking` is compared with: what protects the marked columns, where some are marked, else `best`."""
        return self.graded if self.graded is not None and self.marked else self.best

    @quantity(PEOPLE, absent=ALONE)
    def gained(self) -> float:
        """More people in the right cluster where only first reports are protected (`leaking`) than by `beside`."""
        return nan if self._gains is None else float(self._gains.mean())

    @quantity(PEOPLE, absent=ALONE)
    def gained_least(self) -> float:
        """The lower end of the 95 % interval of that difference, start by start."""
        return self._gained_from(-1)

    @quantity(PEOPLE, absent=ALONE)
    def gained_most(self) -> float:
        """The upper end of the 95 % interval of that difference, start by start."""
        return self._gained_from(1)

    @property
    def shows_gain(self) -> bool:
        """Whether this interval is on one side of 0."""
        return self.gained_least > 0 or self.gained_most < 0

    @cached_property
    def _gains(self) -> NDArray[np.float64] | None:
        """Start by start (r,); None where these two are not compared."""
        if self.leaking is None or self.beside is None:
            return None
        rows = self.starts[self.starts["metric"] == "ac"].pivot(index="repetition", columns="mechanism", values="value")
        return (rows[self.leaking.key] - rows[self.beside.key]).to_numpy(float)

    def _gained_from(self, sign: int) -> float:
        gains = self._gains
        if gains is None or len(gains) < 2:
            return nan
        return _paired(gains, sign)

    @quantity("starts")
    def played(self) -> int:
        """Starts from which every method has run."""
        return int(self.starts["repetition"].nunique())


def started(study: Study, data: ClusterRecords) -> NDArray[np.float64]:
    """`compare.started`, kept: no ε and no method changes it."""
    base = replace(study, mechanisms=study.mechanisms[:1], epsilon=1.0)
    return remembered(data, ("started", base), lambda: compare.started(base, data))


def facts(study: Study, data: ClusterRecords, rows: pd.DataFrame | None = None) -> ClustersFacts:
    """What is known of the study at its own point; scores and leaks come from simulated rows."""
    return ClustersFacts(study, data, rows)
