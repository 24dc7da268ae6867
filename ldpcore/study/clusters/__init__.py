"""The clusters task: how near private clusters come to K-modes from the same start, and what the messages give away.

`column` is the attribute whose trace is of most interest; the records are made of the columns in the option `columns`.
A column is marked where one of its answers is ("smoking = never"): what knows marks protects it whole, with the ε of
its most secret answer, and sends the others as they are.
Every repetition has its own start, the same for all methods and at every ε and n, and on the axis n its own people:
n of the data's records without replacement (beyond them, whole copies first). Scores are against K-modes on the same
people from the same start.

>>> from ldpcore import Source, Study, run
>>> study = Study(Source("health"), "condition", mechanisms=("LDPK", "Fresh"), grid=(), repetitions=1, task="clusters")
>>> rows = run(study.with_options(columns=("sex", "condition", "smoking"), attack=False))
>>> rows[rows["metric"] == "ac"].set_index("mechanism")["value"].round(2).to_dict()  # share in matching clusters
{'LDPK': 1.0, 'Fresh': 0.7}
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from ldpcore import catalog, checks
from ldpcore.clusters import Clustering, Records, accuracy, entropy, kmodes, nearest, starting_modes
from ldpcore.clusters.records import number_of_clusters
from ldpcore.data import Table
from ldpcore.data.histogram import Missing
from ldpcore.domain import Categorical
from ldpcore.memory import Remembering, remembered
from ldpcore.rng import stream
from ldpcore.study import fitting, mark_kinds
from ldpcore.study.clusters.grading import check_marks, epsilons, known_marks, levels
from ldpcore.study.definition import Study
from ldpcore.study.measures import POSITIVE, SCORE
from ldpcore.study.options import TaskOptions
from ldpcore.study.skeleton import Row, Run

CATALOG = catalog.CLUSTERINGS
AXES = ("epsilon", "n", "k")
MARKS = mark_kinds.RECORDS
MOST_CLUSTERS = 50


@dataclass(frozen=True, kw_only=True)
class ClusterOptions(TaskOptions):
    """columns: the attributes of a record; none: every column of categories. k: how many clusters. attack: whether the
    messages of the chosen point are attacked.
    """

    PORTABLE: ClassVar = ("k", "attack")
    columns: tuple[str, ...] = ()
    k: int = 3
    attack: bool = True

    def check(self) -> None:
        self._set("columns", tuple(map(str, self.columns)))
        self._set("k", checks.integer(self.k, "the option k (the number of clusters)", 1, MOST_CLUSTERS))


OPTIONS = ClusterOptions


def options(study: Study) -> ClusterOptions:
    """What a study of clusters is told."""
    return cast(ClusterOptions, study.options)


@dataclass(frozen=True, eq=False)
class ClusterRecords(Remembering):
    """The records of the chosen columns, their domains, and how many rows the study leaves out."""

    columns: tuple[str, ...]
    domains: tuple[Categorical, ...]
    records: Records
    dropped: int

    @property
    def n(self) -> int:
        return self.records.n


@dataclass(frozen=True, eq=False)
class ClusterDesignPoint:
    """One repetition of some k and n: whom it asks, from which modes it starts, and the true clusters."""

    columns: tuple[str, ...]
    records: Records
    start: NDArray[np.intp]

    @property
    def k(self) -> int:
        return len(self.start)

    @cached_property
    def true(self) -> Clustering:
        # K-modes draws nothing once its start is given.
        return kmodes(self.records, self.k, stream(0, "unused"), start=self.start)

    def play(self, study: Study, mechanism: str, x: float, repetition: int) -> Clustering:
        """A method at the point x of the study's axis."""
        rng, entry, budget = stream(study.seed, mechanism, float(x), repetition), CATALOG[mechanism], epsilon(study, x)
        marked = entry.grading(epsilons(study, self.columns, budget))
        return entry.run(self.records, self.k, budget, rng, start=self.start, **marked)


