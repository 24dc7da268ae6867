"""Facts: what is known of a Study at its own point, as documented numbers that page, report, terminal and Python share.

The facts of a task are an object with properties marked `quantity(unit)`: computed when first read, then kept, so that
nobody pays for what is not read. `table` lists all of them.

>>> from ldpcore import Marks, Source, Study, study
>>> asked = Study(Source("health"), "condition", Marks.of(["HIV"]), ("SS", "uSS"), grid=())
>>> found = study.facts(asked)
>>> round(found.gain["all"], 1)  # times more exact with the marks, over all values
7.5
>>> row = table(found).set_index(["mechanism", "name", "scope"]).loc["uSS", "errors", "sensitive"]
>>> round(100 * float(row["value"]), 2), row["unit"], row["meaning"]
(0.57, 'share of the people', 'Typical error of a share: the root mean squared error over the values of this scope.')
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import isfinite, nan
from typing import Any, TypeVar

import pandas as pd

from ldpcore.study.skeleton import Piece

Value = TypeVar("Value", covariant=True)
COLUMNS = ["mechanism", "name", "scope", "value", "unit", "meaning", "note"]
PEOPLE, TIMES, CHANCE, EPSILON = "share of the people", "times", "share of the cases", "ε, nats"
"""Units that several tasks have."""


class Quantity(cached_property[Value]):
    """A number of a facts object, or several by scope: what it means is its docstring, its unit stands beside it.

    unit: of all its numbers. scope: of one number, which part of the answers it is about. by_part: whether the keys of
    its mapping are names of `parts`, not scopes. absent: why a number may be
    None, infinite or NaN; "" where none ever is. Made by `quantity`.
    """

    def __init__(self, compute: Callable[[Any], Value], unit: str, scope: str, absent: str, by_part: bool) -> None:
        super().__init__(compute)
        self.unit, self.scope, self.absent, self.by_part = unit, scope, absent, by_part

    @property
    def meaning(self) -> str:
        """The docstring up to its first blank line, as one line."""
        return " ".join((self.__doc__ or "").partition("\n\n")[0].split())


def quantity(
    unit: str, scope: str = "all", absent: str = "", by_part: bool = False
) -> Callable[[Callable[[Any], Value]], Quantity[Value]]:
    """Mark a method of a facts object as one of its numbers. It returns a number or None, or a mapping scope → number.

    unit: such as "share of the people". absent: a sentence that says when there is no finite number, and why.
    """
    return lambda compute: Quantity(compute, unit, scope, absent, by_part)


@dataclass(frozen=True, eq=False)
class Known:
    """What facts objects have in common; `parts` are the facts of each mechanism, question or method, by its name."""

    @property
    def parts(self) -> Mapping[str, "Known"]:
        return {}


def quantities(kind: type[Known]) -> dict[str, Quantity[Any]]:
    """Name → quantity of a facts class, base classes first."""
    return {
        name: member for base in reversed(kind.__mro__) for name, member in vars(base).items()
        if isinstance(member, Quantity)
    }  # fmt: skip


def table(facts: Known) -> pd.DataFrame:
    """Every number of a facts object and its parts: mechanism ("" for the whole), name, scope, value, unit, meaning,
    note.

    `value` is a float in the row's unit; NaN or infinite where there is none, and then `note` says why. All are
    computed for this: of a survey it may take seconds.
    """
    rows = list(_rows("", facts))
    rows += [row for name, part in facts.parts.items() for row in _rows(name, part)]
    return pd.DataFrame(rows, columns=COLUMNS).astype({"value": float})


def _rows(part: str, facts: Known) -> Iterator[tuple[str, str, str, float, str, str, str]]:
    for name, about in quantities(type(facts)).items():
        result = getattr(facts, name)
        scopes = result if isinstance(result, Mapping) else {about.scope: result}
        for scope, number in scopes.items():
            value = nan if number is None else float(number)
            note = "" if isfinite(value) else about.absent
            where = (str(scope), about.scope) if about.by_part else (part, str(scope))
            yield where[0], name, where[1], value, about.unit, about.meaning, note


def simulated(pieces: Iterable[Piece]) -> pd.DataFrame:
    """The rows of these pieces of a simulation, computed now: mechanism, repetition, x, metric, scope, value."""
    return pd.concat([piece() for piece in pieces], ignore_index=True)
