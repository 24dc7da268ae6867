"""Counts that no honest crowd gives: an alarm has a known rate of false ones, and silence proves nothing.

Whoever knows these tests draws reports that pass them (theory/manipulation#silence): never say that nobody cheated, say
`hidden_until` beside it.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize_scalar
from scipy.special import bdtr, bdtrc, gammainc, gammaincc

from ldpcore import checks
from ldpcore.randomizer import Randomizer, Reports
from ldpcore.tally import Tally

Vector = NDArray[np.float64]
FEW = 5.0
"""Sizes are joined until so many reports of them are expected."""


def ends(m: Randomizer, tally: Tally) -> float:
    """p that some count is below what any crowd's reports give by chance, or above: exact for every n and any answers.

    A count is a sum of independent chances between the least and the largest Pr[v supported | x], so it lies between
    two binomials (Hoeffding 1956); p is the least of 2k tails, times 2k. Below 0.05 it alarms falsely in at most 5 of
    100 honest surveys, mostly in far fewer. ValueError where a tally does not count reports.

    >>> from ldpcore import catalog
    >>> m = catalog.FREQUENCY["GRR"].build(1.0, 4)
    >>> float(f"{ends(m, Tally(100, np.array([60, 25, 13, 2]))):.3g}"), ends(m, Tally(100, np.array([40, 25, 20, 15])))
    (8.78e-06, 1.0)
    """
    low, high = np.full(m.k, np.inf), np.zeros(m.k)
    for x in range(m.k):
        chance = m.support(np.eye(1, m.k, x)[0])
        low, high = np.minimum(low, chance), np.maximum(high, chance)
    points = any(np.any(np.asarray(family.added) != 1) for family in m.families())
    if m.summed or points or high.max() > 1 + 1e-9:
        raise ValueError(f"a tally of {type(m).__name__} adds up scores, and counts no reports: its ends are not known")
    n, count = tally.n, np.asarray(tally.total, float)
    under = np.where(low > 0, bdtr(count, n, np.clip(low, 0, 1)), 1.0)
    over = np.where((high < 1) & (count > 0), bdtrc(np.maximum(count - 1, 0), n, np.clip(high, 0, 1)), 1.0)
    return float(min(1.0, 2 * m.k * min(under.min(), over.min())))


def count_sizes(m: Randomizer, reports: Reports) -> NDArray[np.int64]:
    """How many reports support 0, 1, … k values: (k + 1,)."""
    size = m.supported(reports).sum(axis=1).astype(np.int64)
    return np.bincount(size, minlength=m.k + 1)


def sizes(m: Randomizer, counts: ArrayLike) -> tuple[float, float]:
    """(far, even): p that sizes of reports are farther from their law than by chance, and that they are nearer: what is
    invented by its expected numbers is too even. χ² at either tail; counts (k + 1,) are `count_sizes`.

    The law of a size hangs on no answer where nothing is marked; where something is, it is a mixture of two, whose part
    is fitted. ValueError where all reports support as many, or sizes hang on the answer otherwise.

    >>> from ldpcore import catalog
    >>> m = catalog.FREQUENCY["OUE"].build(1.0, 3)
    >>> far, even = sizes(m, [530, 330, 110, 30])  # too many empty ones
    >>> far < 1e-6, even > 0.999
    (True, True)
    """
    observed = np.asarray(counts, float)
    if observed.shape != (m.k + 1,) or (observed < 0).any() or observed.sum() < FEW:
        raise ValueError(
            f"counts say how many reports support 0 to {m.k} values, of five reports at least, got {observed.tolist()}"
        )
    laws = np.unique(m.size_laws().round(12), axis=0)
    if len(laws) > 2 or len(laws[:, laws.any(axis=0)].T) <= len(laws):
        raise ValueError(f"sizes of reports say nothing of {type(m).__name__}: they are all alike, or say the answer")
    law, fitted = laws[0], len(laws) - 1
    if fitted:
        best = minimize_scalar(lambda f: -_likelihood(observed, _mixed(laws, f)), bounds=(0, 1), method="bounded")
        law = _mixed(laws, float(best.x))  # type: ignore[attr-defined]
    expected, joined = _joined(law * observed.sum(), observed)
    freedom = len(expected) - 1 - fitted
    if freedom < 1:
        raise ValueError(f"{observed.sum():.0f} reports are too few to compare their sizes; collect more")
    distance = float(((joined - expected) ** 2 / expected).sum())
    return float(gammaincc(freedom / 2, distance / 2)), float(gammainc(freedom / 2, distance / 2))


def _mixed(laws: Vector, part: float) -> Vector:
    return (1 - part) * laws[0] + part * laws[1]


def _likelihood(observed: Vector, law: Vector) -> float:
    seen = observed > 0
    return float(observed[seen] @ np.log(np.maximum(law[seen], 1e-300)))


def _joined(expected: Vector, observed: Vector) -> tuple[Vector, Vector]:
    """Neighbouring sizes together, until FEW are expected in each; what is left at the end joins the last."""
    places, waiting = [0], 0.0
    for size, number in enumerate(expected):
        waiting += number
        if waiting >= FEW and expected[size + 1 :].sum() >= FEW:
            places.append(size + 1)
            waiting = 0.0
    return np.add.reduceat(expected, places), np.add.reduceat(observed, places)


def has_hidden(m: Randomizer) -> bool:
    """Whether it has as many reports as answers, so that `hidden_until` is known.

    >>> from ldpcore import catalog
    >>> [has_hidden(catalog.FREQUENCY[key].build(1.0, 16)) for key in ("GRR", "SS")]
    [True, False]
    """
    return not m.summed and not m.hashed and m.count_outputs() == m.k


def hidden_until(m: Randomizer, freq: ArrayLike, report: Reports) -> float:
    """The largest share of false reports, all of them `report` (1, …), that no test can see: up to it some honest crowd
    sends just the same on average, min over S_v < f_v of f_v/(f_v − S_v). Of mechanisms with as many reports as
    answers (GRR, uRR); ValueError for others.

    >>> from ldpcore import catalog
    >>> round(hidden_until(catalog.FREQUENCY["GRR"].build(1.0, 16), np.full(16, 1 / 16), np.array([0])), 3)
    0.097
    """
    f = checks.shares(freq, m.k)
    if not has_hidden(m):
        raise ValueError(
            f"{type(m).__name__} has more reports than answers, so that crowds of liars can differ from every honest "
            "one; what stays hidden is known of GRR and uRR"
        )
    score = m.scores(report)[0]
    below = score < f
    return float(np.min(np.where(below, f / np.where(below, f - score, 1.0), 1.0)))
