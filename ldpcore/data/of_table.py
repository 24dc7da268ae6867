"""Baskets out of an ordinary table: of all columns, of pairs of a person and an item, of columns of yes and no."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore.baskets import Baskets
from ldpcore.data.baskets import (
    BLOCK,
    MAX_ITEMS,
    YES,
    collect,
    distinct_labels,
    grouped,
    natural_order,
    of_rows,
    too_many,
)
from ldpcore.data.errors import plural, thousands


def of_columns(frame: pd.DataFrame) -> Baskets:
    """Every row of category columns as a basket of items "column = value"; a missing answer is no item."""
    labels, groups, coded = [], {}, []
    for name in frame.columns:
        column = frame[name].cat.remove_unused_categories()
        coded.append((column.cat.codes.to_numpy(), len(labels)))
        groups[str(name)] = tuple(f"{name} = {value}" for value in column.cat.categories)
        labels.extend(groups[str(name)])

    def block(rows: slice) -> NDArray[np.int32]:
        out = np.empty((len(coded[0][0][rows]), len(coded)), np.int32)
        for place, (codes, before) in enumerate(coded):
            places = codes[rows].astype(np.int32)
            out[:, place] = np.where(places >= 0, places + before, -1)
        return out

    columns = np.repeat(np.arange(len(groups), dtype=np.int32), [len(values) for values in groups.values()])
    return replace(of_rows(map(block, _blocks(frame.shape)), labels, groups), columns=columns)


def _blocks(shape: tuple[int, int]) -> Iterable[slice]:
    """The rows of a table, some million cells at a time: of all at once the places alone would be three times as
    large as the items.
    """
    step = max(1, BLOCK // max(1, shape[1]))
    return (slice(first, first + step) for first in range(0, shape[0], step))


def of_pairs(
    frame: pd.DataFrame, user: str, item: str, category: str | None = None, description: str | None = None
) -> Baskets:
    """A long table, a row for every item of a person. category: a column of the items' categories (the commonest one of
    each item counts). description: a column whose text is put behind the item.

    People stand in the order in which they first appear. Rows without a person are left out; a person whose rows name
    no item has an empty basket.
    """
    person = pd.factorize(frame[user])[0]
    known = person >= 0
    codes, names = pd.factorize(frame[item].astype("str").where(frame[item].notna()))
    present = known & (codes >= 0)
    # Items that only nameless rows hold belong to nobody here.
    used = np.unique(codes[present])
    if len(used) > MAX_ITEMS:
        raise too_many(thousands(len(used)))
    texts = [str(names[i]) for i in used]
    place = natural_order(texts)
    rank = np.full(len(names) + 1, -1)
    rank[used[place]] = np.arange(len(used))
    items = rank[codes]
    labels = [texts[i] for i in place]
    rows = frame.loc[present]
    groups = _commonest(rows, category, items[present], len(labels)) if category else None
    if description:
        descriptions = _commonest(rows, description, items[present], len(labels))
        labels = distinct_labels([" ".join((a, b or "")).strip() for a, b in zip(labels, descriptions, strict=True)])
    notes = []
    if not known.all():
        notes.append(f"{plural(int(np.count_nonzero(~known)), 'row')} without “{user}” left out.")
    return collect(person[present], items[present], int(person.max()) + 1, labels, grouped(labels, groups or []), notes)


def of_one_hot(frame: pd.DataFrame, yes: str | None = None, words: Mapping[str, str] | None = None) -> Baskets:
    """Columns of 0 and 1 (or true and false): an item each, held where it is 1. A missing answer is a 0. yes: another
    word for it; words: column → its own.
    """
    spoken = {str(name): yes for name in frame.columns} | dict(words or {})
    columns = [
        holds(frame[name], YES if (word := spoken[str(name)]) is None else frozenset((word.casefold(),)))
        for name in frame.columns
    ]

    def block(rows: slice) -> NDArray[np.int32]:
        return np.array([np.where(each[rows], place, -1) for place, each in enumerate(columns)], np.int32).T

    return of_rows(map(block, _blocks(frame.shape)), [str(name) for name in frame.columns], {})


def holds(column: pd.Series, words: frozenset[str] = YES) -> NDArray[np.bool_]:
    """Which rows (n,) say yes."""
    if isinstance(column.dtype, pd.CategoricalDtype):  # of a few labels, however many rows there are
        yes = np.array([str(label).casefold() in words for label in column.cat.categories] + [False])
        return yes[column.cat.codes.to_numpy()]
    return column.astype("str").str.casefold().isin(words).to_numpy(bool)


def _commonest(rows: pd.DataFrame, column: str, items: NDArray[np.intp], k: int) -> list[str | None]:
    """The commonest value of a column among the rows of each item; of equally common ones the first by the alphabet."""
    seen = pd.DataFrame({"item": items, "value": rows[column].astype("str").where(rows[column].notna()).to_numpy()})
    counted = seen.dropna().value_counts().reset_index().sort_values(["count", "value"], ascending=[False, True])
    best = counted.drop_duplicates("item").set_index("item")["value"]
    return [best.get(i) for i in range(k)]
