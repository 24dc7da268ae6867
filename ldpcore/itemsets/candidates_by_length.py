"""Apriori's levels: candidates of j + 1 items from frequent sets of j items, counted (Agrawal, Srikant 1994)."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ldpcore import checks
from ldpcore.baskets import Baskets, Counts
from ldpcore.itemsets.counting import Items, Tick, pair_counts, silent, supports

MAX_CANDIDATES = 5_000_000
_LISTED = 1 << 26
"""Keys at most that are looked up in a list of all there could be, instead of searched for."""

_NUMBERS = 1 << 62
"""Keys below it are numbers of 64 bits."""


class TooManyCandidates(ValueError):
    """A level would have more candidates than can be counted in reasonable time."""


@dataclass(frozen=True, eq=False)
class Level:
    """The candidates of one length: ascending codes (c, j), and how many baskets hold each (c,)."""

    items: Items
    counts: Counts

    @property
    def length(self) -> int:
        return self.items.shape[1]

    def where(self, mask: NDArray[np.bool_]) -> "Level":
        return Level(self.items[mask], self.counts[mask])


def check_size(candidates: int, length: int, most: int) -> None:
    """TooManyCandidates when there are more than `most`."""
    if candidates > most:
        raise TooManyCandidates(
            f"there would be {candidates:,} candidates of {length} items, more than the {most:,} that are counted at "
            "most: almost every combination seems to be frequent; choose a higher min_count, or a smaller max_length"
        )


def check_length(max_length: int | None) -> int:
    return 10_000 if max_length is None else checks.integer(max_length, "max_length (items per set)", 1)


def joined(items: Items, most: int = MAX_CANDIDATES) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Pairs (a, b), a before b, of rows that differ in their last item only; equal beginnings stand together."""
    if not len(items):
        return np.zeros(0, np.intp), np.zeros(0, np.intp)
    new = np.any(items[1:, :-1] != items[:-1, :-1], axis=1)
    ends = np.concatenate([np.flatnonzero(new) + 1, [len(items)]])
    sizes = np.diff(ends, prepend=0)
    check_size(int((sizes * (sizes - 1) // 2).sum()), items.shape[1] + 1, most)
    after = np.repeat(ends, sizes) - 1 - np.arange(len(items))
    a = np.repeat(np.arange(len(items)), after)
    return a, a + 1 + np.arange(len(a)) - np.repeat(np.cumsum(after) - after, after)


def candidates(frequent: Items, most: int = MAX_CANDIDATES) -> Items:
    """Sets of one item more whose every subset of one item less is among these: (c, j + 1), in lexicographic order."""
    a, b = joined(frequent, most)
    length, base = frequent.shape[1], int(frequent.max(initial=0)) + 1
    if base**length < _NUMBERS:
        a, b = _closed_pairs(frequent, a, b, base)
        return np.concatenate([frequent[a], frequent[b, -1:]], axis=1)
    made = np.concatenate([frequent[a], frequent[b, -1:]], axis=1)
    return made[closed(made, frequent)]


def _closed_pairs(
    frequent: Items, a: NDArray[np.intp], b: NDArray[np.intp], base: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The pairs of rows that make sets whose other subsets are frequent: by numbers, before any set is written out."""
    known, last = keys(frequent, base), frequent[:, -1]
    listed = _listed(known, base ** frequent.shape[1], len(a))
    for dropped in range(frequent.shape[1] - 1):
        begins = keys(np.delete(frequent, dropped, axis=1), base) * base
        wanted = begins[a] + last[b]
        there = found(wanted, known) if listed is None else listed[wanted]
        a, b = a[there], b[there]
    return a, b


def closed(made: Items, frequent: Items, every: bool = False) -> NDArray[np.bool_]:
    """Whether all subsets of one item less are among `frequent`; unless `every`, those that made the set are."""
    good = np.ones(len(made), bool)
    if not len(made) or not len(frequent):
        return ~good if every else good
    base = int(max(frequent.max(), made.max())) + 1
    known = keys(frequent, base)
    listed = _listed(known, base ** frequent.shape[1], len(made))
    for dropped in range(made.shape[1] - (0 if every else 2)):
        some = np.flatnonzero(good)
        wanted = keys(np.delete(made[some], dropped, axis=1), base)
        good[some] = found(wanted, known) if listed is None else listed[wanted]
    return good


def _listed(known: NDArray, size: int, wanted: int) -> NDArray[np.bool_] | None:
    """For each key below `size` whether it is known; None where so long a list is not worth making for so many."""
    if size > min(_LISTED, 64 * wanted):
        return None
    out = np.zeros(size, bool)
    out[known] = True
    return out


def keys(sets: Items, base: int) -> NDArray:
    """One number per set in the order of the sets, or where that would be too large its bytes."""
    if base ** sets.shape[1] < _NUMBERS:
        out = np.zeros(len(sets), np.int64)
        for column in sets.T:
            out *= base
            out += column
        return out
    rows = np.ascontiguousarray(sets, ">i4")
    return rows.view(np.dtype((np.void, rows.shape[1] * 4)))[:, 0]


def found(wanted: NDArray, known: NDArray) -> NDArray[np.bool_]:
    """Whether each key is among the known ones, which are in order."""
    if not len(known) or not len(wanted):
        return np.zeros(len(wanted), bool)
    return known[np.minimum(np.searchsorted(known, wanted), len(known) - 1)] == wanted


def explore(
    data: Baskets,
    min_count: int,
    max_length: int | None = None,
    most: int = MAX_CANDIDATES,
    tick: Tick = silent,
) -> Iterator[Level]:
    """Level after level all candidates that the truly frequent sets allow, with exact counts; stop reading to stop.

    The last level may hold no frequent set; a level without candidates is not given.
    """
    longest = check_length(max_length)
    yield Level(np.arange(data.k, dtype=np.int32)[:, None], data.counts)
    chosen = np.flatnonzero(data.counts >= min_count).astype(np.int32)
    check_size(len(chosen) * (len(chosen) - 1) // 2, 2, most)
    if longest < 2 or len(chosen) < 2:
        return
    baskets = data.onto(chosen)
    a, b = np.triu_indices(len(chosen), 1)
    ranks, counts = np.stack([a, b], axis=1).astype(np.int32), pair_counts(baskets, tick)[a, b]
    bits = baskets.select(baskets.lengths > 2).bits()
    while len(ranks):
        yield Level(chosen[ranks], counts)
        if ranks.shape[1] == longest:
            return
        ranks = candidates(ranks[counts >= min_count], most)
        counts = supports(bits, ranks, tick)
