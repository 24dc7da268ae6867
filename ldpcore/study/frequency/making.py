"""The cells of a frequency study: a mechanism at a point of the axis, built from the study alone."""

from collections.abc import Callable, Iterable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ldpcore.catalog import Dominated, dominated_at
from ldpcore.catalog.entries import BY_LEVEL
from ldpcore.data import Histogram
from ldpcore.data.weighing import Weighing
from ldpcore.memory import remembered
from ldpcore.study.definition import Marks, Study
from ldpcore.study.frequency import own
from ldpcore.study.frequency.cell import ChoiceGroup, FrequencyDesignPoint
from ldpcore.study.frequency.choices import CATALOG, OWN, options
from ldpcore.study.frequency.setting import PRIVATE, PUBLIC, SECRET, FrequencySetting, current, ranks_of, setting
from ldpcore.study.invented import stands


def cell(study: Study, data: Histogram, mechanism: str, x: float) -> FrequencyDesignPoint:
    """Everything that this cell needs. Of people who choose other marks each choice is a group, and what is marked is
    what any of them marks.
    """
    settings = _settings(study, data, x)
    first, ranks = settings[0], np.maximum.reduce([at.ranks for at in settings])
    if mechanism == OWN:
        # A mechanism of one's own knows no marks: they only say what it promises.
        groups = [ChoiceGroup(own.mechanism(study, data.domain.labels, ranks > PUBLIC), first.counts, first.weighing)]
    else:
        groups = _groups(mechanism, zip(settings, _divided(study, settings), strict=True), options(study).guess)
    return FrequencyDesignPoint(mechanism, x, tuple(groups), np.array(first.budgets)[ranks], ranks == SECRET)


def under(
    data: Histogram, marks: Marks, mechanism: str, epsilon: float, secret_epsilon: float | None = None
) -> FrequencyDesignPoint | None:
    """A cell of no study: these people with all of these marks at this ε; None where there is no such cell.
    secret_epsilon: that of secret values, never above it; None: the same.

    >>> from ldpcore import data
    >>> health = data.load("health").categorical("condition")
    >>> marked = under(health, Marks.of(["HIV"]), "uSS", 1.0)
    >>> round(100 * float(np.sqrt(marked.squared_error().mean())), 2)  # points
    0.18
    """
    secret = epsilon if secret_epsilon is None else min(secret_epsilon, epsilon)
    at = FrequencySetting(data.counts, ranks_of(marks, data.domain), (np.inf, epsilon, secret), data.weighing)
    if not CATALOG[mechanism].exists(at.epsilons):
        return None
    groups = _groups(mechanism, [(at, at.counts)], None)
    return FrequencyDesignPoint(mechanism, epsilon, tuple(groups), at.epsilons, at.ranks == SECRET)


def _groups(
    mechanism: str, parts: Iterable[tuple[FrequencySetting, NDArray[np.int64]]], guess: float | None
) -> list[ChoiceGroup]:
    """A group for all who have the same marks, if there are any."""
    entry = CATALOG[mechanism]
    return [
        ChoiceGroup(entry.protecting(at.epsilons, at.budgets[PRIVATE], guess), c, _part(at, c))
        for at, c in parts if c.sum()
    ]  # fmt: skip


def _part(at: FrequencySetting, counts: NDArray[np.int64]) -> Weighing | None:
    """What these (k,) of a setting's people count for: who chooses other marks has weights as those who do not."""
    if at.weighing is None or counts is at.counts:
        return at.weighing
    return at.weighing.holding(at.counts, counts)


def _settings(study: Study, data: Histogram, x: float) -> list[FrequencySetting]:
    """Under the study's own marks, and under those that people choose instead."""
    return [setting(study, data, x), *(setting(study, data, x, choice.marks) for choice in study.choices)]


def _divided(study: Study, settings: list[FrequencySetting]) -> list[NDArray[np.int64]]:
    """How many people (k,) have the marks of each setting: those who choose, and, first, the others."""
    rest, chosen = settings[0].counts, []
    for choice, at in zip(study.choices, settings[1:], strict=True):
        share = np.where(at.ranks > PUBLIC, choice.holding, choice.share)
        chosen.append(np.minimum(np.round(settings[0].counts * share).astype(np.int64), rest))
        rest = rest - chosen[-1]
    return [rest, *chosen]


def dominated(study: Study, data: Histogram, mechanism: str) -> Dominated | None:
    """A smaller ε at which it errs less over all values, with these people; None where there is none.

    Of mechanisms with levels, which choose no whole number, and of one's own, which has one ε, it is not asked.
    """
    if mechanism == OWN or CATALOG[mechanism].promise in BY_LEVEL:
        return None
    # The errors of these people along ε are the same whatever ε is asked about: they are kept with the data.
    along = study.at_point().anchored(1.0)

    def kept() -> tuple[Callable[[float], float], Callable[[float], tuple]]:
        def made(epsilon: float) -> FrequencyDesignPoint:
            return cell(along, data, mechanism, epsilon)

        return (
            cache(lambda epsilon: float(np.sqrt(made(epsilon).squared_error().mean()))),
            cache(lambda epsilon: tuple(group.mechanism.counted for group in made(epsilon).groups)),
        )

    error, whole = remembered(data, ("errors along ε", along, mechanism), kept, len(CATALOG))
    return dominated_at(error, study.epsilon, whole)


def exists(study: Study, data: Histogram, mechanism: str, x: float) -> bool:
    """Whether there is such a cell: a mechanism may be computed up to a largest ε only; one's own has one ε."""
    if mechanism == OWN:
        whole = study.axis != "k" or round(x) >= data.domain.k
        return whole and stands(study, cell(study, data, OWN, x).groups[0].mechanism.epsilon, x)
    return all(CATALOG[mechanism].exists(at.epsilons) for at in _settings(study, data, x))


def detailed(study: Study, data: Histogram, mechanism: str, x: float) -> bool:
    """Whether there is a row for every value: at the chosen point, and wherever along ε an own mechanism stands."""
    return x == current(study, data) or (mechanism == OWN and study.axis == "epsilon")
