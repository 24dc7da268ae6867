"""What the members of many families share: ε, the domain and the marks, checked, and the definition they keep."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ldpcore import checks
from ldpcore.policy import LDP, ULDP, Policy, SULDPJoint
from ldpcore.randomizer import Randomizer
from ldpcore.set_randomizer import SetRandomizer


@dataclass(frozen=True, eq=False)
class Basic(Randomizer):
    """One value through a mechanism that knows no marks; LDP unless it says otherwise."""

    epsilon: float
    k: int

    def __post_init__(self) -> None:
        checks.epsilon(self.epsilon)
        checks.domain_size(self.k)

    @property
    def policy(self) -> Policy:
        return LDP(self.epsilon)

    @cached_property
    def marked(self) -> NDArray[np.intp]:
        """Codes of S, the values it treats as sensitive."""
        return np.arange(self.k)


@dataclass(frozen=True, eq=False)
class MarkedRandomizer(Basic):
    """One value through a mechanism that knows the sensitive ones, a mask (k,); ULDP unless it says otherwise."""

    sensitive: NDArray[np.bool_]
    uses_marks = True

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "sensitive", checks.mask(self.sensitive, self.k))

    @property
    def policy(self) -> Policy:
        return ULDP(self.epsilon, self.sensitive)

    @cached_property
    def marked(self) -> NDArray[np.intp]:
        return np.flatnonzero(self.sensitive)


@dataclass(frozen=True, eq=False)
class Guessing(MarkedRandomizer):
    """One that is made for a public guess of F, the share of users with a sensitive value: `share`, default σ/k.

    A wrong guess costs accuracy, never privacy.
    """

    share: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.share is not None and not 0 <= self.share <= 1:
            raise ValueError(f"share, the guess of how many hold a sensitive value, lies in [0, 1], got {self.share:g}")

    @property
    def guessed_share(self) -> float:
        """F as guessed; whatever the guess, it is 0 where nothing is marked and 1 where everything is."""
        usual = len(self.marked) / self.k
        return usual if self.share is None or usual in (0, 1) else self.share

    @cached_property
    def guessed(self) -> NDArray[np.float64]:
        marked, share = len(self.marked), self.guessed_share
        return np.where(self.sensitive, share / max(marked, 1), (1 - share) / max(self.k - marked, 1))


@dataclass(frozen=True, eq=False)
class BasicSets(SetRandomizer):
    """A set through a mechanism that knows no marks: LDP."""

    @property
    def policy(self) -> Policy:
        return LDP(self.epsilon)


@dataclass(frozen=True, eq=False)
class JointSets(SetRandomizer):
    """A set through a mechanism that knows which items are sensitive, with a promise about the whole report."""

    uses_marks = True

    @property
    def policy(self) -> Policy:
        return SULDPJoint(self.epsilon, self.marked)


@dataclass(frozen=True, eq=False)
class GuessedSets(JointSets):
    """`share` is a public guess of the share of a user's items that are marked (None: σ over the inner domain).

    A wrong guess costs accuracy, not privacy.
    """

    share: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.share is not None and not 0 <= self.share <= 1:
            raise ValueError(f"share, the guessed share of marked items, lies in [0, 1], got {self.share:g}")

    @property
    def guessed_share(self) -> float:
        usual = self.sigma / self.inner
        return usual if self.share is None or usual in (0, 1) else self.share

    @cached_property
    def guessed(self) -> NDArray[np.float64]:
        inside = self.marked[: self.k]
        marked_each, others = self.m * self.guessed_share / max(self.sigma, 1), int(np.count_nonzero(~inside))
        return np.where(inside, marked_each, self.m * (1 - self.guessed_share) / max(others, 1))
