"""A channel that somebody wrote down, as a mechanism: the sampler, the likelihood and the errors follow from its table.

Scores that are unbiased satisfy P·T = 1; of those the ones with the least error at shares f are
T = D⁻¹Pᵀ(P D⁻¹Pᵀ)⁻¹, D = diag(fP) (theory/frequency#whole-report): best for every value at once. They are kept as whole
points, 2²³ for the largest of each value, so that totals are exact and merge; `invert` is exact for the points as
rounded, so rounding is never a bias.
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.attacks import bayes
from ldpcore.channel import Channel, ReportColumn
from ldpcore.policy import Policy
from ldpcore.randomizer import BLOCK, Randomizer, Reports
from ldpcore.tally import Tally

from .promises import NONE, KeptPromise, as_columns, kept, losses, policy_of, strongest
from .table import apart, checked

Array = NDArray[np.float64]
POINTS = 1 << 23
SCARCE = 1e-6
"""The estimate is made as if every value had at least this share over k."""


@dataclass(frozen=True, eq=False)
class CustomMechanism(Randomizer):
    """The mechanism of `matrix[x, y]` = Pr[report y | value x], (k, outputs); reports are the codes of its columns.

    sensitive: the marks, a bool mask (k,), which its promise is told by; labels: of the reports; share: the shares (k,)
    at which its estimate is best, None for even ones; answers: what the values are called. Its ε is the least of the
    strongest definition that it keeps (`kept`), inf where it keeps none. ValueError with a sentence for a table that is
    no channel; one whose reports are the same for different shares has no estimate, and says which values those are.

    >>> m = CustomMechanism([[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]])
    >>> m.policy.name, round(m.epsilon, 3), m.estimate(m.tally(np.array([0] * 6 + [1, 1, 2, 2]))).round(3).tolist()
    ('LDP', 2.079, [0.714, 0.143, 0.143])
    >>> m.variance([0.5, 0.3, 0.2], n=100).round(5).tolist()  # exact, as the catalogue's own
    [0.00255, 0.00227, 0.00212]
    """

    matrix: ArrayLike
    sensitive: NDArray[np.bool_] | None = None
    labels: tuple[str, ...] = ()
    share: ArrayLike | None = None
    answers: tuple[str, ...] = ()
    k: int = field(init=False)
    epsilon: float = field(init=False)

    def __post_init__(self) -> None:
        matrix = checked(self.matrix)
        object.__setattr__(self, "matrix", matrix)
        object.__setattr__(self, "k", len(matrix))
        object.__setattr__(self, "sensitive", checks.mask(self.sensitive, len(matrix)))
        names = self.labels or tuple(map(str, range(matrix.shape[1])))
        if len(names) != matrix.shape[1] or len(set(names)) < len(names):
            raise ValueError(
                f"the reports need {matrix.shape[1]} names that differ, got {len(names)}, {len(set(names))} of them "
                "different; or leave them out"
            )
        object.__setattr__(self, "labels", names)
        object.__setattr__(self, "epsilon", self.promise.epsilon)

    @property
    def _p(self) -> Array:
        return self.matrix  # type: ignore[return-value]

    # what it promises --------------------------------------------------------------------------------------------

    @cached_property
    def kept(self) -> dict[str, KeptPromise]:
        """Definition → the least ε at which it is kept, and what decides it."""
        return kept(self._p, self.sensitive)

    @cached_property
    def promise(self) -> KeptPromise:
        """The strongest definition that it keeps at any ε."""
        return strongest(self.kept)

    @property
    def policy(self) -> Policy:
        return policy_of(self.promise, self.sensitive)

    @property
    def keeps(self) -> bool:
        """Whether it keeps any definition at all."""
        return self.promise.definition != NONE

    def privacy_loss(self) -> Array:
        return self._loss

    @cached_property
    def _loss(self) -> Array:
        return losses(self._p)

    @cached_property
    def _columns(self) -> tuple[ReportColumn, ...]:
        return as_columns(self._p, self.sensitive, self.promise.definition, self.labels)

    # the sampler -------------------------------------------------------------------------------------------------

    def perturb(self, values: ArrayLike, rng: np.random.Generator) -> Reports:
        values = checks.codes(values, self.k)
        out = np.empty(len(values), np.int32)
        for start in range(0, len(values), BLOCK):
            block = values[start : start + BLOCK]
            drawn, reports = rng.random(len(block)), out[start : start + BLOCK]
            for x in np.unique(block):
                mine = block == x
                reports[mine] = self._nonzero[x][np.searchsorted(self._steps[x], drawn[mine], side="right")]
        return out

    @cached_property
    def _nonzero(self) -> list[NDArray[np.intp]]:
        """The reports that each value can send: a rounding of the sum may never send another."""
        return [np.flatnonzero(row) for row in self._p]

    @cached_property
    def _steps(self) -> list[Array]:
        return [np.cumsum(row[sent])[:-1] for row, sent in zip(self._p, self._nonzero, strict=True)]

    def accepts(self, reports: Reports) -> NDArray[np.bool_]:
        codes = np.asarray(reports, np.int64)
        return np.isin(codes, np.flatnonzero(self._p.sum(axis=0) > 0))

    def draw(self, counts: ArrayLike, rng: np.random.Generator, repeats: int) -> NDArray[np.int64]:
        users = checks.counts(counts, self.k)
        seen = np.zeros((repeats, self._p.shape[1]), np.int64)
        for number, row, sent in zip(users, self._p, self._nonzero, strict=True):
            if number:
                seen[:, sent] += rng.multinomial(number, row[sent] / row[sent].sum(), repeats)
        return seen @ self._points

    # the estimate ------------------------------------------------------------------------------------------------

    @cached_property
    def _points(self) -> NDArray[np.int64]:
        """What each report gives each value: (outputs, k)."""
        f = (1 - SCARCE) * checks.shares(self.share, self.k, "share (a guess of the shares)") + SCARCE / self.k
        scores = best_scores(self._p, f, self.answers)
        return np.round(scores * (POINTS / np.abs(scores).max(axis=0))).astype(np.int64)

    @cached_property
    def _gained(self) -> Array:
        """Points (k,) that the reports of a value give on average: row by row."""
        return self._p @ self._points

    @cached_property
    def _back(self) -> Array:
        return np.asarray(np.linalg.inv(self._gained), float)

    @cached_property
    def report_scores(self) -> Array:
        """What every report adds to each estimate: (outputs, k)."""
        return np.asarray(self._points.astype(float) @ self._back, np.float64)

    def tally(self, reports: Reports) -> Tally:
        """Points: for every value what the reports give it."""
        seen = np.bincount(np.asarray(reports, np.int64), minlength=self._p.shape[1])
        return Tally(len(reports), seen @ self._points)

    def supported(self, reports: Reports) -> Array:
        return self._points[np.asarray(reports, np.int64)].astype(float)

    def invert(self, seen: Array) -> Array:
        return seen @ self._back

    def step(self) -> Array:
        """Of the scores of reports that can be sent."""
        return np.ptp(self.report_scores[self._p.any(axis=0)], axis=0)

    def support(self, freq: ArrayLike) -> Array:
        return checks.shares(freq, self.k) @ self._gained

    def variance(self, freq: ArrayLike | None, n: int) -> Array:
        return checks.shares(freq, self.k) @ self._within / n

    @cached_property
    def _within(self) -> Array:
        """n·Var of every estimate (columns) where all people hold one value (rows)."""
        mean = self._p @ self.report_scores
        return np.maximum(self._p @ self.report_scores**2 - mean**2, 0.0)

    # the adversary -----------------------------------------------------------------------------------------------

    def names(self, outputs: Reports) -> NDArray[np.bool_]:
        """The values under which a report is likeliest."""
        chance = self._p[:, np.asarray(outputs)].T
        return (chance > 0) & (chance >= chance.max(axis=1, keepdims=True) * (1 - bayes.TIE))

    def naming(self, freq: ArrayLike) -> Array:
        return checks.shares(freq, self.k) @ self._p @ self.names(self.outputs())

    def log_likelihood(self, reports: Reports) -> Array:
        with np.errstate(divide="ignore"):
            return np.log(self._p.T[np.asarray(reports)])

    def disclosure(self) -> Array:
        proof = (self._p > 0).sum(axis=0) == 1
        return self._p[:, proof].sum(axis=1)

    def success(self, prior: Array) -> Array:
        return bayes.success_of_channel(Channel(self._p, self._columns), prior)

    def told_apart(self) -> Array:
        """(k, k): how often one report tells which of two values it is of, if both are as likely; guessing gets 1/2."""
        return np.array([(1 + np.abs(self._p - row).sum(axis=1) / 2) / 2 for row in self._p])

    def count_outputs(self) -> int:
        return self._p.shape[1]

    def outputs(self, public: int | None = None) -> Reports:
        return np.arange(self._p.shape[1], dtype=np.int32)

    def describe(self, outputs: Reports) -> list[ReportColumn]:
        return [self._columns[y] for y in outputs]

    def column(self, reports: Reports, public: int | None = None) -> NDArray[np.intp]:
        if not self.accepts(reports).all():
            raise ValueError("these reports hold one that this mechanism cannot send")
        return np.asarray(reports, np.intp)


def best_scores(matrix: Array, freq: Array, answers: tuple[str, ...] = ()) -> Array:
    """T (outputs, k) with P·T = 1 and the least error at these shares (k,), all positive. ValueError if there is none.

    >>> best_scores(np.array([[0.75, 0.25], [0.25, 0.75]]), np.full(2, 0.5)).round(9).tolist()
    [[1.5, -0.5], [-0.5, 1.5]]
    """
    together = apart(matrix)
    if together:
        names = checks.name_list(answers[x] if answers else str(x) for x in together)
        raise ValueError(
            f"nothing tells the shares of {names} apart: different shares of them give the same reports; change their "
            "rows, so that none is a mixture of others"
        )
    sent = freq @ matrix
    known = sent > 0
    scores = np.zeros(matrix.T.shape)
    part = matrix[:, known]
    root = part / np.sqrt(sent[known])
    # The pseudo-inverse of P D^(−1/2) is what the formula says, with twice its digits.
    scores[known] = np.linalg.pinv(root) / np.sqrt(sent[known])[:, None]
    return scores
