"""Every refusal says what was given, what is expected, and what to do."""

import numpy as np
import pytest

from ldpcore import checks
from ldpcore.catalog import FREQUENCY
from tests.each import for_each


@for_each(
    ("value", "error", "message"),
    [
        (0, ValueError, "epsilon must be positive and finite, got 0; usual values lie between 0.1 and 5"),
        (-1, ValueError, "epsilon must be positive and finite, got -1;"),
        (float("nan"), ValueError, "epsilon must be positive and finite, got nan;"),
        (float("inf"), ValueError, "epsilon must be positive and finite, got inf;"),
        (1000, ValueError, "epsilon must be at most 40, got 1000; a report that exact protects nobody"),
        (40.001, ValueError, "epsilon must be at most 40, got 40.001;"),
        ("x", TypeError, "epsilon must be a number, got 'x'"),
        (None, TypeError, "epsilon must be a number, got None"),
    ],
)
@for_each("key", FREQUENCY)
def test_epsilon(key, value, error, message):
    with pytest.raises(error, match=message):
        FREQUENCY[key].build(value, 4)


@pytest.mark.parametrize("value", [1e-6, 40, np.float32(0.5)])
def test_usual_and_extreme_epsilons_are_taken(value):
    assert checks.epsilon(value) == float(value)


@for_each("epsilon", [1e-6, 40.0])
@for_each("key", FREQUENCY)
def test_the_ends_of_epsilon_work(key, epsilon):
    """Nothing overflows or is lost: reports can be drawn, and the estimate inverts its expectation."""
    m = FREQUENCY[key].build(epsilon, 6, np.arange(6) < 2)
    freq = np.array([0.5, 0.1, 0.1, 0.1, 0.1, 0.1])
    assert np.allclose(m.invert(m.support(freq)), freq, atol=1e-7)
    assert np.isfinite(m.variance(freq, 10)).all()
    assert (m.variance(freq, 10) >= 0).all()
    rng = np.random.default_rng(1)
    assert m.tally(m.perturb(np.arange(6), rng)).n == 6
    assert np.isfinite(m.simulate(np.full(6, 10), rng, 2)).all()
    assert ((m.success(freq) >= 0) & (m.success(freq) <= 1 + 1e-9)).all()


@for_each("key", FREQUENCY)
@for_each(
    ("k", "error", "message"),
    [
        (1, ValueError, r"k \(the number of values\) must be at least 2, got 1"),
        (2.5, TypeError, r"k \(the number of values\) must be a whole number, got 2.5"),
        ("5", TypeError, r"k \(the number of values\) must be a whole number, got '5'"),
        (True, TypeError, "must be a whole number, got True"),
    ],
)
def test_domain_size(key, k, error, message):
    with pytest.raises(error, match=message):
        FREQUENCY[key].build(1.0, k)


def test_whole_floats_are_whole_numbers():
    assert checks.integer(5.0, "k", 2) == 5
    assert type(checks.integer(np.int32(5), "k", 2)) is int
    with pytest.raises(ValueError, match="k must be between 2 and 4, got 5"):
        checks.integer(5, "k", 2, 4)


@for_each("key", FREQUENCY)
@for_each(
    ("mask", "error", "message"),
    [
        ([1, 0, 0, 0], TypeError, r"sensitive must be a bool mask .* got dtype int64; build it with Categorical.mask"),
        ([True, False], ValueError, r"sensitive must have one entry for each of the 4 values, got shape \(2,\)"),
        (["a"], TypeError, "got dtype <U1"),
    ],
)
def test_mask(key, mask, error, message):
    with pytest.raises(error, match=message):
        FREQUENCY[key].build(1.0, 4, mask)


def test_no_mask_marks_nothing():
    assert not checks.mask(None, 3).any()
    assert not checks.mask(None, 3).flags.writeable


@for_each("key", FREQUENCY)
@for_each(
    ("values", "error", "message"),
    [
        ([0, 4], ValueError, "values must be codes from 0 to 3, got 0 to 4"),
        ([-1, 2], ValueError, "values must be codes from 0 to 3, got -1 to 2"),
        ([0.0, 1.0], TypeError, r"one-dimensional array of integer codes, got shape \(2,\), dtype float64"),
        ([[0, 1]], TypeError, r"got shape \(1, 2\)"),
        (["a"], TypeError, "encode labels with Categorical.encode"),
        ([True], TypeError, "dtype bool"),
        (np.array([1, -1], np.int8), ValueError, "got -1 to 1"),
        (np.array([1, -2], ">i2"), ValueError, "got -2 to 1"),
        (np.array([9, 1], np.uint8), ValueError, "got 1 to 9"),
    ],
)
def test_codes(key, values, error, message):
    m = FREQUENCY[key].build(1.0, 4, np.array([True, False, True, False]))
    with pytest.raises(error, match=message):
        m.perturb(values, np.random.default_rng(1))


def test_narrow_codes_of_many_values():
    assert checks.codes(np.array([3, 127], np.int8), 1000).tolist() == [3, 127]
    with pytest.raises(ValueError, match="got -1 to 3"):
        checks.codes(np.array([3, -1], np.int8), 1000)


@for_each("key", FREQUENCY)
@for_each(
    ("counts", "message"),
    [
        ([1, 2, -1, 0], "counts must be whole and not negative"),
        ([1, 2, 0.5, 0], "counts must be whole and not negative"),
        ([1, 2, np.nan, 0], "counts must be whole and not negative"),
        ([0, 0, 0, 0], "counts must hold at least one user"),
        ([1, 2], r"counts must have one entry for each of the 4 values, got shape \(2,\)"),
    ],
)
def test_counts(key, counts, message):
    m = FREQUENCY[key].build(1.0, 4, np.array([True, False, True, False]))
    with pytest.raises(ValueError, match=message):
        m.simulate(counts, np.random.default_rng(1), 1)


@for_each("key", FREQUENCY)
@for_each(
    ("shares", "message"),
    [
        ([0.5, 0.5], r"freq must have one entry for each of the 4 values, got shape \(2,\)"),
        ([0.5, 0.6, 0, 0], "freq must be shares that are not negative and sum to 1, got a sum of 1.1"),
        ([1.5, -0.5, 0, 0], "freq must be shares that are not negative"),
        ([np.nan, 0.5, 0.5, 0], "freq must be shares that are not negative and sum to 1, got a sum of nan"),
    ],
)
def test_shares(key, shares, message):
    m = FREQUENCY[key].build(1.0, 4, np.array([True, False, True, False]))
    with pytest.raises(ValueError, match=message):
        m.variance(shares, 10)
    with pytest.raises(ValueError, match=message):
        m.support(shares)


def test_the_guess_of_uss_is_a_share():
    with pytest.raises(ValueError, match=r"share, the guess of how many hold a sensitive value, lies in \[0, 1\]"):
        FREQUENCY["uSS"].build(1.0, 4, [True, False, True, False], share=2.0)


def test_long_lists_are_cut():
    assert checks.name_list("abc") == "a, b, c"
    assert checks.name_list(range(8)) == "0, 1, 2, 3, 4 … (+3)"
