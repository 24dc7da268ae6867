"""What a catalogue is: entries by key, in the order in which they are shown."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from ldpcore.numeric_randomizer import NumericRandomizer
from ldpcore.randomizer import Randomizer
from ldpcore.set_randomizer import SetRandomizer


class _Keyed(Protocol):
    @property
    def key(self) -> str: ...


_E = TypeVar("_E", bound=_Keyed)
_M = TypeVar("_M", Randomizer, SetRandomizer, NumericRandomizer)


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


@dataclass(frozen=True)
class MechanismEntry(Generic[_M]):
    """One mechanism: its key, what builds it, its name, its source, what it promises, and what to know about it."""

    key: str
    factory: type[_M]
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
        """Whether it takes `share`, a public guess of how much is marked."""
        return "share" in getattr(self.factory, "__dataclass_fields__", ())

    def _made(self, *public: Any, marks: Any, **options: Any) -> _M:
        """One that knows no marks ignores them."""
        return self.factory(*public, *([marks] if self.uses_marks else []), **options)
