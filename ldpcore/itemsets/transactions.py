"""Baskets: the items each person holds, as ascending codes one after the other, or as one row of bits per item."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldpcore import checks
from ldpcore.memory import Remembering

Codes = NDArray[np.int32]
Counts = NDArray[np.int64]
Bits = NDArray[np.uint64]

_BLOCK = 1 << 22
"""Bytes of unpacked bits at a time."""
_LINE = 8
"""Rows of bits are whole lines of so many words: counts of eight words fit one word."""


@dataclass(frozen=True, eq=False)
class Transactions(Remembering):
    """n baskets over k items. `codes[starts[i]:starts[i + 1]]` are the items of basket i, ascending and distinct.

    columns (k,): of which column of a table each item is a value; None where baskets are no rows of a table.
    """

    labels: tuple[Hashable, ...]
    codes: Codes
    starts: Counts
    columns: NDArray[np.integer] | None = None

    @property
    def n(self) -> int:
        return len(self.starts) - 1

    @property
    def k(self) -> int:
        return len(self.labels)

    @cached_property
    def lengths(self) -> Counts:
        """Items per basket (n,)."""
        return np.diff(self.starts)

    @cached_property
    def counts(self) -> Counts:
        """Baskets that hold each item (k,)."""
        return np.bincount(self.codes, minlength=self.k)

    @property
    def owners(self) -> NDArray[np.int32]:
        """The basket of every code: same length as `codes`."""
        return np.repeat(np.arange(self.n, dtype=np.int32), self.lengths)

    def bits(self) -> Bits:
        """One row per item (k, words): bit i is basket i."""
        narrow = self.codes.astype(np.uint16) if self.k <= 1 << 16 else self.codes  # sorted by radix
        holders = self.owners[np.argsort(narrow, kind="stable")]
        begin = np.concatenate([[0], np.cumsum(self.counts)])
        words = max(1, -(-self.n // (64 * _LINE))) * _LINE
        out = np.empty((self.k, words), np.uint64)
        step = max(1, _BLOCK // (64 * words))
        for start in range(0, self.k, step):
            block = np.zeros((min(step, self.k - start), 64 * words), bool)
            for item, row in enumerate(block, start):
                row[holders[begin[item] : begin[item + 1]]] = True
            out[start : start + step] = np.packbits(block, axis=1, bitorder="little").view(np.uint64)
        return out

    def keep(self, which: NDArray[np.bool_]) -> "Transactions":
        """The same baskets with only these (basket, item) pairs: a mask over `codes`."""
        upto = np.concatenate([[0], np.cumsum(which)])
        return Transactions(self.labels, self.codes[which], upto[self.starts], self.columns)

    def onto(self, items: NDArray[np.integer]) -> "Transactions":
        """The same baskets over these items alone, numbered as given; if out of order, so are the codes of a basket."""
        rank = np.full(self.k, -1, np.int32)
        rank[items] = np.arange(len(items), dtype=np.int32)
        ranks = rank[self.codes]
        left = self.keep(ranks >= 0)
        columns = None if self.columns is None else self.columns[items]
        return Transactions(tuple(self.labels[item] for item in items), rank[left.codes], left.starts, columns)

    def select(self, baskets: NDArray[np.bool_]) -> "Transactions":
        """Only these baskets: a mask (n,)."""
        lengths = self.lengths[baskets]
        codes, starts = self.codes[np.repeat(baskets, self.lengths)], np.concatenate([[0], np.cumsum(lengths)])
        return Transactions(self.labels, codes, starts, self.columns)

    def encode(self, items: Iterable[Hashable]) -> NDArray[np.intp]:
        """Labels → codes, ascending. ValueError for one that no basket holds."""
        place = {label: code for code, label in enumerate(self.labels)}
        wanted = list(items)
        unknown = [label for label in wanted if label not in place]
        if unknown:
            raise ValueError(f"no basket holds {checks.name_list(map(repr, unknown))}; check the spelling of the item")
        return np.sort(np.array([place[label] for label in wanted], np.intp))


def transactions(data: Any) -> Transactions:
    """Baskets from lists of labels, lists of codes, arrays of codes, `table.baskets(column)`, or Transactions.

    Items are ordered by their labels; one that a basket lists twice counts once; an empty basket counts in n.
    """
    if isinstance(data, Transactions):
        return data
    if all(hasattr(data, name) for name in ("labels", "codes", "starts")):
        columns = getattr(data, "columns", None)
        codes, starts = np.asarray(data.codes, np.int32), np.asarray(data.starts, np.int64)
        return Transactions(tuple(data.labels), codes, starts, columns)
    if isinstance(data, (str, bytes)) or not isinstance(data, Iterable):
        raise TypeError(f"transactions are baskets, one list of items per person, got {type(data).__name__}")
    rows = list(data)
    if not rows:
        raise ValueError("there are no baskets; load at least one")
    for kind in set(map(type, rows)):
        if issubclass(kind, (str, bytes)) or not issubclass(kind, Iterable):
            wrong = next(row for row in rows if type(row) is kind)
            raise TypeError(f"a basket is a list of items, got {wrong!r}; write ['milk', 'bread']")
        if not hasattr(kind, "__len__"):
            rows = [list(row) if type(row) is kind else row for row in rows]
    lengths = np.fromiter(map(len, rows), np.int64, len(rows))
    labels, codes = _coded(rows, int(lengths.sum()))
    starts = np.concatenate([[0], np.cumsum(lengths)])
    return Transactions(labels, *distinct(codes, starts, len(labels)))


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
    flat = list(chain.from_iterable(rows))
    if flat and type(flat[0]) is int:  # np.array of texts would be slow, and finds out itself if not all are numbers
        array = np.array(flat)
        if array.dtype.kind == "i" and array.ndim == 1:
            return _from_integers(array)
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
