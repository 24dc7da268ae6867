"""Reports with weights, fixed before anybody answers: the estimate, its exact error, and the error of the whole design.

f̂ = Σ w S(y)/Σ w (Hájek), unbiased for Σ w 1[x = v]/Σ w. Given the data its error is `variance` at shares weighted by w
*squared* and Kish's n = (Σ w)²/Σ w², as what a report errs knows no weight (theory/weights#exact). At shares weighted
by w it is another number: up to a fifth off. The error of people who were drawn, and of their reports, is `design`.

>>> from ldpcore import catalog
>>> m = catalog.FREQUENCY["GRR"].build(1.0, 3)
>>> t = tally(m, np.array([0, 2, 2, 1, 0]), [1.0, 2.0, 0.5, 4.0, 1.5])
>>> m.estimate(t).round(3).tolist(), round(t.effective, 3), (of_tally(m, t) ** 0.5).round(2).tolist()
([0.181, 0.638, 0.181], 3.447, [0.6, 0.73, 0.6])
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit

from ldpcore import checks
from ldpcore.estimators.consistency import norm_sub
from ldpcore.estimators.intervals import tail
from ldpcore.numeric_randomizer import NumericRandomizer
from ldpcore.randomizer import Randomizer, Reports
from ldpcore.set_randomizer import SetRandomizer
from ldpcore.tally import DIGITS, NumericTally, WeightedTally

Vector = NDArray[np.float64]
Shares = Randomizer | SetRandomizer
CELLS = 1 << 21
"""Of reports by values, unpacked at once."""
ROWS = 1 << 10
"""Reports whose squared weights, whole numbers below 2⁴², add up in floats without rounding."""


def checked(weights: ArrayLike, n: int) -> Vector:
    """Weights (n,), finite, not negative and not all 0; ValueError, in a sentence, for others."""
    w = np.asarray(weights, float)
    if w.shape != (n,):
        raise ValueError(f"{_counted(n, 'report')} and {_counted(w.size, 'weight')} do not fit together; every report "
                         "needs one weight")  # fmt: skip
    wrong = ~(np.isfinite(w) & (w >= 0))
    if wrong.any():
        place = int(np.argmax(wrong))
        raise ValueError(
            f"weight {place + 1} is {w[place]:g}: weights are finite and not negative; leave the person out instead"
        )
    if n and not w.any():
        raise ValueError("all weights are 0, so there is nobody to estimate from")
    return w


def _counted(n: int, what: str) -> str:
    return f"{n} {what}{'s' * (n != 1)}"


def tally(m: Shares, reports: Reports, weights: ArrayLike) -> WeightedTally:
    """Of reports (n, …) and weights (n,), each rounded by itself to 21 binary digits: exact from there on, so tallies
    of parts add up to the same bytes in any order, and weights of 1 give the estimate of `m.tally`.
    """
    w = checked(weights, len(reports))
    whole, power = rounded(w)
    out = WeightedTally.nobody(m.k)
    step = max(1, min(ROWS, CELLS // m.k))
    for exponent in np.unique(power):
        places = np.flatnonzero(power == exponent)
        for start in range(0, len(places), step):
            block = places[start : start + step]
            added, part = np.rint(m.supported(reports[block])), whole[block]
            # Whole numbers below 2⁵³ in floats: nothing is rounded, whatever the order.
            totals = _exact(part, added), _exact(part * part, added)
            out = out + WeightedTally.of(len(block), part, totals, int(exponent))
    return out


def _exact(whole: Vector, added: Vector) -> list[int]:
    """Σ whole·added (k,), in whole numbers; where floats are too short for the sum, of the high and the low digits."""
    if float(whole.sum()) * max(1.0, float(np.abs(added).max(initial=0.0))) < 2.0**53:
        return [int(total) for total in whole @ added]
    high = np.trunc(added / 2.0**12)
    if high.any():
        parts = zip(_exact(whole, high), _exact(whole, added - high * 2.0**12), strict=True)
        return [(a << 12) + b for a, b in parts]
    upper = np.floor(whole / 2.0**DIGITS)
    parts = zip(_exact(upper, added), _exact(whole - upper * 2.0**DIGITS, added), strict=True)
    return [(a << DIGITS) + b for a, b in parts]


def rounded(weights: Vector) -> tuple[Vector, NDArray[np.int64]]:
    """Each weight as a whole number below 2²¹ times a power of 2.

    >>> [part.tolist() for part in rounded(np.array([1.0, 3.0]))]
    [[1048576.0, 1572864.0], [-20, -19]]
    """
    part, power = np.frexp(weights)
    return np.rint(part * 2.0**DIGITS), (power - DIGITS).astype(np.int64)


def drawn(
    m: Randomizer, weights: Vector, counts: NDArray[np.int64], rng: np.random.Generator, repeats: int
) -> list[WeightedTally]:
    """So many surveys of people of whom counts[c, v] have the weight weights[c] and the value v. The estimate knows no
    scale of weights: here the largest is 1.

    >>> from ldpcore import catalog
    >>> from ldpcore.rng import stream
    >>> m, people = catalog.FREQUENCY["GRR"].build(8.0, 2), np.array([[9000, 1000], [0, 5000]])
    >>> m.estimate(drawn(m, np.array([1.0, 2.0]), people, stream(7), 1)[0]).round(2).tolist()  # 9000 and 11 000
    [0.45, 0.55]
    """
    relative, people = weights / weights.max(), counts.sum(axis=1)
    one, two = np.zeros((2, repeats, m.k))
    for weight, of_class in zip(relative, counts, strict=True):
        if of_class.sum():
            seen = m.draw(of_class, rng, repeats)
            one += weight * seen
            two += weight**2 * seen
    n, sums = int(people.sum()), (float(relative @ people), float(relative**2 @ people))
    return [WeightedTally.simulated(n, sums, totals) for totals in zip(one, two, strict=True)]


def numbers(parts: Sequence[NumericTally], weights: Vector) -> NumericTally:
    """Of classes of people with these weights (c,), whose reports are tallied apart: the weights are 1 on average, so
    that EM stops as it does of so many people.

    >>> one, two = (NumericTally(1, np.array(cells), np.zeros(2)) for cells in ([1, 0], [0, 1]))
    >>> numbers([one, two], np.array([1.0, 3.0])).counts.tolist()
    [0.5, 1.5]
    """
    n = sum(part.n for part in parts)
    each = weights * n / sum(weight * part.n for weight, part in zip(weights, parts, strict=True))
    counts = np.sum([weight * part.counts for weight, part in zip(each, parts, strict=True)], axis=0)
    return NumericTally(n, counts, np.sum([w * part.sums for w, part in zip(each, parts, strict=True)], axis=0))


def variance(m: Shares | NumericRandomizer, values: ArrayLike, weights: ArrayLike) -> Vector:
    """Exact variance (k,) of the estimate, given everybody's value (n,), set (n, m) or number (n,): then (1,)."""
    given = np.asarray(values)
    w = checked(weights, len(given))
    square, total = float(w @ w), float(w.sum())
    if isinstance(m, NumericRandomizer):
        return np.array([w**2 @ m.moments(given, "unbiased")[1] / total**2])
    if isinstance(m, Randomizer):
        freq = np.bincount(checks.codes(given, m.k), w**2, m.k) / square
        return m.variance(freq, total**2 / square)  # type: ignore[arg-type]  Kish's n is no whole number
    freq = np.bincount(given.ravel(), np.repeat(w**2, m.m), m.inner)[: m.k] / square
    return m.variance(freq, total**2 / square, m.company(given, w**2))  # type: ignore[arg-type]


