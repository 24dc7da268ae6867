"""The attacks on one question of a survey, and what hiding or dropping another question would change."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ldpcore.data import DataError
from ldpcore.questionnaire import Exposure, Giver, difference, exposure, givers, together
from ldpcore.questionnaire.crowd import Sent, crowd
from ldpcore.study.definition import Study
from ldpcore.study.review.asking import Asked, Hidden, asked
from ldpcore.study.review.people import People

Others = Mapping[str, Sent]
FIRST = ("naive Bayes",)
"""The fastest attacker; with one other column at most it is Bayes' rule."""


@dataclass(frozen=True)
class Attack:
    """On the marked answers to one question; the same people are attacked whatever else is seen."""

    table: Any
    asking: Mapping[str, Any]

    @classmethod
    def on(cls, study: Study, data: People, one: Hidden) -> "Attack":
        return cls(data.table, {"target": one.name, "marks": one.marks, "own": one.built, "seed": study.seed})

    def alone(self) -> Exposure:
        """The own report."""
        return exposure(self.table, others={}, attackers=FIRST, **self.asking)

    def first(self, others: Others) -> Exposure:
        """All reports, by the fastest attacker."""
        return exposure(self.table, others=others, attackers=FIRST, **self.asking)

    def givers(self, others: Others) -> list[Giver]:
        """Each of the others beside the own report, the worst first."""
        return givers(self.table, others=others, **self.asking)

    def together(self, others: Others) -> list[Giver]:
        """The others in the order in which an attacker would ask for them."""
        return together(self.table, others=others, **self.asking)

    def strongest(self, others: Others) -> Exposure:
        """All reports, by the strongest attacker: also one who looks at the worst giver alone, which is more than all
        columns tell where few people have a marked answer.
        """
        found = exposure(self.table, others=others, **self.asking)
        worst = next((giver for giver in self.givers(others) if giver.low > 0), None)
        if worst is None or worst.pairs <= found.pairs:
            return found
        return exposure(self.table, others={worst.column: others[worst.column]}, attackers=FIRST, **self.asking)


def refusal(study: Study, data: People, here: Asked, question: str) -> str:
    """Why this question cannot be attacked, in a sentence; "" where it can."""
    one = here.hidden[question]
    if one.marked.all():
        return f"Every answer to “{question}” is marked: there is nobody to tell marked people from."
    try:
        crowd(data.table, question, one.marks, one.built, {}, study.seed, 2)
    except DataError as error:
        return error.sentence
    return ""


@dataclass(frozen=True)
class Change:
    """What becomes of one question's exposure if another is "hidden" (all its answers sent through a mechanism) or
    "dropped": pairs told apart before and after, the paired difference and its 95 % interval; mse: of the other
    question's shares, exact, nan where it is not asked any more.
    """

    how: str
    before: float
    after: float
    gap: float
    low: float
    high: float
    mse: float

    @property
    def none(self) -> bool:
        """Whether chance alone can be the difference."""
        return self.low <= 0 <= self.high


def changes(study: Study, data: People, arm: str, question: str, column: str) -> list[Change]:
    """What hiding (where it is open) and dropping `column` would change for `question`, at the study's ε."""
    here = asked(study, data, arm, study.epsilon)
    others = here.others(question)
    before = Attack.on(study, data, here.hidden[question]).strongest(others)
    rest = {name: sent for name, sent in others.items() if name != column}
    ways = [("dropped", here, rest)]
    if column in here.open:
        told = asked(study.with_options(hidden=(*study.option("hidden", ()), column)), data, arm, study.epsilon)
        ways.insert(0, ("hidden", told, told.others(question)))
    found = []
    for how, then, seen in ways:
        after = Attack.on(study, data, then.hidden[question]).strongest(seen)
        mse = then.errors()[column][0] if how == "hidden" else float("nan")
        found.append(Change(how, before.pairs, after.pairs, *difference(before.told, after.told), mse))
    return found
