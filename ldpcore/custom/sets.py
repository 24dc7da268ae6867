"""A table of chances for sets: rows are items, and a person sends one of her m items, drawn at random, through it
(theory/sets#a-table-for-items).

So the law of a report is the mean of the rows of the set. A report speaks most for the m items whose chances of it are
largest, and most against the m whose are smallest: the largest ratio between two sets is that of these sums.
"""

from dataclasses import dataclass, field
from functools import cached_property
from math import inf

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.channel import SetColumn
from ldpcore.levels import SetLevels
from ldpcore.mechanisms.sampled import OneSampled
from ldpcore.policy import LDP, Policy, SULDPJoint
from ldpcore.randomizer import Reports
from ldpcore.set_randomizer import Sets, Vector
from ldpcore.support_family import SupportFamily

from .mechanism import CustomMechanism
from .promises import NONE, rounded
from .reading import PADDING

OF_SETS = (LDP.name, SULDPJoint.name)
"""The strongest first."""


@dataclass(frozen=True)
class KeptBySets:
    """One definition: the least ε (nats; inf: at none) at which it is kept. Report `report` speaks for the set `value`
    against the set `against` by just so much: codes of items, and from k on of padding.
    """

    definition: str
    epsilon: float
    value: tuple[int, ...]
    against: tuple[int, ...]
    report: int