def of_tally(m: Randomizer, counted: WeightedTally) -> Vector:
    """The same at the collector (k,): the shares weighted by w² are estimated from the tally's second part, and brought
    to the nearest shares that can be.
    """
    if counted.n < 1:
        raise ValueError("a tally without reports has no error; collect at least one")
    freq = norm_sub(m.invert(counted.squared / counted.square))
    return m.variance(freq, counted.effective)  # type: ignore[arg-type]  Kish's n is no whole number


class DesignEstimate(NamedTuple):
    """An estimate (k,) with the variance (k,) of the whole design, its degrees of freedom, strata of one cluster."""

    estimate: Vector
    variance: Vector
    freedom: int
    lonely: tuple[object, ...]

    def interval(self, level: float = 0.95) -> tuple[Vector, Vector]:
        """Student's t on either side: approximate, and for few clusters short (theory/weights#coverage)."""
        half = -float(stdtrit(max(self.freedom, 1), tail(level))) * np.sqrt(self.variance)
        return self.estimate - half, self.estimate + half


def design(
    scores: ArrayLike,
    weights: ArrayLike,
    strata: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    drawn: float = 0.0,
    noise: ArrayLike | None = None,
) -> DesignEstimate:
    """The weighted mean of `scores` (n, k), or (n,), and its *whole* error: that people were drawn, and that they
    reported. Taylor: z = w(S − f̂)/Σ w, summed over each cluster (None: each person); n_h/(n_h − 1)·Σ(z − z̄_h)² over
    the clusters of each stratum. The reports' noise is in it already: never add `variance`.

    drawn: the part of all people who were drawn, without replacement; it takes from the drawing, not from the reports,
    so `noise` (k,), the variance of the reports alone, is needed then. A stratum with one cluster counts with its
    distance from 0, and is named in `lonely`.

    >>> result = design([1.0, 0.0, 1.0, 1.0], np.ones(4), clusters=["a", "a", "b", "b"])
    >>> result.estimate.tolist(), result.variance.tolist(), result.freedom
    ([0.75], [0.0625], 1)
    """
    s = np.asarray(scores, float)
    s = s.reshape(len(s), -1)
    n = len(s)
    w = checked(weights, n)
    if n < 2:
        raise ValueError(f"an error of drawing needs two people at least, got {n}")
    stratum, names = _codes(strata, n, "stratum", np.zeros(n, np.intp))
    cluster, _ = _codes(clusters, n, "cluster", np.arange(n))
    estimate = w @ s / w.sum()
    unit, place = np.unique(stratum * (cluster.max() + 1) + cluster, return_inverse=True)
    total = np.zeros((len(unit), s.shape[1]))
    np.add.at(total, place, w[:, None] * (s - estimate) / w.sum())
    owner = unit // (cluster.max() + 1)
    size = np.bincount(owner, minlength=len(names))
    middle = np.zeros((len(names), s.shape[1]))
    np.add.at(middle, owner, total)
    middle = np.where(size[:, None] > 1, middle / np.maximum(size, 1)[:, None], 0.0)
    raised = np.where(size > 1, size / np.maximum(size - 1, 1), 1.0)
    whole = raised[owner] @ (total - middle[owner]) ** 2
    lonely = tuple(name for name, number in zip(names, size.tolist(), strict=True) if number == 1)
    return DesignEstimate(estimate, _undrawn(whole, drawn, noise), len(unit) - len(names), lonely)


def _undrawn(whole: Vector, drawn: float, noise: ArrayLike | None) -> Vector:
    if not 0 <= drawn < 1:
        raise ValueError(f"drawn is the part of all people who were drawn, from 0 and below 1, got {drawn:g}")
    if not drawn:
        return whole
    if noise is None:
        raise ValueError("drawn takes from the error of drawing alone: give the variance of the reports as noise, too")
    return (1 - drawn) * whole + drawn * np.asarray(noise, float)


def _codes(
    labels: ArrayLike | None, n: int, what: str, none: NDArray[np.intp]
) -> tuple[NDArray[np.intp], list[object]]:
    """Places among the sorted names, and these."""
    if labels is None:
        return none, list(range(int(none.max()) + 1))
    given = np.asarray(labels)
    if given.shape != (n,):
        raise ValueError(f"{_counted(n, 'report')} and {given.size} names of a {what} do not fit together")
    names, places = np.unique(given, return_inverse=True)
    return places.astype(np.intp), names.tolist()
