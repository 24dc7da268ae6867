"""Ranges: the strategies by the names that pages call them, and what is known of each whatever the data."""

from collections.abc import Callable, Sequence
from functools import lru_cache

import pandas as pd

from ldpapp.words.language import t
from ldpcore import ranges
from ldpcore.catalog import RANGES
from ldpcore.ranges import Strategy, Tree
from ldpcore.study.definition import DEFAULT_GRID
from ldpcore.study.ranges.comparison import HIGHEST

HIGHEST_INDEX = 40
"""h up to which indices are drawn."""
FLAT, PRIVELET, BEST = (RANGES.name(key) for key in ("Identity", "Privelet", "Best tree"))
"""The strategies that the page holds others against."""

Build = Callable[[int], Strategy]


def key(name: str) -> str:
    """What a strategy is called in the catalogue; pages call it by its name."""
    return next(found for found in RANGES if RANGES.name(found) == name)


def names(keys: Sequence[str] = ()) -> tuple[str, ...]:
    """Of these, or of all there are."""
    return tuple(RANGES.name(found) for found in keys or tuple(RANGES))


def build(name: str, h: int) -> Strategy:
    """A strategy by its name, over 2^h cells."""
    return _built(RANGES[key(name)].build, h)


@lru_cache(64)
def _built(made: Build, h: int) -> Strategy:
    return made(h)


def overtakes(name: str, other: str = FLAT) -> int | None:
    """The h from which on a strategy's average error is below another's, up to the highest drawn."""
    return _overtakes(RANGES[key(name)].build, RANGES[key(other)].build)


@lru_cache(256)
def _overtakes(made: Build, other: Build) -> int | None:
    return ranges.overtakes(made, HIGHEST, other).always


def limit(name: str) -> float:
    """Where the accuracy index goes."""
    return _limit(RANGES[key(name)].build)


@lru_cache(64)
def _limit(made: Build) -> float:
    return ranges.index_limit(made)


@lru_cache(64)
def _curve(made: Build) -> pd.DataFrame:
    return ranges.curve(made, range(HIGHEST_INDEX + 1))


def averages(shown: Sequence[str], epsilon: float) -> pd.DataFrame:
    """[mechanism, x, value]: the typical error, in people, against N."""
    rows = _lines(shown, "N", "error")
    rows = rows[rows["x"] <= 1 << HIGHEST]
    return rows.assign(value=rows["value"] / epsilon)  # kept at ε = 1


def indices(shown: Sequence[str]) -> pd.DataFrame:
    """[mechanism, x, value]: the accuracy index against h; a single cell has none."""
    rows = _lines(shown, "h", "index")
    return rows[rows["x"] >= 1]


def _lines(shown: Sequence[str], x: str, value: str) -> pd.DataFrame:
    curves = {name: _curve(RANGES[key(name)].build) for name in shown}
    parts = [pd.DataFrame({"mechanism": n, "x": c[x].astype(float), "value": c[value]}) for n, c in curves.items()]
    return pd.concat(parts, ignore_index=True)


@lru_cache(4096)
def _margin(made: Build, h: int, pair: tuple[int, int]) -> float:
    """At ε = 1: the noise of every strategy shrinks as ε grows."""
    return ranges.margin(_built(made, h), *pair, 1.0)


def margin(name: str, h: int, pair: tuple[int, int], epsilon: float) -> float:
    """The exact 95 % margin of a range (1-based, inclusive), in people."""
    return _margin(RANGES[key(name)].build, h, pair) / epsilon


def margins_over_epsilon(shown: Sequence[str], h: int, pair: tuple[int, int], epsilon: float) -> pd.DataFrame:
    """[mechanism, x, value]: the margin of a range against ε."""
    grid = sorted({*DEFAULT_GRID, epsilon})
    rows = [(name, x, margin(name, h, pair, x)) for name in shown for x in grid]
    return pd.DataFrame(rows, columns=["mechanism", "x", "value"])


def margins_over_n(shown: Sequence[str], h: int, pair: tuple[int, int], epsilon: float) -> pd.DataFrame:
    """[mechanism, x, value]: the margin of the same cells against N, the least that has them and more empty ones."""
    heights = sorted({*range((pair[1] - 1).bit_length(), HIGHEST + 1), h})
    rows = [(name, float(1 << over), margin(name, over, pair, epsilon)) for name in shown for over in heights]
    return pd.DataFrame(rows, columns=["mechanism", "x", "value"])


def detail(name: str, h: int) -> str:
    """What a strategy is at this N, in a few words."""
    if name != BEST:
        return RANGES[key(name)].label
    found = build(name, h)
    if not isinstance(found, Tree):
        return t("here the flat histogram")
    if found.root:
        return t("consistent, {branching}-ary, with root", branching=found.branching)
    return t("consistent, {branching}-ary, without root", branching=found.branching)


def within(name: str) -> str:
    """A strategy within a sentence."""
    label = RANGES[key(name)].label
    if name == key(name) and " " not in name:
        return name
    return t("the {strategy}", strategy=f"{label[0].lower()}{label[1:]}")
