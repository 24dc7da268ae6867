"""What one-time OUE reports of many people add up to, kind of record by kind of record."""

from collections.abc import Sequence
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
    occupied = np.flatnonzero(people)
    set_ = rng.binomial(people[occupied, None], b, (len(occupied), d))
    set_[np.arange(len(occupied)), column[occupied]] = rng.binomial(people[occupied], a)
    # float32 products run on BLAS, and are exact below 2²⁴.
    out = np.zeros((len(people), d), np.float32 if people.sum() < 2**24 else np.float64)
    out[occupied] = set_
    return out


def by_cluster(labels: Codes, k: int, sums: Sequence[Bits]) -> list[Bits]:
    """Sums (c, d) of every attribute → sums (k, d)."""
    member = np.arange(k)[:, None] == labels
    return [member.astype(sums_j.dtype) @ sums_j for sums_j in sums]
