"""What the Itemsets page shows, as plain tables and numbers: no Streamlit, no figure."""

import pandas as pd

from ldpcore import catalog

CATALOG = catalog.MINERS


def filtered(table: pd.DataFrame, text: str, order: str) -> pd.DataFrame:
    """The sets whose items contain this text, in this order: "true", "items" or a miner's counts; missing ones last."""
    found = table[table["set"].str.contains(text.strip(), case=False, regex=False)] if text.strip() else table
    return found.sort_values(order, ascending=order == "items", kind="stable", na_position="last")
