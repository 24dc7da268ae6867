"""A mechanism that is a table of chances: the sampler, the likelihood and the errors follow from it.

Scores that are unbiased satisfy P·T = 1; of those the ones with the least error at shares f are
T = D⁻¹Pᵀ(P D⁻¹Pᵀ)⁻¹, D = diag(fP) (theory/frequency#whole-report): best for every value at once. They are kept as whole
points, 2²³ for the largest of each value, so that totals are exact and merge; `invert` is exact for the points as
rounded, so rounding is never a bias.
"""

from abc import abstractmethod
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.randomizer import BLOCK, TIE, Randomizer, Reports
from ldpcore.tally import Tally

Array = NDArray[np.float64]
POINTS = 1 << 23
SCARCE = 1e-6
"""The estimate is made as if every value had at least this share over k."""
_ZERO = 1e-9


class Tabled(Randomizer):
    """The mechanism of a table of chances; reports are the codes (n,) of its columns."""

    share: ArrayLike | None = None
    """The shares (k,) at which its estimate is best; None for even ones."""
    answers: tuple[str, ...] = ()
    """What the values are called; () for their codes."""

    @property
    @abstractmethod
    def _p(self) -> Array:
        """Pr[report y | value x]: (k, reports)."""

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
        return (chance > 0) & (chance >= chance.max(axis=1, keepdims=True) * (1 - TIE))

    def naming(self, freq: ArrayLike) -> Array:
        return checks.shares(freq, self.k) @ self._p @ self.names(self.outputs())

    def log_likelihood(self, reports: Reports) -> Array:
        with np.errstate(divide="ignore"):
            return np.log(self._p.T[np.asarray(reports)])

    def disclosure(self) -> Array:
        proof = (self._p > 0).sum(axis=0) == 1
        return self._p[:, proof].sum(axis=1)

    def told_apart(self) -> Array:
        """(k, k): how often one report tells which of two values it is of, if both are as likely; guessing gets 1/2."""
        return np.array([(1 + np.abs(self._p - row).sum(axis=1) / 2) / 2 for row in self._p])

    def count_outputs(self) -> int:
        return self._p.shape[1]

    def outputs(self, public: int | None = None) -> Reports:
        return np.arange(self._p.shape[1], dtype=np.int32)

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


def apart(matrix: Array) -> list[int]:
    """Values (codes) whose shares the reports do not determine: other shares of them give the same reports.

    >>> apart(np.array([[0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [0.0, 0.5, 0.5]]))
    [0, 1]
    """
    _, size, right = np.linalg.svd(matrix.T, full_matrices=True)
    rank = int((size > _ZERO * size[0]).sum())
    return np.flatnonzero(np.abs(right[rank:]).max(axis=0, initial=0.0) > 1e-6).tolist()
