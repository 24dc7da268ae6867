"""Ranges: a column as ordered cells, the Study's releases, the papers' experiments, and the best strategies found."""

from collections.abc import Callable

import pandas as pd
import streamlit as st

from ldpapp.compute.memory import remember, store
from ldpapp.state import column_settings
from ldpapp.state.model import workspace
from ldpapp.views.ranges.cells import Cells
from ldpcore import data, ranges
from ldpcore.study import Study
from ldpcore.study.ranges import strategies


def cells(study: Study, table: data.Table) -> Cells:
    """The study's column as an ordered histogram: its bins, or its categories."""
    public = column_settings.public_range(workspace(), study.column) if study.bins is not None else None
    key = (table.digest, study.column, study.missing, study.bins, public)
    return remember("cells", 64, key, lambda: Cells.of(study, table, public))


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

    return remember("searched", 64, (size, key), lambda: strategies.searched(size, workload, progress))


def searched(size: int, key: str) -> bool:
    return (size, key) in store("searched")
