"""Ranges: the cells of the chosen column, and what they are called. Who is in them is the Study's to count."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ldpapp import words
from ldpapp.charts.base import linear_ticks
from ldpapp.words.language import t
from ldpcore.data import Histogram
from ldpcore.data.baskets import distinct_labels
from ldpcore.study import ranges as task


@dataclass(frozen=True, eq=False)
class Cells:
    """An ordered histogram as the Study counts it, with both ends of every cell as text. Empty cells pad it to N."""

    counted: Histogram
    firsts: tuple[str, ...]
    lasts: tuple[str, ...]
    spans: int = 0
    """How many cells are spans of numbers: all but one for missing answers; 0 for categories."""
    low: float | None = None
    """Where the first cell begins, and how wide cells are; None for categories."""
    step: float = 1.0
    whole: bool = True
    clipped: int = 0
    """How many numbers outside the public range count in the end cells."""

    @property
    def counts(self) -> NDArray[np.int64]:
        """(k,)"""
        return self.counted.counts

    @property
    def k(self) -> int:
        return self.counted.domain.k

    @property
    def size(self) -> int:
        """N."""
        return task.size(self.counted)

    @property
    def h(self) -> int:
        return self.size.bit_length() - 1

    @cached_property
    def shown(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Firsts and lasts for a chart, where a value may be a long text: cut, and still different from one another."""
        if self.low is not None:
            return self.firsts, self.lasts
        cut = tuple(distinct_labels(words.shorten(name, 40) for name in self.firsts))
        return cut, cut

    @property
    def own(self) -> int:
        """How many ranges the real cells have."""
        return self.k * (self.k + 1) // 2

    def name(self, l: int, r: int) -> str:  # noqa: E741
        """Cells l to r (1-based, inclusive) in the column's own words."""
        return _joined(self.firsts[l - 1], self.lasts[r - 1])

    def short(self, l: int, r: int, letters: int = 24) -> str:  # noqa: E741
        """The same, with each end cut to so many letters."""
        first, last = self.firsts[l - 1], self.lasts[r - 1]
        if first == last:
            return words.shorten(first, letters)
        return _joined(words.shorten(first, letters), words.shorten(last, letters))

    def truth(self, l: int, r: int) -> int:  # noqa: E741
        return int(self.counts[l - 1 : r].sum())

    def cell(self, value: float, last: bool = False) -> int:
        """The cell (1-based) that holds a number; the nearest one outside.

        last: as the end of a range, where the edge between two cells of measured numbers ends the one below it.
        """
        place = 0.0 if self.low is None else (value - self.low) / self.step
        at = np.ceil(place - 1e-9) - 1 if last and not self.whole else np.floor(place + 1e-9)
        return int(min(max(at, 0), self.spans - 1)) + 1

    @property
    def said(self) -> str:
        """ "81 cells of 1, padded with empty ones to 128"."""
        if self.low is None:
            mine = words.plural(self.k, t("value"), t("values"))
        else:
            width = number(self.step)
            mine = words.plural(self.spans, t("cell of {width}", width=width), t("cells of {width}", width=width))
            if self.k > self.spans:
                mine = t("{cells} and one for missing answers", cells=mine)
        if self.k == self.size:
            return t("{cells}, no padding", cells=mine)
        return t("{cells}, padded with empty ones to {n}", cells=mine, n=words.count(self.size))

    @property
    def ranges(self) -> str:
        """What averages are over: the ranges that can be asked, not those of the padding."""
        numbers, n = self.low is not None, words.count(self.own)
        mine = words.plural(self.k, t("cell") if numbers else t("value"), t("cells") if numbers else t("values"))
        return t("all {n} ranges of the {cells}", n=n, cells=mine)

    def ticks(self, most: int) -> list[tuple[float, str]]:
        """(place, text) of round numbers along the cells; a whole number stands under the middle of its cell."""
        if self.low is None:
            return []
        middle = 0.5 if self.whole and self.step == 1 else 0.0
        places = linear_ticks(self.low, self.low + self.step * self.spans, most)
        return [((v - self.low) / self.step + middle, number(v)) for v in places]


def number(value: float) -> str:
    digits = 10 if abs(value) < 1e10 else 15  # enough to forget how floats round; with fewer, 5e+10 is no end of a cell
    return f"{value:,.{digits}g}".replace(",", words.THIN).replace("-", words.MINUS)


def _joined(first: str, last: str) -> str:
    return first if first == last else t("{first} to {last}", first=first, last=last)


def of_categories(counted: Histogram) -> Cells:
    """One cell for each value, in the column's order."""
    return Cells(counted, counted.domain.labels, counted.domain.labels)


def of_bins(counted: Histogram, bins: tuple[float, float, int], whole: bool, outside: int) -> Cells:
    """The equal bins of a Study, whose last may end beyond the public range, and after them missing answers that count.

    whole: the column holds whole numbers only. outside: how many numbers are outside the public range.
    """
    low, last, count = bins
    step = (last - low) / count
    # Beyond 2^53 floats have no neighbours that differ by one.
    whole = whole and float(low).is_integer() and float(step).is_integer() and max(abs(low), abs(last)) < 2**53
    starts = low + step * np.arange(count)
    ends = starts + step - (1 if whole else 0)
    rest = counted.domain.labels[count:]
    firsts, lasts = ((*map(number, edge.tolist()), *rest) for edge in (starts, ends))
    return Cells(counted, firsts, lasts, count, float(low), step, whole, outside)
