"""The relations task: two columns, how wrong a difference of two groups gets under each setting, and who is exposed.

The study's column is the question whose answers are compared; the option `groups` names the other one. Marks are those
of both, written with their question. ε is that of a person's two answers together. The engine behind it is
`ldpcore.relations`; `facts` has what a page shows beside the curves.

>>> from ldpcore import Marks, Source, Study, data
>>> marks = Marks.of(["marital-status = Divorced", "marital-status = Separated", "marital-status = Widowed",
...     "marital-status = Married-spouse-absent", "income = >50K"])
>>> options = RelationOptions(groups="marital-status", setting="apart")
>>> study = Study(Source("census"), "income", marks, ("uSS",), grid=(), task="relations", options=options)
>>> people = prepare(study, data.load("census"))
>>> rows = theory(study, people)
>>> rows[rows["metric"] == "half-width"][["x", "scope", "theory"]].round(4).values.tolist()
[[1.0, 'all', 0.1018]]
"""

import math
from collections.abc import Iterator

import pandas as pd

from ldpcore import catalog
from ldpcore.data import Table
from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.randomizer import NotEnumerable
from ldpcore.relations import SurveyDesign, share_within
from ldpcore.study import fitting, mark_kinds
from ldpcore.study.definition import Study
from ldpcore.study.measures import NORMAL, POSITIVE, SQUARE
from ldpcore.study.relations.people import SAMPLED, PairCounts, counted, pair_refused, split, written
from ldpcore.study.relations.settings import HOWEVER, SETTINGS, Compared, RelationOptions, current, luck, options
from ldpcore.study.skeleton import Row, Run

__all__ = [
    "AXES", "CATALOG", "HOWEVER", "MARKS", "MEASURES", "OPTIONS", "RUN", "SAMPLED", "SETTINGS", "Compared",
    "PairCounts", "asked_pair", "chunks", "columns", "counted", "current", "default_column", "fit", "limits", "options",
    "pair_refused", "points", "prepare", "split", "theory", "written",
]  # fmt: skip

CATALOG = catalog.TWO_ANSWERS
AXES = ("epsilon", "n")
MARKS = mark_kinds.PAIRS
OPTIONS = RelationOptions
MEASURES = {
    "half-width": POSITIVE,
    "squared error of the difference": SQUARE,
    "difference": NORMAL,
    "told apart": NORMAL,
    "bits": POSITIVE,
}


def columns(table: Table) -> list[str]:
    """Questions with a list of at least two answers: numbers and identifiers have none."""
    roles = {profile.name: profile for profile in table.profile()}
    listed = [name for name in fitting.countable(table) if roles[name].role == "category" and roles[name].distinct > 1]
    return listed if len(listed) > 1 else []


def default_column(table: Table) -> str:
    """The column whose answers are compared first; "" where there are not two."""
    names, usual = columns(table), fitting.default_countable(table)
    if table.card is not None and {*table.card.relation} & {*names}:
        usual = table.card.relation[-1]
    return usual if usual in names else next(iter(names), "")


def asked_pair(study: Study, table: Table) -> tuple[str, str]:
    """The groups' question and the answers'; where no groups are named that can be, the usual ones."""
    names, groups = columns(table), options(study).groups
    if groups not in names or groups == study.column:
        wanted = (*(table.card.relation if table.card is not None else ()), *names)
        groups = next((name for name in wanted if name != study.column and name in names), "")
    return groups, study.column


@fitting.fits
def fit(study: fitting.Draft, table: Table) -> fitting.Refusals:
    """The study about this table: two questions that it has, and their marks."""
    names, marks = columns(table), study.marks
    refused = fitting.start(study, table, CATALOG, names, default_column(table))
    study.set(bins=None, marks=marks, choices=())
    groups, _ = asked_pair(study, table)
    if groups != options(study).groups:
        study.set(options=study.changed_options(groups=groups))
    try:
        people = prepare(study, table)
    except (ValueError, TypeError):  # whoever counts them says why
        return refused
    known = [mark for name, labels in zip(people.names, people.labels, strict=True) for mark in written(name, labels)]
    refused += fitting.marks(study, known)
    refused += fitting.options(study, lambda asked: Compared.of(asked, people))
    if not options(study).groups:
        study.set(options=study.changed_options(groups=people.names[0]))
    return refused


