"""The papers' own small examples, computed: a range of Privelet's tree, DFDP's shop, who can send what (SDLDP), and two
purchases that are sensitive together (SULDP's basket).

>>> found = privelet_range(3, 7)
>>> found.coefficient, found.variance
(0.96875, 31.0)
>>> {item: round(chance, 2) for item, _, chance, _ in shop(1.0)}["AB"]
0.5
"""

from dataclasses import dataclass
from math import exp

import numpy as np
from numpy.typing import NDArray

from ldpcore import catalog
from ldpcore.ranges.privelet import Privelet

BASKET = ("toilet paper", "stomach medicine", "comb", "shampoo")
"""The purchases of suldp's introduction; here the first two tell of an illness, and neither does alone."""
HEIGHT = 3
"""Of Privelet's tree in figures 1 and 3: eight cells."""
SHOP = ("AB", "ABC", "ABC", "BC")
"""Purchases with the frequent sets of DFDP's table 2; its own table 1 is lost in the text at hand."""
LEAST, CANDIDATES = 3, 2
"""How many purchases make a set frequent, and with how many SmartTrunc looks further (dfdp §2)."""
ANSWERS, HIGH = 6, 2
"""Answers of SDLDP's figure 1, and how many of them are of high sensitivity; the text leaves both open."""


@dataclass(frozen=True, eq=False)
class RangeExample:
    """A range of cells, numbered from 1, on Privelet's tree: how often the noise of each node counts (nodes,), which
    cells it holds, and what is measured (nodes, cells) and restored (cells, nodes).
    """

    weights: NDArray[np.float64]
    cells: tuple[tuple[int, int], ...]
    measured: NDArray[np.float64]
    restored: NDArray[np.float64]

    @property
    def coefficient(self) -> float:
        """The sum of the squares of the weights (the paper's c)."""
        return float(np.square(self.weights).sum())

    @property
    def variance(self) -> float:
        """At ε = 1: 2Δ² times the coefficient, Δ = h + 1."""
        return 2.0 * float(np.log2(len(self.weights)) + 1) ** 2 * self.coefficient


def privelet_range(first: int, last: int, height: int = HEIGHT) -> RangeExample:
    """The range [first, last] of 2^height cells (Wu, Chen, Cai, Wang 2018, §3.3.1: [3, 7] of eight)."""
    measured = Privelet(height).matrix()
    restored = np.linalg.inv(measured).astype(float)
    cells = tuple((int(row.nonzero()[0][0]) + 1, int(row.nonzero()[0][-1]) + 1) for row in measured)
    return RangeExample(restored[first - 1 : last].sum(axis=0), cells, measured, restored)


def shop(s: float) -> list[tuple[str, int, float, float]]:
    """Each set of one or two items: its true count, and the chance that DFDP and that SmartTrunc publish it.

    Both add Lap(1/s) to every count, as the text has it. DFDP makes candidates of true frequent sets, SmartTrunc of
    those whose noisy count reaches 2: what it loses there it never counts.
    """
    counts = {name: sum(set(name) <= set(bought) for bought in SHOP) for name in ("A", "B", "C", "AB", "AC", "BC")}
    out = []
    for name, count in counts.items():
        published = _reaches(count, LEAST, s)
        looked_at = np.prod([_reaches(counts[item], CANDIDATES, s) for item in name]) if len(name) > 1 else 1.0
        out.append((name, count, published, float(published * looked_at)))
    return out


def _reaches(count: int, threshold: int, s: float) -> float:
    """The chance that count + Lap(1/s) is at least the threshold."""
    below = exp(-s * abs(threshold - count)) / 2
    return below if threshold > count else 1 - below


@dataclass(frozen=True)
class SentExample:
    """One mechanism of figure 1: the chance that a high (low) answer is sent as itself, as one certain other high
    answer, as one certain other low one; and how sure a low report is of its answer, all answers as common.
    """

    key: str
    high: tuple[float, float, float]
    low: tuple[float, float, float]
    sure: float


def sent(epsilon: float) -> list[SentExample]:
    """ULDP by uRR and SDLDP by SDGRR, of six answers of which two are of high sensitivity (sdldp, figure 1)."""
    out = []
    for key in ("uRR", "SDGRR"):
        matrix = catalog.FREQUENCY[key].build(epsilon, ANSWERS, np.arange(ANSWERS) < HIGH).channel().matrix
        high = (float(matrix[0, 0]), float(matrix[0, 1]), float(matrix[0, HIGH]))
        low = (float(matrix[HIGH, HIGH]), float(matrix[HIGH, 0]), float(matrix[HIGH, HIGH + 1]))
        out.append(SentExample(key, high, low, float(matrix[HIGH, HIGH] / matrix[:, HIGH].sum())))
    return out


@dataclass(frozen=True)
class SensitivePair:
    """How sure one is that somebody has the first two items of the basket: `blind`, and after the report that makes one
    surest, with none, one and both of them marked (`worst`); all sets of so many items are as common.
    """

    blind: float
    worst: tuple[float, ...]

    @property
    def enough(self) -> int:
        """The fewest marks with which no report proves both."""
        return next(count for count, worst in enumerate(self.worst) if worst < 1 - 1e-9)


def sensitive_pair(key: str, epsilon: float, m: int) -> SensitivePair:
    """Over all reports of a mechanism for sets of m items.

    >>> found = sensitive_pair("suRAP", 1.0, 2)
    >>> [round(worst, 2) for worst in found.worst], found.enough
    ([1.0, 0.45, 0.26], 1)
    """
    worst, both = [], np.empty(0)
    for marked in range(3):
        built = catalog.SETS[key].build(epsilon, len(BASKET), np.arange(len(BASKET)) < marked, m)
        both, matrix = (built.all_sets() < 2).sum(axis=1) == 2, built.channel().matrix
        seen = matrix[:, matrix.any(axis=0)]
        worst.append(float((seen[both].sum(axis=0) / seen.sum(axis=0)).max()))
    return SensitivePair(float(both.mean()), tuple(worst))
