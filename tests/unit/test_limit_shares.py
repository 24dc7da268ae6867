"""The limit for shares known in advance: brute force, channels searched for, majorisation, refusals, its speed."""

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from ldpcore.limit import POLICIES, best, best_for, is_reached
from ldpcore.limit.uneven import bracket
from tests.each import for_each
from tests.unit.test_limit import brute_force, extreme_columns, group_shares

SKEWED = np.array([0.999, 0.001, 0.0, 0.0])


def of(limit, weight):
    return {"all": limit.mse, "sensitive": limit.sensitive, "other": limit.other}[weight]


def uneven(k, seed):
    """Shares that are far from even, none of them 0."""
    shares = np.random.default_rng(seed).dirichlet(np.full(k, 0.5)) + 1e-3
    return shares / shares.sum()


# --- one limit below the other ---


def test_a_channel_made_for_known_shares_errs_less_than_the_limit_of_those_fixed_before():
    """k = 4, ε = 4, four values' errors together: 0.1044 where `best` has 0.1161."""
    found = best_for("LDP", SKEWED, None, 4.0)
    assert 4 * found.least == pytest.approx(0.104358, abs=2e-6)
    assert found.most == pytest.approx(found.least, rel=1e-5)
    assert 4 * best("LDP", 4, 0, 4.0).mse == pytest.approx(0.116121, abs=2e-6)


def test_averaged_over_which_answers_are_common_it_does_not():
    """The channel with 0.1044 at one order of the shares, with its own estimate, at all of them: above 0.1161."""
    columns = extreme_columns("LDP", 4, 0, math.exp(4.0))
    shares = np.maximum(SKEWED, 1e-6) / np.maximum(SKEWED, 1e-6).sum()
    weights = searched(columns, shares)
    used = weights > 0  # a report that nobody sends says nothing
    matrix = (columns[used] * weights[used, None]).T
    sent = shares @ matrix
    estimate = np.linalg.inv((matrix / sent) @ matrix.T) @ (matrix / sent)
    errors = np.array([
        np.sum(order @ (matrix @ (estimate**2).T)) - 1 for order in map(np.array, permutations(shares))
    ])  # fmt: skip
    assert errors.min() == pytest.approx(0.10436, abs=1e-4)
    assert errors.mean() > 0.1161


def searched(columns, shares):
    """Weights of columns, summing to a channel, with little error at these shares."""
    mean = columns @ shares

    def error(x):
        inverse = np.linalg.inv((columns * (x / mean)[:, None]).T @ columns)
        return np.trace(inverse), -np.einsum("ci,ij,cj->c", columns, inverse @ inverse, columns) / mean

    found = minimize(
        error, np.full(len(columns), 0.5 / columns.sum(axis=0).max()), jac=True, method="SLSQP",
        bounds=[(0, 1)] * len(columns), options={"maxiter": 500, "ftol": 1e-13},
        constraints=[{"type": "eq", "fun": lambda x: columns.T @ x - 1, "jac": lambda x: columns.T}],
    )  # fmt: skip
    assert np.abs(columns.T @ found.x - 1).max() < 1e-8
    return np.maximum(found.x, 0)


@pytest.mark.one_in(2)  # every policy, weight and domain with half of the others
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("weight", ["all", "sensitive", "other"])
@pytest.mark.parametrize(("k", "marked"), [(4, 2), (18, 4), (9, 8)])
def test_it_is_never_above_the_limit_of_what_is_fixed_before(policy, weight, k, marked):
    # Each weight and each k meets all four ε with every policy, both of them together two in turn.
    turn = (["all", "sensitive", "other"].index(weight) + k) % 2
    for seed, epsilon in list(enumerate((0.01, 0.5, 2.0, 5.0)))[turn::2]:
        shares = uneven(k, seed)
        mask = np.arange(k) < marked
        before = of(best(policy, k, marked, epsilon, share=shares[mask].sum(), weight=weight), weight)
        found = best_for(policy, shares, mask, epsilon, weight)
        assert 0 < found.least <= found.most * (1 + 1e-6) <= before * (1 + 3e-6)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("weight", ["all", "sensitive", "other"])
