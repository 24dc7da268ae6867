"""A Study as TOML, as JSON, and as the parameters of a page's URL.

The link of an upload carries neither its marks nor its column, which are the user's data; the file does. Of a setting
kept beside the Study both say what differs.
"""

import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import tomli_w

from ldpcore.study.beside import Beside, apart, together
from ldpcore.study.definition import KINDS, SECRET, SENSITIVE, Arm, Source, Study
from ldpcore.study.entries import PLAIN, StudyError, fields, option

VERSION = 1
LONGEST = 1000
"""Characters of an option that a link carries; the file has all."""


MOST = 1_000_000
"""Characters of a Study file."""
_NESTED = 100


def to_dict(study: Study) -> dict[str, Any]:
    """Plain tables, lists, strings and numbers; what is None is left out."""
    out: dict[str, Any] = {"version": VERSION, **{name: getattr(study, name) for name in PLAIN}}
    out |= {"mechanisms": list(study.mechanisms), "grid": list(study.grid)}
    if study.n is not None:
        out["n"] = study.n
    if study.secret_epsilon is not None:
        out["secret_epsilon"] = study.secret_epsilon
    if study.bins is not None:
        out["bins"] = list(study.bins)
    out["data"] = {"name": study.data.name} | ({"digest": study.data.digest} if study.data.digest else {})
    if study.data.missing:
        out["data"] |= {"missing": {column: list(values) for column, values in study.data.missing}}
    out["arms"] = [{"name": arm.name, "marks": dict(arm.marks)} for arm in study.arms]
    out["options"] = {name: list(value) if isinstance(value, tuple) else value for name, value in study.options}
    return out


def from_dict(table: Mapping[str, Any]) -> Study:
    if not isinstance(table, Mapping):
        raise StudyError(f"a study is a table of entries, got {type(table).__name__}")
    table = dict(table)
    version = table.pop("version", VERSION)
    if version != VERSION:
        raise StudyError(f"this study has version {version}; this ldpcore reads version {VERSION}")
    known = {*PLAIN, "secret_epsilon", "mechanisms", "grid", "n", "bins", "data", "arms", "options"}
    unknown = sorted(set(table) - known)
    if unknown:
        raise StudyError(f"a study has no entry {', '.join(unknown)}; it knows {', '.join(sorted(known))}")
    try:
        return Study(**fields(table))
    except StudyError:
        raise
    except _SENSELESS as error:
        raise StudyError(f"this is not a usable study: {error}") from error


_SENSELESS = (TypeError, ValueError, LookupError, AttributeError, OverflowError, RecursionError)
"""What values of every wrong type and size raise while they are taken over."""


def to_toml(study: Study, beside: Beside | None = None) -> str:
    """The study as a file; what is kept `beside` it stands in the table [beside], as far as it differs.

    >>> study = Study(Source("health"), "condition")
    >>> print(to_toml(study, Beside(replace(study, epsilon=0.5))).partition("[beside]")[2].strip())
    name = "A"
    other = "B"
    epsilon = 0.5
    """
    out = to_dict(study)
    if beside is not None:
        out["beside"] = {"name": beside.name, "other": beside.other, **apart(to_dict(beside.study), out)}
    return "# A study of ldpcore. Run it with: ldpcore run study.toml\n" + tomli_w.dumps(out, multiline_strings=True)


def from_toml(text: str) -> Study:
    """The study of a file, without what is kept beside it."""
    return both(text)[0]


def both(text: str) -> tuple[Study, Beside | None]:
    """The study of a file, and what is kept beside it."""
    if any(_names(line) > _NESTED for line in text.splitlines()):
        raise StudyError("this is no Study file: a name of it stands in more tables than a study has")
    table = _parsed(tomllib.loads, text, "TOML")
    said = table.pop("beside", None)
    study = from_dict(table)
    return study, None if said is None else _beside(said, study)


def _names(line: str) -> int:
    """How many names a line of TOML puts into one another, whose reading takes the square of them; 0 for other text."""
    name, equals, _ = line.partition("=")
    return name.count(".") if equals or line.lstrip().startswith("[") else 0


def _parsed(loads: Callable[[str], Any], text: str, what: str) -> Any:
    """What a parser makes of a text; numbers of too many digits and tables in tables in tables are refused."""
    if len(text) > MOST:
        raise StudyError(f"this is no Study file: it has {len(text)} characters, and none has more than {MOST}")
    try:
        return loads(text)
    except (ValueError, RecursionError) as error:
        raise StudyError(f"this is not a {what} file: {error}") from error


