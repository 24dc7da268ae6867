"""Moments and probabilities of the mechanisms for numbers against 60 digits, from their definitions.

theory/numbers#em and theory/limits#numbers, integrated piece by piece in exact arithmetic.
"""

from decimal import Decimal, localcontext
from itertools import pairwise

import numpy as np
import pytest

from ldpcore.catalog import MEANS
from tests.each import for_each

LOW = ((-0.625, -0.125), (0.25, 0.75))
X = (-1.0, -0.8125, -0.5, 0.0, 0.3125, 0.9375, 1.0)
EPSILONS = (1e-6, 1e-3, 0.5, 1.0, 2.0, 5.0, 12.0, 25.0, 33.0, 40.0)


def d(x):
    return Decimal(float(x))


def split(pieces, holes):
    """Pieces (left, right, density) without the holes."""
    for left, right in holes:
        parts = [part for a, b, p in pieces for part in ((a, min(b, left), p), (max(a, right), b, p))]
        pieces = [(a, b, p) for a, b, p in parts if b > a]
    return pieces


def window(reach, start, stop, near, far):
    return [(-reach, start, far), (start, stop, near), (stop, reach, far)], []


def duchi(e, x):
    size = (e.exp() + 1) / (e.exp() - 1)
    up = (1 + x / size) / 2
    return [], [(size, up), (-size, 1 - up)]


def pm(e, x):
    half = (e / 2).exp()
    c, p = (half + 1) / (half - 1), (e.exp() - half) / (2 * half + 2)
    start = (c + 1) * x / 2 - (c - 1) / 2
    return window(c, start, start + c - 1, p, p / e.exp())


def hm(e, x):
    if e <= d(0.6093525):
        return duchi(e, x)
    share = 1 - (-e / 2).exp()
    return [(a, b, share * p) for a, b, p in pm(e, x)[0]], [(a, (1 - share) * p) for a, p in duchi(e, x)[1]]


def sw(e, x):
    growth = e.exp()
    beta = (e * growth - growth + 1) / (2 * growth * (growth - 1 - e))
    q = 1 / (2 * beta * growth + 1)
    return window(1 + 2 * beta, x - 2 * beta, x + 2 * beta, growth * q / 2, q / 2)


def sdpm(e, x):
    low = [(d(a), d(b)) for a, b in LOW]
    if not any(a <= x <= b for a, b in low):
        return pm(e, x)
    half = (e / 2).exp()
    c, far = (half + 1) / (half - 1), (e.exp() - half) / (2 * half + 2) / e.exp()
    pieces = split([(-c, c, far)], low)
    return pieces, [(x, 1 - sum((b - a) * p for a, b, p in pieces))]


def uternary(e, x):
    """s₀ = 0, h = 1: both ends of the range are marked."""
    m, growth = MEANS["uTernary"].build(float(e), LOW), e.exp()
    low = any(d(a) <= x <= d(b) for a, b in LOW)
    theta = d(m.theta)
    if m.windowed:
        part = d(m.design.window)
        stray = 1 / (growth + theta * (1 / part - 1))
        rate = (growth - 1) * stray
        size = 1 / (rate * theta)
        c, zero = size / (1 - part), (1 - theta) * stray
        far = theta * stray / part / (2 * c)
        if low:
            return [(-c, c, far)], [(x / rate, rate), (Decimal(0), zero)]
        window_ = window(c, size * x - part * c, size * x + part * c, growth * far, far)
        return window_[0], [(Decimal(0), growth * zero)]
    rate, size = (growth - 1) / (growth + theta), (growth + theta) / (theta * (growth - 1))
    fair, zero = (1 - rate) * theta / (1 + theta), (1 - rate) * (1 - theta) / (1 + theta)
    if low:
        return [], [(x / rate, rate), (size, fair), (-size, fair), (Decimal(0), zero)]
    up, down = (fair + rate * theta * (1 + sign * x) / 2 for sign in (1, -1))
    return [], [(size, up), (-size, down), (Decimal(0), zero + rate * (1 - theta))]


LAWS = {"Duchi": duchi, "PM": pm, "HM": hm, "SW": sw, "SDPM": sdpm, "uTernary": uternary}


def moment(law, power):
    pieces, atoms = law
    flat = sum((p * (b ** (power + 1) - a ** (power + 1)) / (power + 1) for a, b, p in pieces), Decimal(0))
    return flat + sum((p * (at**power if power else 1) for at, p in atoms), Decimal(0))


@for_each("epsilon", EPSILONS)
@for_each("key", LAWS)
def test_sixty_digits(key, epsilon):
    m = MEANS[key].build(epsilon, LOW, bins=8)
    mean, spread = m.report_moments(np.array(X))
    edges = np.unique(np.concatenate([m.edges[[0, -1]], np.linspace(-0.9, 0.9, 7)]))
    mass = m.mass(np.array(X), edges)
    with localcontext() as context:
        context.prec = 60
        for i, x in enumerate(X):
            law = LAWS[key](d(epsilon), d(x))
            assert abs(moment(law, 0) - 1) < Decimal("1e-40")
            exact = moment(law, 1), moment(law, 2) - moment(law, 1) ** 2
            assert mean[i] == pytest.approx(float(exact[0]), rel=1e-12, abs=1e-12 * float(exact[1]) ** 0.5)
            assert spread[i] == pytest.approx(float(exact[1]), rel=1e-12)
            for j in range(1, len(edges) - 2):
                a, b = d(edges[j]), d(edges[j + 1])
                inside = sum((p * max(min(b, stop) - max(a, start), 0) for start, stop, p in law[0]), Decimal(0)) + sum(
                    (p for at, p in law[1] if a <= at < b), Decimal(0)
                )
                assert mass[i, j] == pytest.approx(float(inside), rel=1e-9, abs=0), (x, j)


@for_each("epsilon", EPSILONS)
def test_laplace_tails(epsilon):
    """Far out too: e⁻⁵⁶ of the reports of −1 lie above 1.8 at ε = 40."""
    m, edges = MEANS["Laplace"].build(epsilon), np.array([-3.0, -1.5, -0.25, 0.0, 0.5, 1.8, 2.5])
    mass = m.mass(np.array(X), edges)
    with localcontext() as context:
        context.prec = 60
        rate = d(epsilon) / 2

        def below(t):
            return (rate * t).exp() / 2 if t < 0 else 1 - (-rate * t).exp() / 2

        for i, x in enumerate(X):
            cuts = [Decimal(0), *(below(d(edge) - d(x)) for edge in edges[1:-1]), Decimal(1)]
            for j, (a, b) in enumerate(pairwise(cuts)):
                assert mass[i, j] == pytest.approx(float(b - a), rel=1e-12, abs=0)
