"""What the Clusters page shows, as plain tables and numbers: no Streamlit, no figure."""

import pandas as pd

from ldpcore import catalog

CATALOG = catalog.CLUSTERINGS


def whole_starts(rows: pd.DataFrame, methods: int) -> pd.DataFrame:
    """The rows of the starts from which all of so many methods have run: means over them compare like with like."""
    return rows[rows.groupby("repetition")["mechanism"].transform("nunique") == methods]
