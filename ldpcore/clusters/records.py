"""Records of several categorical attributes, each different record once: everything here costs by the record's kind."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks

Codes = NDArray[np.intp]
_DENSE = 16
"""Up to so many possible records per person they are found by counting instead of by sorting."""


@dataclass(frozen=True, eq=False)
class Records:
    """Different records `codes` (c, q), how many people hold each (c,), and which one each person holds, `kind` (n,).

    Where only the counts are known `kind` is None, and there is one label per different record.
    """

    codes: Codes
    counts: NDArray[np.int64]
    levels: tuple[int, ...]
    kind: Codes | None = None

    @classmethod
    def of(cls, X: "ArrayLike | Records", levels: Sequence[int] | None = None) -> "Records":
        """Int codes (n, q), attribute j from 0 to levels[j] − 1 (default: its largest code).

        ValueError for no record, a missing (negative) or too large code, an attribute with a single value.
        """
        if isinstance(X, Records):
            return X
        array = np.asarray(X)
        if array.ndim != 2 or not np.issubdtype(array.dtype, np.integer):
            raise TypeError(
                f"X must be int codes of shape (records, attributes), got shape {array.shape}, dtype {array.dtype}; "
                "encode each column with Categorical.encode"
            )
        if not array.size:
            raise ValueError(f"X must hold at least one record and one attribute, got shape {array.shape}")
        columns = np.ascontiguousarray(array.T)
        if columns.min() < 0:
            missing = int((columns < 0).any(axis=0).sum())
            raise ValueError(
                f"{missing} record(s) miss an answer (a negative code); leave them out, or count a missing answer as a "
                "value of its own"
            )
        high = [int(column.max()) for column in columns]
        known = [h + 1 for h in high] if levels is None else [checks.integer(d, "levels", 1) for d in levels]
        if len(known) != len(high):
            raise ValueError(f"levels must have one entry for each of the {len(high)} attributes, got {len(known)}")
        for j, d in enumerate(known):
            if d < 2:
                raise ValueError(f"attribute {j} has a single value, which tells nobody apart; leave it out")
            if high[j] >= d:
                raise ValueError(f"attribute {j} must hold codes from 0 to {d - 1}, got {high[j]}; raise its levels")
        return cls._grouped(columns, tuple(known))

    @classmethod
    def _grouped(cls, columns: NDArray[np.integer], levels: tuple[int, ...]) -> "Records":
        key, size = np.zeros(columns.shape[1], np.int64), 1
        for column, d in zip(columns, levels, strict=True):
            if size > 2**62 // d:  # renumber those that occur, before the mixed radix leaves int64
                seen, key = np.unique(key, return_inverse=True)
                size = len(seen)
            key, size = key * d + column, size * d
        if size <= _DENSE * len(key):
            present = np.bincount(key, minlength=size)
            kinds = np.flatnonzero(present > 0)
            place = np.empty(size, np.intp)
            place[kinds] = np.arange(len(kinds))
            kind, counts = place[key], present[kinds]
        else:
            kinds, kind, counts = np.unique(key, return_inverse=True, return_counts=True)
        first = np.empty(len(counts), np.intp)
        first[kind] = np.arange(len(kind))
        return cls(columns[:, first].T.astype(np.intp), counts.astype(np.int64), levels, kind)

    @cached_property
    def n(self) -> int:
        return int(self.counts.sum())

    @property
    def q(self) -> int:
        """Attributes."""
        return len(self.levels)

    @cached_property
    def columns(self) -> tuple[Codes, ...]:
        """The codes of each attribute, (c,) each."""
        return tuple(np.ascontiguousarray(column) for column in self.codes.T)

    def thinned(self, counts: NDArray[np.int64]) -> "Records":
        """The same kinds of record, held by as many people as `counts` (c,) says."""
        kinds = np.flatnonzero(counts)
        return Records(self.codes[kinds], counts[kinds], self.levels)

    def everyone(self, labels: Codes) -> Codes:
        """A label per kind (c,) → a label per person (n,)."""
        return labels if self.kind is None else labels[self.kind]


def number_of_clusters(k: int, records: Records) -> int:
    k = checks.integer(k, "k (the number of clusters)", 1)
    if k > records.n:
        raise ValueError(f"k must not exceed the number of records: {k} clusters of {records.n} records; lower k")
    return k


def starting_modes(levels: Sequence[int], k: int, rng: np.random.Generator) -> Codes:
    """k random tuples of the domain (k, q): they say nothing about the data."""
    return rng.integers(0, np.array(levels), (k, len(levels))).astype(np.intp)
