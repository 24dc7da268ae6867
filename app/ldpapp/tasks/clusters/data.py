"""What the Clusters page shows, as plain tables and numbers: no Streamlit, no figure."""

import math

import pandas as pd

from ldpapp import repeats
from ldpcore import catalog

CATALOG = catalog.CLUSTERINGS


def means(rows: pd.DataFrame, metric: str, factor: float = 1.0) -> pd.DataFrame:
    """Means over the repetitions with 95 % intervals: [mechanism, x, value, low, high]."""
    return repeats.means(rows, metric, most=1 if metric == "ac" else math.inf, factor=factor)


def whole_starts(rows: pd.DataFrame, methods: int) -> pd.DataFrame:
    """The rows of the starts from which all of so many methods have run: means over them compare like with like."""
    return rows[rows.groupby("repetition")["mechanism"].transform("nunique") == methods]
