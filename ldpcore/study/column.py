"""The one column that a task counts."""

from typing import cast

import numpy as np
from numpy.typing import NDArray

from ldpcore.data import Histogram, Table
from ldpcore.data.histogram import Missing
from ldpcore.study.definition import Study


def histogram(study: Study, table: Table) -> Histogram:
    """The column as counted values, after the study's rule for missing ones."""
    if study.bins is not None:
        low, high, count = study.bins
        return table.binned(study.column, low, high, count, cast(Missing, study.missing))
    return table.categorical(study.column, cast(Missing, study.missing))


def scaled(counts: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    """n people with the same shares, by largest remainders."""
    exact = counts / counts.sum() * n
    whole = np.floor(exact).astype(np.int64)
    whole[np.argsort(-(exact - whole), kind="stable")[: n - int(whole.sum())]] += 1
    return whole
