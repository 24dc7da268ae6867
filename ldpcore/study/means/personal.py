"""People who each mark as much of the range as they like, under SDPM: what it costs and gains; and the blind guess."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore.domain import Interval
from ldpcore.memory import remembered
from ldpcore.rng import stream
from ldpcore.scope import parts
from ldpcore.study import Choice, Marks, Study, intervals, means
from ldpcore.study.means import NumberColumn
from ldpcore.study.means.numbers import MeanDesignPoint, PointGroup

SHARES = (0.25, 0.5, 0.75)
"""How much of the public range the three kinds of people mark: the paper's SDPM-25, -50 and -75 (sdldp, figure 8)."""
PLACES = ("both", "upper", "lower")
"""The ends of the range that people mark; "both" is the paper's."""
MIXES = {"paper": (0.4, 0.3, 0.3), "few": (0.7, 0.2, 0.1), "much": (0.1, 0.2, 0.7)}
"""Shares of people who mark 25, 50 and 75 % of the range; the first is the paper's (section 6)."""
WHO = ("any", "own")
"""Whether people mark whatever their answer is, or so that it covers their own, where one of the three does."""
SURVEYS = 4
"""Times as many surveys by EM as elsewhere: ten would tell a typical error to no better than a quarter."""
ALIKE = tuple(f"SDPM-{share:.0%}".removesuffix("%") for share in SHARES)
COMBINED = {"by share": "share", "min. variance": "minimum-variance"}
"""Line → how the groups are combined (theory/frequency#groups-who-mark-differently)."""


@dataclass(frozen=True)
class PersonalMarks:
    """Where people mark, how many mark how much, and whether it depends on their answer."""

    place: str = "both"
    mix: str = "paper"
    who: str = "any"


def marked(share: float, place: str, public: Interval) -> list[intervals.Pair]:
    """This share of the public range: half of it at each end, or all of it at one."""
    if place == "both":
        return intervals.outer(share, public)
    width = share * (public.high - public.low)
    return [(public.high - width, public.high)] if place == "upper" else [(public.low, public.low + width)]


@dataclass(frozen=True)
class Studies:
    """SDPM at the study's own ε, without attacks: where all mark alike, one Study for each of ALIKE, and where each
    chooses.
    """

    each: tuple[Study, ...]
    mixed: Study

    @property
    def alike(self) -> dict[str, Study]:
        """Line → Study."""
        return dict(zip(ALIKE, self.each, strict=True))

    @property
    def every(self) -> tuple[Study, ...]:
        """All of them; what they have simulated is read by `simulated`."""
        return (*self.each, self.mixed)


def studies(base: Study, marking: PersonalMarks, public: Interval) -> Studies:
    """The surveys of people who mark in this way."""
    plain = replace(base, mechanisms=("SDPM",), grid=(), repetitions=SURVEYS * base.repetitions, choices=())
    plain = plain.with_options(attacks=0, estimates=("unbiased", "em"))
    marks = [Marks.of(intervals.written(*pair) for pair in marked(share, marking.place, public)) for share in SHARES]
    alike = tuple(replace(plain, marks=each) for each in marks)
    chosen = zip(marks[1:], MIXES[marking.mix][1:], strict=True)
    mixed = replace(plain, marks=marks[0], choices=tuple(Choice(each, share) for each, share in chosen))
    return Studies(alike, mixed)


def groups(groups: Sequence[PointGroup], here: Studies, data: NumberColumn, choice: PersonalMarks) -> MeanDesignPoint:
    """Everybody in the group of the marks that they choose; one draw for every ε, so that lines are smooth."""
    answers, counts, weighing = groups[0].points, groups[0].counts, groups[0].weighing
    values = data.interval.decode(answers)
    chance = np.tile(np.array(MIXES[choice.mix])[:, None], len(answers))
    if choice.who == "own":
        every = [means.pairs(alike.marks, data.interval) for alike in here.each]
        covers = np.array([data.interval.mask(values, pairs) for pairs in every])
        chance = np.where(covers | ~covers.any(axis=0), chance, 0.0)
    drawn = stream(here.mixed.seed, "choice", 1.0).multinomial(counts, (chance / chance.sum(axis=0)).T).T
    parts = zip(groups, drawn, strict=True)

    def part(group: PointGroup, n: NDArray[np.int64]) -> PointGroup:
        some = np.flatnonzero(n)
        mine = weighing and weighing.holding(counts, n).among(some)
        return PointGroup(group.mechanism, answers[some], n[some], mine)

    return MeanDesignPoint(tuple(part(group, n) for group, n in parts if n.sum()), ())


def errors(here: Studies, data: NumberColumn, choice: PersonalMarks, epsilons: Sequence[float]) -> pd.DataFrame:
    """Exact squared errors of the unbiased mean [x, line, value, bias], in the column's units, squared and plain."""
    rows = []
    for epsilon in epsilons:
        at = [replace(alike, epsilon=epsilon) for alike in here.each]
        alike = [means.cell(each, data, "SDPM", epsilon).groups[0] for each in at]
        truth = alike[0].mean
        apart = groups(alike, here, data, choice)
        mixtures = [(name, (group,), np.ones(1)) for name, group in zip(ALIKE, alike, strict=True)]
        mixtures += [(line, apart.groups, apart.weights(how, "unbiased")) for line, how in COMBINED.items()]
        for line, people, weight in mixtures:
            mean, spread = np.array([group.moments("unbiased") for group in people]).T
            bias = float(weight @ mean) - truth
            rows.append((epsilon, line, data.unit**2 * (float(weight**2 @ spread) + bias**2), data.unit * bias))
    return pd.DataFrame(rows, columns=["x", "line", "value", "bias"])


def along(study: Study, data: NumberColumn, choice: PersonalMarks, epsilons: tuple[float, ...]) -> pd.DataFrame:
    """The `errors` of the study's people, kept with the data."""
    one = study.derived(("one survey",), lambda: replace(study, epsilon=1.0, repetitions=1))
    people = remembered(one, ("people", choice, data.interval), lambda: studies(one, choice, data.interval))
    return remembered(data, ("personal", people, choice, epsilons), lambda: errors(people, data, choice, epsilons), 64)


def simulated(alike: Mapping[str, pd.DataFrame], mixed: pd.DataFrame) -> dict[str, tuple[float, int]]:
    """Line → typical error by EM in the surveys so far, and how many these are: of the rows of `Studies.alike`, by
    line, and of those of `Studies.mixed`.
    """
    out = {}
    for line in (*ALIKE, *COMBINED):
        rows = alike[line] if line in ALIKE else mixed
        how = COMBINED.get(line, "share")
        errors = rows[rows["metric"] == ("mse:em" if how == "share" else f"mse:em:{how}")]["value"]
        if len(errors):
            out[line] = float(np.sqrt(errors.mean())), len(errors)
    return out


def blind(here: Study, data: NumberColumn, delta: float) -> tuple[float, dict[str, float]]:
    """The one guess that covers most people within ±delta, and Scope → share of its people whom it covers."""
    m = means.cell(replace(here, grid=(), choices=()), data, "SDPM", here.epsilon).groups[0].mechanism
    people = np.histogram(data.points, m.inputs, weights=data.held)[0]
    near = np.abs(m.points[:, None] - m.points) <= delta / data.unit + 1e-12
    best = int(np.argmax(near @ people))
    inside = data.interval.mask(data.interval.decode(m.points), means.pairs(here.marks, data.interval))
    return float(data.interval.decode(m.points[best])), {
        scope: float(people[who] @ near[who, best] / people[who].sum())
        for scope, who in parts(inside).items()
        if people[who].sum()
    }
