"""What recognisers look at: a table as it was read, and what was seen on the way."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore.data.assumptions import Assumption, AssumptionKind
from ldpcore.data.columns import Column
from ldpcore.data.options import ReadOptions
from ldpcore.data.table import Table

_KEPT = 1_000_000
"""Different numbers of all columns that are kept."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """table; options: by which it was read; columns: as they were tidied; stated: what was assumed on the way from
    bytes to cells; settled: whether the file shows its decimal mark; boxes: columns read as boxes to tick;
    listed: those whose cells are lists in the file itself. special: numbers that stand for no answer, where they were
    looked for.
    """

    table: Table
    options: ReadOptions
    columns: Mapping[str, Column] = field(default_factory=dict)
    stated: tuple[Assumption, ...] = ()
    settled: bool = False
    boxes: tuple[str, ...] = ()
    listed: frozenset[str] = frozenset()
    special: dict[str, dict[float, int]] = field(default_factory=dict)
    _counted: dict[str, tuple[NDArray, NDArray]] = field(default_factory=dict)
    _answers: dict[str, dict[str, int]] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        return list(map(str, self.table.frame.columns))

    def sizes(self, column: str) -> tuple[NDArray[np.float64], NDArray[np.int64]] | None:
        """The different numbers of a column in their order and the rows of each; None for text."""
        if not self.table.profiles[column].numeric:
            return None
        if column not in self._counted:
            values = self.table.values(column)
            if values is None:
                return None
            counted = np.unique(values[~np.isnan(values)], return_counts=True)
            if sum(len(each) for each, _ in self._counted.values()) + len(counted[0]) > _KEPT:
                self._counted.clear()  # many columns of measurements would fill the memory
            self._counted[column] = counted
        return self._counted[column]

    def answers(self, column: str) -> dict[str, int]:
        """The answers of a category and the rows of each; {} for anything else."""
        if column not in self._answers:
            series = pd.Series(self.table.frame[column])
            self._answers[column] = {}
            if isinstance(series.dtype, pd.CategoricalDtype):
                codes, labels = series.cat.codes.to_numpy(), series.cat.categories.tolist()
                counts = np.bincount(codes[codes >= 0], minlength=len(labels))
                self._answers[column] = dict(zip(map(str, labels), counts.tolist(), strict=True))
        return self._answers[column]

    def role(self, column: str) -> str | None:
        """What somebody said that a column is."""
        return self.options.of(column).role


Recogniser = Callable[[Evidence], Iterable[Assumption]]


def while_reading(kind: AssumptionKind) -> Recogniser:
    """What was assumed of this kind while bytes became cells: after that only its result is left."""

    def stated(evidence: Evidence) -> Iterable[Assumption]:
        return [each for each in evidence.stated if each.kind == kind]

    return stated
