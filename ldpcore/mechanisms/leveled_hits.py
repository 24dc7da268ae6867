"""gHit: sets of items of which every one has its own ε, public, private or secret (ours; theory/levels#sets).

Noise z: every item that is not public by itself with probability π of its level. P[z | A] is that times W/G, where W is
H if z holds a private item of A, else H₂ if it holds a secret one, else L, less Gρb for b public items in A; one
of these is sent alone with probability ρ each. H₂ and L depend on how many private and secret items A has, so that
whoever has v sends a z that holds it with one probability, and whoever has not with another: the estimate is unbiased.
"""

from dataclasses import dataclass
from functools import cached_property, partial
from math import exp, expm1, inf

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks
from ldpcore.channel import SetColumn
from ldpcore.levels import SetLevels, checked
from ldpcore.mechanisms import bits
from ldpcore.mechanisms.hit_weights import MOST_LIKELY, Hits, Shape, any_of
from ldpcore.randomizer import Reports
from ldpcore.set_randomizer import SetRandomizer, Sets, Vector
from ldpcore.support_family import SupportFamily, chosen
from ldpcore.tally import Tally

BLOCK_CELLS = 1 << 22
MOST_LEVELS = 2


@dataclass(frozen=True, eq=False, init=False)
class LeveledHits(SetRandomizer):
    """gHit. epsilons (k,), math.inf for a public item, and at most two finite ones; dummies are as secret as the most
    secret item. share (k,): a public guess of the shares of holders, None: uniform; a wrong one costs accuracy only.

    f̂_v = (c_v − π n₀)/(n(a − π)), a = π(H or η)/G and n₀ the reports that disclose nothing; public: c_v/(nρ).

    >>> m = LeveledHits((inf, inf, 2.0, 2.0, 0.5, 0.5), 2)
    >>> round(1 + m.hits.gain, 3), m.noise.round(3).tolist(), round(m.hits.rho, 3)
    (1.269, [0.0, 0.0, 0.021, 0.021, 0.235, 0.235], 0.106)
    """

    epsilons: tuple[float, ...]
    share: Vector | None
    uses_marks = True
    others_alike = True

    def __init__(self, epsilons: tuple[float, ...], m: int = 1, dummies: int = 0, share: Vector | None = None) -> None:
        given = checked(epsilons)
        finite = sorted({each for each in given if each < inf})
        if len(finite) > MOST_LEVELS:
            raise ValueError(
                f"gHit is made for at most {MOST_LEVELS} levels that are not public, got ε of "
                f"{checks.name_list([f'{each:g}' for each in finite])}; give items of neighbouring levels the smaller ε"
            )
        if dummies and not finite:
            raise ValueError("dummies hide how many items somebody has: give at least one item a finite ε")
        fields = {"epsilons": given, "epsilon": finite[-1] if finite else inf, "k": len(given), "m": m,
                  "dummies": dummies, "sensitive": np.isfinite(given), "share": share}  # fmt: skip
        for name, value in fields.items():
            object.__setattr__(self, name, value)
        self.__post_init__()

    def __post_init__(self) -> None:
        checks.domain_size(self.k)
        object.__setattr__(self, "sensitive", checks.mask(self.sensitive, self.k))
        checks.integer(self.dummies, "dummies (codes that pad short sets)", 0)
        checks.integer(self.m, "m (items per set)", 1, self.inner)
        if self.share is not None:
            object.__setattr__(self, "share", self.shares(self.share))

    @property
    def policy(self) -> SetLevels:
        return SetLevels(tuple(self._own_epsilon.tolist()))

    @cached_property
    def _own_epsilon(self) -> Vector:
        """(inner,) ε of every code."""
        given = np.array(self.epsilons)
        return np.r_[given, np.full(self.dummies, given.min())]

    @cached_property
    def alike(self) -> NDArray[np.intp]:
        """By level."""
        return np.unique(self._own_epsilon[: self.k], return_inverse=True)[1]

    @cached_property
    def _secret(self) -> NDArray[np.bool_]:
        """(inner,) The codes of the most secret level."""
        return self.marked & (self._own_epsilon == self._own_epsilon.min())

    @cached_property
    def _private(self) -> NDArray[np.bool_]:
        """(inner,) The other codes that are not public."""
        return self.marked & ~self._secret

    # what the guess chooses ------------------------------------------------------------------------------------

    @cached_property
    def guessed(self) -> Vector:
        return self.shares(self.share)

    @cached_property
    def hits(self) -> Hits:
        """The least total error at the guessed shares."""
        if not self.sigma:
            return Hits(0.0, 0.0, 0.0, 0.0, 0.0, 1 / self.m)
        sizes = tuple(int(np.count_nonzero(of)) for of in (self._private, self._secret, ~self.marked))
        gains = expm1(self.epsilon), expm1(float(self._own_epsilon.min()))
        shape, f = Shape.of(gains, sizes, self.m), self.guessed  # type: ignore[arg-type]
        span = np.log(gains[0] / gains[1]) + 3
        most = -np.log1p(self.m * exp(float(self._own_epsilon.min())) / 4)
        places = (
            (most - self.epsilon - 3, most),
            (most - self.epsilon - 3 - span, min(most + 1, MOST_LIKELY)) if sizes[0] else (-1.0, -1.0),
            (0.0, 0.99),
        )
        private, secret = (
            (int(np.count_nonzero(of[: self.k])), float(f[of[: self.k]].sum())) for of in (self._private, self._secret)
        )
        # Where every set holds a public item the least G leaves no room to disclose any: a larger one is sought too.
        least = Hits.least(shape, (private, secret, self.open_mean(f)), places, sizes[0] + sizes[1] < self.m)
        if least is None:
            raise ValueError("so many items per set leave nothing to tell apart; choose a smaller m")
        return least

    def _errors(self, hits: Hits, f: Vector) -> Vector:
        """n·Var (k,)."""
        out, public = np.empty(self.k), self.open_mean(f)
        shown = ~self.marked[: self.k]
        out[shown] = f[shown] * (1 - hits.rho) / hits.rho if hits.rho else 0.0
        for codes, noise, own_bit in self._groups(hits):
            at = codes[: self.k]
            out[at] = hits.errors(noise, own_bit, f[at], public)
        return out

    def _groups(self, hits: Hits) -> tuple[tuple[NDArray[np.bool_], float, float], ...]:
        """Codes (inner,), π, and the mean of W − 1 over the noise that holds one of theirs."""
        listed = (self._private, hits.private, hits.loud), (self._secret, hits.secret, hits.low)
        return tuple(group for group in listed if group[0].any())

    @cached_property
    def noise(self) -> Vector:
        """π (inner,), 0 for a public item."""
        return np.where(self._private, self.hits.private, np.where(self._secret, self.hits.secret, 0.0))

    # the sampler -----------------------------------------------------------------------------------------------

    def perturb(self, sets: ArrayLike, rng: np.random.Generator) -> Reports:
        item_sets = checks.item_sets(sets, self.inner, self.m)
        return bits.in_blocks(item_sets, self.inner, BLOCK_CELLS, partial(self._perturb_block, rng=rng))

    def _perturb_block(self, held: Sets, rng: np.random.Generator) -> NDArray[np.bool_]:
        shown, own_bits = self._answer(held, rng)
        out = rng.random((len(held), self.inner)) < self.noise
        np.put_along_axis(out, held, own_bits, axis=1)
        out[shown >= 0] = False
        out[np.flatnonzero(shown >= 0), shown[shown >= 0]] = True
        return out

    def _answer(self, held: Sets, rng: np.random.Generator) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """The item that is disclosed (n,), −1 for none; and the bits of the own items (n, m) where none is."""
        hits, private, secret = self.hits, self._private[held], self._secret[held]
        a, c = private.sum(axis=1), secret.sum(axis=1)
        b, u = self.m - a - c, rng.random(len(held))
        # Public items first, and of them the one whose turn u is.
        order = np.argsort(self.marked[held], axis=1, kind="stable")
        turn = np.minimum((u / max(hits.rho, 1e-300)), self.m - 1).astype(np.intp)
        named = np.take_along_axis(held, np.take_along_axis(order, turn[:, None], 1), 1)[:, 0]
        shown = np.where(u < hits.rho * b, named, -1)
        p, q, lost = any_of(hits.private, a), any_of(hits.secret, c), hits.rho * b * (1 + hits.gain)
        loud = (1 + hits.loud - lost) * p / (1 + hits.gain)
        quiet = (1 + hits.quiet(a) - lost) * (1 - p) * q / (1 + hits.gain)
        v = rng.random(len(held)) * (1 - hits.rho * b)
        kind = np.where(v < loud, 2, np.where(v < loud + quiet, 1, 0))
        own_bits = self._some(private, hits.private, kind == 2, rng)
        own_bits |= np.where((kind == 2)[:, None], secret & (rng.random(held.shape) < hits.secret), False)
        return shown, own_bits | self._some(secret, hits.secret, kind == 1, rng)

    @staticmethod
    def _some(
        items: NDArray[np.bool_], chance: float, wanted: NDArray[np.bool_], rng: np.random.Generator
    ) -> NDArray[np.bool_]:
        """Bits of these items (n, m), each with this chance, given that one at least is set; none where not wanted."""
        out, left, still = np.zeros(items.shape, bool), items.sum(axis=1), wanted.copy()
        for j in range(items.shape[1]):
            bit_wanted = items[:, j] & wanted
            with np.errstate(invalid="ignore", divide="ignore"):
                first = np.where(still, chance / any_of(chance, left), chance)
            out[:, j] = bit_wanted & (rng.random(len(items)) < first)
            still &= ~out[:, j]
            left = left - items[:, j]
        return out

    def simulate(self, sets: ArrayLike, rng: np.random.Generator, repeats: int) -> Vector:
        """The own items user by user, all others as binomials: O(n·m + k)."""
        item_sets = checks.item_sets(sets, self.inner, self.m)
        out = np.empty((repeats, self.k))
        for row in out:
            shown, own_bits = self._answer(item_sets, rng)
            silent = shown < 0
            total = np.bincount(item_sets[silent][own_bits[silent]], minlength=self.inner)
            others = np.count_nonzero(silent) - np.bincount(item_sets[silent].ravel(), minlength=self.inner)
            total = total + rng.binomial(others, self.noise) + np.bincount(shown[~silent], minlength=self.inner)
            row[:] = total[: self.k] / len(item_sets)
        return self.invert(out)

    # the collector ---------------------------------------------------------------------------------------------

    def accepts(self, reports: Reports) -> NDArray[np.bool_]:
        """Any items that are not public, or one that is alone."""
        hidden, shown = bits.ones(reports, self.marked), bits.ones(reports, ~self.marked)
        silent = (shown == 0) & (self.sigma > 0)
        alone = (shown == 1) & (hidden == 0) & (self.hits.rho > 0)
        return bits.clean(reports, self.inner) & (silent | alone)

    def tally(self, reports: Reports) -> Tally:
        return Tally(len(reports), bits.count(reports, self.inner)[: self.k])

    def supported(self, reports: Reports) -> Vector:
        return bits.unpack(np.asarray(reports, np.uint8), self.inner)[:, : self.k].astype(float)

    def families(self) -> tuple[SupportFamily, ...]:
        """Any items that are not public, or a public one alone."""
        hidden, zero = np.flatnonzero(self.marked), np.zeros(self.k)
        others, inside = np.flatnonzero(~self.marked), self.marked[: self.k]
        out = []
        if len(hidden):
            ends = self.invert(inside.astype(float)), self.invert(zero)
            out.append(SupportFamily(*ends, (chosen(hidden, self.k, 0, len(hidden)),)))
        if len(others) and self.hits.rho > 0:
            out.append(SupportFamily(np.where(inside, 0.0, 1 / self.hits.rho), zero, (chosen(others, self.k, 1, 1),)))
        return tuple(out)

    def invert(self, seen: Vector) -> Vector:
        shown = ~self.marked[: self.k]
        silent = 1 - seen[..., shown].sum(axis=-1, keepdims=True)
        out = np.where(shown, seen / self.hits.rho if self.hits.rho else 0.0, 0.0)
        for codes, noise, own_bit in self._groups(self.hits):
            apart = noise * (own_bit - self.hits.gain) / (1 + self.hits.gain)
            out = np.where(codes[: self.k], (seen - noise * silent) / apart, out)
        return out

    def variance(self, freq: ArrayLike, n: int, company: ArrayLike | None = None) -> Vector:
        return self._errors(self.hits, self.shares(freq)) / n

    # the likelihood --------------------------------------------------------------------------------------------

    def log_likelihood(self, reports: Reports, sets: ArrayLike) -> Vector:
        item_sets = checks.item_sets(sets, self.inner, self.m)
        out = np.empty((len(reports), len(item_sets)))
        step = max(1, BLOCK_CELLS // max(1, item_sets.size, self.inner))
        for start in range(0, len(reports), step):
            on = bits.unpack(reports[start : start + step], self.inner).astype(bool)
            out[start : start + step] = self._log_chance(on, item_sets)
        return out

    def _log_chance(self, on: NDArray[np.bool_], held: Sets) -> Vector:
        hits = self.hits
        a, c = np.count_nonzero(self._private[held], axis=1), np.count_nonzero(self._secret[held], axis=1)
        own_bits, hidden = on[:, held], self.marked
        with np.errstate(divide="ignore"):
            law = np.where(on[:, hidden], np.log(self.noise[hidden]), np.log1p(-self.noise[hidden])).sum(axis=1)
            lone = np.log(hits.rho)
        heard = np.where((own_bits & self._secret[held]).any(axis=2), hits.quiet(a), hits.missing(a, c))
        heard = np.where((own_bits & self._private[held]).any(axis=2), hits.loud, heard)
        # W/G, with what little it differs from 1 left apart: a small ε keeps its digits.
        weight = (heard - hits.gain) / (1 + hits.gain) - hits.rho * (self.m - a - c)
        with np.errstate(invalid="ignore", divide="ignore"):
            silent = law[:, None] + np.log1p(weight)
        shown = (on & ~hidden).any(axis=1, keepdims=True)
        named = (own_bits & ~self.marked[held]).any(axis=2)
        return np.where(shown, np.where(named, lone, -np.inf), silent)

    def count_outputs(self) -> int:
        return self.inner - self.sigma + ((1 << self.sigma) if self.sigma else 0)

    def outputs(self, public: int | None = None) -> Reports:
        """Every pattern of the items that are not public, then every public one alone."""
        hidden, shown = np.flatnonzero(self.marked), np.flatnonzero(~self.marked)
        on = np.zeros((self.count_outputs(), self.inner), bool)
        patterns = len(on) - len(shown)
        on[:patterns, hidden] = (np.arange(patterns)[:, None] >> np.arange(len(hidden))) & 1
        on[patterns + np.arange(len(shown)), shown] = True
        return bits.pack(on)

    def describe(self, outputs: Reports) -> list[SetColumn]:
        columns = []
        for row in bits.unpack(outputs, self.inner).astype(bool):
            named = tuple(np.flatnonzero(row & ~self.marked).tolist())
            label, rest = str(np.flatnonzero(row).tolist()), str(np.flatnonzero(row & self.marked).tolist())
            columns.append(SetColumn(label, not named, None, named, rest))
        return columns

    def report_bits(self, freq: ArrayLike | None = None) -> float:
        """A bit for every code."""
        return float(self.inner)
