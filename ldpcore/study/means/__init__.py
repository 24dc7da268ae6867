"""The means task: the mean of one column of numbers, its distribution, and who is recognised.

`study.bins` is the public range in the user's units and the number of EM's bins; numbers outside it are clipped and
counted. Marks are intervals such as "60..80" (study/intervals.py). Errors are in the user's units, squared. A metric
names its estimate: "mse:mean", "mse:unbiased", "mse:em" (the paper's stop), "mse:mle".
People who choose other marks for themselves (`Study.choices`) are groups of their own, as in sdldp §5.

>>> from ldpcore import Marks, Source, Study, run
>>> old, names = Marks.of(["80..98"]), ("Duchi", "PM", "uTernary")
>>> study = Study(Source("health"), "age", old, names, bins=(18, 98, 64), grid=(), repetitions=1, task="means")
>>> rows = run(study.with_options(attacks=0, estimates=("mean",)))
>>> (rows[rows["metric"] == "mse:mean"].set_index("mechanism")["theory"] ** 0.5).round(2).to_dict()  # years
{'Duchi': 0.63, 'PM': 0.61, 'uTernary': 0.35}
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

import numpy as np

from ldpcore.bins import placed
from ldpcore.data import Table
from ldpcore.data.histogram import Missing
from ldpcore.data.weighing import Weighing
from ldpcore.domain import Interval
from ldpcore.numeric_randomizer import FITTED, Vector
from ldpcore.rng import stream
from ldpcore.study import fitting, intervals, invented, mark_kinds
from ldpcore.study.definition import Marks, Study
from ldpcore.study.means import own, varied
from ldpcore.study.means.exposure import attack, exposed
from ldpcore.study.means.making import CATALOG, beside, cell, current, detailed, exists, pairs, parts  # noqa: F401
from ldpcore.study.means.numbers import MeanDesignPoint, NumberColumn
from ldpcore.study.means.options import MeanOptions
from ldpcore.study.measures import NORMAL, POSITIVE, SCORE, SQUARE, Chance
from ldpcore.study.skeleton import Row, Run
from ldpcore.tally import NumericTally

AXES = ("epsilon", "n", "share")
MARKS = mark_kinds.INTERVALS
BESIDES = (invented.KEY,)
"""What can be compared and is in no catalogue."""
CHOICES = ("share",)
"""People may choose their marks for themselves."""
BINS = 64
"""EM's input bins until a study says otherwise: fine enough for pictures, quick enough for a slider."""
OPTIONS = MeanOptions


def options(study: Study) -> MeanOptions:
    """What a study of means is told."""
    return cast(MeanOptions, study.options)


columns, ordered = fitting.averageable, fitting.numeric
"""What a mean can be asked of; and what another page turns to, since few numbers may be codes."""


def default_column(table: Table) -> str:
    return next(iter(columns(table)), "")


@fitting.fits
def fit(study: fitting.Draft, table: Table) -> fitting.Refusals:
    """The study about this table: a column of numbers, a public range that makes sense, and marks within it."""
    # The own mechanism is compared wherever the study has a table for it.
    study.set(mechanisms=tuple(key for key in study.mechanisms if key != invented.KEY) or CATALOG.defaults)
    refused = fitting.start(study, table, CATALOG, columns(table), default_column(table))
    profile = fitting.column(table, study.column)
    if profile is None:
        return refused
    if study.missing == "category":
        study.set(missing="column")
    try:
        low, high, bins = study.bins or (*fitting.proposed(profile)[:2], BINS)
        public = Interval(low, high)
    except ValueError as error:
        refused += (fitting.Refused("The study's public range was left out.", str(error)),)
        (low, high, _), bins = fitting.proposed(profile), BINS
        public = Interval(low, high)
    study.set(bins=(low, high, bins))
    try:
        choices = tuple(replace(choice, marks=_rewritten(choice.marks, public)) for choice in study.choices)
        study.set(marks=_rewritten(study.marks, public), choices=choices)
    except ValueError as error:
        refused += (fitting.Refused("The study's intervals were left out.", str(error)),)
        study.set(marks=Marks(), choices=())
    return refused + invented.fit(study, own.usable)


def _rewritten(marks: Marks, public: Interval) -> Marks:
    """The same intervals as they are kept; ValueError where they make no sense."""
    pairs(marks, public)  # all of them, whatever their levels
    return marks.each(lambda values: [intervals.written(*pair) for pair in pairs(Marks.of(values), public)])


