"""Releases against their formulas by simulation, and one stream, one answer.

For each strategy, 20 ranges and R draws on a fixed stream; the squared errors' mean against the exact variance, in
units of its own standard error (measured: kurtosis differs). The largest |z| of all 360 (means too) must stay below 5:
by Bonferroni, with normal tails, a false alarm has probability 360·5.7e-7 = 2e-4, once, when the stream is chosen.
A variance wrong by 10 % is 6 standard errors or more at R = 20,000 (kurtosis at most 6).
"""

# ruff: noqa: E741 (l and r are the contract's names for the ends of a range)

import numpy as np
import pytest

from ldpcore.ranges import Identity, Levels, Matrix, Privelet, Tree
from ldpcore.rng import stream

REPEATS = 20_000
STRATEGIES = {
    "identity": Identity(4),
    "privelet": Privelet(4),
    "plain": Tree(4),
    "plain without root": Tree(4, 4, root=False),
    "boost": Tree(4, 2, True),
    "boost without root": Tree(4, 4, True, False),
    "completed": Tree(4, 8, True),
    "weighted": Levels(4, (1, 4, 16), (1.0, 0.5, 2.0)),
    "matrix": Matrix(Tree(4, 4, True).matrix()),
}


@pytest.mark.parametrize("name", STRATEGIES)
def test_simulated_variance_is_the_exact_one(name):
    p = STRATEGIES[name]
    pick = stream(13, "ranges", name)
    l, r = np.sort(pick.integers(1, 17, (2, 20)), axis=0)
    x = pick.integers(0, 50, 16).astype(float)
    truth = np.array([x[a - 1 : b].sum() for a, b in zip(l, r, strict=True)])
    rng = stream(13, "release", name)
    errors = np.array([p.release(x, 0.7, rng).ranges(l, r) for _ in range(REPEATS)]) - truth
    exact = p.noise(0.7) * p.coefficients(l, r)
    squares = errors**2
    z = (squares.mean(axis=0) - exact) / (squares.std(axis=0) / REPEATS**0.5)
    assert np.abs(z).max() < 5
    assert np.abs(errors.mean(axis=0) / np.sqrt(exact / REPEATS)).max() < 5


@pytest.mark.parametrize("name", STRATEGIES)
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
