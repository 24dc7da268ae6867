"""Relations: the two columns counted, what is known of them, and what is computed behind the page."""

from math import nan

from ldpapp.compute.memory import remember, waited
from ldpcore import data
from ldpcore.relations import IndependenceTest
from ldpcore.study import Study
from ldpcore.study import relations as task
from ldpcore.study.relations import curves
from ldpcore.study.relations.facts import PairFacts, facts
from ldpcore.study.relations.mechanism import RelationFacts


def people(study: Study, table: data.Table) -> task.PairCounts:
    """People by both answers; ValueError in a sentence where there is no relation."""
    key = (table.digest, *task.asked_pair(study, table))
    return remember("pairs", 16, key, lambda: task.prepare(study, table))


def known(study: Study, counted: task.PairCounts, drawn: int = 0) -> PairFacts:
    """What is known of the study; drawn: which of its surveys is looked at."""
    asked = curves.single(study)
    return remember("relation_facts", 24, (asked, drawn), lambda: facts(asked, counted, drawn=drawn))


def independence(one: RelationFacts, wait: bool = False) -> IndependenceTest | None:
    """Whether there is a relation; None while surveys that this needs were not drawn."""
    key, now = (one.study, one.key, one.drawn), wait or one.is_tested_at_once
    return waited("relation_tests", 64, key, now, lambda: one.test)


def smaller(one: RelationFacts, wait: bool = False) -> tuple[float, float] | None:
    """The ε below the chosen one at which the same errs less, and its ± in points, nan where there is none; None while
    nobody has waited for it: forty designs are looked at.
    """
    key = one.study, one.key
    return waited("relation_smaller", 64, key, wait, lambda: (one.smaller_epsilon or nan, one.smaller_margin or nan))


def floor(known: PairFacts, epsilon: float, n: int | None, wait: bool = False, asked: str = "as one") -> float | None:
    """± in points that nothing asked so undercuts; None while nobody has waited for it, nan where none is known."""
    about = known.study
    key = (about.data.digest, about.column, about.marks, about.options, epsilon, n, asked)
    return waited("relation_floors", 256, key, wait, lambda: 100 * (known.floor(epsilon, n=n, asked=asked) or nan))
