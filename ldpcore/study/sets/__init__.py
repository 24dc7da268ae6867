"""The sets task: shares of the holders of each item, from one report on several items per person; and who is exposed.

Baskets of any length become sets of m items by padding and sampling, drawn anew in every repetition, the same for all
mechanisms. The mean squared error "mse" is against the baskets' true shares, so it holds the bias of cutting long
baskets; "mse:kept" is against what sampling keeps on average, and is without it. With the option `simulated` the
people are invented: uniform sets of exactly m of so many items, as in the SULDP paper (§5.1).

>>> from ldpcore import Marks, Source, Study, run
>>> milk, names = Marks.of(["milk"]), ("PrivSet", "suWheel-J")
>>> study = Study(Source("groceries"), "items", milk, names, grid=(), repetitions=1, task="sets")
>>> rows = run(study.with_options(attacks=0, m=4))
>>> whole = rows[(rows["metric"] == "mse") & (rows["scope"] == "all")].set_index("mechanism")
>>> (whole["theory"] ** 0.5 * 100).round(1).to_dict()  # typical error of a share, points
{'PrivSet': 4.3, 'suWheel-J': 1.7}
"""

from collections.abc import Iterator
from typing import cast

import numpy as np

from ldpcore import catalog
from ldpcore.baskets import Baskets
from ldpcore.data import DataError, Table
from ldpcore.estimators import publishing
from ldpcore.mechanisms.padding import suggest_m
from ldpcore.memory import remembered
from ldpcore.rng import stream
from ldpcore.set_randomizer import SetRandomizer
from ldpcore.study import fitting, invented, mark_kinds
from ldpcore.study.definition import Marks, Study
from ldpcore.study.measures import NORMAL, POSITIVE, Chance
from ldpcore.study.sets import exposure, own, sample
from ldpcore.study.sets.exposure import decisions
from ldpcore.study.sets.options import SetOptions
from ldpcore.study.sets.sample import PRIVATE, PUBLIC, Ranks, SetSample, SetSetting, resampled, sets
from ldpcore.study.sets.surveys import estimated
from ldpcore.study.skeleton import Row, Run

CATALOG = catalog.ITEMS
AXES = ("epsilon", "share", "k", "m", "n")
BESIDES = (invented.KEY,)
"""What can be compared and is in no catalogue."""
MARKS = mark_kinds.ITEMS
MAX_PAIRS, MAX_CHANCES = 50_000_000, 4_000_000_000
"""Most (person, item) pairs of a survey, held and possible: the simulation draws for every one of them."""
MOST_SUGGESTED = 32
"""Items per set that are proposed at most: the error grows with every one of them, on everybody."""
KEPT = 1 << 22
"""Estimated shares kept with the people: 32 MiB."""
TOLD = 1024
"""Surveys whose attacks are kept with the people."""


OPTIONS = SetOptions


def options(study: Study) -> SetOptions:
    """What a study of sets is told."""
    return cast(SetOptions, study.options)


def columns(table: Table) -> list[str]:
    """The columns of several items per person."""
    return list(table.sets)


def default_column(table: Table) -> str:
    return next(iter(table.sets), "")


@fitting.fits
def fit(study: fitting.Draft, table: Table) -> fitting.Refusals:
    """The study about this table: a column of sets, marks of items in it, options that make sense."""
    # The own mechanism is compared wherever the study has a table for it.
    study.set(mechanisms=tuple(key for key in study.mechanisms if key != invented.KEY) or CATALOG.defaults)
    refused = fitting.start(study, table, CATALOG, columns(table), default_column(table))
    study.set(bins=None)
    if not study.column:
        return refused
    try:
        data = table.baskets(study.column)
    except DataError:  # whoever collects them says why there are none
        return refused + fitting.marks(study, set())
    return refused + fitting.marks(study, set(data.labels)) + invented.fit(study, lambda draft: usable(draft, data))


def prepare(study: Study, table: Table) -> Baskets:
    """The baskets of the column; ValueError where the marks, or a table of one's own, do not fit them."""
    chosen, data = options(study), table.baskets(study.column)
    if chosen.simulated is None:
        _ranks(study.marks, data)
    if invented.KEY in study.mechanisms:
        usable(study, data)
    return data


