"""The items of lines, block after block: as codes of the texts seen so far, without what is no item."""

from collections import Counter

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ldpcore.baskets import Baskets
from ldpcore.data import baskets, dates
from ldpcore.data.columns import MISSING_MARKS
from ldpcore.data.errors import thousands
from ldpcore.data.options import ReadOptions
from ldpcore.data.set_sources import ITEMS

MIN_LINES = 5
"""Fewer lines are not known for a list of transactions, nor are their first fields for names of baskets."""


class LineItems:
    """The items of the lines read so far, as codes of the texts seen so far."""

    def __init__(self, options: ReadOptions) -> None:
        self.first = options.first
        self.absent = pa.array([mark for mark in MISSING_MARKS if mark not in options.of(ITEMS).answers and mark != ""])
        self.marks: Counter[str] = Counter()
        self.dropped = ""
        self.known: dict[str, int] = {}
        self.codes: list[NDArray[np.int32]] = []
        self.lengths: list[NDArray[np.int64]] = []
        self.longest = 0
        self.every_first_counts = True

    def add(self, offsets: NDArray[np.int64], cells: pa.Array) -> None:
        """Lines more: (lines + 1,) offsets into their cells."""
        cells = pc.utf8_trim_whitespace(cells.slice(int(offsets[0]), int(offsets[-1] - offsets[0])))
        present = np.asarray(pc.not_equal(cells, "").to_numpy(zero_copy_only=False), bool)
        absent = pc.is_in(cells, value_set=self.absent)
        if pc.any(absent).as_py():
            counted = pc.value_counts(cells.filter(absent)).to_pylist()
            self.marks.update({entry["values"]: entry["counts"] for entry in counted})
            present &= ~absent.to_numpy(zero_copy_only=False)
        before = np.concatenate([[0], np.cumsum(present)])
        lengths = np.diff(before[offsets - offsets[0]])
        self.lengths.append(lengths)
        if not present.any():
            return
        cells = cells.filter(pa.array(present))
        if self.every_first_counts:
            firsts = cells.take(pa.array((np.cumsum(lengths) - lengths)[lengths > 0]))
            self.every_first_counts = _count(firsts, lengths[lengths > 0] - 1)
        self.longest = max(self.longest, int(lengths.max()))
        encoded = cells.dictionary_encode()
        texts = (" ".join(text.split()) for text in encoded.dictionary.to_pylist())
        place = np.array([self.known.setdefault(text, len(self.known)) for text in texts], np.int32)
        if len(self.known) > 2 * baskets.MAX_ITEMS:  # leading counts are far fewer: nothing below can make it right
            raise baskets.too_many(f"more than {thousands(baskets.MAX_ITEMS)}")
        self.codes.append(place[encoded.indices.to_numpy()])

    @property
    def counts_lead(self) -> bool:
        """Whether each first field counts the fields behind it, as some published files have it."""
        return self.every_first_counts and self.longest > 2

    def baskets(self) -> Baskets:
        lengths = np.concatenate(self.lengths)
        codes = np.concatenate([np.array([], np.int32), *self.codes])
        if self.counts_lead:
            codes = np.delete(codes, (np.cumsum(lengths) - lengths)[lengths > 0])
            lengths = lengths - (lengths > 0)
        else:
            codes, lengths = self._without_names(codes, lengths)
        # Counts are no items, and what only a header held is none either.
        seen = np.flatnonzero(np.bincount(codes, minlength=len(self.known)))
        texts = list(self.known)
        distinct = [texts[i] for i in seen]
        place = baskets.natural_order(distinct)
        rank = np.empty(len(texts), np.int32)
        rank[seen[place]] = np.arange(len(seen))
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        return baskets.of_lists(rank[codes], starts, [distinct[i] for i in place])

    def _without_names(
        self, codes: NDArray[np.int32], lengths: NDArray[np.int64]
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Without a first field that names the basket, since none stands twice or behind another, or dates it."""
        some = lengths > 0
        at = (np.cumsum(lengths) - lengths)[some]
        if self.first == "item" or len(at) < MIN_LINES or self.longest < 2:
            return codes, lengths
        firsts, rest = codes[at], np.delete(codes, at)
        differ = np.flatnonzero(np.bincount(firsts))
        again = np.bincount(rest, minlength=len(self.known))[differ].any()
        if again and self.first != "name":
            return codes, lengths
        texts = list(self.known)
        shown = [texts[i] for i in firsts[:200]]
        if len(differ) == len(firsts) and len(rest) > 2 * np.count_nonzero(np.bincount(rest)):
            self.dropped = f"{len(firsts)} different ones, such as “{shown[0]}”"
        elif all(map(dates.is_date, shown)) or self.first == "name":
            self.dropped = f"{len(differ)} different ones, such as “{shown[0]}”"
        else:
            return codes, lengths
        return rest, lengths - some


def _count(firsts: pa.Array, behind: NDArray[np.int64]) -> bool:
    """Does each of these fields hold how many stand behind it?"""
    if not pc.all(pc.match_substring_regex(firsts, r"^\d{1,6}$")).as_py():
        return False
    return bool((firsts.cast(pa.int64()).to_numpy() == behind).all())
