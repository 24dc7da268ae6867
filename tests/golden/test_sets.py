"""Numbers of docs/theory, to their printed digits (theory/sets#suwheel-j, theory/sets#uprivset and others)."""

import numpy as np
import pytest

from ldpcore.catalog import SETS
from ldpcore.rng import stream
from tests.each import for_each

K, M = 1024, 8
MARKS = np.arange(K) < 256
JOINT = [  # theory/sets#suwheel-j: n·Var on S, on N, mean
    (0.1, "suGRR", 1.3e7, 159, 3.2e6),
    (0.1, "suGRR-Sample", 1.5e6, 152, 3.7e5),
    (0.1, "suRAP", 25600, 1.25, 6401),
    (0.1, "suWheel", 5016, 0.0004, 1254),
    (0.1, "suWheel-J", 4888, 1.83, 1223),
    (1.0, "suGRR", 1.15e5, 15, 2.9e4),
    (1.0, "suGRR-Sample", 5574, 9.4, 1400),
    (1.0, "suRAP", 256, 0.12, 64.1),
    (1.0, "suWheel", 37.6, 0.0004, 9.41),
    (1.0, "suWheel-J", 29.8, 0.20, 7.60),
    (2.0, "suGRR", 25323, 7.0, 6336),
    (2.0, "suGRR-Sample", 412, 2.6, 105),
    (2.0, "suRAP", 63.9, 0.06, 16.0),
    (2.0, "suWheel", 6.59, 0.0005, 1.65),
    (2.0, "suWheel-J", 4.45, 0.12, 1.20),
]
MEANS = [  # theory/sets#uprivset
    (0.1, 955.8, 1223, 1254, 6401),
    (1.0, 6.253, 7.60, 9.41, 64.1),
    (2.0, 0.997, 1.20, 1.65, 16.0),
    (4.0, 0.113, 0.173, None, 4.0),
]


def error(key, epsilon, k=K, m=M, marks=MARKS):
    return SETS[key].build(epsilon, k, marks, m).variance(np.full(k, m / k), 1)


def printed(value, shown):
    """Equal in the digits that are printed."""
    digits = len(f"{shown:e}".split("e")[0].replace(".", "").rstrip("0"))
    return float(f"{value:.{digits - 1}e}") == shown


@for_each(("epsilon", "key", "inside", "outside", "mean"), JOINT)
def test_errors_with_and_without_the_joint_promise(epsilon, key, inside, outside, mean):
    v = error(key, epsilon)
    assert printed(v[MARKS].mean(), inside)
    assert printed(v[~MARKS].mean(), outside)
    assert printed(v.mean(), mean)


@pytest.mark.parametrize(("epsilon", "best", "joint", "wheel", "bits"), MEANS)
def test_uprivset_is_near_the_limit(epsilon, best, joint, wheel, bits):
    for key, shown in (("uPrivSet", best), ("suWheel-J", joint), ("suWheel", wheel), ("suRAP", bits)):
        assert shown is None or printed(error(key, epsilon).mean(), shown)


def test_privset_is_below_wheel():
    """33.1 : 37.6 at d = 1024, m = 8, ε = 1 (theory/sets#privset)."""
    assert printed(error("PrivSet", 1.0).mean(), 33.1)
    assert printed(error("Wheel", 1.0).mean(), 37.6)


@pytest.mark.parametrize(("epsilon", "w"), [(0.1, 60), (1.0, 33), (2.0, 15), (4.0, 2)])
def test_privset_sizes(epsilon, w):
    """The best by a full scan; here by ternary search, and no neighbour is better."""
    mech = SETS["PrivSet"].build(epsilon, K, m=M)
    assert mech.w == w
    for other in (w - 1, w + 1):
        if other:
            a, b, gap = mech._rates_of(other)
            f = M / K
            assert (f * a * (1 - a) + (1 - f) * b * (1 - b)) / gap**2 >= mech.variance(np.full(K, f), 1)[0]


def test_privset_against_the_proven_limit():
    """n·Σ Var ≥ m(1−m/d)(d−1)·4E/(E−1)² + m²/d − m: within 29, 13, 5, 1 % at ε = 0.1, 1, 2, 4."""
    for epsilon, above in ((0.1, 0.29), (1.0, 0.13), (2.0, 0.05), (4.0, 0.01)):
        e = np.exp(epsilon)
        limit = M * (1 - M / K) * (K - 1) * 4 * e / (e - 1) ** 2 + M * M / K - M
        assert error("PrivSet", epsilon).sum() / limit - 1 == pytest.approx(above, abs=0.006)


def test_an_undisclosed_slot_points_to_a_sensitive_item():
    """suWheel, m = 8, ε = 0.1, hash unknown: exactly seven disclosed has probability 0.724 with one sensitive item held
    and 0.266 with none (theory/sets#undisclosed-slot), 2.7 times; real reports agree (binomial z < 5, 6e-7).
    """
    mech = SETS["suWheel"].build(0.1, 64, np.arange(64) < 16, 8)
    one, none = mech.disclosed(7)[7], mech.disclosed(8)[7]
    assert one == pytest.approx(0.724, abs=1e-3)
    assert none == pytest.approx(0.266, abs=1e-3)
    assert one / none == pytest.approx(2.7, abs=0.05)
    n = 40_000
    for first, chance in ((0, one), (27, none)):
        reports = mech.perturb(np.tile(np.r_[first, 20:27], (n, 1)), stream(1, first))
        seven = np.mean((reports["disclosed"] >= 0).sum(axis=1) == 7)
        assert abs(seven - chance) < 5 * np.sqrt(chance * (1 - chance) / n)