@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_at_even_shares_both_are_one(policy, weight, share):
    for k, marked, epsilon in ((5, 2, 0.1), (18, 4, 1.0), (64, 16, 4.0)):
        if policy == "LDP" and weight == "all":
            share = marked / k  # else the shares are not even: LDP protects all values alike
        shares, mask = group_shares(k, marked, share), np.arange(k) < marked
        before = of(best(policy, k, marked, epsilon, share=share, weight=weight), weight)
        assert best_for(policy, shares, mask, epsilon, weight).least == pytest.approx(before, rel=2e-5, abs=1e-12)


# --- against programs that know nothing of it ---


@pytest.mark.one_in(2)  # each policy with half of the domains, each domain with some policies
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(("k", "marked", "weight"), [(3, 1, "all"), (4, 2, "all"), (4, 2, "sensitive"), (5, 2, "all")])
def test_it_is_the_best_of_all_columns(policy, k, marked, weight):
    """Every column that cannot be split, no symmetry, no levels."""
    epsilon, shares, mask = 0.4 * k, uneven(k, k), np.arange(k) < marked
    counted = mask if weight == "sensitive" else np.ones(k, bool)
    exact = brute_force(extreme_columns(policy, k, marked, math.exp(epsilon)), shares, counted / counted.sum())
    found = best_for(policy, shares, mask, epsilon, weight)
    assert found.least == pytest.approx(exact, rel=2e-6)
    assert found.most == pytest.approx(exact, rel=2e-6)


@pytest.mark.parametrize(("k", "epsilon", "seed"), [(2, 1.0, 0), (3, 0.5, 1), (3, 3.0, 2), (4, 2.0, 3)])
def test_no_channel_that_is_searched_for_is_below_it(k, epsilon, seed):
    """Any table that keeps LDP, from random starts: nothing is said of what its columns look like."""
    shares, reports = uneven(k, seed), k + 2
    least = best_for("LDP", shares, None, epsilon).least
    rng = np.random.default_rng(seed)

    def information(flat):
        matrix = flat.reshape(k, reports)
        return (matrix / (shares @ matrix)) @ matrix.T

    def error(flat):
        return float(np.trace(np.linalg.inv(information(flat))) - 1) / k

    def spare(flat):
        matrix = flat.reshape(k, reports)
        return (math.exp(epsilon) * matrix[:, None] - matrix[None]).ravel()

    found = []
    for _ in range(4):
        start = rng.dirichlet(np.full(reports, 5.0), k)
        found.append(
            minimize(
                error, start.ravel(), method="SLSQP", bounds=[(1e-9, 1)] * start.size, options={"maxiter": 400},
                constraints=[
                    {"type": "eq", "fun": lambda flat: flat.reshape(k, reports).sum(axis=1) - 1},
                    {"type": "ineq", "fun": spare},
                ],
            )
        )  # fmt: skip
    allowed = [
        f.fun
        for f in found
        if spare(f.x).min() > -1e-9
        and np.abs(f.x.reshape(k, reports).sum(axis=1) - 1).max() < 1e-9
        # Where rows are alike a search may end: nothing is told apart, and the inverse is rounding.
        and np.linalg.cond(information(f.x)) < 1e9
    ]
    assert allowed
    assert min(allowed) >= least * (1 - 1e-6)
    assert min(allowed) <= least * 1.05, "the search came nowhere near: it shows nothing"


# --- many different shares ---


@given(st.lists(st.floats(0, 1), min_size=3, max_size=60), st.integers(2, 6), st.sampled_from([50.0, 1e4, math.inf]))
def test_the_bracket_majorises_and_is_majorised(weights, levels, orbits):
    shares = (np.array(weights) + 1e-6) / (np.array(weights) + 1e-6).sum()
    high, low = bracket(shares, levels, orbits)
    sums = [np.cumsum(np.sort(x)[::-1]) for x in (spread(high), shares, spread(low))]
    assert np.all(np.diff(sums, axis=0) <= 1e-12)
    assert [x[-1] for x in sums] == pytest.approx([1, 1, 1])
    assert spread(high).min() >= 0
    assert max(len(high), len(low)) <= levels
    assert math.prod(number + 1 for _, number in high) <= max(orbits, 2 * len(shares))


def spread(levels):
    return np.concatenate([np.full(number, share) for share, number in levels])


