"""One column of numbers, read in several ways: what is marked in it is kept as intervals, whoever looks at it.

A count of bins knows marks as the names of bins, a count of separate values as those values, a mean as intervals such
as "60..80". Intervals are the home; these functions write them as labels and read labels back. What is no interval,
such as the answer "(missing)", stays as it is.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ldpcore.domain import Interval
from ldpcore.study import intervals
from ldpcore.study.intervals import Pair


def split(marks: Iterable[str]) -> tuple[list[Pair], list[str]]:
    """(intervals, what is none)."""
    pairs, others = [], []
    for text in marks:
        try:
            pairs.append(intervals.parse(text))
        except ValueError:
            others.append(text)
    return sorted(pairs), others


def joined(pairs: Iterable[Pair]) -> list[Pair]:
    """The same numbers as disjoint intervals in order: those that touch are one."""
    out: list[Pair] = []
    for low, high in sorted(pairs):
        if out and low <= out[-1][1]:
            out[-1] = out[-1][0], max(out[-1][1], high)
        else:
            out.append((low, high))
    return out


def to_bins(marks: Iterable[str], bins: tuple[float, float, int]) -> list[str]:
    """The names of the bins that an interval reaches into: a bin that is sensitive in part is sensitive."""
    pairs, others = split(marks)
    edges, domain = Interval(bins[0], bins[1]).bins(bins[2])
    inside = _reached(pairs, edges[:-1], edges[1:])
    return [label for label, reached in zip(domain.labels, inside, strict=True) if reached] + others


def from_bins(labels: Iterable[str], bins: tuple[float, float, int]) -> list[str]:
    """The intervals that these bins make together."""
    edges, domain = Interval(bins[0], bins[1]).bins(bins[2])
    chosen = set(labels)
    pairs = [pair for label, pair in zip(domain.labels, pairwise(edges.tolist()), strict=True) if label in chosen]
    return [intervals.written(*pair) for pair in joined(pairs)] + sorted(chosen - set(domain.labels))


def to_values(marks: Iterable[str], values: Sequence[str]) -> list[str]:
    """The separate values that lie in an interval; `values` are the column's, as written."""
    pairs, others = split(marks)
    numbers = {value: _number(value) for value in values}
    inside = [v for v, x in numbers.items() if x is not None and any(low <= x <= high for low, high in pairs)]
    return inside + [other for other in others if other in numbers and other not in inside]


def from_values(labels: Iterable[str], values: Sequence[str]) -> list[str]:
    """Intervals that hold these separate values and no other: they end half way to the neighbours."""
    chosen = set(labels)
    numbers = {value: x for value in values if (x := _number(value)) is not None}
    ordered = sorted(set(numbers.values()))
    marked = {numbers[label] for label in chosen & set(numbers)}
    if len(ordered) < 2:
        return sorted(chosen)
    middles = [(a + b) / 2 for a, b in pairwise(ordered)]
    ends = [2 * ordered[0] - middles[0], *middles, 2 * ordered[-1] - middles[-1]]
    pairs = [pair for x, pair in zip(ordered, pairwise(ends), strict=True) if x in marked]
    return [intervals.written(*pair) for pair in joined(pairs)] + sorted(chosen - set(numbers))


def _reached(pairs: Sequence[Pair], low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which of the ranges [low, high] share more than an end with an interval."""
    overlaps = [(start < high) & (end > low) for start, end in pairs]
    return np.any(overlaps, axis=0) if overlaps else np.zeros(len(low), bool)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
