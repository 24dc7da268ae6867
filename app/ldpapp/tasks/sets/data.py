"""Sets: what the mechanisms do with the chosen baskets, and how the page looks at it. Knows nothing of panels."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpapp import compute, controls
from ldpapp.compute.memory import once
from ldpapp.looks import look
from ldpcore import catalog
from ldpcore.data import Baskets
from ldpcore.mechanisms.padding import kept_whole
from ldpcore.set_randomizer import SetRandomizer
from ldpcore.study import Study
from ldpcore.study import sets as task
from ldpcore.study.sets.sample import Setting

SCOPES = {"all": "all items", "sensitive": "marked items", "other": "other items"}
QUANTITIES = controls.QUANTITIES
AXES = {
    "epsilon": "ε",
    "share": "share of items marked",
    "k": "number of items",
    "m": "items per report",
    "n": "number of people",
}
SHORT = {"epsilon": "ε", "share": "marked", "k": "items", "m": "m", "n": "people"}
JOINT = "SULDP-joint"
LEAKY = "SULDP-y₀"
SIZES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
"""Values of m that are tried for the least error."""


@dataclass(frozen=True)
class View(controls.View):
    """The same for sets: nothing is post-processed, and the attacks are made at the study's own point."""

    @classmethod
    def of(cls, study: Study, held: Baskets) -> "View":
        """The chosen looks as far as they fit what is marked; the axis is the study's."""
        marked = task.setting(study, held, study.arms[0].name, study.epsilon).marked
        scope = look("sets_scope", "all")
        if (scope == "sensitive" and not marked.any()) or (scope == "other" and marked.all()):
            scope = "all"
        grid, dense = grids(study.axis, study, held)
        return cls(scope, look("sets_quantity", "points"), "raw", study.axis, "", "sensitive", grid, dense)

    def simulated(self, study: Study) -> Study:
        """The study behind the marks on the curves; it does not change with the chosen ε."""
        return _along(study, self.axis, self.grid)

    def theoretical(self, study: Study) -> Study:
        """The study behind the lines."""
        return _along(study, self.axis, self.dense)

    @property
    def log_x(self) -> bool:
        return self.axis != "share"

    def at(self, study: Study, counted: Any) -> float:
        """Where the rule stands: the chosen point of the axis."""
        here = task.current(on(self.axis, study), counted)
        return here * 100 if self.axis == "share" else here


@once(64)
def on(axis: str, study: Study) -> Study:
    """The study along this axis, at its own point alone."""
    return replace(study, axis=axis, grid=())


@once(128)
def _along(study: Study, axis: str, grid: tuple[float, ...]) -> Study:
    base = replace(study, axis=axis, grid=grid).with_options(attacks=0)
    return replace(base, epsilon=grid[0]) if axis == "epsilon" else base


def grids(axis: str, study: Study, held: Baskets) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Where to simulate, and where to draw theory."""
    simulated = study.option("simulated")
    if axis == "epsilon":
        low, high = min(0.1, study.epsilon), max(5.0, study.epsilon)
        dense = tuple(sorted({float(f"{x:.3g}") for x in np.geomspace(low, high, 25)}))
        return (0.1, 0.2, 0.5, 1.0, 2.0, 4.0), dense
    items = simulated or held.k
    if axis == "share":
        steps = np.unique(np.round(np.linspace(0, items, 21)))
        return tuple(float(s / items) for s in steps[::4]), tuple(float(s / items) for s in steps[1:])
    if axis == "k":
        most = 1024 if simulated else held.k
        least = task.items_per_set(study, held) if simulated else 4
        powers = [2**i for i in range(2, 17) if least <= 2**i <= most]
        grid = tuple(float(k) for k in sorted({*powers, most}))
        return grid, grid
    if axis == "m":
        most = min(64, items) if simulated else min(64, max(8, int(held.lengths.max())))
        grid = tuple(float(m) for m in (1, 2, 4, 8, 16, 32, 64) if m <= most)
        return grid, tuple(float(m) for m in SIZES if m <= most)
    most = min(1_000_000, int(task.MAX_PAIRS / max(task.items_per_set(study, held), held.lengths.mean())))
    dense = tuple(float(n) for n in (500, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000) if n <= most)
    return dense[:6:2], dense


@dataclass(frozen=True, eq=False)
class Fact:
    """One mechanism at the study's own point."""

    key: str
    here: Setting
    mechanism: SetRandomizer

    @property
    def promise(self) -> str:
        return catalog.SETS[self.key].promise

    @cached_property
    def variance(self) -> NDArray[np.float64]:
        """Of the estimates (k,), over sampling and randomising."""
        return self.here.variance(self.mechanism)

    @property
    def squared(self) -> NDArray[np.float64]:
        """Expected squared error (k,) against the true shares: the bias of cutting is in it."""
        return self.variance + self.here.bias**2

    def error(self, scope: str = "all") -> float:
        """Typical error of a share, between 0 and 1."""
        part = dict(self.here.scopes).get(scope)
        return float(np.sqrt(self.squared[part].mean())) if part is not None else 0.0

    @property
    def bits(self) -> float:
        return self.mechanism.report_bits(self.here.kept)


