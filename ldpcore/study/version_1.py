"""Files and links of version 1, whose studies had several settings of marks (`arms`), in today's words."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ldpcore.study.comparison import LONGEST
from ldpcore.study.entries import StudyError
from ldpcore.study.marks import Choice, Marks

CHOOSE, HOLDERS = "choose", "choose_marked"
"""Options that are `choices` now: of Frequency the share of people who choose the second setting, and of those who hold
what it marks; of Means a share for every setting.
"""
GONE = (f"o.{CHOOSE}", f"o.{HOLDERS}")
"""The same as parameters of a link."""

Build = Callable[[Sequence[str], Sequence[str]], Marks]
"""(marked values, those of them that are secret) → marks."""


def settings(table: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Name → the table of a study with this setting of marks: one, or two that were compared. Where people chose
    between the settings it is one, with `choices`.
    """
    if mixed := [name for name in ("marks", "choices") if name in table]:
        raise StudyError(f"a study of version 1 says its marks in [[arms]], not in {mixed[0]}: leave one of them out")
    rest = {name: value for name, value in table.items() if name != "arms"}
    arms = table.get("arms", [{"name": "A"}])
    if not isinstance(arms, list | tuple) or not all(isinstance(arm, Mapping) and "name" in arm for arm in arms):
        raise StudyError(
            "the entry 'arms' is a list of tables with a name and marks: [[arms]], and below it name = \"A\""
        )
    names = [str(arm["name"]) for arm in arms]
    if not names or len(set(names)) < len(names):
        raise StudyError(f"a study needs at least one arm, and names that differ, got {names}")
    marks = [arm.get("marks", {}) for arm in arms]
    options, shares = rest.get("options", {}), []
    if isinstance(options, Mapping):
        rest["options"] = {name: value for name, value in options.items() if name not in (CHOOSE, HOLDERS)}
        shares = _shares(options.get(CHOOSE), len(arms))
    if shares:
        holders = {} if options.get(HOLDERS) is None else {"holders": options[HOLDERS]}
        choices = [{"marks": each, "share": share, **holders} for each, share in zip(marks[1:], shares, strict=True)]
        return {names[0]: {**rest, "marks": marks[0], "choices": choices}}
    if len(names) > 2:
        raise StudyError(f"this study compares {len(names)} settings of marks; two are compared now: keep two [[arms]]")
    return {name: {**rest, "marks": each} for name, each in zip(_usable(names), marks, strict=True)}


def _shares(choose: Any, arms: int) -> list[Any]:
    """The share of people who chose each setting but the first; none where nobody chose."""
    if choose is None or choose == [] or choose == ():
        return []
    shares = list(choose) if isinstance(choose, list | tuple) else [None, choose]
    if arms < 2:
        raise StudyError("the option choose needs two arms to choose between")
    if len(shares) != arms:
        raise StudyError(f"the option choose needs a share for each of the arms: {len(shares)}, got {arms} [[arms]]")
    if shares[0] is not None and not abs(_sum(shares) - 1) < 1e-6:
        raise StudyError("the option choose needs shares that sum to 1")
    return shares[1:]


def _sum(shares: Sequence[Any]) -> float:
    try:
        return sum(map(float, shares))
    except (TypeError, ValueError, OverflowError) as error:
        raise StudyError(f"the option choose holds shares of people: {error}") from error


def _usable(names: Sequence[str]) -> Sequence[str]:
    """The names of one or two settings, in the length that names have now; A and B where these are none."""
    cut = [name.strip()[:LONGEST].strip() for name in names]
    return cut if all(cut) and len(set(cut)) == len(cut) else ["A", "B"][: len(names)]


def of_query(query: Mapping[str, Sequence[str]], build: Build) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Name → the fields of a study with this setting, of a link that says arms, and none of one that says none; and a
    sentence for what was left out. ValueError for marks without sense.
    """
    arms = {name.removeprefix("arm."): values for name, values in query.items() if name.startswith("arm.")}
    marks = [build(values, query.get(f"secret.{name}", ())) for name, values in arms.items()]
    if len(marks) > 1 and query.get(GONE[0]):
        try:
            choose, holders = (json.loads(query[name][0]) if query.get(name) else None for name in GONE)
            people = tuple(
                Choice(each, float(share), None if holders is None else float(holders))
                for each, share in zip(marks[1:], _shares(choose, len(arms)), strict=False)
            )
        except (TypeError, ValueError, OverflowError, RecursionError):
            sorry = f"The link's {GONE[0]} ({query[GONE[0]][0][:60]}) makes no sense and was left out."
            return {"A": {"marks": marks[0]}}, [sorry]
        if people:
            return {"A": {"marks": marks[0], "choices": people}}, []
    sorry = [f"Of the link's {len(arms)} settings of marks two are compared; the others were left out."]
    names = _usable(list(arms)[:2])
    return {name: {"marks": each} for name, each in zip(names, marks[:2], strict=True)}, sorry if len(arms) > 2 else []
