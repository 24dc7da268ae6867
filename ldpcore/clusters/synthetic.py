"""One report per user, once; the server makes synthetic records from the estimates and clusters those.

`marginals` draws the attributes independently. `pairs` asks about one pair of attributes and follows the Chow–Liu tree
(1968): the spanning tree with the most mutual information, the best tree-shaped approximation of the joint law.
"""

from math import ceil

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, minimum_spanning_tree

from ldpcore.clusters.kmodes import finish, kmodes
from ldpcore.clusters.method import method
from ldpcore.clusters.records import Codes, Records
from ldpcore.clusters.result import Clustering, Message, index_bits, modes_sent
from ldpcore.estimators.consistency import norm_sub
from ldpcore.mechanisms.subset import SS
from ldpcore.mechanisms.unary import OUE
from ldpcore.subsets import log_binomial

DRAWN = 30_000
"""Synthetic records: enough that their own sampling is small beside the noise."""
Table = NDArray[np.float64]


@method
def marginals(records: Records, modes: Codes, epsilon: float, rng: np.random.Generator) -> Clustering:
    """One sampled attribute by SS, once; K-modes on records whose attributes are independent. ε-LDP as a whole."""
    sampled = rng.multinomial(records.counts, np.full(records.q, 1 / records.q))
    drawn = np.empty((DRAWN, records.q), np.intp)
    for j, (column, d) in enumerate(zip(records.columns, records.levels, strict=True)):
        value_counts = np.bincount(column, sampled[:, j], d).astype(np.int64)
        share = norm_sub(SS(epsilon, d).simulate(value_counts, rng, 1)[0]) if value_counts.any() else np.full(d, 1 / d)
        drawn[:, j] = rng.choice(d, DRAWN, p=share / share.sum())
    size = np.mean([ceil(log_binomial(d, SS(epsilon, d).w) / np.log(2)) for d in records.levels])
    says = f"one sampled attribute, by SS with ε = {epsilon:g}"
    message = Message(1, "user", "value", says, records.n, index_bits(records.q) + float(size), epsilon)
    return _clustered(records, drawn, modes, rng, message)


@method
def pairs(records: Records, modes: Codes, epsilon: float, rng: np.random.Generator) -> Clustering:
    """One sampled pair of attributes by OUE, once; K-modes on records of the Chow–Liu tree. ε-LDP as a whole."""
    q, d = records.q, records.levels
    if q < 2:
        raise ValueError("pairs of attributes need at least two attributes, got one; use `marginals`")
    edges = [(i, j) for i in range(q) for j in range(i + 1, q)]
    sampled = rng.multinomial(records.counts, np.full(len(edges), 1 / len(edges)))
    joint: dict[tuple[int, int], Table] = {}
    for e, (i, j) in enumerate(edges):
        cells = d[i] * d[j]
        cell_counts = np.bincount(records.columns[i] * d[j] + records.columns[j], sampled[:, e], cells).astype(np.int64)
        share = (
            norm_sub(OUE(epsilon, cells).simulate(cell_counts, rng, 1)[0])
            if cell_counts.any()
            else np.full(cells, 1 / cells)
        )
        joint[i, j] = share.reshape(d[i], d[j])
    drawn = _along_tree(joint, q, rng)
    size = index_bits(len(edges)) + float(np.mean([d[i] * d[j] for i, j in edges]))
    says = f"one sampled pair of attributes, as OUE bits with ε = {epsilon:g}"
    return _clustered(records, drawn, modes, rng, Message(1, "user", "pair", says, records.n, size, epsilon))


def mutual_information(joint: Table) -> float:
    """In nats."""
    product = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0)
    occupied = joint > 0
    return float(np.sum(joint[occupied] * np.log(joint[occupied] / product[occupied])))


def tree(joint: dict[tuple[int, int], Table], q: int) -> list[tuple[int, int]]:
    """The Chow–Liu tree as (parent, child), parents first; (−1, root) comes first."""
    weight = np.zeros((q, q))
    for (i, j), table in joint.items():
        # The minimum spanning tree of something positive: scipy takes 0 for "no edge".
        weight[i, j] = 100 - mutual_information(table)
    forest = minimum_spanning_tree(csr_array(weight))
    order, parent = breadth_first_order(forest, 0, directed=False)
    return [(max(int(parent[v]), -1), int(v)) for v in order]


def _along_tree(joint: dict[tuple[int, int], Table], q: int, rng: np.random.Generator) -> Codes:
    """Synthetic records (DRAWN, q)."""
    drawn = np.empty((DRAWN, q), np.intp)
    for parent, child in tree(joint, q):
        if parent < 0:
            mean = np.mean([table.sum(axis=1) for (i, _), table in joint.items() if i == child], axis=0)
            drawn[:, child] = rng.choice(len(mean), DRAWN, p=mean / mean.sum())
            continue
        table = joint[parent, child] if parent < child else joint[child, parent].T
        # A parent value that the table has never seen passes on the child's own shares.
        rows = np.where(table.sum(axis=1, keepdims=True) > 0, table, table.sum(axis=0))
        upto = np.cumsum(rows / rows.sum(axis=1, keepdims=True), axis=1)
        drawn[:, child] = (rng.random(DRAWN)[:, None] > upto[drawn[:, parent], :-1]).sum(axis=1)
    return drawn


def _clustered(records: Records, drawn: Codes, start: Codes, rng: np.random.Generator, told: Message) -> Clustering:
    k = len(start)
    clustering = kmodes(drawn, k, rng, levels=records.levels, start=start)
    back = modes_sent(2, k, records.levels, records.n, "final modes, to everybody")
    return finish(records, clustering.modes, start[None], (told, back))
