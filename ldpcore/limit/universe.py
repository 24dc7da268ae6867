"""What the least error for sets is about: three kinds of codes, the layers of sets they make, and whose error counts.

A set has a codes of S (protected, estimated), e of P (protected, not estimated) and b of N (unprotected: a report may
disclose them), a + e + b = m. Protected codes of which no error counts can be merged without loss: let C be that part
of a set; the channel that first draws C anew, given the rest and as the people have it, keeps the promise, and every
estimate has the same mean and, over these people, the same variance. So

    LDP:                S: the items that count; P: all other codes; N: none
    SULDP-joint, other: S: none; P: all marked items and dummies; N: the unmarked items
    SULDP-joint, else:  S: the marked items; P: the dummies; N: the unmarked items
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
EMPTY = 1e-9
"""A layer where nobody is gets this share of the people: an estimate is unbiased there too."""
FEW_OPEN = 12
"""With more items of N, those that are not disclosed are not worth telling apart."""


@dataclass(frozen=True, eq=False)
class ItemKind:
    """S, or N: the items of one kind, of which each layer's sets hold `held` (layers,); `cost` of an item's error."""

    size: int
    cost: float
    held: Ints

    @property
    def whole(self) -> float:
        """What the errors of all its items cost; 0 where none counts."""
        return self.cost * self.size

    @cached_property
    def part(self) -> Array:
        """(layers,) share of the sets that hold a given item."""
        return self.held / max(self.size, 1)

    @cached_property
    def both(self) -> Ints:
        """Layers in which some sets hold a given item, and some do not."""
        return np.flatnonzero((self.part > 0) & (self.part < 1))

    @cached_property
    def target(self) -> Array:
        """What an estimate must say on average: the layer's share, and 1 more of sets with the item than without."""
        return np.concatenate([self.part, np.ones(len(self.both))])

    @cached_property
    def inverse(self) -> tuple[Array, Array]:
        """(layers,) 1/part and −1/(1 − part), 0 outside `both`: turn the sum over sets with and without an item into
        the difference of their means.
        """
        inside, outside = np.zeros(len(self.part)), np.zeros(len(self.part))
        inside[self.both], outside[self.both] = 1 / self.part[self.both], -1 / (1 - self.part[self.both])
        return inside, outside


@dataclass(frozen=True, eq=False)
class Universe:
    """Sets of m among sizes = (|S|, |P|, |N|) codes; `law` (layers,): shares of the people."""

    m: int
    e_epsilon: float
    """E = e^ε"""
    sizes: tuple[int, int, int]
    a: Ints
    e: Ints
    law: Array
    costs: tuple[float, float]
    """Of an item's error: of S, of N."""

    @cached_property
    def b(self) -> Ints:
        return self.m - self.a - self.e

    @cached_property
    def marked(self) -> ItemKind:
        return ItemKind(self.sizes[0], self.costs[0], self.a)

    @cached_property
    def other(self) -> ItemKind:
        return ItemKind(self.sizes[2], self.costs[1], self.b)

    @cached_property
    def estimated(self) -> list[ItemKind]:
        """The sides whose errors count."""
        return [side for side in (self.marked, self.other) if side.whole]

    @cached_property
    def pools(self) -> tuple[bool, ...]:
        """Of which sides reports tell items apart beyond what they disclose: of N (True), of S (False)."""
        if self.marked.whole == 0:
            return (True,)
        return (False, True) if self.other.whole and self.sizes[2] <= FEW_OPEN else (False,)

    def classes(self, side: ItemKind) -> int:
        """Of its items, at most."""
        if side is self.marked:
            return 3
        return 4 if True in self.pools else 2

    @cached_property
    def reference(self) -> Array:
        """Law by which columns are scaled: rare layers count too."""
        return (self.law + 1 / len(self.law)) / 2

    @cached_property
    def disclosures(self) -> Ints:
        """How many items a report may disclose."""
        return np.arange(int(self.b.max()) + 1)


def universe(m: int, e_epsilon: float, sizes: tuple[int, int, int], law: Array, costs: tuple[float, float]) -> Universe:
    """law (m + 1, m + 1): shares of the people by a and e."""
    a, e = (x.ravel() for x in np.meshgrid(np.arange(m + 1), np.arange(m + 1), indexing="ij"))
    possible = (a + e <= m) & (a <= sizes[0]) & (e <= sizes[1]) & (m - a - e <= sizes[2])
    shares = np.maximum(law.ravel()[possible] / law.sum(), EMPTY)
    return Universe(m, e_epsilon, sizes, a[possible], e[possible], shares / shares.sum(), costs)
