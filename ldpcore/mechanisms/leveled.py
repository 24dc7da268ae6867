"""gRR and gSub: mechanisms in which every value has its own ε (ours; theory/levels#construction).

With 1 < G ≤ min E_x let π_x = (G − 1)/(E_x − 1), κ = 1 − 1/G, and Q a law of random sets z of values that are not
public, Pr[x ∈ z] = π_x. With probability κ the truth (z ~ Q given x ∈ z; a public x: x, alone), else z ~ Q. Then
P[z | x] = Q(z)·(E_x if x ∈ z else 1)/G. gRR: z is one value; gSub: independent bits.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.channel import ReportColumn
from ldpcore.levels import Leveled
from ldpcore.mechanisms import support
from ldpcore.randomizer import BLOCK, Reports
from ldpcore.tally import Tally

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LeveledRR(support.Paired, Leveled):
    """gRR: keep the value with κ = 1/(1 + s), s = Σ_v 1/(E_v − 1) over the values that are not public, else draw one of
    these with probabilities ν_v = 1/(s(E_v − 1)). It needs no guess of the shares. Equal ε: GRR, uRR.

    >>> import math
    >>> m = LeveledRR((math.inf, math.log(3), math.log(2)))
    >>> m.channel().matrix.round(6).tolist()  # s = 1/2 + 1
    [[0.4, 0.2, 0.4], [0.0, 0.6, 0.4], [0.0, 0.2, 0.8]]
    """

    tally_is_histogram = True

    @cached_property
    def keep(self) -> float:
        return float(1 / (1 + np.sum(1 / self._e_minus_1)))

    @cached_property
    def _stray(self) -> Array:
        """(1 − κ)ν_v (k,), 0 for a public value."""
        out = np.zeros(self.k)
        out[self.marked] = self.keep / self._e_minus_1
        return out

    @cached_property
    def _pair(self) -> tuple[Array, Array]:
        return self.keep + self._stray, self._stray

    @cached_property
    def _missed(self) -> Array:
        odds = self._stray / self.keep
        return self.keep * np.maximum(odds.sum() - odds, 0.0)

    def perturb(self, values: ArrayLike, rng: np.random.Generator) -> Reports:
        values = checks.codes(values, self.k)
        reports = values.copy()
        for start in range(0, len(values), BLOCK):
            block = slice(start, start + BLOCK)
            lost = np.flatnonzero(rng.random(len(values[block])) >= self.keep)
            if len(lost):
                reports[block][lost] = rng.choice(self.marked, len(lost), p=self._noise)
        return reports

    @cached_property
    def _noise(self) -> Array:
        """ν over `marked`."""
        return (1 / self._e_minus_1) / np.sum(1 / self._e_minus_1)

    def accepts(self, reports: Reports) -> NDArray[np.bool_]:
        codes = np.asarray(reports)
        return (codes >= 0) & (codes < self.k)

    def tally(self, reports: Reports) -> Tally:
        return support.symbols(reports, self.k)

    def supported(self, reports: Reports) -> NDArray[np.float64]:
        return support.one_hot(reports, self.k)

    def draw(self, counts: ArrayLike, rng: np.random.Generator, repeats: int) -> NDArray[np.int64]:
        """Kept values are binomial; what is replaced is drawn from ν, whatever it was."""
        users = checks.counts(counts, self.k)
        total = rng.binomial(users, self.keep, (repeats, self.k))
        if len(self.marked):
            total[:, self.marked] += rng.multinomial(users.sum() - total.sum(axis=1), self._noise)
        return total

    def support(self, freq: ArrayLike) -> NDArray[np.float64]:
        return support.expected(freq, *self._pair)

    def expectation(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Σ_y Pr[y | x] weights[y] for every x: (k,), in O(k); with `support` the two products EM needs."""
        return self.keep * weights + self._stray @ weights

    @cached_property
    def _log_matrix(self) -> Array:
        with np.errstate(divide="ignore"):
            return np.log(np.tile(self._stray, (self.k, 1)) + self.keep * np.eye(self.k))

    def log_likelihood(self, reports: Reports) -> NDArray[np.float64]:
        return self._log_matrix.T[reports]

    def success(self, prior: NDArray[np.float64]) -> NDArray[np.float64]:
        """O(k): a report's own value scores πE, all others π; the better of it and the likeliest other is named."""
        code = self.marked
        won = np.where(self.sensitive, 0.0, self.keep)
        best, own_score = prior.max(), prior[code] * (1 + self._e_minus_1)
        top = prior >= best * (1 - support.TIE)
        # Where its own value is among the likeliest, πE is above them all: those that tie are others.
        wins = own_score >= best * (1 - support.TIE)
        tied = np.where(best >= own_score * (1 - support.TIE), int(top.sum()), 0)
        winners = np.maximum(tied + wins, 1)
        won[code] += wins / winners * (self.keep + self._stray[code])
        lent = np.zeros(self.k)
        lent[code] = np.where(tied > 0, self._stray[code] / winners, 0.0)
        won += np.where(top, lent.sum() - lent, 0.0)
        return np.where(prior > 0, won, 0.0)

    def count_outputs(self) -> int:
        return self.k

    def outputs(self, public: int | None = None) -> Reports:
        return np.arange(self.k)

    def column(self, reports: Reports, public: int | None = None) -> NDArray[np.intp]:
        return support.sent_codes(self.accepts(reports), reports)

    def describe(self, outputs: Reports) -> list[ReportColumn]:
        return [ReportColumn(str(y), bool(self.sensitive[y]), None if self.sensitive[y] else int(y)) for y in outputs]
