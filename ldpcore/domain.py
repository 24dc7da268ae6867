"""What an answer can be: a category, a number in a public range, or a set of items.

A domain is public: it says what people may answer, never what they did. `encode` turns answers into the codes or scaled
numbers that mechanisms take, `decode` turns them back.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks


@dataclass(frozen=True)
class Categorical:
    """A finite, ordered list of distinct answers, `labels` (k,). ValueError where one comes twice.

    >>> domain = Categorical(["flu", "HIV", "asthma"])
    >>> domain.encode(["HIV", "flu"]).tolist()
    [1, 0]
    >>> domain.mask(["HIV"]).tolist()
    [False, True, False]
    """

    labels: tuple[str, ...]

    def __init__(self, labels: Iterable[str]) -> None:
        labels = tuple(str(label) for label in labels)
        repeated = [label for label, times in Counter(labels).items() if times > 1]
        if repeated:
            raise ValueError(f"labels must differ from one another, repeated: {checks.name_list(repeated)}")
        object.__setattr__(self, "labels", labels)

    @classmethod
    def from_values(cls, values: Iterable[str]) -> "Categorical":
        """The distinct values in the order of their first appearance."""
        return cls(dict.fromkeys(str(value) for value in values))

    @property
    def k(self) -> int:
        """The number of answers."""
        return len(self.labels)

    @cached_property
    def _code(self) -> Mapping[str, int]:
        return {label: code for code, label in enumerate(self.labels)}

    def encode(self, values: Iterable[str]) -> NDArray[np.intp]:
        """Labels → codes (n,). ValueError names what is not in the domain."""
        values = [str(value) for value in values]
        unknown = dict.fromkeys(value for value in values if value not in self._code)
        if unknown:
            raise ValueError(
                f"not in the domain: {checks.name_list(unknown)}; its labels are {checks.name_list(self.labels)}. "
                "Correct the spelling, or build the domain with Categorical.from_values"
            )
        return np.fromiter((self._code[value] for value in values), np.intp, len(values))

    def decode(self, codes: ArrayLike) -> list[str]:
        """Codes (n,) → labels."""
        return [self.labels[code] for code in checks.codes(codes, self.k)]

    def mask(self, labels: Iterable[str]) -> NDArray[np.bool_]:
        """The bool mask (k,) that is true at these labels."""
        out = np.zeros(self.k, bool)
        out[self.encode(labels)] = True
        return out


LARGEST = 1e150
"""A public range ends here at the latest: squares of its numbers, which errors are made of, must be finite."""

_EDGE = 1e-9
"""So close below the edge of a cell, in widths of a cell, a number is one that stands on it."""

_MORE = 2
"""Decimals that edges may have beyond those that tell them apart, where these write all of them exactly."""
_LONGEST = 17
"""Letters of a number that is written out; longer ones are written as 8e+149."""


@dataclass(frozen=True)
class Interval:
    """A public range of numbers from `low` to `high`, in the user's units; values outside are clipped, and counted.

    ValueError unless both ends are finite, low < high, and both lie within ±10¹⁵⁰.

    >>> height = Interval(140, 220)  # cm
    >>> height.encode([140, 190, 250]).tolist(), height.outside([140, 190, 250])
    ([-1.0, 0.25, 1.0], 1)
    >>> height.decode([0.25]).tolist()
    [190.0]
    >>> edges, bands = height.bins(4)
    >>> bands.labels
    ('140 to 160', '160 to 180', '180 to 200', '200 to 220')
    """

    low: float
    high: float

    def __post_init__(self) -> None:
        if not (np.isfinite(self.low) and np.isfinite(self.high) and self.low < self.high):
            raise ValueError(
                f"the public range needs two finite ends with low < high, got [{self.low:g}, {self.high:g}]"
            )
        if max(abs(self.low), abs(self.high)) > LARGEST:
            raise ValueError(
                f"the public range must lie within ±{LARGEST:g}, got [{self.low:g}, {self.high:g}]; numbers outside "
                "count as its ends, so choose a narrower one"
            )

    def encode(self, values: ArrayLike) -> NDArray[np.float64]:
        """Numbers → [-1, 1], linearly, clipped to the range."""
        x = np.clip(np.asarray(values, float), self.low, self.high)
        return (2 * x - self.low - self.high) / (self.high - self.low)

    def decode(self, scaled: ArrayLike) -> NDArray[np.float64]:
        """[-1, 1] → the user's units; estimates outside [-1, 1] stay outside the range."""
        return (np.asarray(scaled, float) * (self.high - self.low) + self.low + self.high) / 2

    def outside(self, values: ArrayLike) -> int:
        """How many numbers the range clips."""
        x = np.asarray(values, float)
        return int(np.count_nonzero((x < self.low) | (x > self.high)))

    def cells(self, values: ArrayLike, count: int) -> NDArray[np.int64]:
        """Which of so many equal cells [a, b) holds each number; high, and whatever lies outside, is in an end cell.

        0.3 is where the fourth tenth of [0, 1] begins, although 3·0.1 is a little more in floating point.
        """
        x = np.clip(np.asarray(values, float), self.low, self.high)
        at = np.floor((x - self.low) / (self.high - self.low) * count + _EDGE)
        return np.clip(at, 0, count - 1).astype(np.int64)

    def mask(self, values: ArrayLike, intervals: Sequence[tuple[float, float]]) -> NDArray[np.bool_]:
        """Which numbers lie in one of the (closed) intervals, both in the user's units."""
        x = np.asarray(values, float)
        return np.any([(x >= low) & (x <= high) for low, high in intervals] or [np.zeros(x.shape, bool)], axis=0)

    def bins(self, count: int) -> tuple[NDArray[np.float64], Categorical]:
        """Equal bins: edges (count + 1,) and the categories 'low to high' they make."""
        edges = np.linspace(self.low, self.high, checks.integer(count, "the number of bins", 2, 10_000) + 1)
        if not np.all(np.diff(edges) > 0):
            raise ValueError(
                f"floating point has no {count} different numbers between {self.low:.17g} and {self.high:.17g}; choose "
                "a wider range or fewer bins"
            )
        digits = max(0, 1 - int(np.floor(np.log10(edges[1] - edges[0]))))
        off = _EDGE * (edges[1] - edges[0])
        tried = [[f"{edge:.{digits + more}f}" for edge in edges] for more in range(_MORE + 1)]
        text = next((each for each in tried if np.abs(np.array(each, float) - edges).max() <= off), tried[0])
        short = [t.rstrip("0").rstrip(".") if "." in t else t for t in text]
        for end in (0, -1):  # what is between may be rounded; the range itself is somebody's
            if float(short[end]) != edges[end] and len(exact := f"{edges[end]:.15g}") <= _LONGEST:
                short[end] = exact
        if max(map(len, short)) > _LONGEST:
            short = next(t for p in (15, 17) if len(set(t := [f"{edge:.{p}g}" for edge in edges])) == len(edges))
        return edges, Categorical(f"{low} to {high}" for low, high in pairwise(short))


