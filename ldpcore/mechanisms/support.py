"""Mechanisms in support form: a report supports value v with probability a[v] if its user holds v, else b[v].

    f̂_v = (c_v/n − b_v)/(a_v − b_v)      Var f̂_v = [f_v a_v(1−a_v) + (1−f_v) b_v(1−b_v)] / (n (a_v−b_v)²)

Where the events are independent given the user's value, the counts and the adversary have exact laws too
(theory/frequency#support, theory/adversary#closed-forms).
"""

from abc import abstractmethod
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import roots_legendre

from ldpcore import checks
from ldpcore.randomizer import BLOCK, TIE, Randomizer
from ldpcore.support_family import Choice, SupportFamily
from ldpcore.tally import Tally

Vector = NDArray[np.float64]


class Paired(Randomizer):
    """The estimate and its error, whatever the joint law of the events."""

    @property
    @abstractmethod
    def _pair(self) -> tuple[Vector, Vector]:
        """a (k,) and b (k,)."""

    @property
    def _missed(self) -> Vector:
        """1 − a (k,); stated by a member whose a can be so near to 1 that the difference loses digits."""
        return 1 - self._pair[0]

    def invert(self, seen: Vector) -> Vector:
        a, b = self._pair
        return (seen - b) / (a - b)

    def variance(self, freq: ArrayLike, n: int) -> Vector:
        return variance(freq, n, *self._pair, self._missed)

    def families(self) -> tuple[SupportFamily, ...]:
        return (self._family((np.arange(self.k), 1, 1)),) if self.tally_is_histogram else ()

    def _family(self, *choices: Choice) -> SupportFamily:
        """A value's score follows from its own support alone."""
        return SupportFamily(self.invert(np.ones(self.k)), self.invert(np.zeros(self.k)), choices)


class Independent(Paired):
    """The events are independent given the user's value."""

    def draw(self, counts: ArrayLike, rng: np.random.Generator, repeats: int) -> NDArray[np.int64]:
        return draw(counts, rng, repeats, *self._pair)

    def support(self, freq: ArrayLike) -> Vector:
        return expected(freq, *self._pair)

    def joint_support(self) -> NDArray[np.float64]:
        """Events are independent given the value: products, and themselves on the diagonal."""
        a, b = self._pair
        chance = np.where(np.eye(self.k, dtype=bool), a, b)
        both = chance[:, :, None] * chance[:, None, :]
        both[:, np.arange(self.k), np.arange(self.k)] = chance
        return both

    def size_laws(self) -> Vector:
        """Sums of independent bits: those of each kind of value alike."""
        a, b = self._pair
        kinds, place = np.unique(np.column_stack([a, b]), axis=0, return_inverse=True)
        out = np.zeros((len(kinds), self.k + 1))
        for row, kind in zip(out, range(len(kinds)), strict=True):
            mine = int(np.flatnonzero(place == kind)[0])
            row[0] = 1.0
            for v, chance in enumerate(np.where(np.arange(self.k) == mine, a, b)):
                row[1 : v + 2] += chance * (row[: v + 1] - row[1 : v + 2])
                row[0] *= 1 - chance
        return out[place]

    def expectation(self, weights: Vector) -> Vector:
        """The mean sum of the weights (k,) that a report of each value's holder supports: (k,)."""
        a, b = self._pair
        return (a - b) * weights + b @ weights


def sent_codes(accepted: NDArray[np.bool_], reports: NDArray[np.integer]) -> NDArray[np.intp]:
    """Symbols as places in a channel; ValueError for one that nobody can have sent."""
    if not accepted.all():
        raise ValueError("these reports hold one that this mechanism cannot send")
    return np.asarray(reports, np.intp)


def one_hot(reports: NDArray[np.integer], k: int) -> Vector:
    """What each symbol adds to the totals: (n, k)."""
    return np.eye(k)[np.asarray(reports, np.int64)]


