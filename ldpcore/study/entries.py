"""The entries of a Study file, taken over one by one; what is something else is refused by what it should be."""

from collections.abc import Mapping
from typing import Any

from ldpcore.data import DataError, ReadOptions
from ldpcore.study.definition import Choice, Marks, Source

PLAIN = ("task", "column", "missing", "epsilon", "axis", "repetitions", "seed")
"""Entries that are a text or a number."""
_TOLD = 400
"""Characters of what is said of one: it may quote a value of any length."""


SENSELESS = (TypeError, ValueError, LookupError, AttributeError, OverflowError, RecursionError)
"""What values of every wrong type and size raise while they are taken over."""


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
    source = table["data"]
    left_out = source.get("missing", {})
    if "name" not in source or not isinstance(left_out, Mapping):
        raise StudyError(f"the entry 'data' is {_FORMS['data'][1]}; its entry missing is a table, too")
    if not all(isinstance(values, _LIST) for values in left_out.values()):
        raise StudyError('of the data, missing says columns and answers in lists: missing = { job = ["unknown"] }')
    missing = tuple((str(name), tuple(map(str, values))) for name, values in left_out.items())
    out["data"] = Source(str(source["name"]), str(source.get("digest", "")), missing, _read(source.get("read", {})))
    if "mechanisms" in table:
        out["mechanisms"] = tuple(str(key) for key in table["mechanisms"])
    if "grid" in table:
        out["grid"] = tuple(_number("grid", x) for x in table["grid"])
    if "bins" in table:
        if len(table["bins"]) != 3:
            raise StudyError(f"the entry 'bins' is {_FORMS['bins'][1]}, got {len(table['bins'])} of them")
        low, high, count = (_number("bins", x) for x in table["bins"])
        out["bins"] = (low, high, int(count))
    if "marks" in table:
        out["marks"] = _marks(table["marks"])
    if "choices" in table:
        out["choices"] = tuple(map(_choice, table["choices"]))
    out["options"] = {name: option(name, value) for name, value in table.get("options", {}).items()}
    return out


_LIST = (list, tuple)
_FORMS: dict[str, tuple[Any, str]] = {
    "data": (Mapping, 'a table with a name: [data], and below it name = "census"'),
    "mechanisms": (_LIST, "a list of names"),
    "grid": (_LIST, "a list of numbers"),
    "bins": (_LIST, "a list of three numbers, from, to and how many"),
    "marks": (Mapping, 'a table of what is marked and how: marks = { judge = "sensitive" }'),
    "choices": (_LIST, "a list of tables with marks and a share: [[choices]], and below it share = 0.3"),
    "options": (Mapping, "a table"),
}
"""What an entry is that is more than a text or a number, and how a file says it."""


def _read(told: Any) -> ReadOptions:
    """How the file of a study is read."""
    if not isinstance(told, Mapping):
        raise StudyError(
            'of the data, read is a table of how the file is read: [data.read], and below it decimal = ","'
        )
    try:
        return ReadOptions.from_table(told)
    except DataError as error:
        raise StudyError(f"of the data, read says what cannot be: {error}") from error


def _number(name: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        expected = "holds numbers alone" if name in _FORMS else "is a number"
        raise StudyError(f"the entry {name!r} {expected}, got {value!r}") from None


def _marks(said: Any) -> Marks:
    if not isinstance(said, Mapping):
        raise StudyError(f"the entry 'marks' is {_FORMS['marks'][1]}")
    return Marks(tuple((str(value), str(level)) for value, level in said.items()))


def _choice(said: Any) -> Choice:
    if not isinstance(said, Mapping) or "share" not in said:
        raise StudyError(f"the entry 'choices' is {_FORMS['choices'][1]}")
    holders = said.get("holders")
    return Choice(
        _marks(said.get("marks", {})), _number("share", said["share"]),
        None if holders is None else _number("holders", holders),
    )  # fmt: skip


def option(name: str, value: Any) -> Any:
    """A text, a number, a yes or no, or some of them: whatever else an option was, it could not be kept."""
    chosen = tuple(value) if isinstance(value, list) else value
    for each in chosen if isinstance(chosen, tuple) else (chosen,):
        if not isinstance(each, str | int | float):
            raise StudyError(f"the option {name} is a text, a number or a list of these, got {type(each).__name__}")
    return chosen
