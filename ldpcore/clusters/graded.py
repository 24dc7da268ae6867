"""K-modes with graded attributes: those marked by LDP, the others as they are (the future work of ldpk's last section).

Everybody sends the open attributes, and one report, once: of the only marked attribute, or of one sampled pair of them.
The server knows who sent what, so it sees how every marked attribute goes with every open one at no further cost. It
draws each marked attribute given the open or marked one that says most about it, and clusters these records. No index
is ever asked for: the last assignment each user computes alone and sends to nobody (theory/clusters#graded-attributes).
"""

from collections.abc import Sequence
from itertools import combinations
from math import ceil, log

import numpy as np
from numpy.typing import NDArray

from ldpcore.clusters.grades import Epsilons, graded_epsilons, opened, protected, spoken
from ldpcore.clusters.kmodes import finish, kmodes
from ldpcore.clusters.method import method
from ldpcore.clusters.paired import Conditional, laws
from ldpcore.clusters.records import Codes, Records
from ldpcore.clusters.result import Clustering, Message, index_bits, modes_sent
from ldpcore.mechanisms import bits
from ldpcore.mechanisms.subset import SS
from ldpcore.subsets import log_binomial

DRAWN = 100_000
"""Records that are clustered, or a little less: enough that drawing the marked attributes is small beside the noise."""
BATCH = 4_000_000
"""Bits of reports that are unpacked at once."""


@method
def graded(
    records: Records,
    modes: Codes,
    epsilon: float,
    rng: np.random.Generator,
    epsilons: Sequence[float] | None = None,
) -> Clustering:
    """Open attributes as they are, the marked one or a pair of them by SS, once; int codes X (n, q).

    epsilons: of each attribute, infinite where it is open; None protects all. Two people with the same open answers
    are told apart by at most the largest ε of the attributes in which they differ, not by the sum; a pair is asked with
    the smaller of its two.
    """
    budgets = graded_epsilons(epsilons, epsilon, records.q)
    units = asked_units(budgets)
    asked = rng.multinomial(records.counts, np.full(len(units), 1 / len(units))) if units else np.empty((0, 0), int)
    heard = {unit: _heard(records, unit, asked[:, u], budgets, rng) for u, unit in enumerate(units)}
    drawn = _completed(records, laws(records, heard, [j for j in range(records.q) if j not in protected(budgets)]), rng)
    clustering = kmodes(drawn, len(modes), rng, levels=records.levels, start=modes)
    messages = opened(records, budgets)
    if units:
        says = "the marked attribute" if len(units[0]) == 1 else "both marked attributes together"
        says = f"one of {len(units)} pairs of marked attributes" if len(units) > 1 else says
        size = index_bits(len(units)) + float(
            np.mean([_subset_bits(mechanism(records, unit, budgets)) for unit in units])
        )
        most = max(budgets[j] for j in protected(budgets))
        messages += (
            Message(1, "user", "marked", f"{says}, by SS with {spoken(budgets)}", records.n, size, most, budgets),
        )
    back = modes_sent(2, len(modes), records.levels, records.n, "final modes, to everybody")
    return finish(records, clustering.modes, modes[None], (*messages, back))


def asked_units(budgets: Epsilons) -> list[tuple[int, ...]]:
    """What one report can be about: every pair of the marked attributes, or the only one.

    >>> from math import inf
    >>> asked_units((1.0, inf, 1.0, 0.5)), asked_units((inf, 1.0))
    ([(0, 2), (0, 3), (2, 3)], [(1,)])
    """
    marked = protected(budgets)
    return list(combinations(marked, 2)) if len(marked) > 1 else [(j,) for j in marked]


def mechanism(records: Records, unit: tuple[int, ...], budgets: Epsilons) -> SS:
    """How a report about these attributes together is made."""
    return SS(min(budgets[j] for j in unit), int(np.prod([records.levels[j] for j in unit])))


def _heard(
    records: Records, unit: tuple[int, ...], people: NDArray[np.int64], budgets: Epsilons, rng: np.random.Generator
) -> tuple[list[NDArray[np.float64]], list[NDArray[np.int64]]]:
    """Reports about these attributes, in two halves of the people: unbiased sums of each kind's cells (c, cells), and
    how many of each kind (c,) were heard.
    """
    asks = mechanism(records, unit, budgets)
    cell = np.ravel_multi_index([records.columns[j] for j in unit], [records.levels[j] for j in unit])
    true, false = asks.support(np.eye(asks.k)[0])[:2]
    one = rng.multivariate_hypergeometric(people, int(people.sum()) // 2, method="marginals")
    sums = []
    for half in (one, people - one):
        kind, total = np.repeat(np.arange(len(half)), half), np.zeros((len(half), asks.k))
        for begin in range(0, len(kind), max(1, BATCH // asks.k)):
            group = kind[begin : begin + max(1, BATCH // asks.k)]
            named = bits.unpack(asks.perturb(cell[group], rng), asks.k)
            first = np.flatnonzero(np.diff(group, prepend=-1))
            total[group[first]] += np.add.reduceat(named, first, axis=0, dtype=np.int64)
        sums.append((total - false * half[:, None]) / (true - false))
    return sums, [one, people - one]


def _completed(records: Records, follows: list[Conditional], rng: np.random.Generator) -> Codes:
    """The people's open attributes as they are, with marked ones drawn: whole copies of all, or DRAWN of them."""
    counts = records.counts * max(1, DRAWN // records.n)
    if records.n > DRAWN:
        counts = rng.multivariate_hypergeometric(records.counts, DRAWN, method="marginals")
    codes = records.codes[np.repeat(np.arange(len(counts)), counts)]
    for law in follows:
        upto = np.cumsum(law.shares, axis=1)[:, :-1]
        row = upto[codes[:, law.parent]] if law.parent >= 0 else upto
        codes[:, law.attribute] = (rng.random(len(codes))[:, None] > row).sum(axis=1)
    return codes


def _subset_bits(asks: SS) -> int:
    return ceil(log_binomial(asks.k, asks.w) / log(2))
