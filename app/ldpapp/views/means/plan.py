"""Means' planner: the mean of the column, in its own units."""

from collections.abc import Callable
from functools import partial

from ldpapp import words
from ldpapp.parts import levels, planner, widgets
from ldpapp.views.means import study as own
from ldpapp.views.means.findings import quantity
from ldpapp.views.means.view import MeansView
from ldpapp.words.language import t
from ldpcore import catalog
from ldpcore.study import intervals, means
from ldpcore.study.means.plans import MeanPlans


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
        lambda every, worst: MeanPlans(data, low, view.facts.near / data.unit, worst, view.promise, parts),
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
