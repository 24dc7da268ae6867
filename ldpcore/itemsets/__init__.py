"""Frequent itemsets (central model, and one local miner): what is found, what it costs, is the promise kept.

Baskets are lists of labels (or a Table's); `min_count` is how many baskets make a set frequent. Every miner gives a
`MiningResult`: its itemsets with true and published counts, and the ledger of what they cost.

>>> from ldpcore.rng import stream
>>> baskets = [["bread", "milk"]] * 60 + [["bread", "tea"]] * 30 + [["tea"]] * 10
>>> apriori(baskets, min_count=25).itemsets[["itemset", "count"]].values.tolist()
[[('bread',), 90], [('milk',), 60], [('tea',), 40], [('bread', 'milk'), 60], [('bread', 'tea'), 30]]
>>> found = smart_trunc(baskets, min_count=25, epsilon=8.0, rng=stream(7), length=2, levels=2)
>>> scores(found, apriori(baskets, min_count=25)).f, found.ledger.total
(1.0, 8.0)
>>> paper = dfdp(baskets, min_count=25, s=1.0, rng=stream(7))
>>> paper.ledger.total, paper.ledger.defended  # as the paper counts; what can be defended
(6.0, inf)
"""

from ldpcore import former
from ldpcore.itemsets.apriori import apriori
from ldpcore.itemsets.candidates import CandidateLeak, leak
from ldpcore.itemsets.candidates_by_length import TooManyCandidates
from ldpcore.itemsets.columns import NoTables
from ldpcore.itemsets.dfdp import dfdp
from ldpcore.itemsets.given import baskets_of
from ldpcore.itemsets.ledger import Ledger, Spend
from ldpcore.itemsets.local import local
from ldpcore.itemsets.mined import MiningResult
from ldpcore.itemsets.parted import apriori_of
from ldpcore.itemsets.private import private
from ldpcore.itemsets.privbasis import privbasis
from ldpcore.itemsets.proposal import MiningProposal, propose
from ldpcore.itemsets.scores import MiningScores, scores
from ldpcore.itemsets.smarttrunc import laplace_apriori, smart_trunc
from ldpcore.itemsets.tables import tables

__all__ = [
    "CandidateLeak",
    "Ledger",
    "MiningProposal",
    "MiningResult",
    "MiningScores",
    "NoTables",
    "Spend",
    "TooManyCandidates",
    "apriori",
    "apriori_of",
    "baskets_of",
    "dfdp",
    "laplace_apriori",
    "leak",
    "local",
    "private",
    "privbasis",
    "propose",
    "scores",
    "smart_trunc",
    "tables",
]

former.serve(__name__)
