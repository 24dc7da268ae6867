"""One report of a number: its law under one answer, what a guess gets from it, and the answers that are disclosed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pandas as pd

from ldpcore.memory import remembered
from ldpcore.numeric_randomizer import NumericRandomizer, Vector
from ldpcore.study import invented, means
from ldpcore.study.definition import Study
from ldpcore.study.means.numbers import MeanDesignPoint, NumberColumn

STEPS = 1200
"""Equal cells over the reports at whose midpoints a density is given; the law's own edges split some."""


@dataclass(frozen=True, eq=False)
class Law:
    """The law of one report under the answer `x`, in the column's units.

    `height` (m,) is the density at `at` (m,), `atoms` hold (place, probability) of single numbers, `mean` and `sd` are
    exact. With probability `own` the answer is disclosed: it is then sent as the last of the atoms.
    """

    x: float
    at: Vector
    height: Vector
    atoms: list[tuple[float, float]]
    own: float
    mean: float
    sd: float

    @property
    def sent(self) -> float | None:
        """The number that discloses the answer; None where nothing does."""
        return self.atoms[-1][0] if self.own else None


def law(m: NumericRandomizer, data: NumberColumn, x: float) -> Law:
    """The law of the report that this mechanism sends for `x`, a number of the column's units (clipped, as people's).

    >>> from ldpcore import Source, catalog, data
    >>> study = Study(Source("health"), "age", bins=(18, 98, 64), task="means")
    >>> found = law(catalog.MEANS["Duchi"].build(1.0), means.prepare(study, data.load("health")), 40.0)
    >>> [(round(place, 1), round(chance, 2)) for place, chance in found.atoms], round(found.mean, 1)  # years
    ([(-28.6, 0.6), (144.6, 0.4)], 40.0)
    """
    inside = np.clip(data.interval.encode(np.array([x])), -1, 1)
    places = [*getattr(m, "atoms", np.zeros(0)), float(m.places(inside)[0])]
    chances = [float(np.exp(m.log_likelihood(np.array([y]), inside))[0, 0]) for y in places]
    chance = float(m.disclosure(inside)[0])
    if chance == 0:
        places, chances = places[:-1], chances[:-1]
    low, high = getattr(m, "span", (m.edges[0] / 2, m.edges[-1] / 2))
    within = m.edges[(m.edges > low) & (m.edges < high)]
    grid = np.unique(np.concatenate([np.linspace(low, high, STEPS + 1), within]))
    middle = (grid[1:] + grid[:-1]) / 2
    middle = middle + np.where(np.isin(middle, places), 1e-9, 0)  # there the likelihood is a chance, no density
    height = np.exp(m.log_likelihood(middle, inside))[:, 0] / data.unit
    atoms = [(float(data.interval.decode(y)), c) for y, c in zip(places, chances, strict=True) if c > 0]
    mean, variance = (float(part[0]) for part in m.report_moments(inside))
    return Law(
        x,
        data.interval.decode(middle),
        height,
        atoms,
        chance,
        float(data.interval.decode(mean)),
        data.unit * variance**0.5,
    )


def guessed(study: Study, data: NumberColumn, epsilons: Iterable[float]) -> pd.DataFrame:
    """The exact chance [mechanism, x, scope, theory] that a guess is within ±delta of the answer, at each of these ε.

    Whoever guesses knows the mechanism and how the column is distributed. delta is the study's option, in the column's
    units; scopes are "all", and "sensitive" and "other" where somebody's answer is marked, or is not.

    >>> from ldpcore import Marks, Source, data
    >>> old = Marks.of(["80..98"])
    >>> study = Study(Source("health"), "age", old, ("uTernary",), bins=(18, 98, 64), grid=(), task="means")
    >>> found = guessed(study, means.prepare(study, data.load("health")), (0.5, 4.0))
    >>> found[found["scope"] == "sensitive"]["theory"].round(2).tolist()
    [0.0, 0.99]
    """
    asked = replace(study, axis="epsilon", grid=()).with_options(attacks=0, estimates=())
    parts = [means.theory(replace(asked, epsilon=epsilon), data) for epsilon in epsilons]
    rows = pd.concat(parts, ignore_index=True)
    return rows[rows["metric"] == "guessed"][["mechanism", "x", "scope", "theory"]].reset_index(drop=True)


