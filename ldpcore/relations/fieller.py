"""The score interval of a share within a group: Fieller's (1954), with the exact variance at the hypothesis.

r is kept if |f̂_GC − r f̂_G| ≤ z√(v(r)/n) + step(r)/2n, v(r) = c(r)ᵀA(f_r)c(r), c(r) = 1_GC − r·1_G, f_r the plausible
table with this r in G. As c(r)·f_r = 0 no mean is subtracted, so for people like these it is exact; for these people
f_G r(1 − r) is. v is a cubic in r between 0 and 1. With nothing hidden: Wilson's interval with continuity.

Only groups that are told from empty ones are shown, and these came out large: of intervals that do not know it as few
as 82 in 100 cover. So r is also kept where it would be among such surveys alone: given all that does not hang on
c(r)·f̂, that is a normal number, cut where the group would not be told (Lee, Sun, Sun, Taylor 2016). From 4 standard
errors on the two are nearly the same; just above 3 the interval is mostly everything, as it should be.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

from ldpcore.relations.designs import PairDesign
from ldpcore.relations.plausible import SURE, plausible, spread_rest

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

NOTHING = 1e-14
"""A variance below this is none, and there is nothing to correct."""
FIRST, WIDER, OUTWARDS, HALVINGS = 1e-4, 1.7, 26, 30
"""The search for an end: steps outwards, each so much longer, until r is rejected; then halving."""
FARTHEST = 50.0
"""Where it begins, at most: far outside [0, 1] an end says nothing."""


@dataclass(frozen=True, eq=False)
class ScoreTest:
    """Of r = Pr[y ∈ answers | x ∈ group], from tables (r, kx, ky) that n people's reports estimate."""

    design: PairDesign
    tables: Array
    n: int
    group: Mask
    answers: Mask
    about: str

    @cached_property
    def weights(self) -> tuple[Array, Array]:
        """1_GC and 1_G, (kx, ky) each."""
        every = np.ones(len(self.answers))
        return np.outer(self.group, self.answers).astype(float), np.outer(self.group, every)

    @cached_property
    def hits(self) -> Array:
        """f̂_GC (r,)."""
        return self.tables[:, self.group][:, :, self.answers].sum(axis=(1, 2))

    @cached_property
    def size(self) -> Array:
        """f̂_G (r,)."""
        return self.tables[:, self.group].sum(axis=(1, 2))

    @cached_property
    def shares(self) -> Array:
        """Plausible tables (r, kx, ky)."""
        return plausible(self.tables, self.n, self.design.is_open)

    @cached_property
    def _moments(self) -> tuple[Array, Array, Array]:
        """E[(u·s)(v·s) | pair] of 1_GC and 1_G, (K,) each: of c(r)·s the square is m₁₁ − 2r m₁₂ + r² m₂₂."""
        u, v = self.weights
        return self.design.squares(u, u), self.design.squares(u, v), self.design.squares(v, v)

    @cached_property
    def plausible_size(self) -> Array:
        """f_G (r,), above 0."""
        if self.design.is_open:
            return self.size
        return np.maximum(self.shares[:, self.group].sum(axis=(1, 2)), 0.5 / self.n)

    @cached_property
    def plausible_share(self) -> Array:
        """r (r,) of the plausible table."""
        inside = self.shares[:, self.group]
        return inside[:, :, self.answers].sum(axis=(1, 2)) / inside.sum(axis=(1, 2))

    @cached_property
    def _parts(self) -> tuple[tuple[Array, Array, Array], ...]:
        """m₁₁, m₁₂, m₂₂ (r,) averaged over the rest of all, over those in the group with the answers, and without."""
        u, v = (w.ravel() > 0 for w in self.weights)
        f = self.shares.reshape(len(self.tables), -1)
        inside, beside = (np.where(part, f, 0.0) for part in (u, v & ~u))
        rest = spread_rest(f, v, self.plausible_size)
        each = (part / part.sum(axis=1, keepdims=True) for part in (inside, beside))
        return tuple(tuple(part @ m for m in self._moments) for part in (rest, *each))  # type: ignore[return-value]

    def _mixed(self, r: Array, parts: list[Array]) -> Array:
        """Of moments (r,) of the rest, with and without the answers: of the table with this r in the group."""
        at = np.clip(r, 0, 1)
        return parts[0] + self.plausible_size * (at * parts[1] + (1 - at) * parts[2])

    def variance(self, r: Array) -> Array:
        """v(r) (…, r), also for r outside [0, 1], where the group is taken as at the end."""
        out = self._mixed(r, [m11 - 2 * r * m12 + r**2 * m22 for m11, m12, m22 in self._parts])
        if self.about == "these":
            at = np.clip(r, 0, 1)
            out = out - self.plausible_size * (at * (1 - r) ** 2 + (1 - at) * r**2)
        return np.maximum(out, 0)

    def covariance_with_size(self, r: Array) -> Array:
        """n·Cov(c(r)·f̂, f̂_G) (r,)."""
        return self._mixed(r, [m12 - r * m22 for _, m12, m22 in self._parts])

    @cached_property
    def _corners(self) -> Array:
        return self.design.corners(self.group, self.answers)

    def step(self, r: Array) -> Array:
        """The most that one report moves c(r)·f̂, times n: (…, r)."""
        moved = self._corners[:, 0] - r[..., None] * self._corners[:, 1]
        return np.ptp(moved, axis=-1)

    def rejected(self, r: Array, hits: Array, z: float) -> NDArray[np.bool_]:
        """Whether r (…, r) is rejected, where f̂_GC is `hits` (r,)."""
        v = self.variance(r) / self.n
        off = hits - r * self.size
        correction = np.where(v > NOTHING, self.step(r) / (2 * self.n), 0.0)
        far = np.maximum(np.abs(off) - correction, 0)
        out = far**2 > z**2 * v + 1e-18
        if self.design.is_open:
            return out
        return out & self._rejected_as_shown(r, np.copysign(far, off), v, z)

    def _rejected_as_shown(self, r: Array, off: Array, v: Array, z: float) -> NDArray[np.bool_]:
        """The same among surveys in which this group is told from an empty one: whatever does not hang on c(r)·f̂ given,
        that is normal, cut where the group would be SURE errors large. True for all others.
        """
        error = np.sqrt(np.maximum(v, 1e-300))
        slope = self.covariance_with_size(r) / self.n / np.maximum(v, 1e-300)
        spare = self.size * (1 - SURE / np.maximum(self.ratio, SURE))
        # From here c(r)·f̂ could go so far towards a smaller group.
        room = spare / np.maximum(np.abs(slope), 1e-300) / error
        at = np.where(slope > 0, off, -off) / error
        upper = log_ndtr(-at) - log_ndtr(room - at)
        below = np.log(np.maximum(-np.expm1(np.minimum(upper, 0)), 1e-300))
        tail = np.where(at > 0, upper, below)
        return (tail < log_ndtr(-z)) | (self.ratio < SURE)

    @cached_property
    def ratio(self) -> Array:
        """f̂_G over its standard error (r,); inf for an open group."""
        if self.design.is_open:
            return np.full(len(self.tables), np.inf)
        m22, f = self._moments[2], self.shares.reshape(len(self.tables), -1)
        mean = self.shares[:, self.group].sum(axis=(1, 2))
        drawn = mean**2 if self.about == "like" else mean
        return self.size / np.sqrt(np.maximum(f @ m22 - drawn, 1e-300) / self.n)

    def interval(self, z: float, shown: bool) -> tuple[Array, Array, Array]:
        """Estimate, low, high (r,). shown: of the nearest estimate that can be, ends in [0, 1]; else the raw ends,
        which a comparison of groups needs. A group whose f̂_G ≤ 0 tells nothing: everything.
        """
        hits = np.clip(self.hits, 0, np.maximum(self.size, 0)) if shown else self.hits
        with np.errstate(divide="ignore", invalid="ignore"):
            value = np.where(self.size > 0, hits / self.size, 0.5)
        low, high = self._ends(np.clip(value, -FARTHEST, FARTHEST), hits, z)
        nobody = self.size <= 0
        low, high = np.where(nobody, -np.inf, low), np.where(nobody, np.inf, high)
        return (value, np.clip(low, 0, 1), np.clip(high, 0, 1)) if shown else (value, low, high)

    def _ends(self, start: Array, hits: Array, z: float) -> Array:
        """The low and the high ends (2, r), looked for at once."""
        sign = np.array([[-1.0], [1.0]])
        inside = outside = np.tile(start, (2, 1))
        width, rejected = FIRST, np.zeros(inside.shape, bool)
        for _ in range(OUTWARDS):
            outside = np.where(rejected, outside, inside + sign * width)
            rejected |= self.rejected(outside, hits, z)
            inside = np.where(rejected, inside, outside)
            width *= WIDER
            if rejected.all():
                break
        for _ in range(HALVINGS):
            middle = (inside + outside) / 2
            out = self.rejected(middle, hits, z)
            inside, outside = np.where(out, inside, middle), np.where(out, middle, outside)
        return np.where(rejected, outside, sign * np.inf)
