"""What is learned of the marked answers to one hidden question of a review: errors, what is too rare, what lies do."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from ldpcore.study.quantities import EPSILON, PEOPLE, TIMES, Known, quantity
from ldpcore.study.review import lies, plans
from ldpcore.study.review.hidden import Hidden

if TYPE_CHECKING:
    from ldpcore.study.review.facts import ReviewFacts
    from ldpcore.study.review.question import QuestionFacts


@dataclass(frozen=True, eq=False)
class QuestionLearned(Known):
    """The marked answers to a hidden question, or (`secretly`) the secret ones alone. mse: over them, exact. told: what
    the rows say, metric → value. levels: of a question with secret answers "secret" and "private" → exact mean squared
    error; secret: what is known of those alone, where it has both.
    """

    asked: Hidden
    mse: float
    told: Mapping[str, float]
    secretly: bool = False
    levels: Mapping[str, float] = field(default_factory=dict)
    secret: "QuestionFacts | None" = None
    survey: "ReviewFacts" = field(kw_only=True, repr=False)

    @quantity("people", "other")
    def unanswered(self) -> int:
        """People who gave no answer to this question: they send a report like all others, and count as one answer."""
        return int(self.asked.counts[self.survey.data.unanswered(self.asked.name)].sum())

    @quantity(PEOPLE, "other", absent="every answer is hidden")
    def shown(self) -> float | None:
        """Of the answers that are not marked, as often as they are given, those that a report shows for sure: exact."""
        one = self.asked
        others = one.freq * ~one.marked
        return float(one.built.disclosure() @ others / others.sum()) if others.sum() > 0 else None

    @quantity(EPSILON, "sensitive")
    def epsilon(self) -> float:
        """ε of the report to this question, for these answers."""
        return self.asked.secret_epsilon if self.secretly else self.asked.epsilon

    @quantity("bits")
    def bits(self) -> float:
        """Size of a report to this question: of the shortest code of one length."""
        return self.asked.built.report_bits()

    @quantity(TIMES, "sensitive")
    def odds(self) -> float:
        """By how much at most the report to this question raises the odds of such an answer."""
        return math.exp(self.epsilon)

    @quantity(PEOPLE, "sensitive")
    def error(self) -> float:
        """Typical error of a share: the root mean squared error over these answers, exact."""
        return self.mse**0.5

    @quantity(PEOPLE, "sensitive")
    def margin(self) -> float:
        """The 95 % margin, ±, of the least exact share of these answers: of those that can be measured, of all that are
        given where none can.
        """
        return self.survey.asked.margin_of(self.asked.name, self._aimed.marked)

    @quantity(PEOPLE, "other", absent="every answer is hidden")
    def margin_of_others(self) -> float | None:
        """The same of the answers to the question that are not marked."""
        others = ~self.asked.marked
        return self.survey.asked.margin_of(self.asked.name, others) if others.any() else None

    @quantity(PEOPLE)
    def margins_by_level(self) -> dict[str, float]:
        """The same of the private and of the secret answers, where there are secret ones."""
        parts = {"secret": self.asked.secret, "private": self.asked.private}
        return {level: self.survey.asked.margin_of(self.asked.name, parts[level]) for level in self.levels}

    @quantity(PEOPLE)
    def errors_by_level(self) -> dict[str, float]:
        """The typical error over the private and over the secret answers, where there are secret ones."""
        return {level: mse**0.5 for level, mse in self.levels.items()}

    # what is learned -------------------------------------------------------------------------------------------------

    @property
    def _aimed(self) -> Hidden:
        return self.asked.aimed(self.secretly)

    def share_of(self, answer: str) -> float:
        """Of the people, those who give this answer."""
        return float(self.asked.freq[self.asked.labels.index(answer)])

    @cached_property
    def rare(self) -> tuple[str, ...]:
        """Of these answers those that people give, yet fewer than their own 95 % margin: nothing is learned of them."""
        drowned = self.survey.asked.drowned().get(self.asked.name, ())
        return tuple(label for label in self._aimed.marks if label in drowned)

    @cached_property
    def learned(self) -> dict[str, float]:
        """Those of which something is learned → their shares."""
        known = [label for label in self._aimed.marks if label not in self.rare]
        return {label: share for label in known if (share := self.share_of(label)) > 0}

    @quantity(PEOPLE)
    def hardest(self) -> float:
        """The 95 % margin of the share of this question that is hardest to measure, marked or not."""
        return self.survey.plans.margins()[self.asked.name]

    @quantity(EPSILON, absent="no ε up to 8 is enough")
    def needed_epsilon(self) -> float | None:
        """The least ε of the study at which every share of this question is within the half-width that is wanted."""
        return self.survey.needed_epsilons[self.asked.name]

    @cached_property
    def nearest(self) -> str:
        """Of the answers of which nothing is learned the commonest; "" where there are none."""
        return max(self.rare, key=self.share_of, default="")

    @cached_property
    def rarest(self) -> str:
        """Of the answers of which nothing is learned the rarest; "" where there are none."""
        return min(self.rare, key=self.share_of, default="")

    @quantity("people", "sensitive", absent="something is learned of each, or no number of people is enough")
    def people_to_see(self) -> int | None:
        """People that it takes, at this ε, until the commonest answer of which nothing is learned has its margin."""
        return self.to_see(self.nearest)[0]

    @quantity(EPSILON, "sensitive", absent="something is learned of each, or no ε up to 8 is enough")
    def epsilon_to_see(self) -> float | None:
        """The least ε of the question for the same, with these people."""
        return self.to_see(self.nearest)[1]

    def to_see(self, answer: str) -> tuple[int | None, float | None]:
        """The same of any such answer: people, and ε; None where none is enough."""
        study, data = self.survey.study, self.survey.data
        return plans.out_of_reach(study, data, self.asked.name, answer) if answer else (None, None)

    # if people lie ---------------------------------------------------------------------------------------------------

    @cached_property
    def _false(self) -> dict[str, int]:
        counts = lies.false_reports(self.asked, self.survey.plans.people)
        return {label: count for label, count in counts.items() if label in self._aimed.marks}

    @cached_property
    def spoken(self) -> str:
        """The answer that fewest false reports move past its margin, the commonest such; "" where that is unknown."""
        return min(self._false, key=lambda label: (self._false[label], -self.share_of(label)), default="")

    @quantity("people", "sensitive", absent="the mechanism's reports are too many to look through")
    def false_reports(self) -> int | None:
        """The least number of false reports that moves the share of one of these answers past its own 95 % margin."""
        return self._false.get(self.spoken)

    @cached_property
    def deniable(self) -> str:
        """Of the answers of which something is learned that which denial changes most, the commonest."""
        return max(self.learned, key=self.learned.__getitem__, default="")

    @quantity(PEOPLE, "sensitive", absent="nothing is learned of any of these answers")
    def denied(self) -> float | None:
        """How much too low its share is read if 1 in `denying` of those who have it deny it, whatever n and ε are."""
        if not self.deniable:
            return None
        return lies.denied(self.asked, self.deniable, self.survey.study.option("denying"))
