"""How loud each kind of hit of gHit is, and how often the noise holds an item (theory/levels#sets)."""

from dataclasses import dataclass
from math import inf, nan
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize

from ldpcore.set_randomizer import Vector

TRIED, TRIED_QUIETER = 32, 12
"""Chances π from which the search for the best starts, for each level, and G."""
NEAR = (0.5, -0.1, 0.02)
"""Widths of the searches that follow, in steps of the grid."""
MOST_LIKELY = -1e-3
"""The largest ln π."""

Number = Any
"""A number, or several as an array: both are computed alike."""
Items = tuple[tuple[int, float], tuple[int, float], float]
"""How many private and secret items are estimated, each with their holders' total share; that of public ones."""
Places = tuple[tuple[float, float], tuple[float, float], tuple[float, float]]
"""From where to where to search: ln π of secret items, ln π of private ones, and `quieter`."""


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
        loud, low, gain, rho = (float(each[0]) for each in _made(shape, *np.array([[private], [secret], [quieter]])))
        return None if np.isnan(rho) else cls(private, secret, loud, low, gain, rho)

    @classmethod
    def least(cls, shape: Shape, items: Items, places: Places, crowded: bool) -> "Hits | None":
        """Those with the least total error of these items, over `places`: the best of a grid, refined. crowded:
        `quieter` is sought too. None where nothing can be told apart.
        """
        axes = [np.linspace(*ends, TRIED) for ends in places[:2]]
        axes.append(np.linspace(*places[2], TRIED_QUIETER) if crowded else np.zeros(1))

        def total(tried: NDArray[np.float64]) -> Vector:
            return _total(shape, items, np.exp(tried[1]), np.exp(tried[0]), tried[2])

        tried = np.stack([grid.ravel() for grid in np.meshgrid(*axes, indexing="ij")])
        totals = total(tried)
        if not np.isfinite(totals.min()):
            return None
        best = tried[:, int(np.argmin(totals))]
        step = np.array([axis[1] - axis[0] if len(axis) > 1 else 0.0 for axis in axes])
        free = step > 0
        low, high = np.array(places).T[:, free]

        def placed(point: Vector) -> Vector:
            out = best.copy()
            out[free] = np.clip(point, low, high)
            return out

        def wrong(point: Vector) -> float:
            return float(np.log(total(placed(point)[:, None])[0]))

        # The error has edges along which a search stalls: so it begins anew, ever nearer.
        point = best[free]
        for width in NEAR:
            corners = point + width * np.vstack([np.zeros(free.sum()), np.diag(step[free])])
            options: Any = {
                "xatol": 1e-5,
                "fatol": 1e-10,
                "maxfev": 100,
                "initial_simplex": np.clip(corners, low, high),
            }
            point = minimize(wrong, point, method="Nelder-Mead", options=options).x
        secret, private, quieter = placed(point)
        return cls.best(float(np.exp(private)), float(np.exp(secret)), shape, float(quieter))

    def quiet(self, a: ArrayLike) -> Vector:
        """H₂ − 1 with a private items."""
        return _quiet(any_of(self.private, a), self.loud, self.low)

    def missing(self, a: ArrayLike, c: ArrayLike) -> Vector:
        """L − 1 with a private and c secret items."""
        return _missing(any_of(self.private, a), any_of(self.secret, c), self.loud, self.low, self.gain)

    def errors(self, noise: float, own: float, f: Vector, public: float) -> Vector:
        """n·Var of items with shares f, chance π in the noise, W − 1 `own`; people have `public` public items each.

        Which items go together does not show in it: who discloses more is silent less, and held less often.
        """
        return _errors(noise, own, self.gain, f, 1 - self.rho * public - f)


def any_of(chance: Number, count: ArrayLike) -> Vector:
    """Pr[some of so many bits]."""
    return -np.expm1(np.asarray(count) * np.log1p(-chance))


def _quiet(p: Vector, loud: Number, low: Number) -> Vector:
    return (low - loud * p) / (1 - p)


def _missing(p: Vector, q: Vector, loud: Number, low: Number, gain: Number) -> Vector:
    return (gain - loud * p * (1 - q) - low * q) / ((1 - p) * (1 - q))


def _made(shape: Shape, private: Vector, secret: Vector, quieter: Vector) -> tuple[Vector, Vector, Vector, Vector]:
    """H − 1, η − 1, G − 1 and ρ (n,) for each of these choices (n,); ρ is NaN where nothing can be told apart."""
    p, q = any_of(private[:, None], shape.a), any_of(secret[:, None], shape.c)
    most = p.max(axis=1, keepdims=True, where=shape.c > 0, initial=0.0)
    with np.errstate(divide="ignore"):
        loud = np.minimum(shape.private, shape.secret / most)
    low = np.full_like(loud, shape.secret)
    gain = (loud * p * (1 - q) + low * q).max(axis=1, keepdims=True)
    bounds = [bound for bound, has in ((loud, shape.a), (low, shape.c)) if has.any()]
    if not bounds:
        return loud[:, 0], low[:, 0], gain[:, 0], np.full(len(private), nan)
    most = np.minimum.reduce(bounds)
    # Who misses must not outweigh the secret level: a set without its items would be told by more.
    gain = gain + quieter[:, None] * np.maximum(0.0, np.minimum(most, low) - gain)
    able, some, rho = (gain < most) & (gain <= low), shape.b > 0, np.zeros_like(gain)
    if some.any():
        least = _missing(p, q, loud, low, gain)
        least = np.where(shape.a > 0, np.minimum(least, loud), least)
        least = np.where(shape.c > 0, np.minimum(least, _quiet(p, loud, low)), least)
        shrink = (1 + loud) * low / (1 + low)  # one who discloses more must not be told by the fewer that are hit
        least = np.where(shape.a > 0, np.minimum(least, shrink), least)
        rho = (least[:, some] / shape.b[some]).min(axis=1, keepdims=True) / (1 + gain)
        able &= rho > 0
    return loud[:, 0], low[:, 0], gain[:, 0], np.where(able, rho, nan)[:, 0]


def _total(shape: Shape, items: Items, private: Vector, secret: Vector, quieter: Vector) -> Vector:
    """Sum of n·Var over all items (n,), inf where nothing can be told apart."""
    loud, low, gain, rho = _made(shape, private, secret, quieter)
    (private_count, private_share), (secret_count, secret_share), public = items
    with np.errstate(divide="ignore", invalid="ignore"):
        out = np.where(rho > 0, public * (1 - rho) / rho, 0.0)
        for noise, own_bit, count, share in (
            (private, loud, private_count, private_share),
            (secret, low, secret_count, secret_share),
        ):
            if count:
                out = out + _errors(noise, own_bit, gain, share, count * (1 - rho * public) - share)
    return np.where(np.isnan(rho), inf, out)


def _errors(noise: Number, own: Number, gain: Number, held: Number, silent: Number) -> Vector:
    apart = noise * (own - gain) / (1 + gain)
    seen = noise + apart
    return (silent * noise * (1 - noise) + held * seen * (1 - seen)) / apart**2
