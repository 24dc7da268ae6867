"""A Study, or two to compare, as TOML, as JSON, and as the parameters of a page's URL.

The link of an upload carries neither its marks nor its column, which are the user's data; the file does. Of two
settings both say the present one, and in what the kept one differs.
"""

import json
import tomllib
from collections.abc import Callable, Mapping
from typing import Any

import tomli_w

from ldpcore.study import version_1
from ldpcore.study.comparison import NAMES, Comparison, apart, together
from ldpcore.study.definition import Study
from ldpcore.study.entries import PLAIN, SENSELESS, StudyError, fields

VERSION = 2
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
    if read := study.data.read.to_table():
        out["data"] |= {"read": read}
    out["marks"] = dict(study.marks.levels)
    if study.choices:
        out["choices"] = [
            {"share": each.share, "marks": dict(each.marks.levels)}
            | ({} if each.holders is None else {"holders": each.holders})
            for each in study.choices
        ]
    out["options"] = {
        name: list(value) if isinstance(value, tuple) else value for name, value in study.options.changed.items()
    }
    return out


def from_dict(table: Mapping[str, Any]) -> Study:
    """The study of a table; of two settings of marks in version 1 the first, which was shown and collected alone."""
    read = _setting(table)
    return read.a if isinstance(read, Comparison) else read


def _setting(table: Any) -> Study | Comparison:
    """What a table says, in this version's words or in an earlier one's."""
    if not isinstance(table, Mapping):
        raise StudyError(f"a study is a table of entries, got {type(table).__name__}")
    table = dict(table)
    version = table.pop("version", VERSION)
    if version not in (1, VERSION):
        raise StudyError(f"this study has version {version}; this ldpcore reads versions 1 and {VERSION}")
    if version == 1 or "arms" in table:
        settings = version_1.settings(table)
        if len(settings) == 2:
            return _compared({name: _study(each) for name, each in settings.items()})
        (table,) = settings.values()
    return _study(table)


def _compared(named: Mapping[str, Study]) -> Comparison:
    (name_a, a), (name_b, b) = named.items()
    try:
        return Comparison(a, b, name_a, name_b)
    except SENSELESS as error:
        raise StudyError(f"this is not a usable study: {error}") from error


def _study(table: Mapping[str, Any]) -> Study:
    known = {*PLAIN, "secret_epsilon", "mechanisms", "grid", "n", "bins", "data", "marks", "choices", "options"}
    unknown = sorted(set(table) - known)
    if unknown:
        raise StudyError(f"a study has no entry {', '.join(unknown)}; it knows {', '.join(sorted(known))}")
    try:
        return Study(**fields(table))
    except StudyError:
        raise
    except SENSELESS as error:
        raise StudyError(f"this is not a usable study: {error}") from error


def to_toml(setting: Study | Comparison) -> str:
    """A study as a file; of a comparison the present setting, and in the table [beside] what differs in the kept one.

    >>> from dataclasses import replace
    >>> from ldpcore.study import Source
    >>> study = Study(Source("health"), "condition")
    >>> print(to_toml(Comparison(replace(study, epsilon=0.5), study)).partition("[beside]")[2].strip())
    name = "A"
    other = "B"
    epsilon = 0.5
    """
    out = to_dict(setting.b if isinstance(setting, Comparison) else setting)
    if isinstance(setting, Comparison):
        names = {entry: getattr(setting, field) for entry, field in NAMES.items()}
        out["beside"] = {**names, **apart(to_dict(setting.a), out)}
    return "# A study of ldpcore. Run it with: ldpcore run study.toml\n" + tomli_w.dumps(out, multiline_strings=True)


def from_toml(text: str) -> Study:
    """The study of a file; of two settings the present one, of two of version 1 the first (`from_dict`)."""
    table = _table(text)
    both = _kept(table)
    return both.b if both else from_dict(table)


def read_toml(text: str) -> Study | Comparison:
    """All that a file says: a study, or two settings."""
    table = _table(text)
    return _kept(table) or _setting(table)


def _table(text: str) -> dict[str, Any]:
    if any(_names(line) > _NESTED for line in text.splitlines()):
        raise StudyError("this is no Study file: a name of it stands in more tables than a study has")
    return _parsed(tomllib.loads, text, "TOML")


def _kept(table: dict[str, Any]) -> Comparison | None:
    """The study of a table and what is kept beside it, in its entry `beside`; None where it has none."""
    kept = table.pop("beside", None)
    if kept is None:
        return None
    if not isinstance(kept, Mapping):
        raise StudyError("what is kept beside a study is a table of entries, [beside]")
    names = {field: kept[entry] for entry, field in NAMES.items() if entry in kept}
    # What differs was said of the table as it was written, in whatever version.
    version = {"version": table["version"]} if "version" in table else {}
    settings = {name: value for name, value in kept.items() if name not in NAMES}
    a, b = from_dict(version | together(settings, table)), from_dict(table)
    if a.task != b.task:
        raise StudyError(f"a study of {b.task} has none of {a.task} beside it")
    try:
        return Comparison(a, b, **names)
    except SENSELESS as error:
        raise StudyError(f"this is not a usable study: {error}") from error


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


def to_json(study: Study) -> str:
    return json.dumps(to_dict(study), ensure_ascii=False)


def from_json(text: str) -> Study:
    return from_dict(_parsed(json.loads, text, "JSON"))
