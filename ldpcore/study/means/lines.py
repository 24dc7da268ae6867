"""What a chart of means draws: lines named by mechanism and estimate, the Studies behind them, and their tables.

>>> labels([("PM", "mean"), ("SDPM", "unbiased"), ("SDPM", "em")])
{('PM', 'mean'): 'PM', ('SDPM', 'unbiased'): 'SDPM (unbiased)', ('SDPM', 'em'): 'SDPM (EM)'}
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.study import invented
from ldpcore.study.definition import Study
from ldpcore.study.means import NumberColumn, current, curves, reports
from ldpcore.study.means.estimates import EstimateOf, estimates, every_estimate, unbiased
from ldpcore.study.means.facts import MeansFacts
from ldpcore.study.summaries import summary

ENOUGH = 10
"""Fewer surveys than these tell no typical error: their marks get no interval and no line."""
NAMES = {"mean": "mean", "unbiased": "unbiased", "em": "EM", "mle": "MLE", "ems": "EMS"}
"""Estimate → what it is called behind its mechanism. EM is the paper's stop, MLE the maximum of the likelihood."""


def named(mechanism: str, how: str) -> str:
    return f"{mechanism} ({NAMES[how]})"


def drawn(known: MeansFacts, focus: str, every: bool = False) -> list[EstimateOf]:
    """Which lines there are: of both best mechanisms, of the one in focus and of one's own, without bias; or all."""
    keys = known.study.mechanisms
    if every:
        return every_estimate(keys)
    shown = dict.fromkeys([spread.mechanism for spread in known.best if spread])
    shown |= dict.fromkeys([focus, *(key for key in keys if key == invented.KEY)])
    exact = {(spread.mechanism, spread.how) for spread in known.exact}
    return [pair for pair in map(unbiased, shown) if pair in exact]


def labels(wanted: Sequence[EstimateOf]) -> dict[EstimateOf, str]:
    """What each line is called: a mechanism that has none but its unbiased one, by its name alone."""
    keys = [key for key, _ in wanted]
    return {p: p[0] if keys.count(p[0]) == 1 and p == unbiased(p[0]) else named(*p) for p in wanted}


@dataclass(frozen=True)
class MeanUnit:
    """How errors are written: on the axis, in words, and from a squared error in the column's units."""

    key: str
    name: str
    scale: float

    def __call__(self, mse: np.ndarray) -> np.ndarray:
        return self.scale * (np.sqrt(mse) if self.key in ROOTS else mse)


ROOTS = {"margin": NORMAL_95, "typical": 1.0}
"""How errors are written in the column's units → times the root mean squared error."""


def unit(key: str, data: NumberColumn) -> MeanUnit:
    """ "margin" (± 95 %) and "typical" (√MSE) are in the column's units, "mse" in their square, "scaled" on [−1, 1]."""
    if key in ROOTS:
        return MeanUnit(key, "", ROOTS[key])
    return MeanUnit(key, "mse", 1.0 if key != "scaled" else data.unit**-2)


def lines(theory: pd.DataFrame, wanted: list[tuple[str, str]], unit: MeanUnit) -> pd.DataFrame:
    """Closed forms [mechanism, x, value]: those that have one."""
    parts, called = [], labels(wanted)
    for key, how in wanted:
        rows = theory[(theory["mechanism"] == key) & (theory["metric"] == f"mse:{how}")]
        value = unit(rows["theory"].to_numpy(float))
        parts.append(pd.DataFrame({"mechanism": called[key, how], "x": rows["x"], "value": value}))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=["mechanism", "x", "value"])


def marks(found: pd.DataFrame, wanted: list[tuple[str, str]], unit: MeanUnit) -> pd.DataFrame:
    """Simulated errors of a summary [mechanism, x, value, low, high, repetitions], from ENOUGH on with intervals."""
    parts, called = [], labels(wanted)
    for key, how in wanted:
        rows = found[(found["mechanism"] == key) & (found["metric"] == f"mse:{how}")].sort_values("x")
        drawn = rows[["value", "low", "high"]].apply(unit)
        sure = rows["repetitions"] >= ENOUGH
        parts.append(drawn.assign(mechanism=called[key, how], x=rows["x"], repetitions=rows["repetitions"],
                                  low=drawn["low"].where(sure), high=drawn["high"].where(sure)))  # fmt: skip
    return pd.concat(parts, ignore_index=True)[["mechanism", "x", "value", "low", "high", "repetitions"]]