def symbols(reports: NDArray[np.integer], k: int) -> Tally:
    """How often each of k codes was sent."""
    total = np.zeros(k, np.int64)
    for start in range(0, len(reports), BLOCK):
        total += np.bincount(reports[start : start + BLOCK], minlength=k)
    return Tally(len(reports), total)


def variance(freq: ArrayLike, n: int, a: Vector, b: Vector, missed: Vector) -> Vector:
    """missed (k,): 1 − a."""
    f = checks.shares(freq, len(a))
    return (f * a * missed + (1 - f) * b * (1 - b)) / (n * (a - b) ** 2)


def expected(freq: ArrayLike, a: Vector, b: Vector) -> Vector:
    f = checks.shares(freq, len(a))
    return f * a + (1 - f) * b


def draw(counts: ArrayLike, rng: np.random.Generator, repeats: int, a: Vector, b: Vector) -> NDArray[np.int64]:
    """Independent events: c_v = Binomial(n_v, a_v) + Binomial(n − n_v, b_v), independently over v."""
    users = checks.counts(counts, len(a))
    n = int(users.sum())
    shape = (repeats, len(a))
    return rng.binomial(users, a, shape) + rng.binomial(n - users, b, shape)


def success(prior: Vector, a: Vector, b: Vector, gain_set: Vector, gain_unset: Vector) -> Vector:
    """The Bayesian adversary against independent events, exact at any k.

    Value v scores ln π_v plus gain_set[v] if its event happened, else gain_unset[v]; the highest score is named.
    For the true value x and each state of its own event the chance of winning is
    ∫₀¹ Π_{u≠x} (Pr[score_u < s] + t Pr[score_u = s]) dt, because ∫ t^T dt = 1/(1+T) shares T ties evenly.
    Values alike in every respect are counted, not repeated: a uniform prior costs O(1) values.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        start = np.log(prior)
        high = np.where(prior > 0, start + gain_set, -np.inf)
        low = np.where(prior > 0, start + gain_unset, -np.inf)
    _, first, kind_of, members = np.unique(
        np.column_stack([high, low, a, b]), axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    kind_of = kind_of.ravel()
    high, low, a, b, alive = high[first], low[first], a[first], b[first], prior[first] > 0
    won = np.zeros(len(first))
    for score, chance in ((high, a), (low, 1 - a)):
        won += chance * _wins(score, high, low, b, members)
    return np.where(alive, won, 0.0)[kind_of]


def _wins(score: Vector, high: Vector, low: Vector, b: Vector, members: NDArray[np.intp]) -> Vector:
    """Chance (kinds,) that `score` of one value of each kind beats all other values, ties shared."""
    out = np.zeros(len(score))
    # Every other value scores at least its low: whoever is below the highest of those has no chance.
    hopeful = score >= _highest_other(low, members) - TIE
    # A bit that only its holder can set (b = 0) is nobody's rival, though its score is infinite.
    alone = hopeful & (members == 1) & ~_meets(score, np.where(b > 0, high, -np.inf)) & ~_meets(score, low)
    out[alone] = _without_ties(score, high, b, members)[alone]
    rest = np.flatnonzero(hopeful & ~alone)
    for begin in range(0, len(rest), 256):
        block = rest[begin : begin + 256]
        s = score[block, None]
        below_high, tie_high = compare(high[None], s)
        below_low, tie_low = compare(low[None], s)
        below = below_high * b + below_low * (1 - b)
        equal = tie_high * b + tie_low * (1 - b)
        others = np.repeat(members[None], s.shape[0], axis=0)
        others[np.arange(len(block)), block] -= 1
        out[block] = share_ties(below, equal, others)
    return np.where(np.isneginf(score), 0.0, out)


def _meets(score: Vector, rival: Vector) -> NDArray[np.bool_]:
    """Whether another value's rival score ties: more of them in reach than the value's own."""
    ordered = np.sort(rival)
    reach = np.searchsorted(ordered, score + TIE, "right") - np.searchsorted(ordered, score - TIE, "left")
    return reach > compare(rival, score)[1]


def _without_ties(score: Vector, high: Vector, b: Vector, members: NDArray[np.intp]) -> Vector:
    """Π (1 − b_u) over all other values whose high is above the score, by sorting: O(k log k)."""
    order = np.argsort(high)
    miss = members * np.log1p(-b)
    above = np.append(np.cumsum(miss[order][::-1])[::-1], 0.0)
    own_miss = np.where(high > score + TIE, miss, 0.0)
    return np.exp(above[np.searchsorted(high[order], score + TIE, "right")] - own_miss)


def _highest_other(low: Vector, members: NDArray[np.intp]) -> Vector:
    """For one value of each kind the highest `low` among all other values (−inf when there is none)."""
    top = int(np.argmax(low))
    second = np.delete(low, top).max(initial=-np.inf)
    out = np.full(len(low), low[top])
    if members[top] == 1:
        out[top] = second
    return out


def compare(rival: Vector, score: Vector) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Whether the rival's score is below, and whether it is equal, within a relative 1e-9 of e^score."""
    with np.errstate(invalid="ignore"):
        gap = rival - score
    equal = (np.abs(gap) <= TIE) | (rival == score)
    return (rival < score) & ~equal, equal


