"""Ranges' planner: the share of the people in the chosen range."""

import math
from dataclasses import dataclass

from ldpapp import planner, widgets, words
from ldpapp.compute.memory import once
from ldpapp.language import t
from ldpapp.tasks.ranges import strategies
from ldpapp.tasks.ranges.study import Range
from ldpapp.tasks.ranges.view import View
from ldpcore import catalog, plan


@dataclass(frozen=True)
class Counted:
    """Plans for one range of so many cells."""

    cells: int
    asked: Range

    def of(self, key: str) -> plan.Plan:
        return _plan(self, key)

    def limit(self) -> None:
        """None is known of one range."""


@once(64)
def _plan(counted: Counted, key: str) -> plan.Plan:
    return plan.ranges(key, counted.cells, counted.asked)


def fold(view: View) -> None:
    planner.fold("ranges", lambda: asked(view))


def asked(view: View) -> planner.Asked:
    counted = Counted(view.cells.size, view.chosen)
    return planner.Asked(
        "ranges",
        lambda every, worst: counted,
        tuple(catalog.RANGES),
        tuple(map(strategies.key, view.names)),
        strategies.key(view.best[0]),
        catalog.RANGES.name,
        int(view.cells.counts.sum()),
        view.epsilon,
        planner.points(),
        t("Two are given, one is answered, for the share of people in “{range}”.", range=widgets.escape(view.short)),
        lambda key: t("With {key} the share is off by at most", key=key),
        promised=_promised,
        worst=False,
    )


def _promised(eps: float) -> str:
    return t(
        "At ε = {eps}, what is published changes the odds of any one person’s answer at most {times}.",
        eps=words.epsilon(eps),
        times=words.times(math.exp(eps)),
    )
