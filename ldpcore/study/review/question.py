"""The facts of one hidden question of a review: what is learned of its marked answers, who is told apart, by what."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import pandas as pd

from ldpcore import questionnaire
from ldpcore.attacks import bayes
from ldpcore.memory import remembered
from ldpcore.questionnaire.exposure import SUREST
from ldpcore.questionnaire.pairs import surest
from ldpcore.randomizer import NotEnumerable
from ldpcore.study.quantities import EPSILON, PEOPLE, TIMES, Known, quantity
from ldpcore.study.review import attack, lies, plans
from ldpcore.study.review.asking import identity
from ldpcore.study.review.hidden import Hidden

if TYPE_CHECKING:
    from ldpcore.study.review.facts import ReviewFacts

PAIRS = "share of the pairs of people"
ROUNDS = (1, 2, 4, 8)
"""How often it is asked again."""
LEAST_MORE = 0.01
"""By so much an answer by itself is told apart more than all together, where it is named."""
UNKNOWN = "nobody can be told from anybody here, the attacker of this study does not look, or has not tried yet"


@dataclass(frozen=True)
class OtherColumn:
    """Another column: what is told apart with the own report and it, and the least that it adds."""

    column: str
    pairs: float
    least: float


@dataclass(frozen=True)
class GivenAway:
    """Of a marked answer, or of all to a question ("") together: pairs told apart by the own report alone, and with the
    one other question that gives it away most.
    """

    answer: str
    alone: float
    pairs: float


@dataclass(frozen=True)
class OneAnswer:
    """A marked answer by itself: of pairs of a person with this very answer and one with any other those told apart,
    and the 95 % interval of that, of as many answers as were tried.
    """

    answer: str
    pairs: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class QuestionFacts(Known):
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

    @property
    def delicate(self) -> "QuestionFacts":
        """The most protected of its answers whose exposure is known."""
        return self if self.secret is None or self.secret.own is None else self.secret

    @quantity(PAIRS, "secret", absent="known of secret answers alone, once all attackers have tried")
    def others(self) -> float | None:
        """Pairs told apart without the own report."""
        return self.told.get("others")

    @quantity(PAIRS, "sensitive", absent=UNKNOWN)
    def own(self) -> float | None:
        """Pairs, one with such an answer and one without, told apart by the own report."""
        return self.told.get("own")

    @property
    def exact(self) -> bool:
        """Whether `own` has a closed form, and is that."""
        return self.own is not None and self.told["own:low"] == self.told["own:high"]

    @quantity(PAIRS, "sensitive", absent=UNKNOWN)
    def pairs(self) -> float | None:
        """Pairs told apart with everything that a person sends: by the strongest attacker, until all have tried by the
        quick one.
        """
        return self.told.get("pairs", self.told.get("first"))

    @quantity(PAIRS, "sensitive", absent="not one open answer alone is sent beside the report, or no closed form")
    def best_pairs(self) -> float | None:
        """Pairs that nobody beats who sees the own report and the one open answer: exact; `pairs` is simulated."""
        return self._beside if self.pairs is not None else None

    @cached_property
    def _beside(self) -> float | None:
        one, other = self._aimed, attack.alone_open(self.survey.data, self.survey.asked, self._aimed)
        shares = None if other is None else attack.joint(self.survey.data, one, other)
        return None if shares is None else questionnaire.exactly(one.built, one.marked, shares)

    @property
    def attacked(self) -> bool:
        """Whether there are people enough for an attack, and the first has been made."""
        return "blind" in self.told

    @property
    def interval(self) -> tuple[float, float] | None:
        """Of `pairs`; None until all have tried."""
        return (self.told["pairs:low"], self.told["pairs:high"]) if "pairs" in self.told else None

    @property
    def tried(self) -> bool:
        """Whether all attackers have tried who look."""
        return self.attacked and (self.interval is not None or (self.own is not None and self.pairs is None))

    def rounds(self, people: int, seed: int) -> pd.DataFrame:
        """The question in several rounds, in every way (`questionnaire.rounds`), of so many people in each."""
        one, aim = self.asked, self.asked.aimed(self.secretly).marked
        return questionnaire.rounds(
            one.key, k=len(aim), sensitive=aim, levels=one.epsilons / one.epsilon, epsilon=one.epsilon, n=people,
            freq=one.freq, counts=ROUNDS, seed=seed, asked=one.chance,
        )  # fmt: skip

    @property
    def most(self) -> float | None:
        """Pairs told apart by whoever the study lets look."""
        return self.own if self.pairs is None else self.pairs

    @quantity(PEOPLE, "sensitive", absent="nobody gives such an answer, or the reports are too many to list")
    def guessed(self) -> float | None:
        """Of the people with such an answer those whom one names from the own report, who knows the mechanism, that the
        answer is such a one, and how common each is: exact.
        """
        shares = self._aimed.among
        try:
            return None if shares is None else float(bayes.success(self.asked.built, shares) @ shares)
        except NotEnumerable:
            return None

    @quantity(PEOPLE, "sensitive", absent="nobody gives such an answer")
    def blind(self) -> float | None:
        """The same without any report: always the commonest of them."""
        return None if self._aimed.among is None else float(self._aimed.among.max())

    @quantity(PEOPLE, "sensitive", absent=UNKNOWN)
    def surest(self) -> float | None:
        """Of the hundredth that the attacker is surest of, those with such an answer: of the people who are attacked,
        and never fewer than of everybody by the own report, exactly.
        """
        tried = self.told.get("surest", self.told.get("own:surest"))
        exact = None if tried is None else self.surest_alone
        return tried if exact is None else max(tried or 0.0, exact)

    @quantity(PEOPLE, "sensitive", absent="the reports are too many to list")
    def surest_alone(self) -> float | None:
        """The same of an attacker who sees the own report alone: exact."""
        one = self._aimed
        return surest(one.built, one.marked, one.freq, SUREST)

    @quantity(PEOPLE, "sensitive")
    def held(self) -> float:
        """Of everybody, those with such an answer: exact, where an attack is on some of the people."""
        return float(self._aimed.freq[self._aimed.marked].sum())

    @quantity(PAIRS, "sensitive", absent="no other column adds anything beyond chance, or none is looked at")
    def worst_pairs(self) -> dict[str, float] | None:
        """Pairs told apart with the own report and the one other column that gives it away most."""
        return {f"with {self.worst.column}": self.worst.pairs} if self.worst else None

    @cached_property
    def givers(self) -> tuple[OtherColumn, ...]:
        """The other columns, as the attacker tried them."""
        return tuple(
            OtherColumn(column, self.told[metric], self.told[f"least:{column}"])
            for metric in self.told
            if metric.startswith("with:") and (column := metric.removeprefix("with:"))
        )

    @property
    def worst(self) -> OtherColumn | None:
        """Who gives it away most; None where nobody adds anything beyond chance."""
        return next((giver for giver in self.givers if giver.least > 0), None)

    @cached_property
    def answers(self) -> tuple[OneAnswer, ...]:
        """The marked answers one by one, of several: those that are told apart most first, of two the rarer."""
        known = [
            OneAnswer(answer, self.told[metric], self.told[f"answer-low:{answer}"], self.told[f"answer-high:{answer}"])
            for metric in self.told
            if metric.startswith("answer:") and (answer := metric.removeprefix("answer:"))
        ]
        return tuple(sorted(known, key=lambda one: (-one.pairs, self.share_of(one.answer))))

    @property
    def worst_answer(self) -> OneAnswer | None:
        """The one that is told apart most, of those that are shown to be more than all together, and by a pair of 100
        at least; None without any.
        """
        all_of_them = self.most or 0.0
        return next(
            (one for one in self.answers if one.low > all_of_them and one.pairs >= all_of_them + LEAST_MORE), None
        )

    @cached_property
    def worst_answer_giver(self) -> OtherColumn | None:
        """Who gives that answer away most; None where nobody adds anything beyond chance, or there is none such."""
        if (worst := self.worst_answer) is None:
            return None
        survey, one = self.survey, self.asked
        key = ("giver", identity(survey.study), one.name, worst.answer)
        giver = remembered(
            survey.data, key, lambda: attack.giver_of(survey.data, survey.asked, one, worst.answer, survey.study.seed)
        )
        alone = self.own_of(worst.answer) or 0.0
        # Whoever sees a part tells no more than whoever sees all: beyond that a number is chance.
        pairs = 0.0 if giver is None else min(max(alone, giver.pairs), worst.pairs)
        return None if giver is None else OtherColumn(giver.column, pairs, giver.low)

    @property
    def given_by(self) -> dict[str, GivenAway]:
        """Who gives marked answers to this question away most → which of them, and how much."""
        by = {} if self.worst is None else {self.worst.column: GivenAway("", self.own or 0.5, self.worst.pairs)}
        if (one := self.worst_answer) is not None and (giver := self.worst_answer_giver) is not None:
            by.setdefault(giver.column, GivenAway(one.answer, self.own_of(one.answer) or 0.5, giver.pairs))
        return by

    def own_of(self, answer: str) -> float | None:
        """Pairs of a person with this marked answer and one with any other, told apart by the own report: exact; None
        where there is no closed form.
        """
        return attack.alone(self.asked.of_one(answer))

    @quantity(PAIRS, "sensitive", absent="no answer by itself is told apart more than all together, or unknown")
    def worst_answer_pairs(self) -> dict[str, float] | None:
        """Pairs, one with the marked answer that is told apart most and one with any other answer, told apart: by all
        that is seen, and by the report and whoever gives it away most.
        """
        if (worst := self.worst_answer) is None:
            return None
        giver = self.worst_answer_giver
        return {worst.answer: worst.pairs} | ({f"{worst.answer}, with {giver.column}": giver.pairs} if giver else {})

    @quantity(PAIRS, "sensitive", absent="one other column adds something by itself, all together do not, or unknown")
    def together(self) -> float | None:
        """Pairs that all other columns together tell apart beyond the own report, where none does by itself."""
        if self.interval is None or self.own is None or self.worst is not None or self.interval[0] <= self.own:
            return None
        return self.told["pairs"] - self.own

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
