"""Means' planner: the mean of the column, in its own units."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from ldpapp import planner, widgets, words
from ldpapp.compute.memory import once
from ldpapp.language import t
from ldpapp.tasks.means import study as own
from ldpapp.tasks.means.data import Numbers
from ldpapp.tasks.means.findings import quantity
from ldpapp.tasks.means.view import View
from ldpcore import catalog, plan
from ldpcore.study import intervals


@dataclass(frozen=True)
class Mean:
    """Plans for the mean. near: how near a guess must come, on [-1, 1]. worst: of the worst numbers, not of these.
    promise: whose limit stands beside them.
    """

    data: Numbers
    low: tuple[tuple[float, float], ...]
    near: float
    worst: bool
    promise: str

    def of(self, key: str) -> plan.Plan:
        return plan.means(key, self.low, delta=self.near, **self.known)

    def limit(self) -> plan.Plan | None:
        return _limit(self)

    @property
    def known(self) -> dict[str, Any]:
        """What is said of the people's numbers."""
        return {} if self.worst else {"x": self.data.points, "counts": self.data.counts}


@once(16)
def _limit(mean: Mean) -> plan.Plan | None:
    """Kept: it remembers what it has computed, a program for every ε."""
    return plan.means_limit(mean.promise, mean.low, **mean.known)


def fold(view: View) -> None:
    planner.fold("means", lambda: asked(view))


def asked(view: View) -> planner.Asked:
    study, data = view.study, view.data
    low = tuple(intervals.complement(own.marked(study), data.interval))
    able = [key for key, entry in catalog.MEANS.items() if view.marked or entry.promise == "LDP"]
    return planner.Asked(
        "means",
        lambda every, worst: Mean(data, low, view.near / data.unit, worst, view.promise),
        able,
        study.mechanisms,
        view.focus,
        catalog.MEANS.name,
        view.cell(view.focus).groups[0].n,
        study.epsilon,
        unit(view),
        t("Two are given, one is answered, for the mean of <b>{column}</b>.", column=widgets.escape(study.column)),
        lambda key: t("With {key} the mean is off by at most", key=key),
        partial(_guessed if view.marked else _all_guessed, quantity(view.near)),
    )


def unit(view: View) -> planner.Unit:
    """The column's."""
    scale, public = view.data.unit, view.data.interval
    return planner.Unit(
        scale,
        t("Within ±, in the column’s units"),
        t("±"),
        lambda error: f"±{quantity(error * scale)}",
        f"_{view.study.column}_{public.low:g}_{public.high:g}",
    )


def _guessed(near: str, eps: float, won: float, blind: float) -> str:
    return t(
        "At ε = {eps}, whoever knows nothing else guesses a marked number to within ± {near} from one report for {won} "
        "people; whoever knows only that it is marked, for {blind}.",
        eps=words.epsilon(eps),
        near=near,
        won=words.chance_of_100(won),
        blind=words.of_100(blind),
    )


def _all_guessed(near: str, eps: float, won: float, blind: float) -> str:
    return t(
        "At ε = {eps}, whoever knows nothing else guesses a number to within ± {near} from one report for {won} "
        "people; a blind guess gets {blind}.",
        eps=words.epsilon(eps),
        near=near,
        won=words.chance_of_100(won),
        blind=words.of_100(blind),
    )
