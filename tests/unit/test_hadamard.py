"""Hadamard response beyond the laws: the matrix itself, the number of blocks, the exact draw, the printed numbers.

Statistical comparisons use fixed streams at a false-alarm rate of 1e-6 each.
"""

from dataclasses import replace
from math import e, exp

import numpy as np
import pytest
from scipy.linalg import hadamard

from ldpcore.catalog import FREQUENCY
from ldpcore.limit import best
from ldpcore.mechanisms.hadamard import HR, UHR
from ldpcore.mechanisms.walsh import draw_symbols, odd, transform
from ldpcore.rng import stream
from tests.laws import cases, laws


@pytest.mark.parametrize("size", [1, 2, 8, 64])
def test_the_transform_is_sylvesters_matrix(size):
    matrix = hadamard(size) if size > 1 else np.ones((1, 1), int)
    rows = stream(1, "rows", size).integers(-9, 9, (3, size))
    assert np.array_equal(transform(rows), rows @ matrix)
    number = np.arange(size)
    assert np.array_equal(np.where(odd(number[:, None], number), -1, 1), matrix)


@pytest.mark.one_in(2)  # each number of blocks at every second ε, or at two
@pytest.mark.parametrize("blocks", [1, 2, 4, 8])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_every_number_of_blocks_obeys_the_exact_laws(blocks, epsilon):
    for mechanism in (
        HR(epsilon, 5, blocks),
        HR(epsilon, 9, blocks),
        UHR(epsilon, 7, cases.marks(7, 4), blocks=blocks),
    ):
        for law in laws.EXACT:
            if laws.applies(law, mechanism):
                law(mechanism)


def test_one_block_is_the_papers_first_version():
    """§4: own half with probability E/(E+1); K is the least power of two above k."""
    for k, size in ((3, 4), (4, 8), (18, 32), (31, 32), (32, 64)):
        m = HR(1.0, k, 1)
        assert size == m.K
        matrix = m.channel().matrix
        rows = hadamard(size)[1 : k + 1]
        expected = np.where(rows > 0, e, 1.0) / (e + 1) / (size / 2)
        assert np.allclose(matrix, expected)


def test_the_best_number_of_blocks_is_chosen():
    uniform = np.full(18, 1 / 18)
    for epsilon in (0.5, 1.0, 2.0, 3.0, 5.0, 40.0):
        m = HR(epsilon, 18)
        errors = [replace(m, blocks=1 << i).variance(uniform, 1).sum() for i in range(6)]
        assert m.variance(uniform, 1).sum() <= min(errors) * (1 + 1e-12)
    paper = replace(HR(1.0, 1024), blocks=2)
    large = np.full(1024, 1 / 1024)
    assert paper.variance(large, 1).sum() / HR(1.0, 1024).variance(large, 1).sum() == pytest.approx(1.536, abs=1e-3)


@pytest.mark.parametrize("epsilon", [1.0, 3.0])
def test_the_estimate_from_counts_beats_the_papers_fromdraw_symbols(epsilon):
    """The paper scores ±1/κ on a value's block; the totals per value, all that a tally keeps, do better."""
    m, uniform = HR(epsilon, 18, 4), np.full(18, 1 / 18)
    symbols = np.arange(m.K)
    same_block = symbols[:, None] // m.symbols.width == m._place // m.symbols.width
    score = (2.0 * m.symbols.owns(m._place, symbols) - same_block) / m.keep
    matrix = m.channel().matrix
    assert np.allclose(matrix @ score, np.eye(18))
    assert m.variance(uniform, 1).mean() < (uniform @ matrix @ score**2 - uniform).mean()


def test_symbols_are_uniform_among_a_rows_own():
    """χ² of the marginals, row by row, and of two users' joint law; whole counts are kept."""
    width, rng = 8, stream(2, "symbols")
    for row in range(width):
        holders = np.zeros(width, np.int64)
        holders[row] = 80_000
        drawn = draw_symbols(holders, rng)
        own = ~odd(np.full(width, row), np.arange(width))
        assert drawn.sum() == 80_000
        assert laws.fits(drawn, own / own.sum())
    pair = np.zeros((50_000, width), np.int64)
    pair[:, 3] = pair[:, 5] = 1
    drawn = draw_symbols(pair, rng)
    first, second = ([~odd(np.int64(row), np.int64(y)) for y in range(width)] for row in (3, 5))
    law = np.zeros((width, width))
    for y in range(width):
        for z in range(width):
            law[min(y, z), max(y, z)] += (first[y] / 4) * (second[z] / 4)
    low, high = np.argmax(drawn > 0, axis=1), width - 1 - np.argmax(drawn[:, ::-1] > 0, axis=1)
    assert laws.fits(np.bincount(low * width + high, minlength=width * width), law.ravel())


def test_symbols_of_a_billion_users_are_exact_in_number():
    holders = np.full((2, 1024), 10**9)
    assert (draw_symbols(holders, stream(3, "many")).sum(axis=1) == 1024 * 10**9).all()


@pytest.mark.parametrize(("key", "policy", "ratio"), [("HR", "LDP", 1.325), ("uHR", "ULDP", 1.274)])
def test_distance_to_the_limit(key, policy, ratio):
    """k = 18, 4 marked, ε = 1, uniform: n·MSE 4.286 and 0.546."""
    m = FREQUENCY[key].build(1.0, 18, np.arange(18) < 4)
    mse = m.variance(np.full(18, 1 / 18), 1).mean()
    assert mse / best(policy, 18, 4, 1.0).mse == pytest.approx(ratio, abs=1e-3)


def test_many_values_at_small_epsilon_pay_half_of_each_symbol():
    """(E+1)²/(E−1)² where the best has 4E/(E−1)²: what always sending half of the symbols costs."""
    for epsilon in (0.1, 1.0):
        growth = exp(epsilon)
        m = HR(epsilon, 1023, 1)
        assert m.variance(np.eye(1023)[0], 1)[1] == pytest.approx((growth + 1) ** 2 / (growth - 1) ** 2, rel=3e-3)


@pytest.mark.parametrize("blocks", [0, 3, -1])
def test_refuses_other_numbers_of_blocks(blocks):
    with pytest.raises(ValueError, match="blocks must be"):
        HR(1.0, 5, blocks)
