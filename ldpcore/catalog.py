"""Everything there is, one line per entry. What is listed here is what the study, the laws and the app know."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from numpy.typing import ArrayLike

from ldpcore import checks
from ldpcore.mechanisms.direct import GRR, SDGRR, URR
from ldpcore.mechanisms.guarded import SDSS
from ldpcore.mechanisms.hadamard import HR, UHR
from ldpcore.mechanisms.local_hashing import OLH
from ldpcore.mechanisms.multi_hot import SURAP, SplitRAPPOR
from ldpcore.mechanisms.per_item import SUGRR, SplitGRR
from ldpcore.mechanisms.privset import PrivSet, UPrivSet
from ldpcore.mechanisms.sampled import GRRSample, RAPPORSample, SUGRRSample, SURAPSample
from ldpcore.mechanisms.subset import SS, USS
from ldpcore.mechanisms.unary import OUE, RAPPOR, UOUE, URAP
from ldpcore.mechanisms.wheel import SUWheel, Wheel
from ldpcore.mechanisms.wheel_joint import SUWheelJ
from ldpcore.randomizer import Randomizer
from ldpcore.ranges import Identity, Privelet, Strategy, Tree
from ldpcore.set_randomizer import SetRandomizer


@dataclass(frozen=True)
class Entry:
    """One mechanism: its key, what builds it, its name, its source, what it promises, and what to know about it."""

    key: str
    factory: type[Randomizer]
    label: str
    source: str
    promise: str
    construction: str
    caveats: tuple[str, ...] = ()

    @property
    def uses_marks(self) -> bool:
        return self.factory.uses_marks

    @property
    def takes_share(self) -> bool:
        """Whether it takes `share`, a public guess of how many hold a marked value."""
        return "share" in getattr(self.factory, "__dataclass_fields__", ())

    def build(self, epsilon: float, k: int, sensitive: ArrayLike | None = None, **options: Any) -> Randomizer:
        """The mechanism; one that knows no marks ignores `sensitive` (bool mask (k,), None marks nothing)."""
        budget, size = checks.epsilon(epsilon), checks.domain_size(k)
        mask = checks.mask(sensitive, size)
        if self.uses_marks:
            return self.factory(budget, size, mask, **options)  # type: ignore[call-arg]
        return self.factory(budget, size, **options)  # type: ignore[call-arg]


@dataclass(frozen=True)
class RangeEntry:
    """One strategy for range queries: its key, what builds it from h = log₂ N, and what an Entry says."""

    key: str
    build: Callable[[int], Strategy]
    label: str
    source: str
    promise: str
    caveats: tuple[str, ...] = ()


@dataclass(frozen=True)
class SetEntry:
    """One mechanism for sets: its key, what builds it, and what an Entry says."""

    key: str
    factory: type[SetRandomizer]
    label: str
    source: str
    promise: str
    construction: str
    caveats: tuple[str, ...] = ()

    @property
    def uses_marks(self) -> bool:
        return self.factory.uses_marks

    @property
    def takes_share(self) -> bool:
        """Whether it takes `share`, a public guess of the share of a user's items that are marked."""
        return "share" in self.factory.__dataclass_fields__

    def build(
        self, epsilon: float, k: int, sensitive: ArrayLike | None = None, m: int = 1, dummies: int = 0, **options: Any
    ) -> SetRandomizer:
        """The mechanism for sets of m items; those that know no marks treat every item as sensitive."""
        size = checks.domain_size(k)
        return self.factory(checks.epsilon(epsilon), size, checks.mask(sensitive, size), m, dummies, **options)


class _Keyed(Protocol):
    @property
    def key(self) -> str: ...


_E = TypeVar("_E", bound=_Keyed)


class Catalog(Mapping[str, _E], Generic[_E]):
    """Entries by key, in the order in which they are shown. `noun` is what messages call them."""

    def __init__(self, *entries: _E, noun: str = "mechanism") -> None:
        self._entries = {entry.key: entry for entry in entries}
        self._noun = noun

    def __getitem__(self, key: str) -> _E:
        try:
            return self._entries[key]
        except KeyError:
            raise ValueError(f"there is no {self._noun} {key!r}; there are {', '.join(self._entries)}") from None

    def __contains__(self, key: object) -> bool:
        return key in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


