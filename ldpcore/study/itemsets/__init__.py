"""The itemsets task: sets that many baskets hold, found by miners that protect whole baskets; scored against the truth.

Along epsilon every miner spends the same total (DFDP as it counts itself), along s the same s per count, whatever that
adds up to; miners without such an s then run at the study's epsilon. Marked items are withheld: no set with one of
them is looked for or published, and the truth still holds them, so that the scores show what that costs.

>>> from ldpcore import Source, Study, run
>>> study = Study(Source("groceries"), "items", mechanisms=("DFDP", "Capped"), grid=(), repetitions=1, task="itemsets")
>>> rows = run(study.with_options(min_count=200))
>>> whole = rows[rows["scope"] == "all"].pivot(index="mechanism", columns="metric", values="value").round(1)
>>> whole[["f", "defended"]].to_dict("index")  # ε that can be defended
{'Capped': {'f': 0.9, 'defended': 1.0}, 'DFDP': {'f': 0.2, 'defended': inf}}
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from math import isnan
from typing import ClassVar, cast

from ldpcore import catalog, checks
from ldpcore.baskets import Baskets
from ldpcore.data import DataError, Table
from ldpcore.itemsets import (
    Ledger,
    MiningProposal,
    MiningResult,
    NoTables,
    TooManyCandidates,
    propose,
)
from ldpcore.itemsets.expected import dfdp as expected
from ldpcore.itemsets.given import threshold
from ldpcore.itemsets.ledger import budget, limit
from ldpcore.itemsets.question import GroundTruth, MiningQuestion
from ldpcore.itemsets.scores import scored
from ldpcore.itemsets.smarttrunc import LENGTH, LEVELS
from ldpcore.memory import remembered
from ldpcore.rng import stream
from ldpcore.study import fitting, mark_kinds
from ldpcore.study.definition import Study
from ldpcore.study.measures import POSITIVE, SCORE
from ldpcore.study.options import TaskOptions
from ldpcore.study.skeleton import Chunk, Row, Run

CATALOG = catalog.MINERS
AXES = ("epsilon", "s", "min_count")
MARKS = mark_kinds.WITHHELD
SAME = ("epsilon", "s")
PAIR = ("DFDP", "SmartTrunc")
"""What the two comparisons, the same s and the same total, are about."""
USUAL_SHARE = 0.01
"""Of the baskets: what makes a set frequent until somebody says otherwise."""


@dataclass(frozen=True, kw_only=True)
class ItemsetOptions(TaskOptions):
    """min_count: baskets that make a set frequent, a number, or a share below 1; None: a hundredth. s: budget of one
    count under "same s". same: what is equal along min_count: "epsilon", the total, or "s", per count. clip: what
    |noise| is limited to in DFDP and SmartTrunc; their paper's experiment has 10. length: SmartTrunc cuts baskets to so
    many items, and looks for sets of up to so many `levels`. candidate_count: with this noisy count a set makes
    candidates; None: min_count. max_length: no miner looks for longer sets; None: no limit.
    """

    PORTABLE: ClassVar = ("s", "same", "clip", "length", "levels", "candidate_count")
    min_count: float | None = None
    s: float = 0.2
    same: str = "epsilon"
    clip: float | None = None
    length: int = LENGTH
    levels: int = LEVELS
    candidate_count: float | None = None
    max_length: int | None = None

    def check(self) -> None:
        if self.same not in SAME:
            raise ValueError(f'the option same is "epsilon" (the total) or "s" (per count), got {self.same!r}')
        budget(self.s, "s (the budget of one count)")
        limit(self.clip)
        self._set("length", checks.integer(self.length, "the option length (items a basket is cut to)", 1))
        self._set("levels", checks.integer(self.levels, "the option levels", 1, 64))
        if self.max_length is not None:
            self._set("max_length", checks.integer(self.max_length, "the option max_length (items per set)", 1))

    @property
    def least(self) -> float:
        """min_count, or the usual one."""
        return USUAL_SHARE if self.min_count is None else self.min_count


OPTIONS = ItemsetOptions


def options(study: Study) -> ItemsetOptions:
    """What a study of itemsets is told."""
    return cast(ItemsetOptions, study.options)


def columns(table: Table) -> list[str]:
    """The columns of several items per person."""
    return list(table.sets)


def default_column(table: Table) -> str:
    return next(iter(table.sets), "")


def usual(n: int) -> int:
    """About one basket in a hundred, a round number, and at least two where there are two."""
    wanted = n * USUAL_SHARE
    step = max(1.0, 10 ** (len(str(round(wanted))) - 1) / 2)
    return min(n, max(2, int(round(wanted / step) * step)))


def proposed(held: Baskets, max_length: int | None = None) -> MiningProposal:
    """The threshold, and where it needs one the length, with which these baskets are looked at first: the usual ones if
    the sets are then few enough to be counted and compared at once.
    """
    key = "proposed", max_length
    return remembered(held, key, lambda: propose(held, usual(held.n), max_length))


@fitting.fits
def fit(study: fitting.Draft, table: Table) -> fitting.Refusals:
    """The study about this table: a column of baskets, a threshold, and only items withheld that are in them.

    Where no min_count is given both bounds of the search are `proposed`: read off the data, and only to look at first.
    """
    unchosen = not study.mechanisms
    refused = fitting.start(study, table, CATALOG, columns(table), default_column(table))
    study.set(bins=None, n=None)
    if not study.column:
        return refused
    try:
        baskets = table.baskets(study.column)
    except DataError:  # whoever collects them says why there are none
        study.set(options=ItemsetOptions())
        return refused

    if unchosen:
        study.set(mechanisms=(*PAIR, strong(baskets)))

    def check(asked: Study) -> None:
        question(asked, current(asked))
        threshold(min_count(asked, current(asked)), baskets.n)

    refused += fitting.options(study, check)
    if options(study).min_count is None:
        first = proposed(baskets, options(study).max_length)
        study.set(options=study.changed_options(min_count=first.min_count, max_length=first.max_length))
    return refused + fitting.marks(study, set(baskets.labels))


def prepare(study: Study, table: Table) -> Baskets:
    """The column's baskets; ValueError for options or marks that make no sense."""
    # An object of its own: what is counted of it is gone with it, while the table's stay as long as the table.
    data = replace(table.baskets(study.column), groups={})
    if study.n is not None:
        raise ValueError("itemsets are mined from the baskets there are; leave n out")
    if not len(data.codes):
        raise ValueError("all baskets are empty, so nothing is bought together; choose data with items")
    if len(withheld(study, data)) == data.k:
        raise ValueError("every item is withheld, so nothing can be published; unmark some")
    same(study)
    for x in points(study, data):
        question(study, x)
        threshold(min_count(study, x), data.n)
    return data