def near(study: Study, data: NumberColumn, epsilons: tuple[float, ...], delta: float) -> pd.DataFrame:
    """The same of a guess within ±delta, mechanism by mechanism, each kept with the data."""
    asked = study.derived(
        ("near", delta), lambda: replace(study, grid=(), repetitions=1).anchored(1.0).with_options(delta=delta)
    )

    def alone(key: str) -> pd.DataFrame:
        one = asked.derived(("alone", key), lambda: replace(asked, mechanisms=(key,)))
        if key == invented.KEY:  # which stands at one ε, whatever is asked
            return remembered(data, ("guesses", one), lambda: guessed(one, data, (one.epsilon,)), 64)
        return remembered(data, ("guesses", one, epsilons), lambda: guessed(one, data, epsilons), 64)

    return pd.concat([alone(key) for key in study.mechanisms], ignore_index=True)


@dataclass(frozen=True)
class Disclosed:
    """The answers that are disclosed in a survey: how many `people`'s are expected to be, and how far their plain mean
    is off the mean of everybody: `bias` and `sd`, in the column's units. People with weights count by them in both.
    """

    people: float
    bias: float
    sd: float

    @property
    def typical(self) -> float:
        """√(bias² + sd²)."""
        return float(np.hypot(self.bias, self.sd))


def disclosed(here: MeanDesignPoint, data: NumberColumn) -> Disclosed | None:
    """What the disclosed answers alone tell of the mean, at one cell of a study; None where at most one is expected.

    Person i's answer is disclosed with probability qᵢ, on its own. Their mean is near μ = Σqᵢxᵢ / Σqᵢ, with variance
    Σqᵢ(1 − qᵢ)(xᵢ − μ)² / (Σqᵢ)²: that of a ratio, for many people.

    >>> from ldpcore import Marks, Source, data
    >>> old = Marks.of(["80..98"])
    >>> study = Study(Source("health"), "age", old, ("SDPM",), bins=(18, 98, 64), grid=(), task="means")
    >>> numbers = means.prepare(study, data.load("health"))
    >>> found = disclosed(means.cell(study, numbers, "SDPM", study.epsilon), numbers)
    >>> round(found.people), round(found.bias, 1)  # years: the old are missing
    (8406, -2.3)
    """
    points = np.concatenate([group.points for group in here.groups])
    chance = np.concatenate([group.mechanism.disclosure(group.points) for group in here.groups])
    people = float(chance @ np.concatenate([group.counts for group in here.groups]))
    if people <= 1:
        return None
    sent, squares = (
        chance * np.concatenate(each) for each in zip(*((g.held, g.squares) for g in here.groups), strict=True)
    )
    mean = float(sent @ points / sent.sum())
    spread = float(np.sqrt(squares @ ((1 - chance) * (points - mean) ** 2))) / float(sent.sum())
    return Disclosed(people, data.unit * (mean - here.mean), data.unit * spread)


def windows_begin(
    study: Study, data: NumberColumn, mechanism: str, epsilons: Sequence[float]
) -> tuple[float, float] | None:
    """The neighbours among these ε between which a mechanism begins to send windows; None: nowhere."""

    def search() -> tuple[float, float] | None:
        built = [means.CATALOG[mechanism].protecting(means.parts(study, data, x), x, data.bins) for x in epsilons]
        at = [made.windowed for made in built]  # type: ignore[attr-defined]
        steps = zip(pairwise(epsilons), pairwise(at), strict=True)
        return next((pair for pair, windows in steps if windows == (False, True)), None)

    return remembered(data, ("windows", mechanism, study.marks, study.secret_epsilon, tuple(epsilons)), search)
