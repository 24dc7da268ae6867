"""The frequency task: shares of one column under several mechanisms, their error and who is exposed.

Every arm is a list of groups of people with the same marks; an ordinary arm has one. People who choose between the
arms for themselves (option `choose`) make one more arm with a group for each choice: the personalised mechanisms of
sdldp §5 are this, for any mechanism.

>>> from ldpcore import Arm, Source, Study, run
>>> study = Study(Source("health"), "condition", (Arm.of("A", ["HIV"]),), ("GRR", "uSS"), grid=(), repetitions=2)
>>> rows = run(study.with_options(attacks=0))
>>> mse = rows[(rows["metric"] == "mse") & (rows["repetition"] == 0) & (rows["scope"] != "all")]
>>> (mse.set_index(["mechanism", "scope"])["theory"] ** 0.5 * 100).round(2).unstack().to_dict("index")  # points
{'GRR': {'other': 2.07, 'sensitive': 2.0}, 'uSS': {'other': 0.13, 'sensitive': 0.57}}
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore import catalog
from ldpcore.attacks import bayes
from ldpcore.data import DataError, Histogram, Table
from ldpcore.domain import Categorical
from ldpcore.estimators import consistency, personalised
from ldpcore.randomizer import Randomizer
from ldpcore.rng import stream
from ldpcore.study import fitting
from ldpcore.study.column import histogram, scaled
from ldpcore.study.definition import Arm, Study
from ldpcore.tally import Tally

Shares = NDArray[np.float64]
Mask = NDArray[np.bool_]
PRIORS = ("uniform", "population", "targeted")
CHOICE = "each chooses"
"""Name of the arm in which people choose between the first two arms."""

CATALOG = catalog.FREQUENCY
AXES = ("epsilon", "n", "share", "k")
MARKS = "answers"
PORTABLE = ("attacks", "priors", "postprocessing", "guess")
OPTIONS: dict[str, Any] = {
    "attacks": 100,  # attacked reports of marked, and of other values, per repetition; 0 leaves the attack out
    "priors": ("uniform", "population", "targeted"),
    "postprocessing": ("clip", "norm-sub"),
    "guess": None,  # public guess of the share of people with a marked value, where it helps; None is σ/k
    "choose": None,  # share of people who choose the second arm; None leaves the choice out
    "choose_marked": None,  # the same among people whose answer the second arm marks; None is the same share
}


@dataclass(frozen=True, eq=False)
class Group:
    """People with the same marks."""

    mechanism: Randomizer
    counts: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Cell:
    """One arm, one mechanism, one value of the axis."""

    arm: str
    mechanism: str
    x: float
    groups: tuple[Group, ...]
    marked: Mask

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        return np.sum([group.counts for group in self.groups], axis=0)

    @cached_property
    def freq(self) -> Shares:
        return self.counts / self.counts.sum()

    @property
    def scopes(self) -> Iterator[tuple[str, Mask]]:
        """The parts of the domain that errors are averaged over; a part without values gives no row."""
        parts = {"all": np.ones(len(self.marked), bool), "sensitive": self.marked, "other": ~self.marked}
        return ((name, part) for name, part in parts.items() if part.any())

    def weights(self, how: str) -> Shares:
        return personalised.weights([g.mechanism for g in self.groups], [int(g.counts.sum()) for g in self.groups], how)

    @property
    def combinations(self) -> tuple[str, ...]:
        """How the groups are combined: "share" is the plain "mse" row."""
        return personalised.HOW if len(self.groups) > 1 else ("share",)

    def squared_error(self, how: str = "share") -> Shares:
        """Exact expected squared error (k,) of the combined estimate: variance, and bias² where there is one."""
        weight = self.weights(how)
        shares = np.array([g.counts / g.counts.sum() for g in self.groups])
        variance = [g.mechanism.variance(f, int(g.counts.sum())) for g, f in zip(self.groups, shares, strict=True)]
        bias = np.sum(weight * shares, axis=0) - self.freq
        return np.sum(weight**2 * np.array(variance), axis=0) + (bias**2 if how != "share" else 0)

    def success(self, prior: str) -> Shares:
        """The adversary's exact success (k,) against the holders of each value, over the groups they are in."""
        held = np.array([group.counts for group in self.groups], float)
        # Nobody holds the value: each group counts by its size, as its members might.
        held[:, self.counts == 0] = held.sum(axis=1, keepdims=True)
        won = [bayes.success(group.mechanism, prior_of(prior, self.marked, self.freq)) for group in self.groups]
        return np.sum(held * won, axis=0) / held.sum(axis=0)


