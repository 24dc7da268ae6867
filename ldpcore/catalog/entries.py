"""What a catalogue is: entries by key, in the order in which they are shown."""

from collections.abc import Iterator, Mapping
from typing import Generic, Protocol, TypeVar


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