def prepare(study: Study, table: Table) -> NumberColumn:
    """The column's numbers within the public range; ValueError for a study without one, or marks that make no sense."""
    if study.bins is None:
        raise ValueError(
            "numbers need a public range that does not depend on them: give bins = [low, high, number of bins], "
            "such as [0, 100, 64]"
        )
    low, high, bins = study.bins
    interval = Interval(low, high)
    if study.missing == "category":
        raise ValueError(
            'a missing number has no place in a mean; choose missing = "any" or "column" to leave those rows out'
        )
    values = table.numbers(study.column, cast(Missing, study.missing))
    if not np.all(np.isfinite(values)):
        raise ValueError(
            f"“{study.column}” holds {np.count_nonzero(~np.isfinite(values))} infinite number(s), which no person can "
            "have; correct them, or leave them empty"
        )
    clipped = np.clip(values, low, high)
    if clipped.min() == clipped.max():
        raise ValueError(
            f"every number of “{study.column}” is {clipped[0]:g} within the public range {low:g} to {high:g}: there is "
            "nothing to estimate and nothing to hide; choose another column, or a wider range"
        )
    for each in (study.marks, *(choice.marks for choice in study.choices)):
        pairs(each, interval)
    points, where = placed(np.clip(interval.encode(values), -1, 1), 1 << 16)
    counts = np.bincount(where, minlength=len(points)).astype(np.int64)
    weights = table.number_weights(study.column, cast(Missing, study.missing))
    weighing = None if weights is None else Weighing.of(*weights, where, len(points))
    lost = len(table.frame) - len(values)
    hidden = float(np.sum((values - clipped) / len(values)))  # sums of the largest floats there are would overflow
    return NumberColumn(interval, bins, points, counts, lost, interval.outside(values), hidden, weighing)


def _metric(name: str, how: str, combination: str) -> str:
    return f"{name}:{how}" if combination == "share" else f"{name}:{how}:{combination}"


def _expected(study: Study, data: NumberColumn, mechanism: str, x: float) -> Iterator[Row]:
    """Exact errors and means where there is a closed form."""
    if not exists(study, data, mechanism, x):
        return
    point = cell(study, data, mechanism, x)
    truth = point.mean
    for how in point.estimates(options(study).estimates):
        if how in FITTED:
            continue
        for combination in point.combinations:
            expected, variance = point.moments(how, combination)
            yield _metric("mse", how, combination), "all", data.unit**2 * (variance + (expected - truth) ** 2)
            yield _metric("estimate", how, combination), "all", float(data.interval.decode(expected))
    yield "bits", "all", point.bits
    if options(study).reports:
        yield from ((varied.METRIC, scope, worst) for scope, (_, worst) in varied.largest(point, data).items())
    if detailed(study, data, mechanism, x) and len(point.groups) == 1:
        for how in point.estimates(tuple(h for h in options(study).estimates if h in FITTED)):
            yield from ((f"share:{how}", *pair) for pair in zip(data.labels, data.shares.tolist(), strict=True))
        yield from exposed(data, point, _delta(study, data))


def _delta(study: Study, data: NumberColumn) -> float:
    """Half the width of a winning guess, on [-1, 1]."""
    wanted = options(study).delta
    return 0.2 if wanted is None else wanted / data.unit


def _survey(study: Study, data: NumberColumn, mechanism: str, x: float, repetition: int) -> Iterator[Row]:
    """One simulated survey, and its attack."""
    if not exists(study, data, mechanism, x):
        return
    point, each = cell(study, data, mechanism, x), detailed(study, data, mechanism, x)
    rng = stream(study.seed, mechanism, float(x), repetition)
    tallies, truth = [group.survey(rng) for group in point.groups], point.drawn
    for how in point.estimates(options(study).estimates):
        means_of_groups, shares = _estimate(data, point, tallies, how)
        for combination in point.combinations:
            estimate = float(point.weights(combination, how) @ means_of_groups)
            yield _metric("mse", how, combination), "all", (data.unit * (estimate - truth)) ** 2
            yield (
                _metric("estimate", how, combination),
                "all",
                float(data.interval.decode(estimate + point.rounding)),
            )
        if each and shares is not None:
            yield from ((f"share:{how}", *pair) for pair in zip(data.labels, shares.tolist(), strict=True))
    yield "bits", "all", point.bits
    if options(study).reports:
        drawn = stream(study.seed, mechanism, float(x), repetition, "reports")
        yield from varied.drawn(point, data, options(study).reports, drawn)
    if each and len(point.groups) == 1 and options(study).attacks:
        rng = stream(study.seed, mechanism, float(repetition), "attack")
        yield from attack(data, point, _delta(study, data), options(study).attacks, rng)


def _estimate(
    data: NumberColumn, here: MeanDesignPoint, tallies: list[NumericTally], how: str
) -> tuple[list[float], Vector | None]:
    """Every group's mean, and for one group the shares that a fitted mean comes from."""
    if how not in FITTED or len(tallies) > 1:
        return [g.mechanism.estimate_mean(t, how) for g, t in zip(here.groups, tallies, strict=True)], None
    m = here.groups[0].mechanism
    freq = m.fit(tallies[0], how).freq
    below = np.interp(np.linspace(-1, 1, data.bins + 1), m.inputs, np.concatenate([[0.0], np.cumsum(freq)]))
    return [float(m.points @ freq)], np.diff(below)


def _trials(study: Study, data: NumberColumn, scope: str) -> int | None:
    """How many of the people attacked are in a part of the range is left to chance."""
    return options(study).attacks if scope == "all" else None


CHANCE = Chance(_trials)
MEASURES = {
    varied.METRIC: POSITIVE,
    "mse": SQUARE,
    "estimate": NORMAL,
    "share": SCORE,
    "bits": POSITIVE,
    "guessed": CHANCE,
    "proved": CHANCE,
}
RUN = Run(current, _survey, _expected, beside=beside)
points, theory, chunks = RUN.points, RUN.theory, RUN.chunks
