"""From LDP to ULDP: what a mechanism for the marked values becomes when all others may be disclosed.

He, Zhu, Liu, Pan, Dong (USENIX Security 2025) make a ULDP mechanism of any LDP mechanism. The form here is the one in
which the others disclose most: a marked value x sends y with Q(y|x), as before; any other value sends y with
c(y) = max over marked x of Q(y|x)/E, the least that ULDP allows beside them, and discloses itself with the rest,
r = 1 − Σ c(y) (theory/frequency#from-ldp-to-uldp). Of GRR, SS, HR and OLH this makes uRR, uSS, uHR and uLH, of the
last two where every symbol or bucket is some marked value's.

>>> import numpy as np
>>> from ldpcore import catalog
>>> marks = np.array([True, True, False])
>>> made = utility_optimised(catalog.FREQUENCY["GRR"].build(1.0, 2).channel(), marks, 1.0)
>>> bool(np.abs(made.matrix - catalog.FREQUENCY["uRR"].build(1.0, 3, marks).channel().matrix).max() < 1e-12)
True
"""

from abc import abstractmethod
from functools import cached_property
from math import exp

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.channel import Channel, ReportColumn
from ldpcore.randomizer import Randomizer
from ldpcore.support_family import Choice, SupportFamily

Vector = NDArray[np.float64]


def utility_optimised(channel: Channel, sensitive: ArrayLike, epsilon: float) -> Channel:
    """The ULDP channel of an LDP channel for the marked values (σ, reports): (k, reports + k − σ).

    `sensitive` (k,) marks σ values, in the order of the channel's rows; `epsilon`: what the channel promises.
    ValueError where it has another number of values, or promises less.
    """
    marks = np.asarray(sensitive, bool)
    sigma, others = int(marks.sum()), np.flatnonzero(~marks)
    if channel.k != sigma:
        raise ValueError(
            f"the channel is for {channel.k} values, {sigma} are marked; make it for those that are marked"
        )
    least = channel.matrix.max(axis=0) * exp(-checks.epsilon(epsilon))
    if (channel.matrix < least * (1 - 1e-9)).any():
        raise ValueError(f"the channel does not keep ε-LDP at ε = {epsilon:g}; give the ε that it keeps")
    reports = channel.matrix.shape[1]
    matrix = np.zeros((len(marks), reports + len(others)))
    matrix[marks, :reports] = channel.matrix
    matrix[others, :reports] = least
    matrix[others, reports + np.arange(len(others))] = 1 - least.sum()
    return Channel(matrix, (*channel.columns, *(ReportColumn(str(v), False, int(v)) for v in others)))


class DisclosingRandomizer(Randomizer):
    """A report hides and supports values of S, or discloses one other value, alone. A member states S and the rates.

    A value v of S is supported with chance a if the user holds it, b_S if they hold another value of S, b_N otherwise.
    """

    @property
    @abstractmethod
    def marked(self) -> NDArray[np.intp]:
        """Codes of S."""

    @property
    @abstractmethod
    def keep(self) -> float:
        """r, the probability that a value outside S is disclosed."""

    @property
    @abstractmethod
    def _hidden(self) -> float:
        """1 − r."""

    @property
    @abstractmethod
    def _missed(self) -> float:
        """1 − a."""

    @property
    @abstractmethod
    def _rates(self) -> tuple[float, float, float]:
        """a, b_S and b_N."""

    @cached_property
    def _in_marked(self) -> NDArray[np.bool_]:
        out = np.zeros(self.k, bool)
        out[self.marked] = True
        return out

    @cached_property
    def sigma(self) -> int:
        return len(self.marked)

    def _families(self, choice: Choice) -> tuple[SupportFamily, ...]:
        """A report supports values of S as `choice` says, or one other alone."""
        a, b_marked, b_other = self._rates
        others, out, apart = np.flatnonzero(~self._in_marked), [], a - b_marked
        if self.sigma:
            on, off = ((seen - b_marked) / apart for seen in (1, 0))
            out = [SupportFamily(np.where(self._in_marked, on, 0.0), np.where(self._in_marked, off, 0.0), (choice,))]
        if len(others):
            beside = (-b_marked * (1 - 1 / self.keep) - b_other / self.keep) / apart
            shown = np.where(self._in_marked, beside, 1 / self.keep)
            out.append(SupportFamily(shown, np.where(self._in_marked, beside, 0.0), ((others, 1, 1),)))
        return tuple(out)

    def invert(self, seen: Vector) -> Vector:
        a, b_marked, b_other = self._rates
        open_share = seen / self.keep
        other = open_share[..., ~self._in_marked].sum(axis=-1, keepdims=True)
        if not self.sigma:
            return open_share
        inside = (seen - b_marked * (1 - other) - b_other * other) / (a - b_marked)
        return np.where(self._in_marked, inside, open_share)

    def variance(self, freq: ArrayLike, n: int) -> Vector:
        """Per report the score of v in S is (1[v in it] − t·1[disclosed] − b_S)/(a − b_S), t = (b_N − b_S)/r."""
        f = checks.shares(freq, self.k)
        a, b_marked, b_other = self._rates
        mass = f[self._in_marked].sum()
        t = (b_other - b_marked) / self.keep
        from_other = b_other + t * t * self.keep - (b_other - t * self.keep) ** 2
        inside = (f * a * self._missed + (mass - f) * b_marked * (1 - b_marked) + (1 - mass) * from_other) / (
            n * (a - b_marked) ** 2
        )
        return np.where(self._in_marked, inside, f * self._hidden / (self.keep * n))

    def support(self, freq: ArrayLike) -> Vector:
        f = checks.shares(freq, self.k)
        a, b_marked, b_other = self._rates
        mass = f[self._in_marked].sum()
        inside = f * a + (mass - f) * b_marked + (1 - mass) * b_other
        return np.where(self._in_marked, inside, f * self.keep)

    def privacy_loss(self) -> Vector:
        loss = np.where(self._in_marked[:, None], self.epsilon, np.inf) * np.ones((self.k, self.k))
        np.fill_diagonal(loss, 0)
        return loss

    def disclosure(self) -> Vector:
        return np.where(self._in_marked, 0.0, self.keep)