def facts(study: Study, held: Baskets) -> dict[str, Fact]:
    """Those that exist at this point."""
    here = setting(study, held)
    reasons = refused(study, held)
    return {key: Fact(key, here, here.build(key)) for key in study.mechanisms if key not in reasons}


def refused(study: Study, held: Baskets) -> dict[str, str]:
    """Those that do not, and why."""
    at, arm = on("epsilon", study), study.arms[0].name
    found = {key: task.refusal(at, held, arm, key, study.epsilon) for key in study.mechanisms}
    return {key: reason for key, reason in found.items() if reason is not None}


def setting(study: Study, held: Baskets) -> Setting:
    return task.setting(on("epsilon", study), held, study.arms[0].name, study.epsilon)


def focus(found: dict[str, Fact], wanted: str | None) -> Fact:
    """The mechanism in focus: as chosen, else the most exact one that keeps its promise on the whole report.

    With nothing marked only those that protect every item promise anything.
    """
    if wanted in found:
        return found[str(wanted)]
    marked = next(iter(found.values())).here.marked.any()
    whole = [fact for fact in found.values() if (fact.promise != LEAKY if marked else fact.promise == "LDP")]
    return min(whole or list(found.values()), key=Fact.error)


def point(study: Study) -> Study:
    """The study at its own point alone: with a row for every item, and the attacks."""
    return on("epsilon", study)


PRESENCE, MEMBERSHIP, BITS = "success:presence", "success:membership", "bits"


def told(study: Study, held: Baskets) -> pd.DataFrame:
    """What reports tell at the study's own point, by the surveys so far: the summary of the attacks, and of bits."""
    found = compute.summary(point(study), held, PRESENCE, MEMBERSHIP, BITS)
    return found[found["arm"] == study.arms[0].name]


@dataclass(frozen=True)
class Padding:
    """What padding to m and sampling does: the share of baskets kept whole, the largest loss of a share, and whose;
    the m with the least error for a mechanism, and what part of the error it would take away.
    """

    whole: float
    loss: float
    item: str
    best: int
    gain: float


def padding(study: Study, held: Baskets, main: Fact) -> Padding:
    here = main.here
    worst = int(np.argmin(here.bias))
    errors = errors_by_m(study, held, main.key)
    best = min(errors, key=lambda m: errors[m])
    whole = float(kept_whole(held.lengths, here.m))
    return Padding(whole, float(-here.bias[worst]), held.labels[worst], best, 1 - errors[best] / errors[here.m])


@once(64)
def _tried(study: Study, key: str) -> Study:
    return replace(study, axis="m", mechanisms=(key,), grid=())


def errors_by_m(study: Study, held: Baskets, key: str) -> dict[int, float]:
    """m → the mechanism's typical error over all items: a small m cuts more, a large one adds noise."""
    tried = _tried(study, key)
    here = setting(study, held).m
    errors = {}
    for m in sorted({here, *(m for m in SIZES if m <= max(8, int(held.lengths.max())))}):
        if task.refusal(tried, held, study.arms[0].name, key, float(m)) is None:
            at = task.setting(tried, held, study.arms[0].name, float(m))
            errors[m] = float(np.sqrt(np.mean(at.variance(at.build(key)) + at.bias**2)))
    return errors


@dataclass(frozen=True)
class Leak:
    """What suWheel's disclosures say of the undisclosed items: exactly m − 1 of m are shown."""

    m: int
    with_one: float
    with_none: float

    @property
    def times(self) -> float:
        return self.with_one / self.with_none if self.with_none > 0 else np.inf


def leak(fact: Fact) -> Leak | None:
    """For a mechanism that discloses every unmarked item with some chance each; None for others."""
    law = getattr(fact.mechanism, "disclosed", None)
    m = fact.here.m
    if law is None or fact.promise != LEAKY:
        return None
    return Leak(m, float(law(m - 1)[m - 1]), float(law(m)[m - 1]))


def repairs(found: Sequence[Fact], here: Setting) -> list[Fact]:
    """The same baskets with the mechanisms that keep the joint promise, as far as they exist here."""
    known = {fact.key: fact for fact in found}
    out = []
    for key in ("suWheel-J", "uPrivSet"):
        if key in known:
            out.append(known[key])
            continue
        try:
            out.append(Fact(key, here, here.build(key)))
        except ValueError:  # too few marked items for its subsets: then it repairs nothing here
            continue
    return out
