"""Ranges: a column as ordered cells, the Study's releases, the papers' experiments, and the best strategies found."""

from collections.abc import Callable
from dataclasses import replace

import pandas as pd
import streamlit as st

from ldpapp.compute.memory import once, remember, store
from ldpapp.state import column_settings
from ldpapp.state.model import workspace
from ldpapp.views.ranges.cells import Cells, of_bins, of_categories
from ldpcore import data, ranges
from ldpcore.data.histogram import Missing
from ldpcore.domain import Interval
from ldpcore.ranges import RangeRelease
from ldpcore.rng import stream
from ldpcore.study import Study
from ldpcore.study import ranges as task
from ldpcore.study.fitting import Range
from ldpcore.study.ranges import local


def cells(study: Study, table: data.Table) -> Cells:
    """The study's column as an ordered histogram: its bins, or its categories."""
    public = column_settings.public_range(workspace(), study.column) if study.bins is not None else None
    key = (table.digest, study.column, study.missing, study.bins, public)
    return remember("cells", 64, key, lambda: _cells(study, table, public))


def _cells(study: Study, table: data.Table, public: Range | None) -> Cells:
    counted = task.prepare(study.with_options(asked=None), table)
    if study.bins is None or public is None:
        return of_categories(counted)
    missing: Missing = study.missing  # type: ignore[assignment]
    outside = Interval(*public[:2]).outside(table.numbers(study.column, missing))
    return of_bins(counted, study.bins, task.whole(table, study), outside)


def release(study: Study, counted: data.Histogram, mechanism: str, number: int) -> float:
    """What the Study's own repetition of this number publishes of the one range that it asks, at its point."""

    def made() -> float:
        alone = replace(study, mechanisms=(mechanism,), repetitions=number + 1)
        rows = task.chunks(alone, counted)[number]()
        return float(rows.loc[rows["metric"] == "estimate", "value"].iloc[0])

    return remember("range_releases", 512, (study, mechanism, number), made)


def local_release(study: Study, counted: data.Histogram, mechanism: str) -> RangeRelease:
    """One collection without a curator, whichever range is then read from it."""
    alone = _unasked(study)
    return remember("local_releases", 64, (alone, mechanism), lambda: local.release(alone, counted, mechanism))


@once(64)
def _unasked(study: Study) -> Study:
    return replace(study, mechanisms=()).with_options(asked=None)


@st.cache_data(max_entries=64, show_spinner=False)
def experiment(seed: int, h: int) -> pd.DataFrame:
    """Privelet on 50 random ranges, 100 releases each, at ε = 1: the ratio to theory is that of every ε."""
    return ranges.table1(seed, h)


@st.cache_data(max_entries=16, show_spinner=False)
def averages(seed: int) -> pd.DataFrame:
    """Privelet's mean squared error over all ranges at N = 1 … 1024, 100 releases each, at ε = 1."""
    return ranges.table2(seed)


def search(
    size: int, key: str, workload: ranges.Workload | None, progress: Callable[[int, int], object] | None = None
) -> tuple[float, float]:
    """The mean Δ²c of the best strategy found by descent, and the bound below which none goes.

    `key` names the workload. Kept in the session: the ranges are the person's own.
    """

    def made() -> tuple[float, float]:
        found = ranges.optimised(size, stream(0, "ranges optimised", size), workload, progress=progress)
        mean = found.average_coefficient() if workload is None else workload.coefficient(found)
        return found.sensitivity**2 * mean, ranges.svd_bound(size, workload)

    return remember("searched", 64, (size, key), made)


def searched(size: int, key: str) -> bool:
    return (size, key) in store("searched")
