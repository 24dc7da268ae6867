"""suWheel-J (ours: theory/sets#suwheel-j): the Wheel on the sensitive items, or one other item alone."""

from dataclasses import dataclass
from functools import cached_property
from math import exp, expm1
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize_scalar

from ldpcore import checks
from ldpcore.mechanisms.local_hashing import Words
from ldpcore.mechanisms.marking import GuessedSets
from ldpcore.mechanisms.ring import PLACE_BITS, RING, SEED_BITS, Ring, draw_members, hit_counts
from ldpcore.mechanisms.set_codes import count_at
from ldpcore.randomizer import Reports
from ldpcore.set_randomizer import Sets, Vector
from ldpcore.support_family import SupportFamily, chosen

Number = TypeVar("Number", float, Vector)


class _Rates(NamedTuple):
    """Of an arc of length p: a = pE/Ω, ρ = p(E−1)/Ω, Ω = 1 + mp(E−1)."""

    p: float
    a: float
    rho: float

    @classmethod
    def of(cls, p: float, epsilon: float, m: int) -> "_Rates":
        omega = 1 + m * p * expm1(epsilon)
        return cls(p, p * exp(epsilon) / omega, p * expm1(epsilon) / omega)

    def inside(self, f: Number, others: float, beta: Number) -> Number:
        """n·Var of a sensitive item with share f; others: M_N, unmarked items of a user, β those of its holders."""
        p, a, rho = self
        hit = a - p * rho * beta
        silent = 1 - rho * others - f * (1 - rho * beta)
        holders = f * (hit * (1 - p) ** 2 + (1 - rho * beta - hit) * p**2 - (a - p) ** 2)
        return (silent * p * (1 - p) + holders) / (a - p) ** 2


