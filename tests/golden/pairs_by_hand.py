"""A second witness of a difference of two groups, from uSS's definition and nothing of the engine.

Its reports are listed as sets, its scores are the one symmetric, unbiased choice whose sum is 1, and the error is
summed report by report.
"""

from itertools import combinations
from math import ceil, exp, sqrt
from statistics import NormalDist

import numpy as np


def chances(k, marked, epsilon, w):
    """(reports, k): a w-set of marked values, with the own one a = wE/D; else the own answer alone, r = w(E − 1)/D."""
    codes, growth = [int(v) for v in np.flatnonzero(marked)], exp(epsilon)
    total = w * growth + len(codes) - w
    sets = list(combinations(codes, w))
    rows = []
    for report in sets:
        holding = len(sets) * w / len(codes)
        own, other = w * growth / total / holding, (1 - w * growth / total) / max(len(sets) - holding, 1)
        shown = w * (growth - 1) / total
        rows.append([(1 - shown) / len(sets) if v not in codes else own if v in report else other for v in range(k)])
    rows += [[w * (growth - 1) / total * (v == u) for v in range(k)] for u in range(k) if u not in codes]
    return np.array(rows), sets


def scored(k, marked, epsilon, w):
    """Chances and scores, (reports, k) each."""
    p, sets = chances(k, marked, epsilon, w)
    codes = [int(v) for v in np.flatnonzero(marked)]
    v, n = codes[0], len(codes)
    own = sum(chance for chance, report in zip(p[:, v], sets, strict=False) if v in report)
    on, rest = np.linalg.lstsq([[own, 1.0], [w, n]], [1.0, 1.0])[0]
    s = np.zeros(p.shape)
    for at, report in enumerate(sets):
        s[at, codes] = [on * (u in report) + rest for u in codes]
    for at, u in enumerate((v for v in range(k) if v not in codes), len(sets)):
        shown = p[at, u]
        s[at, u], s[at, codes] = 1 / shown, (1 - 1 / shown) / n
    return p, s


def usual(k, marked, epsilon):
    """Chances and scores for the set size that errs least at shares even within the marked ones, and of all."""
    if not marked.any():
        return np.eye(k), np.eye(k)
    even, sigma = np.full(k, 1 / k), int(marked.sum())

    def error(w):
        p, s = scored(k, marked, epsilon, w)
        return float(((p @ even) @ s**2).sum())

    best = min(range(1, max(2, sigma)), key=lambda w: (round(error(w), 9), w))
    return scored(k, marked, epsilon, best)


def asked(how, mx, my, epsilon):
    """Chances and scores of pairs, (reports, K) each."""
    if how == "as one":
        return usual(len(mx) * len(my), np.array([a or b for a in mx for b in my]), epsilon)
    if how == "open":
        x, y = (np.eye(len(mx)),) * 2, usual(len(my), my, epsilon)
    else:
        x, y = usual(len(mx), mx, epsilon / 2), usual(len(my), my, epsilon / 2)
    return np.kron(x[0], y[0]), np.kron(x[1], y[1])


def n_var(sent, f, y, one, other):
    """n·Var of Pr[y | one] − Pr[y | other], people like these."""
    p, s = sent
    slope = np.zeros(f.shape)
    for sign, side in ((1, one), (-1, other)):
        size = f[side].sum()
        share = f[side][:, y].sum() / size
        slope[side] = sign * (np.where(y, 1.0, 0.0) - share) / size
    return float(p @ f.ravel() @ (s @ slope.ravel()) ** 2)


def people(sent, f, y, one, other):
    """Who tell it from 0 at 5 %, 80 times in 100."""
    of = [f[side][:, y].sum() / f[side].sum() for side in (one, other)]
    both = f[one | other]
    pooled, level = both[:, y].sum() / both.sum(), f.copy()
    for side, share in zip((one, other), of, strict=True):
        for part, factor in ((y, pooled / share), (~y, (1 - pooled) / (1 - share))):
            level[np.ix_(side, part)] *= factor
    z, ahead = NormalDist().inv_cdf(0.975), NormalDist().inv_cdf(0.8)
    null, here = (n_var(sent, table, y, one, other) for table in (level, f))
    return ceil(((z * sqrt(null) + ahead * sqrt(here)) / (of[0] - of[1])) ** 2)
