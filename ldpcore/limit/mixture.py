"""The limit's channel as a mechanism: a mixture of orbits, sampled and estimated through the usual contract.

The best estimate is the mean of J⁻¹ q/(qᵀf) over the reports, q a report's column, f the public guess: so k totals of
real weights suffice, for any channel at all (sides.py: what a report holds and weighs). `invert` is exact for the
points as rounded: rounding costs about 10⁻¹² of the error, and never a bias.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from math import comb, expm1, log

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.channel import Column
from ldpcore.policy import LDP, ULDP, GuardedSDLDP, Policy
from ldpcore.randomizer import BLOCK, Reports
from ldpcore.subsets import holders, log_binomial, sweep
from ldpcore.tally import Tally

from . import exposure
from .numbered import Counts, Mask, Numbered
from .sides import Array, Orbit, Side, sides


@dataclass(frozen=True, eq=False)
class OrbitMixture(Numbered):
    """A mixture of orbits under `promise` ("LDP", "ULDP", "guarded SDLDP"); `share` is the guess F it is best at."""

    epsilon: float
    k: int
    sensitive: Mask
    promise: str
    share: float
    columns: tuple[Orbit, ...]
    disclosing: float
    uses_marks = True
    slow_draw = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "sensitive", checks.mask(self.sensitive, self.k))

    @property
    def policy(self) -> Policy:
        if self.promise == "LDP":
            return LDP(self.epsilon)
        return (ULDP if self.promise == "ULDP" else GuardedSDLDP)(self.epsilon, self.sensitive)

    @cached_property
    def _sizes(self) -> tuple[int, int]:
        """σ and τ."""
        return int(self.sensitive.sum()), int((~self.sensitive).sum())

    @cached_property
    def _sides(self) -> tuple[Side, Side]:
        """S and N."""
        return sides(self.columns, self.disclosing, self.sensitive, expm1(self.epsilon), self.share)

    def _met(self, side: Side) -> Array:
        """Pr[orbit | a value of this side] to the last digit, as samplers need it."""
        return side.met / side.met.sum()

    # the sampler -----------------------------------------------------------------------------------------------

    def _sampled(self, values: NDArray[np.integer], rng: np.random.Generator) -> tuple[Counts, Mask]:
        n, inside = len(values), self.sensitive[values]
        orbit = np.empty(n, np.int64)
        for side, mine in zip(self._sides, (inside, ~inside), strict=True):
            if len(side.codes):
                orbit[mine] = rng.choice(len(side.met), int(mine.sum()), p=self._met(side))
        held = np.zeros((n, self.k), bool)
        for side, mine in zip(self._sides, (inside, ~inside), strict=True):
            with np.errstate(invalid="ignore", divide="ignore"):
                truth = np.where(side.met > 0, side.same / np.where(side.met > 0, side.met, 1.0), 0.0)[orbit]
                noise = side.held[orbit] / max(len(side.codes), 1)
            # Kept with κ, else uniform: κ + (1 − κ)·(held/size) = Pr[own value held].
            keep = np.where(mine & (noise < 1), (truth - noise) / np.where(noise < 1, 1 - noise, 1.0), 0.0)
            own = mine & (rng.random(n) < keep)
            for v, taken in holders(side.codes, side.held[orbit], values, own, rng):
                held[:, v] = taken
        return orbit, held

    def draw(self, counts: ArrayLike, rng: np.random.Generator, repeats: int) -> NDArray[np.int64]:
        """Orbit by orbit: who keeps their value there, and uniform subsets for everybody else."""
        given, orbits = checks.counts(counts, self.k), len(self.columns) + 1
        kept = np.empty((repeats, self.k, orbits), np.int64)
        met = np.empty_like(kept)
        for side in self._sides:
            if not len(side.codes):
                continue
            noise = side.held / len(side.codes)
            truth = np.where(noise < 1, (side.same - side.met * noise) / np.where(noise < 1, 1 - noise, 1.0), 0.0)
            # Two equal numbers may differ by rounding, so nothing is below 0.
            chance = np.maximum(np.concatenate([truth, side.met - truth]), 0.0)
            for v in side.codes:
                both = rng.multinomial(given[v], chance / chance.sum(), repeats)
                kept[:, v], met[:, v] = both[:, :orbits], both[:, :orbits] + both[:, orbits:]
        total = np.zeros((repeats, self.k), np.int64)
        for c, side in product(range(orbits), self._sides):
            everybody, own = met[:, :, c].sum(axis=1), kept[:, side.codes, c]
            held = own.copy()
            if side.held[c] and len(side.codes):
                held += sweep(own, everybody - own.sum(axis=1), int(side.held[c]), rng)
            total[:, side.codes] += side.outside[c] * everybody[:, None] + (side.inside[c] - side.outside[c]) * held
        return total

    # the estimate ----------------------------------------------------------------------------------------------

    def tally(self, reports: Reports) -> Tally:
        """Points: for every value what the reports' orbits give for holding it, and for not."""
        total = np.zeros(self.k, np.int64)
        for start in range(0, len(reports), BLOCK // 4):
            orbit, held = self._read(reports[start : start + BLOCK // 4])
            for side in self._sides:
                given = np.where(held[:, side.codes], side.inside[orbit][:, None], side.outside[orbit][:, None])
                total[side.codes] += given.sum(axis=0)
        return Tally(len(reports), total)

    @property
    def _points(self) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """(held, not held) by orbit, for S and for N."""
        return [(side.inside, side.outside) for side in self._sides]

    def _means(self, levels: Sequence) -> Iterator[tuple[float, float, float]]:
        """E[level of v | the user holds v, another of its side, one of the other side], for v in S and in N."""
        for number, (side, (inside, outside)) in enumerate(zip(self._sides, levels, strict=True)):
            rest = self._sides[1 - number]
            mine, theirs = float(outside @ side.met), float(outside @ rest.met)
            rise = inside - outside
            yield mine + float(rise @ side.same), mine + float(rise @ side.mate), theirs + float(rise @ side.stranger)

    @cached_property
    def _inverse(self) -> tuple[Array, Array]:
        """(own (2,), sums (2, 2)): f̂ on side g is (seen − sums[g] @ (Σ_S seen, Σ_N seen))/own[g]."""
        (a, b, c), (a2, b2, c2) = self._means(self._points)
        sigma, tau = self._sizes
        own = np.array([a - b if sigma else 1.0, a2 - b2 if tau else 1.0])
        # Σ seen over a side = mixing @ the shares of the two sides.
        mixing = np.array([[own[0] + sigma * b, sigma * c], [tau * c2, own[1] + tau * b2]])
        if not sigma or not tau:
            mixing[0, 1] = mixing[1, 0] = 0.0
            mixing = mixing + np.diag([0.0 if sigma else 1.0, 0.0 if tau else 1.0])
        blind = (sigma > 1 and own[0] <= 1e-9 * a) or (tau > 1 and own[1] <= 1e-9 * a2)
        if blind or abs(np.linalg.det(mixing / np.abs(mixing).max(axis=1, keepdims=True))) < 1e-13:
            raise ValueError(
                "the best channel for this question does not tell all values apart, so it has no unbiased estimate; "
                "ask for the error over all values, or allow a larger exposure"
            )
        return own, np.array([[b, c if tau else 0.0], [c2 if sigma else 0.0, b2]]) @ np.linalg.inv(mixing)

    def invert(self, seen: NDArray[np.float64]) -> NDArray[np.float64]:
        own, correction = self._inverse
        sums = np.stack([seen[..., side.codes].sum(axis=-1) for side in self._sides], axis=-1)
        out = np.empty(np.shape(seen))
        for number, side in enumerate(self._sides):
            out[..., side.codes] = (seen[..., side.codes] - (sums @ correction[number])[..., None]) / own[number]
        return out

    def variance(self, freq: ArrayLike, n: int) -> NDArray[np.float64]:
        """A report's score has two levels per orbit and side, as its sums over the sides are the orbit's."""
        f = checks.shares(freq, self.k)
        own, correction = self._inverse
        sums = np.array([
            outside * len(side.codes) + (inside - outside) * side.held
            for side, (inside, outside) in zip(self._sides, self._points, strict=True)
        ])  # fmt: skip
        squares = tuple(
            tuple(((level - correction[g] @ sums) / own[g]) ** 2 for level in self._points[g]) for g in (0, 1)
        )
        out = np.empty(self.k)
        for side, (same, mate, stranger) in zip(self._sides, self._means(squares), strict=True):
            mine = f[side.codes]
            mass = mine.sum()
            out[side.codes] = mine * same + (mass - mine) * mate + (1 - mass) * stranger - mine
        return out / n

    def support(self, freq: ArrayLike) -> NDArray[np.float64]:
        f, out = checks.shares(freq, self.k), np.empty(self.k)
        for side, (same, mate, stranger) in zip(self._sides, self._means(self._points), strict=True):
            mine = f[side.codes]
            out[side.codes] = mine * same + (mine.sum() - mine) * mate + (1 - mine.sum()) * stranger
        return out

    def names(self, outputs: Reports) -> NDArray[np.bool_]:
        """The values a report raises, and its label."""
        return self._read(outputs)[1]

    def naming(self, freq: ArrayLike) -> NDArray[np.float64]:
        f, out = checks.shares(freq, self.k), np.empty(self.k)
        for side in self._sides:
            same, mate, stranger = (float(part.sum()) for part in (side.same, side.mate, side.stranger))
            mine = f[side.codes]
            out[side.codes] = mine * same + (mine.sum() - mine) * mate + (1 - mine.sum()) * stranger
        return out

    # the likelihood --------------------------------------------------------------------------------------------

    def log_likelihood(self, reports: Reports) -> NDArray[np.float64]:
        """W/(C(σ,i)C(τ,j)), times E for a held value; decoys: 1/τ of it on S; every value but the label's excluded."""
        orbit, held = self._read(reports)
        sigma, tau = self._sizes
        base = np.full(len(self.columns) + 1, -np.inf)
        base[-1] = log(self.disclosing) if self.disclosing > 0 else -np.inf
        for c, column in enumerate(self.columns):
            base[c] = log(column.weight) - log_binomial(sigma, column.i) - log_binomial(tau, column.j)
        decoy = np.append([c.decoy for c in self.columns], False).astype(bool)[orbit][:, None]
        label = np.where(held & ~self.sensitive, 0.0, -np.inf)
        hidden = np.where(held, self.epsilon, 0.0)
        with_label = np.where(self.sensitive, hidden - log(max(tau, 1)), label)
        openly = (orbit == len(self.columns))[:, None]
        return base[orbit][:, None] + np.where(openly, label, np.where(decoy, with_label, hidden))

    def privacy_loss(self) -> NDArray[np.float64]:
        return exposure.losses(self.columns, self.disclosing, self.sensitive, self.epsilon)

    def disclosure(self) -> NDArray[np.float64]:
        """Disclosed openly; and a decoy where there is nobody else: with nothing marked."""
        return np.where(self.sensitive, 0.0, self.disclosing)

    def success(self, prior: NDArray[np.float64]) -> NDArray[np.float64]:
        """Priors that are even within S and within N (or 0 on one): in closed form; any other from the channel."""
        if not exposure.even(self._sides, prior):
            return exposure.wins_of_channel(self.channel().matrix, prior)
        out = self.disclosure()
        for c, column in enumerate(self.columns):
            out += exposure.wins(self._sides, c, column.decoy, prior, self.epsilon)
        return np.where(prior > 0, out, 0.0)

    # the channel -----------------------------------------------------------------------------------------------

    def count_outputs(self) -> int:
        sigma, tau = self._sizes
        hidden = sum(comb(sigma, c.i) * (tau if c.decoy else comb(tau, c.j)) for c in self.columns)
        return hidden + (tau if self.disclosing > 0 else 0)

    def outputs(self, public: int | None = None) -> Reports:
        orbits, rows = [], []
        for number, column in enumerate((*self.columns, None)):
            if column is None and not self.disclosing > 0:
                continue
            size, other = (0, 1) if column is None else (column.i, 1 if column.decoy else column.j)
            for u in combinations(self._sides[1].codes, other):
                for z in combinations(self._sides[0].codes, size):
                    orbits.append(number)
                    rows.append([*z, *u])
        held = np.zeros((len(rows), self.k), bool)
        for line, some in zip(held, rows, strict=True):
            line[some] = True
        return self._write(np.array(orbits, np.int64), held)

    def describe(self, outputs: Reports) -> list[Column]:
        """2: {0, 3}: orbit 2 raises these. Decoys and disclosed values name their label."""
        columns = []
        for orbit, held in zip(*self._read(outputs), strict=True):
            low = orbit == len(self.columns) or self.columns[orbit].decoy
            label = int(np.flatnonzero(held & ~self.sensitive)[0]) if low else None
            text = f"{orbit}: " + "{" + ", ".join(map(str, np.flatnonzero(held))) + "}"
            columns.append(Column(text, not low, label))
        return columns
