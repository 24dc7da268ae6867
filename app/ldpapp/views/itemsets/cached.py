"""Itemsets: the baskets, with which all is kept that is mined from them."""

from ldpapp.compute.memory import remember
from ldpcore import data
from ldpcore.data import Baskets
from ldpcore.study import Study, itemsets


def baskets(study: Study, table: data.Table) -> Baskets:
    """The study's baskets, with all that is counted of them. DataError or ValueError where they cannot be mined."""
    made = itemsets.prepare(study, table)
    return remember("baskets", 4, (table.digest, study.column), lambda: made)
