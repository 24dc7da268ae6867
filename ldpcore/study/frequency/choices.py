"""What a frequency study can be told beside its marks."""

from typing import Any

from ldpcore import catalog, checks
from ldpcore.estimators import publishing
from ldpcore.study import skeleton
from ldpcore.study.definition import Study
from ldpcore.study.frequency import own as invented

CATALOG = catalog.ANSWERS
OWN = invented.KEY

PRIORS = ("uniform", "population", "targeted", "level")
"""What the adversary knows: nothing, the shares, that the answer is marked, or even whether it is private or secret."""
OF_MARKED = ("targeted", "level")

OPTIONS: dict[str, Any] = {
    "attacks": 100,  # attacked reports of marked, and of other values, per repetition; 0 leaves the attack out
    "priors": ("uniform", "population", "targeted"),
    "postprocessing": ("clip", "norm-sub"),  # forms of the release (`publishing.FORMS`), whose errors are shown too
    "guess": None,  # public guess of the share of people with a marked value, where it helps; None is σ/k
    "own": None,  # a table of chances as CSV text, rows = answers: the mechanism "Own" (ldpcore.custom)
}


def options(study: Study) -> dict[str, Any]:
    out = study.chosen(OPTIONS)
    out["attacks"] = checks.integer(out["attacks"], "the option attacks", 0, skeleton.MOST_ATTACKS)
    if out["guess"] is not None and not 0 <= out["guess"] <= 1:
        raise ValueError(f"the option guess is a share between 0 and 1, got {out['guess']:g}")
    for form in out["postprocessing"]:
        publishing.check(form, (*publishing.FORMS, publishing.REPORTS))
    return out