def withheld(study: Study, data: Baskets) -> frozenset[int]:
    """Codes of the items that are marked."""
    values = study.marks.values
    if not values:  # asked for each run: thousands of items need not be gone through
        return frozenset()
    place = {str(label): code for code, label in enumerate(data.labels)}
    unknown = [value for value in values if value not in place]
    if unknown:
        raise ValueError(f"no basket holds the marked {checks.name_list(unknown)}; mark items of the column")
    return frozenset(place[value] for value in values)


def same(study: Study) -> str:
    """What is equal for all miners: "epsilon" (the total) or "s" (per count)."""
    if study.axis in SAME:
        return study.axis
    return options(study).same


def min_count(study: Study, x: float) -> float:
    given = x if study.axis == "min_count" else options(study).least
    return int(given) if float(given).is_integer() else given


def question(study: Study, x: float) -> MiningQuestion:
    """What the miners are asked at this point of the axis."""
    given = options(study)
    s = budget(x if study.axis == "s" else given.s, "s (the budget of one count)")
    return MiningQuestion(
        x if study.axis == "epsilon" else study.epsilon,
        s if same(study) == "s" else None,
        limit(given.clip),
        given.length,
        given.levels,
        given.candidate_count,
        given.max_length,
    )


def current(study: Study, data: object = None) -> float:
    """The point of the axis that is chosen now."""
    if study.axis == "epsilon":
        return study.epsilon
    return float(options(study).s if study.axis == "s" else options(study).least)


