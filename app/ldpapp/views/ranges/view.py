"""What the panels of the Ranges page share: the cells, the ranges asked, and what the Study gives at its point."""

from dataclasses import dataclass
from functools import cached_property

from ldpapp.state import view_options
from ldpapp.views.ranges import cells as strategies
from ldpapp.views.ranges.cells import Cells
from ldpapp.views.ranges.sidebar import Range
from ldpcore.catalog import RANGES
from ldpcore.study import Study
from ldpcore.study.ranges import release
from ldpcore.study.ranges import strategies as engine
from ldpcore.study.ranges.facts import RangesFacts, StrategyFacts, facts


@dataclass(frozen=True, eq=False)
class RangesView:
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
    def name(self) -> str:
        return self.cells.name(*self.chosen)

    @property
    def short(self) -> str:
        """The same, cut where a value is a long text."""
        return self.cells.short(*self.chosen)

    @cached_property
    def alone(self) -> Study:
        """The study at its point, with every strategy that the page speaks of, asking the chosen range alone."""
        spoken = (engine.key_of(name) for name in (*self.names, *self.pair, strategies.BEST))
        return release.asking(self.study, tuple(dict.fromkeys(spoken)), (self.chosen,))

    @cached_property
    def facts(self) -> RangesFacts:
        return facts(self.study, self.cells.counted, asked=(self.chosen, *self.listed))

    def of(self, name: str) -> StrategyFacts:
        """A strategy by the name that pages call it."""
        return self.facts.of(engine.key_of(name))

    @cached_property
    def best(self) -> tuple[str, ...]:
        """The two most exact of the chosen strategies, for the chosen range; or the one there is."""
        return tuple(RANGES.name(key) for key in self.facts.best)


def current(study: Study, cells: Cells) -> RangesView:
    """What the page shows of this Study."""
    there = engine.names()
    one, two = (
        wanted if (wanted := view_options.look(f"ranges_{which}")) in there else usual
        for which, usual in (("one", strategies.PRIVELET), ("two", strategies.FLAT))
    )
    key = f"{study.data.digest[:12]}_{study.column}_{study.missing}_{study.bins}_{cells.k}"
    listed = cells.listed(study) or cells.proposed()
    return RangesView(study, cells, cells.chosen(study), listed, engine.names(study.mechanisms), (one, two), key)
