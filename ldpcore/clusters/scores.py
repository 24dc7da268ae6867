"""How near a clustering comes to the true one (ldpk §5.1, eqs. (20) and (21), which the text at hand has lost).

AC is the share of records in matching clusters, under the best one-to-one matching of the two clusterings; entropy is
H(true cluster | found cluster) = Σ_j (|c_j|/n)·H(true clusters within c_j), in bits: 0 where the truth is determined.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linear_sum_assignment


def contingency(labels: ArrayLike, truth: ArrayLike, weights: ArrayLike | None = None) -> NDArray[np.float64]:
    """Share of the records in found cluster i and true cluster j, (k, k'); weights: people per label, default one."""
    rows_of, true = np.asarray(labels, np.intp), np.asarray(truth, np.intp)
    if rows_of.shape != true.shape or rows_of.ndim != 1 or not rows_of.size:
        raise ValueError(f"labels and truth must be as long and not empty, got shapes {rows_of.shape} and {true.shape}")
    if min(rows_of.min(), true.min()) < 0:
        raise ValueError("labels are numbers of clusters from 0; got a negative one")
    rows, columns = int(rows_of.max()) + 1, int(true.max()) + 1
    table = np.bincount(rows_of * columns + true, weights, rows * columns).reshape(rows, columns)
    return table / table.sum()


def matching(table: NDArray[np.float64]) -> NDArray[np.intp]:
    """For each found cluster the true one that it stands for (k,), −1 for none: most records agree (Hungarian)."""
    out = np.full(len(table), -1, np.intp)
    rows, columns = linear_sum_assignment(table, maximize=True)
    out[rows] = columns
    return out


def accuracy(labels: ArrayLike, truth: ArrayLike, weights: ArrayLike | None = None) -> float:
    """AC: share of the records in matching clusters under the best one-to-one matching."""
    table = contingency(labels, truth, weights)
    return float(table[linear_sum_assignment(table, maximize=True)].sum())


def entropy(labels: ArrayLike, truth: ArrayLike, weights: ArrayLike | None = None) -> float:
    """H(truth | labels) in bits."""
    table = contingency(labels, truth, weights)
    inside = table.sum(axis=1, keepdims=True)
    occupied = table > 0
    return float(np.sum(table * np.log2(np.divide(inside, table, where=occupied, out=np.ones_like(table)))))
