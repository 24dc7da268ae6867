"""Ranges' part of the sidebar: the ordered column, and the strategies compared on its cells; and the ranges asked."""

from functools import partial
from typing import Any

import streamlit as st

from ldpapp.compute.memory import remember
from ldpapp.parts import budget, sidebar
from ldpapp.state import actions, column_settings, controlled
from ldpapp.state.model import study_of, workspace
from ldpapp.views.ranges import cached
from ldpapp.views.ranges.cells import Cells
from ldpapp.words import literal
from ldpapp.words.language import t
from ldpcore.data import DataError, Table
from ldpcore.data.uncountable import nothing
from ldpcore.ranges.arguments import MAX_DENSE
from ldpcore.study import Study
from ldpcore.study import ranges as task
from ldpcore.study.ranges import Range
from ldpcore.study.ranges.queries import written

HEIGHTS = (4, 5, 6, 7, 8, 9, 10)
"""log₂ of how many cells a column of numbers can be cut into."""


def beside(place: Any, study: Study, table: Table) -> None:
    """Ordered columns, and what a link or a person asks to be treated as one."""
    named = [name for name in task.columns(table) if name == study.column or name in ordered(table)]
    sidebar.column(place, named, study.column)


def ordered(table: Table) -> list[str]:
    return remember("ordered", 16, (table.digest,), lambda: task.ordered(table))


def draw(study: Study, table: Table) -> None:
    """The sidebar."""
    sidebar.aside(t("Marks do not apply: the noise protects <b>every person</b>, whatever the answer."))
    _others(study, [name for name in task.columns(table) if name not in ordered(table)])
    budget.epsilon(study)
    sidebar.pills(t("Strategies"), list(task.CATALOG), "ranges", "ranges_strategies_shown")
    sidebar.own_elsewhere()
    sidebar.seed(study, t("releases"))


def _others(study: Study, names: list[str]) -> None:
    """Columns whose order nothing says: whoever asks for ranges of one knows what they mean."""
    if not names:
        return
    with st.popover(t("treat another as ordered"), type="tertiary", key="ranges_nominal"):
        controlled.bound(
            st.radio,
            t("Column whose values stand in an order"),
            names,
            format_func=literal,
            key="ranges_as_ordered",
            value=study.column if study.column in names else None,
            change=partial(actions.choose_column, page="ranges"),
            index=None,
        )


def data(study: Study, table: Table) -> Cells:
    """The cells. DataError where no column can be counted, ValueError where they are too many to draw."""
    if not study.column:
        raise _nothing_ordered() if task.columns(table) else nothing(table)
    cells = cached.cells(study, table)
    if cells.k > MAX_DENSE:
        raise ValueError(f"the page draws at most {MAX_DENSE} cells, this study has {cells.k}; ldpcore run takes more")
    return cells


def _nothing_ordered() -> DataError:
    return DataError(
        t("None of its columns is plainly ordered: numbers, dates or steps of a scale."),
        t("Choose one under “treat another as ordered” at the left, if you know the order of its values."),
    )


# the ranges asked --------------------------------------------------------------------------------------------------


def choose(cells: Cells, pair: Range) -> None:
    """Show this range."""
    _ask(cells, pair, cells.listed(study_of("ranges")))


def keep_list(cells: Cells, pairs: tuple[Range, ...]) -> None:
    """These are the ranges of one's own."""
    _ask(cells, cells.chosen(study_of("ranges")), pairs)


def _ask(cells: Cells, pair: Range, more: tuple[Range, ...]) -> None:
    """What a Study asks anyway is not said, so that no link pins it."""
    usual = task.asked(study_of("ranges").with_options(asked=None), cells.counted)
    asked = (pair, *more)
    actions.option("ranges", asked=None if asked == usual else tuple(map(written, asked)))


# the cells ---------------------------------------------------------------------------------------------------------


def cut(h: int) -> None:
    """Cut the public range into at most 2^h cells."""
    study = study_of("ranges")
    actions.change(
        "ranges",
        bins=column_settings.cells(workspace(), study, 1 << h),
        options=study.changed_options(asked=None),
    )


def heights(study: Study) -> list[int]:
    """Those that give different cells."""
    by_cells: dict[Any, int] = {}
    for h in HEIGHTS:
        by_cells.setdefault(column_settings.cells(workspace(), study, 1 << h), h)
    return sorted({*by_cells.values(), height(study)})


def height(study: Study) -> int:
    return (study.bins[2] - 1).bit_length() if study.bins else 0
