"""What a study of sets can be told beside its marks."""

from dataclasses import dataclass
from typing import ClassVar

from ldpcore import checks
from ldpcore.estimators import publishing
from ldpcore.study import skeleton
from ldpcore.study.options import TaskOptions

MOST_PER_SET, MOST_SIMULATED = 10_000, 20_000
"""Items per set, and items that simulated sets are drawn from: a mechanism's reports may take both at once."""
MOST_SKEWED = 3.0
"""At more the last items are in nobody's set."""


@dataclass(frozen=True, kw_only=True)
class SetOptions(TaskOptions):
    """m: items per set; None keeps nine users in ten whole (but is at most 32), or is 8 for simulated sets. simulated:
    how many items the simulated sets are drawn from; None uses the data's baskets. popularity: Zipf's exponent of these
    items, 0 for all alike, 1 where the second is half as popular as the first. marked: the share of the items of
    simulated sets that are marked, the least popular ones. attacks: people attacked in each repetition, half of them
    with what is asked for; 0 leaves the attacks out. postprocessing: forms of the release (`publishing.SET_FORMS`),
    whose errors are shown too. targets: how many marked and how many other items membership is decided of, the
    commonest ones. own: a table of chances as CSV text, rows = items, and padding: the mechanism "Own"
    (ldpcore.custom).
    """

    PORTABLE: ClassVar = ("simulated", "popularity", "marked", "attacks", "postprocessing", "targets")
    m: int | None = None
    simulated: int | None = None
    popularity: float = 0.0
    marked: float = 0.25
    attacks: int = 40
    postprocessing: tuple[str, ...] = ()
    targets: int = 1
    own: str | None = None

    def check(self) -> None:
        for name, least, most in (("m", 1, MOST_PER_SET), ("simulated", 2, MOST_SIMULATED)):
            if getattr(self, name) is not None:
                self._set(name, checks.integer(getattr(self, name), f"the option {name}", least, most))
        for name, most in (("attacks", skeleton.MOST_ATTACKS), ("targets", 100)):
            self._set(name, checks.integer(getattr(self, name), f"the option {name}", 0, most))
        if self.attacks == 1:
            raise ValueError(
                "the option attacks must be 0, or at least 2: one person with a sensitive item, one without"
            )
        for form in self.postprocessing:
            publishing.check(form, publishing.SET_FORMS)
        if not 0 <= self.popularity <= MOST_SKEWED:
            raise ValueError(
                f"the option popularity (Zipf's exponent) is between 0, all items alike, and {MOST_SKEWED:g}, "
                f"got {self.popularity:g}"
            )
        if not 0 <= self.marked <= 1:
            raise ValueError(f"the option marked is a share between 0 and 1, got {self.marked:g}")
