"""What a page of numbers begins with until somebody chooses, so that there is something to see: what is proposed as
sensitive, and how near a guess must come. Where the public range does not serve, it is read off the data: for whoever
has these, and no part of what is published.

>>> from ldpcore import Source, Study, data
>>> from ldpcore.study import means
>>> study = Study(Source("census"), "age", grid=(), bins=(10, 90, 16), task="means")
>>> ages = means.prepare(study, data.load("census"))
>>> proposed(ages), is_read_off(ages), near(ages)
([(70.0, 90.0)], False, 8.0)
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ldpcore.data import upper_end
from ldpcore.numeric_randomizer import Vector
from ldpcore.study import intervals
from ldpcore.study.means import repeats
from ldpcore.study.means.numbers import NumberColumn

NEAR = 0.1
"""How near a guess must come unless somebody chooses: a tenth of the public range."""
FEWEST, HIGHEST = 0.01, 0.1
"""Of the people: what the upper quarter of the range must hold to be proposed, and what is proposed at most else."""
WON, LEAST, MOST = 0.4, 0.2, 0.5
"""How often a blind guess wins where a distance shows how much a report adds: about, at least and at most."""
DIGITS, OFF = (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8), 0.15
"""What round distances begin with; by how much of it the bins that lie within such a distance may miss it."""


BARS, STEPS = 60, 600
"""How many bars a picture has at most, and up to how many steps of the recorded scale each holds equally many."""


@dataclass(frozen=True, eq=False)
class ScaleBars:
    """Edges (b + 1,) of bars over the public range; step: of the scale that the numbers are recorded on, each being in
    the middle of its step, 0 where bars are too wide to show it.
    """

    edges: Vector
    step: float

    def shown(self, pair: intervals.Pair) -> intervals.Pair:
        """Where the numbers of this interval stand, both ends included."""
        if not self.step:
            return pair
        low, high = np.ceil(pair[0] / self.step - 1e-9), np.floor(pair[1] / self.step + 1e-9)
        return (float(low) - 0.5) * self.step, (float(high) + 0.5) * self.step


def bars(data: NumberColumn) -> ScaleBars:
    """Of a picture of these numbers: bars that hold equally many of the numbers that can be, else one has two whole
    years and the next has one.

    >>> from ldpcore import Source, Study, data
    >>> from ldpcore.study import means
    >>> ages = means.prepare(Study(Source("census"), "age", bins=(10, 90, 16), task="means"), data.load("census"))
    >>> bars(ages).edges[:3].tolist(), bars(ages).shown((57, 90))
    ([9.5, 11.5, 13.5], (56.5, 90.5))
    """
    low, high, step = data.interval.low, data.interval.high, repeats.resolution(data)
    first, last = np.ceil(low / step - 1e-9), np.floor(high / step + 1e-9)
    many, recorded = int(last - first) + 1, data.interval.decode(data.points) / step
    if many > STEPS or np.abs(recorded - np.round(recorded)).max() > 1e-6:
        return ScaleBars(np.linspace(low, high, min(data.bins, 40) + 1), 0.0)
    each = -(-many // BARS)
    return ScaleBars((first - 0.5 + each * np.arange(-(-many // each) + 1)) * step, step)


def within(data: NumberColumn, marked: Sequence[intervals.Pair]) -> float:
    """The share of the people whose number lies in these intervals, or of their weights."""
    inside = data.interval.mask(data.interval.decode(data.points), marked)
    return float(data.held[inside].sum() / data.held.sum())


def people(data: NumberColumn, marked: Sequence[intervals.Pair]) -> int:
    """How many people these are."""
    return int(data.counts[data.interval.mask(data.interval.decode(data.points), marked)].sum())


def proposed(data: NumberColumn) -> list[intervals.Pair]:
    """What is marked in one click where nothing is: the upper quarter of the public range; where hardly anybody is
    there, the numbers from the least round one that at most a tenth of these people reach.
    """
    low, high = upper_end(data.interval)
    step = bars(data).step  # of whole numbers from a whole one on: the same people, and an end that somebody can have
    quarter = [_written(np.ceil(low / step - 1e-9) * step if step >= 1 else low, high)]
    if not is_read_off(data):
        return quarter
    low, high = data.interval.low, data.interval.high
    ends = ([_written(start, high)] for start in _rounds(low, high))
    return next((pairs for pairs in ends if 0 < within(data, pairs) <= HIGHEST), quarter)


def is_read_off(data: NumberColumn) -> bool:
    """Whether the proposal is read off the data."""
    return within(data, [_written(*upper_end(data.interval))]) < FEWEST


def near(data: NumberColumn) -> float:
    """How near a guess must come: a tenth of the public range, if one without a report then wins neither rarely nor
    mostly; else the round number at which it wins about two in five times; the tenth where there is none.
    """
    width = 2 * data.unit
    if LEAST <= blind(data, NEAR * width) <= MOST:
        return NEAR * width
    power = int(np.floor(np.log10(width)))
    rounds = (float(f"{digit}e{exponent}") for exponent in range(power - 2, power + 1) for digit in DIGITS)
    wins = {each: blind(data, each) for each in rounds if width / data.bins / 2 <= each <= width / 2}
    able = {each: won for each, won in wins.items() if won <= MOST}
    return min(able, key=lambda each: (_misses(each * data.bins / width), abs(able[each] - WON)), default=NEAR * width)


def _misses(bins: float) -> bool:
    """Whether the bins whose middles lie so many bins around one are not about as wide as that: laws go by bins."""
    return abs((2 * np.floor(bins) + 1) / (2 * bins) - 1) > OFF


def blind(data: NumberColumn, distance: float) -> float:
    """The share of the people to whom one guess for all comes that near, the best one there is."""
    numbers = data.interval.decode(data.points)
    order = np.argsort(numbers)
    numbers, before = numbers[order], np.concatenate([[0.0], np.cumsum(data.held[order])])
    last = np.searchsorted(numbers, numbers + 2 * distance * (1 + 1e-9), "right")
    return float((before[last] - before[:-1]).max() / before[-1])


def _written(low: float, high: float) -> intervals.Pair:
    return intervals.parse(intervals.written(low, high))


def _rounds(low: float, high: float) -> list[float]:
    """Round numbers within the range, some fifty or more."""
    step = 10.0 ** np.floor(np.log10((high - low) / 50))
    step = next(step * factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= 100)
    return [float(f"{i * step:.10g}") for i in range(int(np.ceil(low / step)), int(np.floor(high / step)) + 1)]
