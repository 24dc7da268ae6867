"""What one would publish: the forms that an unbiased estimate can be given before anybody reads it.

`unbiased` is right on average and may be negative. Every other form lies between 0 and 1, has a smaller error where
shares are small, and a bias: rare values are published too high, common ones too low (`study.published` measures both).
All are post-processing and cost no ε.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.estimators import consistency, likelihood, weighted
from ldpcore.randomizer import Randomizer
from ldpcore.tally import Tally, WeightedTally

Shares = NDArray[np.float64]

UNBIASED = "unbiased"
FORMS = (UNBIASED, "clip", "norm", "norm-sub", "base-cut", "em")
"""Of the shares of one answer per person. "em" is maximum likelihood of the counts (`likelihood.of_counts`)."""
REPORTS = "em-reports"
"""The form that needs every report, not the counts: exact maximum likelihood, whatever the oracle."""
SET_FORMS = (UNBIASED, "clip", "at-most-m", "base-cut")
"""Of the shares of items of which people hold several: they do not sum to 1, but to at most m."""


def release(mechanism: Randomizer, tally: Tally | WeightedTally, form: str = UNBIASED) -> Shares:
    """The shares (k,) in this form, from what a collector keeps. ValueError for an unknown form or an empty tally.

    >>> from ldpcore import catalog
    >>> m = catalog.FREQUENCY["GRR"].build(1.0, 3)
    >>> seen = Tally(100, np.array([60, 25, 15]))
    >>> [release(m, seen, form).round(2).tolist() for form in ("unbiased", "clip", "norm-sub", "em")]
    [[1.07, 0.1, -0.17], [1.0, 0.1, 0.0], [0.98, 0.02, 0.0], [0.95, 0.05, 0.0]]
    """
    check(form)
    if form == "em":
        return likelihood.of_counts(mechanism, tally).freq
    estimate = mechanism.estimate(tally)
    if form != "base-cut":
        return shaped(estimate, form)
    if isinstance(tally, WeightedTally):
        return shaped(estimate, form, np.sqrt(weighted.of_tally(mechanism, tally)))
    return shaped(estimate, form, np.sqrt(mechanism.variance(consistency.norm_sub(estimate), tally.n)))


def shaped(estimate: Shares, form: str, deviation: ArrayLike = 0.0, m: float = np.inf) -> Shares:
    """An unbiased estimate (..., k) in a form that needs no likelihood.

    deviation (..., k): its standard error, for "base-cut". m: the sum that "at-most-m" allows.
    """
    if form == UNBIASED:
        return estimate
    if form == "at-most-m":
        return consistency.at_most(estimate, m)
    if form == "base-cut":
        return consistency.base_cut(estimate, deviation)
    return consistency.POSTPROCESSING[form](estimate)


def check(form: str, forms: tuple[str, ...] = FORMS) -> str:
    """The form; ValueError where there is none of this name."""
    if form not in forms:
        raise ValueError(f"a release has the form {', '.join(forms[:-1])} or {forms[-1]}, got {form!r}")
    return form
