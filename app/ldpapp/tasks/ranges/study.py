"""Ranges' part of the sidebar: the ordered column, and the strategies compared on its cells."""

from typing import Any

from ldpapp import columns, session, sidebar
from ldpapp.compute.memory import once
from ldpapp.kept import kept, table
from ldpapp.tasks.ranges import cached
from ldpapp.tasks.ranges import data as range_data
from ldpcore.data import Table
from ldpcore.data.uncountable import nothing
from ldpcore.study import Study
from ldpcore.study import ranges as task

HEIGHTS = (4, 5, 6, 7, 8, 9, 10)
"""log₂ of how many cells a column of numbers can be cut into."""


def beside(place: Any, study: Study, table: Table) -> None:
    sidebar.column(place, task.columns(table), study.column)


def draw(study: Study, table: Table) -> None:
    """The sidebar."""
    sidebar.aside("Marks do not apply here: the noise protects <b>every person</b> alike, whatever the answer.")
    sidebar.epsilon(study)
    sidebar.pills("Strategies", list(task.CATALOG), "ranges", "ranges_strategies_shown")
    sidebar.seed(study, "releases")


def data(study: Study, table: Table) -> range_data.Cells:
    """The cells. DataError where no column can be counted."""
    if not study.column:
        raise nothing(table)
    return cached.cells(study, table)


def chosen(study: Study, cells: range_data.Cells) -> tuple[int, int]:
    """The range asked for (1-based, inclusive); one that does not look at the data until somebody asks."""
    asked = task.options(study)[1]
    if not asked:
        return cells.start()
    first, last = (max(1, min(end, cells.k)) for end in asked[0])
    return min(first, last), max(first, last)


def choose(pair: tuple[int, int]) -> None:
    session.option("ranges", asked=(f"{pair[0]}:{pair[1]}",))


def cut(h: int) -> None:
    """Cut the public range into at most 2^h cells."""
    study = kept().studies["ranges"]
    session.change("ranges", bins=columns.cells(study, 1 << h), options=study.with_options(asked=None).options)


def heights(study: Study) -> list[int]:
    """Those that give different cells."""
    found: dict[Any, int] = {}
    for h in HEIGHTS:
        found.setdefault(columns.cells(study, 1 << h), h)
    return sorted({*found.values(), height(study)})


def height(study: Study) -> int:
    return (study.bins[2] - 1).bit_length() if study.bins else 0


def columns_of_numbers() -> list[str]:
    return [column.name for column in table().profile() if column.role == "number"]


@once(16)
def full(study: Study, cells: range_data.Cells) -> Study:
    """With the range that the page shows."""
    first, last = chosen(study, cells)
    return study.with_options(asked=(f"{first}:{last}",))
