"""gSub: independent bits are sent, and every value has its own ε (ours; theory/levels#construction).

Of the construction in `leveled_response` it is the one whose z has independent bits.
"""

from dataclasses import dataclass
from functools import cached_property
from math import exp

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize_scalar

from ldpcore import checks, former
from ldpcore.channel import ReportColumn
from ldpcore.levels import Leveled
from ldpcore.mechanisms import bits, support
from ldpcore.randomizer import BLOCK, Reports
from ldpcore.support_family import SupportFamily
from ldpcore.tally import Tally

Array = NDArray[np.float64]
TRIED = 60
"""Values of G from which the search for the best one starts."""


@dataclass(frozen=True, eq=False)
class LeveledSubset(Leveled):
    """gSub: the noise sets every bit v by itself with probability π_v = (G − 1)/(E_v − 1).

    f̂_v = (c_v − π_v n₀)/(n(a_v − π_v)) with a_v = E_v π_v/G and n₀ the reports that disclose nothing; public: c_v/(nκ).

    G is the best by the exact total error at the guessed shares. With one level and G = 2E/(E + 1) it is OUE.

    >>> import math
    >>> m = LeveledSubset((math.inf, 2.0, 2.0, 0.5))
    >>> round(1 + m.gain, 3), m.noise.round(3).tolist(), round(m.keep, 3)
    (1.31, [0.0, 0.049, 0.049, 0.478], 0.237)
    """

    @cached_property
    def gain(self) -> float:
        """G − 1, stated as it may be tiny; inf where everything is public."""
        if not len(self.marked):
            return np.inf
        least = self._e_minus_1.min()
        # In ln((G − 1)/(min E − 1)): near 0 every bit of the most secret values is set, and tells nothing.
        tried = np.linspace(np.log(1e-9 / (1 + least)), -1e-6, TRIED)
        totals = [self._total(place, least) for place in tried]
        best = int(np.clip(np.argmin(totals), 1, TRIED - 2))
        within = (tried[best - 1], tried[best + 1])
        place = minimize_scalar(self._total, args=(least,), bounds=within, method="bounded", options={"xatol": 1e-10}).x
        return float(least * exp(place))

    def _total(self, place: float, least: float) -> float:
        return float(self._errors(self.guessed, least * exp(place)).sum())

    @cached_property
    def keep(self) -> float:
        return self.gain / (1 + self.gain) if len(self.marked) else 1.0

    @cached_property
    def noise(self) -> Array:
        """π (k,), 0 for a public value."""
        out = np.zeros(self.k)
        out[self.marked] = self.gain / self._e_minus_1
        return out

    @cached_property
    def _own(self) -> Array:
        """a (k,), 0 for a public value."""
        out = np.zeros(self.k)
        out[self.marked] = self.noise[self.marked] * (1 + self._e_minus_1) / (1 + self.gain)
        return out

    # the sampler -----------------------------------------------------------------------------------------------

    def perturb(self, values: ArrayLike, rng: np.random.Generator) -> Reports:
        values = checks.codes(values, self.k)
        out = np.zeros((len(values), bits.width(self.k)), np.uint8)
        for start in range(0, len(values), BLOCK // 4):
            block = slice(start, start + BLOCK // 4)
            out[block] = self._perturb_block(values[block], rng)
        return out

    def _perturb_block(self, values: NDArray[np.integer], rng: np.random.Generator) -> NDArray[np.uint8]:
        kept = rng.random(len(values)) < self.keep
        on = rng.random((len(values), self.k)) < self.noise
        on[kept & ~self.sensitive[values]] = False
        rows = np.flatnonzero(kept)
        on[rows, values[rows]] = True
        return bits.pack(on)

    def draw(self, counts: ArrayLike, rng: np.random.Generator, repeats: int) -> NDArray[np.int64]:
        """Who discloses is binomial; all others set every bit by themselves."""
        users = checks.counts(counts, self.k)
        shown = rng.binomial(np.where(self.sensitive, 0, users), self.keep, (repeats, self.k))
        silent = users.sum() - shown.sum(axis=1, keepdims=True)
        protected = np.where(self.sensitive, users, 0)
        return (
            shown + rng.binomial(protected, self._own, (repeats, self.k)) + rng.binomial(silent - protected, self.noise)
        )

    def accepts(self, reports: Reports) -> NDArray[np.bool_]:
        on = bits.unpack(reports, self.k).astype(bool)
        shown, hidden = (on & ~self.sensitive).sum(axis=1), (on & self.sensitive).any(axis=1)
        possible = ((shown == 1) & ~hidden) | ((shown == 0) & (len(self.marked) > 0))
        return bits.clean(reports, self.k) & possible

    def tally(self, reports: Reports) -> Tally:
        return bits.tally(reports, self.k)

    def supported(self, reports: Reports) -> NDArray[np.float64]:
        return bits.unpack(np.asarray(reports, np.uint8), self.k).astype(float)

    def families(self) -> tuple[SupportFamily, ...]:
        """Any hidden bits, or one public value alone."""
        hidden, shown, zero = self.marked, np.flatnonzero(~self.sensitive), np.zeros(self.k)
        alone = SupportFamily(np.where(self.sensitive, 0.0, 1 / self.keep), zero, ((shown, 1, 1),))
        silent = self.invert(self.sensitive.astype(float)), self.invert(zero)
        bits_of = SupportFamily(*silent, ((hidden, 0, len(hidden)),))
        return *((bits_of,) if len(hidden) else ()), *((alone,) if len(shown) else ())

    def invert(self, seen: NDArray[np.float64]) -> NDArray[np.float64]:
        silent = 1 - seen[..., ~self.sensitive].sum(axis=-1, keepdims=True)
        apart = np.ones(self.k)
        apart[self.marked] = self._apart(self.gain)
        return np.where(self.sensitive, (seen - self.noise * silent) / apart, seen / self.keep)

    def variance(self, freq: ArrayLike, n: int) -> NDArray[np.float64]:
        f = checks.shares(freq, self.k)
        return self._errors(f, self.gain) / n if len(self.marked) else np.zeros(self.k)

    def _apart(self, gain: float) -> Array:
        """a − π over `marked`, π(E − G)/G: so written it keeps its digits at small ε."""
        return gain / self._e_minus_1 * (self._e_minus_1 - gain) / (1 + gain)

    def _errors(self, f: Array, gain: float) -> Array:
        """n·Var (k,) with G = 1 + gain."""
        mine, noise = f[self.marked], gain / self._e_minus_1
        own_bit = noise * (1 + self._e_minus_1) / (1 + gain)
        shown = f[~self.sensitive].sum() * gain / (1 + gain)
        out = f / gain
        spread = (1 - shown - mine) * noise * (1 - noise) + mine * own_bit * (1 - own_bit)
        out[self.marked] = spread / self._apart(gain) ** 2
        return out

    def support(self, freq: ArrayLike) -> NDArray[np.float64]:
        f = checks.shares(freq, self.k)
        silent = 1 - f[~self.sensitive].sum() * self.keep
        return np.where(self.sensitive, f * self._own + (silent - f) * self.noise, f * self.keep)

    # the likelihood --------------------------------------------------------------------------------------------

    def log_likelihood(self, reports: Reports) -> NDArray[np.float64]:
        """ln Q(z) − ln G, and ε_x more if x ∈ z; a disclosed value: ln κ, and −∞ under every other one."""
        on = bits.unpack(reports, self.k).astype(bool)
        with np.errstate(divide="ignore"):
            openly = np.where(on, np.log(self.keep), -np.inf)
        if not len(self.marked):
            return openly
        disclosed = (on & ~self.sensitive).any(axis=1, keepdims=True)
        chance = self.noise[self.marked]
        law = np.where(on[:, self.marked], np.log(chance), np.log1p(-chance)).sum(axis=1, keepdims=True)
        rise = np.where(on & self.sensitive, np.where(self.sensitive, self.epsilons, 0.0), 0.0)
        return np.where(disclosed, openly, law - np.log1p(self.gain) + rise)

    def success(self, prior: NDArray[np.float64]) -> NDArray[np.float64]:
        """A set bit multiplies its value's odds by E_v; given the value, bits are independent."""
        shown = np.where(self.sensitive, 0.0, self.keep)
        if not len(self.marked):
            return np.where(prior > 0, shown, 0.0)
        gain = np.where(self.sensitive, self.epsilons, 0.0)
        hidden = support.success(prior, self._own, self.noise, gain, np.zeros(self.k))
        return np.where(prior > 0, shown + (1 - shown) * hidden, 0.0)

    # the channel -----------------------------------------------------------------------------------------------

    def count_outputs(self) -> int:
        hidden = len(self.marked)
        return self.k - hidden + ((1 << hidden) if hidden else 0)

    def outputs(self, public: int | None = None) -> Reports:
        """Every pattern of the hidden bits, then every public value alone."""
        hidden, shown = self.marked, np.flatnonzero(~self.sensitive)
        on = np.zeros((self.count_outputs(), self.k), bool)
        patterns = len(on) - len(shown)
        on[:patterns, hidden] = (np.arange(patterns)[:, None] >> np.arange(len(hidden))) & 1
        on[patterns + np.arange(len(shown)), shown] = True
        return bits.pack(on)

    def describe(self, outputs: Reports) -> list[ReportColumn]:
        columns = []
        for row in bits.unpack(outputs, self.k).astype(bool):
            shown = np.flatnonzero(row & ~self.sensitive)
            label = "{" + ", ".join(map(str, np.flatnonzero(row))) + "}"
            columns.append(ReportColumn(label, not len(shown), int(shown[0]) if len(shown) else None))
        return columns

    def joint_support(self) -> NDArray[np.float64]:
        """Bits are independent given a value that is not public; a public one is disclosed alone, or nothing of it."""
        chance = np.where(np.eye(self.k, dtype=bool), self._own, self.noise)
        both = chance[:, :, None] * chance[:, None, :]
        both[:, np.arange(self.k), np.arange(self.k)] = chance
        shown = np.flatnonzero(~self.sensitive)
        both[shown] *= 1 - self.keep
        both[shown, shown, shown] = self.keep
        return both

    def reach(self, weights: NDArray[np.float64]) -> tuple[float, float]:
        """Every hidden bit as one likes, or one public value alone."""
        free, alone = weights[self.sensitive], weights[~self.sensitive]
        ends = [np.minimum(free, 0).sum(), np.maximum(free, 0).sum()] if len(free) else []
        return float(min([*ends, *alone])), float(max([*ends, *alone]))


former.serve(__name__)
