"""Frequent itemsets (central model, and one local miner): what is found, what it costs, is the promise kept."""

from ldpcore.itemsets.apriori import apriori
from ldpcore.itemsets.candidates import Leak, leak
from ldpcore.itemsets.dfdp import dfdp
from ldpcore.itemsets.ledger import Ledger, Spend
from ldpcore.itemsets.levels import TooManyCandidates
from ldpcore.itemsets.local import local
from ldpcore.itemsets.mined import Mined
from ldpcore.itemsets.private import private
from ldpcore.itemsets.privbasis import privbasis
from ldpcore.itemsets.scores import Scores, scores
from ldpcore.itemsets.smarttrunc import laplace_apriori, smart_trunc
from ldpcore.itemsets.transactions import Transactions, transactions

__all__ = [
    "Leak",
    "Ledger",
    "Mined",
    "Scores",
    "Spend",
    "TooManyCandidates",
    "Transactions",
    "apriori",
    "dfdp",
    "laplace_apriori",
    "leak",
    "local",
    "private",
    "privbasis",
    "scores",
    "smart_trunc",
    "transactions",
]
