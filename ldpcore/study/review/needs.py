"""What a survey needs to be as exact as is wanted: ε, people, and what is safer at what cost.

>>> from ldpcore import Marks, Source, Study
>>> from ldpcore.study.execute import prepare
>>> marks = Marks.of(["condition = HIV", "income = under 15 000", "income = 150 000 or more"])
>>> study = Study(Source("health"), "condition", marks, grid=(), task="review", n=3000).with_options(within=0.02)
>>> needs = SurveyNeeds(study, prepare(study))
>>> needs.needed_epsilon, needs.neediest, needs.needed_people
(1.61, 'income', 8842)
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ldpcore.memory import remembered
from ldpcore.study import review
from ldpcore.study.definition import Study
from ldpcore.study.quantities import EPSILON, PEOPLE, Known, quantity
from ldpcore.study.review import plans
from ldpcore.study.review.hidden import HiddenSurvey
from ldpcore.study.review.people import BETWEEN, SurveyTable
from ldpcore.study.review.plans import SurveyPlans
from ldpcore.study.review.safer import SaferWay, safer


@dataclass(frozen=True, eq=False)
class SurveyNeeds(Known):
    """bounded: with errors that hold whatever people answer (`HiddenSurvey.at_most`)."""

    study: Study
    data: SurveyTable
    bounded: bool = False

    @cached_property
    def asked(self) -> HiddenSurvey:
        """The survey under its marks; DataError or ValueError where nothing is to be reviewed."""
        survey = review.asked(self.study, self.data, self.study.epsilon)
        return survey.at_most() if self.bounded else survey

    @cached_property
    def plans(self) -> SurveyPlans:
        """How exact every question is, at any ε and for any number of people."""
        return SurveyPlans(self.asked, self.study.epsilon)

    @property
    def widest(self) -> float:
        """The 95 % half-width of the share, of those of all hidden questions, that is hardest to measure."""
        if self.bounded:
            return max(float(each.max()) for each in self.asked.margins.values())
        return max(self.plans.margins().values())

    @quantity(PEOPLE)
    def wanted(self) -> float:
        """The half-width that is wanted of every share; where nobody said, that of the worst question in one digit."""
        return self.study.option("within") or float(f"{min(max(self.widest, 1e-4), 0.5):.1g}")

    @cached_property
    def needed_epsilons(self) -> dict[str, float | None]:
        """Question → the least ε of the study that is enough for it alone; None where none is."""
        return {name: self._least_epsilon([name]) for name in self.asked.hidden}

    @cached_property
    def neediest(self) -> str:
        """The question that decides: with one ε for all that which is least exact there (at another ε a survey may take
        another mechanism, so it need not be the one that needs most by itself); without such an ε, or with one for
        each, that which needs most.
        """
        if self.needed_epsilon is not None and not self.study.option("parts"):
            margins = SurveyPlans(self._enough, self.needed_epsilon).margins()
            return max(margins, key=margins.__getitem__)
        enough = [(math.inf if e is None else e, name) for name, e in self.needed_epsilons.items()]
        return max(enough, key=lambda each: each[0])[1]

    @quantity(EPSILON, absent="no ε up to 8 is enough")
    def needed_epsilon(self) -> float | None:
        """The least ε at which every share of every hidden question is within the half-width that is wanted."""
        return self._least_epsilon(())

    @quantity(EPSILON, "sensitive", absent="no ε up to 8 is enough, or none that is lower for marked answers alone")
    def needed_epsilon_of_marked(self) -> float | None:
        """An ε at which every share of a marked answer is within the half-width that is wanted, where the least for all
        shares is higher: whoever takes it pays with less exact shares of answers that nobody called delicate.
        """
        if self.needed_epsilon is None:
            return None
        lower = plans.least_epsilon_of_marked(self._even, self.data, self.wanted, self.needed_epsilon)
        return lower if lower < self.needed_epsilon else None

    @property
    def least_exact(self) -> tuple[str, bool]:
        """Of the question that decides the answer whose share is hardest to measure there, and whether it is marked."""
        one = self._enough.hidden[self.neediest]
        return one.least_exact, one.least_exact in one.marks

    @cached_property
    def _enough(self) -> HiddenSurvey:
        """The survey at the one ε that is enough; as it is where there is none, or one for each."""
        if self.needed_epsilon is None or self.study.option("parts"):
            return self.asked
        return plans.surveyed_at(self._even, self.data, self.needed_epsilon)

    @property
    def _even(self) -> Study:
        """The study in which every question has all of ε."""
        return self.study.with_options(parts=None) if self.study.option("parts") else self.study

    @cached_property
    def even_plans(self) -> SurveyPlans:
        """The plans of every question if it had all of ε."""
        return SurveyPlans(review.asked(self._even, self.data, self.study.epsilon), self.study.epsilon)

    def _least_epsilon(self, names: Sequence[str]) -> float | None:
        return plans.least_epsilon(self._even, self.data, self.wanted, names)

    @property
    def in_use(self) -> bool:
        """Whether the study has the ε that is enough: of the worst question, or where they have parts of each."""
        needs = self.one_by_one if self.study.option("parts") else (self.needed_epsilon, self.study.option("parts"))
        if needs is None or needs[0] is None:
            return False
        epsilon, shared = needs[0], self.asked.each / self.study.epsilon
        parts = {name: float(part) for name, _, part in (text.rpartition(BETWEEN) for text in needs[1])}
        return all(
            math.isclose(epsilon * parts.get(name, 1.0) * shared, spent)
            for name, spent in self.asked.each_spent.items()
        )

    @property
    def one_by_one(self) -> tuple[float, tuple[str, ...]] | None:
        """The study's ε and the option `parts` with which every question has what it needs; None where one has none."""
        needs = self._needs
        return None if needs is None else plans.one_by_one(needs)

    @property
    def _needs(self) -> dict[str, float] | None:
        needs = {name: need for name, need in self.needed_epsilons.items() if need is not None}
        return needs if len(needs) == len(self.needed_epsilons) else None

    @property
    def rounded(self) -> tuple[float, tuple[str, ...]]:
        """The study's ε and the option `parts` with which every question has its ε rounded up to a tenth: where it was
        calculated from the shares it then tells less of one than the survey does.
        """
        return self._in_tenths(self.asked.each_spent)

    @property
    def one_by_one_rounded(self) -> tuple[float, tuple[str, ...]] | None:
        """`one_by_one`, rounded up to tenths for the same reason."""
        needs, shared = self._needs, self.asked.each / self.study.epsilon
        return None if needs is None else self._in_tenths({name: need * shared for name, need in needs.items()})

    def _in_tenths(self, spent: Mapping[str, float]) -> tuple[float, tuple[str, ...]]:
        """The study's ε and the option `parts` with which every question spends so much, rounded up to a tenth."""
        epsilon, parts = plans.one_by_one({name: math.ceil(10 * each - 1e-9) / 10 for name, each in spent.items()})
        return epsilon * self.study.epsilon / self.asked.each, parts

    @quantity("people", absent="no number of people is enough")
    def needed_people(self) -> int | None:
        """People who must answer the survey for the same, at the study's ε."""
        return plans.least_people(self.study, self.data, self.wanted)

    @cached_property
    def safer(self) -> tuple[SaferWay, ...]:
        """Safer ways to ask the same, where all reports of a person raise the odds many times."""
        each = self.one_by_one_rounded if self.study.option("within") and not self.bounded else None
        key = ("safer", self.study, self.bounded)
        return remembered(self.data, key, lambda: safer(self.study, self.data, each, self.bounded))

    def misses(self, hardest: float) -> bool:
        """Whether this margin of the share that is hardest to measure is more than somebody has asked for."""
        return bool(self.study.option("within")) and hardest > self.wanted * (1 + 1e-9)
