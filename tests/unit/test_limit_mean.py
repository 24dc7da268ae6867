"""The limit of a mean: certified from both sides, checked against every column there is and every mechanism."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog

from ldpcore.catalog import MEANS
from ldpcore.limit import best_mean

K = 11
X = np.linspace(-1, 1, K)
FREQ = np.full(K, 1 / K)
REGIONS = {"upper end": X >= 0.5, "middle": np.abs(X) < 0.3, "both ends": np.abs(X) >= 0.5}
# Just short of the marked points: the hull of a mechanism must not be wider than theirs.
LOWS = {"upper end": ((-1, 0.5999),), "middle": ((-1, -0.2001), (0.2001, 1)), "both ends": ((-0.5999, 0.5999),)}


@pytest.mark.parametrize("epsilon", [0.5, 3.0])
@pytest.mark.parametrize("marked", [None, np.array([False, False, True, True])])
def test_all_columns_do_not_go_lower(epsilon, marked):
    """At K = 4 the program with all 16 columns (and the unit columns) and a fine grid of scores."""
    x, freq, growth = np.array([-1, -0.4, 0.3, 1.0]), np.array([0.4, 0.3, 0.2, 0.1]), np.exp(epsilon)
    found = best_mean(epsilon, x, freq, marked)
    columns = np.array(list(product([1.0, growth], repeat=4)))
    if marked is not None:
        columns = np.vstack([columns, np.eye(4)[~marked]])
    reach = 2.5 / np.tanh(epsilon / 2) + 1
    scores = np.linspace(-reach, reach, 401)
    weights = np.repeat(columns, len(scores), axis=0).T
    at = np.tile(scores, len(columns))
    exact = linprog(at**2 * (freq @ weights), A_eq=np.vstack([weights, at * weights]), b_eq=[*np.ones(4), *x])
    assert found.low <= exact.fun - freq @ x**2 + 1e-9
    assert found.low == pytest.approx(exact.fun - freq @ x**2, rel=0.01)
    assert found.low <= found.high <= found.low * 1.01


@pytest.mark.parametrize("name", REGIONS)
@pytest.mark.parametrize("epsilon", [0.2, 2.0])
def test_no_mechanism_goes_lower(epsilon, name):
    plain, marked = best_mean(epsilon, X, FREQ), best_mean(epsilon, X, FREQ, REGIONS[name])
    assert marked.low < plain.high
    for key in ("Duchi", "PM", "HM", "SW", "Laplace"):
        m = MEANS[key].build(epsilon)
        assert FREQ @ m.moments(X, "mean" if m.unbiased else "unbiased")[1] >= plain.low, key
    exact = FREQ @ MEANS["uTernary"].build(epsilon, LOWS[name]).report_moments(X)[1]
    assert marked.low <= exact
    assert exact / marked.low < (1.25 if epsilon > 1 else 1.06)


def test_the_specs_value():
    """theory/limits#numbers, outside [−½, ½] at ε = 0.1: 391.4."""
    x = np.linspace(-1, 1, 17)
    found = best_mean(0.1, x, np.full(17, 1 / 17), np.abs(x) >= 0.5)
    assert found.low == pytest.approx(391.4, rel=0.005)
    assert found.high <= found.low * 1.005


def test_nothing_marked_costs_nothing():
    assert best_mean(1.0, X, FREQ, np.zeros(K, bool)).high == 0


def test_shares_that_are_none():
    with pytest.raises(ValueError, match="freq must be shares"):
        best_mean(1.0, X, FREQ * 2)
    with pytest.raises(ValueError, match="x must lie in"):
        best_mean(1.0, X * 2, FREQ)
