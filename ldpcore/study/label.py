"""The label of a deployment: what one mechanism of a Study would promise to whom, in the words of a public registry.

The field names are those of the registry of deployments (github.com/opendp/deployments-registry-data,
schemas/deployments-schema.yaml, as its records of 2026 have them); what only a publisher knows stays empty.

>>> from ldpcore.study import Marks, Source, Study
>>> record = label(Study(Source("health"), "condition", Marks.of(["HIV"]), ("SS", "uSS")), mechanism="SS")["deployment"]
>>> record["dp_flavor"]["name"], record["privacy_loss"]["privacy_parameters"], record["model"]["model_name"]
('Pure DP', {'epsilon': 1.0}, 'Local')
>>> print(to_yaml({"model": {"model_name": "Local", "actors": []}}), end="")
model:
  model_name: "Local"
  actors: []
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import Any

from ldpcore import data
from ldpcore.catalog import Coverage, coverage
from ldpcore.catalog.entries import BY_LEVEL
from ldpcore.study import mark_kinds, person, review
from ldpcore.study.definition import Study
from ldpcore.study.execute import source
from ldpcore.study.tasks import TASKS

SCHEMA = "github.com/opendp/deployments-registry-data, schemas/deployments-schema.yaml"
PUBLISHED_FROM = "desfontain.es/blog/real-world-differential-privacy.html"
"""Their list, after Apple's papers of 2017; read in November 2026. The registry's records have no licence."""
CENTRAL = "ε-DP"
"""In the promise of what trusts a curator; a local one is ε-LDP."""


@dataclass(frozen=True)
class PublishedEpsilon:
    """An ε that somebody published of what they collect: local, of one person, in one day; and of which year."""

    publisher: str
    collected: str
    epsilon: float
    year: int


PUBLISHED = (
    PublishedEpsilon("Apple", "health data types", 2.0, 2017),
    PublishedEpsilon("Apple", "emoji", 4.0, 2017),
    PublishedEpsilon("Apple", "lookup hints", 8.0, 2017),
    PublishedEpsilon("Apple", "new words", 16.0, 2017),
)
"""Those whose value, unit and source could be read; what others are said to use is left out."""


def label(study: Study, table: data.Table | None = None, mechanism: str | None = None) -> dict[str, Any]:
    """The record of one of the study's mechanisms, which `mechanism` names where there are several.

    table: the data, where the study's reference is not enough. ValueError, in a sentence, where it is not said which
    mechanism, or where nothing is promised.
    """
    table = source(study, table)
    key = _one_of(study, mechanism)
    entry = TASKS[study.task].CATALOG[key]
    covered = coverage(entry.promise)
    if covered is Coverage.NONE or (covered is Coverage.MARKED and not study.marks):
        why = "publishes the truth" if covered is Coverage.NONE else "protects marked answers only, and none is marked"
        raise ValueError(f"{key} {why}: there is no promise to put on a label")
    local = CENTRAL not in entry.promise
    survey, people = None, None
    if study.task == "review":
        people = review.prepare(study, table)
        survey = review.asked(study, people, study.epsilon)
        if key not in (one.key for one in survey.hidden.values()):  # of the survey that would ask with it
            survey = review.asked(replace(study, mechanisms=(key,)), people, study.epsilon)
    return {
        "url_slug": "",
        "status": "Draft",
        "tier": 2,
        "deployment": {
            "product": _product(study),
            "dp_flavor": _flavor(study, entry.promise, _hidden_by(study, key, people, survey)),
            "privacy_loss": _loss(study, table, entry.promise, local, survey),
            "model": {
                "model_name": "Local" if local else "Central",
                "model_name_description": "Every person randomises their own report; nobody else sees the answer."
                if local
                else "A curator sees the true answers, and must be trusted with them.",
                "release_type": "One release",
                "release_type_description": "Asked again, a person spends ε again.",
                "data_source_type": "Static",
                "access_type": "Non-interactive",
            },
            "implementation": {
                "pre_processing_eda_hyperparameter_tuning": "",
                "mechanisms": f"{key} ({entry.label}; {entry.source}), ldpcore {version('ldpcore')}",
                "justification": "",
            },
            "resources": {"sources": "", "registry_authors": []},
        },
    }


def _one_of(study: Study, mechanism: str | None) -> str:
    if mechanism is None and len(study.mechanisms) > 1:
        raise ValueError(f"a label is of one mechanism; say which of {', '.join(study.mechanisms)} with --mechanism")
    key = mechanism or next(iter(study.mechanisms))
    return TASKS[study.task].CATALOG[key].key


def _product(study: Study) -> dict[str, Any]:
    empty = ("data_curators", "intended_use", "data_product_type", "data_product_region", "description")
    product = {name: [] if name == "data_curators" else "" for name in empty}
    product["data_product_type"] = "Summary statistics"
    asked = study.data.name if TASKS[study.task].MARKS.every_column else study.column
    asked = getattr(study.options, "title", "") or asked  # what a survey is called
    return {"name": asked, **product, "publication_date": ""}


@dataclass(frozen=True)
class _Asked:
    """What one mechanism is asked with: in words, its marks, the ε of each question, and what is asked beside it."""

    what: str
    marks: tuple[str, ...]
    spent: tuple[float, ...] = ()
    beside: str = ""


def _hidden_by(study: Study, key: str, people: review.SurveyTable | None, survey: review.HiddenSurvey | None) -> _Asked:
    """All that is asked; of a survey the questions that this mechanism hides."""
    marks = study.options.asked_marks(study.marks).values
    if survey is None or people is None:
        return _Asked("all that is asked" if TASKS[study.task].MARKS.every_column else f"“{study.column}”", marks)
    hidden = [name for name, one in survey.hidden.items() if one.key == key]
    halves = {half for name in hidden for half in people.halves(name)}
    marks = tuple(mark for mark in marks if {*review.split([mark], people.separate)} <= halves)
    beside = ""
    if survey.open:
        beside = f"; what is asked openly: {', '.join(f'“{name}”' for name in survey.open)}"
    if rest := [name for name in survey.hidden if name not in hidden]:
        beside += f"; other mechanisms hide {', '.join(f'“{name}”' for name in rest)}, each with a label of its own"
    spent = tuple(survey.each_spent[name] for name in hidden)
    return _Asked(", ".join(f"“{name}”" for name in hidden), marks, spent, beside)


def _flavor(study: Study, promise: str, asked: _Asked) -> dict[str, Any]:
    """Pure DP where all are protected alike; else in what it differs from that."""
    domain, covered = f"the answers of people to {asked.what} (“{study.data.name}”)", coverage(promise)
    if covered is Coverage.EVERY:
        return {
            "name": "Pure DP",
            "data_domain": domain,
            "unprotected_quantities": f"how many people there are{asked.beside}",
        }
    # A label is for everybody: in the order of a proposal, the commonest first, marks would tell who is more.
    marked, kind, spent = ", ".join(sorted(asked.marks)), TASKS[study.task].MARKS, {*asked.spent}
    whole_columns = kind is mark_kinds.RECORDS and covered is Coverage.MARKED
    by_level = promise in BY_LEVEL
    bound = "each marked answer by its own ε" if by_level and study.marks.secret else f"ε = {study.epsilon:g}"
    if len(spent) == 1 and not study.marks.secret:
        bound = f"ε = {min(spent):g}"
    elif len(spent) > 1:
        bound = f"the ε of its question, {min(spent):g} to {max(spent):g}"
    return {
        "name": "Custom",
        "input_metric": f"pairs of records that differ only in columns with a marked answer: {marked}"
        if whole_columns
        else f"pairs of answers of which one is marked: {marked}",
        "bound_on_input_distance": "1",
        "output_measure": f"{promise}: how much a report speaks for a marked answer, against any other"
        if covered is Coverage.MARKED
        else f"{promise}: weaker than it looks, its ε does not bound all that a report tells",
        "bound_on_output_distance": bound,
        "data_domain": domain,
        "unprotected_quantities": "columns without a mark, which are sent as they are"
        if whole_columns
        else f"answers that are not marked: a report may show them, and that none is marked{asked.beside}",
    }


def _loss(
    study: Study, table: data.Table, promise: str, local: bool, survey: review.HiddenSurvey | None
) -> dict[str, Any]:
    kind, least = TASKS[study.task].MARKS, study.secret_at(study.epsilon)
    epsilon = study.epsilon if promise in BY_LEVEL or kind.every_column or not study.marks.secret else least
    notes = []
    if survey is not None:
        epsilon, each = float(survey.promised()), survey.each_spent
        of = f"ε = {study.epsilon:g} is of each {study.option('budget')}"
        if len({*each.values()}) > 1:
            of = f"of each question: {', '.join(f'ε = {spent:g} of “{name}”' for name, spent in each.items())}"
        notes = [f"of all answers of a person together; {of}"]
    elif promise in BY_LEVEL and study.marks.secret:
        notes = [f"of sensitive answers; of secret ones it is {least:g}"]
    if (several := person.promised(study, table)) is not None:
        notes += [f"one person has up to {several.rows} rows of the file, each with ε = {epsilon:g}: this is their sum"]
        epsilon *= several.rows
    adjacent = kind.adjacent if local else kind.adjacent_tables
    if not kind.every_column:
        adjacent = f"{adjacent}, of “{study.column}”"
    if _towards_marks(promise, survey):
        notes.append("towards marked answers only: no ε bounds how far others are told from one another")
        adjacent = f"{adjacent}; bounded is how much reports speak for a marked answer, against any other"
    return {
        "privacy_unit": "User-level",
        "privacy_unit_description": f"Adjacent are {adjacent}.",
        "privacy_parameters": {"epsilon": float(epsilon)},
        "privacy_parameters_description": "; ".join(notes),
    }


def _towards_marks(promise: str, survey: review.HiddenSurvey | None) -> bool:
    """Whether the promise is about marked answers alone: of a survey, where that of any of its questions is."""
    catalog = TASKS["review"].CATALOG
    promises = [promise] if survey is None else [catalog[one.key].promise for one in survey.hidden.values()]
    return any(coverage(each) is Coverage.MARKED for each in promises)


def filled(record: Mapping[str, Any], of: str = "") -> dict[str, str]:
    """The fields that say something, as a report lists them: "model.model_name" → text; what only a publisher knows is
    left out.

    >>> filled({"deployment": {"privacy_loss": {"privacy_parameters": {"epsilon": 0.5}}, "product": {"name": ""}}})
    {'privacy_loss.privacy_parameters.epsilon': '0.5'}
    """
    fields: dict[str, str] = {}
    for name, value in record["deployment"].items() if not of else record.items():
        path = f"{of}.{name}" if of else name
        if isinstance(value, Mapping):
            fields |= filled(value, path)
        elif value not in ("", []):
            fields[path] = value if isinstance(value, str) else f"{value:g}"
    return fields


def written(record: Mapping[str, Any]) -> str:
    """The file of a record: YAML, and whose field names these are."""
    return f"# Field names: {SCHEMA}\n{to_yaml(record)}"


def to_yaml(record: Mapping[str, Any], indent: str = "") -> str:
    """A record as YAML: mappings, texts, numbers and lists of texts."""
    lines = ""
    for name, value in record.items():
        if isinstance(value, Mapping):
            lines += f"{indent}{name}:\n{to_yaml(value, indent + '  ')}"
        elif isinstance(value, list):
            lines += f"{indent}{name}: [{', '.join(map(_scalar, value))}]\n"
        else:
            lines += f"{indent}{name}: {_scalar(value)}\n"
    return lines


def _scalar(value: object) -> str:
    r"""A text in quotation marks, whatever it holds; a number as it is.

    >>> print(_scalar('a: "b"\n🙂'), _scalar(1.5))
    "a: \"b\"\U0000000a🙂" 1.5
    """
    if not isinstance(value, str):
        return repr(value)
    plain = {'"': '\\"', "\\": "\\\\"}
    return '"' + "".join(plain.get(c, c if c.isprintable() else f"\\U{ord(c):08x}") for c in value) + '"'
