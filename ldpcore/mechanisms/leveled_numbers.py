"""Numbers in which every part of the range has its own ε: what such mechanisms share, and gPM (theory/levels#numbers).

With 1 < G ≤ min E_x, π_x = (G − 1)/(E_x − 1) and κ = 1 − 1/G: with probability κ the truth, a uniform report from a
window that is π_x of the whole, or a public x alone; else a uniform report from the whole, [c − C, c + C].
"""

from abc import abstractmethod
from dataclasses import dataclass, field
from functools import cached_property
from math import exp, inf

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize_scalar

from ldpcore import checks
from ldpcore.em import Products
from ldpcore.leveled_parts import Parts
from ldpcore.mechanisms.density import Density
from ldpcore.mechanisms.report_density import ReportDensity
from ldpcore.numeric_randomizer import BINS, Intervals, NumericRandomizer, Vector
from ldpcore.policy import Policy

TRIED = 40
"""Values of G from which the search for the best one starts."""


@dataclass(frozen=True, eq=False)
class LeveledNumbers(Density):
    """What mechanisms for numbers with levels share; a wrong guess in `parts` costs accuracy, never privacy."""

    parts: Parts
    bins: int = BINS
    epsilon: float = field(init=False)
    """The largest that is finite; inf where everything is public."""
    uses_marks = True

    def __post_init__(self) -> None:
        checks.integer(self.bins, "bins", 2, 100_000)
        hidden = self.parts.epsilons[self.parts.hidden]
        object.__setattr__(self, "epsilon", float(hidden.max(initial=0.0)) or inf)

    @property
    @abstractmethod
    def keep(self) -> float:
        """Pr[a public value is sent openly | the user holds it]."""

    @property
    @abstractmethod
    def centre(self) -> float:
        """What a report that does not disclose says on average of a public value."""

    def policy(self, points: Vector) -> Policy:
        return self.parts.policy(points)

    def is_public(self, x: Vector) -> NDArray[np.bool_]:
        """Which inputs are public."""
        return np.isinf(self.parts.at(x))

    @property
    def cuts(self) -> tuple[float, ...]:
        # An input whose score would be an atom ends its bin: the atom's cell divides those of the scores.
        beside = self.centre + self.keep * (self.atoms - self.centre)
        return *self.parts.ends[1].tolist(), *beside[np.abs(beside) < 1].tolist()

    @property
    def lone(self) -> Intervals:
        scored = [self.places(np.array(ends)).tolist() for ends in self.parts.public]
        return tuple((left, right) for left, right in scored)

    def places(self, x: Vector) -> Vector:
        """The score of a value that is sent as it is."""
        out = self.centre + (x - self.centre) / self.keep
        # On a recorded grid a disclosed value might score what a protected report does: one float further out.
        return np.where(np.isin(out, self.atoms), np.nextafter(out, np.copysign(np.inf, x - self.centre)), out)

    def products(self, edges: Vector | None = None) -> Products:
        # Windows of many widths: the fast products are for those of one.
        return NumericRandomizer.products(self, edges)


