"""Levels: every value its own ε, from public (∞) to secret; the definition, and what its mechanisms share.

No report may speak for x, against any other value, by more than e^ε_x: P[y | x] ≤ e^ε_x · P[y | z] for all z and y
(theory/levels#definition). One-sided on purpose: nobody can prove that you said x, though a report may rule x out
wherever somebody with a public value can send it.

>>> from ldpcore import catalog
>>> m = catalog.LEVELS["gRR"].build([math.inf, 2.0, 0.5])  # public, private, secret
>>> m.policy.check(m.channel()).holds
True
>>> Levels([math.inf, 1.0, 0.5]).check(m.channel()).why
'report 1 speaks for value 1 against value 0 by 2 nats, its ε is 1'
"""

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks, former
from ldpcore.channel import Channel, SetChannel, SetColumn
from ldpcore.policy import TOLERANCE, Policy, Verdict
from ldpcore.randomizer import Randomizer

Array = NDArray[np.float64]


def checked(epsilons: Sequence[float] | ArrayLike) -> tuple[float, ...]:
    """One ε per value, nats, math.inf for a public value. ValueError or TypeError with a sentence.

    >>> checked([math.inf, 2, 0.5])
    (inf, 2.0, 0.5)
    """
    given = np.asarray(epsilons)
    if given.ndim != 1 or given.dtype.kind not in "iuf":
        raise TypeError(
            f"epsilons must be a list of numbers, one ε per value, got shape {given.shape}, dtype {given.dtype}; "
            "write math.inf for a public value"
        )
    checks.domain_size(len(given))
    return tuple(math.inf if math.isinf(each) and each > 0 else checks.epsilon(each) for each in given.tolist())


def _largest(epsilons: tuple[float, ...]) -> float:
    return max((each for each in epsilons if math.isfinite(each)), default=math.inf)


@dataclass(frozen=True, eq=False)
class Levels(Policy):
    """P[y | x] ≤ e^ε_x · P[y | z] for all values x, z and reports y; `epsilons` (k,) nats, inf for a public value.

    With ε_x ∈ {∞, ε} it is what ULDP promises of every marked value, with one ε it is LDP (theory/levels#definition).
    `epsilon` is the largest that is finite; inf where everything is public. ValueError for a channel of another k.

    >>> from ldpcore import catalog
    >>> channel = catalog.FREQUENCY["uRR"].build(1.0, 3, [False, True, True]).channel()
    >>> Levels([math.inf, 1.0, 1.0]).check(channel).holds, Levels([math.inf, 1.0, 0.5]).check(channel).holds
    (True, False)
    """

    epsilons: tuple[float, ...]
    epsilon: float = field(init=False)
    name = "levels"

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilons", checked(self.epsilons))
        object.__setattr__(self, "epsilon", _largest(self.epsilons))

    def check(self, channel: Channel) -> Verdict:
        """`loss` is the largest towards a value that is not public; the sentence is about where most is exceeded."""
        bound = np.array(self.epsilons)
        if channel.k != len(bound):
            raise ValueError(f"there is one ε for each of {len(bound)} values, but the channel has {channel.k}")
        protected = np.isfinite(bound)
        if not protected.any():
            return Verdict(True, 0.0, "every value is public: nothing is promised")
        loss = channel.privacy_loss()
        excess = np.where(protected[:, None], loss - np.where(protected, bound, 0.0)[:, None], -math.inf)
        np.fill_diagonal(excess, -math.inf)
        x, z = (int(place) for place in np.unravel_index(np.argmax(excess), excess.shape))
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = np.where(channel.matrix[x] > 0, np.log(channel.matrix[x]) - np.log(channel.matrix[z]), -math.inf)
        report = channel.columns[int(np.argmax(ratios))].label
        why = (
            f"report {report} speaks for value {x} against value {z} by {loss[x, z]:.6g} nats, its ε is {bound[x]:.6g}"
        )
        return Verdict(bool(excess[x, z] <= TOLERANCE), float(loss[protected].max()), why)

    def covers(self, k: int) -> NDArray[np.bool_]:
        """Towards a value that is not public every report is bounded, by that value's own ε."""
        return np.repeat(np.isfinite(self.epsilons)[:, None], k, axis=1)


