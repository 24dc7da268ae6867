"""Ranges: the cells of the chosen column, and what they are called. Who is in them is the Study's to count."""

from functools import cached_property

from ldpapp import words
from ldpapp.charts.base import linear_ticks
from ldpapp.words.language import t
from ldpcore.catalog import RANGES
from ldpcore.data.baskets import distinct_labels
from ldpcore.ranges import Tree
from ldpcore.study.ranges import strategies as engine
from ldpcore.study.ranges.column_cells import RangeCells


class Cells(RangeCells):
    """With both ends of every cell as text."""

    @cached_property
    def firsts(self) -> tuple[str, ...]:
        return (*map(words.plain, self.ends[0]), *self.counted.domain.labels[self.spans :])

    @cached_property
    def lasts(self) -> tuple[str, ...]:
        return (*map(words.plain, self.ends[1]), *self.counted.domain.labels[self.spans :])

    @cached_property
    def shown(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Firsts and lasts for a chart, where a value may be a long text: cut, and still different from one another."""
        if self.low is not None:
            return self.firsts, self.lasts
        cut = tuple(distinct_labels(words.shorten(name, 40) for name in self.firsts))
        return cut, cut

    def name(self, l: int, r: int) -> str:  # noqa: E741
        """Cells l to r (1-based, inclusive) in the column's own words."""
        return _joined(self.firsts[l - 1], self.lasts[r - 1])

    def short(self, l: int, r: int, letters: int = 24) -> str:  # noqa: E741
        """The same, with each end cut to so many letters."""
        first, last = self.firsts[l - 1], self.lasts[r - 1]
        if first == last:
            return words.shorten(first, letters)
        return _joined(words.shorten(first, letters), words.shorten(last, letters))

    @property
    def said(self) -> str:
        """ "81 cells, each 1 wide, padded with empty ones to 128"."""
        if self.low is None:
            mine = words.plural(self.k, t("value"), t("values"))
        else:
            width = words.plain(self.step)
            each = t("cells, each {width} wide", width=width)
            mine = words.plural(self.spans, t("cell, {width} wide", width=width), each)
            if self.k > self.spans:
                mine = t("{cells}, and one for missing answers", cells=mine)
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
        return [((v - self.low) / self.step + middle, words.plain(v)) for v in places]


def _joined(first: str, last: str) -> str:
    return first if first == last else t("{first} to {last}", first=first, last=last)


# strategies by their names -------------------------------------------------------------------------------------------


FLAT, PRIVELET, BEST = (RANGES.name(key) for key in ("Identity", "Privelet", "Best tree"))
"""The strategies that the page holds others against."""


def detail(name: str, h: int) -> str:
    """What a strategy is at this N, in a few words."""
    if name != BEST:
        return RANGES[engine.key_of(name)].label
    strategy = engine.built(engine.build_of(name), h)
    if not isinstance(strategy, Tree):
        return t("here the flat histogram")
    if strategy.root:
        return t("consistent, {branching}-ary, with root", branching=strategy.branching)
    return t("consistent, {branching}-ary, without root", branching=strategy.branching)


def within(name: str) -> str:
    """A strategy within a sentence."""
    label = RANGES[engine.key_of(name)].label
    if name == engine.key_of(name) and " " not in name:
        return name
    return t("the {strategy}", strategy=f"{label[0].lower()}{label[1:]}")
