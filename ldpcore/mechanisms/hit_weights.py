"""How loud each kind of hit of gHit is, and how often the noise holds an item (theory/levels#sets)."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize_scalar

from ldpcore.set_randomizer import Vector

TRIED = 24
"""Chances π from which the search for the best starts, for each level."""


@dataclass(frozen=True, eq=False)
class Shape:
    """How sets may be made: the gains E − 1 of the private and the secret level, and every possible (a, c, b), private,
    secret and public items, as arrays.
    """

    private: float
    secret: float
    a: NDArray[np.intp]
    c: NDArray[np.intp]
    b: NDArray[np.intp]

    @classmethod
    def of(cls, gains: tuple[float, float], sizes: tuple[int, int, int], m: int) -> "Shape":
        a, c = (grid.ravel() for grid in np.meshgrid(np.arange(m + 1), np.arange(m + 1), indexing="ij"))
        b = m - a - c
        can = (b >= 0) & (a <= sizes[0]) & (c <= sizes[1]) & (b <= sizes[2])
        return cls(*gains, a[can], c[can], b[can])


@dataclass(frozen=True, eq=False)
class Hits:
    """The numbers of one channel: π of both levels, H − 1, η − 1 (H₂ where no item is private), G − 1 and ρ."""

    private: float
    secret: float
    loud: float
    low: float
    gain: float
    rho: float

    @classmethod
    def best(cls, private: float, secret: float, shape: Shape, quieter: float = 0.0) -> "Hits | None":
        """The most disclosure with these π and this G: from its least (quieter = 0) to its largest (1), where nothing
        is told; None where they leave nothing to tell apart.
        """
        p, q = any_of(private, shape.a), any_of(secret, shape.c)
        most = float(p[shape.c > 0].max(initial=0.0))
        loud = min(shape.private, shape.secret / most) if most else shape.private
        low = shape.secret
        gain = float(np.max(loud * p * (1 - q) + low * q))
        told = [bound for bound, has in ((loud, shape.a), (low, shape.c)) if has.any()]
        # Who misses must not outweigh the secret level: a set without its items would be told by more.
        gain += quieter * max(0.0, min(*told, low) - gain) if told else 0.0
        if not told or gain >= min(told) or gain > low:
            return None
        some = shape.b > 0
        if not some.any():
            return cls(private, secret, loud, low, gain, 0.0)
        trial = cls(private, secret, loud, low, gain, 0.0)
        least = np.minimum(trial.missing(shape.a, shape.c), np.where(shape.a > 0, loud, inf))
        least = np.minimum(least, np.where(shape.c > 0, trial.quiet(shape.a), inf))
        shrink = (1 + loud) * low / (1 + low)  # one who discloses more must not be told by the fewer that are hit
        rho = float(np.min(np.minimum(least, np.where(shape.a > 0, shrink, inf))[some] / shape.b[some])) / (1 + gain)
        return cls(private, secret, loud, low, gain, rho) if rho > 0 else None

    def quiet(self, a: ArrayLike) -> Vector:
        """H₂ − 1 with a private items."""
        p = any_of(self.private, a)
        return (self.low - self.loud * p) / (1 - p)

    def missing(self, a: ArrayLike, c: ArrayLike) -> Vector:
        """L − 1 with a private and c secret items."""
        p, q = any_of(self.private, a), any_of(self.secret, c)
        return (self.gain - self.loud * p * (1 - q) - self.low * q) / ((1 - p) * (1 - q))

    def errors(self, noise: float, own: float, f: Vector, public: float) -> Vector:
        """n·Var of items with shares f, chance π in the noise, W − 1 `own`; people have `public` public items each.

        Which items go together does not show in it: who discloses more is silent less, and held less often.
        """
        apart = noise * (own - self.gain) / (1 + self.gain)
        held = noise + apart
        return ((1 - self.rho * public - f) * noise * (1 - noise) + f * held * (1 - held)) / apart**2


def any_of(chance: float, count: ArrayLike) -> Vector:
    """Pr[some of so many bits]."""
    return -np.expm1(np.asarray(count) * np.log1p(-chance))


def least_of(of: Callable[[float], float], low: float, high: float) -> tuple[float, float]:
    """The least value between two places and where: from a grid, refined."""
    tried = np.linspace(low, high, TRIED)
    found = [of(float(place)) for place in tried]
    near = int(np.argmin(found))
    ends = float(tried[max(near - 1, 0)]), float(tried[min(near + 1, TRIED - 1)])
    refined = minimize_scalar(of, bounds=ends, method="bounded", options={"xatol": 1e-7})
    return min((float(found[near]), float(tried[near])), (float(refined.fun), float(refined.x)))
