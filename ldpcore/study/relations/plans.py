"""The planner of a relation: the difference of the two sides, asked in one way."""

from dataclasses import dataclass

from ldpcore import catalog, plan
from ldpcore.study.relations.facts import PairFacts
from ldpcore.study.relations.settings import Compared, options


@dataclass(frozen=True)
class DifferencePlans:
    """Plans for the difference of two groups of these shares, asked so. is_either: whether every mechanism hides also
    the unmarked half of a pair.

    >>> from ldpcore import Marks, Source, Study, data
    >>> from ldpcore.study import relations as task
    >>> study = Study(Source("health"), "sex", Marks.of(["smoking = every day"]), ("uSS",), task="relations",
    ...     options={"groups": "smoking"})
    >>> known = PairFacts(study, task.prepare(study, data.load("health")))
    >>> DifferencePlans.of_facts(known).of("uSS").people(epsilon=1.0, within=0.05), "GRR" in mechanisms(known)
    (28337, True)
    """

    compared: Compared
    setting: str
    is_either: bool = True

    @classmethod
    def of_facts(cls, known: PairFacts) -> "DifferencePlans":
        """Of the present setting, by `mechanisms`."""
        either = not any(key in catalog.PAIRS for key in known.parts)
        return cls(known.compared, options(known.study).setting, either)

    def of(self, key: str) -> plan.Plan:
        return self.compared.planned(key, self.setting)

    def limit(self) -> plan.Plan | None:
        """The floor of a pair asked as one; None for other ways to ask, and for more pairs than it is known for."""
        return self.compared.floored() if self.setting == "as one" and self.is_either else None


def mechanisms(known: PairFacts) -> tuple[str, ...]:
    """All that can ask these two so, at the study's ε; of those for pairs, which are searched for, the chosen ones."""
    marked = bool(known.compared.mx.any() or known.compared.my.any())
    catalogue = catalog.ANSWERS if known.study.marks.secret else catalog.FREQUENCY
    able = [key for key in catalogue if marked or not catalogue[key].uses_marks]
    pairs = [key for key in catalog.PAIRS if key in known.parts]
    return (*(key for key in able if _builds(known, key)), *pairs)


def _builds(known: PairFacts, key: str) -> bool:
    try:
        known.compared.design(key, options(known.study).setting, known.study.epsilon)
    except ValueError:
        return False
    return True
