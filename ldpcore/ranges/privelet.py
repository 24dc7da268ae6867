"""Privelet: the unweighted Haar transform (Wu, Chen, Cai, Wang 2018, §3; Xiao, Wang, Gehrke 2010)."""

# ruff: noqa: E741 (l and r are the contract's names for the ends of a range)

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ldpcore import checks
from ldpcore.ranges import arguments, blocks
from ldpcore.ranges.arguments import Cells, Vector
from ldpcore.ranges.strategy import RangeRelease, Strategy, measured


@dataclass(frozen=True)
class Privelet(Strategy):
    """Measures the total and, for every inner node, the sum of its left minus that of its right leaves; Δ = h + 1.

    c(R) = (|R|/N)² + Σ over nodes cut by an end of R of (|left∩R| − |right∩R|)²/4^height; whole nodes cancel.
    Xiao's weighted Haar is the same by law: half-differences of means, noise over 2^height; both times 2^height.
    """

    h: int

    def __post_init__(self) -> None:
        arguments.height(self.h)

    @property
    def size(self) -> int:
        return 1 << self.h

    @property
    def sensitivity(self) -> float:
        return float(self.h + 1)

    @property
    def index_limit(self) -> float:
        return 6.0

    def parts(self, a: Cells, b: Cells) -> list[Vector]:
        """What each height 1 … h adds to c of [a, b): O(log N) for one range."""
        return [_cut(k, a, b) for k in range(1, self.h + 1)]

    def _coefficients(self, a: Cells, b: Cells) -> Vector:
        total = ((b - a) / self.size) ** 2
        for part in self.parts(a, b):
            total = total + part
        return total

    def _loads(self, a: int, b: int) -> Vector:
        sizes = [1 << k for k in range(self.h + 1)]
        total, details = analyse(blocks.solved(sizes, [*sizes[1:], self.size], a, b))
        return np.concatenate([total, *details])

    def average_coefficient(self) -> float:
        """h/6 + (1−N⁻²)/9 − (N−1)/(4(N+1)) + (N+1)(N+2)/(6N²) → h/6 + 1/36 (the paper's (16), (17))."""
        n = float(self.size)
        return self.h / 6 + (1 - n**-2) / 9 - (n - 1) / (4 * (n + 1)) + (n + 1) * (n + 2) / (6 * n * n)

    def covariance(self, i: ArrayLike, j: ArrayLike) -> Vector:
        """Φ_k, k = the height of the lowest common ancestor (the paper's theorem 2)."""
        first, second = self._cells(i, j)
        apart = first ^ second
        k = np.frexp(apart.astype(float))[1]  # the bit length; 0 for a cell with itself
        return np.where(apart == 0, (1 + 2 * 4.0**-self.h) / 3, phi(k, self.h))

    def matrix(self) -> Vector:
        cells = np.eye(arguments.dense(self.size))
        rows = [np.ones((1, self.size))]
        for k in range(self.h, 0, -1):
            halves = cells.reshape(-1, 2, 1 << (k - 1), self.size).sum(axis=2)
            rows.append(halves[:, 0] - halves[:, 1])
        return np.concatenate(rows)

    def _release(self, x: Vector, scale: float, rng: np.random.Generator) -> RangeRelease:
        total, details = analyse(x)
        noisy = [measured(detail, scale, rng) for detail in details]
        return RangeRelease((1,), (synthesise(measured(total, scale, rng), noisy),))


def analyse(x: Vector) -> tuple[Vector, list[Vector]]:
    """Total (1,) and, per height 1 … h, left minus right sums (N/2^k,); O(N)."""
    details = []
    while len(x) > 1:
        left, right = x[0::2], x[1::2]
        details.append(left - right)
        x = left + right
    return x, details


def synthesise(total: Vector, details: list[Vector]) -> Vector:
    """The inverse: a node's halves are (sum ± difference)/2."""
    x = total
    for detail in reversed(details):
        halves = np.empty(2 * len(detail))
        np.add(x, detail, out=halves[0::2])
        np.subtract(x, detail, out=halves[1::2])
        x = halves / 2
    return x


def _cut(k: int, a: Cells, b: Cells) -> Vector:
    """Σ (|left∩R| − |right∩R|)²/4^k over the nodes of height k that hold the first or last cell of [a, b)."""
    size = 1 << k
    first, last = a // size, (b - 1) // size
    total = np.zeros(np.shape(a))
    for node, counted in ((first, True), (last, first != last)):
        start = node * size
        low, high, middle = np.maximum(a, start), np.minimum(b, start + size), start + size // 2
        left = np.maximum(np.minimum(high, middle) - low, 0)
        right = np.maximum(high - np.maximum(low, middle), 0)
        total = total + counted * ((left - right) / size) ** 2
    return total


def phi(k: ArrayLike, h: int) -> Vector:
    """Φ_k = (2/3)(4^−h − 4^−k): covariance of two cells whose lowest common ancestor has height k ≥ 1."""
    return 2 / 3 * (4.0**-h - 4.0 ** -np.asarray(k, float))


def pair_counting(l: Any, r: Any, h: int) -> float:
    """c of [l, r] by the paper's algorithm 3: at each height, count the pairs of cells that meet there, times 2Φ_k.

    Whole nodes of height k have 4^(k−1) pairs each; the at most two nodes that an end cuts are looked at singly.
    Whole numbers until the end, as the sum nearly cancels: pairs·(2/3)(4^−h − 4^−k) = pairs·(2/3)(1 − 4^(h−k))/4^h.
    """
    h = arguments.height(h)
    first = checks.integer(l, "l", 1, 1 << h)
    last = checks.integer(r, "r", 1, 1 << h)
    arguments.ends(first, last, 1 << h)
    a, b = first - 1, last
    thrice = (b - a) * (4**h + 2)
    for k in range(1, h + 1):
        size = 1 << k
        whole = max(0, b // size - -(-a // size))
        pairs = whole * 4 ** (k - 1)
        for node in {a // size, (b - 1) // size}:
            start, end = node * size, (node + 1) * size
            if a <= start and end <= b:
                continue  # counted as whole
            left = max(0, min(b, start + size // 2) - max(a, start))
            right = max(0, min(b, end) - max(a, start + size // 2))
            pairs += left * right
        thrice += 4 * pairs * (1 - 4 ** (h - k))
    return thrice / (3 * 4**h)
