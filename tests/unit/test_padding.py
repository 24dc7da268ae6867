"""Padding and sampling: every set gets m distinct codes, and nobody can tell how many were added."""

import numpy as np
import pytest

from ldpcore.catalog import SETS
from ldpcore.mechanisms.padding import kept_whole, pad_and_sample, suggest_m, truncated_shares
from ldpcore.rng import stream

BASKETS = [[0, 1, 2, 3], [4], [], [2, 2, 5], [5, 4, 3, 2, 1, 0]]


def test_sets_have_m_distinct_codes_and_keep_what_fits():
    sets = pad_and_sample(BASKETS, 6, 3, stream(1))
    assert sets.shape == (5, 3)
    for row, basket in zip(sets.tolist(), BASKETS, strict=True):
        assert len(set(row)) == 3
        real = {v for v in row if v < 6}
        assert real <= set(basket)
        assert len(real) == min(3, len(set(basket)))
        assert all(6 <= v < 9 for v in row if v >= 6)


def test_samples_and_dummies_are_uniform():
    """20 000 users each: every 2-subset of 4 items, and each of 2 dummies, within 5 standard deviations (6e-7 each)."""
    n = 20_000
    sets = pad_and_sample([[0, 1, 2, 3]] * n, 6, 2, stream(2))
    seen = np.bincount(sets[:, 0] * 6 + sets[:, 1], minlength=36)
    assert np.count_nonzero(seen) == 6
    assert np.abs(seen[seen > 0] - n / 6).max() < 5 * np.sqrt(n * 5 / 36)
    padded = pad_and_sample([[3]] * n, 6, 2, stream(3))
    assert abs(np.mean(padded[:, 1] == 6) - 0.5) < 5 * np.sqrt(0.25 / n)


def test_the_truncation_bias_is_the_expected_one():
    whole, kept = truncated_shares(BASKETS, 6, 3)
    assert whole == pytest.approx(np.array([2, 2, 3, 2, 2, 2]) / 5)
    drawn = np.array(
        [np.bincount(pad_and_sample(BASKETS, 6, 3, stream(4, i)).ravel(), minlength=9)[:6] / 5 for i in range(2000)]
    )
    assert np.abs(drawn.mean(axis=0) - kept).max() < 5 * 0.15 / np.sqrt(2000)
    assert np.array_equal(*truncated_shares(BASKETS, 6, 6))


def test_padded_sets_go_through_a_mechanism():
    sets = pad_and_sample(BASKETS * 200, 6, 3, stream(5))
    mech = SETS["suWheel-J"].build(2.0, 6, np.arange(6) < 3, m=3, dummies=3)
    freq = np.bincount(sets.ravel(), minlength=9)[:6] / len(sets)
    z = (mech.estimate(mech.tally(mech.perturb(sets, stream(6)))) - freq) / np.sqrt(
        mech.variance(freq, len(sets), mech.company(sets))
    )
    assert np.abs(z).max() < 6


def test_m_is_suggested_by_who_is_kept_whole():
    lengths = [1, 1, 2, 3, 10]
    assert kept_whole(lengths, [1, 2, 10]).tolist() == [0.4, 0.6, 1.0]
    assert suggest_m(lengths, 0.6) == 2
    assert suggest_m(lengths, 0.8) == 3
    assert suggest_m(lengths, 1.0) == 10
    assert suggest_m([0, 0]) == 1


def test_many_items_and_arrays_are_taken():
    sets = pad_and_sample([np.array([99_999, 5]), np.zeros(0, int)], 100_000, 4, stream(7))
    assert sets.shape == (2, 4)
    assert {5, 99_999} <= set(sets[0].tolist())


def test_no_users_is_no_sets():
    assert pad_and_sample([], 6, 3, stream(8)).shape == (0, 3)


def test_refusals():
    with pytest.raises(ValueError, match="baskets must hold codes from 0 to 5, got 0 to 6"):
        pad_and_sample([[0, 6]], 6, 3, stream(1))
    with pytest.raises(TypeError, match=r"baskets must hold integer codes, got dtype .*; encode labels first"):
        pad_and_sample([["tea"]], 6, 3, stream(1))  # type: ignore[list-item]
    with pytest.raises(ValueError, match=r"m \(items per set\) must be at least 1, got 0"):
        pad_and_sample([[0]], 6, 0, stream(1))
    with pytest.raises(ValueError, match="there are no baskets, so there are no shares; load at least one"):
        truncated_shares([], 6, 3)
    with pytest.raises(ValueError, match="there are no lengths, so no share is kept"):
        kept_whole([], 3)
    with pytest.raises(ValueError, match="there are no lengths to suggest m from"):
        suggest_m([])
    with pytest.raises(ValueError, match=r"whole, the share of users kept whole, lies in \(0, 1\], got 0"):
        suggest_m([1], 0)
