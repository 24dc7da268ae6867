"""Baskets: the items each person holds, of any number, as ascending codes one after the other."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.domain import Categorical
from ldpcore.memory import Remembering

Codes = NDArray[np.int32]
Counts = NDArray[np.int64]
Bits = NDArray[np.uint64]

_BLOCK = 1 << 22
"""Bytes of unpacked bits at a time."""
_NARROW = 1 << 31
_LINE = 8
"""Rows of bits are whole lines of so many words: counts of eight words fit one word."""


@dataclass(frozen=True, eq=False)
class Baskets(Remembering):
    """The items of n people, of k in all: `codes[starts[i]:starts[i + 1]]` are person i's, ascending and distinct.

    labels (k,): the items; texts, where they come from a file. codes (items in all,), starts (n + 1,). columns (k,): of
    which column each item is a value, where everybody is a row of a table; None else. groups: category → its items,
    empty where none is known; an item may be in several. notes: plain sentences on who and what was left out.
    weights (n,): what each person counts for, and weighted_by the column that says so; None and "" where all count
    alike. Build them with `itemsets.baskets_of`, or let `data.read` do it.

    >>> shop = Baskets(("milk", "tea"), np.array([0, 0, 1], np.int32), np.array([0, 1, 3, 3]))
    >>> shop.n, shop.k, shop.lengths.tolist(), shop.counts.tolist()
    (3, 2, [1, 2, 0], [2, 1])
    """

    labels: tuple[Any, ...]
    codes: Codes
    starts: Counts
    columns: NDArray[np.integer] | None = None
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    weights: NDArray[np.float64] | None = None
    weighted_by: str = ""

    @property
    def n(self) -> int:
        """People, those without any item included."""
        return len(self.starts) - 1

    @property
    def k(self) -> int:
        """Different items."""
        return len(self.labels)

    @cached_property
    def lengths(self) -> Counts:
        """Items of each person (n,)."""
        return np.diff(self.starts)

    @cached_property
    def counts(self) -> Counts:
        """People who hold each item (k,)."""
        return np.bincount(self.codes, minlength=self.k)

    @cached_property
    def held(self) -> NDArray[np.float64]:
        """How much of all holds each item (k,): people, or their weights."""
        return np.bincount(self.codes, None if self.weights is None else self.weights[self.people], self.k).astype(
            float
        )

    @property
    def design_effect(self) -> float:
        """n over the number of people with equal weights that err as much, (Σ w)²/Σ w²."""
        return 1.0 if self.weights is None else float(self.n * (self.weights @ self.weights) / self.weights.sum() ** 2)

    @cached_property
    def domain(self) -> Categorical:
        """The items as a domain: encodes texts, makes masks."""
        return Categorical(self.labels)

    @property
    def people(self) -> Codes:
        """Whose item each code is: positions (items in all,)."""
        return np.repeat(np.arange(self.n, dtype=np.int32), self.lengths)

    def lists(self) -> list[Codes]:
        """Every person's items, as n arrays of codes."""
        return np.split(self.codes, self.starts[1:-1])

    def bits(self, place: Counts | None = None) -> Bits:
        """One row per item (k, words): bit i is person i, or bit place[i], where these are given (n,)."""
        size = self.n if place is None else int(place.max(initial=-1)) + 1
        words = max(1, -(-size // (64 * _LINE))) * _LINE
        step = max(1, _BLOCK // (64 * words))
        if self.k <= step:
            return _packed(self.k, words, (self.codes, self.people if place is None else place[self.people]))
        narrow = self.codes.astype(np.uint16) if self.k <= 1 << 16 else self.codes  # sorted by radix
        order = np.argsort(narrow, kind="stable")
        items, holders = self.codes[order], self.people[order]
        if place is not None:
            holders = place[holders]
        begin = np.concatenate([[0], np.cumsum(self.counts)])
        out = np.empty((self.k, words), np.uint64)
        for start in range(0, self.k, step):
            end = min(start + step, self.k)
            some = slice(begin[start], begin[end])
            out[start:end] = _packed(end - start, words, (items[some] - start, holders[some]))
        return out

    def keep(self, which: NDArray[np.bool_]) -> "Baskets":
        """The same people with only these of their items: a mask over `codes`."""
        return replace(self, codes=self.codes[which], starts=self._starts(which))

    def _starts(self, which: NDArray[np.bool_]) -> Counts:
        """Where each person's items begin when only these are left (n + 1,)."""
        upto = np.zeros(len(which) + 1, np.int32 if len(which) < _NARROW else np.int64)  # half as much to go through
        np.cumsum(which, out=upto[1:])
        return upto[self.starts].astype(np.int64)

    def onto(self, items: ArrayLike) -> "Baskets":
        """The same people with these items alone: a mask (k,), or codes, which number them as given; if these are
        out of order, so are the codes of a person.
        """
        chosen = np.asarray(items)
        if chosen.dtype == bool:
            if chosen.shape != (self.k,):
                raise ValueError(f"items must have one entry for each of the {self.k} items, got shape {chosen.shape}")
            chosen = np.flatnonzero(chosen)
        if len(chosen) == self.k and np.array_equal(chosen, np.arange(self.k)):
            return self  # with all that is known of it
        rank = np.full(self.k, -1, np.int32)
        rank[chosen] = np.arange(len(chosen), dtype=np.int32)
        codes = rank[self.codes]
        which = codes >= 0
        labels = tuple(self.labels[item] for item in chosen.tolist())
        columns = None if self.columns is None else self.columns[chosen]
        return replace(
            self, labels=labels, codes=codes[which], starts=self._starts(which), columns=columns,
            groups=within(self.groups, labels),
        )  # fmt: skip

    def select(self, people: NDArray[np.bool_]) -> "Baskets":
        """Only these people: a mask (n,)."""
        codes = self.codes[np.repeat(people, self.lengths)]
        starts = np.concatenate([[0], np.cumsum(self.lengths[people])])
        return replace(self, codes=codes, starts=starts, weights=None if self.weights is None else self.weights[people])

    def encode(self, items: Iterable[Hashable]) -> NDArray[np.intp]:
        """Labels → codes, ascending. ValueError for one that no basket holds."""
        place = {label: code for code, label in enumerate(self.labels)}
        wanted = list(items)
        unknown = [label for label in wanted if label not in place]
        if unknown:
            raise ValueError(f"no basket holds {checks.name_list(map(repr, unknown))}; check the spelling of the item")
        return np.sort(np.array([place[label] for label in wanted], np.intp))


def _packed(rows: int, words: int, at: tuple[NDArray[np.integer], NDArray[np.integer]]) -> Bits:
    """Rows of bits (rows, words), set at these rows and places."""
    block = np.zeros((rows, 64 * words), bool)
    block[at] = True
    return np.packbits(block, axis=1, bitorder="little").view(np.uint64)


def within(groups: Mapping[str, Iterable[str]], labels: Iterable[Hashable]) -> dict[str, tuple[str, ...]]:
    """Groups of these labels only, without empty ones."""
    there = set(labels) if groups else set()
    kept = {name: tuple(item for item in items if item in there) for name, items in groups.items()}
    return {name: items for name, items in kept.items() if items}
