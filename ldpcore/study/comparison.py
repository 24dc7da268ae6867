"""Two settings of one task beside each other: two Studies, and what they are called."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ldpcore.study.definition import Study

NAMES = {"name": "name_a", "other": "name_b"}
"""Entries that say what both settings are called, in files and links → fields of a Comparison."""
LONGEST = 40
"""Characters of a name."""
WITHOUT = "without"
"""The entry that lists what only the other of two tables has."""


@dataclass(frozen=True)
class Comparison:
    """Two settings of one task: Study `a`, which was kept, and `b`, which is being changed.

    `name_a` and `name_b` are what they are called. ValueError for two tasks, and for names that are empty, too
    long, or the same.

    >>> from dataclasses import replace
    >>> from ldpcore import Source
    >>> mild = Study(Source("health"), "condition", epsilon=2.0)
    >>> both = Comparison(replace(mild, epsilon=0.5), mild, "strict", "mild")
    >>> {name: study.epsilon for name, study in both.named.items()}
    {'strict': 0.5, 'mild': 2.0}
    """

    a: Study
    b: Study
    name_a: str = "A"
    name_b: str = "B"

    def published(self, public: bool = False) -> "Comparison":
        """The same without what tells of the answers (`Study.published`)."""
        return replace(self, a=self.a.published(public), b=self.b.published(public))

    def __post_init__(self) -> None:
        if self.a.task != self.b.task:
            raise ValueError(f"two settings are of one task, got {self.a.task} and {self.b.task}")
        for name in (self.name_a, self.name_b):
            if not name.strip() or len(name) > LONGEST:
                raise ValueError(f"the name of a setting has 1 to {LONGEST} characters, got {name[:60]!r}")
        if self.name_a == self.name_b:
            raise ValueError(f"two settings have different names, got {self.name_a!r} for both")

    @property
    def named(self) -> dict[str, Study]:
        """Name → Study, the kept one first."""
        return {self.name_a: self.a, self.name_b: self.b}


def renamed(setting: Study | Comparison, name: str) -> Study | Comparison:
    """The same of the same data, which are called `name` here; a kept setting about other data keeps theirs.

    >>> from ldpcore import Source
    >>> renamed(Study(Source("health"), "condition"), "mine.csv").data.name
    'mine.csv'
    """

    def named_so(study: Study) -> Study:
        return replace(study, data=replace(study.data, name=name))

    if isinstance(setting, Study):
        return named_so(setting)
    a = named_so(setting.a) if setting.a.data.name == setting.b.data.name else setting.a
    return replace(setting, a=a, b=named_so(setting.b))


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
