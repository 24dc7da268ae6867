"""Files and links of version 1, whose studies had several settings of marks (`arms`), in today's words."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ldpcore.study.definition import Marks
from ldpcore.study.entries import StudyError

GONE = ("o.choose", "o.choose_marked")
"""Parameters of options that are `choices` now."""

Build = Callable[[Sequence[str], Sequence[str]], Marks]


def settings(table: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Name → the table of a study with this setting of marks: one, or two that were compared. Where people chose
    between the settings it is one, with `choices`.
    """
    rest = {name: value for name, value in table.items() if name != "arms"}
    arms = table.get("arms", [{"name": "A"}])
    if not isinstance(arms, list | tuple) or not all(isinstance(arm, Mapping) and "name" in arm for arm in arms):
        raise StudyError(
            "the entry 'arms' is a list of tables with a name and marks: [[arms]], and below it name = \"A\""
        )
    names = [str(arm["name"]) for arm in arms]
    if not names or len(set(names)) < len(names):
        raise StudyError(f"a study needs at least one arm, and names that differ, got {names}")
    marks = {str(arm["name"]): arm.get("marks", {}) for arm in arms}
    options = rest.get("options", {})
    if isinstance(options, Mapping) and any(f"o.{name}" in GONE for name in options):
        rest["options"] = {name: value for name, value in options.items() if f"o.{name}" not in GONE}
        first, *others = marks.values()
        return {names[0]: {**rest, "marks": first, "choices": _choices(options, others)}}
    if len(names) > 2:
        raise StudyError(f"this study compares {len(names)} settings of marks; two are compared now: keep two [[arms]]")
    return {name: {**rest, "marks": each} for name, each in marks.items()}


def _choices(options: Mapping[str, Any], others: Sequence[Any]) -> list[dict[str, Any]]:
    """Who chose which of the other settings: of Frequency a share for the second, of Means a share for each."""
    share, holders = options.get("choose"), options.get("choose_marked")
    shares = list(share[1:]) if isinstance(share, list | tuple) else [share]
    if not others:
        raise StudyError("the option choose needs two arms to choose between")
    made = [{"marks": marks, "share": each} for marks, each in zip(others, shares, strict=False) if each is not None]
    return [{**each, "holders": holders} for each in made] if holders is not None else made


def of_query(query: Mapping[str, Sequence[str]]) -> dict[str, Callable[[Build], dict[str, Any]]]:
    """Name → the fields of a study with this setting, of a link that says arms; none of one that says none."""
    arms = {name.removeprefix("arm."): values for name, values in query.items() if name.startswith("arm.")}

    def fields(name: str, values: Sequence[str]) -> Callable[[Build], dict[str, Any]]:
        return lambda build: {"marks": build(values, query.get(f"secret.{name}", ()))}

    return {name: fields(name, values) for name, values in list(arms.items())[:2]}
