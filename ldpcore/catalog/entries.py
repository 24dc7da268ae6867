"""What a catalogue is: entries by key, in the order in which they are shown, each with its own face.

The face of an entry is what it says of itself and nothing else: how it is built, what it promises and to whom, which
entry it is made from, and whether a page shows it before anybody has chosen. Pages draw it from that.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, Generic, Protocol, TypeVar, cast

from ldpcore.catalog.dominated import Dominated, dominated_from, dominating
from ldpcore.levels import Leveled, Levels, SetLevels
from ldpcore.numeric_randomizer import NumericRandomizer
from ldpcore.policy import LDP, ULDP, SULDPJoint
from ldpcore.randomizer import Randomizer
from ldpcore.set_randomizer import SetRandomizer


class Construction(StrEnum):
    """How a report, or a release, is built: the shape of its mark in every chart."""

    SYMBOL = "symbol"
    BITS = "bits"
    OPTIMISED_BITS = "optimised bits"
    HASH = "hash"
    SUBSET = "subset"
    PAIR = "pair"
    RING = "ring"
    TRANSFORM = "transform"
    # numbers
    NOISE = "noise"
    ONE_BIT = "one bit"
    WINDOW = "window"
    SQUARE_WAVE = "square wave"
    MIXTURE = "window and bit"
    THREE_VALUES = "three values"
    # sets of items that are frequent
    COUNTS = "counts"
    CUT_BASKETS = "cut baskets"
    WEIGHED_BASKETS = "weighed baskets"
    FITTED_TABLES = "fitted tables"
    # strategies for ranges
    CELLS = "cells"
    TREE = "tree"
    CONSISTENT_TREE = "consistent tree"
    WAVELET = "wavelet"
    SEARCHED = "searched"


class Coverage(StrEnum):
    """Whom a promise covers: the group of an entry, and the dash of its line."""

    EVERY = "every"
    MARKED = "marked"
    WEAKER = "weaker"
    NONE = "none"


PROMISES = {
    "none": Coverage.NONE,
    LDP.name: Coverage.EVERY,
    "ε-DP (central)": Coverage.EVERY,
    "ε-LDP, the whole protocol": Coverage.EVERY,
    "ε-LDP of marked columns": Coverage.MARKED,
    ULDP.name: Coverage.MARKED,
    SULDPJoint.name: Coverage.MARKED,
    Levels.name: Coverage.MARKED,
    SetLevels.name: Coverage.MARKED,
    "half-open": Coverage.MARKED,
}
"""Definition → whom it covers. Every other one is weaker than it looks."""
BY_LEVEL = (Levels.name, SetLevels.name)
"""Those of them with an ε for every value, or item."""


class Listed(Protocol):
    """What every entry of every catalogue says of itself."""

    @property
    def key(self) -> str:
        """Its name in Study files, links and tables."""
        ...

    @property
    def label(self) -> str:
        """What it is, in a few words."""
        ...

    @property
    def source(self) -> str: ...

    @property
    def promise(self) -> str:
        """The name of its definition."""
        ...

    @property
    def construction(self) -> Construction: ...

    @property
    def caveats(self) -> tuple[str, ...]: ...

    @property
    def default(self) -> bool:
        """Shown until somebody chooses."""
        ...

    @property
    def variant(self) -> str:
        """The key of the entry that this one is a lesser form of; "" for none."""
        ...

    @property
    def name(self) -> str:
        """What pages call it, where that is not the key; "" for the key."""
        ...


_E = TypeVar("_E", bound=Listed)
_M = TypeVar("_M", Leveled, Randomizer, SetRandomizer, NumericRandomizer)


class Catalog(Mapping[str, _E], Generic[_E]):
    """Entries by key, in the order in which they are shown. `noun` is what messages call them."""

    def __init__(self, *entries: _E, noun: str = "mechanism") -> None:
        self._entries = {entry.key: entry for entry in entries}
        self._noun = noun
        self._changes = 0

    def __getitem__(self, key: str) -> _E:
        try:
            return self._listed()[key]
        except KeyError:
            raise ValueError(f"there is no {self._noun} {key!r}; there are {', '.join(self)}") from None

    def __contains__(self, key: object) -> bool:
        return key in self._listed()

    def __iter__(self) -> Iterator[str]:
        return iter(self._listed())

    def __len__(self) -> int:
        return len(self._listed())

    def _listed(self) -> Mapping[str, _E]:
        return self._entries

    def keeping(self, *covered: Coverage) -> "Catalog[_E]":
        """Those of them whose promise covers so, now and whenever one is listed; all are shown until somebody chooses.

        >>> from ldpcore import catalog
        >>> "SDGRR" in catalog.FREQUENCY.keeping(Coverage.EVERY, Coverage.MARKED)
        False
        """
        return _Part(self, covered)

    @property
    def noun(self) -> str:
        """What messages call an entry."""
        return self._noun

    def add(self, entry: _E) -> None:
        """List one more, until this process ends: a mechanism of one's own, say. ValueError where its key is taken."""
        if entry.key in self._entries:
            raise ValueError(f"there is a {self._noun} {entry.key!r} already; give yours another key")
        self._entries[entry.key] = entry
        self._changes += 1

    def remove(self, key: str) -> None:
        """List it no more."""
        del self._entries[self[key].key]
        self._changes += 1

    def _changed(self) -> int:
        """How often an entry was added or removed."""
        return self._changes

    @property
    def defaults(self) -> tuple[str, ...]:
        """The keys that are shown until somebody chooses."""
        return tuple(key for key, entry in self._listed().items() if entry.default)

    def name(self, key: str) -> str:
        """What pages call an entry."""
        return self[key].name or key

    def by_level(self) -> tuple[str, ...]:
        """The keys of those with an ε for every value or item.

        >>> from ldpcore import catalog
        >>> catalog.ITEMS.by_level(), catalog.SETS.by_level()
        (('gHit',), ())
        """
        return tuple(key for key, entry in self._listed().items() if entry.promise in BY_LEVEL)

    def by_coverage(self) -> dict[Coverage, list[str]]:
        """The keys by whom their promise covers, groups and keys in the order in which they are shown."""
        return {
            covered: [key for key, entry in self._listed().items() if coverage(entry.promise) is covered]
            for covered in Coverage
        }


