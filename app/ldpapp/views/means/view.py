"""What the panels of the Means view share: the study, the data, the lines, and what is computed of them once."""

from dataclasses import dataclass, replace
from functools import cached_property

import pandas as pd

from ldpapp import compute
from ldpapp.compute.memory import once
from ldpapp.state import column_settings
from ldpapp.state.view_options import look, wished
from ldpapp.views.means import axes, cached
from ldpapp.views.means import data as means_data
from ldpapp.views.means import study as own
from ldpapp.views.means.data import Best, Pair, Unit
from ldpcore.domain import Interval
from ldpcore.study import Marks, Study, intervals, means
from ldpcore.study.means import Numbers, limit
from ldpcore.study.means.numbers import Cell
from ldpcore.study.means.spreads import Spread, spreads

UNSEEN = pd.DataFrame(columns=["mechanism", "x", "metric", "scope", "repetition", "value"])
"""No survey: what is known by closed form alone."""


@dataclass(frozen=True, eq=False)
class View:
    """Everything that the panels of one redraw share. `axis` is the error's.

    study: at its own point of ε, of those chosen mechanisms that promise something for these marks. off: the others.
    """

    study: Study
    off: tuple[str, ...]
    data: Numbers
    unit: Unit
    axis: str

    # who is compared

    @cached_property
    def exact(self) -> list[Spread]:
        """Closed forms of all at the chosen point."""
        return spreads(_seen(self.study, self.axis, ("mean", "unbiased")), self.data, UNSEEN)

    @property
    def unbiased(self) -> list[Pair]:
        return [means_data.unbiased(key) for key in self.study.mechanisms]

    @cached_property
    def best(self) -> Best:
        return means_data.best(self.exact)

    @cached_property
    def focus(self) -> str:
        """The mechanism in focus: the chosen one, else the best for the marked values, else for every value."""
        wanted = wished("means_focus")
        leading = [found.mechanism for found in self.best if found]
        return wanted if wanted in self.study.mechanisms else [*leading, *self.study.mechanisms][0]

    @cached_property
    def wide(self) -> bool:
        """Whether all lines are drawn: on demand, or where no estimate is without bias."""
        return bool(look("means_lines") == "all" or not any(self.best))

    @cached_property
    def pairs(self) -> list[Pair]:
        """The lines: both best ones and what is in focus, or all."""
        if self.wide:
            return means_data.pairs(self.study)
        shown = dict.fromkeys([*(found.mechanism for found in self.best if found), self.focus])
        exact = {(found.mechanism, found.how) for found in self.exact}
        return [pair for pair in map(means_data.unbiased, shown) if pair in exact]

    @cached_property
    def compared(self) -> Study:
        """The study of the lines' mechanisms."""
        return _of(self.study, tuple(dict.fromkeys(key for key, _ in self.pairs)))

    # along the axis, and at its chosen point

    @property
    def estimates(self) -> tuple[str, ...]:
        return means_data.estimates(self.study) if self.wide else ("mean", "unbiased")

    @cached_property
    def curves(self) -> Study:
        """The surveys behind the marks on the lines."""
        return axes.curves(self.compared, self.axis, axes.GRIDS[self.axis], self.estimates)

    @cached_property
    def lines(self) -> pd.DataFrame:
        """Closed forms over the axis."""
        made = axes.curves(self.compared, self.axis, axes.DENSE[self.axis], self.estimates)
        return compute.theory(made, self.data)

    @cached_property
    def point(self) -> Study:
        """The study at the chosen point of the axis alone, as far as the page's first rows show it."""
        return _seen(self.compared, self.axis, self.estimates)

    @cached_property
    def at(self) -> float:
        """The chosen point of the axis."""
        return means.current(self.point, self.data)

    @cached_property
    def at_point(self) -> pd.DataFrame:
        return compute.kept(self.point, self.data)

    @cached_property
    def at_best(self) -> list[Spread]:
        """The estimates of these lines in the surveys so far."""
        return spreads(self.point, self.data, self.at_point)

    @property
    def truth(self) -> float:
        """The true mean of the people of a survey: all of the data, or as many as the study asks."""
        group = self.cell(self.focus).groups[0]
        return float(self.data.interval.decode(group.points @ group.counts / group.n))

    # what the folds show

    @cached_property
    def full_point(self) -> Study:
        """All mechanisms and all that can be made of their reports, at the chosen point."""
        return _seen(self.study, self.axis, means_data.estimates(self.study))

    @cached_property
    def at_full_point(self) -> pd.DataFrame:
        return compute.kept(self.full_point, self.data)

    @cached_property
    def spreads(self) -> list[Spread]:
        """Of every line that there is for these marks, at the chosen point."""
        found, wanted = spreads(self.full_point, self.data, self.at_full_point), means_data.pairs(self.study)
        return [spread for spread in found if (spread.mechanism, spread.how) in wanted]

    # marks

    @property
    def promise(self) -> str:
        """Whose limit the focus is held against."""
        return limit.promise(self.focus)

    @property
    def limited(self) -> bool:
        """Whether there is a limit: with nothing marked ULDP promises nothing."""
        return bool(self.marked) or self.promise == "LDP"

    @property
    def marked(self) -> list[intervals.Pair]:
        return own.marked(self.study)

    def cell(self, mechanism: str) -> Cell:
        """The mechanism at the chosen ε and marks, and its people."""
        return means.cell(self.study, self.data, mechanism, self.study.epsilon)

    # guesses

    @property
    def near_key(self) -> str:
        return f"means_delta_{self.study.column}_{self.data.interval.low:g}_{self.data.interval.high:g}"

    @property
    def near(self) -> float:
        """How near a guess must come, in the column's units: a tenth of the public range, unless chosen."""
        return float(look(self.near_key, 2 * self.data.unit / 10))

    @cached_property
    def guesses(self) -> pd.DataFrame:
        """Exact chances [mechanism, x, scope, theory] of a guess that near, over ε, and at the chosen one."""
        epsilons = tuple(sorted({*axes.DENSE["epsilon"], self.study.epsilon}))
        return cached.guesses(self.compared, self.data, epsilons, self.near)

    @cached_property
    def blind(self) -> tuple[float, dict[str, float]]:
        """The best guess without a report, and how many of each scope it covers."""
        return cached.blind(self.study, self.data, self.near)

    def guessed(self, scope: str) -> dict[str, float]:
        """Mechanism → chance of a guess at the chosen ε."""
        rows = self.guesses[(self.guesses["scope"] == scope) & (self.guesses["x"] == self.study.epsilon)]
        return {str(key): float(won) for key, won in zip(rows["mechanism"], rows["theory"], strict=True)}