USUAL_COLUMNS = 6
"""Columns of a record until somebody chooses."""
DELICATE = ("marital-status", "condition")
"""Columns that people would rather keep to themselves: their trace is looked at first."""


def usual(table: Table, marked: Collection[str] = ()) -> tuple[str, ...]:
    """The columns of a record until somebody chooses: of categories, those that are marked and then those with more
    than two values, as many as are usual, in the order of the data. marked: names of columns.
    """
    names = categories(table)
    distinct = {column.name: column.distinct for column in table.profile()}
    first = [name for name in names if name in marked]
    rich = [name for name in names if name not in marked and distinct[name] > 2]
    chosen = ([*first, *rich] or names)[:USUAL_COLUMNS]
    return tuple(name for name in names if name in chosen)


def delicate(names: Sequence[str], marked: Collection[str] = ()) -> str:
    """The column whose trace is looked at first, one that is marked before others; "" where there is none."""
    first = [name for name in names if name in marked] or names
    return next((name for name in DELICATE if name in first), first[0] if first else "")


def default_column(table: Table) -> str:
    return delicate(usual(table))


@fitting.fits
def fit(study: fitting.Draft, table: Table) -> fitting.Refusals:
    """The study about this table: columns of categories that make records, and one of them to look at."""
    asked = study.column
    study.set(column="", bins=None, choices=())
    refused = fitting.start(study, table, CATALOG, categories(table), "")
    named, marked = options(study).columns, levels(study, categories(table))
    known = tuple(name for name in named if name in categories(table))
    if len(known) < len(named):
        refused += (fitting.Refused("The study names columns that are not here; the others are shown."),)
    names = known or usual(table, marked)
    column = asked if asked in names else delicate(names, marked)
    if asked and asked != column:
        what = f"“{asked[:40]}” is none of the columns of a record."
        refused += (fitting.Refused(what, "Another one is attacked."),)
    study.set(column=column, options=study.changed_options(columns=names or None))
    known = {name: table.frame[name].cat.categories for name in names}
    return refused + fitting.marks(study, known_marks(known))


def clusters(study: Study) -> int:
    """k of the study."""
    return options(study).k


def attributes(study: Study, table: Table) -> tuple[str, ...]:
    """The attributes of a record: those chosen, or every column of categories."""
    chosen = tuple(dict.fromkeys(options(study).columns)) or categories(table)
    if not chosen:
        raise ValueError(
            f"“{table.name}” has no column of categories, and clusters are of records of categories; "
            "cut a column of numbers into bins in a file of your own, or choose other data"
        )
    if study.column not in chosen:
        raise ValueError(
            f"“{study.column}”, whose trace is looked at, is not among the columns of the records, "
            f"{checks.name_list(chosen, 20)}; add it, or look at one of them"
        )
    return chosen


def categories(table: Table) -> tuple[str, ...]:
    """The columns that a record can be made of."""
    return tuple(column.name for column in table.profile() if column.role == "category")


def prepare(study: Study, table: Table) -> ClusterRecords:
    """The records; ValueError for a study with marks of nothing, no category column, or too many clusters."""
    people = checked(study, read(table, attributes(study, table), cast(Missing, study.missing)))
    check_marks(study, {name: domain.labels for name, domain in zip(people.columns, people.domains, strict=True)})
    return people


columns = categories


def checked(study: Study, people: ClusterRecords) -> ClusterRecords:
    """The same people, if they are enough for every number of clusters, and every n, of the study."""
    for k in (clusters(study), *(study.grid if study.axis == "k" else ())):
        number_of_clusters(checks.integer(k, "a number of clusters", 1, MOST_CLUSTERS), people.records)
        for n in (study.n or k, *(study.grid if study.axis == "n" else ())):
            checks.integer(n, f"n (the number of people, who make {k:g} clusters)", int(k))
    return people


