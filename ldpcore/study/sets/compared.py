"""A mechanism of one's own on Sets beside the catalogue: the best that promises as much, at its own ε, the least error
found there, and tables of the mechanisms that have one, to begin from.
"""

from dataclasses import dataclass, replace
from math import nan

from ldpcore import catalog, checks
from ldpcore.baskets import Baskets
from ldpcore.custom import NONE, PADDING, CustomSets, sets_channel, to_csv
from ldpcore.limit import SET_PROMISES
from ldpcore.policy import LDP
from ldpcore.scope import Scope
from ldpcore.study import invented, sets
from ldpcore.study.definition import Study
from ldpcore.study.sets import point
from ldpcore.study.sets.facts import facts
from ldpcore.study.sets.point import ItemFacts

SYMBOLS = ("GRR-Sample", "suGRR-Sample")
"""Mechanisms that send one sampled item by its code: they have a small table."""


@dataclass(frozen=True, eq=False)
class ComparedSets:
    """The own mechanism at the study's own point. best: the one of the catalogue with the least error among those that
    promise as much at its ε, None where it promises nothing. times: its squared noise over the least found for its
    promise at its ε, nan where none is known.
    """

    mine: ItemFacts
    made: CustomSets
    best: ItemFacts | None
    times: float


def compared(study: Study, data: Baskets) -> ComparedSets:
    """ValueError, in a sentence, where the study has no table that makes sense.

    >>> from ldpcore import Source
    >>> from ldpcore.study.execute import prepare
    >>> study = Study(Source("groceries"), "items", grid=(), task="sets").with_options(m=2)
    >>> held = prepare(study)
    >>> both = compared(study.with_options(own=written(study, held, "GRR-Sample")), held)
    >>> both.made.promise.definition, round(both.made.epsilon, 3), both.best.key  # ln((e + 1)/2): sampling hides
    ('LDP', 0.62, 'PrivSet')
    """
    setting = point.setting(study, data)
    made = setting.build(invented.KEY)
    if not isinstance(made, CustomSets):
        raise TypeError(f"one's own mechanism is a table, got {type(made).__name__}")
    promise, times = made.promise.definition, nan
    if promise in SET_PROMISES and made.epsilon >= checks.MIN_EPSILON:
        alike = replace(setting, secret_epsilon=setting.epsilon)  # it has one ε, whatever levels there are
        least = alike.least(promise, Scope.ALL, made.epsilon)
        times = float(setting.noise(made).mean()) / least if least else nan
    return ComparedSets(ItemFacts(invented.KEY, setting, made), made, _best(study, data, made), times)


def _best(study: Study, data: Baskets, made: CustomSets) -> ItemFacts | None:
    promise = made.promise.definition
    if promise == NONE:
        return None
    strong = (LDP.name,) if promise == LDP.name else SET_PROMISES
    keys = tuple(key for key, entry in catalog.SETS.items() if entry.promise in strong)
    epsilon = max(made.epsilon, checks.MIN_EPSILON)
    at = replace(study, epsilon=epsilon, secret_epsilon=None, mechanisms=keys, axis="epsilon", grid=())
    return min(point.every(at, data).values(), key=ItemFacts.error, default=None)


def added(study: Study, data: Baskets) -> Study:
    """The study with the own mechanism among those compared, where its table fits these items."""
    try:
        sets.usable(study, data)
    except (TypeError, ValueError):
        return study
    return invented.added(study)


def protecting(study: Study, data: Baskets) -> dict[str, ItemFacts]:
    """What promises something at the study's own point, one's own too."""
    return facts(added(study, data), data).protecting


def attacked(study: Study, data: Baskets) -> Study:
    """The surveys that tell what reports say at the study's own point: of what protects something, one's own too."""
    asked = study.at_point()
    return asked.with_mechanisms(tuple(protecting(asked, data)) or study.mechanisms)


def audit_line(study: Study, data: Baskets) -> str:
    """What audits a function of sets of these items, of at most the study's m, under its marks."""
    setting = point.setting(study, data)
    marks, k = ",".join(map(str, setting.marked.nonzero()[0])), setting.baskets.k
    return invented.audit_line(k, f"--sets {min(setting.m, k)}" + (f" --marks {marks}" if marks else ""))


def begin(study: Study) -> tuple[str, ...]:
    """Those that a table is begun with: without marks only what protects every item."""
    marked = bool(sets.options(study).marked) if study.option("simulated") else bool(study.marks)
    return SYMBOLS if marked else SYMBOLS[:1]


def written(study: Study, data: Baskets, key: str) -> str:
    """One of `SYMBOLS` as the text of a table, for these items, the study's marks, its ε and its m."""
    setting = point.setting(study, data)
    channel = sets_channel(key, study.epsilon, setting.baskets.k, setting.m, setting.marked)
    return to_csv(channel, (*setting.baskets.labels, PADDING), "item")