@once(64)
def _of(study: Study, mechanisms: tuple[str, ...]) -> Study:
    return replace(study, mechanisms=mechanisms)


@once(64)
def _seen(study: Study, axis: str, estimates: tuple[str, ...]) -> Study:
    """At one point, without the attacks, which no panel shows: theirs are exact."""
    return replace(study, axis=axis).with_options(estimates=estimates, attacks=0)


def current(asked: Study, data: Numbers, axis: str) -> View | None:
    """None where no chosen mechanism promises anything: nothing is marked, and all of them protect marks alone."""
    off = own.off(asked)
    on = tuple(key for key in asked.mechanisms if key not in off)
    if not on:
        return None
    unit = means_data.unit(look("means_unit", "margin"), data)
    return View(_of(own.here(asked), on), off, data, unit, axis)


def proposed(data: Numbers) -> list[intervals.Pair]:
    """What is marked in one click where nothing is: the upper end of the public range."""
    return [intervals.parse(text) for text in column_settings.example("the upper end", _range(data.interval))]


def _range(public: Interval) -> tuple[float, float, int]:
    return public.low, public.high, 2


def supposed(asked: Study, data: Numbers) -> Spread | None:
    """The best of those that protect marks alone, were the proposal marked."""
    off = own.off(asked)
    if not off:
        return None
    marks = Marks.of([intervals.written(*pair) for pair in proposed(data)])
    study = replace(_of(own.here(asked), off), marks=marks)
    return means_data.best(spreads(_seen(study, "epsilon", ("mean", "unbiased")), data, UNSEEN)).marked
