"""What the form of a release does to its error: the systematic part apart from the random one, over simulated surveys.

With the errors of R surveys, ē their mean (k,) and s² their variance by R − 1, the mean squared error splits exactly:
mean e² = (mean ē² − s²/R) + mean s², averaged over the values. The first part, the squared bias, is estimated without
bias of its own: for an unbiased estimate it is 0 on average, and comes out below 0 in half of all cases.

>>> from ldpcore import Marks, Source, Study, data
>>> from ldpcore.study import frequency
>>> study = Study(Source("health"), "condition", Marks.of(["HIV"]), ("SS",), epsilon=0.5)
>>> here = frequency.cell(study, frequency.prepare(study, data.load("health")), "SS", 0.5)
>>> found = of_cell(here, study.seed, surveys=50, forms=("unbiased", "norm-sub"))
>>> {form: round(one.mse.value**0.5 * 100, 1) for form, one in found.items()}  # typical error, points
{'unbiased': 2.9, 'norm-sub': 2.2}
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from ldpcore import checks
from ldpcore.estimators import intervals, likelihood, publishing
from ldpcore.estimators.publishing import REPORTS
from ldpcore.randomizer import Randomizer
from ldpcore.rng import stream
from ldpcore.study.frequency.cell import ChoiceGroup, FrequencyDesignPoint
from ldpcore.tally import Tally, WeightedTally

Vector = NDArray[np.float64]

LEAST = 3
"""Surveys that tell the two parts of an error apart at least."""
SURVEYS, FITS = 200, 16
"""Surveys of the forms that cost nothing, and of those by EM."""
WORK = 12_000_000
"""Reports times values that exact maximum likelihood is given, over all surveys; with less than five it is left out."""
FEWEST = 5


@dataclass(frozen=True)
class PublishedNumber:
    """A number and its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Form:
    """One form of release: its name, what surveys released (surveys, k), and the true shares (k,)."""

    name: str
    estimates: Vector
    truth: Vector

    @property
    def surveys(self) -> int:
        return len(self.estimates)

    @cached_property
    def errors(self) -> Vector:
        return self.estimates - self.truth

    @cached_property
    def mse(self) -> PublishedNumber:
        """Mean squared error over the values."""
        each = (self.errors**2).mean(axis=1)
        return PublishedNumber(float(each.mean()), *intervals.error_interval(each))

    @cached_property
    def random(self) -> PublishedNumber:
        """Mean variance over the values."""
        many = self.surveys
        each = ((self.errors - self.errors.mean(axis=0)) ** 2).mean(axis=1) * many / (many - 1)
        return PublishedNumber(float(each.mean()), *intervals.error_interval(each))

    @cached_property
    def systematic(self) -> PublishedNumber:
        """Mean squared bias over the values, without bias itself; its interval by the jackknife.

        random + systematic = mse. The ends are not cut at 0: an interval that holds 0 shows no bias.
        """
        many, total = self.surveys, self.errors.sum(axis=0)
        bias = self.mse.value - self.random.value
        squares = (self.errors**2).sum(axis=0)
        # Without one survey: R − 1 of them, whose mean square of means is (S² − Q)/((R − 1)(R − 2)).
        left, rest = total - self.errors, squares - self.errors**2
        without = ((left**2 - rest) / ((many - 1) * (many - 2))).mean(axis=1)
        spread = np.sqrt((many - 1) / many * ((without - without.mean()) ** 2).sum())
        reach = -float(special.stdtrit(many - 1, 0.025)) * spread
        return PublishedNumber(bias, float(bias - reach), float(bias + reach))

    @cached_property
    def bias(self) -> tuple[Vector, Vector, Vector]:
        """By how much each share is off on average, and both ends of the 95 % interval of that: (k,) each."""
        many, mean = self.surveys, self.errors.mean(axis=0)
        low, high = intervals.mean_ends(mean, self.errors.var(axis=0, ddof=1), np.full(len(mean), float(many)))
        return mean, low, high

    @cached_property
    def rarer(self) -> PublishedNumber:
        """Mean bias of the rarer half of the values (ties: the later ones)."""
        half = np.argsort(self.truth, kind="stable")[: max(1, len(self.truth) // 2)]
        return self.mean_bias(np.isin(np.arange(len(self.truth)), half))

    def mean_bias(self, part: NDArray[np.bool_]) -> PublishedNumber:
        """Mean bias over a part (k,) of the values, with its t interval."""
        each = self.errors[:, part].mean(axis=1)
        return PublishedNumber(float(each.mean()), *intervals.mean_interval(each))


def of_cell(
    here: FrequencyDesignPoint,
    seed: int,
    forms: Sequence[str] = (*publishing.FORMS, REPORTS),
    surveys: int = SURVEYS,
    fits: int = FITS,
) -> dict[str, Form]:
    """Every form of a frequency study's cell, over `surveys` surveys; those by EM over the first `fits` of them.

    `REPORTS` has surveys of its own, in which everybody's report is drawn: fewer where people times values is large,
    and none, like "em", beyond what is kept in memory; it is left out where "em" is the same. People in groups of
    different marks have one joint estimate and no likelihood in common: there neither form is found.
    """
    checks.integer(surveys, "surveys", LEAST)
    checks.integer(fits, "fits (surveys by EM)", LEAST)
    for form in forms:
        publishing.check(form, (*publishing.FORMS, REPORTS))
    rng, truth = stream(seed, here.mechanism, float(here.x), "published"), here.drawn
    tallies = [group.tallies(rng, surveys) for group in here.groups]
    group, *others = here.groups
    if others:
        weights, sd = here.weights("share"), np.sqrt(here.squared_error())
        parts = zip(weights, here.groups, tallies, strict=True)
        raw = np.sum([weight * [g.mechanism.estimate(each) for each in taken] for weight, g, taken in parts], axis=0)
        return of_estimates(raw, truth, [name for name in forms if name not in ("em", REPORTS)], sd)
    by_form, mechanism = {}, group.mechanism
    for form in forms:
        if form == REPORTS:
            estimates = _from_reports(group, seed, here, fits)
        else:
            estimates = _from_tallies(mechanism, tallies[0][: fits if form == "em" else surveys], form)
        if len(estimates) >= LEAST:
            by_form[form] = Form(form, np.array(estimates), truth)
    return by_form


def of_estimates(
    estimates: ArrayLike, truth: ArrayLike, forms: Sequence[str], deviation: ArrayLike = 0.0, m: float = np.inf
) -> dict[str, Form]:
    """The forms that follow from unbiased estimates (surveys, k) alone, and the true shares (k,) beside them.

    deviation: standard error of each estimate (k,), for "base-cut". m: items per set, for "at-most-m".
    """
    raw, true = np.asarray(estimates, float), np.asarray(truth, float)
    if raw.ndim != 2 or len(raw) < LEAST or raw.shape[1:] != true.shape:
        raise ValueError(f"bias needs at least {LEAST} surveys of {true.size} shares each, got shape {raw.shape}")
    return {form: Form(form, publishing.shaped(raw, form, deviation, m), true) for form in forms}


def _from_tallies(mechanism: Randomizer, tallies: Sequence[Tally | WeightedTally], form: str) -> list[Vector]:
    try:
        return [publishing.release(mechanism, tally, form) for tally in tallies]
    except likelihood.Unavailable:
        return []


def _from_reports(group: ChoiceGroup, seed: int, here: FrequencyDesignPoint, most: int) -> list[Vector]:
    """Exact maximum likelihood of as many surveys as the work allows; none where the counts have it too."""
    people, mechanism = group.people, group.mechanism
    many = min(most, WORK // max(people * mechanism.k, 1))
    if likelihood.is_exact(mechanism) or many < FEWEST or people * mechanism.k > likelihood.MAX_CELLS:
        return []
    drawn = (stream(seed, here.mechanism, float(here.x), "published reports", each) for each in range(many))
    return [group.likeliest(rng) for rng in drawn]
