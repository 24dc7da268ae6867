"""What a miner returns: every candidate with its true and its published count, those it calls frequent, the ledger."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import nan

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore.baskets import Baskets, Bits, Counts
from ldpcore.itemsets.counting import Items, pair_counts, ranked
from ldpcore.itemsets.few_holders import few_supports
from ldpcore.itemsets.ledger import Ledger
from ldpcore.memory import remembered

COLUMNS = ["itemset", "count", "noisy_count"]
_KEPT = 1 << 24
"""Bytes of bits that are kept with baskets: every run on them asks for the true counts of its candidates."""


@dataclass(frozen=True, eq=False)
class ReleasedCandidates:
    """The candidates of one length: ascending codes (c, j), true and noisy counts (c,), which are called frequent."""

    items: Items
    counts: Counts
    noisy: NDArray[np.float64]
    kept: NDArray[np.bool_]

    @property
    def length(self) -> int:
        return self.items.shape[1]


@dataclass(frozen=True, eq=False)
class MiningResult:
    """One run of a miner. The true counts are for the analyst: only what is kept and its noisy count is published.

    bits: mean size of the reports that were sent; NaN where none are, since a curator is trusted with the baskets.
    """

    labels: tuple[Hashable, ...]
    min_count: int
    levels: tuple[ReleasedCandidates, ...]
    ledger: Ledger
    bits: float = nan

    @property
    def published(self) -> int:
        """How many sets are called frequent."""
        return sum(int(np.count_nonzero(level.kept)) for level in self.levels)

    @cached_property
    def itemsets(self) -> pd.DataFrame:
        """What is called frequent: itemset (a tuple of labels), count (true), noisy_count; short sets first."""
        parts = [_frame(self.labels, level, level.kept) for level in self.levels]
        return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame([], columns=COLUMNS)


def _frame(labels: Sequence[Hashable], level: ReleasedCandidates, mask: NDArray[np.bool_]) -> pd.DataFrame:
    items = level.items[mask]
    order = np.lexsort(items.T[::-1]) if len(items) else np.zeros(0, np.intp)
    frame = pd.DataFrame({"count": level.counts[mask][order], "noisy_count": level.noisy[mask][order].astype(float)})
    frame.insert(0, "itemset", pd.Series(names(labels, items[order]), dtype=object))
    return frame


def names(labels: Sequence[Hashable], items: NDArray[np.integer]) -> list[tuple[Hashable, ...]]:
    """Codes (c, j) → tuples of labels. Columns are zipped: many times faster than row by row."""
    label = np.empty(len(labels), object)
    label[:] = labels
    return list(zip(*(label[column].tolist() for column in items.T), strict=True))


def exact_counts(data: Baskets, items: Items) -> Counts:
    """Baskets that hold each of these sets (c, j) → (c,)."""
    if items.shape[1] == 1:
        return data.counts[items[:, 0]]
    if items.shape[1] == 2 and 8 * data.k**2 <= _KEPT:  # every run asks for much the same pairs
        return remembered(data, ("pairs",), lambda: pair_counts(data))[items[:, 0], items[:, 1]]
    used, ranks = ranked(items, data.k)
    return few_supports(_bits(data, used), ranks)


def _bits(data: Baskets, used: NDArray[np.integer]) -> Bits:
    """Rows of bits of these items, each made once as long as all of them are few: every run asks for much the same."""
    if len(used) * data.n > 8 * _KEPT:
        return data.onto(used).bits()
    known: dict[int, Bits] = remembered(data, ("rows of bits",), dict)
    fresh = [item for item in used.tolist() if item not in known]
    if (len(known) + len(fresh)) * data.n > 8 * _KEPT:
        known.clear()
        fresh = used.tolist()
    if fresh:
        known.update(zip(fresh, data.onto(fresh).bits(), strict=True))
    return np.stack([known[item] for item in used.tolist()])
