"""gTable: the channel of the limit for levels as a mechanism (theory/levels#construction), sampled orbit by orbit.

A report is an orbit and the values that it raises, or a public value alone. The best estimate is J⁻¹ times the mean of
q/(qᵀf), q a report's column, f the guessed shares: so k totals of weights suffice. A report weighs 1/m for every value,
E_b/m for those of level b that it holds; a disclosed value 1/f, and all others nothing then. Weights are kept as whole
points, 2²⁸ for the largest of each level, so that totals are exact and merge; `invert` is exact for the points as
rounded, so rounding is never a bias.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, product
from math import comb, inf, log, prod

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.channel import ReportColumn
from ldpcore.levels import Leveled
from ldpcore.randomizer import Reports
from ldpcore.subsets import log_binomial

from .leveled import LevelsLimit, best_levels, is_computed
from .named import Pool, named
from .numbered import Numbered
from .parts import Array, LevelReports, Levels, part

SCARCE = 1e-6
"""A disclosed value weighs as if public values had at least this share together."""
KEPT = 256
"""Limits that are kept: planners walk the same ε for question after question, and each is a program to be solved."""


@dataclass(frozen=True, eq=False)
class LeveledTable(Numbered, Leveled):
    """gTable: at the limit by construction, at the guessed shares; a few orbits of `limit.best_levels`, sampled.

    ValueError where that limit is not computed (ε > 10, too many levels).

    >>> import math
    >>> m = LeveledTable((math.inf,) * 8 + (2.0,) * 5 + (0.5,) * 5)
    >>> [orbit.raised for orbit in m.limit.columns]  # how many secret, how many private values a report raises
    [(1, 5), (2, 0), (2, 1)]
    >>> round(float(m.variance(None, n=1).mean()), 3), round(m.limit.mse, 3)
    (2.966, 2.966)
    """

    @classmethod
    def exists(cls, epsilons: tuple[float, ...]) -> bool:
        return is_computed(epsilons)

    @cached_property
    def limit(self) -> LevelsLimit:
        """What it reaches."""
        even = np.array_equal(self.guessed, checks.shares(None, self.k))
        return _of_even(self.epsilons) if even else best_levels(self.epsilons, self.share)

    @cached_property
    def keep(self) -> float:
        return self.limit.disclosing

    @cached_property
    def _groups(self) -> tuple[LevelReports, ...]:
        """The levels, the most secret first, and the public values last if there are any."""
        raised = np.array([orbit.raised for orbit in self.limit.columns], np.int64)
        raised = raised.reshape(len(self.limit.columns), len(self.levels)).T
        weight = np.array([orbit.weight for orbit in self.limit.columns])
        mass = np.array([self.guessed[level.codes].sum() for level in self.levels])
        delta = np.array([level.e_minus_1 * i / len(level.codes) for level, i in zip(self.levels, raised, strict=True)])
        m = 1 + mass @ delta if len(mass) else np.ones(0)
        out = []
        for level, i, rise in zip(self.levels, raised, delta, strict=True):
            n, e, p = len(level.codes), level.e_minus_1, i / len(level.codes)
            met, same = weight * (1 + rise), weight * (1 + e) * p
            mate = weight * p * (1 + e * (i - 1) / max(n - 1, 1))
            out.append(part(level.codes, level.epsilon, i, met, same, mate, (1 + e) / m, 1 / m, (0, 0.0, 0.0)))
        shown = np.flatnonzero(~self.sensitive)
        if len(shown):
            rest, none = max(self.guessed[shown].sum(), SCARCE), np.zeros(len(weight))
            last = (1, self.keep, len(shown) / rest)
            out.append(part(shown, inf, none.astype(int), weight, none, none, none, 1 / m, last))
        return tuple(out)

    def accepts(self, reports: Reports) -> NDArray[np.bool_]:
        orbit, holds = self._read(reports)
        known = orbit < len(self.limit.columns) + (self.keep > 0)
        where = np.where(known, orbit, 0)
        for one in self._groups:
            known &= holds[:, one.codes].sum(axis=1) == one.held[where]
        return known & (self._write(orbit, holds) == np.asarray(reports)).all(axis=1)

    # the estimate ----------------------------------------------------------------------------------------------

    @cached_property
    def _inverse(self) -> tuple[Array, Array]:
        """(own, sums): f̂ in level b is (seen − sums[b] @ (Σ seen over each level))/own[b]."""
        parts = self._groups
        means = [one.mean(one.inside, one.outside) for one in parts]
        scale = np.array([same - mate for same, mate in means])
        across = np.array([
            [mate if c is b else b.other(b.inside, b.outside, c.met) for c in parts]
            for b, (_, mate) in zip(parts, means, strict=True)
        ])  # fmt: skip
        number = np.array([len(one.codes) for one in parts])
        return scale, across @ np.linalg.inv(np.diag(scale) + number[:, None] * across)

    def variance(self, freq: ArrayLike | None, n: int) -> NDArray[np.float64]:
        """A report's score has two levels per orbit and level, as its sums over the levels are the orbit's."""
        f, squares = checks.shares(freq, self.k), [(inside**2, outside**2) for inside, outside in self.orbit_scores]
        return (self._expected(f, squares) - f) / n

    def _expected(self, f: Array, scores: list[tuple[Levels, Levels]]) -> Array:
        """Σ_x f_x E[level of v | x] (k,), `scores` (held, not held) by orbit for each level of values."""
        out = np.empty(self.k)
        for one, pair in zip(self._groups, scores, strict=True):
            same, mate = one.mean(*pair)
            mine = f[one.codes]
            out[one.codes] = mine * same + (mine.sum() - mine) * mate
            for rest in self._groups:
                if rest is not one:
                    out[one.codes] += f[rest.codes].sum() * one.other(*pair, rest.met)
        return out

    def support(self, freq: ArrayLike) -> NDArray[np.float64]:
        return self._expected(checks.shares(freq, self.k), [(one.inside, one.outside) for one in self._groups])

    def naming(self, freq: ArrayLike) -> NDArray[np.float64]:
        ones = np.ones(len(self.limit.columns) + 1)
        return self._expected(checks.shares(freq, self.k), [(ones, 0 * ones)] * len(self._groups))

    # the likelihood --------------------------------------------------------------------------------------------

    def log_likelihood(self, reports: Reports) -> NDArray[np.float64]:
        """ln W − Σ ln C(n_b, i_b), and ε_b more for a held value; a disclosed one: ln r, and −∞ under every other."""
        orbit, holds = self._read(reports)
        base = [
            log(each.weight) - sum(log_binomial(len(b.codes), i) for b, i in zip(self.levels, each.raised, strict=True))
            for each in self.limit.columns
        ]
        base.append(log(self.keep) if self.keep > 0 else -inf)
        hidden = np.where(holds, np.where(self.sensitive, self.epsilons, 0.0), 0.0)
        openly = (orbit == len(self.limit.columns))[:, None]
        return np.array(base)[orbit][:, None] + np.where(openly, np.where(holds, 0.0, -inf), hidden)

    def privacy_loss(self) -> NDArray[np.float64]:
        """The largest over the orbits, by the levels that x and z are of."""
        loss = np.full((self.k, self.k), -inf)
        for c, b in product(range(len(self.limit.columns)), self._groups):
            e, size = (b.epsilon if b.held[c] else 0.0), len(b.codes)
            for other in self._groups:
                if other is b:
                    each = e if 0 < b.held[c] < size else 0.0
                else:
                    each = e - (other.epsilon if other.held[c] == len(other.codes) else 0.0)
                block = np.ix_(b.codes, other.codes)
                loss[block] = np.maximum(loss[block], each)
        if self.keep > 0:
            loss[~self.sensitive] = inf
        np.fill_diagonal(loss, 0)
        return loss

    def success(self, prior: NDArray[np.float64]) -> NDArray[np.float64]:
        """Orbit by orbit: whether x, held or not, is likelier than all others, which are drawn without replacement."""
        out = np.where(self.sensitive, 0.0, self.keep)
        for c in range(len(self.limit.columns)):
            pools = [Pool(prior[one.codes], one.epsilon, int(one.held[c])) for one in self._groups]
            for number, one in enumerate(self._groups):
                chances = (one.same[c], one.met[c] - one.same[c])
                out[one.codes] += sum(
                    chance * named(pools, number, is_held)
                    for is_held, chance in zip((True, False), chances, strict=True)
                    if chance > 0
                )
        return np.where(prior > 0, out, 0.0)

    # the channel -----------------------------------------------------------------------------------------------

    def count_outputs(self) -> int:
        sizes = [len(level.codes) for level in self.levels]
        hidden = sum(prod(map(comb, sizes, orbit.raised)) for orbit in self.limit.columns)
        return hidden + (self.k - len(self.marked) if self.keep > 0 else 0)

    def outputs(self, public: int | None = None) -> Reports:
        orbits, rows = [], []
        for number, orbit in enumerate(self.limit.columns):
            subsets = (combinations(level.codes, i) for level, i in zip(self.levels, orbit.raised, strict=True))
            for chosen in product(*subsets):
                orbits.append(number)
                rows.append([v for some in chosen for v in some])
        for v in np.flatnonzero(~self.sensitive) if self.keep > 0 else ():
            orbits.append(len(self.limit.columns))
            rows.append([v])
        holds = np.zeros((len(rows), self.k), bool)
        for line, some in zip(holds, rows, strict=True):
            line[some] = True
        return self._write(np.array(orbits, np.int64), holds)

    def describe(self, outputs: Reports) -> list[ReportColumn]:
        """2: {0, 3}: orbit 2 raises these. A disclosed value stands alone."""
        columns = []
        for orbit, holds in zip(*self._read(outputs), strict=True):
            shown = orbit == len(self.limit.columns)
            text = f"{orbit}: " + "{" + ", ".join(map(str, np.flatnonzero(holds))) + "}"
            columns.append(ReportColumn(text, not shown, int(np.flatnonzero(holds)[0]) if shown else None))
        return columns


@lru_cache(KEPT)
def _of_even(epsilons: tuple[float, ...]) -> LevelsLimit:
    """Of even shares alone: nothing of anybody's data is kept."""
    limit = best_levels(epsilons)
    limit.variance.flags.writeable = False
    return limit
