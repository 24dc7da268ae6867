"""What one-time OUE reports of many people add up to, kind of record by kind of record."""

from math import inf

import numpy as np
from numpy.typing import NDArray

from ldpcore.clusters.records import Codes, Records
from ldpcore.mechanisms.unary import OUE

Bits = NDArray[np.floating]


def sampled_attribute(records: Records, rng: np.random.Generator) -> NDArray[np.int64]:
    """How many people of each kind sample each attribute, evenly: (c, q)."""
    return rng.multinomial(records.counts, np.full(records.q, 1 / records.q))


def ones(column: Codes, people: NDArray[np.int64], d: int, epsilon: float, rng: np.random.Generator) -> Bits:
    """Sums (c, d) of the OUE bits of `people` (c,) who hold the values `column` (c,): the exact law; ε = ∞: the values.

    Everybody of a kind is always in the same cluster, so these sums are all that a server of true indices can use.
    """
    a, b = (1.0, 0.0) if epsilon == inf else OUE(epsilon, 2).support([1.0, 0.0])
    # float32 products run on BLAS, and are exact below 2²⁴.
    out = np.zeros((len(people), d), np.float32 if people.sum() < 2**24 else np.float64)
    alone, several = np.flatnonzero(people == 1), np.flatnonzero(people > 1)
    # Most kinds are of one person, whose bits are coins: a fraction of the time of as many binomials.
    out[alone] = rng.random((len(alone), d)) < b
    out[alone, column[alone]] = rng.random(len(alone)) < a
    out[several] = rng.binomial(people[several, None], b, (len(several), d))
    out[several, column[several]] = rng.binomial(people[several], a)
    return out


def by_cluster(labels: Codes, k: int, sums: Bits) -> Bits:
    """Sums (c, columns) of every kind → those of every cluster (k, columns)."""
    return (np.arange(k)[:, None] == labels).astype(sums.dtype) @ sums
