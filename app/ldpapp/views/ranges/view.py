"""What the panels of the Ranges page share: the cells, the ranges asked, and what the Study gives at its point."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ldpapp import compute
from ldpapp.compute.memory import once
from ldpapp.state import view_options
from ldpapp.views.ranges import cached, strategies
from ldpapp.views.ranges import study as own
from ldpapp.views.ranges.cells import Cells
from ldpapp.views.ranges.study import Range
from ldpcore.study import Study


@dataclass(frozen=True, eq=False)
class View:
    """Strategies go by the names that pages call them; ranges are 1-based, inclusive."""

    study: Study
    cells: Cells
    chosen: Range
    listed: tuple[Range, ...]
    """Those of one's own, beside the chosen one."""
    names: tuple[str, ...]
    pair: tuple[str, str]
    key: str
    """Tells this column and its cells from others, in the keys of widgets."""

    @property
    def epsilon(self) -> float:
        return self.study.epsilon

    @property
    def name(self) -> str:
        return self.cells.name(*self.chosen)

    @property
    def short(self) -> str:
        """The same, cut where a value is a long text."""
        return self.cells.short(*self.chosen)

    @cached_property
    def point(self) -> Study:
        """The Study at its point alone, with every strategy and every range that the page speaks of."""
        spoken = (strategies.key(name) for name in (*self.names, *self.pair, strategies.BEST))
        asked = tuple(own.written(pair) for pair in (self.chosen, *self.listed))
        return _asking(self.study, tuple(dict.fromkeys(spoken)), asked)

    @cached_property
    def alone(self) -> Study:
        """The same, asking the chosen range alone."""
        return _asking(self.point, self.point.mechanisms, (own.written(self.chosen),))

    @cached_property
    def _exact(self) -> dict[tuple[str, str, str], float]:
        rows = compute.theory(self.point, self.cells.counted)
        keys = zip(rows["mechanism"], rows["metric"], rows["scope"], strict=True)
        return dict(zip(keys, rows["theory"].tolist(), strict=True))

    def margin(self, name: str) -> float:
        """The exact 95 % margin of the chosen range, in people."""
        return strategies.margin(name, self.cells.h, self.chosen, self.epsilon)

    def error(self, name: str) -> float:
        """The exact standard error of the chosen range, in people."""
        return strategies.build(name, self.cells.h).variance(*self.chosen, self.epsilon) ** 0.5

    @cached_property
    def best(self) -> tuple[str, ...]:
        """The two most exact of the chosen strategies, for the chosen range; or the one there is."""
        return tuple(sorted(self.names, key=self.margin)[:2])

    def average(self, name: str) -> float:
        """The typical error over all ranges of real cells, in people."""
        return self._exact[strategies.key(name), "average error", "own"] ** 0.5

    def listed_error(self, name: str) -> float:
        """The typical error over the ranges of one's own, in people."""
        found = [self._exact[strategies.key(name), "squared error", own.written(pair)] for pair in self.listed]
        return float(np.mean(found)) ** 0.5

    def published(self, name: str, number: int) -> float:
        """What the Study's repetition of this number publishes of the chosen range."""
        return cached.release(self.alone, self.cells.counted, strategies.key(name), number)


@once(64)
def _asking(study: Study, mechanisms: tuple[str, ...], asked: tuple[str, ...]) -> Study:
    """The study at its point, with these strategies and these ranges."""
    return replace(study, mechanisms=mechanisms, grid=()).with_options(asked=asked, ranges=0)


def current(study: Study, cells: Cells) -> View:
    """What the page shows of this Study."""
    there = strategies.names()
    one, two = (
        wanted if (wanted := view_options.look(f"ranges_{which}")) in there else usual
        for which, usual in (("one", strategies.PRIVELET), ("two", strategies.FLAT))
    )
    key = f"{study.data.digest[:12]}_{study.column}_{study.missing}_{study.bins}_{cells.k}"
    listed = own.listed(study, cells) or own.proposed(cells)
    return View(study, cells, own.chosen(study, cells), listed, strategies.names(study.mechanisms), (one, two), key)
