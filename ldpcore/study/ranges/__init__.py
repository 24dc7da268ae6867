"""The ranges task: how many people are between l and r, from a noisy histogram (central model).

The cells are the column's bins or values in their order (a missing answer that counts is the last), and empty ones
after them up to N = 2^h. On the axis N the same people stand in fewer cells, neighbours merged, or with more empty
ones. The noise does not depend on the data, so neither does any error. Counts and squared counts, not shares.

The average error "all" is over every range of N cells, "own" over those of the column's own cells, without the padding.

>>> from ldpcore import Source, Study, run
>>> study = Study(Source("health"), "age", mechanisms=("Identity", "Boost16"), bins=(0, 128, 128), grid=(),
...     repetitions=1, task="ranges", axis="N", options=(("asked", ("31:45",)), ("ranges", 1)))
>>> rows = run(study)
>>> error = rows[(rows["metric"] == "squared error") & (rows["scope"] == "31:45")]
>>> (error.set_index("mechanism")["theory"] ** 0.5).round(1).to_dict()  # people between 30 and 45, typical error
{'Identity': 5.5, 'Boost16': 9.2}
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np
from numpy.typing import NDArray

from ldpcore import catalog
from ldpcore.data import ColumnProfile, DataError, Histogram, Table, dates, order
from ldpcore.data.histogram import MISSING_LABEL, Missing
from ldpcore.ranges import Strategy, pad
from ldpcore.ranges.tables import mean_squared
from ldpcore.rng import stream
from ldpcore.study import fitting, mark_kinds
from ldpcore.study.column import histogram, scaled
from ldpcore.study.definition import Marks, Study
from ldpcore.study.measures import LAPLACE, NORMAL
from ldpcore.study.ranges import own as own_cells
from ldpcore.study.ranges import queries
from ldpcore.study.ranges.queries import Range, asked, drawn, options
from ldpcore.study.skeleton import Row, Run

Vector = NDArray[np.float64]
CATALOG = catalog.RANGES
AXES = ("epsilon", "N")
MARKS = mark_kinds.CELLS
OPTIONS = queries.RangeOptions
HEIGHT = 7
"""log₂ of the cells that a column of numbers is cut into until somebody says otherwise."""


@dataclass(frozen=True, eq=False)
class RangeDesignPoint:
    """One strategy at one value of the axis."""

    mechanism: str
    x: float
    epsilon: float
    counts: Vector
    asked: tuple[Range, ...]
    own: int = 0
    """How many cells are the column's own; 0 at an N that is not the study's."""

    @property
    def h(self) -> int:
        return len(self.counts).bit_length() - 1

    @cached_property
    def strategy(self) -> Strategy:
        return CATALOG[self.mechanism].build(self.h)

    @property
    def scopes(self) -> list[str]:
        return [f"{first}:{last}" for first, last in self.asked]

    @property
    def ends(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """l (q,) and r (q,) of the ranges that are asked."""
        pairs = np.array(self.asked, np.int64).reshape(-1, 2)
        return pairs[:, 0], pairs[:, 1]

    @cached_property
    def true(self) -> Vector:
        """True counts (q,)."""
        first, last = self.ends
        upto = np.concatenate([[0.0], np.cumsum(self.counts)])
        return upto[last] - upto[first - 1]

    @cached_property
    def variance(self) -> Vector:
        """Exact variances (q,)."""
        return self.strategy.noise(self.epsilon) * self.strategy.coefficients(*self.ends)


columns = fitting.countable


def ordered(table: Table) -> list[str]:
    """The columns whose order is plainly one: numbers, dates in order of time, and steps of a scale
    (`data.order.plain`). Ranges of others can be asked all the same; whether they mean something, the asker knows.
    """
    named = {profile.name: profile for profile in table.profile()}
    return [name for name in columns(table) if _ordered(table, named[name])]


def _ordered(table: Table, profile: ColumnProfile) -> bool:
    if profile.role == "identifier":
        return False
    if profile.numeric or dates.in_order(profile.dates):
        return True
    return order.plain([label for label in table.frame[profile.name].cat.categories if label != MISSING_LABEL])


def default_column(table: Table) -> str:
    """The first column of numbers, else the first ordered one; "" where there is none."""
    columns = ordered(table)
    numbers = [profile.name for profile in table.profile() if profile.role == "number"]
    return next((name for name in columns if name in numbers), next(iter(columns), ""))


def cells(low: float, high: float, most: int, whole: bool) -> tuple[float, float, int]:
    """The public range [low, high] cut into at most so many cells of a round width: low, the last cell's end, number.

    whole: the column holds whole numbers only. One by one they end one after `high`, so that both ends have a cell.
    """
    whole = whole and float(low).is_integer() and float(high).is_integer()
    power = int(np.floor(np.log10((high - low) / most))) - 1
    power = max(power, 0) if whole else power
    for factor, shift in ((f, p) for p in range(power, power + 4) for f in (1, 2, 2.5, 5)):
        step = float(f"{factor}e{shift}")
        if whole and step != int(step):
            continue
        k = int(high - low) + 1 if whole and step == 1 else int(np.ceil((high - low) / step - 1e-9))
        if k <= most:
            return low, low + max(k, 2) * step, max(k, 2)
    return low, high, most


@fitting.fits
def fit(study: fitting.Draft, table: Table) -> fitting.Refusals:
    """The study about this table: an ordered column, cells of a round width, and ranges among them."""
    named = study.column
    refused = fitting.start(study, table, CATALOG, columns(table), default_column(table))
    study.set(marks=Marks(), choices=(), n=None)
    profile = fitting.column(table, study.column)
    if profile is None:
        return refused
    if study.bins is not None and not profile.numeric:
        study.set(bins=None)
    # A study that names a column of few numbers, and no bins, is about each of them.
    number = profile.role == "number" and named != study.column
    if study.bins is None and profile.numeric and (number or fitting.must_bin(profile)):
        low, high, _ = fitting.proposed(profile)
        study.set(bins=cells(low, high, 1 << HEIGHT, whole(table, study)))

    def check(asked: Study) -> None:
        ranges = options(asked).own()
        try:
            most = size(histogram(asked, table))
        except DataError:  # whoever counts it says why it cannot be counted
            return
        for first, last in ranges:
            if not 1 <= first <= last <= most:
                raise ValueError(f"there is no range {first}:{last} among {most} cells")

    return refused + fitting.options(study, check)


def whole(table: Table, study: Study) -> bool:
    """Whether the column holds whole numbers only."""
    try:
        values = table.numbers(study.column, cast(Missing, study.missing))
    except DataError:
        return False
    # Beyond 2^53 floats have no neighbours that differ by one.
    return bool(np.all(values == np.floor(values)) and np.all(np.abs(values) < 2**53))


def prepare(study: Study, table: Table) -> Histogram:
    """The column, counted; ValueError for a study with marks, or ranges outside the cells."""
    if study.marks or study.choices:
        raise ValueError(
            "marks do not apply to range queries: in the central model a collector whom people trust holds all "
            "answers, and its noise protects each person whole; remove the marks"
        )
    data = histogram(study, table)
    for first, last in options(study).own():
        if not 1 <= first <= last <= size(data):
            raise ValueError(
                f"a range l:r must have 1 ≤ l ≤ r ≤ {size(data)}, the number of cells, got {first}:{last}; "
                "cells are numbered from 1, and the last is inside"
            )
    return data


def size(data: Histogram) -> int:
    """N: the study's own cells and the empty ones up to a power of two."""
    return 1 << (data.domain.k - 1).bit_length()