def read(table: Table, chosen: tuple[str, ...], missing: Missing) -> ClusterRecords:
    """The records of these columns. missing: rows incomplete in any column of the file, or in these, are left out."""
    counts = [table.categorical(column, missing) for column in chosen]
    codes = np.stack([table.frame[column].cat.codes.to_numpy(np.intp) for column in chosen], axis=1)
    sizes = [histogram.domain.k for histogram in counts]
    if missing == "category":
        # Where a column misses answers, "(missing)" is its last value.
        codes, keep = np.where(codes < 0, np.array(sizes) - 1, codes), np.ones(len(codes), bool)
    else:
        rows = table.frame if missing == "any" else table.frame[list(chosen)]
        keep = rows.notna().all(axis=1).to_numpy()
    if not keep.any():
        raise ValueError("every record misses an answer; count a missing answer as a value, or choose other columns")
    return ClusterRecords(chosen, tuple(h.domain for h in counts), Records.of(codes[keep], sizes), int((~keep).sum()))


def current(study: Study, data: ClusterRecords) -> float:
    """The point of the axis that is chosen now; it alone has the attack."""
    return {"epsilon": study.epsilon, "k": float(clusters(study))}.get(study.axis, float(study.n or data.n))


def cell(study: Study, data: ClusterRecords, x: float, repetition: int) -> ClusterDesignPoint:
    """Whom the point x asks, and where it starts, built from the study alone: the same for every method and ε."""
    k = int(x) if study.axis == "k" else clusters(study)
    n = int(x) if study.axis == "n" else study.n

    def make() -> ClusterDesignPoint:
        start = starting_modes(data.records.levels, k, stream(study.seed, "start", k, repetition))
        return ClusterDesignPoint(data.columns, asked(data.records, n, stream(study.seed, "people", repetition)), start)

    # The truth is found once for all that start there.
    return remembered(data, ("cell", study.seed, k, n, repetition), make, 4)


def epsilon(study: Study, x: float) -> float:
    return float(x) if study.axis == "epsilon" else study.epsilon


def asked(records: Records, n: int | None, rng: np.random.Generator) -> Records:
    """n of the people: whole copies of all, and the rest drawn without replacement."""
    if n is None or n == records.n:
        return records
    copies, rest = divmod(n, records.n)
    return records.thinned(
        records.counts * copies + rng.multivariate_hypergeometric(records.counts, rest, method="marginals")
    )


def _survey(study: Study, data: ClusterRecords, mechanism: str, x: float, repetition: int) -> Iterator[Row]:
    """One run of one method; no closed form stands beside it: AC and entropy depend on the whole path."""
    point = cell(study, data, x, repetition)
    run = point.play(study, mechanism, x, repetition)
    labels, true = (nearest(point.records, modes) for modes in (run.modes, point.true.modes))
    yield "ac", "all", accuracy(labels, true, point.records.counts)
    yield "entropy", "all", entropy(labels, true, point.records.counts)
    yield "rounds", "all", float(run.rounds)
    sent = [message for message in run.messages if message.sender == "user"]
    yield "bytes per person", "all", sum(m.count * m.bytes for m in sent) / point.records.n
    yield "bits", "all", run.report_bits(point.records.n)
    attack = CATALOG[mechanism].attack
    if x == current(study, data) and attack is not None and options(study).attack:
        rng = stream(study.seed, "attack", mechanism, float(x), repetition)
        budget = epsilon(study, x)
        marked = CATALOG[mechanism].grading(epsilons(study, data.columns, budget))
        guessed = attack(point.records, run, budget, rng, **marked)
        yield from (("guessed", name, float(p)) for name, p in zip(data.columns, guessed, strict=True))


# One run guesses about all people from the same modes: these are no independent trials.
MEASURES = {
    "ac": SCORE,
    **dict.fromkeys(("entropy", "rounds", "bytes per person", "bits"), POSITIVE),
    "guessed": SCORE,
}
RUN = Run(current, _survey)
points, theory, chunks = RUN.points, RUN.theory, RUN.chunks