def prior_of(name: str, sensitive: Mask, freq: Shares) -> Shares | None:
    """What the adversary knows: nothing, the population's shares, or that the answer is sensitive."""
    if name == "targeted":
        return bayes.targeted_prior(sensitive)
    return freq if name == "population" else None


def options(study: Study) -> dict[str, Any]:
    out = study.chosen(OPTIONS)
    for name in ("choose", "choose_marked", "guess"):
        if out[name] is not None and not 0 <= out[name] <= 1:
            raise ValueError(f"the option {name} is a share between 0 and 1, got {out[name]:g}")
    if out["choose"] is not None and len(study.arms) < 2:
        raise ValueError("the option choose needs two arms to choose between")
    return out


columns, default_column = fitting.countable, fitting.default_countable


def fit(study: Study, table: Table) -> fitting.Fitted:
    """The study about this table: a column that can be counted, its bins, and marks of values that it has."""
    study, said = fitting.start(study, table, CATALOG, columns(table), default_column(table))
    profile = fitting.column(table, study.column)
    if profile is None:
        return study, said
    if study.bins is not None and not profile.numeric:
        study = replace(study, bins=None)
    if study.bins is None and fitting.must_bin(profile):
        study = replace(study, bins=fitting.proposed(profile))
    try:
        known = histogram(study, table).domain.labels
    except DataError:  # whoever counts it says why it cannot be counted
        known = ()
    study, unknown = fitting.marks(study, known)
    study, senseless = fitting.options(study, options)
    return study, (*said, *unknown, *senseless)


def prepare(study: Study, table: Table) -> Histogram:
    """What the simulation needs of the data: the column, counted."""
    return histogram(study, table)


def current(study: Study, data: Histogram) -> float:
    """The point of the axis that is chosen now; it alone gets a row for every value."""
    if study.axis == "epsilon":
        return study.epsilon
    if study.axis == "n":
        return float(study.n or data.n)
    return float(data.domain.k) if study.axis == "k" else _mask(study.arms[0], data.domain).mean()


def points(study: Study, data: Histogram) -> list[float]:
    return sorted({*map(float, study.grid), float(current(study, data))})


def _mask(arm: Arm, domain: Categorical) -> Mask:
    try:
        return domain.mask(arm.values)
    except ValueError as error:
        raise ValueError(f"the marks of {arm.name!r} do not fit this column: {error}") from error


def _setting(study: Study, data: Histogram, arm: Arm, x: float) -> tuple[float, NDArray[np.int64], Mask]:
    """ε, counts and mask at this value of the axis."""
    epsilon, counts, mask = study.epsilon, data.counts, _mask(arm, data.domain)
    if study.n is not None:
        counts = scaled(counts, study.n)
    if study.axis == "epsilon":
        epsilon = x
    elif study.axis == "n":
        counts = scaled(counts, max(1, round(x)))
    elif study.axis == "share":
        # Marked values first, then the rarest: the share grows from the arm's own marks outwards.
        order = np.lexsort((np.arange(len(mask)), counts, ~mask))
        mask = np.isin(np.arange(len(mask)), order[: round(x * len(mask))])
    else:
        common = np.sort(np.argsort(-counts, kind="stable")[: max(2, round(x))])
        counts, mask = counts[common], mask[common]
    return epsilon, counts, mask


