"""What a study of means can be told beside its marks."""

from dataclasses import dataclass
from typing import ClassVar

from ldpcore import checks
from ldpcore.study import skeleton
from ldpcore.study.options import TaskOptions

ESTIMATES = ("mean", "unbiased", "em", "mle", "ems")


@dataclass(frozen=True, kw_only=True)
class MeanOptions(TaskOptions):
    """estimates: which, of those that a mechanism has. delta: a guess wins within ±delta, in the user's units; None is
    a tenth of the public range. attacks: attacked reports per repetition; 0 leaves the attack out. reports: how many
    are drawn, per repetition, of the answer whose report varies most, to tell their variance; 0 leaves it out.
    own: a table of chances as CSV text, rows = numbers of the public range: the mechanism "Own" (ldpcore.custom).

    >>> MeanOptions(attacks=0, delta=5.0).changed
    {'attacks': 0, 'delta': 5.0}
    """

    PORTABLE: ClassVar = ("estimates", "attacks", "reports")
    estimates: tuple[str, ...] = ("mean", "unbiased", "em", "mle")
    delta: float | None = None
    attacks: int = 200
    reports: int = 0
    own: str | None = None

    def check(self) -> None:
        self._set("attacks", checks.integer(self.attacks, "the option attacks", 0, skeleton.MOST_ATTACKS))
        self._set("reports", checks.integer(self.reports, "the option reports", 0, skeleton.MOST_ATTACKS))
        if self.reports == 1:
            raise ValueError("the option reports must be 0, or at least 2: one report tells no variance")
        for how in self.estimates:
            if how not in ESTIMATES:
                raise ValueError(f"the option estimates holds some of {', '.join(ESTIMATES)}, got {how!r}")
        if self.delta is not None and not self.delta > 0:
            raise ValueError(f"the option delta must be positive, in the column's units, got {self.delta:g}")
