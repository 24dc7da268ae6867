"""The privacy definitions, as predicates on a channel: which pairs of values, over which reports.

All bound ratios of report probabilities by e^ε. They differ in the pairs and in the reports they look at
(mechanisms.md §5); `check` says whether a channel keeps the definition, and if not, by how much and where.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ldpcore.channel import Channel

TOLERANCE = 1e-9


@dataclass(frozen=True)
class Verdict:
    """Whether a definition holds; `loss` is the largest loss (nats) among all that it bounds."""

    holds: bool
    loss: float
    why: str


class Policy(ABC):
    """One definition at one ε."""

    epsilon: float
    name: str

    @abstractmethod
    def check(self, channel: Channel) -> Verdict: ...

    @abstractmethod
    def covers(self, k: int) -> NDArray[np.bool_]:
        """Ordered pairs (x, z) for which *no* report may speak for x against z by more than e^ε: (k, k)."""


def _bounded(loss: NDArray[np.float64], pairs: NDArray[np.bool_], epsilon: float, where: str) -> Verdict:
    worst = float(loss[pairs].max(initial=0.0))
    holds = worst <= epsilon + TOLERANCE
    return Verdict(holds, worst, f"largest loss {worst:.6g} {where}, ε is {epsilon:.6g}")


def _disclosures(channel: Channel, sensitive: NDArray[np.bool_], others_only: bool) -> str:
    """What is wrong with the unprotected columns; '' when nothing is.

    Each must name one value that is not sensitive: positive under it, and zero under every other value
    (`others_only`: under every other value that is not sensitive).
    """
    for y, column in enumerate(channel.columns):
        if column.protected:
            continue
        if column.reveals is None or sensitive[column.reveals]:
            return f"report {column.label} is not protected, yet names no value that is not sensitive"
        rivals = ~sensitive if others_only else np.ones(channel.k, bool)
        rivals = rivals & (np.arange(channel.k) != column.reveals)
        if np.any(channel.matrix[rivals, y] > 0):
            return f"report {column.label} should be possible under one value only"
    return ""


@dataclass(frozen=True, eq=False)
class LDP(Policy):
    """Every pair of values, every report (Duchi, Jordan, Wainwright 2013)."""

    epsilon: float
    name = "LDP"

    def check(self, channel: Channel) -> Verdict:
        pairs = np.ones((channel.k, channel.k), bool)
        return _bounded(channel.privacy_loss(), pairs, self.epsilon, "over all pairs")

    def covers(self, k: int) -> NDArray[np.bool_]:
        return np.ones((k, k), bool)


@dataclass(frozen=True, eq=False)
class ULDP(Policy):
    """Every pair on protected reports; every other report names one value that is not sensitive.

    Murakami, Kawamoto 2019, Definition 2.
    """

    epsilon: float
    sensitive: NDArray[np.bool_]
    name = "ULDP"

    def check(self, channel: Channel) -> Verdict:
        wrong = _disclosures(channel, self.sensitive, others_only=False)
        if wrong:
            return Verdict(False, float("inf"), wrong)
        protected = np.array([column.protected for column in channel.columns])
        pairs = np.ones((channel.k, channel.k), bool)
        return _bounded(channel.privacy_loss(protected), pairs, self.epsilon, "over all pairs on protected reports")

    def covers(self, k: int) -> NDArray[np.bool_]:
        """Towards a sensitive value no report moves the odds beyond e^ε; away from it one may exclude it."""
        return np.repeat(self.sensitive[:, None], k, axis=1)


@dataclass(frozen=True, eq=False)
class SDLDP(Policy):
    """Pairs of sensitive values on all reports, all pairs on protected ("high") reports; a low report
    is possible under one low value only (sdldp, Definition 3). Weaker than ULDP: mechanisms.md §9.13.
    """

    epsilon: float
    sensitive: NDArray[np.bool_]
    name = "SDLDP"

    def check(self, channel: Channel) -> Verdict:
        wrong = _disclosures(channel, self.sensitive, others_only=True)
        if wrong:
            return Verdict(False, float("inf"), wrong)
        high = np.array([column.protected for column in channel.columns])
        all_pairs = np.ones((channel.k, channel.k), bool)
        on_high = _bounded(channel.privacy_loss(high), all_pairs, self.epsilon, "over all pairs on high reports")
        if not on_high.holds:
            return on_high
        within = _bounded(channel.privacy_loss(), self.covers(channel.k), self.epsilon, "among sensitive values")
        return Verdict(within.holds, max(within.loss, on_high.loss), within.why)

    def covers(self, k: int) -> NDArray[np.bool_]:
        return np.outer(self.sensitive, self.sensitive)
