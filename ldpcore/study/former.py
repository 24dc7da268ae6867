"""Public names of version 0.1 that have others now: importable for one version more, with a warning that says which."""

import warnings
from collections.abc import Iterable
from typing import Any

from ldpcore.study.comparison import Comparison
from ldpcore.study.marks import SENSITIVE, Marks


class Arm:
    """What was a setting of marks with a name: makes Marks, which have none.

    >>> Arm.of("A", ["HIV"]) == Arm("A", (("HIV", "sensitive"),)) == Marks.of(["HIV"])
    True
    """

    def __new__(cls, name: str, marks: Iterable[tuple[str, str]] = ()) -> Marks:
        return Marks(tuple(marks))

    @staticmethod
    def of(name: str, values: Iterable[Any], level: str = SENSITIVE) -> Marks:
        return Marks.of(values, level)


NAMES: dict[str, tuple[Any, str]] = {
    "Arm": (Arm, "a Study has marks=Marks.of([...]), and two settings of them are a Comparison(a, b)"),
    "Beside": (Comparison, "two settings are a Comparison(a, b, name_a, name_b)"),
}
"""Old name → what it is now, and how it is said."""


def named(room: str, name: str) -> Any:
    """What an old name stands for, with a DeprecationWarning; AttributeError for one that never was."""
    if name not in NAMES:
        raise AttributeError(f"module {room!r} has no attribute {name!r}")
    thing, how = NAMES[name]
    warnings.warn(f"{room}.{name} goes with the next version: {how}", DeprecationWarning, stacklevel=3)
    return thing
