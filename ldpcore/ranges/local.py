"""Ranges under local privacy: every user reports one level, with the whole ε (Cormode, Kulkarni, Srivastava 2019).

A user draws one of L levels evenly and reports its block there; nobody but the user sees the value. Level j's estimates
are ŷ_jv = (L/n) Σ Z over the users who drew it: unbiased for the share of block v, and a range is Σ c_jv ŷ_jv (+ ρ,
its share of the cells, where the known total is used). Given its value a user's Z have E Z_u Z_v = 0 (u ≠ v), so with
m₀, m₁ = E Z² of a block that is not, is, the user's, exactly and at any n,

    n·Var = L Σ c_jv² m₀ + L Σ_x f_x Σ_j c_j(x)² (m₁ − m₀) − Σ_x f_x (1[x∈R] − ρ)²:

noise, what depends on the data, and what level sampling does not add. Estimates are shares.
"""

# ruff: noqa: E741 (l and r are the contract's names for the ends of a range)

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.ranges import arguments
from ldpcore.ranges.arguments import Cells, Vector
from ldpcore.ranges.strategy import RangeRelease

Counts = NDArray[np.int64]


class Local(ABC):
    """The family: levels, what a user sends at one, and how the levels' estimates make an answer."""

    h: int
    epsilon: float

    @property
    def size(self) -> int:
        return 1 << self.h

    @property
    @abstractmethod
    def levels(self) -> int:
        """L."""

    @property
    @abstractmethod
    def moments(self) -> tuple[float, float]:
        """m₀ and m₁."""

    @abstractmethod
    def noise_coefficient(self, l: int, r: int) -> float:
        """Σ c_jv² L, O(log N): the variance in units of m₀/n, without what depends on the data."""

    @abstractmethod
    def average_noise_coefficient(self) -> float:
        """Its mean over all ranges."""

    def _own(self, a: Cells, b: Cells, freq: Vector) -> float:
        """Σ_x f_x Σ_j c_j(x)² (m₁ − m₀)·L for the range [a, b): nothing where m₁ = m₀."""
        return 0.0

    @abstractmethod
    def _share(self, width: int) -> float:
        """ρ."""

    @abstractmethod
    def _bits(self, level: int) -> float:
        """Size of what is said at a level."""

    def report_bits(self) -> float:
        """Expected size of a report, bits: the number of its level, if there are several, and what it says there.

        >>> from ldpcore import catalog
        >>> {key: entry.build(3, 1.0).report_bits() for key, entry in catalog.LOCAL_RANGES.items()}  # 8 cells
        {'Local flat': 8.0, 'Local tree': 6.666666666666667, 'Local Haar': 4.0}
        """
        each = sum(self._bits(level) for level in range(self.levels))
        return (self.levels - 1).bit_length() + each / self.levels

    @abstractmethod
    def _send(self, level: int, values: Cells, rng: np.random.Generator) -> Vector:
        """Σ Z (blocks,) of users with these values at a level, each drawn for itself."""

    @abstractmethod
    def _draw(self, level: int, counts: Counts, rng: np.random.Generator) -> Vector:
        """The same law from the histogram alone."""

    @abstractmethod
    def _answer(self, estimates: list[Vector]) -> RangeRelease:
        """ŷ_j of all levels → shares."""

    def collect(self, values: ArrayLike, rng: np.random.Generator) -> RangeRelease:
        """The protocol itself, user by user: codes (n,) from 0 to N − 1 → shares; each user's report is ε-LDP."""
        codes = checks.codes(values, self.size)
        if not len(codes):
            raise ValueError("nobody reports: values must hold at least one user")
        drawn = rng.integers(0, self.levels, len(codes))
        sums = [self._send(j, codes[drawn == j].astype(np.int64), rng) for j in range(self.levels)]
        return self._answer([total * self.levels / len(codes) for total in sums])

    def simulate(self, counts: ArrayLike, rng: np.random.Generator, repeats: int) -> list[RangeRelease]:
        """Answers for users with this histogram (N,): the exact law of `collect`, at a cost independent of n."""
        users = checks.counts(counts, arguments.dense(self.size))
        even = np.full(self.levels, 1 / self.levels)
        answers = []
        for _ in range(repeats):
            split = rng.multinomial(users, even)
            sums = [self._draw(j, split[:, j], rng) for j in range(self.levels)]
            answers.append(self._answer([total * self.levels / users.sum() for total in sums]))
        return answers

    def variance(self, l: int, r: int, freq: ArrayLike, n: int) -> float:
        """Exact variance of the share of cells l to r, given data with shares freq (N,) of n users; O(N)."""
        a, b = arguments.ends(l, r, self.size)
        freq = checks.shares(freq, self.size)
        n = checks.integer(n, "n (the number of users)", 1)
        none, _ = self.moments
        inside = float(freq[int(a) : int(b)].sum())
        rho = self._share(int(b - a))
        mean_squared = inside * (1 - rho) ** 2 + (1 - inside) * rho**2
        data = self._own(a, b, freq) - mean_squared
        return max(0.0, none * self.noise_coefficient(l, r) + data) / n


def checked(h: int, epsilon: float) -> None:
    if arguments.height(h) == 0:
        raise ValueError("h must be at least 1 for local reports: with a single cell there is nothing to report")
    checks.epsilon(epsilon)
