# ruff: noqa: E741 (l and r are the contract's names for the ends of a range)
"""Ranges under local privacy: protocol, fast law and exact variance testify against each other.

Simulated, but for what the catalogue has (tests/laws/test_ranges.py): all 36 ranges at N = 8, squared errors against
the exact variance in units of their own standard error, |z| < 5: with normal tails a false alarm has probability below
6·2·36·5.7e-7 = 3e-4, once, when the stream is chosen.
"""

import numpy as np
import pytest

from ldpcore.mechanisms.direct import GRR
from ldpcore.mechanisms.unary import RAPPOR
from ldpcore.ranges import LocalHaar, LocalTree, every_range
from ldpcore.rng import stream

USERS, REPEATS = 300, 3000
FAMILY = {
    "haar": LocalHaar(3, 1.0),
    "consistent": LocalTree(3, 1.0),
    "completed": LocalTree(3, 1.0, 4),
    "plain": LocalTree(3, 1.0, 2, False),
    "rappor": LocalTree(3, 3.0, 2, True, RAPPOR),
}
L, R = every_range(8)


def population(name):
    counts = stream(13, "local", name).multinomial(USERS, np.array([30, 1, 2, 0, 10, 10, 5, 2]) / 60)
    return counts, counts / USERS


# Either oracle both ways; what follows on its counts does not know how they came about.
@pytest.mark.parametrize(("name", "way"), [
    ("completed", "collect"), ("rappor", "collect"), ("plain", "simulate"), ("rappor", "simulate"),
])  # fmt: skip
def test_exact_variance(name, way):
    p = FAMILY[name]
    counts, freq = population(name)
    rng = stream(13, "local", name, way)
    if way == "simulate":
        answers = p.simulate(counts, rng, REPEATS)
    else:
        values = np.repeat(np.arange(8), counts)
        answers = [p.collect(values, rng) for _ in range(REPEATS)]
    truth = np.array([freq[l - 1 : r].sum() for l, r in zip(L, R, strict=True)])
    errors = np.array([answer.ranges(L, R) for answer in answers]) - truth
    exact = np.array([p.variance(l, r, freq, USERS) for l, r in zip(L, R, strict=True)])
    assert np.abs(errors[:, exact < 1e-15]).max(initial=0) < 1e-9  # the total is known
    errors, exact = errors[:, exact > 1e-15], exact[exact > 1e-15]
    spread = (errors**2).std(axis=0) / REPEATS**0.5
    assert np.abs(((errors**2).mean(axis=0) - exact) / spread).max() < 5
    assert np.abs(errors.mean(axis=0) / np.sqrt(exact / REPEATS)).max() < 5


TABLE = {  # D: HaarHRR, consistent b = 2, 4, 8, 16, plain b = 2, 4, 8, 16 (theory/ranges#local)
    64: (5.2, 7.3, 6.6, 6.8, 10.0, 24.9, 17.7, 16.8, 26.4),
    256: (9.6, 12.4, 11.8, 14.1, 14.7, 48.4, 35.0, 39.3, 37.7),
    1024: (15.3, 18.9, 18.5, 24.7, 29.1, 80.1, 58.4, 72.1, 83.2),
    4096: (22.3, 26.6, 26.7, 29.9, 36.2, 120, 88, 88, 101),
}


@pytest.mark.parametrize("size", TABLE)
def test_average_noise(size):
    h = size.bit_length() - 1
    trees = [LocalTree(h, 1.0, b, consistent) for consistent in (True, False) for b in (2, 4, 8, 16)]
    mine = [p.average_noise_coefficient() for p in (LocalHaar(h, 1.0), *trees)]
    assert mine == pytest.approx(TABLE[size], abs=0.06)


@pytest.mark.parametrize("h", [1, 2, 5])
def test_the_average_is_the_mean_over_ranges(h):
    pairs = list(zip(*every_range(1 << h), strict=True))
    for p in (LocalHaar(h, 1.0), LocalTree(h, 1.0), LocalTree(h, 1.0, 4), LocalTree(h, 1.0, 4, False)):
        mean = np.mean([p.noise_coefficient(l, r) for l, r in pairs])
        assert p.average_noise_coefficient() == pytest.approx(mean, rel=1e-10)


def test_every_weight_of_the_noise_is_counted():
    """Σ c_jv² by the weights themselves is the O(log N) formula."""
    for p in (LocalTree(5, 1.0), LocalTree(5, 1.0, 4), LocalTree(5, 1.0, 2, False)):
        for l, r in ((1, 32), (3, 17), (8, 8), (9, 16)):
            squares = sum(float(w @ w) for w in p._weights(np.asarray(l - 1), np.asarray(r)))
            assert p.noise_coefficient(l, r) == pytest.approx(p.levels * squares, rel=1e-10, abs=1e-12)


def test_haar_is_dearer_than_its_unit_at_large_epsilon():
    """((E+1)/(E−1))² = 4E/(E−1)² + 1: in V_F alone HaarHRR looks best everywhere (theory/ranges#local); at ε = 3 it is
    not.
    """
    for epsilon in (0.5, 1.0, 3.0):
        e = np.exp(epsilon)
        assert LocalHaar(8, epsilon).moments[0] == pytest.approx(4 * e / (e - 1) ** 2 + 1)
    freq = np.full(256, 1 / 256)
    haar, tree = (p.variance(60, 190, freq, 10_000) for p in (LocalHaar(8, 3.0), LocalTree(8, 3.0, 4)))
    assert haar > tree


def test_large_collections():
    rng = stream(7)
    values = rng.integers(0, 1 << 12, 200_000)
    for p in (LocalHaar(12, 2.0), LocalTree(12, 2.0, 16)):
        got = p.collect(values, rng).range(1000, 3000)
        freq = np.bincount(values, minlength=1 << 12) / len(values)
        assert abs(got - freq[999:3000].sum()) < 6 * p.variance(1000, 3000, freq, len(values)) ** 0.5


def test_one_user_is_enough():
    """Then all levels but one are empty."""
    for p in FAMILY.values():
        assert np.isfinite(p.collect([3], stream(8)).cells).all()
        assert np.isfinite(p.simulate(np.eye(8, dtype=int)[3], stream(8), 1)[0].cells).all()


def test_refusals():
    with pytest.raises(ValueError, match="h must be at least 1 for local reports"):
        LocalHaar(0, 1.0)
    with pytest.raises(ValueError, match="h must be at least 1 for local reports"):
        LocalTree(0, 1.0)
    with pytest.raises(ValueError, match="epsilon must be positive and finite, got 0"):
        LocalTree(3, 0)
    with pytest.raises(ValueError, match="branching must be a power of two"):
        LocalTree(3, 1.0, 3)
    with pytest.raises(ValueError, match="oracle must be OUE or RAPPOR"):
        LocalTree(3, 1.0, 2, True, GRR)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="nobody reports"):
        LocalHaar(3, 1.0).collect([], stream(0))
    with pytest.raises(ValueError, match="must not end before it begins"):
        LocalHaar(3, 1.0).variance(3, 2, np.full(8, 1 / 8), 10)
    with pytest.raises(ValueError, match="values must be codes from 0 to 7"):
        LocalHaar(3, 1.0).collect([8], stream(0))
    with pytest.raises(ValueError, match="too large to write out"):
        LocalHaar(13, 1.0).simulate(np.ones(1 << 13, int), stream(0), 1)
    with pytest.raises(ValueError, match=r"n \(the number of users\) must be at least 1"):
        LocalHaar(3, 1.0).variance(1, 2, np.full(8, 1 / 8), 0)
