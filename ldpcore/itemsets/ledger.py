"""What a release of noisy counts costs: every spend, the totals people quote, and the one that can be defended."""

from dataclasses import dataclass
from math import comb, exp, expm1, fsum, inf, isfinite, log1p
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray


def budget(value: Any, name: str = "epsilon") -> float:
    """A central budget: positive and finite, without the upper end of local mechanisms."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, got {value!r}") from None
    if not (isfinite(number) and number > 0):
        raise ValueError(f"{name} must be positive and finite, got {number:g}; for the exact result use apriori")
    return number


def limit(clip: Any) -> float | None:
    """What |noise| may be at most; None: no limit."""
    return None if clip is None else budget(clip, "clip (the largest noise)")


def laplace(size: int, scale: float, clip: float | None, rng: np.random.Generator) -> NDArray[np.float64]:
    """Laplace noise; with `clip` as if redrawn until |noise| ≤ clip, drawn at once from the law that results."""
    if clip is None:
        return rng.laplace(0.0, scale, size)
    return np.where(rng.random(size) < 0.5, -1.0, 1.0) * -scale * np.log1p(rng.random(size) * expm1(-clip / scale))


def at_least(gap: NDArray[np.float64], scale: float, clip: float | None = None) -> NDArray[np.float64]:
    """Pr[noise ≥ gap] of that noise, element by element."""
    gap = np.asarray(gap, float)
    tail = np.exp(-np.abs(gap) / scale) / 2
    if clip is not None:
        tail = np.maximum(0.0, tail - exp(-clip / scale) / 2) / -expm1(-clip / scale)
    return np.where(gap >= 0, tail, 1 - tail)


def delta(scale: float, clip: float | None, numbers: float = 1) -> float:
    """δ of limited noise on counts that one basket moves by one each: exact at ε = numbers/scale.

    1 − (1 − δ₁)^numbers with δ₁ = Pr[noise > c − 1] = (e^{−(c−1)/b} − e^{−c/b})/(2(1 − e^{−c/b})) for c ≥ 1: the chance
    of a value that the neighbour cannot give; among the others the ratio is at most e^ε
    (theory/itemsets#limited-noise).
    """
    if clip is None or numbers == 0:
        return 0.0
    one = float(at_least(np.array(clip - 1.0), scale, clip))
    return 1.0 if one >= 1 else -expm1(numbers * log1p(-one))


@dataclass(frozen=True)
class Spend:
    """One batch of numbers with Laplace noise of this scale, and the ε that the algorithm books for it."""

    what: str
    length: int  # items per set
    numbers: int
    scale: float
    epsilon: float
    clip: float | None = None
    most: float | None = None  # what a basket adds to all of them together at most; None: one to each
    whole: bool = False  # a basket adds `most` however few items it holds: what it does not hold is counted too

    def moved(self, longest: int) -> float:
        """What one basket of at most so many items adds to all the numbers together at most."""
        if self.whole and self.most is not None:
            return self.most
        return min(self.numbers if self.most is None else self.most, comb(longest, self.length))

    def by_basket(self, longest: int) -> float:
        """ε of this batch for baskets of at most so many items, the candidates taken as given."""
        return self.epsilon if self.scale == 0 else min(self.epsilon, self.moved(longest) / self.scale)


@dataclass(frozen=True)
class Ledger:
    """Every spend of one run. `leak` says in words what is published without noise; "" when nothing is."""

    spends: tuple[Spend, ...]
    leak: str = ""

    @property
    def total(self) -> float:
        """ε by sequential composition, as the algorithm itself counts it."""
        return fsum(spend.epsilon for spend in self.spends)

    @property
    def numbers(self) -> int:
        """How many numbers are published with noise."""
        return sum(spend.numbers for spend in self.spends)

    def by_basket(self, longest: int) -> float:
        """ε for baskets of at most so many items, the candidates taken as given: Σ_k min(|C_k|, C(L, k))/scale."""
        return fsum(spend.by_basket(longest) for spend in self.spends)

    def delta(self, longest: int) -> float:
        """δ of the limited noise for baskets of at most so many items; 0 where the noise is not limited."""
        return 0.0 - expm1(fsum(_log_safe(delta(s.scale, s.clip, s.moved(longest))) for s in self.spends))

    @property
    def defended(self) -> float:
        """The ε that can be defended for the whole release: ∞ where something is published without noise."""
        return inf if self.leak else self.total

    @property
    def table(self) -> pd.DataFrame:
        """One row per spend: what, length, numbers, scale, epsilon."""
        rows = [(s.what, s.length, s.numbers, s.scale, s.epsilon) for s in self.spends]
        return pd.DataFrame(rows, columns=["what", "length", "numbers", "scale", "epsilon"])


def _log_safe(chance: float) -> float:
    return -inf if chance >= 1 else log1p(-chance)
