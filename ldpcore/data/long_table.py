"""A row for every item of a person, known by the names of the columns in many languages, and by their shape."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore.data import column_names, dates

_FEWEST_ROWS, _FEWEST_PEOPLE, _FEWEST_ITEMS = 20, 8, 3
_MANY_ITEMS = 6
"""Different items without which a column that is not called one is an answer of the person."""
_MOST_STEPS = 30
"""Numbers that count up from 0 or 1 and are more than these count baskets; fewer may be a scale, or children."""
_LOOK = 100
_COMPLETE = 0.9
"""The part of all pairs that stand in a table of questions and answers, at least; baskets differ."""
_WIDEST = 6
"""Columns that a list of items has at most, where nothing but its shape speaks for it."""


def recognised(frame: pd.DataFrame, differ: Mapping[str, int]) -> tuple[str, str] | None:
    """The columns of the person or basket, and of the item; None where rows are something else. differ: how many values
    each column has.
    """
    if len(frame) < _FEWEST_ROWS or not frame.shape[1] >= 2:
        return None
    users = [
        name for name in map(str, frame.columns) if _recurs(frame[name], differ) and _tells_apart(name, frame[name])
    ]
    users.sort(key=lambda name: (not column_names.is_person(name), not column_names.is_basket(name)))
    for user in users[:3]:
        codes = pd.factorize(frame[user])[0]
        for item in map(str, frame.columns):
            if item != user and _is_item(frame[item], differ, frame.shape[1]) and _are_lists(codes, frame[item], item):
                return user, item
    return None


def _recurs(column: pd.Series, differ: Mapping[str, int]) -> bool:
    if pd.api.types.is_float_dtype(column.dtype):
        return False
    present, values = int(column.notna().sum()), differ[str(column.name)]
    return values >= _FEWEST_PEOPLE and 1.2 * values <= present <= 200 * values


def _tells_apart(name: str, column: pd.Series) -> bool:
    """Is it called an id, or does it look like one: texts with digits, each in rows that follow one another?"""
    if column_names.is_person(name) or column_names.is_basket(name):
        return True
    labels = column.head(1000).dropna().unique()[:200]
    if not (all(_is_id(str(label)) for label in labels) or _counts_up(column)):
        return False
    return runs(pd.factorize(column)[0]) == column.nunique()


def _counts_up(column: pd.Series) -> bool:
    """Are they whole numbers from 0 or 1 on, in their order, without a gap, and more than a scale or ages have?"""
    for part in (column.head(_LOOK), column):  # most columns end the look with their first rows
        numbers = pd.to_numeric(part, errors="coerce").to_numpy(float)
        if not len(numbers) or np.isnan(numbers).any() or numbers[0] not in (0, 1):
            return False
        steps = np.diff(numbers)
        if not np.isin(steps, (0, 1)).all():
            return False
    return bool(steps.sum() >= _MOST_STEPS)


def _is_id(label: str) -> bool:
    return any(map(str.isdigit, label)) and (len(label) >= 4) and not dates.is_date(label)


def runs(codes: NDArray[np.integer]) -> int:
    """How many stretches of equal codes stand one after the other."""
    return int(np.count_nonzero(np.diff(codes))) + (len(codes) > 0)


def _is_item(column: pd.Series, differ: Mapping[str, int], width: int) -> bool:
    name, values = str(column.name), differ[str(column.name)]
    if pd.api.types.is_numeric_dtype(column.dtype) or values < _FEWEST_ITEMS or 1.5 * values > len(column):
        return False
    if column_names.is_item(name):
        return True
    sample = [str(label) for label in column.dropna().unique()[:50]]
    named = not dates.spellings(sample) and sum(any(map(str.isalpha, each)) for each in sample) >= 0.9 * len(sample)
    return named and values >= _MANY_ITEMS and width <= _WIDEST


def _are_lists(users: NDArray[np.integer], column: pd.Series, name: str) -> bool:
    """Do most people have several of them, and other ones than before, and not always the same?"""
    items = pd.factorize(column)[0]
    known = (users >= 0) & (items >= 0)
    if not known.any():
        return False
    pairs = np.unique(users[known].astype(np.int64) * (int(items.max()) + 1) + items[known])
    people = len(np.unique(users[known]))
    if len(pairs) > _COMPLETE * people * (int(items.max()) + 1):  # who has nearly everything was asked everything
        return False
    if len(pairs) < (1.2 if column_names.is_item(name) else 1.8) * people:
        return False
    return bool(len(pairs) >= (0.5 if column_names.is_item(name) else 0.8) * np.count_nonzero(known))
