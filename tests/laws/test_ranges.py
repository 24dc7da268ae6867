# ruff: noqa: E741 (l and r are the contract's names for the ends of a range)
"""The laws of strategies for ranges, crossed with both catalogues: release, matrix and formulas testify.

A release is linear in its noise. With unit vectors for the noise it says what each measurement adds to each answer, so
that the laws of a curator's strategies are exact: no statistics, no false alarm. Local ones are simulated, |z| < 5.
"""

import random

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from ldpcore.catalog import LOCAL_RANGES, RANGES
from ldpcore.ranges import Matrix, RangeRelease, Strategy, every_range
from ldpcore.rng import stream

HEIGHTS = (0, 1, 3, 5)
every = pytest.mark.parametrize("key", RANGES)
everyone = pytest.mark.parametrize("key", LOCAL_RANGES)
high = pytest.mark.parametrize("h", HEIGHTS)


class Unit:
    """A generator whose noise is 1 at one place and 0 elsewhere; -1: nowhere. It notes how much was drawn, and how."""

    def __init__(self, at: int = -1) -> None:
        self.at, self.drawn, self.scales = at, 0, set()

    def laplace(self, center: float, scale: float, shape) -> np.ndarray:
        assert center == 0
        out = np.zeros(int(np.prod(shape)))
        if 0 <= self.at - self.drawn < len(out):
            out[self.at - self.drawn] = 1
        self.drawn, self.scales = self.drawn + len(out), self.scales | {scale}
        return out.reshape(shape)


def released(p: Strategy, at: int = -1, epsilon: float = 0.5) -> tuple[RangeRelease, Unit]:
    x, unit = np.arange(1.0, p.size + 1) ** 2, Unit(at)
    return p.release(x, epsilon, unit), unit  # type: ignore[arg-type]


@high
@every
def test_a_release_without_noise_is_the_truth(key, h):
    p = RANGES[key].build(h)
    l, r = every_range(p.size)
    exact = np.concatenate([[0], np.cumsum(np.arange(1.0, p.size + 1) ** 2)])
    answer, _ = released(p)
    assert answer.ranges(l, r) == pytest.approx(exact[r] - exact[l - 1], rel=1e-9)
    assert len(answer.cells) == p.size == 1 << h


@high
@every
def test_the_noise_is_that_of_the_matrix(key, h):
    """Δ is the largest column of |A|, and every measurement gets Lap(Δ/ε) once."""
    p = RANGES[key].build(h)
    _, unit = released(p)
    assert p.sensitivity == pytest.approx(np.abs(p.matrix()).sum(axis=0).max())
    assert unit.drawn == len(p.matrix())
    assert sorted(unit.scales) == pytest.approx([p.sensitivity / 0.5])


@high
@every
def test_the_formulas_are_those_of_the_release(key, h):
    """c of every range and the covariance of all cells, from what each unit of noise adds to them."""
    p = RANGES[key].build(h)
    l, r = every_range(p.size)
    plain, _ = released(p)
    noisy = [released(p, at)[0] for at in range(len(p.matrix()))]
    added = np.array([answer.ranges(l, r) - plain.ranges(l, r) for answer in noisy])
    cells = np.array([answer.cells - plain.cells for answer in noisy])
    assert p.coefficients(l, r) == pytest.approx((added**2).sum(axis=0), rel=1e-9)
    assert p.covariance_matrix() == pytest.approx(cells.T @ cells, abs=1e-9)
    assert p.average_coefficient() == pytest.approx(p.coefficients(l, r).mean(), rel=1e-9)


@high
@every
def test_no_answer_is_better_than_least_squares(key, h):
    """What is linear and unbiased in A·x + noise has at least the error of the pseudo-inverse (Gauss, Markov)."""
    p = RANGES[key].build(h)
    l, r = every_range(p.size)
    assert (p.coefficients(l, r) >= Matrix(p.matrix()).coefficients(l, r) * (1 - 1e-9)).all()


@every
def test_only_the_given_generator_is_used(key):
    p = RANGES[key].build(4)
    before = repr((random.getstate(), np.random.get_state()))  # noqa: NPY002
    one, two, other = (p.release(np.arange(16), 1.0, stream(seed, key)).cells for seed in (1, 1, 2))
    assert repr((random.getstate(), np.random.get_state())) == before  # noqa: NPY002
    assert np.array_equal(one, two)
    assert not np.array_equal(one, other)


# without a curator --------------------------------------------------------------------------------------------------

USERS, REPEATS = 300, 3000


@pytest.mark.one_in(2)  # each protocol by one of the two ways; of each oracle both: unit/test_ranges_local.py
@pytest.mark.parametrize("way", ["collect", "simulate"])
@everyone
def test_the_variance_is_that_of_the_protocol(key, way):
    """All 36 ranges at N = 8: with normal tails a false alarm has probability 2·36·5.7e-7 = 4e-5 for each case, once,
    when the stream is chosen."""
    p, rng = LOCAL_RANGES[key].build(3, 1.0), stream(17, "local", key, way)
    counts = stream(17, "people", key).multinomial(USERS, np.array([30, 1, 2, 0, 10, 10, 5, 2]) / 60)
    freq, (l, r) = counts / USERS, every_range(8)
    people = np.repeat(np.arange(8), counts)
    simulated = way == "simulate"
    answers = p.simulate(counts, rng, REPEATS) if simulated else [p.collect(people, rng) for _ in range(REPEATS)]
    total = np.concatenate([[0], np.cumsum(freq)])
    errors = np.array([answer.ranges(l, r) for answer in answers]) - (total[r] - total[l - 1])
    exact = np.array([p.variance(a, b, freq, USERS) for a, b in zip(l, r, strict=True)])
    assert np.abs(errors[:, exact < 1e-15]).max(initial=0) < 1e-9
    errors, exact = errors[:, exact > 1e-15], exact[exact > 1e-15]
    spread = (errors**2).std(axis=0) / REPEATS**0.5
    assert np.abs(((errors**2).mean(axis=0) - exact) / spread).max() < 5
    assert np.abs(errors.mean(axis=0) / np.sqrt(exact / REPEATS)).max() < 5


@pytest.mark.parametrize("h", [1, 2, 5])
@everyone
def test_the_average_is_the_mean_over_ranges(key, h):
    p = LOCAL_RANGES[key].build(h, 1.0)
    mean = np.mean([p.noise_coefficient(a, b) for a, b in zip(*every_range(1 << h), strict=True)])
    assert p.average_noise_coefficient() == pytest.approx(mean, rel=1e-9)


@pytest.mark.parametrize("key", list(RANGES))
def test_another_answer_is_two_neighbours_away(key):
    """ε is about who is there: for two answers of one person the measurements move up to twice as far, and for the
    farthest two nearly so, which is why no page promises e^ε between answers.
    """
    strategy = RANGES[key].build(8)
    measured = strategy.matrix().T
    apart = cdist(measured, measured, "cityblock")
    assert apart.max() <= 2 * strategy.sensitivity + 1e-9
    assert apart.max() > strategy.sensitivity
