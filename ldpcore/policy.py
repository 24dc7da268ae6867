"""The privacy definitions, as predicates on a channel: which pairs of values, over which reports.

All bound ratios of report probabilities by e^ε. They differ in the pairs and in the reports they look at
(theory/definitions#privacy-loss); `check` says whether a channel keeps the definition, and if not, by how much and
where.

>>> import numpy as np
>>> from ldpcore import catalog
>>> marks = np.array([True, True, False])
>>> m = catalog.FREQUENCY["uRR"].build(epsilon=1.0, k=3, sensitive=marks)
>>> m.policy.name, m.policy.check(m.channel()).holds
('ULDP', True)
>>> LDP(1.0).check(m.channel()).why
'largest loss inf over all pairs, ε is 1'
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ldpcore import checks
from ldpcore.channel import Channel, ReportColumn, SetChannel, SetColumn

TOLERANCE = 1e-9


@dataclass(frozen=True)
class Verdict:
    """Whether a definition holds; `loss` is the largest loss (nats) among all that it bounds."""

    holds: bool
    loss: float
    why: str


class Policy(ABC):
    """One definition at one `epsilon` (nats). `name` is what pages call it.

    >>> LDP(1.0).name, LDP(1.0).covers(2).tolist()
    ('LDP', [[True, True], [True, True]])
    """

    epsilon: float
    name: str

    @abstractmethod
    def check(self, channel: Channel) -> Verdict:
        """Whether this channel keeps the definition, the largest loss that it bounds, and where."""

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
    """Every pair of values, every report (Duchi, Jordan, Wainwright 2013).

    >>> from ldpcore import catalog
    >>> channel = catalog.FREQUENCY["GRR"].build(epsilon=1.0, k=4).channel()
    >>> LDP(1.0).check(channel).holds, LDP(0.9).check(channel).holds
    (True, False)
    """

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

    Murakami, Kawamoto 2019, Definition 2. `sensitive` (k,).

    >>> from ldpcore import catalog
    >>> marks = np.array([True, True, False])
    >>> channel = catalog.FREQUENCY["uSS"].build(1.0, 3, marks).channel()
    >>> ULDP(1.0, marks).check(channel).holds, ULDP(1.0, ~marks).check(channel).holds
    (True, False)
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
    """Pairs of `sensitive` (k,) values on all reports, all pairs on protected ("high") reports; a low report
    is possible under one low value only (sdldp, Definition 3). Weaker than ULDP: theory/definitions#weaker-than-uldp.

    >>> from ldpcore import catalog
    >>> marks = np.array([True, True, False])
    >>> SDLDP(1.0, marks).check(catalog.FREQUENCY["SDGRR"].build(1.0, 3, marks).channel()).holds
    True
    >>> SDLDP(1.0, marks).check(catalog.FREQUENCY["uRR"].build(1.0, 3, marks).channel()).holds
    True
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


