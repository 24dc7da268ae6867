"""How well scores tell marked people from others: of a pair, one of either kind, how often the marked one scores more.

That is the area under the ROC curve; its variance after DeLong, DeLong and Clarke-Pearson (1988), also for the
difference of two scores of the same people (theory/questionnaire#intervals).
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, stdtrit

from ldpcore import checks
from ldpcore.plan import quantile
from ldpcore.randomizer import Randomizer

Vector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PairComparison:
    """share: of all pairs told apart, ties counting half. won, lost: for each marked person the share of others who
    score less, and for each other the share of marked people who score more; their means are `share`. won_astray,
    lost_astray: the same if each other were marked, and each marked person one of the others; their means are ½.
    """

    share: float
    won: Vector
    lost: Vector
    won_astray: Vector
    lost_astray: Vector

    def interval(self, confidence: float = 0.95, looks: int = 1) -> tuple[float, float]:
        """Of `share`, on the log-odds scale (Wald, DeLong's variance); looks: of so many intervals all are to cover.
        ½ is within where marked people who score as the others do would tell so much apart by chance.
        """
        reach = _reach(confidence, looks, self.fewer)
        ends = _interval(self.share, _error([self], [1.0]), self.fewer, reach)
        return _with(0.5, ends, self.share, quantile(confidence, looks) * _by_chance([self], [1.0]))

    def against(self, own: "PairComparison", exact: float) -> "PairComparison":
        """The same with the luck taken off that it shares with `own`, an attack on the same people of which the `exact`
        share is known (a control variate, Lavenberg and Welch 1981): that of `own` itself is exact.

        >>> told = pairs(np.array([3.0, 1.0, 2.0, 0.0]), np.array([True, True, False, False]))
        >>> made = told.against(told, 0.7)
        >>> made.share, tuple(round(end, 6) for end in made.interval())
        (0.7, (0.7, 0.7))
        """
        sides = [each for each in ((self.won, own.won), (self.lost, own.lost)) if len(each[0]) > 1]
        together = sum(float(np.cov(mine, its)[0, 1]) / len(mine) for mine, its in sides)
        alone = sum(float(np.var(its, ddof=1)) / len(its) for _, its in sides)
        part = min(max(together / alone, 0.0), 1.0) if alone > 0 else 0.0
        share = self.share - part * (own.share - exact)
        every = ("won", "lost", "won_astray", "lost_astray")
        moved = {name: getattr(self, name) - part * (getattr(own, name) - exact) for name in every}
        return PairComparison(min(max(share, 0.0), 1.0), **moved)

    @property
    def fewer(self) -> int:
        """People of the kind of whom there are fewer."""
        return min(len(self.won), len(self.lost))


class Uncertain:
    """What says a difference with an interval, low..high."""

    low: float
    high: float

    @property
    def none(self) -> bool:
        """Whether chance alone can be the difference."""
        return self.low <= 0 <= self.high

    @property
    def half(self) -> float:
        """±: half the interval's width."""
        return (self.high - self.low) / 2


def pairs(score: Vector, exposed: NDArray[np.bool_]) -> PairComparison:
    """score (n,), larger for those taken as marked, ±inf for certain; exposed (n,): who is, some and not all.
    ValueError where a score is no number. No attacker here gives one, as the answer that somebody gave can have sent
    the reports; with a mechanism that excludes what it sends, ln 0 − ln 0 is none.

    >>> told = pairs(np.array([3.0, 1.0, 2.0, 0.0]), np.array([True, True, False, False]))
    >>> told.share
    0.75
    """
    marked, others = score[exposed], score[~exposed]
    if not len(marked) or not len(others):
        raise ValueError("some people need a marked answer, and some another; nobody is told from nobody")
    if unordered := int(np.isnan(score).sum()):
        raise ValueError(
            f"{unordered} of {len(score)} scores are no number, so they order nobody; look for a mechanism whose "
            "log_likelihood excludes reports that its perturb sends"
        )
    won, won_astray = (_beaten(some, others) / len(others) for some in (marked, others))
    lost, lost_astray = (1 - _beaten(some, marked) / len(marked) for some in (others, marked))
    return PairComparison(float(won.mean()), won, lost, won_astray, lost_astray)


def _beaten(some: Vector, others: Vector) -> Vector:
    """How many of the others score less than each of some, ties counting half."""
    ordered = np.sort(others)
    return (np.searchsorted(ordered, some) + np.searchsorted(ordered, some, "right")) / 2


def best(mechanism: Randomizer, marked: ArrayLike, freq: ArrayLike) -> float:
    """The pairs that nobody beats who sees one report and nothing else: what the likelihood ratio tells apart (Neyman
    and Pearson), exact, from the channel (theory/questionnaire#told-apart).

    marked (k,): which answers are, some and not all; freq (k,): their shares; or (k, m): the shares of these answers
    with each of m that are sent openly beside the report, and seen too. NotEnumerable where the reports are too many,
    ValueError where the channel hangs on a public hash.

    >>> from ldpcore import catalog
    >>> round(best(catalog.FREQUENCY["GRR"].build(1.0, 2), [True, False], [0.5, 0.5]), 4)  # e/(1 + e)
    0.7311
    >>> open_twin = [[0.5, 0.0], [0.0, 0.5]]  # an open answer that says it all
    >>> round(best(catalog.FREQUENCY["GRR"].build(1.0, 2), [True, False], open_twin), 4)
    1.0
    """
    inside, joint = checks.mask(marked, mechanism.k), np.asarray(freq, dtype=float).reshape(mechanism.k, -1)
    shares = checks.shares(joint.sum(1), mechanism.k)
    channel = mechanism.channel().matrix
    if not 0 < float(shares[inside].sum()) < 1:
        raise ValueError("some people need a marked answer, and some another; mark some answers, and not all")
    of_marked, of_others = ((joint[kind].T / shares[kind].sum() @ channel[kind]).ravel() for kind in (inside, ~inside))
    seen = of_marked + of_others > 0
    of_marked, of_others = of_marked[seen], of_others[seen]
    # Ratios that differ by rounding alone are the same.
    _, kind = np.unique(np.round(of_marked / (of_marked + of_others), 12), return_inverse=True)
    won, lost = np.bincount(kind, of_marked), np.bincount(kind, of_others)
    return float(won @ (np.cumsum(lost) - lost / 2))


def surest(mechanism: Randomizer, marked: ArrayLike, freq: ArrayLike, part: float) -> float | None:
    """Of this part of the people, of whom one report says most surely that their answer is marked, those for whom it
    is: exact, for who knows the shares (k,) of the answers; those of the same posterior share alike. None where the
    reports are too many to list or hang on a public hash.

    >>> from ldpcore import catalog
    >>> grr = catalog.FREQUENCY["GRR"].build(1.0, 2)
    >>> round(surest(grr, [True, False], [0.1, 0.9], 0.01), 4)  # 0.1·e/(0.1·e + 0.9)
    0.232
    """
    inside, shares = checks.mask(marked, mechanism.k), checks.shares(freq, mechanism.k)
    try:
        channel = mechanism.channel().matrix
    except ValueError:  # NotEnumerable is one
        return None
    sent = shares @ channel
    chance = np.divide((shares * inside) @ channel, sent, out=np.zeros_like(sent), where=sent > 0)
    order = np.argsort(-chance, kind="stable")
    taken = np.clip(part - (np.cumsum(sent[order]) - sent[order]), 0.0, sent[order])
    return float(taken @ chance[order] / part)


def exactly(mechanism: Randomizer, marked: ArrayLike, freq: ArrayLike) -> float | None:
    """`best`; None where it has no closed form: the reports are too many to list or hang on a public hash, or nobody
    can be told from anybody.

    >>> from ldpcore import catalog
    >>> print(exactly(catalog.FREQUENCY["OLH"].build(1.0, 2), [True, False], [0.5, 0.5]))
    None
    """
    try:
        return best(mechanism, marked, freq)
    except ValueError:  # NotEnumerable is one
        return None


def difference(
    one: PairComparison, other: PairComparison, confidence: float = 0.95, looks: int = 1
) -> tuple[float, float, float]:
    """other − one and its interval, the same people in the same order: (difference, low, high); looks: of so many
    intervals all are to cover.
    """
    if (len(one.won), len(one.lost)) != (len(other.won), len(other.lost)):
        raise ValueError("a difference is between two attacks on the same people")
    gap, both, weights = other.share - one.share, [one, other], [-1.0, 1.0]
    half = _reach(confidence, looks, one.fewer) * _error(both, weights)
    return gap, *_with(0.0, (gap - half, gap + half), gap, quantile(confidence, looks) * _by_chance(both, weights))


def unpaired(one: PairComparison, other: PairComparison, confidence: float = 0.95) -> tuple[float, float, float]:
    """other − one and its interval, of different people: (difference, low, high). Of people in part the same it is
    wider than it need be, as long as whoever is seen in one attack is rather seen in the other.
    """
    gap, each = other.share - one.share, ([one], [other])
    error, chance = (math.hypot(*(of(comparisons, [1.0]) for comparisons in each)) for of in (_error, _by_chance))
    half = _reach(confidence, 1, min(one.fewer, other.fewer)) * error
    return gap, *_with(0.0, (gap - half, gap + half), gap, quantile(confidence) * chance)


def _with(nothing: float, ends: tuple[float, float], found: float, chance: float) -> tuple[float, float]:
    """An interval that holds what says nothing, where chance alone goes as far from it as what was found."""
    low, high = ends
    return (min(low, nothing), max(high, nothing)) if abs(found - nothing) <= chance else ends


def _reach(confidence: float, looks: int, people: int) -> float:
    """Standard errors to either side. people: of the kind of whom there are fewer. Their spread makes nearly all of
    the error and is read off them alone, so Student's law with their degrees of freedom holds: among ten people and
    many looks the normal one takes noise for a finding in every third crowd.
    """
    return -float(stdtrit(max(people - 1, 1), ndtr(-quantile(confidence, looks))))


def _error(told: list[PairComparison], weights: list[float]) -> float:
    """DeLong's standard error of Σ weight·share, as if one person more of either kind scored as the other kind does.

    Where many score alike, as of a column with few answers, ten marked people may be all alike by chance: their own
    spread is 0 then, and says that nobody is otherwise (theory/questionnaire#intervals).
    """
    return math.sqrt(sum(_spread(scores, astray) / len(scores) for scores, astray in _sides(told, weights)))


def _by_chance(told: list[PairComparison], weights: list[float]) -> float:
    """The same where people of either kind score alike: the spread of the fewer is that of the many, who show it."""
    (few, shown), (many, _) = sorted(_sides(told, weights), key=lambda side: len(side[0]))
    return math.sqrt(float(np.var(shown)) / len(few) + float(np.var(many)) / len(many))


def _sides(told: list[PairComparison], weights: list[float]) -> list[tuple[Vector, Vector]]:
    """Of either kind the weighted sums of what each person wins, and what each of the other kind would win there."""
    sides = [(one.won, one.won_astray, one.lost, one.lost_astray) for one in told]
    won, won_astray, lost, lost_astray = (np.tensordot(weights, np.array(part), 1) for part in zip(*sides, strict=True))
    return [(won, won_astray), (lost, lost_astray)]


def _spread(own: Vector, astray: Vector) -> float:
    """The variance of these, and of one more that is any of those astray."""
    middle = (own.sum() + astray.mean()) / (len(own) + 1)
    return float((np.sum((own - middle) ** 2) + np.mean((astray - middle) ** 2)) / len(own))


def _interval(share: float, error: float, people: int, wide: float) -> tuple[float, float]:
    """people: of the kind of whom there are fewer."""
    # All pairs, or none: DeLong's variance is 0. Then as if half a person of either kind stood on the wrong side.
    edge = 0.5 / people
    inside = min(max(share, edge), 1 - edge)
    if inside != share:
        error = max(error, math.sqrt(inside * (1 - inside) / people))
    middle, half = math.log(inside / (1 - inside)), wide * error / (inside * (1 - inside))
    low, high = (1 / (1 + math.exp(-end)) for end in (middle - half, middle + half))
    return min(low, share), max(high, share)
