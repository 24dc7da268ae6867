"""Sets' planner: the shares of the holders of each item."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from ldpapp import words
from ldpapp.parts import levels, planner
from ldpapp.words.language import t
from ldpcore import catalog
from ldpcore.data import Baskets
from ldpcore.levels import SetLevels
from ldpcore.study import Study
from ldpcore.study.sets import point
from ldpcore.study.sets.plans import HolderPlans
from ldpcore.study.sets.point import ItemFacts


def fold(study: Study, held: Baskets, found: Mapping[str, ItemFacts], main: ItemFacts) -> None:
    """found: all that are compared and protect something."""
    planner.fold("sets", lambda: asked(study, held, found, main))


def asked(study: Study, held: Baskets, found: Mapping[str, ItemFacts], main: ItemFacts) -> planner.PlannerSubject:
    setting = main.here
    every = tuple(key for key, entry in catalog.SETS.items() if setting.marked.any() or entry.promise == "LDP")
    every += tuple(key for key in catalog.LEVELED_SETS if setting.leveled or key == main.key)
    able = list(point.every(replace(study, mechanisms=every), held))
    items = words.plural(setting.m, t("item"), t("items"))
    about = t(
        "Two are given, one is answered, for the shares of people who hold an item, with {items} each.", items=items
    )
    return planner.PlannerSubject(
        "sets",
        lambda every, worst: HolderPlans(setting, every, worst, main.promise),
        able,
        tuple(found),
        main.key,
        catalog.ITEMS.name,
        setting.n,
        setting.least_epsilon,
        planner.points(),
        about,
        lambda key: t("With {key} shares are off by at most", key=key),
        _guessed if main.whole else None,
        every=True,
        label=t("ε of secret items") if setting.leveled else "",
        both=partial(_both, main) if setting.leveled else None,
    )


def _both(main: ItemFacts, epsilon: float) -> str:
    """The ε of either level; of a mechanism that knows one only, that one."""
    if main.promise != SetLevels.name:
        name = catalog.ITEMS.name(main.key)
        return levels.one_epsilon(name, epsilon)
    return levels.both_epsilons(epsilon, main.here.epsilon / main.here.least_epsilon)


def _guessed(eps: float, won: float, blind: float) -> str:
    """The rest of what a person holds being known."""
    return t(
        "At ε = {eps}, whoever wonders which of two equally likely items that are hidden a person holds guesses right "
        "for at most {won} people; a blind guess gets {blind}.",
        eps=words.epsilon(eps),
        won=words.chance_of_100(won),
        blind=words.of_100(blind),
    )
