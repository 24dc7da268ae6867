"""The entries of a Study file, taken over one by one; what is something else is refused by what it should be."""

from collections.abc import Mapping
from typing import Any

from ldpcore.study.definition import Arm, Source

PLAIN = ("task", "column", "missing", "epsilon", "axis", "repetitions", "seed")
"""Entries that are a text or a number."""
_TOLD = 400
"""Characters of what is said of one: it may quote a value of any length."""


class StudyError(ValueError):
    """A file or link that is not a study; the message says what is wrong."""

    def __init__(self, message: str) -> None:
        super().__init__(message if len(message) <= _TOLD else message[:_TOLD] + " …")


def fields(table: Mapping[str, Any]) -> dict[str, Any]:
    """What a Study is made of. StudyError for an entry that is something else."""
    for name in ("data", "column"):
        if name not in table:
            raise StudyError(f"a study needs the entry {name!r}")
    out = {name: table[name] for name in (*PLAIN, "n") if name in table}
    for name in ("task", "column", "missing", "axis"):
        if not isinstance(out.get(name, ""), str):
            raise StudyError(f"the entry {name!r} is a text, got {type(out[name]).__name__}")
    for name in ("epsilon", "secret_epsilon"):
        if name in table:
            out[name] = _number(name, table[name])
    for name, (kind, form) in _FORMS.items():
        if name in table and not isinstance(table[name], kind):
            raise StudyError(f"the entry {name!r} is {form}, got {type(table[name]).__name__}")
    told = table["data"]
    left_out = told.get("missing", {})
    if "name" not in told or not isinstance(left_out, Mapping):
        raise StudyError(f"the entry 'data' is {_FORMS['data'][1]}; its entry missing is a table, too")
    if not all(isinstance(values, _LIST) for values in left_out.values()):
        raise StudyError('of the data, missing says columns and answers in lists: missing = { job = ["unknown"] }')
    missing = tuple((str(name), tuple(map(str, values))) for name, values in left_out.items())
    out["data"] = Source(str(told["name"]), str(told.get("digest", "")), missing)
    if "mechanisms" in table:
        out["mechanisms"] = tuple(str(key) for key in table["mechanisms"])
    if "grid" in table:
        out["grid"] = tuple(_number("grid", x) for x in table["grid"])
    if "bins" in table:
        if len(table["bins"]) != 3:
            raise StudyError(f"the entry 'bins' is {_FORMS['bins'][1]}, got {len(table['bins'])} of them")
        low, high, count = (_number("bins", x) for x in table["bins"])
        out["bins"] = (low, high, int(count))
    if "arms" in table:
        out["arms"] = tuple(map(_setting, table["arms"]))
    options = table.get("options", {})
    out["options"] = tuple(sorted((name, option(name, value)) for name, value in options.items()))
    return out


_LIST = (list, tuple)
_FORMS: dict[str, tuple[Any, str]] = {
    "data": (Mapping, 'a table with a name: [data], and below it name = "census"'),
    "mechanisms": (_LIST, "a list of names"),
    "grid": (_LIST, "a list of numbers"),
    "bins": (_LIST, "a list of three numbers, from, to and how many"),
    "arms": (_LIST, 'a list of tables with a name and marks: [[arms]], and below it name = "A"'),
    "options": (Mapping, "a table"),
}
"""What an entry is that is more than a text or a number, and how a file says it."""


def _number(name: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        said = "holds numbers alone" if name in _FORMS else "is a number"
        raise StudyError(f"the entry {name!r} {said}, got {value!r}") from None


def _setting(arm: Any) -> Arm:
    if not isinstance(arm, Mapping) or "name" not in arm:
        raise StudyError(f"the entry 'arms' is {_FORMS['arms'][1]}")
    marks = arm.get("marks", {})
    if not isinstance(marks, Mapping):
        raise StudyError('marks are a table of what is marked and how: marks = { judge = "sensitive" }')
    return Arm(str(arm["name"]), tuple((str(marked), str(level)) for marked, level in marks.items()))


def option(name: str, value: Any) -> Any:
    """A text, a number, a yes or no, or some of them: whatever else an option was, it could not be kept."""
    found = tuple(value) if isinstance(value, list) else value
    for each in found if isinstance(found, tuple) else (found,):
        if not isinstance(each, str | int | float):
            raise StudyError(f"the option {name} is a text, a number or a list of these, got {type(each).__name__}")
    return found
