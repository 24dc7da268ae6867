"""Frequent itemsets: the exact miner against three libraries, and every private miner of the catalogue."""

import math
from collections.abc import Iterator
from functools import cache, partial
from importlib import import_module
from typing import Any

import pandas as pd

from benchmarks import real
from benchmarks.case import LINEAR, Case, Family, Growth, Measured, NotHere, Work
from ldpcore import catalog, data
from ldpcore.itemsets import apriori, baskets_of
from ldpcore.itemsets.question import GroundTruth, MiningQuestion
from ldpcore.rng import stream

FILES = {
    "groceries": ("groceries.csv.gz", ",", 0.003),
    "mushroom": ("mushroom.dat.gz", None, 0.2),
    "retail": ("retail.dat.gz", None, 0.002),
    "bms": ("bms-webview-1.dat.gz", None, 0.001),
}
"""File, separator, the share of the baskets that a frequent set is in."""
MINED = 0.05
"""The same for the private miners."""
Baskets = list[list[int]]


@cache
def read(name: str) -> tuple[Baskets, float]:
    """Baskets as lists of numbers."""
    file, separator, support = FILES[name]
    found = baskets_of(real.baskets(file, separator))
    return [found.codes[a:b].tolist() for a, b in zip(found.starts, found.starts[1:], strict=False)], support


def _fim(name: str) -> tuple[Work, Work]:
    fim, (baskets, support) = import_module("fim"), read(name)
    least = math.ceil(support * len(baskets) - 1e-9)
    sets, theirs = apriori(baskets, least).published, len(fim.fpgrowth(baskets, supp=-least, target="s"))
    if sets - theirs not in (0, 1):  # pyfim 6.28 leaves out an item that every basket holds
        raise ValueError(f"{sets} sets are frequent, pyfim finds {theirs}")
    return lambda: apriori(baskets, least), lambda: fim.fpgrowth(baskets, supp=-least, target="s")


def _mlxtend(name: str) -> tuple[Work, Work]:
    frequent, (baskets, support) = import_module("mlxtend.frequent_patterns"), read(name)
    encoder = import_module("mlxtend.preprocessing").TransactionEncoder()
    named = [[str(item) for item in basket] for basket in baskets]
    coded = encoder.fit(named).transform(named, sparse=True)  # not counted, in its favour
    frame = pd.DataFrame.sparse.from_spmatrix(coded, columns=encoder.columns_)
    return lambda: apriori(baskets, support), lambda: frequent.fpgrowth(frame, support)


def _efficient(name: str) -> tuple[Work, Work]:
    efficient, (baskets, support) = import_module("efficient_apriori"), read(name)

    def theirs() -> Any:
        return efficient.itemsets_from_transactions(baskets, support, max_length=50)[0]

    found = {frozenset(items): count for level in theirs().values() for items, count in level.items()}
    mine = apriori(baskets, support).itemsets
    if found != {frozenset(items): count for items, count in zip(mine["itemset"], mine["count"], strict=True)}:
        raise ValueError("efficient-apriori finds other sets, or other counts")
    return lambda: apriori(baskets, support), theirs


PEERS = {"pyfim": (_fim, None, 1.3), "mlxtend": (_mlxtend, 8, None), "efficient-apriori": (_efficient, 8, None)}
"""How, theirs / ours at least, ours / theirs at most: pyfim is C."""


@cache
def bundled(source: str) -> data.Baskets:
    """What a table has baskets of: groceries, or all columns, for miners that want everybody to answer the same."""
    table = data.load(source)
    return table.baskets(next(iter(table.sets)))


def _private(entry: Any) -> tuple[Work, None]:
    found = next((one for one in map(bundled, ("groceries", "health")) if not entry.refused(one)), None)
    if found is None:
        raise NotHere(f"{entry.key} refuses all bundled data")
    rng, question = stream(1, "benchmark", entry.key), MiningQuestion(epsilon=1.0, max_length=3)
    return lambda: entry.mine(GroundTruth(found, MINED, max_length=3), question, rng), None


def _part(name: str, n: int) -> Work:
    baskets, support = read(name)
    part = (baskets * math.ceil(n / len(baskets)))[:n]
    return lambda: apriori(part, support)


def cases(quick: bool) -> Iterator[Measured]:
    for name in ("groceries",) if quick else FILES:
        for peer, (made, least, most) in PEERS.items():
            sizes = {"baskets": name, "share": FILES[name][2]}
            yield Case("exact", sizes, partial(made, name), peer, least=least, most=most)
    for key, entry in catalog.MINERS.items():
        yield Case(key, {"share": MINED, "ε": 1.0}, partial(_private, entry), entry=entry)
    for name in ("groceries", "retail"):
        grown = (2_000, 4_000, 8_000) if quick else (11_000, 22_000, 44_000, 88_000, 176_000)
        fixed = {"baskets": name, "share": FILES[name][2]}
        yield Growth("exact", "n", grown, partial(_part, name), LINEAR, fixed)


FAMILY = Family(
    "mining",
    "Frequent itemsets",
    "Exact: from lists of numbers to all frequent sets with their counts, which are compared with the peer's. "
    "What mlxtend needs to have encoded before is not counted. Private miners: one run on bundled data "
    "(baskets, or the rows of a table where a miner refuses baskets), sets of at most three items.",
    cases,
)
