"""What the Itemsets page shows, as plain tables and numbers: no Streamlit, no figure."""

import math

import pandas as pd

from ldpapp import repeats
from ldpcore import catalog

CATALOG = catalog.MINERS


def filtered(table: pd.DataFrame, text: str, order: str) -> pd.DataFrame:
    """The sets whose items contain this text, in this order: "true", "items" or a miner's counts; missing ones last."""
    found = table[table["set"].str.contains(text.strip(), case=False, regex=False)] if text.strip() else table
    return found.sort_values(order, ascending=order == "items", kind="stable", na_position="last")


def means(rows: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Means over repetitions with 95 % intervals: [mechanism, x, value, low, high]; undefined scores are left out."""
    return repeats.means(rows[rows["scope"] == "all"], metric, most=1 if metric == "f" else math.inf)
