"""What false reports do to an estimate, by the scores of the reports that a collector accepts.

b of n reports are false, the others honest with shares f: the estimate moves by (b/n)(S(y) − f), S(y) being `scores`.
An honest holder of v adds 1 to S_v on average, so the largest S_v is how many of them one liar counts as
(theory/manipulation). All of it is exact; with hashes it is "at most": some seed puts few values into one bucket.

>>> from ldpcore import catalog
>>> m = catalog.FREQUENCY["uSS"].build(1.0, 16, np.arange(16) < 4)
>>> low, high = extremes(m)
>>> (high - low)[[0, 15]].round(3).tolist(), round(least_range(4, 1.0), 3), round(least_range(1, 1.0), 3)
([3.246, 2.164], 3.246, 1.582)
>>> liars(m, np.full(16, 1 / 16), n=5000, value=0)  # that many move it past its own ±, up or down
(101, 127)
"""

from collections.abc import Callable
from math import expm1, floor, inf, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from ldpcore import checks
from ldpcore.numeric_randomizer import NumericRandomizer
from ldpcore.randomizer import Randomizer
from ldpcore.set_randomizer import SetRandomizer

Vector = NDArray[np.float64]
Shares = Randomizer | SetRandomizer


def extremes(m: Shares | NumericRandomizer) -> tuple[Vector, Vector]:
    """The least and the largest score of one report: two (k,), of each value or item; of numbers two (1,), on their
    scale, where people lie in [-1, 1]. ±inf where reports have no end; NotEnumerable where they have no closed form and
    are too many to list.
    """
    if isinstance(m, NumericRandomizer):
        low, high = m.extremes()
        return np.array([low]), np.array([high])
    if _endless(m):
        return np.full(m.k, -inf), np.full(m.k, inf)
    if families := m.families():
        each = [family.extremes() for family in families]
        return np.min([low for low, _ in each], axis=0), np.max([high for _, high in each], axis=0)
    listed = _listed(m)
    return listed.min(axis=0), listed.max(axis=0)


def contrast(m: Shares, weights: ArrayLike) -> float:
    """The largest Σ weights·S of one report; weights (k,): 1 at targets is Cao's gain (Cao, Jia, Gong 2021), 1 and −1 a
    difference of two shares. b false reports of n move Σ weights·f by (b/n)(this − Σ weights·f).

    >>> from ldpcore import catalog
    >>> round(contrast(catalog.FREQUENCY["OUE"].build(1.0, 16), np.arange(16) < 4), 3)  # 2r + 2r/(E − 1) of r = 4
    12.656
    """
    each = np.asarray(weights, float)
    if each.shape != (m.k,) or not np.isfinite(each).all():
        raise ValueError(f"weights must be {m.k} finite numbers, one for each value, got shape {each.shape}")
    return _most(m, lambda scores: scores * each)


def spread(m: Shares, freq: ArrayLike, norm: int = 1) -> float:
    """The largest ‖S − f‖ of one report, over all shares together: norm 1 or 2."""
    f = np.asarray(freq, float)
    if f.shape != (m.k,):
        raise ValueError(f"freq must have one share for each of {m.k} values, got shape {f.shape}")
    if norm not in (1, 2):
        raise ValueError(f"norm is 1 (the sum of what all shares move by) or 2 (its root of squares), got {norm!r}")
    most = _most(m, lambda scores: np.abs(scores - f) ** norm)
    return most if norm == 1 else sqrt(most)


def liars(
    m: Shares | NumericRandomizer, freq: ArrayLike, n: int, value: int = 0, level: float = 0.95
) -> tuple[int, int]:
    """The least number of false reports among n that move the share of `value` up, and down, past its own ± at `level`:
    √n·z·σ of them, as many as it takes. Of a mechanism for numbers `freq` are people's numbers in [-1, 1].
    """
    checks.integer(n, "n (people)", 1)
    z = -float(ndtri((1 - level) / 2))
    low, high = extremes(m)
    if isinstance(m, NumericRandomizer):
        x = checks.scaled(freq)
        half, share, value = z * sqrt(float(m.moments(x, "unbiased")[1].mean()) / n), float(x.mean()), 0
    else:
        f = np.asarray(freq, float)
        half, share = z * sqrt(float(m.variance(f, n)[value])), float(f[value])
    return _needed(half * n, high[value] - share), _needed(half * n, share - low[value])


def moved(m: Shares, freq: ArrayLike, n: int, liars: int) -> tuple[Vector, Vector]:
    """The least and the largest estimate of each share (k,), on average, if so many of n reports are false and all
    others honest, with shares freq (k,): f + (b/n)(S − f), each value for itself; no report does it for all at once.

    >>> from ldpcore import catalog
    >>> m = catalog.FREQUENCY["uSS"].build(2.0, 4, [False, False, True, True])
    >>> [each.round(3).tolist() for each in moved(m, [0.4, 0.3, 0.2, 0.1], n=28, liars=1)]
    [[0.386, 0.289, 0.187, 0.091], [0.433, 0.336, 0.234, 0.138]]
    """
    f = np.asarray(freq, float)
    if not 0 <= liars <= checks.integer(n, "n (people)", 1):
        raise ValueError(f"of {n} people between none and all lie, got {liars}")
    low, high = extremes(m)
    return f + liars / n * (low - f), f + liars / n * (high - f)


def _needed(distance: float, each: float) -> int:
    return 1 if each == inf else floor(distance / each) + 1


def least_range(k: int, epsilon: float) -> float:
    """R*(k, ε): of the k shares of an ε-LDP mechanism whose scores are unbiased, one has at least this range of scores.
    Proved, and reached by subset selection (theory/manipulation#limit); of k marked values under ULDP the same, reached
    by uSS; of one marked or unmarked value, k = 1, E/(E − 1).

    >>> [round(least_range(k, 1.0), 3) for k in (1, 2, 16)]
    [1.582, 2.164, 3.828]
    """
    checks.integer(k, "k (values)", 1)
    gain = expm1(checks.epsilon(epsilon))
    if k == 1:
        return 1 + 1 / gain
    w = np.arange(1, k)
    return float(np.min((k - 1) * (w * gain + k) / (gain * w * (k - w))))


def _endless(m: Shares) -> bool:
    return isinstance(m, Randomizer) and m.summed


def _listed(m: Shares) -> Vector:
    if not isinstance(m, Randomizer):
        raise TypeError(f"{type(m).__name__} names no families of reports")
    return m.listed_scores()


def _most(m: Shares, part: Callable[[Vector], Vector]) -> float:
    """The largest Σ_v part(S)_v of one report."""
    if _endless(m):
        return inf
    if families := m.families():
        return max(family.most(part(family.on), part(family.off)) for family in families)
    return float(part(_listed(m)).sum(axis=-1).max())
