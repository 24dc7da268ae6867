"""The cells of a frequency study: an arm, under a mechanism, at a point of the axis, built from the study alone."""

from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ldpcore.catalog import Dominated, dominated_at
from ldpcore.catalog.entries import BY_LEVEL
from ldpcore.data import Histogram
from ldpcore.study import skeleton
from ldpcore.study.definition import Study
from ldpcore.study.frequency import own as invented
from ldpcore.study.frequency.cell import Cell, Group
from ldpcore.study.frequency.choices import CATALOG, CHOICE, OWN, options
from ldpcore.study.frequency.setting import PRIVATE, PUBLIC, SECRET, Setting, current, setting


def cell(study: Study, data: Histogram, arm: str, mechanism: str, x: float) -> Cell:
    """Everything that this cell needs."""
    if mechanism == OWN:
        return _own_cell(study, data, arm, x)
    entry = CATALOG[mechanism]

    def group(at: Setting, counts: NDArray[np.int64]) -> Group:
        return Group(entry.protecting(at.epsilons, at.budgets[PRIVATE], options(study)["guess"]), counts)

    def made(groups: tuple[Group, ...], budgets: tuple[float, ...], ranks: NDArray[np.int64]) -> Cell:
        return Cell(arm, mechanism, x, groups, np.array(budgets)[ranks], ranks == SECRET)

    if arm != CHOICE:
        own = setting(study, data, next(a for a in study.arms if a.name == arm), x)
        return made((group(own, own.counts),), own.budgets, own.ranks)
    first, second = (setting(study, data, each, x) for each in study.arms[:2])
    choose, of_marked = options(study)["choose"], options(study)["choose_marked"]
    share = np.where(second.ranks > PUBLIC, choose if of_marked is None else of_marked, choose)
    chosen = np.round(first.counts * share).astype(np.int64)
    parts = [(first, first.counts - chosen), (second, chosen)]
    both = np.maximum(first.ranks, second.ranks)
    return made(tuple(group(at, c) for at, c in parts if c.sum()), first.budgets, both)


def dominated(study: Study, data: Histogram, arm: str, mechanism: str) -> Dominated | None:
    """A smaller ε at which it errs less over all values, with these people; None where there is none.

    Of mechanisms with levels, which choose no whole number, and of one's own, which has one ε, it is not asked.
    """
    if mechanism == OWN or CATALOG[mechanism].promise in BY_LEVEL:
        return None
    at = replace(study, axis="epsilon", grid=())
    made = cache(lambda epsilon: cell(at, data, arm, mechanism, epsilon))
    return dominated_at(
        lambda epsilon: float(np.sqrt(made(epsilon).squared_error().mean())),
        study.epsilon,
        lambda epsilon: tuple(group.mechanism.counted for group in made(epsilon).groups),
    )


def exists(study: Study, data: Histogram, arm: str, mechanism: str, x: float) -> bool:
    """Whether there is such a cell: a mechanism may be computed up to a largest ε only; one's own has one ε."""
    if mechanism == OWN:
        whole = study.axis != "k" or round(x) >= data.domain.k
        return whole and invented.stands(study, _own_cell(study, data, arm, x).groups[0].mechanism, x)
    own = [each for each in study.arms if arm in (each.name, CHOICE)]
    return all(CATALOG[mechanism].exists(setting(study, data, each, x).epsilons) for each in own)


def _own_cell(study: Study, data: Histogram, arm: str, x: float) -> Cell:
    """A mechanism of one's own knows no marks: they only say what it promises."""
    chosen = [each for each in study.arms if arm in (each.name, CHOICE)][:2]
    settings = [setting(study, data, each, x) for each in chosen]
    ranks = np.maximum.reduce([at.ranks for at in settings])
    made = invented.mechanism(study, data.domain.labels, ranks > PUBLIC)
    groups = (Group(made, settings[0].counts),)
    return Cell(arm, OWN, x, groups, np.array(settings[0].budgets)[ranks], ranks == SECRET)


def arms(study: Study) -> list[str]:
    return skeleton.named(study) + ([CHOICE] if options(study)["choose"] is not None else [])


def detailed(study: Study, data: Histogram, mechanism: str, x: float) -> bool:
    """Whether there is a row for every value: at the chosen point, and wherever along ε an own mechanism stands."""
    return x == current(study, data) or (mechanism == OWN and study.axis == "epsilon")
