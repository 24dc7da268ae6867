"""What every miner is given: baskets in any of the forms that people have, and a threshold."""

import struct
from collections.abc import Hashable, Iterable
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldpcore import checks
from ldpcore.baskets import Baskets, Codes, Counts

_AT_ONCE = 1 << 16
"""Numbers that are packed at once: they are copied for it."""


def baskets_of(data: Any) -> Baskets:
    """Baskets from lists of labels, lists of codes, or arrays of codes; Baskets, as of a Table, are themselves.

    Items are ordered by their labels; one that a basket lists twice counts once; an empty basket counts in n.
    """
    if isinstance(data, Baskets):
        return data
    if isinstance(data, (str, bytes)) or not isinstance(data, Iterable):
        raise TypeError(f"baskets are one list of items per person, got {type(data).__name__}")
    rows = list(data)
    if not rows:
        raise ValueError("there are no baskets; load at least one")
    for kind in set(map(type, rows)):
        if issubclass(kind, (str, bytes)) or not issubclass(kind, Iterable):
            wrong = next(row for row in rows if type(row) is kind)
            raise TypeError(f"a basket is a list of items, got {wrong!r}; write ['milk', 'bread']")
        if not hasattr(kind, "__len__"):
            rows = [list(row) if type(row) is kind else row for row in rows]
    lengths = _packed([*map(len, rows)])
    labels, codes = _coded(rows, int(lengths.sum()))
    starts = np.concatenate([[0], np.cumsum(lengths)])
    return Baskets(labels, *distinct(codes, starts, len(labels)))


def distinct(codes: Codes, starts: Counts, k: int) -> tuple[Codes, Counts]:
    """The same baskets of codes below k, ascending and each code once."""
    key = np.repeat(np.arange(len(starts) - 1) * k, np.diff(starts)) + codes
    if np.all(key[1:] > key[:-1]):
        return codes, starts
    key.sort()
    key = key[np.concatenate([[True], key[1:] > key[:-1]])]
    return (key % k).astype(np.int32), np.searchsorted(key, np.arange(len(starts)) * k)


def _coded(rows: list[Any], total: int) -> tuple[tuple[Hashable, ...], Codes]:
    """The items in order, and the code of every entry of every basket."""
    if all(isinstance(row, np.ndarray) and row.dtype.kind in "iu" for row in rows):
        return _from_integers(np.concatenate(rows))
    flat: list[Any] = []
    for row in rows:
        flat.extend(row)  # not +=: an array would be added
    if flat and type(flat[0]) is int:
        with suppress(struct.error):  # not all are whole numbers, or one is too large
            return _from_integers(_packed(flat))
    try:
        seen = dict.fromkeys(flat)
    except TypeError as error:
        raise TypeError(f"items need names or codes that can be compared, but {error}; flatten the baskets") from None
    if any(label is None or label != label for label in seen):
        raise ValueError("a basket holds an item without a name (None or NaN); drop missing entries first")
    try:
        ordered = sorted(seen)  # type: ignore[type-var]
    except TypeError:  # labels of several types
        ordered = sorted(seen, key=lambda label: (type(label).__name__, repr(label)))
    place = dict(zip(ordered, range(len(ordered)), strict=True))
    return tuple(ordered), np.fromiter(map(place.__getitem__, flat), np.int32, total)


def _packed(numbers: list[int]) -> Counts:
    """Whole numbers as an array, in a third of NumPy's time or `array`'s. struct.error where one is none, or large."""
    out = bytearray(8 * len(numbers))
    for start in range(0, len(numbers), _AT_ONCE):
        some = numbers[start : start + _AT_ONCE]
        struct.pack_into(f"{len(some)}q", out, 8 * start, *some)
    return np.frombuffer(out, np.int64)


def _from_integers(flat: NDArray[np.integer]) -> tuple[tuple[int, ...], Codes]:
    if flat.size and int(flat.min()) >= 0 and int(flat.max()) < 4 * flat.size + 1024:
        used = np.bincount(flat) > 0
        return tuple(np.flatnonzero(used).tolist()), (np.cumsum(used, dtype=np.int32) - 1)[flat]
    labels, codes = np.unique(flat, return_inverse=True)
    return tuple(labels.tolist()), codes.astype(np.int32)


def threshold(min_count: Any, n: int) -> int:
    """Baskets that make a set frequent: a whole number from 1 to n, or a share between 0 and 1 of all n."""
    if isinstance(min_count, (float, np.floating)) and 0 < min_count < 1:
        return max(1, int(np.ceil(min_count * n - 1e-9)))
    try:
        return checks.integer(min_count, "min_count", 1, n)
    except (TypeError, ValueError) as error:
        raise type(error)(
            f"{error}; a set is frequent when at least min_count of the {n} baskets hold it, "
            "given as their number or as a share such as 0.01"
        ) from None
