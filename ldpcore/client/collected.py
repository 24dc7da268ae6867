"""What is known of the shares after a real collection: intervals that keep their promise however few people answer.

A report supports value v with one probability if its sender holds v, and with at most two others if not: in a survey
of n people of whom h hold v the support is a sum of binomials, whose law is exact. The interval is every h under which
the observed count is no surprise (Clopper and Pearson's idea), so it covers at least as often as it says: for one
pupil, for an answer that nobody gave, at any ε. A normal interval around the estimate does not: at ε = 0.3 and twenty
answers that of uRR misses some answer, of those that are not hidden, in 3 to 10 of 10 surveys of 10 to 100 people.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import scipy  # whose `signal` is loaded where it is first used: it takes long
from numpy.typing import NDArray
from scipy.special import bdtr, gammaln, ndtr, xlog1py, xlogy

from ldpcore.estimators.intervals import tail
from ldpcore.integer_law import IntegerLaw
from ldpcore.tally import Tally

Vector = NDArray[np.float64]
Group = tuple[int, float]
"""So many people, and the chance of each to support the value."""

NUISANCE = 0.1
"""Where holders of different other values support v differently, the part of the permitted misses that is spent on how
many hold them (Berger and Boos 1994)."""
WINDOW = 10.0
"""Standard deviations of a binomial that are summed; beyond are 10⁻²²."""
EXACT = 200_000
"""With more people the sum of binomials is taken as normal: right to three digits."""
LONG = 500
"""Windows beyond this are convolved by Fourier transform."""


def intervals(law: IntegerLaw, tally: Tally, level: float = 0.95) -> tuple[Vector, Vector]:
    """Ends (k,), (k,) of an interval of every answer's share among those who sent the n reports: each covers at least
    `level`, whatever everybody's answers are. Without reports: 0 and 1.

    >>> from ldpcore.client import Client
    >>> coin = Client.of("GRR", 1.0, ["no", "yes"])
    >>> low, high = intervals(coin.law, Tally(30, np.array([20, 10])))
    >>> low.round(2).tolist(), high.round(2).tolist()
    ([0.5, 0.0], [1.0, 0.5])
    """
    n, permitted = tally.n, tail(level)
    if n < 1:
        return np.zeros(law.k), np.ones(law.k)
    rates = np.array([[float(chance) for chance in row] for row in law.supports()])
    ends = [_ends(_Value.of(rates, v), tally, v, permitted) for v in range(law.k)]
    low, high = np.array(ends, float).T / n
    return low, high


@dataclass(frozen=True)
class _Value:
    """How one value is supported: by its holders, by a crowd of others (codes), by everybody else."""

    own: float
    crowd: tuple[int, ...]
    by_crowd: float
    by_rest: float

    @classmethod
    def of(cls, rates: Vector, v: int) -> "_Value":
        """rates: Pr[bit v is set | x] as [x, v]."""
        others = [x for x in range(len(rates)) if x != v]
        rest = float(rates[others, v].max())
        like_rest = np.isclose(rates[:, v], rest, rtol=1e-12, atol=0)
        crowd = tuple(x for x in others if not like_rest[x])
        return cls(float(rates[v, v]), crowd, float(rates[crowd[0], v]) if crowd else rest, rest)

    def groups(self, n: int, held: int, crowd: int) -> list[Group]:
        """Of n people so many hold the value, and of the others at most so many are of the crowd."""
        within = min(crowd, n - held)
        return [(held, self.own), (within, self.by_crowd), (n - held - within, self.by_rest)]


def _ends(value: _Value, tally: Tally, v: int, permitted: float) -> tuple[int, int]:
    """The least and the largest number of holders under which the support is no surprise."""
    n, seen = tally.n, int(tally.total[v])
    fewest, most = 0, 0
    if value.crowd:
        fewest, most = _crowd(value, tally, permitted * NUISANCE)
        permitted *= 1 - NUISANCE
    # The crowd supports less than the rest: the fewer it is, the larger a count is no surprise.
    # A count may be a surprise under every number of holders, and must not read as certainty: what is permitted is a
    # part of what the most favourable number has (Read 2002, "CLs"), which makes intervals wider and none empty.
    under = permitted * _at_least(value.groups(n, n, fewest), seen)
    over = permitted * _at_most(value.groups(n, 0, most), seen)
    low = _first(lambda held: _at_least(value.groups(n, held, fewest), seen) > under, n)
    high = n - _first(lambda short: _at_most(value.groups(n, n - short, most), seen) > over, n)
    return min(low, high), max(low, high)


def _crowd(value: _Value, tally: Tally, permitted: float) -> tuple[int, int]:
    """The least and the largest number of the crowd's people: each of their values is supported by nobody else."""
    n, seen = tally.n, int(tally.total[list(value.crowd)].sum())
    kept = value.own - value.by_crowd  # whoever tells the truth: a disclosed value is supported by that alone
    low = _first(lambda many: _at_least([(many, kept)], seen) > permitted, n)
    high = n - _first(lambda short: _at_most([(n - short, kept)], seen) > permitted, n)
    return low, high


def _first(holds: Callable[[int], bool], n: int) -> int:
    """The least of 0 … n at which a condition holds that holds from there on; n where it never does."""
    low, high = 0, n
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


def _at_least(groups: list[Group], count: int) -> float:
    """Pr[support ≥ count]."""
    return _at_most([(people, 1 - chance) for people, chance in groups], sum(p for p, _ in groups) - count)


def _at_most(groups: list[Group], count: int) -> float:
    """Pr[support ≤ count]: a sum of binomials."""
    if sum(people for people, _ in groups) > EXACT:
        mean = sum(people * chance for people, chance in groups)
        spread = sum(people * chance * (1 - chance) for people, chance in groups) ** 0.5
        return float(ndtr((count + 0.5 - mean) / spread)) if spread > 0 else float(count >= mean)
    first, pmf = 0, np.ones(1)
    for people, chance in groups[:-1]:
        start, one = _window(people, chance)
        first += start
        pmf = scipy.signal.fftconvolve(pmf, one) if min(len(pmf), len(one)) > LONG else np.convolve(pmf, one)
    return float(pmf @ _cdf(count - first - np.arange(len(pmf)), *groups[-1]))


def _cdf(count: NDArray[np.intp], people: int, chance: float) -> Vector:
    """Pr[binomial ≤ count]. SciPy's functions without the checks of its distributions, which take ten times as long."""
    inside = np.minimum(np.maximum(count, 0), people)
    return np.where(count < 0, 0.0, np.where(count >= people, 1.0, bdtr(inside.astype(float), people, chance)))


@lru_cache(maxsize=16)
def _window(people: int, chance: float) -> tuple[int, Vector]:
    """A binomial's probabilities where they are not nothing, and where those begin. Ends of several values, and of the
    same people's other reports, ask for the same ones.
    """
    half = WINDOW * (people * chance * (1 - chance)) ** 0.5 + WINDOW**2
    low, high = max(0, int(people * chance - half)), min(people, int(people * chance + half) + 1)
    count = np.arange(low, high + 1)
    ways = gammaln(people + 1) - gammaln(count + 1) - gammaln(people - count + 1)
    pmf = np.exp(ways + xlogy(count, chance) + xlog1py(people - count, -chance))
    pmf.flags.writeable = False
    return low, pmf
