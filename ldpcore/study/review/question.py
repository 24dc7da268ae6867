"""The facts of one hidden question of a review: who is told apart, by what, beside what is learned (`learned`)."""

from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from ldpcore import questionnaire
from ldpcore.attacks import bayes
from ldpcore.memory import remembered
from ldpcore.questionnaire.exposure import SUREST
from ldpcore.questionnaire.pairs import surest
from ldpcore.randomizer import NotEnumerable
from ldpcore.study.quantities import PEOPLE, quantity
from ldpcore.study.review import attack
from ldpcore.study.review.asking import identity
from ldpcore.study.review.learned import QuestionLearned

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
class QuestionFacts(QuestionLearned):
    """The same, and who is told apart by what."""

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
        low, high = self.told.get("own:low"), self.told.get("own:high")
        return self.own is not None and low is not None and low == high

    @quantity(PAIRS, "sensitive", absent=UNKNOWN)
    def pairs(self) -> float | None:
        """Pairs told apart with everything that a person sends: by the strongest attacker, until all have tried by the
        quick one. Where nothing is shown to add to the own report, what that tells, which is exact.
        """
        if self.adds_nothing:
            return self.own
        return self.told.get("pairs", self.told.get("first"))

    @property
    def adds_nothing(self) -> bool:
        """Whether all attackers have tried, and chance alone may be what they tell beyond the exact own report."""
        return "pairs" in self.told and self.exact and self.worst is None and self.told["pairs:low"] <= (self.own or 0)

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
        """Of `pairs`, without width where that is exact; None until all have tried."""
        if self.adds_nothing:
            return (self.told["own"],) * 2
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

    @quantity(
        PEOPLE, "sensitive", absent="nobody gives such an answer, there is only one, or reports are too many to list"
    )
    def guessed(self) -> float | None:
        """Of the people with such an answer those whom one names from the own report, who knows the mechanism, that the
        answer is such a one, and how common each is: exact.
        """
        shares = self._aimed.among
        try:
            return None if shares is None else float(bayes.success(self.asked.built, shares) @ shares)
        except NotEnumerable:
            return None

    @quantity(PEOPLE, "sensitive", absent="nobody gives such an answer, or there is only one")
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
