"""Long tables, a row for every item of a person: known by names and repeats, or as somebody said."""

import re
from collections.abc import Mapping

import pandas as pd

from ldpcore.data import long_table, profile
from ldpcore.data.errors import DataError
from ldpcore.data.options import ReadOptions
from ldpcore.data.set_sources import Pairs

_USER = re.compile(
    r"(user|customer|client|member|person|household|patient|visitor|reader|viewer|session|basket|cart|order|invoice|"
    r"transaction|receipt)([ _-]?(id|no|nr|num|number|key|code))?s?",
    re.IGNORECASE,
)
_ITEM = re.compile(
    r"(item|product|article|stock[ _-]?code|stock|movie|film|anime|book|song|track|artist|game|page|place|venue|url|"
    r"site|drug|diagnosis|course|app)([ _-]?(id|no|nr|num|number|key|code|name|title))?s?",
    re.IGNORECASE,
)
_DESCRIPTION = re.compile(r"(item|product)?[ _-]?(description|title|name)", re.IGNORECASE)
_CATEGORY = re.compile(
    r"(item|product)?[ _-]?(category|categories|genre|genres|department|aisle|section|group)", re.IGNORECASE
)


def is_description(column: str) -> bool:
    """Is a column of this name likely to hold an item's name in words?"""
    return bool(_DESCRIPTION.fullmatch(column.strip()))


def recognised(frame: pd.DataFrame, differ: Mapping[str, int] | None = None) -> Pairs | None:
    """A column named like a person and one named like an item, both with repeats, and hardly a pair twice over. differ:
    how many values each column has, where it is known.
    """
    users = [name for name in map(str, frame.columns) if _USER.fullmatch(name.strip())]
    items = [name for name in map(str, frame.columns) if _ITEM.fullmatch(name.strip()) and name not in users]
    # A customer makes several orders: whoever comes first in the list of words is the person.
    users.sort(key=_rank)
    for user in users:
        for item in items:
            if _several(frame[user], differ) and _several(frame[item], differ):
                return _completed(frame, user, item)
    values = differ or {str(name): profile.distinct(pd.Series(frame[name])) for name in frame.columns}
    shaped = long_table.recognised(frame, values)
    return None if shaped is None else _completed(frame, *shaped)


def _rank(name: str) -> int:
    words = _USER.pattern[1:].split(")", 1)[0].split("|")
    return next(i for i, word in enumerate(words) if name.strip().casefold().startswith(word))


def _several(column: pd.Series, differ: Mapping[str, int] | None) -> bool:
    present, values = int(column.notna().sum()), (differ or {}).get(str(column.name)) or profile.distinct(column)
    return present >= 1.2 * max(values, 1) and values > 1


def _completed(frame: pd.DataFrame, user: str, item: str) -> Pairs:
    """With the columns that describe the items: those with about one value for each item."""
    others = [str(name) for name in frame.columns if name not in (user, item)]
    category = next((name for name in others if _CATEGORY.fullmatch(name.strip()) and _of(frame, item, name)), None)
    description = next((name for name in others if is_description(name) and _of(frame, item, name)), None)
    return Pairs(user, item, category, description)


def _of(frame: pd.DataFrame, item: str, column: str) -> bool:
    """Does the column say something of the item: in most rows what it says in that item's other rows?"""
    pairs = frame[[item, column]].dropna()
    if pairs.empty:
        return False
    sizes = pairs.groupby([item, column], observed=True).size()
    commonest = sizes.groupby(level=0, observed=True).max().sum()
    return bool(commonest >= 0.9 * len(pairs))


def wanted(frame: pd.DataFrame, options: ReadOptions) -> Pairs:
    """The pairs that somebody asked for. DataError: not both columns are known, or there."""
    names = [str(name) for name in frame.columns]
    usual = recognised(frame)
    user = options.user or (usual.user if usual else None)
    item = options.item or (usual.item if usual else None)
    if user is None or item is None:
        raise DataError(
            "Whose items these are is not known.",
            "For one row per item, name the column of the person and that of the item. "
            f"The columns are {', '.join(names[:20])}.",
        )
    for name in (user, item, options.category, options.description):
        if name is not None and name not in names:
            raise DataError(f"There is no column “{name}”.", f"The columns are {', '.join(names[:20])}. Choose one.")
    if user == item:
        raise DataError(f"“{user}” cannot be both the person and the item.", "Choose one column for each of the two.")
    completed = _completed(frame, user, item)
    return Pairs(user, item, options.category or completed.category, options.description or completed.description)