def fitted(marks: pd.DataFrame, lines: pd.DataFrame) -> pd.DataFrame:
    """What stands for a line [mechanism, x, value] where there is no closed form: the marks joined, if all are of
    ENOUGH surveys; else the last mark alone, where the name goes.
    """
    simulated = marks[~marks["mechanism"].isin(lines["mechanism"])].sort_values("x")
    sure = simulated.groupby("mechanism")["repetitions"].transform("min") >= ENOUGH
    return simulated[sure | ~simulated.duplicated("mechanism", keep="last")][["mechanism", "x", "value"]]


def along(
    theory: pd.DataFrame, marks: pd.DataFrame, wanted: Sequence[EstimateOf], axis: str
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Lines and marks as they are drawn: marks stand for a line where there is none; in the order of the estimates, the
    axis as it is written.
    """
    drawn = pd.concat([theory, fitted(marks, theory)], ignore_index=True)
    order = {called: place for place, called in enumerate(labels(wanted).values())}
    drawn = drawn.sort_values(["mechanism", "x"], key=lambda c: c.map(order) if c.name == "mechanism" else c)
    scale = curves.scale(axis)
    return drawn.assign(x=scale * drawn["x"]), marks.assign(x=scale * marks["x"])


@dataclass(frozen=True, eq=False)
class MeanLines:
    """The lines of one picture: whose error is drawn along an axis, and which Studies are behind it.

    focus: a mechanism that has a line in any case. every: all estimates have one.

    >>> from ldpcore import Marks, Source
    >>> from ldpcore.study.execute import prepare
    >>> from ldpcore.study.means.facts import facts
    >>> marks = Marks.of(["60 .. 98"])
    >>> study = Study(Source("health"), "age", marks, ("PM", "uTernary"), bins=(18, 98, 64), task="means", grid=())
    >>> lines = MeanLines(facts(study, prepare(study)), "n", "PM")
    >>> lines.pairs, lines.at, lines.simulated.grid[:2]
    ([('uTernary', 'mean'), ('PM', 'mean')], 17575.0, (100.0, 1000.0))
    """

    facts: MeansFacts
    axis: str
    focus: str
    every: bool = False

    @cached_property
    def pairs(self) -> list[EstimateOf]:
        """Both best ones and what is in focus, or all."""
        return drawn(self.facts, self.focus, self.every)

    @cached_property
    def study(self) -> Study:
        """Of the lines' mechanisms, at its own point."""
        return self.facts.study.with_mechanisms(tuple(dict.fromkeys(key for key, _ in self.pairs)))

    @property
    def estimates(self) -> tuple[str, ...]:
        return estimates(self.facts.study.mechanisms) if self.every else ("mean", "unbiased")

    @cached_property
    def simulated(self) -> Study:
        """The surveys behind the marks on the lines."""
        return curves.along(self.study, self.axis, curves.GRIDS[self.axis], self.estimates)

    @cached_property
    def theoretical(self) -> Study:
        """What has the closed forms over the axis."""
        return curves.along(self.study, self.axis, curves.DENSE[self.axis], self.estimates)

    @cached_property
    def point(self) -> Study:
        """At the chosen point of the axis alone, what the lines have of it."""
        return curves.seen(self.study, self.axis, self.estimates)

    @cached_property
    def full_point(self) -> Study:
        """The same of all mechanisms, and all that can be made of their reports."""
        study = self.facts.study
        return curves.seen(study, self.axis, estimates(study.mechanisms))

    @cached_property
    def at(self) -> float:
        """The chosen point of the axis."""
        return current(self.point, self.facts.data)

    @property
    def limits(self) -> tuple[float, ...]:
        """Where there is a limit of the focus's promise, the chosen point first; nowhere without one."""
        return (self.at, *curves.GRIDS[self.axis]) if self.facts.parts[self.focus].is_limited else ()

    def guesses(self) -> pd.DataFrame:
        """Exact chances [mechanism, x, scope, theory] of a guess that near, over ε, and at the chosen one."""
        epsilons = tuple(sorted({*curves.DENSE["epsilon"], self.study.epsilon}))
        return reports.near(self.study, self.facts.data, epsilons, self.facts.near)

    def tables(self, theory: pd.DataFrame, rows: pd.DataFrame, unit: MeanUnit) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Closed forms of `theoretical`, and simulated rows of `point` and `simulated`, those of the point first →
        lines [mechanism, x, value] and marks [mechanism, x, value, low, high, repetitions].
        """
        rows = rows.drop_duplicates(["mechanism", "metric", "scope", "x", "repetition"])
        wanted = rows["metric"].isin({f"mse:{how}" for _, how in self.pairs}) & (rows["x"] > 0)
        seen = marks(summary(self.simulated, self.facts.data, rows[wanted]), self.pairs, unit)
        return along(lines(theory[theory["x"] > 0], self.pairs, unit), seen, self.pairs, self.axis)