def current(study: Study, data: Histogram) -> float:
    """The point of the axis that is chosen now; it alone has the ranges of one's own, and estimates."""
    return study.epsilon if study.axis == "epsilon" else float(size(data))


def resized(counts: NDArray[np.int64], size: int) -> Vector:
    """The padded histogram with this many cells: neighbours merged, or more empty cells at the end."""
    padded = pad(counts)
    if size <= len(padded):
        return padded.reshape(size, -1).sum(axis=1)
    return np.concatenate([padded, np.zeros(size - len(padded))])


def cell(study: Study, data: Histogram, mechanism: str, x: float) -> RangeDesignPoint:
    """Everything that one cell of the study needs, built from the study alone."""
    count = options(study).ranges
    cells = int(x) if study.axis == "N" else size(data)
    counts = data.counts if study.n is None else scaled(data.counts, study.n)
    # One's own ranges name the study's own cells; at another N cells of the same number are other people.
    cells_of_own = data.domain.k if cells == size(data) else 0
    both = (*(asked(study, data) if cells_of_own else ()), *drawn(study.seed, cells, count))
    epsilon = x if study.axis == "epsilon" else study.epsilon
    return RangeDesignPoint(mechanism, x, epsilon, resized(counts, cells), tuple(dict.fromkeys(both)), cells_of_own)


def _expected(study: Study, data: Histogram, mechanism: str, x: float) -> Iterator[Row]:
    """Exact variances."""
    point = cell(study, data, mechanism, x)
    yield "average error", "all", point.strategy.average_variance(point.epsilon)
    if own_cells.averaged(point.own):
        coefficient = own_cells.average_coefficient(CATALOG[point.mechanism].build, point.h, point.own)
        yield "average error", "own", point.strategy.noise(point.epsilon) * coefficient
    if point.asked:
        yield "mse", "all", float(point.variance.mean())
    yield from (("squared error", scope, float(v)) for scope, v in zip(point.scopes, point.variance, strict=True))
    if x == current(study, data):
        yield from (("estimate", scope, float(t)) for scope, t in zip(point.scopes, point.true, strict=True))


def _survey(study: Study, data: Histogram, mechanism: str, x: float, repetition: int) -> Iterator[Row]:
    """One release."""
    point = cell(study, data, mechanism, x)
    answer = point.strategy.release(point.counts, point.epsilon, stream(study.seed, mechanism, float(x), repetition))
    # A range of a plain tree is no sum of cells, and visiting all ranges takes too long.
    summed = answer.sizes == (1,)
    noise = answer.cells - point.counts
    yield "average error", "all", mean_squared(noise) if summed else float("nan")
    if own_cells.averaged(point.own):
        yield "average error", "own", mean_squared(noise[: point.own]) if summed else float("nan")
    if not point.asked:
        return
    released = answer.ranges(*point.ends)
    error = (released - point.true) ** 2
    yield "mse", "all", float(error.mean())
    yield from (("squared error", scope, float(e)) for scope, e in zip(point.scopes, error, strict=True))
    if x == current(study, data):
        yield from (("estimate", scope, float(e)) for scope, e in zip(point.scopes, released, strict=True))


MEASURES = {"average error": LAPLACE, "mse": LAPLACE, "squared error": LAPLACE, "estimate": NORMAL}
RUN = Run(current, _survey, _expected)
points, theory, chunks = RUN.points, RUN.theory, RUN.chunks
