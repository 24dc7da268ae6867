"""What the panels of the Means view share: the study, the data, the lines, and what is computed of them once."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from ldpapp import compute
from ldpapp.compute.memory import remember
from ldpapp.state.view_options import look, wished
from ldpapp.views.means import cached, sentences
from ldpcore.domain import Interval
from ldpcore.study import Study, invented
from ldpcore.study.means import NumberColumn, curves, usual
from ldpcore.study.means import lines as mean_lines
from ldpcore.study.means.facts import BestMeans, MeansFacts, facts
from ldpcore.study.means.lines import MeanLines, MeanUnit
from ldpcore.study.means.spreads import Spread, every_spread


@dataclass(frozen=True, eq=False)
class MeansView:
    """Everything that the panels of one redraw share: what is known, and along which axis its error is drawn."""

    facts: MeansFacts
    unit: MeanUnit
    axis: str

    @property
    def study(self) -> Study:
        """At its own point of ε, of those chosen mechanisms that promise something for these marks."""
        return self.facts.study

    @property
    def data(self) -> NumberColumn:
        return self.facts.data

    # who is compared

    @property
    def best(self) -> BestMeans:
        return self.facts.best

    @cached_property
    def focus(self) -> str:
        """The mechanism in focus: the chosen one, else the best for the marked values, else for every value."""
        entered = [key for key in self.study.mechanisms if key != invented.KEY]
        wanted = wished("means_focus")
        leading = [spread.mechanism for spread in self.best if spread]
        return wanted if wanted in entered else [*leading, *entered][0]

    @property
    def reporting(self) -> str:
        """The mechanism whose report is drawn: the one in focus, or one's own."""
        wanted = wished("means_focus")
        return wanted if wanted in self.study.mechanisms else self.focus

    @cached_property
    def wide(self) -> bool:
        """Whether all lines are drawn: on demand, or where no estimate is without bias."""
        return bool(look("means_lines") == "all" or not any(self.best))

    @cached_property
    def drawn(self) -> MeanLines:
        """The lines, and the Studies behind them."""
        return MeanLines(self.facts, self.axis, self.focus, self.wide)

    @cached_property
    def lines(self) -> pd.DataFrame:
        """Closed forms over the axis."""
        return compute.theory(self.drawn.theoretical, self.data)

    @cached_property
    def at_point(self) -> pd.DataFrame:
        """The surveys so far at the chosen point: rows of the lines' estimates, and of all estimates that there are."""
        return compute.kept(self.drawn.point, self.data)

    @cached_property
    def at_full_point(self) -> pd.DataFrame:
        return compute.kept(self.drawn.full_point, self.data)

    @cached_property
    def spreads(self) -> list[Spread]:
        """Of every line that there is for these marks, at the chosen point."""
        return every_spread(self.drawn.full_point, self.data, self.at_full_point)

    @cached_property
    def guesses(self) -> pd.DataFrame:
        """Exact chances of a guess that near, made once."""
        return self.drawn.guesses()


def near_key(study: Study, public: Interval) -> str:
    """The look that says how near a guess must come, in the units of this column and range."""
    return f"means_delta_{study.column}_{public.low:g}_{public.high:g}"


def known(study: Study, data: NumberColumn) -> MeansFacts:
    """What is known of it, a guess being as near as the page was told."""
    near = look(near_key(study, data.interval), usual.near(data))
    return remember("means_facts", 16, (study, data, near), lambda: facts(study, data, near=float(near)))


def current(asked: Study, data: NumberColumn, axis: str) -> MeansView | None:
    """None where no chosen mechanism promises anything: nothing is marked, and all of them protect marks alone."""
    about = known(asked, data)
    return MeansView(about, mean_lines.unit(look("means_unit", "margin"), data), axis) if about.on else None


# the limit -----------------------------------------------------------------------------------------------------------


def floor(view: MeansView) -> tuple[pd.DataFrame | None, str]:
    """The limit of the focus's promise [x, value], and its words; none until all of its points are computed."""
    by_point = {x: _least(view, x) for x in view.drawn.limits}
    if not by_point or None in by_point.values():
        return None, ""
    least = {x: error for x, error in by_point.items() if error}
    now = by_point[view.drawn.at] or 0.0
    if view.axis == "share":
        least.pop(view.drawn.at)  # the lines have the paper's marks, there stand the study's own
    if not least:
        return None, ""
    frame = curves.floor(view.axis, least)
    text = sentences.limit(now, view.facts.parts[view.focus].promise, view.axis, view.unit)
    return frame.assign(value=view.unit(frame["value"].to_numpy())), text


def work(view: MeansView) -> Iterator[None]:
    """Compute the limit, the chosen point first."""
    for x in view.drawn.limits:
        if _least(view, x) is None:
            _least(view, x, wait=True)
            yield


def _least(view: MeansView, x: float, wait: bool = False) -> float | None:
    """The least mean squared error at this point, in the column's units; None while nobody has waited for it."""
    study, people = curves.limited(view.study, view.data, view.axis, x, view.drawn.at)
    least = cached.limit(study, view.data, view.facts.parts[view.focus].promise, wait)
    return None if least is None else least * view.data.unit**2 / people