@dataclass(frozen=True, eq=False)
class SUWheelJ(GuessedSets, Ring):
    """suWheel with a joint promise (ours: theory/sets#suwheel-j): an unmarked item is disclosed alone, each with
    probability ρ = p(E−1)/Ω, else y₀ is drawn by the arcs of the sensitive items. The guessed `share` only chooses p.
    """

    others_alike = True

    @cached_property
    def _ideal_arc(self) -> float:
        """The best p: the least exact error over all items of the inner domain, sets uniform but for the guessed number
        M_S of sensitive items.
        """
        hidden, sigma = self.m * self.guessed_share, self.sigma
        others = self.m - hidden
        f = hidden / max(sigma, 1)
        beta = float(self.holders(self.open_law(others))[0] @ np.arange(self.m + 1))

        def log_error(x: float) -> float:
            rates = _Rates.of(exp(x), self.epsilon, self.m)
            open_error = others * (1 - rates.rho) / rates.rho if others else 0.0
            # At large ε what is left may be a difference of nearly equal numbers.
            return float(np.log(max(sigma * rates.inside(f, others, beta) + open_error, 1e-300)))

        bounds = (-self.epsilon - np.log(self.m) - 5, -np.log(self.m) - 1e-6)
        return exp(minimize_scalar(log_error, bounds=bounds, method="bounded", options={"xatol": 1e-9}).x)

    @cached_property
    def _rates(self) -> "_Rates":
        return _Rates.of(self.p, self.epsilon, self.m)

    @property
    def slots(self) -> int:
        return 1

    @cached_property
    def _turning(self) -> NDArray[np.bool_]:
        return self.marked

    @cached_property
    def rho(self) -> float:
        """ρ: chance that a held unmarked item is disclosed."""
        return self._rates.rho

    def _densities(self, b: NDArray[np.integer], union: Vector) -> tuple[Vector, Vector]:
        high: Vector = exp(self.epsilon) / self.omega - self.rho * b.astype(float)
        # (1 − ρb − ℓ·high)/(1 − ℓ), written so that at large ε it keeps its digits and is never below 1/Ω.
        beyond = (self.m * self.p - union) / (1 - union) - self.p * b
        return high, (1 + expm1(self.epsilon) * np.maximum(beyond, 0.0)) / self.omega

    def _has_place(self, reports: Reports) -> NDArray[np.bool_]:
        return reports["disclosed"][:, 0] < 0

    def _perturb_block(self, held: Sets, out: Reports, rng: np.random.Generator) -> None:
        inside = self.marked[held]
        b = self.m - np.count_nonzero(inside, axis=1)
        # One uniform number: below ρb it says which unmarked item is disclosed. Those come first in `order`.
        order = np.argsort(inside, axis=1, kind="stable")
        slot = np.floor(rng.random(len(held)) / self.rho)
        shown = slot < b
        rows = np.flatnonzero(shown)
        hashes = self._hashes(np.ascontiguousarray(out["seed"]), held)
        starts, cover, hole = self._cover(hashes, inside)
        union = cover.sum(axis=1, dtype=np.uint64) / RING
        high, _ = self._densities(b, union)
        on = rng.random(len(held)) * (1 - self.rho * b) < union * high
        out["place"] = self._place(on, starts, cover, hole, rng.random(len(held)))
        # Whoever discloses sends that and nothing else.
        out["seed"][rows] = 0
        out["place"][rows] = 0
        out["disclosed"][rows, 0] = held[rows, order[rows, slot[rows].astype(np.intp)]]

    def accepts(self, reports: Reports) -> NDArray[np.bool_]:
        """Any hash and y₀, or an unmarked item with neither."""
        alone = (reports["seed"] == 0) & (reports["place"] == 0)
        return self._lists_others(reports["disclosed"]) & (self._has_place(reports) | alone)

    def families(self) -> tuple[SupportFamily, ...]:
        """Each arc as if it lay where one likes, or one unmarked item alone."""
        others, hidden, zero = np.flatnonzero(~self.marked), np.flatnonzero(self.marked), np.zeros(self.k)
        inside = self.marked[: self.k]
        silent = self.invert(inside.astype(float)), self.invert(zero), (chosen(hidden, self.k, 0, len(hidden)),)
        alone = SupportFamily(np.where(inside, 0.0, 1 / self.rho), zero, (chosen(others, self.k, 1, 1),))
        return (SupportFamily(*silent), *((alone,) if len(others) else ()))

    def invert(self, seen: Vector) -> Vector:
        inside = self.marked[: self.k]
        silent = 1 - seen[..., ~inside].sum(axis=-1, keepdims=True)
        return np.where(inside, (seen - self.p * silent) / (self.a - self.p), seen / self.rho)

    def variance(self, freq: ArrayLike, n: int, company: ArrayLike | None = None) -> Vector:
        """N: f(1−ρ)/ρ. S needs M_N = mean b, which the shares give, and β_v = mean b among the holders of v."""
        f = self.shares(freq)
        beta = self._company(f, company) @ np.arange(self.m + 1)
        inside = self._rates.inside(f, self.open_mean(f), beta)
        return np.where(self.marked[: self.k], inside, f * (1 - self.rho) / self.rho) / n

    def simulate(self, sets: ArrayLike, rng: np.random.Generator, repeats: int) -> Vector:
        """Given that y₀ is sent, J own arcs cover it with Pr[J=j] = C(a,j)p^j(1−p)^(a−j)·(E/Ω−ρb)/(1−ρb), j ≥ 1."""
        item_sets = checks.item_sets(sets, self.inner, self.m)
        b = self.m - np.einsum("ij->i", self.marked.take(item_sets).astype(np.int64))
        groups, order = [], np.argsort(b.astype(np.min_scalar_type(self.m)), kind="stable")
        for size, rows in enumerate(np.split(order, np.cumsum(np.bincount(b, minlength=self.m)))):
            if len(rows):
                part = item_sets.take(rows, axis=0)
                inside = self.marked.take(part)
                groups.append((part[~inside].reshape(len(rows), size), part[inside].reshape(len(rows), self.m - size)))
        out = np.empty((repeats, self.k))
        for row in out:
            row[:] = self._survey(groups, rng)
        return self.invert(out / len(item_sets))

    def _survey(self, groups: list[tuple[Sets, Sets]], rng: np.random.Generator) -> NDArray[np.int64]:
        """Totals (k,); each group: the unmarked items (n, b) of users with b of them, and the others (n, m − b)."""
        total, free = np.zeros(self.inner, np.int64), np.zeros(self.inner, np.int64)
        for others, hidden in groups:
            b = others.shape[1]
            slot = np.floor(rng.random(len(others)) / self.rho)
            shown = slot < b
            total += np.bincount(others[shown, slot[shown].astype(np.intp)], minlength=self.inner)
            silent = hidden[~shown]
            sent = len(silent)
            free += sent - np.bincount(silent.ravel(), minlength=self.inner)
            if not sent or b == self.m:
                continue
            chance = hit_counts(self.m - b, self.p)[1:] * (exp(self.epsilon) / self.omega - self.rho * b)
            chance /= 1 - self.rho * b
            per_count = rng.multinomial(sent, np.r_[max(0.0, 1 - chance.sum()), chance])
            total += draw_members(silent, per_count, rng, self.inner)
        return (total + rng.binomial(free, np.where(self.marked, self.p, 0.0)))[: self.k]

    def _log_density(self, reports: Reports, hashes: Words, held: Sets, union: Vector) -> Vector:
        named = reports["disclosed"][:, :1]
        place = self._log_place(count_at(self._hits(reports, hashes) & self.marked, held) > 0, held, union)
        holds = count_at(named == np.arange(self.inner), held) > 0
        return np.where(named < 0, place, np.where(holds, np.log(self.rho), -np.inf))

    def outputs(self, public: int | None = None) -> Reports:
        """Every cell of the ring, and every unmarked item alone."""
        cuts, others = self._cuts(public or 0), np.flatnonzero(~self.marked)
        out = np.zeros(len(cuts) + len(others), self._dtype)
        out["disclosed"] = -1
        out["seed"][: len(cuts)], out["place"][: len(cuts)] = public or 0, cuts
        out["disclosed"][len(cuts) :, 0] = others
        return out

    def count_outputs(self) -> int:
        return super().count_outputs() + int(np.count_nonzero(~self.marked))

    def report_bits(self, freq: ArrayLike | None = None) -> float:
        """Seed and y₀, or one code."""
        open_share = self.rho * self.open_mean(self.shares(freq))
        return (1 - open_share) * (SEED_BITS + PLACE_BITS) + open_share * self.code_bits
