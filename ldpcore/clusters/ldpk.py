"""LDPK (Zhang, Yuan, Mao, Zhu 2022): one report about one sampled attribute, then the true index in every round.

Its proof covers the first report only: the index is a function of the true record and is sent without noise, round
after round (theory/clusters#leak-of-the-index; `trace` measures what it gives away). Stored reports are grouped by
cluster and attribute, t' = (ones − n_rj·q)/(n_rj(p − q)) with n_rj the people of cluster r who sampled attribute j; the
mode is the argmax of t', which is that of the ones.
"""

from collections.abc import Sequence
from math import inf

import numpy as np
from numpy.typing import NDArray

from ldpcore import checks
from ldpcore.clusters import reports
from ldpcore.clusters.grades import Epsilons, graded_epsilons, opened, protected, sampled, spoken
from ldpcore.clusters.kmodes import finish, lloyd, nearest, updated
from ldpcore.clusters.method import method
from ldpcore.clusters.records import Codes, Records
from ldpcore.clusters.result import Clustering, Message, index_bits, modes_sent
from ldpcore.mechanisms import bits
from ldpcore.mechanisms.direct import GRR
from ldpcore.mechanisms.unary import OUE

ROUNDS = 20


@method
def ldpk(records: Records, modes: Codes, epsilon: float, rng: np.random.Generator) -> Clustering:
    """LDPK on int codes X (n, q): ε-LDP for the first report, no promise for the indices. At most 20 rounds."""
    people = reports.sampled_attribute(records, rng)
    first = index_bits(records.q) + sum(records.levels) / records.q
    says = f"one sampled attribute, as OUE bits with ε = {epsilon:g}"
    message = Message(0, "user", "attribute", says, records.n, first, epsilon)
    return _interactive(records, modes, people, (epsilon,) * records.q, rng, message)


@method
def ldpk_open(
    records: Records,
    modes: Codes,
    epsilon: float,
    rng: np.random.Generator,
    epsilons: Sequence[float] | None = None,
) -> Clustering:
    """LDPK as its last section would grade it: open attributes as they are, one sampled marked one, true indices.

    epsilons: of each attribute, infinite where it is open; None: all alike, which is LDPK. No promise for the indices,
    which are functions of the marked attributes too.
    """
    budgets = graded_epsilons(epsilons, epsilon, records.q)
    people, marked = sampled(records, budgets, rng), protected(budgets)
    messages = opened(records, budgets)
    if marked:
        first = index_bits(len(marked)) + sum(records.levels[j] for j in marked) / len(marked)
        which = f"one of {len(marked)} marked attributes" if len(marked) > 1 else "the marked attribute"
        says = f"{which}, as OUE bits with {spoken(budgets)}"
        report = Message(0, "user", "attribute", says, records.n, first, max(budgets[j] for j in marked), budgets)
        messages = (report, *messages)
    return _interactive(records, modes, people, budgets, rng, *messages)


@method
def split(records: Records, modes: Codes, epsilon: float, rng: np.random.Generator) -> Clustering:
    """LDPK with all q attributes, each with ε/q (the comparison of the paper's Lemma 3); indices as in LDPK."""
    people = np.repeat(records.counts[:, None], records.q, axis=1)
    each = epsilon / records.q
    says = f"all {records.q} attributes, as OUE bits with ε/{records.q} = {each:.2g} each"
    message = Message(0, "user", "attributes", says, records.n, sum(records.levels), epsilon)
    return _interactive(records, modes, people, (each,) * records.q, rng, message)


def _interactive(
    records: Records,
    modes: Codes,
    people: NDArray[np.int64],
    epsilons: Epsilons,
    rng: np.random.Generator,
    *first: Message,
) -> Clustering:
    """`people` (c, q) report each attribute, at its ε; as it is where that is infinite."""
    k = len(modes)
    sums = [
        reports.ones(column, people[:, j], d, epsilons[j], rng)
        for j, (column, d) in enumerate(zip(records.columns, records.levels, strict=True))
    ]
    # All attributes side by side, and how many people each asks: one product in a round.
    every = np.column_stack([*sums, people.astype(np.result_type(*sums))])
    ends = np.cumsum(records.levels)

    def update(labels: Codes, modes: Codes) -> Codes:
        *scores, asked = np.split(reports.by_cluster(labels, k, every), ends, axis=1)
        return updated(modes, scores, np.split(asked, records.q, axis=1))

    modes, sent = lloyd(records, modes, update, ROUNDS)
    says = "the number of the mode nearest to the true record, as it is"
    asked = _rounds(records, k, len(sent), "index", says, inf)
    return finish(records, modes, sent, (*first, *asked))


def _rounds(records: Records, k: int, rounds: int, kind: str, says: str, epsilon: float) -> tuple[Message, ...]:
    """What goes to and fro in the rounds in which users answer with an index."""
    out = []
    for t in range(1, rounds + 1):
        out.append(modes_sent(t, k, records.levels, records.n, "modes, to everybody"))
        out.append(Message(t, "user", kind, says, records.n, index_bits(k), epsilon))
    return tuple(out)


@method
def noisy_index(
    records: Records, modes: Codes, epsilon: float, rng: np.random.Generator, rounds: int = 3
) -> Clustering:
    """LDPK kept whole by noise on the index: OUE with ε/2 once, GRR with ε/(2T) in each of T rounds: ε-LDP together.

    The server takes the expected strays out of each cluster's sums before it looks for their largest.
    """
    k, half, T = len(modes), epsilon / 2, checks.integer(rounds, "rounds", 1, 100)
    kind = np.repeat(np.arange(len(records.counts)), records.counts)
    attribute = rng.integers(0, records.q, len(kind))
    groups = [kind[attribute == j] for j in range(records.q)]
    stored = [
        bits.unpack(OUE(half, d).perturb(records.codes[group, j], rng), d).astype(np.float32)
        for j, (group, d) in enumerate(zip(groups, records.levels, strict=True))
    ]
    sent = [modes]
    while True:
        labels = nearest(records, modes)
        indices = [_stray(labels[group], k, half / T, rng) for group in groups]
        sums = [reports.by_cluster(index, k, report_bits) for index, report_bits in zip(indices, stored, strict=True)]
        b = GRR(half / T, k).support(np.eye(k)[0])[1] if k > 1 else 0.0
        heard = [np.bincount(index, minlength=k)[:, None] for index in indices]
        modes = updated(modes, [report_bits - b * report_bits.sum(axis=0) for report_bits in sums], heard)
        if len(sent) == T:
            break
        sent.append(modes)
    first = index_bits(records.q) + sum(records.levels) / records.q
    says = f"one sampled attribute, as OUE bits with ε/2 = {half:.2g}"
    index = f"the number of the nearest mode, by GRR with ε/{2 * T} = {half / T:.2g}"
    message = Message(0, "user", "attribute", says, records.n, first, half)
    asked = _rounds(records, k, T, "noisy index", index, half / T)
    return finish(records, modes, np.stack(sent), (message, *asked))


def _stray(labels: Codes, k: int, epsilon: float, rng: np.random.Generator) -> Codes:
    return GRR(epsilon, k).perturb(labels, rng).astype(np.intp) if k > 1 else labels
