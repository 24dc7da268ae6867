"""Maximum likelihood for every oracle, by EM: exact from the reports themselves, composite from their counts.

A person's report y has the likelihood Σ_v f_v Pr[y | v], people are independent: `of_reports` maximises the product
over them, whatever the oracle. What a collector keeps is less: the number c_v of reports that support v. For GRR, uRR
and SDGRR that is the histogram of the reports, and `of_counts` is the same exact maximum. For the others it maximises
the composite (working-independence) likelihood Π_v p_v^{c_v}(1 − p_v)^{n − c_v}, p = `support(f)`: as if everybody had
sent k reports, one about each value. It is consistent, and not the likelihood of what was sent
(theory/frequency#maximum-likelihood). Sums of noisy numbers (`summed`) are nearly normal with one variance for all
values: the shares of the largest likelihood are then the nearest to the estimate, norm-sub.

>>> import numpy as np
>>> from ldpcore import catalog
>>> from ldpcore.rng import stream
>>> m = catalog.FREQUENCY["OUE"].build(2.0, 4)
>>> reports = m.perturb(np.repeat(np.arange(4), [700, 300, 0, 0]), stream(7))
>>> of_reports(m, reports).freq.round(2).tolist(), of_counts(m, m.tally(reports)).freq.round(2).tolist()
([0.69, 0.31, 0.0, 0.0], [0.69, 0.31, 0.0, 0.0])
"""

from typing import Protocol, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import em
from ldpcore.estimators.consistency import norm_sub
from ldpcore.randomizer import BLOCK, Randomizer, Reports
from ldpcore.tally import Tally, WeightedTally

Shares = NDArray[np.float64]

MAX_CELLS = 25_000_000
"""Different reports times values that are kept in memory at once: 200 MB."""
MAX_VALUES = 4_000
"""Values of a domain for which a dense matrix of support is kept: 128 MB."""
GAIN = 1e-8
"""Nats per person that a step must gain."""
NEAR = 0.02
"""What of the first shares is spread evenly."""


class Unavailable(ValueError):
    """There is no maximum likelihood at this size; the message says why, and what to take instead."""


class _Products(Protocol):
    """What some mechanisms offer beside the contract: w ↦ the mean of Σ w over the supported values, O(k)."""

    def expectation(self, weights: Shares) -> Shares: ...


def of_reports(mechanism: Randomizer, reports: Reports, times: ArrayLike | None = None) -> em.Fit:
    """The exact maximum-likelihood shares (k,) of these reports; each came so many `times` (n,), or once;
    weights in the place of these give the largest weighted likelihood.

    ValueError without reports, Unavailable where different reports times k is more than MAX_CELLS: `of_counts` is
    there for any size.
    """
    if not len(reports):
        raise ValueError("no reports have no likelihood; collect at least one")
    start = None
    if times is None:
        start = _near(mechanism, mechanism.tally(reports))
        reports, counts = _different(reports)
    else:
        counts = np.asarray(times, float)
    if len(reports) * mechanism.k > MAX_CELLS:
        raise Unavailable(
            f"{len(reports)} different reports about {mechanism.k} values are more than the {MAX_CELLS} likelihoods "
            "that are kept at once; take the composite likelihood of the counts, or fewer people"
        )
    matrix = np.empty((len(reports), mechanism.k))
    for first in range(0, len(reports), BLOCK):
        log = mechanism.log_likelihood(reports[first : first + BLOCK])
        # What is common to all values changes no share, and would not fit a float in long reports.
        matrix[first : first + BLOCK] = np.exp(log - log.max(axis=1, keepdims=True))
    return em.fit(counts, em.Products.of(matrix.T), mechanism.k, gain=GAIN, start=start)


def of_counts(mechanism: Randomizer, tally: Tally | WeightedTally) -> em.Fit:
    """The shares (k,) of the largest likelihood of the counts: exact where `is_exact`, else composite.

    Unavailable beyond MAX_VALUES values for mechanisms whose support has no formula in O(k).
    """
    if tally.n < 1:
        raise ValueError("a tally without reports has no likelihood; collect at least one")
    k = mechanism.k
    if mechanism.summed:
        return _nearest(mechanism, tally)
    backward = _backward(mechanism)
    if mechanism.tally_is_histogram:
        return em.fit(
            tally.total, em.Products(mechanism.support, backward), k, gain=GAIN, start=_near(mechanism, tally)
        )

    def forward(freq: Shares) -> Shares:
        seen = np.clip(mechanism.support(freq), 0.0, 1.0)
        return np.concatenate([seen, 1 - seen]) / k

    def back(weights: Shares) -> Shares:
        yes, no = weights[:k], weights[k:]
        return (backward(yes - no) + no.sum()) / k

    return em.fit(
        np.concatenate([tally.total, tally.weight - tally.total]),
        em.Products(forward, back),
        k,
        gain=GAIN / k,
        start=_near(mechanism, tally),
    )


def _nearest(mechanism: Randomizer, tally: Tally | WeightedTally) -> em.Fit:
    """The shares that are nearest to the estimate, and their normal log-likelihood but for a constant."""
    estimate = mechanism.estimate(tally)
    freq = norm_sub(estimate)
    off = (estimate - freq) ** 2 / mechanism.variance(freq, tally.n)
    return em.Fit(freq, -float(off.sum()) / 2, 0, True)


def is_exact(mechanism: Randomizer) -> bool:
    """Whether `of_counts` is the exact maximum: the counts are then the histogram of the reports."""
    return mechanism.tally_is_histogram


def _near(mechanism: Randomizer, tally: Tally | WeightedTally) -> Shares:
    """Where EM starts: the unbiased estimate made shares, none of them 0, which no step could leave."""
    return (1 - NEAR) * norm_sub(mechanism.estimate(tally)) + NEAR / mechanism.k


def _backward(mechanism: Randomizer) -> em.Product:
    if hasattr(mechanism, "expectation"):
        return cast(_Products, mechanism).expectation
    if mechanism.k > MAX_VALUES:
        raise Unavailable(
            f"{type(mechanism).__name__} with {mechanism.k} values has no composite likelihood here, which keeps a "
            f"table of at most {MAX_VALUES} by {MAX_VALUES}; take norm-sub, or fewer values"
        )
    rates = np.array([mechanism.support(row) for row in np.eye(mechanism.k)])
    return rates.__matmul__


def _different(reports: Reports) -> tuple[Reports, Shares]:
    """Each different report once, and how often it came."""
    rows = np.ascontiguousarray(reports).reshape(len(reports), -1)
    keys = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
    _, first, counts = np.unique(keys, return_index=True, return_counts=True)
    return reports[first], counts.astype(float)