IDENTITY = "With nothing marked it sends every answer as it is: no protection at all."
OPEN = "Reports may show that an answer is not marked, and which one it is."
GRADED = (
    "Its promise does not compare a marked with an unmarked value on low reports: a low label that is rare among "
    "the others points to a marked answer (mechanisms.md §9.4, §9.14)."
)
PAPER = "The paper's variance (12) takes the estimated share of marked answers as known (mechanisms.md §9.5)."
WEAKER = "SDLDP is the weaker definition: every ULDP mechanism keeps it (mechanisms.md §9.13)."
CROWD = (
    "Its promise compares a marked value with the average of the others: a label excludes every other unmarked value. "
    "Decoys are drawn uniformly unless told otherwise, so a label that is rare among the others points to a marked one."
)

WANG, MURAKAMI = "Wang, Blocki, Li, Jha 2017", "Murakami, Kawamoto 2019"

# One line per entry.
# fmt: off
FREQUENCY = Catalog(
    Entry("GRR", GRR, "Generalised randomised response", "Kairouz, Bonawitz, Ramage 2016", "LDP", "symbol"),
    Entry("RAPPOR", RAPPOR, "Basic one-time RAPPOR", "Erlingsson, Pihur, Korolova 2014", "LDP", "bits"),
    Entry("OUE", OUE, "Optimised unary encoding", WANG, "LDP", "optimised bits"),
    Entry("OLH", OLH, "Optimised local hashing", WANG, "LDP", "hash"),
    Entry("SS", SS, "Subset selection", "Ye, Barg 2018", "LDP", "subset"),
    Entry("HR", HR, "Hadamard response", "Acharya, Sun, Zhang 2019", "LDP", "transform"),
    Entry("uRR", URR, "Utility-optimised randomised response", MURAKAMI, "ULDP", "symbol", (OPEN, IDENTITY)),
    Entry("uRAP", URAP, "Utility-optimised RAPPOR", MURAKAMI, "ULDP", "bits", (OPEN,)),
    Entry("uOUE", UOUE, "Utility-optimised OUE", f"after {MURAKAMI}", "ULDP", "optimised bits", (OPEN,)),
    Entry("uSS", USS, "Utility-optimised subset selection", "arXiv 2509.24173", "ULDP", "subset", (OPEN, IDENTITY)),
    Entry("uHR", UHR, "Utility-optimised Hadamard response", "ours", "ULDP", "transform", (OPEN, IDENTITY)),
    Entry("SDGRR", SDGRR, "Sensitivity-graded GRR", "SDLDP §4", "SDLDP", "symbol", (GRADED, WEAKER, PAPER, IDENTITY)),
    Entry("SDSS", SDSS, "Subset selection with decoys", "ours", "guarded SDLDP", "subset", (OPEN, CROWD, IDENTITY)),
)
# fmt: on
"""Shares of the values of one column, from one report per person."""

CENTRAL = "ε-DP (central)"
LENGTH = "The error of a range grows with its length."
NODES = "A range is the sum of its canonical nodes: answers that should add up need not."
ROOT = "It measures the total too; without it the average range is answered better (mining-and-ranges.md §1.6)."
INDEX = (
    "Its accuracy index is a limit, another number at every N (mechanisms.md §9.12): "
    "Privelet has 4.87 at N = 1024, not 6."
)
HAAR = "Xiao, Wang and Gehrke's weighted Haar transform has the same error, by law (mechanisms.md §8)."
PLAIN, BOOST = (NODES, ROOT, INDEX), (ROOT, INDEX)
DWORK, XIAO = "Dwork, McSherry, Nissim, Smith 2006", "Xiao, Wang, Gehrke 2010; Wu, Chen, Cai, Wang 2018"
HAY, QARDAJI = "Hay, Rastogi, Miklau, Suciu 2010", "Qardaji, Yang, Li 2013"
_boost = partial(Tree, consistent=True)