def items_per_set(study: Study, data: Baskets) -> int:
    """m: as asked, or enough for nine users in ten."""
    chosen = options(study)
    if chosen.m is not None:
        return chosen.m
    if chosen.simulated:
        return min(8, chosen.simulated)
    return min(MOST_SUGGESTED, suggest_m(data.lengths))


def _ranks(marks: Marks, data: Baskets) -> Ranks:
    """How protected every item is (k,)."""
    try:
        return data.domain.mask(marks.values).astype(np.int64) + data.domain.mask(marks.secret)
    except ValueError as error:
        raise ValueError(f"the marks do not fit these baskets: {error}") from error


def current(study: Study, data: Baskets) -> float:
    """The point of the axis that is chosen now; it alone has rows for items, and attacks."""
    if study.axis == "epsilon":
        return study.epsilon
    if study.axis == "m":
        return float(items_per_set(study, data))
    if study.axis == "n":
        return float(study.n or data.n)
    items = options(study).simulated
    if study.axis == "k":
        return float(items or data.k)
    return float(options(study).marked if items else (_ranks(study.marks, data) > PUBLIC).mean())


def usable(study: Study, data: Baskets) -> None:
    """Whether the study has a table for these items, from which all shares can be estimated.

    ValueError or TypeError with a sentence where it has none.
    """
    m, items = items_per_set(study, data), options(study).simulated
    labels = tuple(f"item {i + 1}" for i in range(items)) if items else data.labels
    own.usable(invented.table(study), labels, m, 0 if items else m)


def setting(study: Study, data: Baskets, x: float) -> SetSetting:
    """Everything that one value of the axis needs, whatever the mechanism; built from the study alone."""
    epsilon = x if study.axis == "epsilon" else study.epsilon
    # Neither ε nor the mechanisms nor the surveys change who holds what.
    at = (study.data, study.column, study.missing, study.marks, study.axis, study.n, study.seed, study.options)
    where = None if study.axis == "epsilon" else x
    people = remembered(data, ("sample", at, where), lambda: _sample(study, data, x))
    dummies = 0 if options(study).simulated else people.m
    return SetSetting(x, epsilon, people, dummies, study.secret_at(epsilon), options(study).own)


def _sample(study: Study, data: Baskets, x: float) -> SetSample:
    chosen = options(study)
    m = max(1, round(x)) if study.axis == "m" else items_per_set(study, data)
    n = max(1, round(x)) if study.axis == "n" else study.n or data.n
    if chosen.simulated:
        k = max(2, round(x)) if study.axis == "k" else chosen.simulated
        _bounded(n, m, k)
        share = x if study.axis == "share" else chosen.marked
        baskets = sample.invented(study.seed, n, k, m, chosen.popularity)
        return SetSample(baskets, (np.arange(k) < round(share * k)).astype(np.int64), m)
    ranks = _ranks(study.marks, data)
    if study.axis == "k":
        common = np.argsort(-data.counts, kind="stable")[: max(2, round(x))]
        keep = np.isin(np.arange(data.k), common)
        data, ranks = data.onto(keep), ranks[keep]
    if study.axis == "share":
        # The most protected items first, then the rarest: the share grows from the study's own marks outwards.
        order = np.lexsort((np.arange(data.k), data.counts, -ranks))
        within = np.isin(np.arange(data.k), order[: round(x * data.k)])
        ranks = np.where(within, np.maximum(ranks, PRIVATE), PUBLIC)
    _bounded(n, max(m, float(data.lengths.mean())), data.k)
    return SetSample(resampled(data, n, study.seed), ranks, m)


def _bounded(n: int, size: float, k: int) -> None:
    if n * size > MAX_PAIRS:
        raise ValueError(
            f"{n} people with {size:.3g} items each are more than a survey of sets can have here "
            f"({MAX_PAIRS} pairs): every one of them is drawn; choose fewer people or a smaller m"
        )
    if n * k > MAX_CHANCES:
        raise ValueError(
            f"{n} people and {k} items are more than a survey of sets can have here ({MAX_CHANCES} of people times "
            "items); choose fewer people, or group the items into categories in the file"
        )


def refusal(study: Study, data: Baskets, mechanism: str, x: float) -> str | None:
    """Why this mechanism does not exist at this point (its subsets need more marked items, say), or None. One's own
    has one ε.
    """
    point = setting(study, data, x)
    try:
        made = point.build(mechanism)
    except ValueError as error:
        return str(error)
    if mechanism == invented.KEY and not invented.stands(study, made.epsilon, x):
        return f"it has one ε, {made.epsilon:g}"
    return None


