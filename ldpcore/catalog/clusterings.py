"""Ways to cluster records of categories."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ldpcore import clusters
from ldpcore.catalog.entries import Catalog, Construction
from ldpcore.clusters import Clustering

Run = Callable[..., Clustering]
Attack = Callable[..., NDArray[np.float64]]
"""Records, a clustering of them, ε, rng → how often each attribute is guessed right, (q,)."""


@dataclass(frozen=True)
class ClusterEntry:
    """One way to cluster: its key, what runs it (X, k, epsilon, rng, levels=, start=), and what an Entry says.

    whole: everything a user sends is covered by ε, or is open since it is not marked. attack: what an adversary makes
    of the messages, None where nothing but the promise is known. plain: with ever more people and ε it makes the very
    updates of K-modes. uses_marks: `run` and `attack` take `epsilons=`, of each attribute, infinite where it is open.
    """

    key: str
    run: Run
    label: str
    source: str
    promise: str
    whole: bool
    construction: Construction
    attack: Attack | None = None
    caveats: tuple[str, ...] = ()
    plain: bool = True
    uses_marks: bool = False
    default: bool = False
    variant: str = ""
    name: str = ""

    @property
    def central(self) -> bool:
        """Whether a collector who is trusted sees the records."""
        return self.promise == CENTRAL

    def grading(self, epsilons: Sequence[float]) -> dict[str, Sequence[float]]:
        """What `run` and `attack` are told of marks: nothing, where they know none."""
        return {"epsilons": epsilons} if self.uses_marks else {}


LDP, FIRST, CENTRAL = "ε-LDP, the whole protocol", "ε-LDP, the first report only", "ε-DP (central)"
MARKED, FIRST_MARKED = "ε-LDP of marked columns", "ε-LDP of marked columns, the first report only"
by_indices, by_report = clusters.by_indices, clusters.by_report
_once, _twice = partial(clusters.noisy_index, rounds=1), partial(clusters.fresh, rounds=2)
ZHANG = "Zhang, Yuan, Mao, Zhu 2022"
INDEX = (
    "The number of the nearest mode is a function of the true record and is sent as it is in every round: the proof "
    "covers the first report only (“Leak of the index” in docs/theory/clusters.md)."
)
TRUSTED = "Users send their records as they are to a collector who is trusted; what is published is private."
WORSE = "At ε ≤ 2 it is worse than to ignore which attributes go together (“Whole promise” in docs/theory/clusters.md)."
ALONE = "Which values go together is never asked: more ε does not help beyond a point."
PAIRED = (
    "It knows what any two attributes say together, and fits the rest (“One private table” in docs/theory/clusters.md)."
)
DRAWN = False  # it clusters synthetic records
OPEN = (
    "Columns without a mark are sent as they are: what they say of the marked ones no ε covers (“Graded attributes” in "
    "docs/theory/clusters.md)."
)
GROUPS = "Each user answers in one round only; the last assignment each computes alone and sends to nobody."

BITS, SUBSET = Construction.OPTIMISED_BITS, Construction.SUBSET

# One line per entry.
# fmt: off
CLUSTERINGS = Catalog(
    ClusterEntry("LDPK", clusters.ldpk, "One sampled attribute, true index", ZHANG, FIRST, False, BITS, by_indices,
                 (INDEX,), default=True),
    ClusterEntry("LDPK-split", clusters.split, "All attributes, true index", ZHANG, FIRST, False, BITS, by_indices,
                 (INDEX,), default=True),
    ClusterEntry("DPK", clusters.dpk, "Noisy counts, trusted curator", "Nguyen 2018", CENTRAL, True, Construction.NOISE,
                 None, (TRUSTED,), default=True),
    ClusterEntry("Tables", clusters.fitted_tables, "One private table, K-modes on records drawn from it",
                 "after McKenna, Miklau, Sheldon 2021", CENTRAL, True, Construction.FITTED_TABLES, None,
                 (TRUSTED, PAIRED), DRAWN),
    ClusterEntry("LDPK-GRR", clusters.noisy_index, "Index by GRR, three rounds", "ours", LDP, True, Construction.SYMBOL,
                 None, (WORSE,)),
    ClusterEntry("LDPK-GRR1", _once, "Index by GRR, one round", "ours", LDP, True, Construction.SYMBOL, None, (WORSE,),
                 variant="LDPK-GRR"),
    ClusterEntry("Marginals", clusters.marginals, "Independent attributes", "ours", LDP, True, SUBSET, None, (ALONE,),
                 DRAWN),
    ClusterEntry("Pairs", clusters.pairs, "Pairs on a Chow–Liu tree", "Chow, Liu 1968", LDP, True, BITS, None, (),
                 DRAWN),
    ClusterEntry("Fresh", clusters.fresh, "Fresh users, one round", "ours", LDP, True, SUBSET, by_report, (GROUPS,),
                 default=True),
    ClusterEntry("Fresh-2", _twice, "Fresh users, two rounds", "ours", LDP, True, SUBSET, by_report, (GROUPS,),
                 variant="Fresh"),
    ClusterEntry("Graded", clusters.graded, "Marked columns by SS, the others open", f"ours, after {ZHANG}", MARKED,
                 True, SUBSET, clusters.by_open, (OPEN,), DRAWN, uses_marks=True),
    ClusterEntry("LDPK-open", clusters.ldpk_open, "Marked columns as in LDPK, the others open", ZHANG, FIRST_MARKED,
                 False, BITS, clusters.by_open_indices, (INDEX, OPEN), variant="LDPK", uses_marks=True),
    noun="clustering",
)
# fmt: on
"""Clusters of records of categories, from reports or from noisy counts; all are scored against K-modes itself."""