@dataclass(frozen=True, eq=False)
class CustomSets(OneSampled):
    """One of a person's m items, drawn at random, through `matrix[x, y]` = Pr[report y | item x], (k, outputs).

    m: items per set; sensitive: the marks (k,), which its promise is told by; dummies: codes that pad short sets, for
    which the matrix has one more row, the last; items: what the rows are called; labels: the reports. Its ε is the
    least at which it keeps LDP, or, with marks, SULDP-joint; inf where it keeps neither. ValueError with a sentence for
    a table that is no channel.

    >>> ones = np.full((4, 4), 0.1) + 0.6 * np.eye(4)  # GRR at ε = ln 7, for sets of two: one in two is another item
    >>> m = CustomSets(ones, m=2)
    >>> m.promise.definition, round(float(np.exp(m.epsilon)), 6), m.promise.value, m.promise.against
    ('LDP', 4.0, (0, 3), (1, 2))
    >>> m.variance([0.8, 0.6, 0.4, 0.2], n=100).round(4).tolist()
    [0.0233, 0.02, 0.0167, 0.0133]
    """

    epsilon: float = field(init=False)
    k: int = field(init=False)
    sensitive: NDArray[np.bool_] | None = field(default=None, kw_only=True)  # type: ignore[assignment]
    m: int = field(kw_only=True)
    dummies: int = field(default=0, kw_only=True)
    matrix: ArrayLike
    labels: tuple[str, ...] = field(default=(), kw_only=True)
    items: tuple[str, ...] = field(default=(), kw_only=True)
    table: CustomMechanism = field(init=False)

    uses_marks = True

    def __post_init__(self) -> None:
        many, k = checks.integer(self.dummies, "dummies (codes that pad short sets)", 0), len(np.asarray(self.matrix))
        k -= bool(many)
        size = checks.integer(self.m, "m (items per set)", 1, max(1, k + many))
        object.__setattr__(self, "k", checks.domain_size(k))
        object.__setattr__(self, "sensitive", checks.mask(self.sensitive, k))
        # Made for uniform sets, as the catalogue's are.
        share = np.r_[np.ones(k), [many] * bool(many)] / (k + many)
        names = (*self.items, *([PADDING] if many else [])) if self.items else ()
        table = CustomMechanism(self.matrix, labels=self.labels, share=share, answers=names)
        object.__setattr__(self, "table", table)
        object.__setattr__(self, "m", size)
        object.__setattr__(self, "epsilon", self.promise.epsilon)

    @property
    def single(self) -> CustomMechanism:
        return self.table

    @property
    def _rows(self) -> Vector:
        return self.table._p

    def _values(self, codes: Sets) -> Sets:
        return np.minimum(codes, self.single.k - 1)

    # what it promises --------------------------------------------------------------------------------------------

    @cached_property
    def _proofs(self) -> NDArray[np.intp]:
        """The item (outputs,) that is not marked and alone can send a report; -1 where there is none."""
        possible = self._rows > 0
        holder = possible.argmax(axis=0)
        return np.where((possible.sum(axis=0) == 1) & ~self.marked[holder], holder, -1)

    @cached_property
    def kept(self) -> dict[str, KeptBySets]:
        """Definition → the least ε at which it is kept, and what decides it; SULDP-joint where something is marked.

        Between sets with the item that a report proves, its chance is the same: there is nothing to bound.
        """
        promises = {LDP.name: self._kept(LDP.name, np.ones(len(self._proofs), bool))}
        if self.marked[: self.k].any():
            promises[SULDPJoint.name] = self._kept(SULDPJoint.name, self._proofs < 0)
        return promises

    def _kept(self, definition: str, bounded: NDArray[np.bool_]) -> KeptBySets:
        """Over these reports (outputs,)."""
        order, losses = self._extremes
        if not bounded.any():
            anybody = tuple(order[: self.m, 0].tolist())
            return KeptBySets(definition, 0.0, anybody, anybody, 0)
        report = int(np.argmax(np.where(bounded, losses, -inf)))
        likely, unlikely = order[::-1][: self.m, report], order[: self.m, report]
        return KeptBySets(definition, rounded(losses[report]), tuple(likely.tolist()), tuple(unlikely.tolist()), report)

    @cached_property
    def _extremes(self) -> tuple[Sets, Vector]:
        """Codes by their chance of each report, ascending: (inner, outputs); the largest loss of each: (outputs,)."""
        chances = self._rows[self._values(np.arange(self.inner))]
        order = np.argsort(chances, axis=0, kind="stable")
        ascending = np.take_along_axis(chances, order, axis=0)
        least, most = ascending[: self.m].sum(axis=0), ascending[-self.m :].sum(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            return order, np.where(most > 0, np.log(most) - np.log(least), 0.0)

    @cached_property
    def promise(self) -> KeptBySets:
        """LDP, else what is kept of the marks; NONE where nothing is at any ε up to 40."""
        whole = (self.kept[name] for name in OF_SETS if name in self.kept)
        nothing = self.kept[LDP.name]
        return next(
            (each for each in whole if each.epsilon <= checks.MAX_EPSILON),
            KeptBySets(NONE, inf, nothing.value, nothing.against, nothing.report),
        )

    def towards(self, hidden: ArrayLike, above: ArrayLike) -> float:
        """The least ε at which it keeps the level of the items `hidden` (inner,), of levels whose items `above` have a
        larger one: no report speaks by more for a set against one that has all of it but some of these, and of public
        items (theory/levels#sets). inf: at none; 0 where there is no such pair.

        For every number r of items that are exchanged: r likeliest ones, one of them hidden, against the m least likely
        of the others, of which the m − r likeliest are common.

        >>> m = CustomSets(np.full((4, 4), 0.1) + 0.6 * np.eye(4), m=2)
        >>> secret = np.arange(4) < 2
        >>> [round(float(np.exp(m.towards(part, ~part))), 3) for part in (secret, np.ones(4, bool))]
        [4.0, 4.0]
        """
        level, among = np.asarray(hidden, bool), ~np.asarray(above, bool)
        chances = self._rows[self._values(np.arange(self.inner))]
        asked = (chances[level].max(axis=0, initial=0.0) > 0) & (self._proofs < 0)
        if not asked.any():
            return 0.0
        chances = chances[:, asked]
        first = np.where(level[:, None], chances, -inf).argmax(axis=0)
        wanted = np.where(among[:, None], chances, -inf)
        wanted[first, np.arange(len(first))] = inf
        place = np.argsort(np.argsort(-wanted, axis=0, kind="stable"), axis=0, kind="stable")
        losses = [
            self._exchanged(chances, place < exchanged, exchanged)
            for exchanged in range(1, min(self.m, int(among.sum()), self.inner - self.m) + 1)
        ]
        return rounded(float(np.max(losses))) if losses else 0.0

    def _exchanged(self, chances: Vector, gone: NDArray[np.bool_], exchanged: int) -> Vector:
        """How much each report (reports,) speaks for these items (inner, reports) against the least likely others."""
        others = np.sort(np.where(gone, inf, chances), axis=0)[: self.m]
        with np.errstate(divide="ignore"):
            mine = np.where(gone, chances, 0.0).sum(axis=0) + others[exchanged:].sum(axis=0)
            return np.log(mine) - np.log(others.sum(axis=0))

    @cached_property
    def towards_items(self) -> Vector:
        """The least ε (k,) towards each item, exchanged for another one by who knows all else of the set."""
        if self.inner == self.m:
            return np.zeros(self.k)
        chances = self._rows[self._values(np.arange(self.inner))][:, self._proofs < 0]
        ascending = np.sort(chances, axis=0)[: self.m + 1]
        least, mine = ascending[: self.m].sum(axis=0), chances[: self.k]
        among = (np.argsort(np.argsort(chances, axis=0, kind="stable"), axis=0, kind="stable") < self.m)[: self.k]
        others = np.where(among, least - mine + ascending[self.m], least)
        common = others - np.where(mine == ascending[0], np.where(among, ascending[1], ascending[0]), ascending[0])
        with np.errstate(divide="ignore", invalid="ignore"):
            losses = np.where(mine > 0, np.log(mine + common) - np.log(others), 0.0).max(axis=1, initial=0.0)
        return np.array([rounded(loss) for loss in losses])

    @property
    def policy(self) -> Policy:
        if self.promise.definition == LDP.name:
            return LDP(self.epsilon)
        if self.promise.definition == NONE:
            return SetLevels((inf,) * self.inner)
        return SULDPJoint(self.epsilon, self.marked)

    # the estimate ------------------------------------------------------------------------------------------------

    @cached_property
    def _turn(self) -> tuple[Vector, Vector]:
        """(k,) what padding alone adds to the totals of a report, and (k, k) what turns the rest into shares: all
        shares sum to m with that of padding, which is not estimated.
        """
        gained = self.single._gained[:, : self.k]
        rest = gained[self.k] if self.dummies else np.zeros(self.k)
        return rest, self.m * np.linalg.inv(gained[: self.k] - rest)

    def invert(self, seen: Vector) -> Vector:
        rest, turn = self._turn
        return (seen - rest) @ turn

    @cached_property
    def report_scores(self) -> Vector:
        """What every report adds to each share: (outputs, k)."""
        return self.scores(self.outputs())

    def families(self) -> tuple[SupportFamily, ...]:
        """Every report that somebody sends is a form of its own."""
        sent = self._rows.any(axis=0)
        return tuple(SupportFamily(scores, scores, ()) for scores in self.report_scores[sent])

    @cached_property
    def _squares(self) -> Vector:
        """Mean square (rows, k) of a score where everybody's sampled item is that of the row."""
        return self._rows @ self.report_scores**2

    def _sampled(self, freq: Vector) -> Vector:
        """How often (…, rows) a sampled item is each row's."""
        if not self.dummies:
            return freq / self.m
        padding = np.maximum(self.m - freq.sum(axis=-1, keepdims=True), 0.0)
        return np.concatenate([freq, padding], axis=-1) / self.m

    def variance(self, freq: ArrayLike, n: int, company: ArrayLike | None = None) -> Vector:
        f = self.shares(freq)
        # The mean square of a score over people less that of its mean, which is 1 for holders and 0 for others.
        return np.maximum(self._sampled(f) @ self._squares - f, 0.0) / n

    def parted(self, freq: Vector) -> tuple[Vector, Vector, Vector]:
        total = np.maximum(freq.sum(axis=-1, keepdims=True), 1e-300)
        f = freq * (np.minimum(1.0, self.m / total) if self.dummies else self.m / total)
        kept = np.diagonal(self._squares[: self.k])  # m of these are those of a set of its holders
        others = self.m * (self._sampled(f) @ self._squares) - f * kept
        mean = others / np.maximum(self.m - f, 1e-300)
        lifted = (kept + (self.m - 1) * mean) / self.m - 1
        step = np.ptp(self.report_scores[self._rows.any(axis=0)], axis=0)
        return np.maximum(lifted, 0.0), np.maximum(mean, 0.0), step

    # the report --------------------------------------------------------------------------------------------------

    def describe(self, outputs: Reports) -> list[SetColumn]:
        """A report that one item alone can send discloses it, where it is not marked."""
        codes, names = np.asarray(outputs, np.intp), self.single.labels
        return [
            SetColumn(names[y], False, None, (int(v),), "") if v >= 0 else SetColumn(names[y], hidden=names[y])
            for y, v in zip(codes, self._proofs[codes], strict=True)
        ]

    def report_bits(self, freq: ArrayLike | None = None) -> float:
        """One code among all reports."""
        return float((self.count_outputs() - 1).bit_length())
