"""What stands in for a class of version 0.1 that is no other class now (`ldpcore.former` opens it)."""

from collections.abc import Iterable
from typing import Any

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