def prepare(study: Study, table: Table) -> PairCounts:
    """The two columns, counted; ValueError in a sentence where there is no relation."""
    groups = options(study).groups or asked_pair(study, table)[0] or study.column
    return counted(table, groups, study.column)


def _at(study: Study, people: PairCounts, key: str, x: float) -> tuple[Compared, SurveyDesign, int] | None:
    """What is compared, how it is asked and of how many; None where this mechanism has no such setting."""
    epsilon, n = (x, study.n or people.n) if study.axis == "epsilon" else (study.epsilon, round(x))
    compared = Compared.of(study, people)
    try:
        return compared, compared.design(key, options(study).setting, epsilon), n
    except NotEnumerable:
        return None
    except ValueError as error:
        if "no table of chances" in str(error):
            return None
        raise


def _expected(study: Study, people: PairCounts, key: str, x: float) -> Iterator[Row]:
    cell = _at(study, people, key, x)
    if cell is None:
        return
    compared, design, n = cell
    yield "half-width", "all", compared.half_width(design, n)
    variance = design.variance(compared.freq, compared.answers, compared.one, compared.other, compared.about)
    yield "squared error of the difference", "all", max(variance, 0.0) / n
    yield "bits", "all", float(design.bits)
    for name, marked in zip(people.names, ({"x": compared.mx}, {"y": compared.my}), strict=True):
        ((_, mask),) = marked.items()
        if 0 < mask.sum() < len(mask):
            try:
                exposed = design.exposure(compared.freq, **marked)
            except NotEnumerable:
                continue
            yield "told apart", f"{name}: own report", exposed.own_report
            yield "told apart", f"{name}: all reports", exposed.all_reports


def _survey(study: Study, people: PairCounts, key: str, x: float, repetition: int) -> Iterator[Row]:
    cell = _at(study, people, key, x)
    if cell is None:
        return
    compared, design, n = cell
    table = design.table(compared.drawn(design, n, luck(study, key, x, repetition)))
    one, other = (share_within(table, compared.answers, side) for side in (compared.one, compared.other))
    value = one - other
    yield "bits", "all", float(design.bits)
    if not math.isfinite(value):  # a group that is estimated below 0 tells nothing
        return
    yield "difference", "all", value
    yield "squared error of the difference", "all", (value - compared.truth) ** 2


RUN = Run(current, _survey, _expected)
points, theory, chunks = RUN.points, RUN.theory, RUN.chunks


def limits(study: Study, people: PairCounts) -> pd.DataFrame:
    """How far each mechanism's ±, and its squared error, is from the floor of what is asked so: as one, or apart."""
    rows, known = [], {}
    for key in study.mechanisms:
        for x in points(study, people):
            cell = _at(study, people, key, x)
            if cell is None:
                continue
            compared, design, n = cell
            if design.is_open:
                continue
            whole, epsilon = not CATALOG[key].uses_marks, x if study.axis == "epsilon" else study.epsilon
            asked = HOWEVER if key in catalog.PAIRS else options(study).setting
            if (whole, epsilon, n, asked) not in known:
                known[whole, epsilon, n, asked] = compared.floor(epsilon, n, whole, asked)
            floor = known[whole, epsilon, n, asked]
            if floor:
                times = compared.half_width(design, n) / floor
                rows.append((key, x, "half-width", "all", floor, times))
                rows.append((key, x, "squared error of the difference", "all", (floor / NORMAL_95) ** 2, times**2))
    return pd.DataFrame(rows, columns=["mechanism", "x", "metric", "scope", "limit", "times the limit"])
