"""Ranges: the cells of the chosen column, the strategies compared on them, and what the page says about both."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpapp import words
from ldpcore import ranges
from ldpcore.catalog import RANGES
from ldpcore.data.baskets import distinct_labels
from ldpcore.domain import Interval
from ldpcore.ranges import Strategy, Tree
from ldpcore.rng import stream

MOST_MAPPED = 128
"""Cells of a map's side; of more, this many evenly spread ones are drawn."""
HIGHEST, HIGHEST_INDEX = 14, 40
"""h up to which averages and indices are drawn: by 2^14 every strategy has overtaken the flat histogram."""
WIDTH_95 = 2.12
"""Standard errors to either side that hold 95 %: enough for one Laplace noise, a little wide for sums of many."""


@dataclass(frozen=True, eq=False)
class Cells:
    """An ordered histogram: counts (k,) of cells, which empty ones pad to N = 2^h."""

    firsts: tuple[str, ...]
    lasts: tuple[str, ...]
    counts: NDArray[np.int64]
    h: int
    low: float | None = None
    """Where the first cell begins, and how wide cells are; None for categories."""
    step: float = 1.0
    whole: bool = True
    clipped: int = 0

    @property
    def k(self) -> int:
        return len(self.counts)

    @property
    def size(self) -> int:
        return 1 << self.h

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

    @property
    def unit(self) -> str:
        return "value" if self.low is None else "cell"

    @cached_property
    def padded(self) -> NDArray[np.float64]:
        """(N,)"""
        found = ranges.pad(self.counts)
        return np.concatenate([found, np.zeros(self.size - len(found))])

    @property
    def bins(self) -> tuple[float, float, int] | None:
        """Low, high and number of bins, as a Study says them; None for categories."""
        return None if self.low is None else (self.low, self.low + self.k * self.step, self.k)

    def name(self, l: int, r: int) -> str:  # noqa: E741
        """Cells l to r (1-based, inclusive) in the column's own words."""
        first, last = self.firsts[l - 1], self.lasts[r - 1]
        return first if first == last else f"{first} to {last}"

    def short(self, l: int, r: int, letters: int = 24) -> str:  # noqa: E741
        """The same, with each end cut to so many letters."""
        first, last = (words.shorten(end, letters) for end in (self.firsts[l - 1], self.lasts[r - 1]))
        return first if self.firsts[l - 1] == self.lasts[r - 1] else f"{first} to {last}"

    def truth(self, l: int, r: int) -> int:  # noqa: E741
        return int(self.counts[l - 1 : r].sum())

    def cell(self, value: float) -> int:
        """The cell (1-based) that holds a number; the nearest one outside."""
        at = 0 if self.low is None else int(np.floor((value - self.low) / self.step + 1e-9))
        return min(max(at, 0), self.k - 1) + 1

    def start(self) -> tuple[int, int]:
        """The range shown first; it does not look at the data."""
        return int(0.19 * self.k) + 1, max(int(0.42 * self.k) + 1, int(0.19 * self.k) + 1)

    @property
    def said(self) -> str:
        """ "81 cells, padded to 128 with empty ones"."""
        what = "value" if self.low is None else f"cell of {number(self.step)}"
        whats = "values" if self.low is None else f"cells of {number(self.step)}"
        mine = words.plural(self.k, what, whats)
        if self.k == self.size:
            return f"{mine}, no padding"
        return f"{mine}, padded with empty ones to {words.count(self.size)}"


def number(value: float) -> str:
    return f"{value:,.10g}".replace(",", words.THIN).replace("-", words.MINUS)


def of_categories(labels: Sequence[str], counts: NDArray[np.int64]) -> Cells:
    """One cell for each value, in the column's order."""
    names = tuple(labels)
    return Cells(names, names, counts, max(1, (len(names) - 1).bit_length()))


def of_bins(values: NDArray[np.float64], bins: tuple[float, float, int], public: Interval) -> Cells:
    """The cells of a Study: equal bins, whose last may end beyond the public range. Numbers outside of that range count
    in the first or last cell.
    """
    low, last, k = bins
    step = (last - low) / k
    whole = bool(np.all(values == np.floor(values))) and float(low).is_integer() and float(step).is_integer()
    whole = whole and max(abs(low), abs(last)) < 2**53  # beyond, floats have no neighbours that differ by one
    codes = Interval(low, last).cells(values, k)
    starts = low + step * np.arange(k)
    ends = starts + step - (1 if whole else 0)
    return Cells(
        tuple(number(v) for v in starts),
        tuple(number(v) for v in ends),
        np.bincount(codes, minlength=k).astype(np.int64),
        max(1, (k - 1).bit_length()),
        float(low),
        step,
        whole,
        public.outside(values),
    )


# strategies ------------------------------------------------------------------------------------------------------


FLAT, PRIVELET, BEST = (RANGES.name(key) for key in ("Identity", "Privelet", "Best tree"))
"""The strategies that the page holds others against."""


def key(name: str) -> str:
    """What a strategy is called in the catalogue; pages call it by its name."""
    return next(found for found in RANGES if RANGES.name(found) == name)


def names(keys: Sequence[str]) -> tuple[str, ...]:
    return tuple(RANGES.name(found) for found in keys)


@lru_cache(64)
def build(name: str, h: int) -> Strategy:
    """A strategy by its name, over 2^h cells."""
    return RANGES[key(name)].build(h)