def strong(data: Baskets) -> str:
    """The miner that is meant for such baskets: one that refuses most others, as Tables does where not everybody
    answers the same few questions; else the last of the usual ones.
    """
    meant = (key for key, entry in CATALOG.items() if entry.refuses is not None and not entry.refused(data))
    return next(meant, CATALOG.defaults[-1])


def refused(study: Study, data: Baskets) -> dict[str, str]:
    """The miners that cannot run on these baskets → why, and what to do (the end of a sentence)."""
    return {key: why for key in study.mechanisms if (why := CATALOG[key].refused(data))}


def ground(study: Study, data: Baskets, x: float) -> GroundTruth:
    """The exact counts behind one cell: the same Ground for the same setting, made when first asked for."""
    key = threshold(min_count(study, x), data.n), withheld(study, data), question(study, x).max_length
    return remembered(data, ("ground", *key), lambda: GroundTruth(data, *key), 64)


def mine(study: Study, data: Baskets, mechanism: str, x: float, repetition: int = 0) -> MiningResult:
    """One run: what a chunk of the simulation scores. The same study gives the same sets."""
    rng = stream(study.seed, mechanism, float(x), repetition)
    return CATALOG[mechanism].mine(ground(study, data, x), question(study, x), rng)


def _expected(study: Study, data: Baskets, mechanism: str, x: float) -> Iterator[Row]:
    """DFDP's expected scores, which need no run."""
    if mechanism == "DFDP":
        expectations = expected(ground(study, data, x), question(study, x))
        yield from ((metric, "all", value) for metric, value in expectations.items())


def _survey(study: Study, data: Baskets, mechanism: str, x: float, repetition: int) -> Iterator[Row]:
    """One run of one miner: its scores over all sets and those of each length, and its bill; NaN where noise lets so
    many sets look frequent that it cannot go on, or where these baskets have nothing that it could work on.
    """
    truth = ground(study, data, x)
    try:
        mined = mine(study, data, mechanism, x, repetition)
    except (NoTables, TooManyCandidates):
        yield from ((metric, "all", float("nan")) for metric in (*SCORES, *BILL))
        return
    whole, lengths = scored(mined, truth.truth)
    for scope, each in [("all", whole), *((str(length), each) for length, each in lengths.items())]:
        yield from ((metric, scope, float(getattr(each, metric))) for metric in SCORES)
    yield from ((metric, "all", value) for metric, value in bill(mined.ledger, int(truth.data.lengths.max())).items())
    if not isnan(mined.bits):
        yield "bits", "all", mined.bits


BILL = ("total", "by basket", "defended", "delta")


def bill(ledger: Ledger, longest: int) -> dict[str, float]:
    """The totals of a ledger: as booked, by the longest basket, what can be defended, and δ of limited noise."""
    totals = ledger.total, ledger.by_basket(longest), ledger.defended, ledger.delta(longest)
    return dict(zip(BILL, totals, strict=True))


def identity(study: Study, mechanism: str, x: float, repetition: int) -> Hashable:
    """All that a run depends on: the same whatever else the study visits."""
    marks = frozenset(study.marks.values)
    asked = question(study, x), min_count(study, x), study.data.digest, study.column, study.missing
    return "itemsets", study.seed, marks, *asked, mechanism, x, study.axis, repetition


def _identity(chunk: Chunk) -> Hashable:
    return identity(chunk.study, chunk.mechanism, chunk.xs[0], chunk.repetition)


SCORES = {
    "f": SCORE,
    "precision": SCORE,
    "recall": SCORE,
    "found": POSITIVE,
    "missed": POSITIVE,
    "false": POSITIVE,
    "mae_found": POSITIVE,
    "mae_candidates": POSITIVE,
}
"""Fields of `itemsets.MiningScores`."""
MEASURES = {**SCORES, **dict.fromkeys(("total", "by basket", "defended", "bits"), POSITIVE), "delta": SCORE}
RUN = Run(current, _survey, _expected, apart=True, identity=_identity)
points, theory, chunks = RUN.points, RUN.theory, RUN.chunks
