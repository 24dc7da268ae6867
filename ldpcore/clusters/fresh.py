"""Fresh users in every round: one report each, of (nearest mode, value) together, with the whole ε.

The users are split into T groups. A user of group t gets the modes of round t, draws one attribute, and reports by
subset selection (SS) the cell (number of the nearest mode, own value) out of k·d_j, once. Nobody is asked twice, so
the whole protocol is ε-LDP. The last assignment each user computes alone and sends to nobody
(theory/clusters#fresh-users).
"""

from math import ceil

import numpy as np
from numpy.typing import NDArray

from ldpcore import checks
from ldpcore.clusters.kmodes import finish, nearest
from ldpcore.clusters.method import method
from ldpcore.clusters.records import Codes, Records
from ldpcore.clusters.result import Clustering, Message, index_bits, modes_sent
from ldpcore.estimators.consistency import norm_sub
from ldpcore.mechanisms.subset import SS
from ldpcore.subsets import log_binomial

SPREAD = 2.0
"""Prior standard deviation of a cell's share, as a multiple of what independence predicts."""


@method
def fresh(records: Records, modes: Codes, epsilon: float, rng: np.random.Generator, rounds: int = 1) -> Clustering:
    """K-modes with fresh users in every one of `rounds` rounds; int codes X (n, q); ε-LDP as a whole."""
    k, rounds = len(modes), checks.integer(rounds, "rounds", 1, records.n)
    bits = _report_bits(records, k, epsilon)
    says = f"one cell (nearest mode, value of one sampled attribute), by SS with ε = {epsilon:g}"
    sent, messages = [], []
    for t, people in enumerate(_groups(records, rounds, rng), 1):
        asked = int(people.sum())
        messages.append(modes_sent(t, k, records.levels, asked, "modes, to the users of this round"))
        messages.append(Message(t, "user", "cell", says, asked, bits, epsilon))
        sent.append(modes)
        modes = _update(records, people, modes, epsilon, rng)
    messages.append(modes_sent(rounds + 1, k, records.levels, records.n, "final modes, to everybody"))
    return finish(records, modes, np.stack(sent), tuple(messages))


def _groups(records: Records, rounds: int, rng: np.random.Generator) -> list[NDArray[np.int64]]:
    """How many people of each kind (c,) each round asks: groups of equal size, drawn without replacement."""
    left, out = records.counts, []
    for t in range(rounds, 1, -1):
        taken = rng.multivariate_hypergeometric(left, int(left.sum()) // t, method="marginals")
        out.append(taken)
        left = left - taken
    return [*out, left]


def _update(
    records: Records, people: NDArray[np.int64], modes: Codes, epsilon: float, rng: np.random.Generator
) -> Codes:
    k, labels = len(modes), nearest(records, modes)
    sampled = rng.multinomial(people, np.full(records.q, 1 / records.q))
    estimates = []
    for j, (column, d) in enumerate(zip(records.columns, records.levels, strict=True)):
        cell_counts = np.bincount(labels * d + column, sampled[:, j], k * d).astype(np.int64)
        estimates.append(
            SS(epsilon, k * d).simulate(cell_counts, rng, 1)[0].reshape(k, d) if cell_counts.any() else None
        )
    present = [estimate for estimate in estimates if estimate is not None]
    if not present:
        return modes
    # Every attribute has seen the clusters' shares; together they are known better.
    share = norm_sub(np.mean([estimate.sum(axis=1) for estimate in present], axis=0))
    out = modes.copy()
    for j, estimate in enumerate(estimates):
        if estimate is not None:
            d = records.levels[j]
            mechanism = SS(epsilon, k * d)
            variance = mechanism.variance(np.full(k * d, 1 / (k * d)), int(sampled[:, j].sum())).reshape(k, d)
            out[:, j] = shrunk(estimate, share, variance).argmax(axis=1)
    return out


def shrunk(
    estimate: NDArray[np.float64], share: NDArray[np.float64], variance: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Estimates (k, d) drawn towards independence by as much as their noise outweighs what may be there.

    predicted = share_r · marginal_v, post = predicted + t²/(t² + sd²)·(estimate − predicted), t = 2·predicted.
    """
    predicted = share[:, None] * norm_sub(estimate.sum(axis=0))
    t2 = (SPREAD * predicted) ** 2
    return predicted + t2 / (t2 + variance) * (estimate - predicted)


def _report_bits(records: Records, k: int, epsilon: float) -> float:
    """The attribute, and which of the C(kd, w) subsets: mean over the attributes."""
    subsets = [ceil(log_binomial(k * d, SS(epsilon, k * d).w) / np.log(2)) for d in records.levels]
    return index_bits(records.q) + sum(subsets) / records.q
