"""What another file says of the items of baskets: their categories and their names."""

from dataclasses import dataclass

import pandas as pd

from ldpcore.baskets import Baskets
from ldpcore.data import baskets, pairs
from ldpcore.data.errors import DataError

MIN_KNOWN = 0.3
"""A column that names a smaller share of the items is about something else."""
_BETWEEN = ", "
"""Between several categories in one cell, as in "Drama, Horror"."""


@dataclass(frozen=True)
class ItemDescriptions:
    """Category → items as the baskets call them; item → its new name; how many of the baskets' items were found."""

    groups: dict[str, tuple[str, ...]]
    names: dict[str, str]
    found: int


def describe(frame: pd.DataFrame, held: Baskets, name: str) -> ItemDescriptions:
    """Find the column that names the items; columns of words with repeats are categories, one called "name" or
    "title" names them. DataError when no column names these items.
    """
    texts = {str(column): frame[column].astype("str").where(frame[column].notna()) for column in frame.columns}
    known = {column: int(pd.Index(held.labels).isin(text).sum()) for column, text in texts.items()}
    key = max(known, key=lambda column: known[column])
    if known[key] < MIN_KNOWN * held.k:
        raise DataError(
            f"No column of “{name}” names these items.",
            f"The baskets hold {held.labels[0]}, {held.labels[1]} …; one column must call them the same.",
        )
    ours = texts[key].isin(held.labels).to_numpy(bool)
    rows = {column: text[ours].reset_index(drop=True) for column, text in texts.items()}
    item = rows.pop(key)
    rows = {column: text for column, text in rows.items() if _is_text(text)}
    names = next((text for column, text in rows.items() if pairs.is_description(column)), None)
    groups: dict[str, tuple[str, ...]] = {}
    for column, text in rows.items():
        if text is not names:
            for category, members in _categories(item, text).items():
                if groups.get(category, members) != members:
                    category = f"{category} ({column})"
                groups[category] = members
    called = {} if names is None else dict(zip(item, names.fillna(item), strict=True))
    return ItemDescriptions(groups, {str(k): str(v) for k, v in called.items()}, known[key])


def _is_text(column: pd.Series) -> bool:
    """Words, not numbers."""
    present = column.dropna()
    return len(present) > 0 and bool(pd.to_numeric(present, errors="coerce").isna().mean() > 0.5)


def _categories(item: pd.Series, column: pd.Series) -> dict[str, tuple[str, ...]]:
    """Category → items, several categories in one cell apart; {} where nearly every item has its own."""
    pairs = pd.DataFrame({"item": item, "category": column}).dropna()
    pairs = pairs.assign(category=pairs["category"].str.split(_BETWEEN)).explode("category")
    pairs["category"] = pairs["category"].str.strip()
    pairs = pairs[pairs["category"] != ""].drop_duplicates()
    if pairs["category"].nunique() > 0.8 * len(pairs):
        return {}
    groups = {str(category): tuple(sorted(map(str, part))) for category, part in pairs.groupby("category")["item"]}
    names = list(groups)
    return {names[i]: groups[names[i]] for i in baskets.natural_order(names)}
