"""What the messages give away: a Bayesian adversary guesses attributes from what a user has sent.

The adversary knows half of the people, with their answers, learns from them what each message goes with, and guesses
the answers of the other half; then the halves change places. So nothing is learned from those who are attacked.
"""

from collections.abc import Iterator, Sequence
from math import exp, expm1, inf

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.clusters.graded import asked_units, mechanism
from ldpcore.clusters.grades import Epsilons, graded_epsilons
from ldpcore.clusters.kmodes import nearest
from ldpcore.clusters.records import Codes, Records
from ldpcore.clusters.result import Clustering
from ldpcore.mechanisms import bits
from ldpcore.mechanisms.subset import SS

Vector = NDArray[np.float64]
ATTACKED = 6_000
"""People whose noisy reports are drawn one by one."""


def traces(records: Records, sent: Codes) -> Codes:
    """The number of each kind's trace, (c,): the indices that it answers in all rounds, one after the other."""
    trace = np.zeros(len(records.counts), np.intp)
    for modes in sent:  # numbered anew in every round, so that they stay small
        trace = np.unique(trace * len(modes) + nearest(records, modes), return_inverse=True)[1].reshape(-1)
    return trace


def by_indices(X: ArrayLike | Records, clustering: Clustering, epsilon: float, rng: np.random.Generator) -> Vector:
    """Share of the people whose attribute is guessed from the indices alone, (q,): they cost no ε, and know none."""
    records = Records.of(X)
    trace = traces(records, clustering.sent)
    size = int(trace.max()) + 1
    right = np.zeros(records.q)
    for known, attacked in _halves(records, rng):
        for j, (column, d) in enumerate(zip(records.columns, records.levels, strict=True)):
            learned = np.bincount(trace * d + column, known, size * d).reshape(size, d)
            # A trace that no known person has sent says nothing more than the marginal.
            learned = np.where(learned.any(axis=1, keepdims=True), learned, learned.sum(axis=0))
            right[j] += attacked[column == learned.argmax(axis=1)[trace]].sum()
    return right / records.n


def by_report(X: ArrayLike | Records, clustering: Clustering, epsilon: float, rng: np.random.Generator) -> Vector:
    """The same from the one report of fresh users, (q,): subsets of the cells (nearest mode, value) in round one."""
    records = Records.of(X)
    modes, k = clustering.sent[0], clustering.k
    labels = nearest(records, modes)
    right, total = np.zeros(records.q), 0
    for known, kind in _attacked(records, rng):
        asked = rng.integers(0, records.q, len(kind))
        total += len(kind)
        for j, (column, d) in enumerate(zip(records.columns, records.levels, strict=True)):
            group, cell = kind[asked == j], labels * d + column
            mechanism = SS(epsilon, k * d)
            named = bits.unpack(mechanism.perturb(cell[group], rng), k * d).astype(float)
            for target, (values, size) in enumerate(zip(records.columns, records.levels, strict=True)):
                goes_with = np.bincount(cell * size + values, known, k * d * size).reshape(k * d, size)
                score = goes_with.sum(axis=0) + expm1(epsilon) * named @ goes_with
                right[target] += (score.argmax(axis=1) == values[group]).sum()
    return right / total if total else np.full(records.q, np.nan)


def by_open(
    X: ArrayLike | Records,
    clustering: Clustering | None,
    epsilon: float,
    rng: np.random.Generator,
    epsilons: Sequence[float] | None = None,
) -> Vector:
    """From the open attributes and the one report about a marked one, (q,): an open attribute is read, not guessed.

    clustering: unused, for all that matters is sent before it; None leaves the report out too, so that what is left is
    what openness alone gives away. epsilons: as for `graded`. Of people whose like nobody knows, everybody's shares are
    taken.
    """
    records = Records.of(X)
    budgets = graded_epsilons(epsilons, epsilon, records.q)
    units, place = (asked_units(budgets) if clustering is not None else []) or [()], _open_part(records, budgets)
    right, total = np.zeros(records.q), 0
    for known, kind in _attacked(records, rng):
        asked = rng.integers(0, len(units), len(kind))
        total += len(kind)
        for u, unit in enumerate(units):
            group, column, d = kind[asked == u], np.zeros_like(place), 1
            likely = np.ones((len(group), 1))
            if unit:
                asks = mechanism(records, unit, budgets)
                column, d = (
                    np.ravel_multi_index([records.columns[j] for j in unit], [records.levels[j] for j in unit]),
                    asks.k,
                )
                likely = 1 + expm1(asks.epsilon) * bits.unpack(asks.perturb(column[group], rng), d)
            for target in range(records.q):
                values, size = records.columns[target], records.levels[target]
                goes_with = _learned(place, column * size + values, known, d * size, place[group])
                score = (likely[:, :, None] * goes_with.reshape(-1, d, size)).sum(axis=1)
                right[target] += (score.argmax(axis=1) == values[group]).sum()
    right = right / total if total else np.full(records.q, np.nan)
    return np.where(np.isinf(budgets), 1.0, right)


