"""Two named settings of one task: a Study, and another that is kept beside it to be compared with."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from ldpcore.study.definition import Study

LONGEST = 40
"""Characters of a name."""
WITHOUT = "without"
"""The entry that lists what only the other of two tables has."""


@dataclass(frozen=True)
class Beside:
    """A setting kept beside another of the same task: its `study` and its `name`, and what the `other` one is called.

    ValueError for names that are empty, too long, or the same.

    >>> from ldpcore import Source
    >>> kept = Beside(Study(Source("health"), "condition", epsilon=0.5), "strict", "now")
    >>> kept.name, kept.study.epsilon
    ('strict', 0.5)
    """

    study: Study
    name: str = "A"
    other: str = "B"

    def __post_init__(self) -> None:
        for name in (self.name, self.other):
            if not name.strip() or len(name) > LONGEST:
                raise ValueError(f"the name of a setting has 1 to {LONGEST} characters, got {name[:60]!r}")
        if self.name == self.other:
            raise ValueError(f"two settings have different names, got {self.name!r} for both")


def apart(told: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """What must be said of one table to whoever knows the other: entries that differ, and the names it is without.

    >>> apart({"epsilon": 1, "n": 5}, {"epsilon": 1, "seed": 7})
    {'n': 5, 'without': ['seed']}
    """
    gone = [name for name in other if name not in told]
    differing = {name: value for name, value in told.items() if name not in other or other[name] != value}
    return differing | ({WITHOUT: gone} if gone else {})


def together(said: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """The table of which `apart` said this.

    >>> together({"n": 5, "without": ["seed"]}, {"epsilon": 1, "seed": 7})
    {'epsilon': 1, 'n': 5}
    """
    gone: Collection[str] = said.get(WITHOUT, ())
    known = {name: value for name, value in other.items() if name not in gone}
    return known | {name: value for name, value in said.items() if name != WITHOUT}
