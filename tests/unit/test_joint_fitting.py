"""Noisy counts pulled towards a guess: by precision, with what the table shows beyond its noise."""

import numpy as np
import pytest

from ldpcore.marginals.factors import product, summed
from ldpcore.marginals.fitting import fitted, grouped, pulled
from ldpcore.rng import stream
from tests.each import for_each

SIZES = (3, 2, 4, 2, 3)
CHAINS = {
    "two that meet twice": [(0, 1, 2), (1, 2, 3, 4)],
    "a ring": [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)],
    "all in all": [(0, 1, 2, 3, 4), (0, 2, 4), (1, 3)],
    "apart": [(0, 1), (2, 3, 4)],
    "one alone": [(0, 1, 2, 3), (4,)],
}


@pytest.mark.parametrize("guess", [[10.0, 10.0, 10.0, 10.0], [4.0, 10.0, 16.0, 10.0]])
def test_cells_share_the_spread_that_the_table_shows(guess):
    """Squares of what is off: 1, 4, 9 and 100, noise 5 each. 114 − 20 are shared in proportion to the guesses' squares,
    and the last cell shows more by itself: 95.
    """
    guess, off = np.array(guess), np.array([1.0, -2.0, 3.0, 10.0])
    found = pulled(guess + off, guess, 5.0)
    for i in range(4):
        spread = max(94 * guess[i] ** 2 / (guess @ guess), off[i] ** 2 - 5.0)
        wanted = np.average([guess[i], guess[i] + off[i]], weights=[1 / spread, 1 / 5.0])
        assert found[i] == pytest.approx(wanted)


def test_a_table_that_is_no_further_off_than_its_noise_is_the_guess():
    guess = np.array([3.0, 8.0, 0.0])
    assert pulled(guess + np.array([1.0, -1.0, 1.0]), guess, 5.0) == pytest.approx(guess)
    assert np.isfinite(pulled(np.ones(3), np.zeros(3), 0.5)).all()


@for_each("columns", CHAINS.values())
@for_each("kept", [(0, 3), (0, 1, 2, 3, 4), (4,), ()])
def test_a_product_is_summed_without_its_cells(columns, kept):
    rng = stream(7)
    factors = [(each, rng.random([SIZES[column] for column in each])) for each in columns]
    cells = np.einsum(*(part for each, factor in factors for part in (factor, each)), range(5))
    assert product(factors, range(5)) == pytest.approx(cells)
    wanted = cells.sum(axis=tuple(set(range(5)) - set(kept)))
    assert summed(factors, kept) == pytest.approx(wanted)


def test_a_column_that_no_factor_has_keeps_its_axis():
    assert summed([((1,), np.array([2.0, 3.0]))], (0, 1)).tolist() == [[2.0, 3.0]]
    assert summed([], (0, 1)).tolist() == [[1.0]]


@pytest.mark.parametrize("block", [1, 20, 20_000])
def test_a_fit_has_every_table_whatever_the_groups(block, monkeypatch):
    """A ring of four tables and a column without one: the fit has the tables, and elsewhere what independence gives."""
    monkeypatch.setattr("ldpcore.marginals.fitting.BLOCK", block)
    true = stream(8).random((3, 2, 4, 2)) ** 3
    true *= 500 / true.sum()
    joint = true[..., None] * np.array([0.5, 0.3, 0.2])
    singles = [joint.sum(axis=tuple(set(range(5)) - {column})) for column in range(5)]
    tables = {(a, b): joint.sum(axis=tuple(set(range(5)) - {a, b})) for a, b in [(0, 1), (1, 2), (2, 3), (0, 3)]}
    assert len(grouped(tables, joint.shape)) == {1: 4, 20: 2, 20_000: 1}[block]
    found = fitted(singles, tables, 500.0)
    assert found.shape == joint.shape
    assert found.sum() == pytest.approx(500)
    for (a, b), table in tables.items():
        there = found.sum(axis=tuple(set(range(5)) - {a, b}))
        assert np.abs(there - table).sum() / 2 < 0.01 * 500, (a, b)
    assert np.allclose(found / found.sum(axis=4, keepdims=True), np.array([0.5, 0.3, 0.2]))


def test_without_tables_columns_are_independent():
    found = fitted([np.array([30.0, 70.0]), np.array([20.0, 50.0, 30.0])], {}, 100.0)
    assert found == pytest.approx(np.outer([30, 70], [20, 50, 30]) / 100)