def by_open_indices(
    X: ArrayLike | Records,
    clustering: Clustering,
    epsilon: float,
    rng: np.random.Generator,
    epsilons: Sequence[float] | None = None,
) -> Vector:
    """From the open attributes and the indices of all rounds, (q,): neither costs ε. epsilons: as for `ldpk_open`."""
    records = Records.of(X)
    budgets = graded_epsilons(epsilons, epsilon, records.q)
    trace, place = traces(records, clustering.sent), _open_part(records, budgets)
    both = np.unique(place * (int(trace.max()) + 1) + trace, return_inverse=True)[1].reshape(-1).astype(np.intp)
    right = np.zeros(records.q)
    for known, attacked in _halves(records, rng):
        for j, (column, d) in enumerate(zip(records.columns, records.levels, strict=True)):
            # One person more at every trace, who is as those with the same open answers are.
            alone = _learned(place, column, known, d, place)
            learned = _counted(both, column, known, d, both) + alone / alone.sum(axis=1, keepdims=True)
            right[j] += attacked[column == learned.argmax(axis=1)].sum()
    return np.where(np.isinf(budgets), 1.0, right / records.n)


def _open_part(records: Records, budgets: Epsilons) -> Codes:
    """The number of each kind's open attributes together, (c,)."""
    seen = records.codes[:, [j for j, each in enumerate(budgets) if each == inf]]
    return np.unique(seen, axis=0, return_inverse=True)[1].reshape(-1).astype(np.intp)


def _counted(place: Codes, cell: Codes, known: NDArray[np.int64], size: int, wanted: Codes) -> Vector:
    """How many known people who stand at each of the places that are wanted hold each cell: (wanted, size)."""
    places, row = np.unique(wanted, return_inverse=True)
    at = np.full(int(place.max()) + 1, -1)
    at[places] = np.arange(len(places))
    inside = at[place] >= 0
    counts = np.bincount(at[place[inside]] * size + cell[inside], known[inside], len(places) * size)
    return counts.reshape(-1, size)[row.reshape(-1)].astype(float)


def _learned(place: Codes, cell: Codes, known: NDArray[np.int64], size: int, wanted: Codes) -> Vector:
    """The same, and one person more everywhere, who holds every cell as often as all do: nobody is without a guess."""
    everybody = np.bincount(cell, known, size) if known.any() else np.ones(size)
    return _counted(place, cell, known, size, wanted) + everybody / everybody.sum()


def frequencies(X: ArrayLike | Records) -> list[Vector]:
    """The shares of the values of each attribute: q vectors, each of as many numbers as the attribute has values."""
    records = Records.of(X)
    columns = zip(records.columns, records.levels, strict=True)
    return [np.bincount(column, records.counts, d) / records.n for column, d in columns]


def marginal(X: ArrayLike | Records) -> Vector:
    """Share of the people whose attribute is guessed without any message, (q,): that of the commonest value."""
    return np.array([shares.max() for shares in frequencies(X)])


def promised(blind: float, epsilon: float) -> float:
    """How sure of one person's value any ε-LDP report, however it is made, lets anybody be: at most E·π/(1 + (E − 1)π).
    Of how many people the value can be named is less (`nameable`).

    `blind` = π is the share of the commonest value. After a report nobody's odds against all other values together are
    more than E times larger, so no posterior exceeds this, and the success is an average of largest posteriors.
    """
    E = exp(checks.epsilon(epsilon))
    if not 0 < blind <= 1:
        raise ValueError(f"blind must be a share above 0, got {blind:g}")
    return E * blind / (1 + (E - 1) * blind)


def nameable(shares: ArrayLike, epsilon: float) -> float:
    """The most people, as a share, whose answer any ε-LDP report lets anybody name: max over m of E·S_m/(E + m − 1).

    shares: of the answers (k,), sum 1; S_m is the sum of the m largest. Reached by randomised response among the m
    commonest answers, where everybody else draws one of them; no channel does better
    (theory/clusters#what-epsilon-allows). `promised` bounds how sure one can be of one person instead. ValueError for
    what are no shares.

    >>> round(nameable([0.46, 0.33, 0.21], 1.0), 3), round(promised(0.46, 1.0), 3)
    (0.578, 0.698)
    """
    E, known = exp(checks.epsilon(epsilon)), np.asarray(shares, float)
    if known.ndim != 1 or not known.size or known.min() < 0 or abs(known.sum() - 1) > 1e-9:
        raise ValueError("shares must be one row of numbers from 0 that add up to 1")
    return float(np.max(E * np.cumsum(np.sort(known)[::-1]) / (E + np.arange(known.size))))


def nameable_beside(seen: float, epsilon: float) -> float:
    """The most that this can be, whatever goes with what, where something open names the share `seen` already.

    On the line through the points (1/j, E/(E + j − 1)): reached where after what is open j or j + 1 answers are alike.
    """
    E = exp(checks.epsilon(epsilon))
    if not 0 < seen <= 1:
        raise ValueError(f"seen must be a share above 0, got {seen:g}")
    j = int(1 / seen)
    points = [1 / (j + 1), 1 / j], [E / (E + j), E / (E + j - 1)]
    return float(np.interp(seen, *points))


def _attacked(records: Records, rng: np.random.Generator) -> Iterator[tuple[NDArray[np.int64], NDArray[np.intp]]]:
    """(known people of each kind (c,), the kinds of some of the others), twice; not where there are none of either."""
    for known, others in _halves(records, rng):
        most = min(int(others.sum()), ATTACKED // 2)
        if most and known.any():
            people = rng.multivariate_hypergeometric(others, most, method="marginals")
            yield known, np.repeat(np.arange(len(people)), people)


def _halves(records: Records, rng: np.random.Generator) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """(known, attacked) people of each kind, (c,) each, twice."""
    one = rng.multivariate_hypergeometric(records.counts, records.n // 2, method="marginals")
    other = records.counts - one
    return [(one, other), (other, one)]