def cells(study: Study, data: Baskets, mechanism: str) -> Iterator[tuple[SetSetting, SetRandomizer]]:
    """The points at which the mechanism exists."""
    for x in points(study, data):
        if refusal(study, data, mechanism, x) is None:
            point = setting(study, data, x)
            yield point, point.build(mechanism)


def _expected(study: Study, data: Baskets, mechanism: str, x: float) -> Iterator[Row]:
    if refusal(study, data, mechanism, x) is not None:
        return
    point = setting(study, data, x)
    built = point.build(mechanism)
    variance = point.variance(built)
    error = variance + point.bias**2
    for scope, part in point.scopes:
        yield "mse", scope, float(error[part].mean())
        yield "mse:kept", scope, float(variance[part].mean())
    yield "bits", "all", built.report_bits(point.sample.shares("people"))
    if _detailed(study, data, mechanism, x):
        for v in point.shown:
            label = point.baskets.labels[v]
            yield "squared error", label, float(error[v])
            yield "estimate", label, float(point.kept[v])


def _detailed(study: Study, data: Baskets, mechanism: str, x: float) -> bool:
    """Whether there are rows for items, and attacks: at the chosen point, and wherever along ε one's own stands."""
    return x == current(study, data) or (mechanism == invented.KEY and study.axis == "epsilon")


def _beside(study: Study, data: Baskets) -> set[float]:
    """The ε of one's own mechanism, so that all are compared there. ValueError, in a sentence, where it makes none."""
    return invented.points(study, lambda: setting(study, data, study.epsilon).build(invented.KEY).epsilon)


def _survey(study: Study, data: Baskets, mechanism: str, x: float, repetition: int) -> Iterator[Row]:
    """One simulated survey, and its attacks."""
    if refusal(study, data, mechanism, x) is not None:
        return
    point = setting(study, data, x)
    built, key = point.build(mechanism), (study.seed, mechanism, float(x), repetition)
    people = sets(study.seed, point.baskets, point.m, point.dummies, repetition)
    # A curve passes the chosen point, where the same surveys are attacked.
    at, most = ("estimate", built, *key), max(1, KEPT // point.baskets.k)
    estimate = remembered(point.baskets, at, lambda: estimated(built, people, point.sample, stream(*key)), most)
    for scope, part in point.scopes:
        yield "mse", scope, float(np.mean((estimate - point.freq)[part] ** 2))
        yield "mse:kept", scope, float(np.mean((estimate - point.kept)[part] ** 2))
        yield "max error", scope, float(np.abs(estimate - point.freq)[part].max())
    for form in options(study).postprocessing:
        deviation = np.sqrt(point.variance(built)) if form == "base-cut" else 0.0
        error = publishing.shaped(estimate, form, deviation, point.m) - point.freq
        yield from ((f"mse:{form}", scope, float(np.mean(error[part] ** 2))) for scope, part in point.scopes)
    if _detailed(study, data, mechanism, x):
        off = estimate - point.freq
        for v in point.shown:
            label = point.baskets.labels[v]
            yield "squared error", label, float(off[v] ** 2)
            yield "estimate", label, float(estimate[v])
        # Whoever looks at the same people with the same settings, in another session, has the same: of all that a page
        # shows of a class's data this takes longest.
        chosen = options(study)
        asked = "told", built, point.sample.ranks.tobytes(), chosen.attacks, chosen.targets, *key
        yield from remembered(point.baskets, asked, lambda: exposure.told(chosen, point, built, people, key), TOLD)


def _people(study: Study, data: Baskets, scope: str) -> int:
    return options(study).attacks


def _decisions(study: Study, data: Baskets, scope: str) -> int:
    return decisions(options(study), setting(study, data, current(study, data)), scope)


MEASURES = {
    "mse": POSITIVE,
    "max error": POSITIVE,
    "squared error": POSITIVE,
    "estimate": NORMAL,
    "bits": POSITIVE,
    "success:presence": Chance(_people),
    "success:level": Chance(_people),
    "success:membership": Chance(_decisions),
}
RUN = Run(current, _survey, _expected, beside=_beside)
points, theory, chunks = RUN.points, RUN.theory, RUN.chunks
