"""A channel that somebody wrote down, as a mechanism: what it promises follows from its table, as all else does."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.attacks import bayes
from ldpcore.channel import Channel, ReportColumn
from ldpcore.mechanisms.tabled import Tabled
from ldpcore.policy import Policy
from ldpcore.randomizer import Reports

from .promises import NONE, KeptPromise, as_columns, kept, losses, policy_of, strongest
from .table import checked

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CustomMechanism(Tabled):
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

    # the adversary -----------------------------------------------------------------------------------------------

    def success(self, prior: Array) -> Array:
        return bayes.success_of_channel(Channel(self._p, self._columns), prior)

    def describe(self, outputs: Reports) -> list[ReportColumn]:
        return [self._columns[y] for y in outputs]