def cell(study: Study, data: Histogram, arm: str, mechanism: str, x: float) -> Cell:
    """Everything that one cell of the study needs, built from the study alone."""
    entry = catalog.FREQUENCY[mechanism]
    extra = {"share": options(study)["guess"]} if entry.takes_share else {}

    def group(mask: Mask, counts: NDArray[np.int64], epsilon: float) -> Group:
        return Group(entry.build(epsilon, len(counts), mask, **extra), counts)

    if arm != CHOICE:
        epsilon, counts, mask = _setting(study, data, next(a for a in study.arms if a.name == arm), x)
        return Cell(arm, mechanism, x, (group(mask, counts, epsilon),), mask)
    epsilon, counts, first = _setting(study, data, study.arms[0], x)
    second = _setting(study, data, study.arms[1], x)[2]
    choose = options(study)["choose"]
    of_marked = options(study)["choose_marked"]
    chosen = np.round(counts * np.where(second, choose if of_marked is None else of_marked, choose)).astype(np.int64)
    parts = [(first, counts - chosen), (second, chosen)]
    return Cell(arm, mechanism, x, tuple(group(m, c, epsilon) for m, c in parts if c.sum()), first | second)


def arms(study: Study) -> list[str]:
    return [arm.name for arm in study.arms] + ([CHOICE] if options(study)["choose"] is not None else [])


def theory(study: Study, data: Histogram) -> pd.DataFrame:
    """Closed forms only: arm, mechanism, x, metric, scope, theory. Costs nothing in n."""
    rows: list[tuple[str, str, float, str, str, float]] = []
    for arm in arms(study):
        for mechanism in study.mechanisms:
            for x in points(study, data):
                here = cell(study, data, arm, mechanism, x)
                rows += [(arm, mechanism, x, *row) for row in _theory(study, here, data, x == current(study, data))]
    return pd.DataFrame(rows, columns=["arm", "mechanism", "x", "metric", "scope", "theory"])


def _theory(study: Study, here: Cell, data: Histogram, detailed: bool) -> Iterator[tuple[str, str, float]]:
    for how in here.combinations:
        error = here.squared_error(how)
        metric = "mse" if how == "share" else f"mse:{how}"
        yield from ((metric, scope, float(error[part].mean())) for scope, part in here.scopes)
        if detailed and how == "share" and len(error) == data.domain.k:
            yield from (("squared error", v, float(e)) for v, e in zip(data.domain.labels, error, strict=True))
            yield from (("estimate", v, float(f)) for v, f in zip(data.domain.labels, here.freq, strict=True))
    for prior in options(study)["priors"]:
        if prior == "targeted" and not here.marked.any():
            continue
        success = here.success(prior)
        for scope, part in here.scopes:
            if prior != "targeted" or scope == "sensitive":
                yield f"success:{prior}", scope, _over_holders(success, here.freq, part)


def _over_holders(success: Shares, freq: Shares, part: Mask) -> float:
    """Mean success over the people whose answer lies in this part; over its values if nobody's does."""
    weight = freq * part if freq[part].sum() > 0 else part
    return float(success @ weight / weight.sum())


