"""Ranges: the strategies by the names that pages call them, and what is known of each whatever the data."""

from collections.abc import Sequence

from ldpapp.words.language import t
from ldpcore.catalog import RANGES
from ldpcore.ranges import Strategy, Tree
from ldpcore.study.ranges import strategies as engine

FLAT, PRIVELET, BEST = (RANGES.name(key) for key in ("Identity", "Privelet", "Best tree"))
"""The strategies that the page holds others against."""


def key(name: str) -> str:
    """What a strategy is called in the catalogue; pages call it by its name."""
    return next(each for each in RANGES if RANGES.name(each) == name)


def names(keys: Sequence[str] = ()) -> tuple[str, ...]:
    """Of these, or of all there are."""
    return tuple(RANGES.name(each) for each in keys or tuple(RANGES))


def builds(shown: Sequence[str]) -> engine.Builds:
    """Name → how it is built."""
    return {name: RANGES[key(name)].build for name in shown}


def build(name: str, h: int) -> Strategy:
    """A strategy by its name, over 2^h cells."""
    return engine.built(RANGES[key(name)].build, h)


def overtakes(name: str, other: str = FLAT) -> int | None:
    """The h from which on a strategy's average error is below another's."""
    return engine.overtakes(RANGES[key(name)].build, RANGES[key(other)].build)


def detail(name: str, h: int) -> str:
    """What a strategy is at this N, in a few words."""
    if name != BEST:
        return RANGES[key(name)].label
    strategy = build(name, h)
    if not isinstance(strategy, Tree):
        return t("here the flat histogram")
    if strategy.root:
        return t("consistent, {branching}-ary, with root", branching=strategy.branching)
    return t("consistent, {branching}-ary, without root", branching=strategy.branching)


def within(name: str) -> str:
    """A strategy within a sentence."""
    label = RANGES[key(name)].label
    if name == key(name) and " " not in name:
        return name
    return t("the {strategy}", strategy=f"{label[0].lower()}{label[1:]}")
