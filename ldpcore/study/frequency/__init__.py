"""The frequency task: shares of one column under several mechanisms, their error and who is exposed.

People are in groups with the same marks; usually there is one. People who choose other marks for themselves
(`Study.choices`) are groups of their own: the personalised mechanisms of sdldp §5 are this, for any mechanism.

>>> from ldpcore import Marks, Source, Study, run
>>> study = Study(Source("health"), "condition", Marks.of(["HIV"]), ("GRR", "uSS"), grid=(), repetitions=2)
>>> rows = run(study.with_options(attacks=0))
>>> mse = rows[(rows["metric"] == "mse") & (rows["repetition"] == 0) & (rows["scope"] != "all")]
>>> (mse.set_index(["mechanism", "scope"])["theory"] ** 0.5 * 100).round(2).unstack().to_dict("index")  # points
{'GRR': {'other': 2.07, 'sensitive': 2.0}, 'uSS': {'other': 0.13, 'sensitive': 0.57}}
"""

from collections.abc import Iterator

import numpy as np

from ldpcore.data import DataError, Histogram, Table
from ldpcore.study import fitting, mark_kinds
from ldpcore.study.column import histogram
from ldpcore.study.definition import Study
from ldpcore.study.frequency import own, survey
from ldpcore.study.frequency.cell import MARKED, FrequencyDesignPoint, Mask, Shares
from ldpcore.study.frequency.choices import CATALOG, OF_MARKED, OWN, PRIORS, FrequencyOptions, options
from ldpcore.study.frequency.making import cell, detailed, dominated, exists, under
from ldpcore.study.frequency.setting import PUBLIC, current, ranks_of
from ldpcore.study.measures import NORMAL, POSITIVE, Chance
from ldpcore.study.skeleton import Chunk, Row, Run

__all__ = [
    "AXES", "BESIDES", "CATALOG", "MARKED", "MARKS", "MEASURES", "OF_MARKED", "OPTIONS", "OWN", "PRIORS", "RUN",
    "FrequencyDesignPoint", "cell", "chunks", "columns", "current", "default_column", "dominated", "exists", "fit",
    "options", "points", "prepare", "theory", "under",
]  # fmt: skip

BESIDES = (OWN,)
"""What can be compared and is in no catalogue."""
AXES = ("epsilon", "n", "share", "k")
MARKS = mark_kinds.ANSWERS
CHOICES = ("share", "holders")
"""People may choose their marks for themselves, and holders of what these mark more often."""
OPTIONS = FrequencyOptions

columns, default_column = fitting.countable, fitting.default_countable


@fitting.fits
def fit(study: fitting.Draft, table: Table) -> fitting.Refusals:
    """The study about this table: a column that can be counted, its bins, and marks of values that it has."""
    # The own mechanism is compared wherever the study has a table for it.
    study.set(mechanisms=tuple(key for key in study.mechanisms if key != OWN) or CATALOG.defaults)
    refused = fitting.start(study, table, CATALOG, columns(table), default_column(table))
    profile = fitting.column(table, study.column)
    if profile is None:
        return refused
    if study.bins is not None and not profile.numeric:
        study.set(bins=None)
    if study.bins is None and fitting.must_bin(profile):
        study.set(bins=fitting.proposed(profile))
    try:
        known = histogram(study, table).domain.labels
    except DataError:  # whoever counts it says why it cannot be counted
        known = ()
    refused += fitting.marks(study, known)
    return refused + own.fit(study, known)


def prepare(study: Study, table: Table) -> Histogram:
    """What the simulation needs of the data: the column, counted."""
    return histogram(study, table)


def _expected(study: Study, data: Histogram, mechanism: str, x: float) -> Iterator[Row]:
    if not exists(study, data, mechanism, x):
        return
    point, each = cell(study, data, mechanism, x), detailed(study, data, mechanism, x)
    for how in point.combinations:
        error = point.squared_error(how)
        metric = "mse" if how == "share" else f"mse:{how}"
        yield from ((metric, scope, float(error[part].mean())) for scope, part in point.scopes)
        if each and how == "share" and len(error) == data.domain.k:
            yield from (("squared error", v, float(e)) for v, e in zip(data.domain.labels, error, strict=True))
            yield from (("estimate", v, float(f)) for v, f in zip(data.domain.labels, point.freq, strict=True))
    yield "bits", "all", point.bits
    for prior in options(study).priors:
        if prior in OF_MARKED and not point.marked.any():
            continue
        success = point.success(prior)
        for scope, part in point.scopes:
            if prior not in OF_MARKED or scope in MARKED:
                yield f"success:{prior}", scope, _over_holders(success, point.freq, part)


def _over_holders(success: Shares, freq: Shares, part: Mask) -> float:
    """Mean success over the people whose answer lies in this part; over its values if nobody's does."""
    weight = freq * part if freq[part].sum() > 0 else part
    return float(success @ weight / weight.sum())


def _trials(study: Study, data: Histogram, scope: str) -> int:
    """Over all values as many of the marked as of the others are attacked, and then weighted by how many hold them: the
    variance is at most that of as many attacks on people drawn from all.
    """
    return options(study).attacks


MEASURES = {
    "mse": POSITIVE,
    "max error": POSITIVE,
    "squared error": POSITIVE,
    "estimate": NORMAL,
    "bits": POSITIVE,
    "success": Chance(_trials),
}


def _beside(study: Study, data: Histogram) -> set[float]:
    """The ε of an own mechanism, so that all are compared there."""
    every = (study.marks, *(choice.marks for choice in study.choices))
    marked = np.any([ranks_of(marks, data.domain) > PUBLIC for marks in every], axis=0)
    return own.points(study, data, marked)


RUN = Run(current, survey.rows, _expected, beside=_beside)
points, theory = RUN.points, RUN.theory


def chunks(study: Study, data: Histogram) -> list[Chunk]:
    """The simulation as independent pieces, those that take long last."""
    slow = {key for key, entry in CATALOG.items() if entry.factory.slow_draw and data.domain.k > 200}
    return sorted(RUN.chunks(study, data), key=lambda chunk: chunk.mechanism in slow)
