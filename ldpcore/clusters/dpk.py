"""DPK (Nguyen 2018, the Lloyd form): a trusted collector publishes K-modes with Laplace noise on its counts."""

from math import inf

import numpy as np

from ldpcore.clusters.kmodes import finish, nearest, tables
from ldpcore.clusters.method import method
from ldpcore.clusters.records import Codes, Records
from ldpcore.clusters.result import Clustering, Message, index_bits

ROUNDS = 5


@method
def dpk(records: Records, modes: Codes, epsilon: float, rng: np.random.Generator) -> Clustering:
    """ε-DP in the central model, T = 5 rounds always: Lap(qT/ε) on every cluster's count of every value.

    To add or remove a record changes q counts in every round. Every cluster is treated alike, empty ones too: whether
    one is empty is not looked at.
    """
    scale = records.q * ROUNDS / epsilon
    sent = []
    for _ in range(ROUNDS):
        sent.append(modes)
        counted = tables(records, nearest(records, modes), len(modes))
        modes = np.stack([(counts + rng.laplace(0, scale, counts.shape)).argmax(axis=1) for counts in counted], axis=1)
    bits = sum(map(index_bits, records.levels))
    says = "the whole record, as it is, to a collector who is trusted"
    message = Message(0, "user", "record", says, records.n, bits, inf)
    return finish(records, modes, np.stack(sent), (message,))