@dataclass(frozen=True, eq=False)
class GuardedSDLDP(Policy):
    """SDLDP whose low reports are bounded too: P[y | s] ≤ E·Σ_v g_v P[y | v] for `sensitive` s (ours:
    theory/definitions#guarded-sdldp). So no report moves the odds "sensitive" against "not" beyond e^ε.

    g, `others` (k,), is a public guess of the shares among the values that are not sensitive, summing to one over them;
    None is uniform. Against *one* such value a low report may still be certain.

    >>> marks = np.array([True, True, False, False])
    >>> GuardedSDLDP(1.0, marks).check(counterexample(1.0)).holds  # low reports that prove "high"
    False
    """

    epsilon: float
    sensitive: NDArray[np.bool_]
    others: NDArray[np.float64] | None = None
    name = "guarded SDLDP"

    def check(self, channel: Channel) -> Verdict:
        plain = SDLDP(self.epsilon, self.sensitive).check(channel)
        low = np.array([not column.protected for column in channel.columns])
        if not plain.holds or self.sensitive.all() or not (low.any() and self.sensitive.any()):
            return plain
        crowd = ~self.sensitive / np.count_nonzero(~self.sensitive) if self.others is None else self.others
        highest = channel.matrix[self.sensitive][:, low].max(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            loss = np.where(highest > 0, np.log(highest) - np.log(crowd @ channel.matrix[:, low]), -np.inf)
        guard = _bounded(loss, np.ones(len(loss), bool), self.epsilon, "of sensitive values against the average other")
        return Verdict(guard.holds, max(guard.loss, plain.loss), guard.why if guard.loss > plain.loss else plain.why)

    def covers(self, k: int) -> NDArray[np.bool_]:
        return np.outer(self.sensitive, self.sensitive)


@dataclass(frozen=True, eq=False)
class SULDPJoint(Policy):
    """For every report that discloses the items D: all pairs of sets that contain D (theory/definitions#privacy-loss).

    Only unmarked items may be disclosed, and only by their holders. `sensitive` covers the dummies too. The sets are
    the rows of a SetChannel; for hashed mechanisms the hash is known. TypeError for a channel of single values.

    >>> from ldpcore import catalog
    >>> marks = np.arange(5) < 3
    >>> joint = SULDPJoint(1.0, marks)
    >>> [joint.check(catalog.SETS[key].build(1.0, 5, marks, 2).channel(7)).holds for key in ("suWheel-J", "suWheel")]
    [True, False]
    """

    epsilon: float
    sensitive: NDArray[np.bool_]
    name = "SULDP-joint"

    def check(self, channel: Channel) -> Verdict:
        sets = _of_sets(channel)
        holds, worst = sets.holds(), 0.0
        for y, column in enumerate(_set_columns(sets)):
            disclosed = list(column.disclosed)
            if self.sensitive[disclosed].any():
                return Verdict(False, float("inf"), f"report {column.label} discloses a sensitive item")
            able = holds[:, disclosed].all(axis=1)
            if np.any(sets.matrix[~able, y] > 0):
                return Verdict(False, float("inf"), f"report {column.label} is possible without an item it discloses")
            chances = sets.matrix[able, y]
            with np.errstate(divide="ignore"):
                worst = max(worst, float(np.log(chances.max()) - np.log(chances.min()))) if chances.any() else worst
        where = "over all sets that contain the disclosed items"
        return _bounded(np.array([worst]), np.ones(1, bool), self.epsilon, where)

    def covers(self, k: int) -> NDArray[np.bool_]:
        """One item exchanged for another: as ULDP, towards a sensitive item no report moves the odds beyond e^ε."""
        return np.repeat(self.sensitive[:k, None], k, axis=1)


@dataclass(frozen=True, eq=False)
class SULDPY0(Policy):
    """All pairs of sets, over y₀ alone, whatever is disclosed beside it (SULDP, Definition 3). `sensitive` covers the
    dummies too. It does not bound the whole report: theory/sets#undisclosed-slot.

    >>> from ldpcore import catalog
    >>> marks = np.arange(5) < 3
    >>> SULDPY0(1.0, marks).check(catalog.SETS["suWheel"].build(1.0, 5, marks, 2).channel(7)).holds
    True
    """

    epsilon: float
    sensitive: NDArray[np.bool_]
    name = "SULDP-y₀"

    def check(self, channel: Channel) -> Verdict:
        sets = _of_sets(channel)
        hidden = np.array([column.hidden for column in _set_columns(sets)])
        kinds, kind_of = np.unique(hidden, return_inverse=True)
        matrix = np.zeros((sets.k, len(kinds)))
        np.add.at(matrix.T, kind_of, sets.matrix.T)
        merged = Channel(matrix, tuple(ReportColumn(kind) for kind in kinds.tolist()))
        pairs = np.ones((sets.k, sets.k), bool)
        return _bounded(merged.privacy_loss(), pairs, self.epsilon, "over y₀, all pairs of sets")

    def covers(self, k: int) -> NDArray[np.bool_]:
        """None: over the whole report it promises nothing."""
        return np.zeros((k, k), bool)


def _of_sets(channel: Channel) -> SetChannel:
    if not isinstance(channel, SetChannel):
        raise TypeError("SULDP is about sets of items: it needs the channel of a set mechanism (catalog.SETS)")
    return channel


def _set_columns(channel: SetChannel) -> list[SetColumn]:
    return [column for column in channel.columns if isinstance(column, SetColumn)]


def counterexample(epsilon: float = 1.0, truth: float = 1e-9) -> Channel:
    """A channel that keeps SDLDP though its low reports prove, as nearly as one likes, that the user is high.

    Values 0, 1 are high ("sensitive"), 2, 3 low. High values send a low label with probability (1−1/E)/2, low values
    send their own with probability `truth` only, which Definition 3 asks to be positive, no more: it never compares a
    high with a low value on low reports (theory/definitions#weaker-than-uldp). `truth` = 0 would be proof.
    """
    e_epsilon = np.exp(checks.epsilon(epsilon))
    if not 0 <= truth < 1:
        raise ValueError(f"truth, how often a low value sends its own label, lies in [0, 1), got {truth:g}")
    loud = (e_epsilon + 1) / (2 * e_epsilon)
    same, other, decoy = loud * e_epsilon / (e_epsilon + 1), loud / (e_epsilon + 1), (1 - loud) / 2
    hidden = (1 - truth) / 2
    matrix = np.array(
        [
            [same, other, decoy, decoy],
            [other, same, decoy, decoy],
            [hidden, hidden, truth, 0],
            [hidden, hidden, 0, truth],
        ]
    )
    return Channel(matrix, tuple(ReportColumn(str(y), y < 2, y if y > 1 else None) for y in range(4)))
