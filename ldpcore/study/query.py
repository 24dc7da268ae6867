"""A Study, or two to compare, as the parameters of a page's URL."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ldpcore.data import ReadOptions
from ldpcore.study import version_1
from ldpcore.study.comparison import NAMES, Comparison, apart, together
from ldpcore.study.definition import KINDS, SECRET, SENSITIVE, Choice, Marks, Source, Study
from ldpcore.study.entries import SENSELESS, option

LONGEST = 1000
"""Characters of an option that a link carries; the file has all."""
KEPT = "a."
"""How the parameters of the kept setting of two begin."""

Query = dict[str, list[str]]


def to_query(setting: Study | Comparison, public: bool) -> Query:
    """URL parameters; `public` is true for bundled data only and lets the data's name, column and marks in, and the
    kept one of two settings.
    """
    if isinstance(setting, Study):
        return _one(setting, public)
    out = _one(setting.b, public)
    if public:
        names = {entry: [getattr(setting, field)] for entry, field in NAMES.items()}
        out |= {
            f"{KEPT}{name}": list(values) for name, values in {**names, **apart(_one(setting.a, True), out)}.items()
        }
    return out


def _one(study: Study, public: bool) -> Query:
    out = {
        "eps": [repr(study.epsilon).removesuffix(".0")],
        "m": list(study.mechanisms),
        "reps": [str(study.repetitions)],
        "seed": [str(study.seed)],
    }
    if study.secret_epsilon is not None:
        out["eps2"] = [repr(study.secret_epsilon).removesuffix(".0")]
    if study.task != "frequency":
        out["task"] = [study.task]
    if study.axis != KINDS[study.task].axes[0]:
        out["axis"] = [study.axis]
    if study.n is not None:
        out["n"] = [str(study.n)]
    return out | _of_data(study) if public else out


def _of_data(study: Study) -> Query:
    """What a link says of the data that it names."""
    out = {"data": [study.data.name], "column": [study.column]}
    if study.missing != "any":
        out["missing"] = [study.missing]
    read = json.dumps(study.data.read.to_table(), ensure_ascii=False)
    if study.data.read != ReadOptions() and len(read) <= LONGEST:
        out["read"] = [read]
    if study.bins is not None:
        out["bins"] = [repr(number) for number in study.bins]
    # A study without marks must be told from one that says nothing of them.
    out["marks"] = list(study.marks.values) or [""]
    if study.marks.secret:
        out["secret"] = list(study.marks.secret)
    if study.choices:
        out["choices"] = [
            json.dumps([each.share, each.holders, dict(each.marks.levels)], ensure_ascii=False)
            for each in study.choices
        ]
    changed = study.options.changed.items()
    options = {f"o.{name}": [json.dumps(value, ensure_ascii=False)] for name, value in changed}
    return out | {name: value for name, value in options.items() if len(value[0]) <= LONGEST}


def from_query(query: Mapping[str, Sequence[str]], default: Study) -> tuple[Study | Comparison, list[str]]:
    """The setting or settings of a link, starting from `default`, and a sentence for each parameter without sense."""
    present = {name: values for name, values in query.items() if not name.startswith(KEPT)}
    kept = {name.removeprefix(KEPT): values for name, values in query.items() if name.startswith(KEPT)}
    if not kept:
        return _read(present, default)
    b, refused = _read(present, default)
    names = {field: kept.pop(entry)[0] for entry, field in NAMES.items() if kept.get(entry)}
    a, more = _read(together(kept, present), default)
    # Links of version 1 with two settings of marks showed the first beside what was kept.
    a, b = (each.a if isinstance(each, Comparison) else each for each in (a, b))
    try:
        return Comparison(a, b, **names), [*refused, *(each for each in more if each not in refused)]
    except ValueError:
        return b, [*refused, "The link's setting to compare with makes no sense and was left out."]


def _read(query: Mapping[str, Sequence[str]], default: Study) -> tuple[Study | Comparison, list[str]]:
    """What parameters without a kept setting say: two of them in links of version 1."""
    study, refused = default, []
    for name, build in _QUERY.items():
        if query.get(name):
            try:
                study = replace(study, **build(query[name]))
            except SENSELESS:
                refused.append(_nonsense(name, query[name]))
    if query.get("read"):
        try:
            study = replace(study, data=replace(study.data, read=_options(query["read"][0])))
        except SENSELESS:
            refused.append(_nonsense("read", query["read"]))
    for name in (name for name in query if name.startswith("o.") and name not in version_1.GONE):
        try:
            called, value = name.removeprefix("o."), json.loads(query[name][0])
            study = study.with_options(**{called: None if value is None else option(called, value)})
        except SENSELESS:
            refused.append(_nonsense(name, query[name]))
    try:
        settings, sentences = version_1.of_query(query, _marks)
        studies = [replace(study, **changes) for changes in settings.values()]
        if "marks" in query:
            study = replace(study, marks=_marks(query["marks"], query.get("secret", ())))
    except ValueError:
        return study, [*refused, "The link's marks make no sense and were left out."]
    refused += sentences
    if len(studies) == 2:
        (name_a, name_b), (a, b) = settings, studies
        return Comparison(a, b, name_a, name_b), refused
    return next(iter(studies), study), refused


def _options(text: str) -> ReadOptions:
    """How the data of a link are read. ValueError or TypeError: something else than that."""
    table = json.loads(text)
    if not isinstance(table, dict):
        raise ValueError("how data are read is a table")
    return ReadOptions.from_table(table)


def _marks(values: Sequence[str], secret: Sequence[str]) -> Marks:
    return Marks(tuple((value, SECRET if value in secret else SENSITIVE) for value in values if value))


def _nonsense(name: str, values: Sequence[str]) -> str:
    return f"The link's {name[:40]} ({', '.join(values)[:60]}) makes no sense and was left out."


def _choice(text: str) -> Choice:
    share, holders, levels = json.loads(text)
    return Choice(Marks(tuple(levels.items())), float(share), None if holders is None else float(holders))


_QUERY: dict[str, Any] = {
    "task": lambda v: {"task": v[0], "axis": KINDS[v[0]].axes[0], "mechanisms": ()},
    "axis": lambda v: {"axis": v[0], "grid": ()},
    "n": lambda v: {"n": int(v[0])},
    "data": lambda v: {"data": Source(v[0])},
    "column": lambda v: {"column": v[0]},
    "eps": lambda v: {"epsilon": float(v[0])},
    "eps2": lambda v: {"secret_epsilon": float(v[0])},
    "m": lambda v: {"mechanisms": tuple(dict.fromkeys(v))},
    "reps": lambda v: {"repetitions": int(v[0])},
    "seed": lambda v: {"seed": int(v[0])},
    "missing": lambda v: {"missing": v[0]},
    "bins": lambda v: {"bins": (float(v[0]), float(v[1]), int(v[2]))},
    "choices": lambda v: {"choices": tuple(map(_choice, v))},
}
