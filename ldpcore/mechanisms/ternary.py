"""uTernary: numbers under ULDP, near the limit (theory/numbers#uternary). Reports are its scores."""

from dataclasses import dataclass
from functools import cached_property
from math import exp, expm1

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.mechanisms.density import Density
from ldpcore.mechanisms.report_density import ReportDensity
from ldpcore.mechanisms.ternary_design import Design, Guess, best
from ldpcore.numeric_randomizer import BINS, Intervals, Vector
from ldpcore.policy import ULDP, Policy


@dataclass(frozen=True, eq=False)
class UTernary(Density):
    """Numbers under ULDP (ours, theory/numbers#uternary); `low` are the values that are not sensitive.

    [s₀−h, s₀+h] is the hull of the sensitive values, t = (x−s₀)/h. With probability κ = (E−1)/(E+θ(n−1)) a sensitive
    value sends s₀ with 1−θ, else a report of the truth, and another value itself, scored s₀+(x−s₀)/κ. Otherwise s₀
    with (1−θ)/(1+θ(n−1)), else a report that tells nothing. With B = 1/(κθ), the two reports are

        three values (n = 2):  s₀±hB with (1±t)/2                      a fair s₀±hB
        a window (n = 1/π):    uniform within πhC of s₀+htB            uniform within hC of s₀,     C = B/(1−π)

    The construction, θ and π are best for a public guess of the `share` of users with a sensitive value and of
    `spread`, the mean of (x−s₀)² of the others; None guesses uniform inputs. A wrong guess costs accuracy, never
    privacy. A value that is not sensitive may be sent inside the hull too: the protected reports keep their bound,
    and the variances hold as they stand.
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

    @cached_property
    def design(self) -> Design:
        """Which construction it is; where nothing is sensitive there is none to choose."""
        if self.hull is None:
            return Design(1.0, None, 0.0)
        return best(self.epsilon, Guess.of(self.hull, self.low, self.share, self.spread))

    @property
    def windowed(self) -> bool:
        """Whether a report of the truth is from a window, and not one of three values."""
        return self.design.window is not None

    @property
    def theta(self) -> float:
        """θ."""
        return self.design.theta

    @property
    def stray(self) -> float:
        """κ/(E−1) = 1/(E+θ(n−1))."""
        return 1 / (exp(self.epsilon) + self.theta * (self.design.symbols - 1))

    @property
    def rate(self) -> float:
        """κ, the probability that a value that is not sensitive is sent as it is; 1 where nothing is sensitive."""
        return 1.0 if self.hull is None else expm1(self.epsilon) * self.stray

    @property
    def size(self) -> float:
        """B, by how much a report of the truth is stretched."""
        return 1 + self.design.excess(self.epsilon)

    @property
    def reach(self) -> float:
        """The furthest protected report, in units of h: B, or C."""
        return self.size / (1 - (self.design.window or 0.0))

    @property
    def width(self) -> float:
        """The window's width, 2πhC; 0 for three values."""
        return 2 * self.half * (self.design.window or 0.0) * self.reach

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
        if self.hull is None:
            return np.zeros(0)
        if self.windowed:
            return np.array([self.centre] if self.theta < 1 else [])
        ends = self.half * self.size
        return np.array([self.centre - ends, self.centre, self.centre + ends])

    @property
    def span(self) -> tuple[float, float]:
        reach = max((1 + abs(self.centre)) / self.rate, self.half * self.reach)
        return self.centre - reach - 0.5, self.centre + reach + 0.5

    def places(self, x: Vector) -> Vector:
        """The score of a value that is sent as it is."""
        out = self.centre + (x - self.centre) / self.rate
        # On a recorded grid a disclosed value might score what a protected report does: one float further out.
        return np.where(np.isin(out, self.atoms), np.nextafter(out, np.copysign(np.inf, x - self.centre)), out)

    def law(self, x: Vector) -> ReportDensity:
        inside = self.is_sensitive(x)
        sent = np.where(inside, 0.0, self.rate)
        if self.hull is None:
            return ReportDensity.of(len(x), self.span, own=self.places(x), own_mass=sent)
        t, theta, stray = self._inner(x, inside), self.theta, self.stray
        # The parts of what is sent blindly, and with what is true E times that.
        zero = (1 - theta) * stray * np.where(inside, exp(self.epsilon), 1.0)
        if self.windowed:
            reach = self.half * self.reach
            level = np.full(len(x), stray * theta * self.design.symbols / (2 * reach))
            return ReportDensity.of(
                len(x), (self.centre - reach, self.centre + reach), level=level,
                start=self._start(t), width=np.full(len(x), self.width),
                extra=np.where(inside, level * expm1(self.epsilon), 0.0), own=self.places(x), own_mass=sent,
                atoms=self.atoms, atom_mass=zero[:, None] if theta < 1 else np.zeros((len(x), 0)),
            )  # fmt: skip
        up, down = (theta * (stray + self.rate * inside * (1 + sign * t) / 2) for sign in (1, -1))
        mass = np.column_stack([down, zero, up])
        return ReportDensity.of(len(x), self.span, own=self.places(x), own_mass=sent, atoms=self.atoms, atom_mass=mass)

    def _start(self, t: Vector) -> Vector:
        """Where the window begins."""
        return self.centre + self.half * self.size * t - self.width / 2

    def perturb(self, x: ArrayLike, rng: np.random.Generator) -> Vector:
        values = checks.scaled(x)
        if self.hull is None:
            return self.places(values)
        inside, sent = self.is_sensitive(values), rng.random(len(values)) < self.rate
        theta, blind = self.theta, 1 + self.theta * (self.design.symbols - 1)
        silent = rng.random(len(values)) < np.where(sent, 1 - theta, (1 - theta) / blind)
        place, t = rng.random(len(values)), self._inner(values, inside & sent)
        if self.windowed:
            reach = self.half * self.reach
            report = np.where(sent, self._start(t) + place * self.width, self.centre + reach * (2 * place - 1))
        else:
            report = self.atoms[np.where(2 * place < 1 + t, 2, 0)]
        return np.where(sent & ~inside, self.places(values), np.where(silent, self.centre, report))

    def report_moments(self, x: ArrayLike) -> tuple[Vector, Vector]:
        """With B, M = 1/(3(1−π)²) and N = π²M: sensitive B(nMh²/(E−1) + Nh²) + (x−s₀)²(B−1), for three values with
        M = 1 and N = 1 − t²; another BnMh²/(E−1) + (x−s₀)²(1+θ(n−1))/(E−1).
        """
        values = checks.scaled(x)
        if self.hull is None:
            return values, np.zeros(len(values))
        made, gain, inside = self.design, expm1(self.epsilon), self.is_sensitive(values)
        square = (values - self.centre) ** 2
        blind = self.size * made.symbols * made.tail * self.half**2 / gain
        noise: Vector | float = self.half**2 * (1 - self._inner(values, inside) ** 2)
        if made.window is not None:
            noise = self.half**2 * made.tail * made.window**2
        within = blind + self.size * noise + square * made.excess(self.epsilon)
        return values, np.where(inside, within, blind + square * (1 + self.theta * (made.symbols - 1)) / gain)