def _beside(said: Any, study: Study) -> Beside:
    if not isinstance(said, Mapping):
        raise StudyError("what is kept beside a study is a table of entries, [beside]")
    names = {name: said[name] for name in _NAMES if name in said}
    found = from_dict(together({name: value for name, value in said.items() if name not in _NAMES}, to_dict(study)))
    if found.task != study.task:
        raise StudyError(f"a study of {study.task} has none of {found.task} beside it")
    try:
        return Beside(found, **names)
    except _SENSELESS as error:
        raise StudyError(f"this is not a usable study: {error}") from error


_NAMES = ("name", "other")
"""Of the table [beside]: what both settings are called."""


def to_json(study: Study) -> str:
    return json.dumps(to_dict(study), ensure_ascii=False)


def from_json(text: str) -> Study:
    return from_dict(_parsed(json.loads, text, "JSON"))


def to_query(study: Study, public: bool) -> dict[str, list[str]]:
    """URL parameters; `public` is true for bundled data only and lets the data's name, column and marks in."""
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
    if study.missing != "any":
        out["missing"] = [study.missing]
    if public:
        out |= {"data": [study.data.name], "column": [study.column]}
        if study.bins is not None:
            out["bins"] = [repr(number) for number in study.bins]
        for arm in study.arms:
            # An arm without marks must be told from an arm that is not there.
            out[f"arm.{arm.name}"] = list(arm.values) or [""]
            if arm.secret:
                out[f"secret.{arm.name}"] = list(arm.secret)
        said = {f"o.{name}": [json.dumps(value, ensure_ascii=False)] for name, value in study.options}
        out |= {name: value for name, value in said.items() if len(value[0]) <= LONGEST}
    return out


def from_query(query: Mapping[str, Sequence[str]], default: Study) -> tuple[Study, list[str]]:
    """The study of a link, starting from `default`, and a sentence for every parameter that made no sense."""
    study, refused = default, []
    for name, build in _QUERY.items():
        if query.get(name):
            try:
                study = replace(study, **build(query[name]))
            except _SENSELESS:
                refused.append(_nonsense(name, query[name]))
    for name in (name for name in query if name.startswith("o.")):
        try:
            called, value = name.removeprefix("o."), json.loads(query[name][0])
            study = study.with_options(**{called: None if value is None else option(called, value)})
        except _SENSELESS:
            refused.append(_nonsense(name, query[name]))
    arms = tuple(
        _arm(name.removeprefix("arm."), values, query.get(f"secret.{name.removeprefix('arm.')}", ()))
        for name, values in query.items()
        if name.startswith("arm.")
    )
    if arms:
        try:
            study = replace(study, arms=arms)
        except ValueError:
            refused.append("The link's marks make no sense and were left out.")
    return study, refused


def _arm(name: str, values: Sequence[str], secret: Sequence[str]) -> Arm:
    return Arm(name, tuple((value, SECRET if value in secret else SENSITIVE) for value in values if value))


def beside_query(beside: Beside, query: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """More parameters for the link `query` of bundled data: what is kept beside its study."""
    said = apart(to_query(beside.study, True), query)
    found = {"name": [beside.name], "other": [beside.other], **said}
    return {f"{BESIDE}{name}": list(values) for name, values in found.items()}


def beside_of(query: Mapping[str, Sequence[str]], default: Study) -> tuple[Beside | None, list[str]]:
    """What a link has beside its study, starting from `default`, and a sentence for everything that made no sense."""
    said = {name.removeprefix(BESIDE): values for name, values in query.items() if name.startswith(BESIDE)}
    if not said:
        return None, []
    names = {name: said.pop(name)[0] for name in _NAMES if said.get(name)}
    rest = {name: values for name, values in query.items() if not name.startswith(BESIDE)}
    study, refused = from_query(together(said, rest), default)
    try:
        if study.task != from_query(rest, default)[0].task:
            raise ValueError("another task")
        return Beside(study, **names), refused
    except ValueError:
        return None, [*refused, "The link's setting to compare with makes no sense and was left out."]


BESIDE = "a."
"""How the parameters of what is kept beside a link's study begin."""


def _nonsense(name: str, values: Sequence[str]) -> str:
    return f"The link's {name[:40]} ({', '.join(values)[:60]}) makes no sense and was left out."


_QUERY = {
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
}
