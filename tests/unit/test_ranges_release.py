"""Releases against their formulas, and one stream, one answer.

A release is linear in its noise: unit vectors for the noise say how much of each measurement's is in each answer, so
that nothing is random but the noise itself, which is looked at once.
"""

# ruff: noqa: E741 (l and r are the contract's names for the ends of a range)

import numpy as np
import pytest
from scipy import stats

from ldpcore.ranges import Identity, Matrix, NestedTree, Privelet, Tree, every_range
from ldpcore.rng import stream
from tests.each import for_each
from tests.laws.test_ranges import released

STRATEGIES = {
    "identity": Identity(4),
    "privelet": Privelet(4),
    "plain": Tree(4),
    "plain without root": Tree(4, 4, root=False),
    "boost": Tree(4, 2, True),
    "boost without root": Tree(4, 4, True, False),
    "completed": Tree(4, 8, True),
    "weighted": NestedTree(4, (1, 4, 16), (1.0, 0.5, 2.0)),
    "matrix": Matrix(Tree(4, 4, True).matrix()),
}


@for_each("name", STRATEGIES)
def test_the_variance_is_that_of_the_release(name):
    p, (l, r) = STRATEGIES[name], every_range(16)
    truth = released(p)[0].ranges(l, r)
    exact = np.concatenate([[0], np.cumsum(np.arange(1.0, 17) ** 2)])
    assert truth == pytest.approx(exact[r] - exact[l - 1], rel=1e-9)
    unit = released(p)[1]
    (scale,) = unit.scales
    assert scale == pytest.approx(p.sensitivity / 0.5)
    added = np.array([released(p, at)[0].ranges(l, r) - truth for at in range(unit.drawn)])
    assert p.noise(0.5) * p.coefficients(l, r) == pytest.approx(2 * scale**2 * (added**2).sum(axis=0), rel=1e-9)
    assert [p.variance(3, 7, 0.5)] == pytest.approx(p.noise(0.5) * p.coefficients([3], [7]))


def test_the_noise_is_laplace():
    """Lap(1/0.7) on 65 536 cells, with a false alarm in 1e-6 (Kolmogorov, Smirnov) and 6e-7 (variance, kurtosis 6)."""
    noise = Identity(16).release(np.zeros(1 << 16), 0.7, stream(13, "noise")).cells
    assert stats.kstest(noise, stats.laplace(scale=1 / 0.7).cdf).pvalue > 1e-6
    assert (noise**2).mean() == pytest.approx(2 / 0.7**2, rel=5 * (5 / len(noise)) ** 0.5)


@for_each("name", STRATEGIES)
def test_one_stream_one_answer(name):
    p = STRATEGIES[name]
    one, other = (p.release(np.arange(16), 1.0, stream(1, name)) for _ in range(2))
    assert np.array_equal(one.cells, other.cells)
    assert one.range(3, 7) == other.range(3, 7) == pytest.approx(float(one.ranges([3], [7])[0]))


def test_a_plain_tree_answers_with_nodes_the_others_with_cells():
    x = np.arange(16)
    plain = Tree(4).release(x, 1.0, stream(2))
    assert plain.range(1, 16) == plain.levels[-1][0]
    assert plain.range(1, 16) != pytest.approx(plain.cells.sum())
    assert plain.range(2, 5) == pytest.approx(plain.cells[1] + plain.levels[1][1] + plain.cells[4])
    boost = Tree(4, 2, True).release(x, 1.0, stream(2))
    assert boost.range(2, 5) == pytest.approx(boost.cells[1:5].sum())


def test_large_release_is_linear():
    x = np.ones(1 << 18)
    for p in (Privelet(18), Tree(18), Tree(18, 16, True, False)):
        answer = p.release(x, 1.0, stream(3))
        assert len(answer.cells) == 1 << 18
        assert abs(answer.range(1, 1 << 18) - (1 << 18)) < 8 * p.variance(1, 1 << 18, 1.0) ** 0.5


def test_an_empty_database_is_released_like_any_other():
    assert len(Privelet(3).release(np.zeros(8), 1.0, stream(4)).cells) == 8