def share_ties(below: Vector, equal: Vector, others: NDArray[np.intp]) -> Vector:
    """∫₀¹ Π_u (below_u + t equal_u)^others_u dt, row by row: in closed form where it has one, else by quadrature."""
    tied = (equal > 0) & (others > 0)
    single = tied.sum(axis=1) <= 1
    never_below = ~single & ~(tied & (below > 0)).any(axis=1)
    rest = ~single & ~never_below
    out = np.empty(len(below))
    out[single] = _one_kind(below[single], equal[single], others[single], tied[single])
    powers = np.where(tied, others, 0).sum(axis=1) + 1
    out[never_below] = np.exp(_log_product((below + equal)[never_below], others[never_below])) / powers[never_below]
    out[rest] = _quadrature(below[rest], equal[rest], others[rest])
    return out


def _log_product(base: Vector, others: NDArray[np.intp]) -> Vector:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(others > 0, others * np.log(base), 0.0).sum(axis=1)


def _one_kind(below: Vector, equal: Vector, others: NDArray[np.intp], tied: NDArray[np.bool_]) -> Vector:
    """Π over the rest · ((p+q)^(m+1) − p^(m+1)) / ((m+1) q) for the tied kind: p below, q equal, m values.

    As (p+q)^(m+1)·(1 − (1 + q/p)^−(m+1)), none of which leaves [0, 1], however many values tie.
    """
    rest = np.exp(_log_product(below, np.where(tied, 0, others)))
    p, q = (np.where(tied, part, 0.0).sum(axis=1) for part in (below, equal))
    power = np.where(tied, others, 0).sum(axis=1) + 1
    with np.errstate(divide="ignore", invalid="ignore"):
        tie = np.exp(power * np.log(p + q)) * -np.expm1(-power * np.log1p(q / p)) / (power * q)
    return rest * np.where(tied.any(axis=1), tie, 1.0)


@lru_cache(maxsize=64)
def _legendre(order: int) -> tuple[Vector, Vector]:
    return roots_legendre(order)


def _quadrature(below: Vector, equal: Vector, others: NDArray[np.intp]) -> Vector:
    """Gauss-Legendre with enough nodes to be exact for the polynomial's degree."""
    degree = int(np.where(equal > 0, others, 0).sum(axis=1).max(initial=0))
    nodes, weights = _legendre(degree // 2 + 1)
    total = np.zeros(len(below))
    for node, weight in zip((nodes + 1) / 2, weights / 2, strict=True):
        total += weight * np.exp(_log_product(below + node * equal, others))
    return total