@dataclass(frozen=True, eq=False)
class LeveledPM(LeveledNumbers):
    """gPM: PM in which the width of the window follows the input's own ε (ours; theory/levels#numbers).

    The window's middle is c + (x − c)/κ, its half-width Cπ_x; C is the least that holds every window, G and c have the
    least mean variance at the guess. One ε and G = e^{ε/2} is PM; reports are unbiased.

    Where that errs less, as at small ε, it is Duchi's bit: the report that tells something is c ± C with the mean
    c + (x − c)/κ, the other a fair c ± C. An ε then allows |x − c| up to κC·min(1, 1/π_x − 1).

    >>> m = LeveledPM(Parts([(-1, 0, inf), (0, 0.5, 2), (0.5, 1, 0.5)]))
    >>> round(m.gain, 3), round(m.centre, 3), round(m.reach, 3), round(m.keep, 3)
    (0.448, 0.75, 2.608, 0.309)
    """

    @cached_property
    def _best(self) -> tuple[float, float, bool]:
        """ln((G − 1)/(min E − 1)), c, and whether it sends windows."""
        candidates = [(*self._searched(windowed), windowed) for windowed in (False, True)]
        return min(candidates)[1:]

    def _searched(self, windowed: bool) -> tuple[float, float, float]:
        """The least mean variance of this construction, and its ln((G − 1)/(min E − 1)) and c."""
        tried = np.linspace(np.log(1e-4), -1e-6, TRIED)
        variances = [self._at(place, windowed)[0] for place in tried]
        near = int(np.clip(np.argmin(variances), 1, TRIED - 2))
        within = (tried[near - 1], tried[near + 1])
        least = minimize_scalar(
            lambda p: self._at(p, windowed)[0], bounds=within, method="bounded", options={"xatol": 1e-9}
        )
        place = float(least.x)
        error, centre = self._at(place, windowed)
        return error, place, centre

    def _at(self, place: float, windowed: bool) -> tuple[float, float]:
        """The least mean variance with this G, and its c."""
        gain = self._gain_of(place)
        ends, width = self.parts.ends[:, self.parts.hidden], self._widths(gain)

        def error(centre: float) -> float:
            reach = self._reach_of(gain, centre, windowed)
            return float(self.parts.mass @ self._errors(gain, reach, self.parts.moments(centre), width, windowed))

        # Convex in c: C is a largest of distances.
        optimum = minimize_scalar(error, bounds=(ends.min(), ends.max()), method="bounded", options={"xatol": 1e-10})
        return float(optimum.fun), float(optimum.x)

    def _gain_of(self, place: float) -> float:
        return float(np.expm1(self.parts.epsilons.min()) * exp(place))

    def _widths(self, gain: float) -> Vector:
        """π (pieces,), 0 for a public one."""
        return gain / np.expm1(self.parts.epsilons)

    def _reach_of(self, gain: float, centre: float, windowed: bool) -> float:
        hidden = self.parts.hidden
        far = np.abs(self.parts.ends[:, hidden] - centre).max(axis=0)
        width = self._widths(gain)[hidden]
        room = 1 - width if windowed else np.minimum(1.0, 1 / width - 1)
        return float(np.max(far / room)) * (1 + gain) / gain

    @staticmethod
    def _errors(gain: float, reach: float, square: Vector, width: Vector, windowed: bool) -> Vector:
        """Variance where (x − c)² is `square` and π is `width`."""
        if not windowed:
            return np.where(width > 0, reach**2 - square, reach**2 / (1 + gain) + square / gain)
        return (reach**2 / 3 * (1 + gain * width**2)) / (1 + gain) + square / gain

    @property
    def _all_public(self) -> bool:
        return not self.parts.hidden.any()

    @cached_property
    def gain(self) -> float:
        """G − 1; inf where everything is public."""
        return inf if self._all_public else self._gain_of(self._best[0])

    @property
    def keep(self) -> float:
        return 1.0 if self._all_public else self.gain / (1 + self.gain)

    @property
    def centre(self) -> float:
        """c."""
        return 0.0 if self._all_public else self._best[1]

    @property
    def windowed(self) -> bool:
        """Whether a report is from a window, and not one of two values."""
        return self._all_public or self._best[2]

    @cached_property
    def reach(self) -> float:
        """C; 0 where everything is public."""
        return 0.0 if self._all_public else self._reach_of(self.gain, self.centre, self.windowed)

    @property
    def atoms(self) -> Vector:
        return np.zeros(0) if self.windowed else self.centre + self.reach * np.array([-1.0, 1.0])

    @property
    def span(self) -> tuple[float, float]:
        far = max(self.reach, (1 + abs(self.centre)) / self.keep) + 0.5
        return self.centre - far, self.centre + far

    @property
    def knots(self) -> Vector:
        return np.array([*self.span, self.centre - self.reach, self.centre + self.reach])

    def width(self, x: Vector) -> Vector:
        """π of each input (n,), 0 for a public one."""
        return self.gain / np.expm1(self.parts.at(x)) if not self._all_public else np.zeros(len(x))

    def law(self, x: Vector) -> ReportDensity:
        public = self.is_public(x)
        sent = np.where(public, self.keep, 0.0)
        if self._all_public:
            return ReportDensity.of(len(x), self.span, own=x, own_mass=sent)
        if not self.windowed:
            up = self._up(x)
            fair = (1 - self.keep) / 2
            mass = np.column_stack([fair + np.where(public, 0.0, self.keep * part) for part in (1 - up, up)])
            return ReportDensity.of(
                len(x), self.span, own=self.places(x), own_mass=sent, atoms=self.atoms, atom_mass=mass
            )
        level = np.full(len(x), 1 / (2 * self.reach * (1 + self.gain)))
        half = self.reach * self.width(x)
        lift = np.expm1(np.where(public, 0.0, self.parts.at(x)))
        return ReportDensity.of(
            len(x), (self.centre - self.reach, self.centre + self.reach), level=level, extra=level * lift,
            start=self.centre + (x - self.centre) / self.keep - half, width=2 * half,
            own=self.places(x), own_mass=sent,
        )  # fmt: skip

    def _up(self, x: Vector) -> Vector:
        """The chance of c + C in a report of two values that tells something."""
        return np.clip((1 + (x - self.centre) / (self.keep * self.reach)) / 2, 0.0, 1.0)

    def perturb(self, x: ArrayLike, rng: np.random.Generator) -> Vector:
        values = checks.scaled(x)
        if self._all_public:
            return values
        spread = self.reach * (2 * rng.random(len(values)) - 1)
        truth = rng.random(len(values)) < self.keep
        if not self.windowed:
            chance = np.where(truth, self._up(values), 0.5)
            bit = self.atoms[(rng.random(len(values)) < chance).astype(np.intp)]
            return np.where(truth & self.is_public(values), self.places(values), bit)
        hit = self.centre + (values - self.centre) / self.keep + self.width(values) * spread
        true_report = np.where(self.is_public(values), self.places(values), hit)
        return np.where(truth, true_report, self.centre + spread)

    def report_moments(self, x: ArrayLike) -> tuple[Vector, Vector]:
        """(x − c)²/(G − 1) + C²(1 + (G − 1)π²)/(3G); of two values C² − (x − c)², public (x − c)²/(G − 1) + C²/G."""
        values = checks.scaled(x)
        if self._all_public:
            return values, np.zeros(len(values))
        square = (values - self.centre) ** 2
        return values, self._errors(self.gain, self.reach, square, self.width(values), self.windowed)
