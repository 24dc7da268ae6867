"""Strategies for range queries."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from ldpcore.catalog.entries import Catalog, Construction
from ldpcore.ranges import Identity, Local, LocalHaar, LocalTree, Privelet, Strategy, Tree, best_tree, local_flat

_B = TypeVar("_B")


@dataclass(frozen=True)
class StrategyEntry(Generic[_B]):
    """One strategy for range queries: its key, what builds it, and what an Entry says."""

    key: str
    build: _B
    label: str
    source: str
    promise: str
    construction: Construction
    caveats: tuple[str, ...] = ()
    default: bool = False
    variant: str = ""
    name: str = ""


class RangeEntry(StrategyEntry[Callable[[int], Strategy]]):
    """One strategy of a curator, built from h = log₂ N."""


class LocalRangeEntry(StrategyEntry[Callable[[int, float], Local]]):
    """One strategy without a curator, built from h = log₂ N and ε."""


CENTRAL = "ε-DP (central)"
LENGTH = "The error of a range grows with its length."
NODES = "A range is the sum of its canonical nodes: answers that should add up need not."
ROOT = (
    "It measures the total too; without it the average range is answered better "
    "(“Comparison” in docs/theory/ranges.md)."
)
INDEX = (
    "Its accuracy index is a limit, another number at every N (“Accuracy index” in docs/theory/ranges.md): "
    "Privelet has 4.87 at N = 1024, not 6."
)
HAAR = (
    "Xiao, Wang and Gehrke's weighted Haar transform has the same error, by law (“Privelet” in docs/theory/ranges.md)."
)
SEARCHED = "The branching with the smallest average error, found by trying all; at small N, the flat histogram."
PLAIN, BOOST = (NODES, ROOT, INDEX), (ROOT, INDEX)
DWORK, XIAO = "Dwork, McSherry, Nissim, Smith 2006", "Xiao, Wang, Gehrke 2010; Wu, Chen, Cai, Wang 2018"
HAY, QARDAJI = "Hay, Rastogi, Miklau, Suciu 2010", "Qardaji, Yang, Li 2013"
_boost = partial(Tree, consistent=True)

BOUNDED = (
    "Its ε is about any two answers of one person; a curator's is about a person who is in the data or not "
    "(“Local” in docs/theory/ranges.md)."
)
HADAMARD = "A report has the noise of OUE at small ε only: from ε = 3 on the tree is more exact."
CORMODE = "Cormode, Kulkarni, Srivastava 2019"

TREE, CONSISTENT = Construction.TREE, Construction.CONSISTENT_TREE

# One line per entry.
# fmt: off
RANGES = Catalog(
    RangeEntry("Identity", Identity, "Flat histogram", DWORK, CENTRAL, Construction.CELLS, (LENGTH,), True,
               name="Flat"),
    RangeEntry("Tree", Tree, "Binary tree", HAY, CENTRAL, TREE, PLAIN, True, name="Binary tree"),
    RangeEntry("Tree4", partial(Tree, branching=4), "4-ary tree", QARDAJI, CENTRAL, TREE, PLAIN, name="4-ary tree"),
    RangeEntry("Tree8", partial(Tree, branching=8), "8-ary tree", QARDAJI, CENTRAL, TREE, PLAIN, name="8-ary tree"),
    RangeEntry("Tree16", partial(Tree, branching=16), "16-ary tree", QARDAJI, CENTRAL, TREE, PLAIN, name="16-ary tree"),
    RangeEntry("Boost", _boost, "Consistent binary tree", HAY, CENTRAL, CONSISTENT, BOOST, True),
    RangeEntry("Boost4", partial(_boost, branching=4), "Consistent 4-ary tree", QARDAJI, CENTRAL, CONSISTENT, BOOST),
    RangeEntry("Boost8", partial(_boost, branching=8), "Consistent 8-ary tree", QARDAJI, CENTRAL, CONSISTENT, BOOST),
    RangeEntry("Boost16", partial(_boost, branching=16), "Consistent 16-ary tree", QARDAJI, CENTRAL, CONSISTENT, BOOST),
    RangeEntry("Privelet", Privelet, "Privelet (Haar wavelet)", XIAO, CENTRAL, Construction.WAVELET, (HAAR, INDEX),
               True),
    RangeEntry("Best tree", best_tree, "Best consistent tree at this N", "ours", CENTRAL, Construction.SEARCHED,
               (SEARCHED,), True),
    noun="strategy",
)
"""Counts of ranges of one ordered column, from a histogram that a trusted collector publishes with noise."""

LOCAL_RANGES = Catalog(
    LocalRangeEntry("Local flat", local_flat, "OUE on every cell", CORMODE, "LDP", Construction.CELLS,
                    (LENGTH, BOUNDED), True),
    LocalRangeEntry("Local tree", LocalTree, "Consistent tree of OUE", CORMODE, "LDP", CONSISTENT, (BOUNDED,), True),
    LocalRangeEntry("Local Haar", LocalHaar, "Haar wavelet by Hadamard response", CORMODE, "LDP", Construction.WAVELET,
                    (HADAMARD, BOUNDED), True),
    noun="local strategy",
)
"""The same without a curator: everybody randomises the own answer."""
# fmt: on
