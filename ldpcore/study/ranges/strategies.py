"""What is known of a strategy whatever the data, kept: it depends on how it is built and on numbers alone.

>>> from ldpcore.catalog import RANGES
>>> flat, wavelet = (RANGES[key].build for key in ("Identity", "Privelet"))
>>> overtakes(wavelet, flat), round(margin(flat, 7, (16, 35), 1.0), 1)  # log₂N; people, ± 95 %
(9, 12.5)
>>> margins_over_epsilon({"flat": flat}, 7, (16, 35), (0.5, 1.0)).round(1).values.tolist()
[['flat', 0.5, 24.9], ['flat', 1.0, 12.5]]
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

import pandas as pd

from ldpcore import ranges
from ldpcore.catalog import RANGES
from ldpcore.ranges import Strategy, Workload
from ldpcore.rng import stream
from ldpcore.study.ranges.comparison import HIGHEST
from ldpcore.study.ranges.queries import Range

HIGHEST_INDEX = 40
"""h up to which indices are looked at."""
Build = Callable[[int], Strategy]
Builds = Mapping[str, Build]
"""What a table calls a strategy → how it is built over 2^h cells."""
MARGINS = ["mechanism", "x", "value"]


def key_of(name: str) -> str:
    """The key in the catalogue of a strategy that pages call so.

    >>> key_of("Flat"), names(["Identity", "Privelet"])
    ('Identity', ('Flat', 'Privelet'))
    """
    return next(key for key in RANGES if RANGES.name(key) == name)


def names(keys: Sequence[str] = ()) -> tuple[str, ...]:
    """What pages call these strategies, or all there are."""
    return tuple(RANGES.name(key) for key in keys or tuple(RANGES))


def build_of(name: str) -> Build:
    """How a strategy that pages call so is built."""
    return RANGES[key_of(name)].build


def builds(shown: Sequence[str]) -> Builds:
    """Name → how it is built."""
    return {name: build_of(name) for name in shown}


@lru_cache(64)
def built(build: Build, h: int) -> Strategy:
    """It over 2^h cells."""
    return build(h)


@lru_cache(256)
def overtakes(build: Build, other: Build) -> int | None:
    """The h from which on its average error is below the other's, up to 14; None: from none on."""
    return ranges.overtakes(build, HIGHEST, other).always


def searched(
    size: int, workload: Workload | None = None, progress: Callable[[int, int], object] | None = None
) -> tuple[float, float]:
    """The mean Δ²c, over all ranges of so many cells or a workload, of the best strategy found by descent, and the
    bound below which none goes. progress: called with (steps done, the most there can be).

    >>> best, bound = searched(4)
    >>> 0 < bound <= best
    True
    """
    best = ranges.optimised(size, stream(0, "ranges optimised", size), workload, progress=progress)
    mean = best.average_coefficient() if workload is None else workload.coefficient(best)
    return best.sensitivity**2 * mean, ranges.svd_bound(size, workload)


@lru_cache(64)
def index_limit(build: Build) -> float:
    """Where its accuracy index goes."""
    return ranges.index_limit(build)


@lru_cache(64)
def _curve(build: Build) -> pd.DataFrame:
    return ranges.curve(build, range(HIGHEST_INDEX + 1))


def averages(builds: Builds, epsilon: float) -> pd.DataFrame:
    """[mechanism, x, value]: the typical error over all ranges, in people, against N."""
    rows = _lines(builds, "N", "error")
    rows = rows[rows["x"] <= 1 << HIGHEST]
    return rows.assign(value=rows["value"] / epsilon)  # kept at ε = 1


def indices(builds: Builds) -> pd.DataFrame:
    """[mechanism, x, value]: the accuracy index against h; a single cell has none."""
    rows = _lines(builds, "h", "index")
    return rows[rows["x"] >= 1]


def _lines(builds: Builds, x: str, value: str) -> pd.DataFrame:
    curves = {name: _curve(build) for name, build in builds.items()}
    parts = [pd.DataFrame({"mechanism": n, "x": c[x].astype(float), "value": c[value]}) for n, c in curves.items()]
    return pd.concat(parts, ignore_index=True)


@lru_cache(4096)
def _margin(build: Build, h: int, pair: Range) -> float:
    """At ε = 1: the noise of every strategy shrinks as ε grows."""
    return ranges.margin(built(build, h), *pair, 1.0)


def margin(build: Build, h: int, pair: Range, epsilon: float) -> float:
    """The exact 95 % margin of a range (1-based, inclusive), in people."""
    return _margin(build, h, pair) / epsilon


def variance(build: Build, h: int, pair: Range, epsilon: float) -> float:
    """The exact variance of a range (1-based, inclusive): its mean squared error, in people squared.

    >>> from ldpcore.catalog import RANGES
    >>> variance(RANGES["Privelet"].build, 3, (3, 7), 1.0)
    31.0
    """
    return built(build, h).variance(*pair, epsilon)


def wins(build: Build, other: Build, h: int, length: int, cells: int) -> tuple[int, ...]:
    """Where (1-based) those ranges of `length` cells begin, among the first `cells`, of which `build` has the smaller
    variance, whatever ε is.

    >>> from ldpcore.catalog import RANGES
    >>> wins(RANGES["Privelet"].build, RANGES["Identity"].build, 7, 32, 74)
    (1, 33)
    """
    mine, theirs = built(build, h), built(other, h)
    ends = ((at, at + length - 1) for at in range(1, cells - length + 2))
    return tuple(pair[0] for pair in ends if mine.variance(*pair, 1.0) < theirs.variance(*pair, 1.0))


def most_exact(build: Build, h: int, length: int, cells: int, epsilon: float) -> tuple[int, float]:
    """The first of the ranges of `length` cells, among the first `cells`, that has the least variance: where it begins
    (1-based), and its margin, in people.

    >>> from ldpcore.catalog import RANGES
    >>> first, off = most_exact(RANGES["Privelet"].build, 7, 32, 74, 1.0)
    >>> first, off < margin(RANGES["Identity"].build, 7, (1, 32), 1.0)
    (1, True)
    """
    ends = [(at, at + length - 1) for at in range(1, cells - length + 2)]
    best = min(ends, key=lambda pair: variance(build, h, pair, epsilon))
    return best[0], margin(build, h, best, epsilon)


def margins_over_epsilon(
    builds: Builds, h: int, pair: Range, epsilons: Iterable[float], squared: bool = False
) -> pd.DataFrame:
    """[mechanism, x, value]: the margin of a range against ε, or its mean squared error."""
    grid, error = sorted(set(epsilons)), variance if squared else margin
    rows = [(name, x, error(build, h, pair, x)) for name, build in builds.items() for x in grid]
    return pd.DataFrame(rows, columns=MARGINS)


def margins_over_n(builds: Builds, h: int, pair: Range, epsilon: float, squared: bool = False) -> pd.DataFrame:
    """[mechanism, x, value]: the margin of the same cells against N, the least that has them and more empty ones; or
    their mean squared error.
    """
    error = variance if squared else margin
    heights = sorted({*range((pair[1] - 1).bit_length(), HIGHEST + 1), h})
    rows = [
        (name, float(1 << over), error(build, over, pair, epsilon)) for name, build in builds.items()
        for over in heights
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=MARGINS)