@dataclass(frozen=True, eq=False)
class SetLevels(Policy):
    """For every report that discloses the items D, and all sets A, B that contain D: P[y | A] ≤ e^ε · P[y | B], ε the
    largest among the items of A without B that are not public (theory/levels#sets); `epsilons` (items,), inf: public.

    Sets that differ in secret items alone are told apart by e^ε of these at most, any two by the largest finite ε. Only
    public items may be disclosed, and only by their holders. One ε is LDP; inf and one ε is SULDP-joint, one-sided.
    TypeError for a channel of single values.

    >>> from ldpcore import catalog
    >>> m = catalog.LEVELED_SETS["gHit"].build([math.inf, 2.0, 2.0, 0.5, 0.5], m=2)
    >>> m.policy.check(m.channel()).holds, SetLevels((math.inf, 2.0, 2.0, 0.4, 0.5)).check(m.channel()).holds
    (True, False)
    """

    epsilons: tuple[float, ...]
    epsilon: float = field(init=False)
    name = "levels-joint"

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilons", checked(self.epsilons))
        object.__setattr__(self, "epsilon", _largest(self.epsilons))

    def check(self, channel: Channel) -> Verdict:
        """`loss` is the largest that is bounded; the sentence is about where most is exceeded."""
        if not isinstance(channel, SetChannel):
            raise TypeError("this is about sets of items: it needs the channel of a set mechanism")
        holds, bound = channel.holds(), np.array(self.epsilons)
        if channel.items != len(bound):
            raise ValueError(f"there is one ε for each of {len(bound)} items, but the channel has {channel.items}")
        shown = np.zeros((len(channel.columns), channel.items), bool)
        for row, column in zip(shown, channel.columns, strict=True):
            row[list(column.disclosed if isinstance(column, SetColumn) else ())] = True
        if (shown & np.isfinite(bound)).any():
            return Verdict(False, math.inf, "a report discloses an item that is not public")
        able = (holds[:, None] | ~shown).all(axis=2)
        if np.any((channel.matrix > 0) & ~able):
            return Verdict(False, math.inf, "a report is possible without an item it discloses")
        with np.errstate(divide="ignore"):
            log = np.where(able, np.log(channel.matrix), -math.inf)
        weight = np.where(np.isfinite(bound), bound, -math.inf)
        largest, most, why = 0.0, -math.inf, "nothing is promised of any two sets"
        for one in range(channel.k):
            allowed = np.where(holds[one] & ~holds, weight, -math.inf).max(axis=1)
            with np.errstate(invalid="ignore"):
                ratio = np.where(able & np.isfinite(log[one]), log[one] - log, -math.inf)
            bounded = np.isfinite(allowed)
            loss = np.where(bounded, ratio.max(axis=1), -math.inf)
            beyond = np.where(bounded, loss - np.where(bounded, allowed, 0.0), -math.inf)
            largest, other = max(largest, float(loss.max())), int(np.argmax(beyond))
            if beyond[other] > most:
                report = channel.columns[int(np.argmax(ratio[other]))].label
                pair = f"set {channel.sets[one].tolist()} against set {channel.sets[other].tolist()}"
                why = f"report {report} speaks for {pair} by {loss[other]:.6g} nats, it may by {allowed[other]:.6g}"
                most = float(beyond[other])
        return Verdict(most <= TOLERANCE, largest, why)

    def covers(self, k: int) -> NDArray[np.bool_]:
        """One item exchanged for another: towards an item that is not public every report is bounded by its own ε."""
        return np.repeat(np.isfinite(self.epsilons[:k])[:, None], k, axis=1)


@dataclass(frozen=True, eq=False)
class LevelBlock:
    """The values of one level: their ε (inf: public) and their codes.

    >>> round(LevelBlock(1.0, np.array([0, 3])).e_minus_1, 3)
    1.718
    """

    epsilon: float
    codes: NDArray[np.intp]

    @property
    def e_minus_1(self) -> float:
        """E − 1."""
        return math.expm1(self.epsilon)


def blocks(epsilons: tuple[float, ...]) -> tuple[LevelBlock, ...]:
    """The levels that are not public, the most secret first.

    >>> [(block.epsilon, block.codes.tolist()) for block in blocks((math.inf, 2.0, 0.5, 2.0))]
    [(0.5, [2]), (2.0, [1, 3])]
    """
    each = np.array(epsilons)
    return tuple(LevelBlock(float(e), np.flatnonzero(each == e)) for e in np.unique(each[np.isfinite(each)]))


@dataclass(frozen=True, eq=False)
class Leveled(Randomizer):
    """What the mechanisms for levels share: one ε per value, and a public guess of the shares (k,), None: uniform.

    A wrong guess costs accuracy, never privacy. A member states `keep`, the probability that a public value is sent
    openly; `sensitive` marks the values that are not public, `epsilon` is the largest ε among them.

    >>> from ldpcore import catalog
    >>> m = catalog.LEVELS["gSub"].build([math.inf, 2.0, 0.5])
    >>> m.k, m.epsilon, m.sensitive.tolist(), m.privacy_loss().round(1).tolist()[1:]
    (3, 2.0, [False, True, True], [[2.0, 0.0, 2.0], [0.5, 0.5, 0.0]])
    """

    epsilons: tuple[float, ...]
    share: Array | None = None
    k: int = field(init=False)
    epsilon: float = field(init=False)
    sensitive: NDArray[np.bool_] = field(init=False)
    uses_marks = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilons", checked(self.epsilons))
        object.__setattr__(self, "k", len(self.epsilons))
        object.__setattr__(self, "epsilon", _largest(self.epsilons))
        object.__setattr__(self, "sensitive", checks.mask(np.isfinite(self.epsilons), self.k))
        if self.share is not None:
            guess = np.array(checks.shares(self.share, self.k, "share (a guess of the shares)"))
            guess.flags.writeable = False
            object.__setattr__(self, "share", guess)

    @classmethod
    def exists(cls, epsilons: tuple[float, ...]) -> bool:
        """Whether it can be built for such ε, all of them checked."""
        return True

    @property
    @abstractmethod
    def keep(self) -> float:
        """Pr[a public value is sent openly | the user holds it]."""

    @property
    def policy(self) -> Levels:
        return Levels(self.epsilons)

    @cached_property
    def guessed(self) -> Array:
        """The guessed shares (k,)."""
        return checks.shares(self.share, self.k)

    @cached_property
    def levels(self) -> tuple[LevelBlock, ...]:
        """The values that are not public by level, the most secret first."""
        return blocks(self.epsilons)

    @cached_property
    def marked(self) -> NDArray[np.intp]:
        """Codes of the values that are not public."""
        return np.flatnonzero(self.sensitive)

    @cached_property
    def _e_minus_1(self) -> Array:
        """E − 1 of the values that are not public, in the order of `marked`."""
        return np.expm1(np.array(self.epsilons)[self.marked])

    def privacy_loss(self) -> NDArray[np.float64]:
        loss = np.repeat(np.array(self.epsilons)[:, None], self.k, axis=1)
        np.fill_diagonal(loss, 0)
        return loss

    def disclosure(self) -> NDArray[np.float64]:
        return np.where(self.sensitive, 0.0, self.keep)


former.serve(__name__)
