"""Means' part of the sidebar: a column of numbers, its public range, the intervals marked, the mechanisms compared."""

from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import streamlit as st

from ldpapp import words
from ldpapp.charts import palette
from ldpapp.compute.memory import once
from ldpapp.parts import planner, sidebar
from ldpapp.views.means import cached
from ldpapp.words.language import t
from ldpcore.catalog import Coverage
from ldpcore.data import DataError, Table
from ldpcore.domain import Interval
from ldpcore.study import Study, intervals
from ldpcore.study import means as task
from ldpcore.study.means import curves

LOOKS = {
    "means_unit": ("margin", "typical", "mse", "scaled"),
    "means_lines": ("best", "all"),
    "fold_means_sdpm": (False, True),
    "fold_means_report": (False, True),
    **planner.folded("means"),
}


def beside(place: Any, study: Study, table: Table) -> None:
    sidebar.column(place, task.columns(table), study.column)


def draw(study: Study, table: Table) -> None:
    """The sidebar."""
    if not study.column or study.bins is None:
        sidebar.aside(t("This data has no column of numbers."))
        return
    public = Interval(*study.bins[:2])
    pairs = marked(study)
    marks = study.marks.each(lambda values: [_named(text) for text in values])
    covered = sum(high - low for low, high in pairs) / (public.high - public.low)
    share = t("{share} of the public range", share=words.share(covered))
    sidebar.marked(marks.values, t("interval"), share, t("Drag over the histogram to mark one."), marks=marks)
    sidebar.epsilon(study, by_level=bool(study.marks.secret))
    _mechanisms(study)
    sidebar.repetitions_and_seed(study)


def _named(text: str) -> str:
    """An interval as pages write it."""
    return intervals.written(*intervals.parse(text)).replace("..", "–").replace("-", words.MINUS)


def _mechanisms(study: Study) -> None:
    """All of them by how much they promise; with nothing marked some promise nothing, and are greyed."""
    entries, idle = task.CATALOG, not marked(study)
    for covered, keys in entries.by_coverage().items():
        if keys:
            off = idle and covered != Coverage.EVERY
            place = st.container(key=f"off_means_{covered}") if off else nullcontext()
            label = f"{palette.promises()[covered]} {palette.STROKES[covered]}"
            with place:
                sidebar.pills(label, keys, "means", f"means_{covered}")
    if idle:
        text = t("Off: with nothing marked, what protects marked values promises nothing.")
        st.html(f'<div class="sub">{text}</div>')


def marked(study: Study) -> list[intervals.Pair]:
    """The sensitive intervals, in the column's units."""
    return [intervals.parse(text) for text in study.marks.values]


def data(study: Study, table: Table) -> task.NumberColumn:
    """The column of numbers within its public range. DataError or ValueError where there is none."""
    if not study.column:
        raise DataError(
            t("“{data}” has no column of numbers.", data=table.name),
            t("A mean is of numbers. Choose other data, or another page."),
        )
    return cached.numbers(study, table)


@once(64)
def here(study: Study) -> Study:
    """The study at its own ε alone."""
    return replace(study, axis="epsilon", grid=())


@once(16)
def full(study: Study, found: task.NumberColumn) -> Study:
    """Over the axis that the view shows."""
    return replace(study, grid=curves.GRIDS[study.axis])
