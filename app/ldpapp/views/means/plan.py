"""Means' planner: the mean of the column, in its own units."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import inf
from typing import Any

from ldpapp import words
from ldpapp.compute.memory import once
from ldpapp.parts import levels, planner, widgets
from ldpapp.views.means import study as own
from ldpapp.views.means.data import NumberColumn
from ldpapp.views.means.findings import quantity
from ldpapp.views.means.view import MeansView
from ldpapp.words.language import t
from ldpcore import catalog, plan
from ldpcore.leveled_parts import Part
from ldpcore.levels import Levels
from ldpcore.study import intervals, means


@dataclass(frozen=True)
class Mean:
    """Plans for the mean. near: how near a guess must come, on [-1, 1]. worst: of the worst numbers, not of these.
    promise: whose limit stands beside them. parts: the range with the ε of every part over that of the most secret one,
    () where what is marked has one ε. Plans are then by the ε of the most secret part.
    """

    data: NumberColumn
    low: tuple[tuple[float, float], ...]
    near: float
    worst: bool
    promise: str
    parts: tuple[Part, ...] = ()

    def of(self, key: str) -> plan.Plan:
        if key in catalog.LEVELED_MEANS:
            return plan.leveled_means(key, self.parts or self._alike, delta=self.near, **self.known)
        secret = [(left, right) for left, right, times in self.parts if times == 1]
        return plan.means(key, self.low, delta=self.near, after=secret, **self.known)

    @property
    def _alike(self) -> list[Part]:
        """Whatever is marked has one ε."""
        edges = [-1.0, *(end for pair in self.low for end in pair), 1.0]
        parts = [(left, right, inf if (left, right) in self.low else 1.0) for left, right in pairwise(edges)]
        return [part for part in parts if part[0] < part[1]]

    def limit(self) -> plan.Plan | None:
        return _limit(self)

    @property
    def known(self) -> dict[str, Any]:
        """What is said of the people's numbers."""
        return {} if self.worst else {"x": self.data.points, "counts": self.data.counts}


@once(16)
def _limit(mean: Mean) -> plan.Plan | None:
    """Kept: it remembers what it has computed, a program for every ε."""
    if mean.promise == Levels.name or (mean.parts and mean.promise != "LDP"):
        return plan.leveled_means_limit(mean.parts, **mean.known) if mean.parts else None
    return plan.means_limit(mean.promise, mean.low, **mean.known)


def fold(view: MeansView) -> None:
    planner.fold("means", lambda: asked(view))


def asked(view: MeansView) -> planner.PlannerSubject:
    study, data = view.study, view.data
    low = tuple(intervals.complement(own.marked(study), data.interval))
    levels = means.parts(study, data, study.epsilon)
    least = float(levels.epsilons.min(initial=study.epsilon))
    several = len(set(levels.epsilons[levels.hidden])) > 1
    parts = tuple((left, right, epsilon / least) for left, right, epsilon in levels.pieces) if several else ()
    able = [key for key, entry in catalog.MEANS.items() if view.facts.marked or entry.promise == "LDP"]
    able += [key for key in catalog.LEVELED_MEANS if several or key == view.focus]
    return planner.PlannerSubject(
        "means",
        lambda every, worst: Mean(data, low, view.facts.near / data.unit, worst, view.promise, parts),
        able,
        study.mechanisms,
        view.focus,
        catalog.NUMBERS.name,
        view.facts.cell(view.focus).groups[0].n,
        least,
        unit(view),
        t("Two are given, one is answered, for the mean of <b>{column}</b>.", column=widgets.escape(study.column)),
        lambda key: t("With {key} the mean is off by at most", key=key),
        partial(_told(view, several), quantity(view.facts.near)),
        label=t("ε of secret answers") if several else "",
        both=partial(_both, view.focus, study.epsilon / least) if several else None,
    )


def _told(view: MeansView, several: bool) -> Callable[[str, float, float, float], str]:
    """What is said of the attacker."""
    return _secret_guessed if several else _guessed if view.facts.marked else _all_guessed


def _both(key: str, times: float, epsilon: float) -> str:
    """The ε of either level; of a mechanism that knows one only, that one."""
    if key in catalog.LEVELED_MEANS:
        return levels.both_epsilons(epsilon, times)
    return levels.one_epsilon(catalog.NUMBERS.name(key), epsilon)


def unit(view: MeansView) -> planner.ErrorUnit:
    """The column's."""
    scale, public = view.data.unit, view.data.interval
    return planner.ErrorUnit(
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


def _secret_guessed(near: str, eps: float, won: float, blind: float) -> str:
    return t(
        "At ε = {eps}, whoever knows nothing else guesses a secret number to within ± {near} from one report for {won} "
        "people; whoever knows only that it is secret, for {blind}.",
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
