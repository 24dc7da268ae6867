"""Tables that come with the app, and columns counted."""

from collections.abc import Iterable, Mapping
from threading import Lock
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpapp.compute.memory import remember
from ldpcore import data
from ldpcore.study import Study, frequency

_lock = Lock()
_looked_at: WeakValueDictionary[str, data.Table] = WeakValueDictionary()


def bundled(name: str) -> data.Table:
    """A bundled data set, read once for all sessions that look at it, as it is nobody's upload. With the last of them
    it goes, and all that was made of it.
    """
    return remember("bundled", len(data.BUNDLED), name, lambda: _shared(name))


def _shared(name: str) -> data.Table:
    with _lock:
        table = _looked_at.get(name)
        if table is None:
            table = _looked_at[name] = data.load(name)
        return table


def histogram(study: Study, table: data.Table) -> data.Histogram:
    """The study's column, counted; the same object for the same column, so that what is made of it can be kept too."""
    key = (table.digest, study.column, study.missing, study.bins)
    return remember("histograms", 64, key, lambda: frequency.histogram(study, table))


Rows = Mapping[str, NDArray[Any]]
"""Column → what stands in it (n,): numbers, or texts as objects."""

_OWN = ("value", "theory")
"""What a row is kept for; all other columns say where it stands, and many tables' are equal."""
_SHARED = 128
"""Columns kept per session, that others may be equal to."""


def rows(table: pd.DataFrame | Rows) -> Rows:
    """What a table says, as it is kept; columns that this session knows already are not kept again."""
    return {str(name): _column(column, name in _OWN) for name, column in table.items()}


def _column(column: "pd.Series[Any] | NDArray[Any]", own: bool) -> NDArray[Any]:
    values = np.array(column, dtype=None if column.dtype.kind in "if" else object)
    return values if own else remember("columns", _SHARED, (values.dtype.kind, tuple(values.tolist())), lambda: values)


def table(parts: Iterable[Rows]) -> pd.DataFrame:
    """These one after the other, as they were given. ValueError where one has other columns than the first: what it
    says there would be lost, or nobody would say it for the others.
    """
    parts = list(parts)
    names = list(parts[0]) if parts else []
    for number, part in enumerate(parts):
        if differ := sorted(set(names) ^ set(part)):
            raise ValueError(
                f"rows are joined where they have the same columns: part {number + 1} and the first differ in "
                f"{', '.join(differ)}; give every piece of a task the columns of its table"
            )
    return pd.DataFrame({name: _joined([part[name] for part in parts]) for name in names})


def _joined(columns: list[NDArray[Any]]) -> Any:
    joined = np.concatenate(columns)
    return pd.Series(joined, dtype=str) if joined.dtype == object else joined
