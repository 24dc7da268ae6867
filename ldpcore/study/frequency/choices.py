"""What a frequency study can be told beside its marks."""

from dataclasses import dataclass
from typing import ClassVar, cast

from ldpcore import catalog, checks
from ldpcore.estimators import publishing
from ldpcore.study import invented, skeleton
from ldpcore.study.definition import Study
from ldpcore.study.options import TaskOptions

CATALOG = catalog.ANSWERS
OWN = invented.KEY

PRIORS = ("uniform", "population", "targeted", "level")
"""What the adversary knows: nothing, the shares, that the answer is marked, or even whether it is private or secret."""
OF_MARKED = ("targeted", "level")


@dataclass(frozen=True, kw_only=True)
class FrequencyOptions(TaskOptions):
    """attacks: attacked reports of marked, and of other values, per repetition; 0 leaves the attack out. priors: what
    the adversary knows. postprocessing: forms of the release (`publishing.FORMS`), whose errors are shown too. guess:
    public guess of the share of people with a marked value, where it helps; None is σ/k. own: a table of chances as
    CSV text, rows = answers: the mechanism "Own" (ldpcore.custom).

    >>> FrequencyOptions(attacks=0).changed
    {'attacks': 0}
    """

    PORTABLE: ClassVar = ("attacks", "priors", "postprocessing", "guess")
    attacks: int = 100
    priors: tuple[str, ...] = ("uniform", "population", "targeted")
    postprocessing: tuple[str, ...] = ("clip", "norm-sub")
    guess: float | None = None
    own: str | None = None

    def check(self) -> None:
        self._set("attacks", checks.integer(self.attacks, "the option attacks", 0, skeleton.MOST_ATTACKS))
        if self.guess is not None and not 0 <= self.guess <= 1:
            raise ValueError(f"the option guess is a share between 0 and 1, got {self.guess:g}")
        for form in self.postprocessing:
            publishing.check(form, (*publishing.FORMS, publishing.REPORTS))


def options(study: Study) -> FrequencyOptions:
    """What a frequency study is told."""
    return cast(FrequencyOptions, study.options)
