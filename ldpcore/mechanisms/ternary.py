"""uTernary: numbers under ULDP, near the limit (theory/numbers#uternary). Reports are its scores."""

from dataclasses import dataclass
from functools import cached_property
from math import exp, expm1, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.mechanisms.density import Density
from ldpcore.mechanisms.law import Law
from ldpcore.mechanisms.piecewise import PM
from ldpcore.numeric_randomizer import BINS, Intervals, Vector
from ldpcore.policy import ULDP, Policy

SWITCH = 2.0
"""Above this ε the three-valued report falls behind PM on the hull (theory/numbers#uternary)."""


@dataclass(frozen=True, eq=False)
class UTernary(Density):
    """Numbers under ULDP (ours, theory/numbers#uternary); `low` are the values that are not sensitive.

    [s₀−h, s₀+h] is the hull of the sensitive values; t = (x−s₀)/h. Up to ε = 2, with probability r = (E−1)/(E+θ): a
    sensitive value sends 0 with 1−θ, else ±1 with (1±t)/2, another value itself; otherwise 0 with (1−θ)/(1+θ), else a
    fair ±1. Reports are the scores s₀±hB, s₀ and s₀+(x−s₀)/r, B = (E+θ)/(θ(E−1)). Above, PM on the hull, and another
    value itself with r = 1−e^{−ε/2}, else a uniform report. A value that is not sensitive may be sent inside the hull
    too: the protected reports keep their bound, and the variances hold as they stand.

    θ is best for a public guess of the `share` of users with a sensitive value and of `spread`, the mean of (x−s₀)²
    of the others; None guesses uniform inputs. A wrong guess costs accuracy, never privacy.
    """

    epsilon: float
    low: Intervals = ()
    bins: int = BINS
    share: float | None = None
    spread: float | None = None

    uses_marks = True

    def __post_init__(self) -> None:
        checks.epsilon(self.epsilon)
        checks.integer(self.bins, "bins", 2, 100_000)
        object.__setattr__(self, "low", checks.intervals(self.low))
        if self.share is not None and not 0 <= self.share <= 1:
            raise ValueError(f"share is the guessed share of marked answers, between 0 and 1, got {self.share:g}")
        if self.spread is not None and not 0 < self.spread <= 4:
            raise ValueError(f"spread is the others' mean (x−s₀)², above 0 and at most 4, got {self.spread:g}")

    @cached_property
    def hull(self) -> tuple[float, float] | None:
        """The smallest interval that holds every sensitive value; None where nothing is sensitive."""
        ends = [-1.0, *(end for pair in self.low for end in pair), 1.0]
        marked = [(a, b) for a, b in zip(ends[::2], ends[1::2], strict=True) if b > a]
        return (marked[0][0], marked[-1][1]) if marked else None

    @property
    def centre(self) -> float:
        """s₀."""
        return sum(self.hull) / 2 if self.hull else 0.0

    @property
    def half(self) -> float:
        """h."""
        return (self.hull[1] - self.hull[0]) / 2 if self.hull else 0.0

    @property
    def fine(self) -> bool:
        """Whether it is PM on the hull."""
        return self.epsilon > SWITCH

    @cached_property
    def theta(self) -> float:
        """θ* = min(1, (h/D)√(E(2+F(E−1))/((E−1)(1−F))))."""
        h, ends = self.half, np.array(self.low).reshape(-1, 2)
        length = float(np.sum(ends[:, 1] - ends[:, 0]))
        share = 1 - length / 2 if self.share is None else self.share
        cubes = (ends - self.centre) ** 3
        beyond = float(np.sum(cubes[:, 1] - cubes[:, 0])) / 3 / length if length else 0.0
        spread = beyond if self.spread is None else self.spread
        if share >= 1 or spread <= 0:
            return 1.0
        gain = expm1(self.epsilon)
        return min(1.0, h * sqrt((gain + 1) * (2 + share * gain) / (gain * (1 - share) * spread)))

    @property
    def rate(self) -> float:
        """r, the probability that a value that is not sensitive is sent as it is; 1 where nothing is sensitive."""
        if self.hull is None:
            return 1.0
        return -expm1(-self.epsilon / 2) if self.fine else expm1(self.epsilon) / (exp(self.epsilon) + self.theta)

    @property
    def size(self) -> float:
        """B, the score of ±1 in units of h."""
        return (exp(self.epsilon) + self.theta) / (self.theta * expm1(self.epsilon))

    @cached_property
    def _pm(self) -> PM:
        return PM(self.epsilon, self.bins)

    def policy(self, points: Vector) -> Policy:
        return ULDP(self.epsilon, self.is_sensitive(points))

    def is_sensitive(self, x: Vector) -> NDArray[np.bool_]:
        """Which inputs are sensitive; `low` is closed."""
        return ~np.any([(x >= left) & (x <= right) for left, right in self.low] or [np.zeros(len(x), bool)], axis=0)

    def _inner(self, x: Vector, inside: NDArray[np.bool_]) -> Vector:
        """t, within [-1, 1] to the last bit; 0 where it is not needed."""
        return np.where(inside, np.clip((x - self.centre) / self.half, -1.0, 1.0), 0.0)

    @property
    def cuts(self) -> tuple[float, ...]:
        # An input whose score would be an atom ends its bin: the atom's cell divides those of the scores.
        beside = self.centre + self.rate * (self.atoms - self.centre)
        return *(end for pair in self.low for end in pair), *beside[np.abs(beside) < 1].tolist()

    @property
    def lone(self) -> Intervals:
        return tuple((float(self.places(np.array([a]))[0]), float(self.places(np.array([b]))[0])) for a, b in self.low)

    @property
    def atoms(self) -> Vector:
        if self.hull is None or self.fine:
            return np.zeros(0)
        ends = self.half * self.size
        return np.array([self.centre - ends, self.centre, self.centre + ends])

    @property
    def span(self) -> tuple[float, float]:
        reach = max(
            (1 + abs(self.centre)) / self.rate,
            self.half * (self._pm.reach if self.fine else self.size) if self.hull else 0.0,
        )
        return self.centre - reach - 0.5, self.centre + reach + 0.5

    def places(self, x: Vector) -> Vector:
        """The score of a value that is sent as it is."""
        out = self.centre + (x - self.centre) / self.rate
        # On a recorded grid a disclosed value might score what a protected report does: one float further out.
        return np.where(np.isin(out, self.atoms), np.nextafter(out, np.copysign(np.inf, x - self.centre)), out)

    def law(self, x: Vector) -> Law:
        inside = self.is_sensitive(x)
        sent = np.where(inside, 0.0, self.rate)
        if self.hull is None:
            return Law.of(len(x), self.span, own=self.places(x), own_mass=sent)
        t = self._inner(x, inside)
        if self.fine:
            start = self.centre + self.half * self._pm.window(t)
            reach = self.half * self._pm.reach
            level = np.full(len(x), self._pm.background / self.half)
            return Law.of(
                len(x), (self.centre - reach, self.centre + reach), level=level,
                start=start, width=np.full(len(x), self.half * self._pm.width),
                extra=np.where(inside, level * expm1(self.epsilon), 0.0), own=self.places(x), own_mass=sent,
            )  # fmt: skip
        theta = self.theta
        r, stray = (gain / (exp(self.epsilon) + theta) for gain in (expm1(self.epsilon), 1.0))
        up, down = (theta * (stray + r * inside * (1 + sign * t) / 2) for sign in (1, -1))
        zero = (1 - theta) * (stray + r * inside)
        mass = np.column_stack([down, zero, up])
        return Law.of(len(x), self.span, own=self.places(x), own_mass=sent, atoms=self.atoms, atom_mass=mass)

    def perturb(self, x: ArrayLike, rng: np.random.Generator) -> Vector:
        values = checks.scaled(x)
        if self.hull is None:
            return self.places(values)
        inside, sent = self.is_sensitive(values), rng.random(len(values)) < self.rate
        if self.fine:
            hidden = self._pm.perturb(self._inner(values, inside), rng)
            away = self._pm.reach * (2 * rng.random(len(values)) - 1)
            other = np.where(sent, self.places(values), self.centre + self.half * away)
            return np.where(inside, self.centre + self.half * hidden, other)
        silent = rng.random(len(values)) < np.where(sent, 1 - self.theta, (1 - self.theta) / (1 + self.theta))
        t = self._inner(values, inside & sent)
        sign = np.where(silent, 1, np.where(2 * rng.random(len(values)) < 1 + t, 2, 0))
        return np.where(sent & ~inside, self.places(values), self.atoms[sign])

    def report_moments(self, x: ArrayLike) -> tuple[Vector, Vector]:
        values = checks.scaled(x)
        inside, square = self.is_sensitive(values), (values - self.centre) ** 2
        if self.hull is None:
            return values, np.zeros(len(values))
        h, gain = self.half, expm1(self.epsilon)
        if self.fine:
            within = h**2 * self._pm.report_moments(self._inner(values, inside))[1]
            beyond = h**2 * exp(-self.epsilon / 2) * self._pm.reach**2 / 3 + square / expm1(self.epsilon / 2)
            return values, np.where(inside, within, beyond)
        factor = h**2 * (gain + 1 + self.theta) / (self.theta * gain**2)
        within = factor * (gain + 2) - square
        return values, np.where(inside, within, 2 * factor + square * (1 + self.theta) / gain)