@pytest.mark.parametrize(
    ("k", "epsilon", "apart"), [(16, 0.5, 1.002), (16, 2.0, 1.01), (42, 1.0, 1.01), (1000, 0.5, 1.02)]
)
def test_with_many_shares_the_limit_is_held_between_two_near_numbers(k, epsilon, apart):
    shares = 1 / np.arange(1.0, k + 1)
    found = best_for("LDP", shares / shares.sum(), None, epsilon)
    assert found.least < found.most <= apart * found.least


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("epsilon", [0.5, 3.0])
def test_fewer_levels_bracket_the_limit(monkeypatch, policy, epsilon):
    """Where the limit is known exactly: with too few levels one bound is not above it, one not below."""
    shares, mask = uneven(8, 5), np.arange(8) < 4
    exact = best_for(policy, shares, mask, epsilon)
    assert exact.most == pytest.approx(exact.least, rel=1e-5)
    for name, number in (("LEVELS", 4), ("FEWER", 2), ("LABELS", 2)):
        monkeypatch.setattr("ldpcore.limit.shares." + name, number)
    found = best_for(policy, shares, mask, epsilon)
    assert found.least <= exact.most
    assert found.most >= exact.least
    assert found.most > found.least * (1 + 1e-5)


@pytest.mark.parametrize("policy", POLICIES)
def test_it_says_beforehand_whether_it_is_reached(policy):
    """Few different shares: both ends are the same. Thousands of them: only a bracket, and nobody need wait for it."""
    few, many = np.array([0.5, 0.2, 0.2, 0.1]), 1 / np.arange(1.0, 20_001)
    assert is_reached(policy, few, np.arange(4) % 2 == 0, 2.0)
    found = best_for(policy, few, np.arange(4) % 2 == 0, 2.0)
    assert found.most == pytest.approx(found.least, rel=1e-5)
    assert not is_reached(policy, many / many.sum(), np.arange(20_000) % 4 == 0, 2.0)


# --- ends ---


def test_it_keeps_its_digits():
    """n·MSE·ε² is constant as ε → 0; and at ε = 10 the error is a difference of numbers 10⁴ times as large."""
    small = [best_for("LDP", SKEWED, None, epsilon).least * epsilon**2 for epsilon in (1e-2, 1e-3, 1e-5)]
    assert small == pytest.approx([2.25] * 3, rel=1e-4)
    found = best_for("LDP", SKEWED, None, 10.0)
    assert found.most == pytest.approx(found.least, rel=1e-3)
    assert found.least < best("LDP", 4, 0, 10.0).mse


def test_where_nobody_is():
    mask = np.array([True, True, False, False, False])
    nobody_marked, all_marked = np.array([0, 0, 0.5, 0.3, 0.2]), np.array([0.6, 0.4, 0, 0, 0])
    for policy in ("ULDP", "guarded SDLDP"):
        assert best_for(policy, all_marked, mask, 1.0, "other").least == 0
        # Some are disclosed, so nobody is in N for sure: what remains is LDP on the marked values.
        alone = best_for("LDP", [0.6, 0.4], None, 1.0).least
        assert best_for(policy, all_marked, mask, 1.0, "sensitive").least == pytest.approx(alone, rel=1e-5)
        assert best_for(policy, nobody_marked, mask, 1.0).least > 0
        assert best_for(policy, nobody_marked, np.zeros(5, bool), 1.0) == best_for(policy, SKEWED, None, 1.0)
    nothing = best_for("guarded SDLDP", [0, 0, 1.0, 0, 0], mask, 3.0)
    assert 0 <= nothing.least <= nothing.most


@for_each(
    ("arguments", "said"),
    [
        ({"policy": "SDLDP"}, "policy must be one of"),
        ({"epsilon": 11.0}, "up to ε = 10"),
        ({"epsilon": 0.0}, "epsilon must be positive"),
        ({"weight": "marked"}, "weight is one of all, sensitive, other"),
        ({"freq": [0.5, 0.6, 0, 0]}, "sum to 1"),
        ({"freq": [[0.5, 0.5], [0, 0]]}, "one entry for each of the 4"),
        ({"sensitive": np.zeros(4, bool), "weight": "sensitive"}, "counts no value's error: 0 of 4"),
        ({"sensitive": np.ones(3, bool)}, "one entry for each of the 4 values"),
    ],
)
def test_what_makes_no_sense_gets_a_sentence(arguments, said):
    asked = {"policy": "LDP", "freq": SKEWED, "sensitive": np.array([True, False, False, False]), "epsilon": 1.0}
    with pytest.raises(ValueError, match=said):
        best_for(**asked | arguments)
