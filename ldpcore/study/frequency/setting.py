"""A frequency study at one point of its axis: who holds what, and which ε every value has."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ldpcore.data import Histogram
from ldpcore.data.weighing import Weighing
from ldpcore.domain import Categorical
from ldpcore.study.column import scaled
from ldpcore.study.definition import Marks, Study

PUBLIC, PRIVATE, SECRET = range(3)
"""Ranks of values: how protected they are."""


def ranks_of(marks: Marks, domain: Categorical) -> NDArray[np.int64]:
    """The rank (k,) of every value."""
    try:
        return domain.mask(marks.values).astype(np.int64) + domain.mask(marks.secret)
    except ValueError as error:
        raise ValueError(f"the marks do not fit this column: {error}") from error


@dataclass(frozen=True, eq=False)
class FrequencySetting:
    """One value of the axis: counts (k,) and ranks (k,) of the values, the ε of each rank, and people's weights."""

    counts: NDArray[np.int64]
    ranks: NDArray[np.int64]
    budgets: tuple[float, float, float]
    weighing: Weighing | None = None

    @property
    def epsilons(self) -> NDArray[np.float64]:
        """The ε (k,) of every value, inf for a public one."""
        return np.array(self.budgets)[self.ranks]


def setting(study: Study, data: Histogram, x: float, marks: Marks | None = None) -> FrequencySetting:
    """The study at this value of the axis, under its own marks or others."""
    epsilon, counts, ranks = study.epsilon, data.counts, ranks_of(study.marks if marks is None else marks, data.domain)
    weighing = data.weighing
    if study.n is not None:
        counts = scaled(counts, study.n)
    if study.axis == "epsilon":
        epsilon = x
    elif study.axis == "n":
        counts = scaled(counts, max(1, round(x)))
    elif study.axis == "share":
        # The most protected values first, then the rarest: the share grows from the study's own marks outwards.
        order = np.lexsort((np.arange(len(ranks)), counts if weighing is None else weighing.total, -ranks))
        within = np.isin(np.arange(len(ranks)), order[: round(x * len(ranks))])
        ranks = np.where(within, np.maximum(ranks, PRIVATE), PUBLIC)
    else:
        size = counts if weighing is None else weighing.total
        common = np.sort(np.argsort(-size, kind="stable")[: max(2, round(x))])
        counts, ranks = counts[common], ranks[common]
        weighing = None if weighing is None else weighing.among(common)
    if weighing is not None:
        weighing = weighing.holding(weighing.people, counts)
    return FrequencySetting(counts, ranks, (np.inf, epsilon, study.secret_at(epsilon)), weighing)


def current(study: Study, data: Histogram) -> float:
    """The point of the axis that is chosen now; it alone gets a row for every value."""
    if study.axis == "epsilon":
        return study.epsilon
    if study.axis == "n":
        return float(study.n or data.n)
    return float(data.domain.k) if study.axis == "k" else (ranks_of(study.marks, data.domain) > 0).mean()
