"""How one column is to be read; what is left out is recognised."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from ldpcore.data import durations
from ldpcore.data.errors import DataError

ROLES = {
    "question": "a question of the survey, whatever its name says",
    "amount": "a number; what is none is missing",
    "code": "a code: its values are counted, no mean is taken",
    "weight": "a weight, and no question: shares are weighted by it",
    "count": "how many people each row stands for",
    "person": "who answers: rows with one value are one person's",
}
"""What a column can be."""
BLANKS = {"no": "an empty cell is a no", "missing": "an empty cell is no answer"}
"""What nothing can mean where others say yes or no."""


@dataclass(frozen=True)
class ColumnOptions:
    """role: a key of ROLES. missing: values that are no answers, as text; an equal number is meant, too. recode: pairs
    of a value and what it stands for, such as ("88", "0"). order: the answers in their order. yes: the answer that says
    yes. inside: what separates several answers in one cell; "" for one answer each. answers: missing marks, such as
    "None", that are answers here. classes: of a weight, into how many it is rounded, so that it tells nobody apart.
    time: what times and durations such as 7:30 are counted in, "hours" or "minutes"; None leaves them text.

    >>> ColumnOptions(missing=("77", "99"), recode=(("88", "0"),)).to_table()
    {'missing': ['77', '99'], 'recode': {'88': '0'}}
    """

    role: str | None = None
    missing: tuple[str, ...] = ()
    recode: tuple[tuple[str, str], ...] = ()
    order: tuple[str, ...] = ()
    yes: str | None = None
    inside: str | None = None
    answers: tuple[str, ...] = ()
    classes: int | None = None
    time: str | None = None

    def __post_init__(self) -> None:
        recode = self.recode.items() if isinstance(self.recode, Mapping) else self.recode
        object.__setattr__(self, "recode", tuple((str(value), str(meant)) for value, meant in recode))
        for name in ("missing", "order", "answers"):
            object.__setattr__(self, name, tuple(map(str, getattr(self, name))))
        if self.classes is not None and self.classes < 1:
            raise DataError(f"Weights cannot have {self.classes} classes.", "Choose 1 or more, such as 10.")
        if self.time is not None and self.time not in durations.UNITS:
            raise DataError(f"Times cannot be counted in “{self.time}”.", f"Choose {' or '.join(durations.UNITS)}.")
        if self.role is not None and self.role not in ROLES:
            raise DataError(f"“{self.role}” is nothing that a column can be.", f"Choose one of {', '.join(ROLES)}.")

    def to_table(self) -> dict[str, Any]:
        """Plain values, as a file keeps them, without what is left to recognition."""
        out: dict[str, Any] = {}
        for each in fields(self):
            value = getattr(self, each.name)
            if value != each.default:
                out[each.name] = (
                    dict(value) if each.name == "recode" else list(value) if value.__class__ is tuple else value
                )
        return out

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> "ColumnOptions":
        """What a file says of a column. DataError: something else than that."""
        known = {each.name for each in fields(cls)}
        if unknown := sorted(set(table) - known):
            raise DataError(f"A column has no entry {', '.join(unknown)}.", f"It knows {', '.join(sorted(known))}.")
        for name, value in table.items():
            form: Any = (
                Mapping if name == "recode" else list | tuple if name in ("missing", "order", "answers") else str
            )
            form = int if name == "classes" else form
            if not isinstance(value, form) or isinstance(value, bool):
                is_list = (
                    "a whole number"
                    if form is int
                    else "a table"
                    if name == "recode"
                    else "a text"
                    if form is str
                    else "a list"
                )
                raise DataError(f"The entry {name} of a column is {is_list}.", f"Got {value!r:.60}.")
        return cls(**table)

    @property
    def changes_cells(self) -> bool:
        """Whether cells are other ones than the file's."""
        return bool(self.missing or self.recode or self.time)
