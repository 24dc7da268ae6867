"""Relations: the two columns counted, what is known of them, and what is computed behind the page."""

from dataclasses import replace

from ldpapp.compute import memory
from ldpapp.compute.memory import once, remember
from ldpcore import data
from ldpcore.relations import IndependenceTest
from ldpcore.study import Study
from ldpcore.study import relations as task
from ldpcore.study.relations.facts import PairFacts, facts
from ldpcore.study.relations.mechanism import RelationFacts


def people(study: Study, table: data.Table) -> task.PairCounts:
    """People by both answers; ValueError in a sentence where there is no relation."""
    key = (table.digest, *task.asked_pair(study, table))
    return remember("pairs", 16, key, lambda: task.prepare(study, table))


@once(64)
def _single(study: Study) -> Study:
    """One survey of it, at its own point: nothing below depends on how many there are."""
    return replace(study, repetitions=1, grid=())


def known(study: Study, counted: task.PairCounts, drawn: int = 0) -> PairFacts:
    """What is known of the study; drawn: which of its surveys is looked at."""
    asked = _single(study)
    return remember("relation_facts", 24, (asked, drawn), lambda: facts(asked, counted, drawn=drawn))


def independence(one: RelationFacts, wait: bool = False) -> IndependenceTest | None:
    """Whether there is a relation; None while surveys that this needs were not drawn."""
    key = (one.study, one.key, one.drawn)
    if not (wait or one.is_tested_at_once):
        return memory.store("relation_tests").get(key)
    return remember("relation_tests", 64, key, lambda: one.test)


def smaller(one: RelationFacts, wait: bool = False) -> tuple[float, float] | None:
    """The ε below the chosen one at which the same errs less, and its ± in points, nan where there is none; None while
    nobody has waited for it: forty designs are looked at.
    """
    key, none = (one.study, one.key), float("nan")
    if not wait:
        return memory.store("relation_smaller").get(key)
    return remember("relation_smaller", 64, key, lambda: (one.smaller_epsilon or none, one.smaller_margin or none))


def floor(known: PairFacts, epsilon: float, n: int | None, wait: bool = False, asked: str = "as one") -> float | None:
    """± in points that nothing asked so undercuts; None while nobody has waited for it, nan where none is known."""
    about = known.study
    key = (about.data.digest, about.column, about.marks, about.options, epsilon, n, asked)
    if not wait:
        return memory.store("relation_floors").get(key)

    def least() -> float:
        value = known.floor(epsilon, n=n, asked=asked)
        return float("nan") if value is None else 100 * value

    return remember("relation_floors", 256, key, least)
