"""The Studies behind Frequency's curves: where its axes are visited, and what each way to look asks.

>>> from ldpcore import Marks, Source, Study, data
>>> counted = data.load("health").categorical("condition")
>>> study = Study(Source("health"), "condition", Marks.of(["HIV"]), axis="k", grid=())
>>> grids("k", study, counted)[0][:2], [str(part) for part in parts(study, counted)]
((2.0, 4.0), ['all', 'sensitive', 'other'])
"""

from dataclasses import replace

import numpy as np

from ldpcore.data import Histogram
from ldpcore.memory import remembered
from ldpcore.scope import Scope
from ldpcore.study import axis_points, frequency
from ldpcore.study.curves import CurveOptions
from ldpcore.study.definition import Study
from ldpcore.study.frequency import own

GRID = (0.1, 0.2, 0.4, 0.7, 1.0, 1.6, 2.5, 4.0)
"""ε at which surveys are simulated."""


class FrequencyCurveOptions(CurveOptions):
    """Frequency's: how the chosen looks fit what is marked."""

    def simulated(self, study: Study) -> Study:
        """The study behind the marks on the curves; it does not change with the chosen ε."""
        options = {"priors": (self.prior,), "postprocessing": () if self.estimator == "raw" else (self.estimator,)}
        return study.derived(
            ("simulated", self),
            lambda: _unmoved(replace(study, axis=self.axis, grid=self.grid).with_options(**options)),
        )

    def theoretical(self, study: Study) -> Study:
        """The study behind the lines."""
        options = {"priors": (self.prior,), "attacks": 0}
        return study.derived(
            ("theoretical", self),
            lambda: _unmoved(replace(study, axis=self.axis, grid=self.dense).with_options(**options)),
        )

    def at(self, study: Study, counted: Histogram) -> float:
        """Where the rule stands: the chosen point of the axis."""
        along = study.derived(("along", self.axis), lambda: replace(study, axis=self.axis))
        point = frequency.current(along, counted)
        return point * 100 if self.axis == "share" else point


def _unmoved(base: Study) -> Study:
    """Along ε the same whatever the chosen one is."""
    if base.axis != "epsilon":
        return base
    return (base if base.marks.secret else replace(base, secret_epsilon=None)).anchored(base.grid[0])


def plain(study: Study, counted: Histogram) -> FrequencyCurveOptions:
    """The plain way to look: against ε, over all values, by one who knows that the answer is marked. Where one value
    is, that says it all: then by one who knows the shares.
    """
    grid, dense = grids("epsilon", study, counted)
    marked, level = len(study.marks) > 1, of_one_level(study)
    prior = "level" if level else "targeted" if marked else "population"
    attacked = level or ("sensitive" if marked else "all")
    return FrequencyCurveOptions("all", "points", "raw", "epsilon", prior, attacked, grid, dense)


def over(study: Study, counted: Histogram) -> Study:
    """The study, with a mechanism of one's own where its table fits, over the grid of its axis: what link, file and
    report of it have.
    """

    def made() -> Study:
        asked = own.added(study, counted.domain.labels)
        return replace(asked, grid=grids(asked.axis, asked, counted)[0])

    return remembered(counted, ("over", study), made, 16)


def detailed(study: Study, mechanism: str) -> Study:
    """One mechanism at the chosen point alone: the surveys with a row for every value."""

    def made() -> Study:
        return replace(study, mechanisms=(mechanism,), grid=()).with_options(attacks=0, priors=())

    return study.derived(("detailed", mechanism), made)


def parts(study: Study, counted: Histogram) -> tuple[str, ...]:
    """The scopes that have values, in the catalogue's order."""
    marks = study.marks
    has: dict[str, bool] = {
        Scope.ALL: True,
        Scope.SENSITIVE: bool(marks),
        Scope.OTHER: len(marks) < counted.domain.k,
        Scope.PRIVATE: 0 < len(marks.secret) < len(marks),
        Scope.SECRET: bool(marks.secret),
    }
    return tuple(scope for scope, there in has.items() if there)


def of_one_level(study: Study) -> str:
    """The level whose answers can be guessed at by one who knows it, secret before private; "" without one: of a
    single value there is nothing to guess.
    """
    secret, marks = len(study.marks.secret), len(study.marks)
    return "secret" if secret > 1 else "private" if secret and marks - secret > 1 else ""


def grids(axis: str, study: Study, counted: Histogram) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Where to simulate, and where to compute closed forms."""
    k = counted.domain.k
    if axis == "epsilon":
        return GRID, axis_points.epsilons(min(0.1, study.epsilon), max(5.0, study.epsilon))
    if axis == "n":
        dense = axis_points.people(1_000, 10_000_000)
        return dense[::4], dense
    steps = np.unique(np.round(np.linspace(1, k, min(k, axis_points.POINTS))))
    if axis == "share":
        dense = tuple(float(s / k) for s in steps)
    else:
        dense = tuple(float(s) for s in np.unique(np.maximum(steps, 2)))
    return dense[:: max(1, len(dense) // 8)], dense