@dataclass(frozen=True, eq=False)
class Chunk:
    """One simulated survey, and its attack, of one mechanism at every point. Picklable: it may run anywhere."""

    study: Study
    data: Histogram
    arm: str
    mechanism: str
    repetition: int

    def __call__(self) -> pd.DataFrame:
        rows = [
            (x, *row)
            for x in points(self.study, self.data)
            for row in self._rows(x, x == current(self.study, self.data))
        ]
        out = pd.DataFrame(rows, columns=["x", "metric", "scope", "value"])
        return out.assign(arm=self.arm, mechanism=self.mechanism, repetition=self.repetition)

    def _rows(self, x: float, detailed: bool) -> Iterator[tuple[str, str, float]]:
        here = cell(self.study, self.data, self.arm, self.mechanism, x)
        rng = stream(self.study.seed, self.mechanism, float(x), self.repetition)
        tallies = [Tally(int(g.counts.sum()), g.mechanism.draw(g.counts, rng, 1)[0]) for g in here.groups]
        estimates = np.array([g.mechanism.estimate(t) for g, t in zip(here.groups, tallies, strict=True)])
        for how in here.combinations:
            estimate = np.sum(here.weights(how) * estimates, axis=0)
            metric = "mse" if how == "share" else f"mse:{how}"
            yield from _errors(metric, estimate - here.freq, here)
            if how == "share":
                yield from self._published(estimate, here, tallies)
                yield from _errors("max error", estimate - here.freq, here)
                if detailed and len(estimate) == self.data.domain.k:
                    error, labels = (estimate - here.freq) ** 2, self.data.domain.labels
                    yield from (("squared error", v, float(e)) for v, e in zip(labels, error, strict=True))
                    yield from (("estimate", v, float(e)) for v, e in zip(labels, estimate, strict=True))
        yield from self._attack(here)

    def _published(self, estimate: Shares, here: Cell, tallies: list[Tally]) -> Iterator[tuple[str, str, float]]:
        """Errors after each named post-processing, apart from the raw ones."""
        for name in options(self.study)["postprocessing"]:
            if name != "em":
                yield from _errors(f"mse:{name}", consistency.POSTPROCESSING[name](estimate) - here.freq, here)
            elif len(tallies) == 1 and here.groups[0].mechanism.tally_is_histogram:
                likeliest = consistency.maximum_likelihood(here.groups[0].mechanism, tallies[0])
                yield from _errors("mse:em", likeliest - here.freq, here)

    def _attack(self, here: Cell) -> Iterator[tuple[str, str, float]]:
        """Share of attacked people whose answer was named: as many of the marked as of the others are attacked."""
        trials = options(self.study)["attacks"]
        if not trials:
            return
        for prior in options(self.study)["priors"]:
            # A stream of its own, so that leaving one adversary out changes nothing for the others.
            rng = stream(self.study.seed, self.mechanism, float(here.x), self.repetition, "attack", prior)
            hit: dict[str, float] = {}
            for scope, part in here.scopes:
                if scope == "all" or (prior == "targeted" and scope == "other"):
                    continue
                hit[scope] = _attacked(here, prior, part, trials, rng)
                yield f"success:{prior}", scope, hit[scope]
            if prior != "targeted":
                mass = here.freq[here.marked].sum()
                yield f"success:{prior}", "all", mass * hit.get("sensitive", 0) + (1 - mass) * hit.get("other", 0)


def _errors(metric: str, error: Shares, here: Cell) -> Iterator[tuple[str, str, float]]:
    for scope, part in here.scopes:
        yield metric, scope, float(np.abs(error[part]).max() if metric == "max error" else np.mean(error[part] ** 2))


def _attacked(here: Cell, prior: str, part: Mask, trials: int, rng: np.random.Generator) -> float:
    """Empirical success against `trials` holders of values in `part`, drawn as the population holds them."""
    hits = 0
    weight = np.array([group.counts * part for group in here.groups], float)
    if not weight.sum():
        weight[0] = part
    per_group = rng.multinomial(trials, weight.sum(axis=1) / weight.sum())
    for group, share, size in zip(here.groups, weight, per_group, strict=True):
        if not size:
            continue
        values = rng.choice(len(share), size, p=share / share.sum())
        reports = group.mechanism.perturb(values, rng)
        named = bayes.guess(group.mechanism, reports, prior_of(prior, here.marked, here.freq), rng)
        hits += int(np.count_nonzero(named == values))
    return hits / trials


def chunks(study: Study, data: Histogram) -> list[Chunk]:
    """The simulation as independent pieces: survey by survey, so that all lines gain points together; slow last."""
    options(study)
    slow = {key: catalog.FREQUENCY[key].factory.slow_draw and data.domain.k > 200 for key in study.mechanisms}
    return [
        Chunk(study, data, arm, mechanism, repetition)
        for pace in (False, True)
        for repetition in range(study.repetitions)
        for mechanism in study.mechanisms
        for arm in arms(study)
        if slow[mechanism] is pace
    ]


def at(study: Study, x: float) -> Study:
    """The same study at this point of its axis alone."""
    return replace(study, epsilon=x, grid=()) if study.axis == "epsilon" else replace(study, grid=(x,))
