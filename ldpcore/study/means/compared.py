"""A mechanism of one's own on Means beside the best of the catalogue that promises as much, at its own ε."""

from dataclasses import replace

from ldpcore import catalog, checks
from ldpcore.catalog import Coverage, coverage
from ldpcore.custom import NONE, CustomNumbers
from ldpcore.policy import LDP
from ldpcore.study.definition import Study
from ldpcore.study.means.facts import EstimateFacts, facts
from ldpcore.study.means.numbers import NumberColumn


def rival(study: Study, data: NumberColumn, made: CustomNumbers, near: float | None = None) -> EstimateFacts | None:
    """The one with the least error; None where the own one keeps no promise. near: how near a guess must come.

    >>> from ldpcore import Source
    >>> from ldpcore.study.execute import prepare
    >>> study = Study(Source("health"), "age", bins=(18, 98, 64), grid=(), task="means")
    >>> mine = CustomNumbers([[0.75, 0.25], [0.25, 0.75]], [-1, 1])
    >>> best = rival(study, prepare(study), mine)
    >>> best.key, round(best.study.epsilon, 3)
    ('PM', 1.099)
    """
    if made.promise.definition == NONE:
        return None
    covered = (Coverage.EVERY,) if made.promise.definition == LDP.name else (Coverage.EVERY, Coverage.MARKED)
    keys = tuple(key for key, entry in catalog.MEANS.items() if coverage(entry.promise) in covered)
    epsilon = max(made.epsilon, checks.MIN_EPSILON)
    at = replace(study, epsilon=epsilon, secret_epsilon=None, mechanisms=keys, axis="epsilon", grid=())
    found = [one for one in facts(at, data, near=near).parts.values() if one.spread is not None]
    return min(found, key=lambda one: one.error, default=None)