@dataclass(frozen=True)
class Items:
    """Items of which a person holds several; `universe` is all of them, as a Categorical.

    >>> shop = Items.from_baskets([["milk", "bread"], ["tea", "milk"]])
    >>> shop.universe.labels
    ('milk', 'bread', 'tea')
    >>> [items.tolist() for items in shop.encode([["tea", "milk", "tea"], []])]
    [[0, 2], []]
    """

    universe: Categorical

    @classmethod
    def from_baskets(cls, baskets: Iterable[Iterable[str]]) -> "Items":
        """All items that anybody holds, in the order of their first appearance."""
        return cls(Categorical.from_values(item for basket in baskets for item in basket))

    @property
    def k(self) -> int:
        """The number of items."""
        return self.universe.k

    def encode(self, baskets: Iterable[Iterable[str]]) -> list[NDArray[np.intp]]:
        """Each person's distinct items as ascending codes; a repeated item counts once."""
        return [np.unique(self.universe.encode(basket)) for basket in baskets]

    def decode(self, sets: Iterable[ArrayLike]) -> list[list[str]]:
        """Codes of each person → labels."""
        return [self.universe.decode(items) for items in sets]

    def mask(self, labels: Iterable[str]) -> NDArray[np.bool_]:
        """The bool mask (k,) of these items."""
        return self.universe.mask(labels)
