"""The cells of a means study: a mechanism at a point of the axis, built from the study alone."""

import numpy as np
from numpy.typing import NDArray

from ldpcore import catalog
from ldpcore.custom import CustomNumbers
from ldpcore.domain import Interval
from ldpcore.leveled_parts import Parts
from ldpcore.memory import remembered
from ldpcore.numeric_randomizer import NumericRandomizer
from ldpcore.rng import stream
from ldpcore.study import intervals, invented
from ldpcore.study.column import scaled
from ldpcore.study.definition import Marks, Study
from ldpcore.study.means import own
from ldpcore.study.means.numbers import MeanDesignPoint, NumberColumn, PointGroup

CATALOG = catalog.NUMBERS


def pairs(marks: Marks, public: Interval) -> list[intervals.Pair]:
    """The sensitive intervals, in the user's units."""
    try:
        return intervals.parse_all(marks.values, public)
    except ValueError as error:
        raise ValueError(f"the marks make no sense: {error}") from error


def _levels(marks: Marks, study: Study, epsilon: float, public: Interval) -> list[tuple[intervals.Pair, float]]:
    """The intervals, in order, each with its ε."""
    secret = set(intervals.parse_all(marks.secret, public))
    of_secret = study.secret_at(epsilon)
    return [(pair, of_secret if pair in secret else epsilon) for pair in pairs(marks, public)]


def current(study: Study, data: NumberColumn) -> float:
    """The point of the axis that is chosen now; it alone gets the distribution and the attacks."""
    if study.axis == "epsilon":
        return study.epsilon
    if study.axis == "n":
        return float(study.n or data.n)
    covered = sum(high - low for low, high in pairs(study.marks, data.interval))
    return round(covered / (2 * data.unit), 12)


def _built(data: NumberColumn, mechanism: str, parts: Parts, unmarked: float) -> NumericRandomizer:
    """A mechanism with its cells, products and score, which every repetition needs."""
    key = ("built", mechanism, parts.pieces, unmarked)
    return remembered(data, key, lambda: CATALOG[mechanism].protecting(parts, unmarked, data.bins), 128)


Leveled = list[tuple[intervals.Pair, float]]


def _marked(study: Study, data: NumberColumn, x: float) -> list[Leveled]:
    """What every group of people has marked, with the ε of each interval."""
    epsilon = x if study.axis == "epsilon" else study.epsilon
    if study.axis == "share" and not study.choices and x != current(study, data):
        return [[(pair, epsilon) for pair in intervals.outer(x, data.interval)]]
    every = (study.marks, *(choice.marks for choice in study.choices))
    return [_levels(marks, study, epsilon, data.interval) for marks in every]


def parts(study: Study, data: NumberColumn, epsilon: float) -> Parts:
    """The parts of [-1, 1] with the ε of the marks, a sensitive one's being `epsilon`."""
    return intervals.parts(_levels(study.marks, study, epsilon, data.interval), data.interval)


def _own(study: Study, data: NumberColumn, markings: list[Leveled]) -> CustomNumbers:
    """One's own, which knows no marks: they only say what it promises, to whoever marks something."""
    marked = intervals.united(pair for pairs in markings for pair, _ in pairs)
    return own.mechanism(study, data.interval, intervals.parts([(pair, 1.0) for pair in marked], data.interval))


def beside(study: Study, data: NumberColumn) -> set[float]:
    """The ε of one's own mechanism, so that all are compared there."""
    return invented.points(study, lambda: _own(study, data, _marked(study, data, study.epsilon)).epsilon)


def exists(study: Study, data: NumberColumn, mechanism: str, x: float) -> bool:
    """Whether there is such a cell: a mechanism may be computed for some ε only."""
    markings = _marked(study, data, x)
    if mechanism == invented.KEY:
        return invented.stands(study, _own(study, data, markings).epsilon, x)
    return all(CATALOG[mechanism].exists(intervals.parts(pairs, data.interval)) for pairs in markings)


def cell(study: Study, data: NumberColumn, mechanism: str, x: float) -> MeanDesignPoint:
    """Everything that one cell of the study needs, built from the study alone."""
    epsilon = x if study.axis == "epsilon" else study.epsilon
    counts = data.counts if study.n is None else scaled(data.counts, study.n)
    if study.axis == "n":
        counts = scaled(data.counts, max(1, round(x)))

    markings = _marked(study, data, x)

    def group(pairs: Leveled, counts: NDArray[np.int64]) -> PointGroup:
        occupied = counts > 0
        if mechanism == invented.KEY:
            made: NumericRandomizer = _own(study, data, markings)
        else:
            made = _built(data, mechanism, intervals.parts(pairs, data.interval), epsilon)
        weighing = data.weighing and data.weighing.holding(data.counts, counts).among(np.flatnonzero(occupied))
        return PointGroup(made, data.points[occupied], counts[occupied], weighing)

    every = tuple(pair for pairs in markings for pair, _ in pairs)
    secret = tuple(pair for pairs in markings for pair, each in pairs if each < epsilon)
    if not study.choices or mechanism == invented.KEY:
        return MeanDesignPoint((group(markings[0], counts),), every, secret)
    chosen = stream(study.seed, "choice", float(x)).multinomial(counts, _shares(study))
    groups = [group(pairs, occupied) for pairs, occupied in zip(markings, chosen.T, strict=True) if occupied.sum()]
    return MeanDesignPoint(tuple(groups), every, secret)


def _shares(study: Study) -> list[float]:
    """The share of people in each group: whoever chooses nothing has the study's marks."""
    chosen = [choice.share for choice in study.choices]
    return [max(0.0, 1.0 - sum(chosen)), *chosen]


def detailed(study: Study, data: NumberColumn, mechanism: str, x: float) -> bool:
    """Whether it is known who is recognised: at the chosen point, and wherever along ε one's own mechanism stands."""
    return x == current(study, data) or (mechanism == invented.KEY and study.axis == "epsilon")