# One line per entry.
# fmt: off
RANGES = Catalog(
    RangeEntry("Identity", Identity, "Flat histogram", DWORK, CENTRAL, (LENGTH,)),
    RangeEntry("Tree", Tree, "Binary tree", HAY, CENTRAL, PLAIN),
    RangeEntry("Tree4", partial(Tree, branching=4), "4-ary tree", QARDAJI, CENTRAL, PLAIN),
    RangeEntry("Tree8", partial(Tree, branching=8), "8-ary tree", QARDAJI, CENTRAL, PLAIN),
    RangeEntry("Tree16", partial(Tree, branching=16), "16-ary tree", QARDAJI, CENTRAL, PLAIN),
    RangeEntry("Boost", _boost, "Consistent binary tree", HAY, CENTRAL, BOOST),
    RangeEntry("Boost4", partial(_boost, branching=4), "Consistent 4-ary tree", QARDAJI, CENTRAL, BOOST),
    RangeEntry("Boost8", partial(_boost, branching=8), "Consistent 8-ary tree", QARDAJI, CENTRAL, BOOST),
    RangeEntry("Boost16", partial(_boost, branching=16), "Consistent 16-ary tree", QARDAJI, CENTRAL, BOOST),
    RangeEntry("Privelet", Privelet, "Privelet (Haar wavelet)", XIAO, CENTRAL, (HAAR, INDEX)),
    noun="strategy",
)
# fmt: on
"""Counts of ranges of one ordered column, from a histogram that a trusted collector publishes with noise."""

LEAK = (
    "Its promise is about y₀ alone: a missing disclosure points to a sensitive item, and with the hash known the "
    "whole report is not ε-private (mechanisms.md §9.2)."
)
HOLDERS = "Its promise compares only sets that contain the disclosed items: a disclosure proves them."
MULTISET = "Reports keep duplicates; the paper's sets would bias the estimate (mechanisms.md §9.1)."
SPLIT = "Every item gets ε/m: the error grows steeply with m."
LONG = "A report has a bit for every item."
BASELINE = "Wheel is quoted as optimal; PrivSet's exact error is smaller, its report is longer."
SULDP, JOINT = "SULDP", "SULDP-joint"
KAIROUZ, ERLINGSSON = "Kairouz, Bonawitz, Ramage 2016", "Erlingsson, Pihur, Korolova 2014"

# One line per entry.
# fmt: off
SETS = Catalog(
    SetEntry("suGRR", SUGRR, "uRR on every item", f"{SULDP} §4", JOINT, "symbol", (HOLDERS, SPLIT, MULTISET)),
    SetEntry("suGRR-Sample", SUGRRSample, "uRR on one sampled item", f"{SULDP} §4", JOINT, "symbol", (HOLDERS,)),
    SetEntry("suRAP", SURAP, "uRAP on every item", f"{SULDP} §4", JOINT, "bits", (HOLDERS, SPLIT, LONG)),
    SetEntry("suRAP-Sample", SURAPSample, "uRAP on one sampled item", f"{SULDP} §4", JOINT, "bits", (HOLDERS, LONG)),
    SetEntry("suWheel", SUWheel, "Utility-optimised Wheel", f"{SULDP} §4", "SULDP-y₀", "hash", (LEAK,)),
    SetEntry("GRR", SplitGRR, "GRR on every item", KAIROUZ, "LDP", "symbol", (SPLIT,)),
    SetEntry("GRR-Sample", GRRSample, "GRR on one sampled item", KAIROUZ, "LDP", "symbol"),
    SetEntry("RAPPOR", SplitRAPPOR, "RAPPOR on every item", ERLINGSSON, "LDP", "bits", (SPLIT, LONG)),
    SetEntry("RAPPOR-Sample", RAPPORSample, "RAPPOR on one sampled item", ERLINGSSON, "LDP", "bits", (LONG,)),
    SetEntry("Wheel", Wheel, "Wheel", "Wang et al. 2020", "LDP", "hash", (BASELINE,)),
    SetEntry("PrivSet", PrivSet, "PrivSet", "Wang, Huang, Nie, Xu, Yang 2018", "LDP", "subset"),
    SetEntry("suWheel-J", SUWheelJ, "Utility-optimised Wheel, joint promise", "ours", JOINT, "hash", (HOLDERS,)),
    SetEntry("uPrivSet", UPrivSet, "Utility-optimised PrivSet", "ours", JOINT, "subset", (HOLDERS,)),
)
# fmt: on
"""Shares of the users who hold each item, from one report per set of m items."""
