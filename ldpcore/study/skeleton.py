"""What every task's run is: the points of its axis, a table of theory and the pieces of the simulation.

A task says which point is chosen now, and gives the rows of one cell (a mechanism at a point) in theory, and of
one survey of it; the loops, the tables and the pieces are here, once.

>>> from ldpcore.study.definition import Source, Study
>>> study = Study(Source("health"), "condition", mechanisms=("GRR",), grid=(0.5,), repetitions=2)
>>> coin = Run(
...     current=lambda study, data: study.epsilon,
...     survey=lambda study, data, mechanism, x, repetition: [("mse", "all", x * repetition)],
... )
>>> coin.points(study, None)
[0.5, 1.0]
>>> second = coin.chunks(study, None)[1]
>>> second()[["mechanism", "repetition", "x", "value"]].values.tolist()
[['GRR', 1, 0.5, 0.5], ['GRR', 1, 1.0, 1.0]]
"""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore.study.definition import Study
from ldpcore.threads import one_thread

Row = tuple[str, str, float]
"""metric, scope and number: a row of a cell's table, which knows where it stands."""
MOST_ATTACKS = 100_000
"""Attacked reports, or people, in one repetition."""
_SIMULATED = ["mechanism", "repetition", "x", "metric", "scope", "value"]
_KINDS = {"x": float, "theory": float, "value": float, "repetition": int}
"""What columns of numbers hold where there is no row."""
CELL = ["mechanism", "x", "metric", "scope"]
"""What tells a row of theory from all others; a simulated one has its repetition too."""


def at(study: Study, x: float) -> Study:
    """The same study at this point of its axis alone."""
    return replace(study, epsilon=x, grid=()) if study.axis == "epsilon" else replace(study, grid=(x,))


def table(rows: list[tuple[Any, ...]], columns: list[str]) -> pd.DataFrame:
    """Rows as a table whose columns are texts and numbers, also where there is no row."""
    if rows:
        return pd.DataFrame(arrays(rows, columns))
    return pd.DataFrame({name: pd.Series(dtype=_KINDS.get(name, str)) for name in columns})


def arrays(rows: list[tuple[Any, ...]], columns: list[str]) -> dict[str, NDArray[Any]]:
    """The columns of that table, numbers, or texts as objects: without pandas, in a tenth of the time.

    >>> {name: column.tolist() for name, column in arrays([("GRR", 0.5), ("SS", 1.0)], ["mechanism", "x"]).items()}
    {'mechanism': ['GRR', 'SS'], 'x': [0.5, 1.0]}
    """
    if not rows:
        return {name: np.array([], _KINDS.get(name, object)) for name in columns}
    return {name: _array(values) for name, values in zip(columns, zip(*rows, strict=True), strict=True)}


def _array(values: tuple[Any, ...]) -> NDArray[Any]:
    return np.array([*map(str, values)], object) if isinstance(values[0], str) else np.array(values)


def _nothing(study: Study, data: Any, mechanism: str, x: float) -> Iterable[Row]:
    """No closed form."""
    return ()


class Piece(Protocol):
    """A part of a task's simulation, of one mechanism. Picklable: it may run anywhere."""

    mechanism: str
    repetition: int

    @property
    def identity(self) -> Hashable | None:
        """All that it depends on; None: the study with this mechanism alone, and the repetition."""
        ...

    def rows(self) -> list[tuple[Any, ...]]:
        """Simulated now: mechanism, repetition, x, metric, scope, value."""
        ...

    def __call__(self) -> pd.DataFrame:
        """These rows as a table."""
        return table(self.rows(), _SIMULATED)

    def columns(self) -> dict[str, NDArray[Any]]:
        """The same, simulated likewise, without a table around them: numbers, or texts as objects."""
        return arrays(self.rows(), _SIMULATED)


@dataclass(frozen=True)
class Run:
    """A task's own part of its run: plain functions of a module, so that the pieces travel to other processes.

    `current`(study, data): the point of the axis that is chosen now, visited whatever the grid. `survey`(study, data,
    mechanism, x, repetition) and `expected`(study, data, mechanism, x): the rows of one cell, simulated and in closed
    form; none where the mechanism does not exist there.
    `apart`: each point is a piece of its own, where one takes long. `identity`(chunk): all that a piece depends on,
    where that is less than its study. `beside`(study, data): points that are visited whatever the grid, where something
    stands that has one point alone.
    """

    current: Callable[[Study, Any], float]
    survey: Callable[[Study, Any, str, float, int], Iterable[Row]]
    expected: Callable[[Study, Any, str, float], Iterable[Row]] = _nothing
    apart: bool = False
    identity: Callable[["Chunk"], Hashable] | None = None
    beside: Callable[[Study, Any], set[float]] | None = None

    def points(self, study: Study, data: Any) -> list[float]:
        """The grid and the chosen point, ascending."""
        others = self.beside(study, data) if self.beside else ()
        return sorted({*map(float, study.grid), float(self.current(study, data)), *others})

    @one_thread
    def theory(self, study: Study, data: Any) -> pd.DataFrame:
        """Closed forms: mechanism, x, metric, scope, theory; empty where there are none."""
        rows = [
            (mechanism, x, *row)
            for mechanism in study.mechanisms
            for x in self.points(study, data)
            for row in self.expected(study, data, mechanism, x)
        ]
        return table(rows, [*CELL, "theory"])

    def chunks(self, study: Study, data: Any) -> list["Chunk"]:
        """The simulation as independent pieces: survey by survey, so that all lines gain points together."""
        points = tuple(self.points(study, data))
        return [
            Chunk(self, study, data, mechanism, visited, repetition)
            for repetition in range(study.repetitions)
            for visited in ([(x,) for x in points] if self.apart else [points])
            for mechanism in study.mechanisms
        ]


@dataclass(frozen=True, eq=False)
class Chunk(Piece):
    """One survey of one mechanism, at the points `xs`. Picklable: it may run anywhere."""

    run: Run
    study: Study
    data: Any
    mechanism: str
    xs: tuple[float, ...]
    repetition: int

    @property
    def identity(self) -> Hashable | None:
        """All that it depends on; None: the study with this mechanism alone, and the repetition."""
        return None if self.run.identity is None else self.run.identity(self)

    @one_thread
    def rows(self) -> list[tuple[Any, ...]]:
        return [
            (self.mechanism, self.repetition, x, *row)
            for x in self.xs
            for row in self.run.survey(self.study, self.data, self.mechanism, x, self.repetition)
        ]
