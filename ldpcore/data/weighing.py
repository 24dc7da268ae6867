"""What people of each answer count for, where each of them has a weight that was fixed before the answer was known.

Shares are Hájek's: Σ w over the people of an answer, of all Σ w. What reports err goes by the squares and by Kish's n
(theory/weights#exact): `freq` says how common an answer is, `noise` and `effective` how far off its estimate is.

>>> import numpy as np
>>> mine = Weighing.of("w", np.array([1.0, 2.0, 0.5, 0.5]), np.array([0, 1, 0, 0]), 2)
>>> mine.freq.tolist(), mine.noise.round(3).tolist(), round(mine.effective, 3), round(mine.design_effect, 3)
([0.5, 0.5], [0.273, 0.727], 2.909, 1.375)
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
CLASSES = 40
"""Different weights that are simulated as they are; more are taken in at most so many classes."""
FEW = 5
"""Of fewer people with one weight it is said that it tells who they are."""


def effective_size(weights: Vector) -> float:
    """Kish's n, (Σ w)²/Σ w², of people with these weights (n,): so many with equal weights err as much.

    >>> effective_size(np.array([1.0, 1.0, 1.0])), round(effective_size(np.array([1.0, 4.0])), 3)
    (3.0, 1.471)
    """
    return float(weights.sum() ** 2 / (weights @ weights))


@dataclass(frozen=True, eq=False)
class Weighing:
    """column: where the weights stand. total, square (k,): Σ w and Σ w² over the people of each answer, exact.
    weights (c,), counts (c, k): how many people of each answer have which weight, for simulations: of more than CLASSES
    weights their means in classes.
    """

    column: str
    total: Vector
    square: Vector
    weights: Vector
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, column: str, weights: Vector, codes: NDArray[np.integer], k: int) -> "Weighing":
        """Of people's weights (n,), finite and not negative, and answers (n,) as codes below k."""
        different, place = classes(weights)
        counts = np.bincount(place * k + codes, minlength=len(different) * k).reshape(-1, k)
        total, square = (np.asarray(np.bincount(codes, each, k), float) for each in (weights, weights**2))
        return cls(column, total, square, different, counts.astype(np.int64))

    @property
    def people(self) -> NDArray[np.int64]:
        """People (k,) of each answer, whatever their weights."""
        return self.counts.sum(axis=0)

    @property
    def n(self) -> int:
        """All of them."""
        return int(self.counts.sum())

    @property
    def freq(self) -> Vector:
        """The shares (k,), Hájek's."""
        return self.total / self.total.sum()

    @property
    def noise(self) -> Vector:
        """The shares (k,) by squared weights: those that the variance goes by."""
        return self.square / self.square.sum()

    @property
    def drawn(self) -> Vector:
        """The shares (k,) of the classes that are simulated."""
        total = self.weights @ self.counts
        return total / total.sum()

    @property
    def effective(self) -> float:
        """Kish's n, (Σ w)²/Σ w²: so many people with equal weights err as much."""
        return float(self.total.sum() ** 2 / self.square.sum())

    @property
    def design_effect(self) -> float:
        """n over Kish's n: 1 + the squared variation of the weights."""
        return self.n / self.effective

    def holding(self, before: NDArray[np.int64], after: NDArray[np.int64]) -> "Weighing":
        """That of a part of these people, or of more like them: after (k,) in the place of before (k,), answer by
        answer, with the same weights.
        """
        much = np.maximum(before, 1)
        return replace(
            self, total=self.total * after / much, square=self.square * after / much,
            counts=np.rint(self.counts * after / much).astype(np.int64),
        )  # fmt: skip

    def among(self, places: NDArray[np.integer]) -> "Weighing":
        """That of the people with these answers alone."""
        return replace(self, total=self.total[places], square=self.square[places], counts=self.counts[:, places])


def classes(weights: Vector) -> tuple[Vector, NDArray[np.int64]]:
    """The weights that are simulated, and which of them each person (n,) has: those there are, or the means of at most
    CLASSES classes, which are narrow where weights are large: there Σ w and Σ w² would be off most.

    >>> [part.tolist() for part in classes(np.array([1.0, 2.5, 1.0]))]
    [[1.0, 2.5], [0, 1, 0]]
    """
    different, place = np.unique(weights, return_inverse=True)
    if len(different) > CLASSES:
        order = np.argsort(weights, kind="stable")
        large = weights[order] ** 1.5
        before, place = np.cumsum(large) - large / 2, np.empty(len(weights), np.int64)
        place[order] = np.minimum(before / large.sum() * CLASSES, CLASSES - 1).astype(np.int64)
        _, place, people = np.unique(place, return_inverse=True, return_counts=True)
        different = np.bincount(place, weights) / people
    return different, place


class MayBeWeighted:
    """What data say whose people may have weights; weighing: what they count for, None where all count alike."""

    weighing: Weighing | None

    @property
    def weighted_by(self) -> str:
        """The column of their weights, or ""."""
        return "" if self.weighing is None else self.weighing.column

    @property
    def design_effect(self) -> float:
        """n over the number of people with equal weights that err as much."""
        return 1.0 if self.weighing is None else self.weighing.design_effect


def telling(weights: Vector) -> tuple[int, int]:
    """Of people's weights (n,), how many different ones there are, and how many of them fewer than FEW people have: who
    knows somebody's weight finds such a row in the list of who was asked.

    >>> telling(np.array([1.0, 1.0, 1.0, 1.0, 1.0, 2.5]))
    (2, 1)
    """
    times = np.unique(weights, return_counts=True)[1]
    return len(times), int(np.count_nonzero(times < FEW))


def rounded(weights: Vector, classes: int) -> Vector:
    """Weights (n,) in so many classes of about equally many people, each at its mean, so that Σ w stays; equal ones
    stay together.

    >>> rounded(np.array([1.0, 1.2, 3.0, 3.2]), 2).round(2).tolist()
    [1.1, 1.1, 3.1, 3.1]
    """
    _, place, people = np.unique(weights, return_inverse=True, return_counts=True)
    middle = (np.cumsum(people) - people / 2) / len(weights)
    of_each = np.minimum((middle * classes).astype(np.int64), classes - 1)[place]
    sums, there = np.bincount(of_each, weights, classes), np.bincount(of_each, minlength=classes)
    return (sums / np.maximum(there, 1))[of_each]
