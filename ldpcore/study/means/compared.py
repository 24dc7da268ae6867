"""A mechanism of one's own on Means beside the catalogue: the best that promises as much, at its own ε, and tables of
the mechanisms there, to begin from.
"""

from dataclasses import replace

from ldpcore import catalog, checks
from ldpcore.catalog import Coverage, coverage
from ldpcore.custom import NONE, CustomNumbers, numbers_channel, to_csv
from ldpcore.policy import LDP
from ldpcore.study import invented, means
from ldpcore.study.definition import Study
from ldpcore.study.means import own
from ldpcore.study.means.facts import EstimateFacts, facts, off
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
    known = [one for one in facts(at, data, near=near).parts.values() if one.spread is not None]
    return min(known, key=lambda one: one.error, default=None)


def added(study: Study) -> Study:
    """The study with the own mechanism, where it has a table, beside one of the catalogue that promises something."""
    try:
        own.usable(study)
    except (TypeError, ValueError):
        return study
    return invented.added(study) if {*study.mechanisms} - {*off(study)} else study


def made(study: Study, data: NumberColumn) -> CustomNumbers:
    """The own mechanism under the study's marks. ValueError with a sentence where it makes no sense."""
    return own.mechanism(study, data.interval, means.parts(study, data, study.epsilon))


def written(study: Study, data: NumberColumn, key: str) -> str:
    """One of the catalogue as the text of a table, for this public range, its marks and its ε."""
    low = means.parts(study, data, study.epsilon).public if study.marks else ()
    channel, at = numbers_channel(key, study.epsilon, data.interval, low)
    return to_csv(channel, [f"{number:.15g}" for number in at], "number")
