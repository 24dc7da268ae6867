"""Means' part of the sidebar: a column of numbers, its public range, the intervals marked, the mechanisms compared."""

from dataclasses import replace
from typing import Any

from ldpapp import sidebar, words
from ldpapp.compute.memory import once
from ldpapp.tasks.means import cached
from ldpcore.data import DataError, Table
from ldpcore.domain import Interval
from ldpcore.study import Study, intervals
from ldpcore.study import means as task

GRID = (0.1, 0.2, 0.5, 1.0, 2.0, 4.0)
LOOKS = {"means_unit": ("typical", "mse", "scaled")}


def beside(place: Any, study: Study, table: Table) -> None:
    sidebar.column(place, task.columns(table), study.column)


def draw(study: Study, table: Table) -> None:
    """The sidebar."""
    if not study.column or study.bins is None:
        sidebar.aside("This data has no column of numbers.")
        return
    public = Interval(*study.bins[:2])
    pairs = marked(study)
    texts = [intervals.written(*pair).replace("..", "–").replace("-", words.MINUS) for pair in pairs]
    covered = sum(high - low for low, high in pairs) / (public.high - public.low)
    held = f"{words.share(covered)} of the public range"
    sidebar.marked(texts, "interval", held, "Drag over the histogram to mark one.")
    sidebar.epsilon(study)
    sidebar.mechanisms("means")
    sidebar.repetitions_and_seed(study)


def marked(study: Study) -> list[intervals.Pair]:
    """The sensitive intervals, in the column's units."""
    return [intervals.parse(text) for text in study.arms[0].values]


def data(study: Study, table: Table) -> task.Numbers:
    """The column of numbers within its public range. DataError or ValueError where there is none."""
    if not study.column:
        raise DataError(
            f"“{table.name}” has no column of numbers.", "A mean is of numbers. Choose other data, or another page."
        )
    return cached.numbers(study, table)


@once(64)
def here(study: Study) -> Study:
    """The study at its own point alone."""
    return replace(study, axis="epsilon", grid=())


@once(16)
def full(study: Study, found: task.Numbers) -> Study:
    """Over the axis that the view shows."""
    return replace(here(study), grid=GRID)