class _View(Catalog[_E]):
    """Entries that other catalogues keep: gathered again only after one of these has changed, for they are asked for a
    thousand times while a page is drawn.
    """

    def __init__(self, gather: Callable[[], dict[str, _E]], *kept: Catalog[Any]) -> None:
        super().__init__(noun=kept[0].noun)
        self._gather, self._kept, self._gathered_at = gather, kept, -1

    def _listed(self) -> Mapping[str, _E]:
        changed = self._changed()
        if changed != self._gathered_at:
            self._entries, self._gathered_at = self._gather(), changed
        return self._entries

    def _changed(self) -> int:
        return sum(part._changed() for part in self._kept)


class Joined(_View[_E]):
    """The entries of several catalogues, which keep them; only those of the first are shown until somebody chooses."""

    def __init__(self, *parts: Catalog[Any]) -> None:
        super().__init__(lambda: {key: entry for part in parts for key, entry in part.items()}, *parts)

    @property
    def defaults(self) -> tuple[str, ...]:
        return self._kept[0].defaults


class _Part(_View[_E]):
    """Some entries of another catalogue, which keeps them."""

    def __init__(self, whole: Catalog[_E], covered: tuple[Coverage, ...]) -> None:
        super().__init__(lambda: {k: each for k, each in whole.items() if coverage(each.promise) in covered}, whole)

    @property
    def defaults(self) -> tuple[str, ...]:
        return tuple(self)


def coverage(promise: str) -> Coverage:
    """Whom a definition covers."""
    return PROMISES.get(promise, Coverage.WEAKER)


@dataclass(frozen=True)
class MechanismEntry(Generic[_M]):
    """One mechanism: its key, what builds it, its name, its source, what it promises, and what to know about it.

    original: the key of what it is with everything marked, for one that uses marks. variant: the key of the entry that
    it is a lesser form of (on one sampled item, say): it is drawn like that one, only thinner. instead: the key
    of the entry to collect with in its place, where its own reports have no end and one false one decides everything.
    """

    key: str
    factory: type[_M]
    label: str
    source: str
    promise: str
    construction: Construction
    caveats: tuple[str, ...] = ()
    original: str = ""
    variant: str = ""
    default: bool = False
    name: str = ""
    instead: str = ""

    @property
    def uses_marks(self) -> bool:
        return self.factory.uses_marks

    @property
    def takes_share(self) -> bool:
        """Whether it takes `share`, a public guess of how much is marked."""
        return "share" in getattr(self.factory, "__dataclass_fields__", ())

    def guessing(self, share: float | None, *asked: Any, **options: Any) -> _M:
        """What `build` makes of the rest; of one that takes it, for this guess of how much is marked."""
        return cast(Any, self).build(*asked, **options, **({"share": share} if self.takes_share else {}))

    def at(self, epsilon: float, *asked: Any, **options: Any) -> _M:
        """The mechanism at this ε; asked, options: the rest that `build` takes."""
        return cast(Any, self).build(epsilon, *asked, **options)

    def dominated_from(self, *asked: Any, **options: Any) -> Dominated | None:
        """The least ε at which a smaller one errs less, by the typical error at the public guess, which a mechanism is
        chosen by; None where no error rises. asked, options: what `build` takes beside ε.
        """
        return dominated_from(*dominating(cache(lambda epsilon: self.at(epsilon, *asked, **options))))

    def _made(self, *public: Any, marks: Any, **options: Any) -> _M:
        """One that knows no marks ignores them."""
        return self.factory(*public, *([marks] if self.uses_marks else []), **options)