def detail(name: str, h: int) -> str:
    """What a strategy is at this N, in a few words."""
    found = build(name, h)
    if name == BEST:
        how = (
            isinstance(found, Tree) and f"consistent, {found.branching}-ary, {'with' if found.root else 'without'} root"
        )
        return how or "here the flat histogram"
    return RANGES[key(name)].label


def average(name: str, cells: Cells, epsilon: float) -> float:
    """The typical error, in people, of a range of real cells: the root of the mean variance over all of them."""
    return _unit_average(name, cells.h, cells.k) / epsilon


@lru_cache(256)
def _unit_average(name: str, h: int, k: int) -> float:
    """Over all ranges of the first k of 2^h cells, at ε = 1."""
    strategy = build(name, h)
    if k == 1 << h:
        return float(np.sqrt(strategy.average_variance(1.0)))
    return float(np.sqrt(every_range(h, k).variance(strategy, 1.0)))


@lru_cache(2)
def every_range(h: int, k: int) -> ranges.Workload:
    """All ranges of the first k of 2^h cells, one by one."""
    first, last = np.triu_indices(k)
    return ranges.Workload(1 << h, first + 1, last + 1)


@lru_cache(64)
def _unit_averages(name: str) -> NDArray[np.float64]:
    return np.array([_unit_average(name, h, 1 << h) for h in range(HIGHEST + 1)])


@lru_cache(64)
def indices(name: str) -> NDArray[np.float64]:
    """The accuracy index at h = 1 … 40."""
    return np.array([build.__wrapped__(name, h).accuracy_index() for h in range(1, HIGHEST_INDEX + 1)])


@lru_cache(64)
def limit(name: str) -> float:
    """Where the index goes; the best tree's is that of the best branching."""
    if name == BEST:
        return max(Tree(30, 1 << step, True).index_limit for step in range(1, 9))
    return build(name, 4).index_limit or 0.0


def averages(names: Sequence[str], epsilon: float) -> pd.DataFrame:
    """[mechanism, x, value] over N."""
    n = 2.0 ** np.arange(HIGHEST + 1)
    parts = [pd.DataFrame({"mechanism": name, "x": n, "value": _unit_averages(name) / epsilon}) for name in names]
    return pd.concat(parts, ignore_index=True)


def index_lines(names: Sequence[str]) -> pd.DataFrame:
    """[mechanism, x, value] over h."""
    h = np.arange(1.0, HIGHEST_INDEX + 1)
    return pd.concat(
        [pd.DataFrame({"mechanism": name, "x": h, "value": indices(name)}) for name in names], ignore_index=True
    )


@lru_cache(64)
def overtakes(name: str, other: str = FLAT) -> int | None:
    """The h from which on a strategy's average error is below another's, up to the highest drawn."""
    better = _unit_averages(name) < _unit_averages(other) * (1 - 1e-12)
    if not better[-1]:
        return None
    return int(len(better) - np.argmin(better[::-1])) if not better.all() else 0


def errors(name: str, cells: Cells, epsilon: float) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The standard error of every range of real cells, (m, m), NaN below; rows = last cell; and the cells drawn."""
    drawn = np.unique(np.round(np.linspace(1, cells.k, min(cells.k, MOST_MAPPED))).astype(np.int64))
    first, last = np.meshgrid(drawn, drawn)
    found = np.full(first.shape, np.nan)
    valid = first <= last
    strategy = build(name, cells.h)
    found[valid] = np.sqrt(strategy.noise(epsilon) * strategy.coefficients(first[valid], last[valid]))
    return found, drawn


def releases(
    names: Sequence[str], cells: Cells, chosen: tuple[int, int], epsilon: float, draw: tuple[int, int]
) -> pd.DataFrame:
    """One release of each strategy, read at one range: [mechanism, value, error, half]. `draw` = (seed, number)."""
    seed, number = draw
    rows = []
    for name in names:
        strategy = build(name, cells.h)
        # The stream of the Study's repetition of this number: `ldpcore run` makes the very release.
        answer = strategy.release(cells.padded, epsilon, stream(seed, key(name), float(epsilon), number))
        error = strategy.variance(*chosen, epsilon) ** 0.5
        rows.append((name, answer.range(*chosen), error, WIDTH_95 * error))
    return pd.DataFrame(rows, columns=["mechanism", "value", "error", "half"])


def summary(names: Sequence[str], cells: Cells, epsilon: float) -> pd.DataFrame:
    """The table strategy × index."""
    rows = []
    for name in names:
        strategy, over = build(name, cells.h), overtakes(name)
        rows.append(
            {
                "strategy": name,
                "what it is": detail(name, cells.h),
                "Δ": int(strategy.sensitivity),
                "average, ± people": average(name, cells, epsilon),
                f"index at N = {words.count(cells.size)}": strategy.accuracy_index(),
                "its limit": limit(name),
                "beats flat from N": "" if not over else words.count(1 << over),
            }
        )
    return pd.DataFrame(rows)


def round_ticks(cells: Cells, most: int) -> list[tuple[float, str]]:
    """(place, text) of round numbers along the cells; a whole number stands under the middle of its cell."""
    from ldpapp.charts.base import linear_ticks

    if cells.low is None:
        return []
    high = cells.low + cells.step * cells.k
    middle = 0.5 if cells.whole and cells.step == 1 else 0.0
    return [((v - cells.low) / cells.step + middle, number(v)) for v in linear_ticks(cells.low, high, most)]
