"""The cells of a column as a study of ranges counts them: spans of numbers, or values in their order.

>>> from ldpcore import Source, Study, data
>>> ages = RangeCells.of(Study(Source("census"), "age", bins=(17, 91, 74), task="ranges"), data.load("census"), None)
>>> ages.k, ages.size, ages.h, ages.own
(74, 128, 7, 2775)
"""

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Self, cast

import numpy as np
from numpy.typing import NDArray

from ldpcore.data import Histogram, Table
from ldpcore.data.histogram import Missing
from ldpcore.domain import Interval
from ldpcore.ranges import Workload, every_range
from ldpcore.study import fitting, ranges
from ldpcore.study.definition import Study
from ldpcore.study.ranges.queries import Range, read


@dataclass(frozen=True, eq=False)
class RangeCells:
    """An ordered histogram as the Study counts it. Empty cells pad it to N. Ranges are 1-based, inclusive."""

    counted: Histogram
    spans: int = 0
    """How many cells are spans of numbers: all but one for missing answers; 0 for categories."""
    low: float | None = None
    """Where the first cell begins, and how wide cells are; None for categories."""
    step: float = 1.0
    whole: bool = True
    """Whether a cell holds whole numbers alone, and ends with the last of them."""
    clipped: int = 0
    """How many numbers outside the public range count in the end cells."""

    @classmethod
    def of(cls, study: Study, table: Table, public: fitting.Range | None) -> Self:
        """Of the study's column: its bins, or its values. public: the range that is stated of its numbers, None: that
        of the bins.
        """
        counted = ranges.prepare(study.with_options(asked=None), table)
        if study.bins is None:
            return cls(counted)
        numbers = table.numbers(study.column, cast(Missing, study.missing))
        outside = Interval(*(public or study.bins)[:2]).outside(numbers)
        return cls.of_bins(counted, study.bins, ranges.whole(table, study), outside)

    @classmethod
    def of_bins(cls, counted: Histogram, bins: fitting.Range, whole: bool, outside: int) -> Self:
        """The equal bins of a Study, whose last may end beyond the public range, and after them missing answers that
        count. whole: the column holds whole numbers only. outside: how many numbers are outside the public range.
        """
        low, last, count = bins
        step = (last - low) / count
        # Beyond 2^53 floats have no neighbours that differ by one.
        whole = whole and float(low).is_integer() and float(step).is_integer() and max(abs(low), abs(last)) < 2**53
        return cls(counted, count, float(low), step, whole, outside)

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
        return ranges.size(self.counted)

    @property
    def h(self) -> int:
        return self.size.bit_length() - 1

    @property
    def own(self) -> int:
        """How many ranges the real cells have."""
        return self.k * (self.k + 1) // 2

    @cached_property
    def ends(self) -> tuple[list[float], list[float]]:
        """The first and the last number of every span; none of categories."""
        starts = (self.low or 0.0) + self.step * np.arange(self.spans)
        return starts.tolist(), (starts + self.step - (1 if self.whole else 0)).tolist()

    @property
    def workload(self) -> Workload | None:
        """All ranges of real cells; None, which stands for all ranges, where no cell is padding."""
        return None if self.k == self.size else Workload(self.size, *every_range(self.k))

    def truth(self, first: int, last: int) -> int:
        """How many people are in these cells."""
        return int(self.counts[first - 1 : last].sum())

    def cell(self, value: float, last: bool = False) -> int:
        """The cell (1-based) that holds a number; the nearest one outside.

        last: as the end of a range, where the edge between two cells of measured numbers ends the one below it.
        """
        place = 0.0 if self.low is None else (value - self.low) / self.step
        at = np.ceil(place - 1e-9) - 1 if last and not self.whole else np.floor(place + 1e-9)
        return int(min(max(at, 0), self.spans - 1)) + 1

    def named(self, text: str, last: bool = False) -> int | None:
        """The cell (1-based) of a value of the column, or of a number as a page or a person writes it; None for what is
        neither. last: as `cell` has it.

        >>> from ldpcore import Source, Study, data
        >>> study = Study(Source("census"), "age", bins=(17, 91, 74), task="ranges")
        >>> ages = RangeCells.of(study, data.load("census"), None)
        >>> ages.named("18"), ages.named("1,000"), ages.named("old")
        (2, 74, None)
        """
        values = self.counted.domain.labels[self.spans :]
        if text in values or self.low is None:
            return self.spans + values.index(text) + 1 if text in values else None
        try:
            return self.cell(float(re.sub("[,\u202f]", "", text).replace("−", "-")), last)
        except (ValueError, OverflowError):
            return None

    def within(self, pair: Range) -> Range:
        """The range as far as there are such cells, its ends in order."""
        first, last = (max(1, min(end, self.k)) for end in pair)
        return min(first, last), max(first, last)

    def chosen(self, study: Study) -> Range:
        """The range shown: the first that the Study asks."""
        return self.within(ranges.asked(study, self.counted)[0])

    def listed(self, study: Study) -> tuple[Range, ...]:
        """Those of one's own: what else the Study asks."""
        return tuple(self.within(read(text)) for text in ranges.options(study).asked[1:])

    def proposed(self) -> tuple[Range, ...]:
        """Four equal parts, until there are ranges of one's own."""
        ends = np.unique(np.linspace(0, self.k, min(4, self.k) + 1).astype(int)).tolist()
        return tuple((a + 1, b) for a, b in pairwise(ends))
