"""The adversary."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldpcore.attacks import bayes
from ldpcore.catalog import FREQUENCY
from ldpcore.channel import Channel, ReportColumn
from ldpcore.rng import stream
from tests.laws.cases import TABLED

ENUMERABLE = sorted(TABLED)


def table(rows):
    matrix = np.array(rows, float)
    return Channel(matrix, tuple(ReportColumn(str(y)) for y in range(matrix.shape[1])))


def test_by_hand():
    """Report 0 is sent by both (a tie, half each), report 1 by the second value alone."""
    assert bayes.success_of_channel(table([[1, 0], [1, 0]])).tolist() == [0.5, 0.5]
    assert bayes.success_of_channel(table([[1, 0], [0.5, 0.5]])).tolist() == [1, 0.5]
    assert bayes.success_of_channel(table([[1, 0], [0.5, 0.5]]), [0.2, 0.8]).tolist() == [0, 1]


@given(st.sampled_from(ENUMERABLE), st.integers(2, 6), st.floats(0.05, 4), st.integers(0, 10**6), st.data())
def test_formula_is_the_channels_for_any_prior(key, k, epsilon, seed, data):
    """Coarse priors, so that ties, zeros and near-certainty all happen."""
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=k, max_size=k)))
    weights = np.array(data.draw(st.lists(st.integers(0, 3), min_size=k, max_size=k)), float)
    weights[stream(seed).integers(k)] += 1
    # Ties between a lifted and an unlifted score need a prior that is off by exactly e^ε or e^{ε/2}.
    lift = np.array(data.draw(st.lists(st.sampled_from([0, 0.5, 1]), min_size=k, max_size=k)))
    prior = weights * np.exp(epsilon * lift)
    prior /= prior.sum()
    m = FREQUENCY[key].build(epsilon, k, mask)
    assert np.allclose(bayes.success(m, prior), bayes.success_of_channel(m.channel(), prior), atol=1e-9)


@given(st.sampled_from(ENUMERABLE), st.integers(2, 6), st.floats(0.05, 4), st.integers(0, 10**6))
def test_seeing_a_report_never_hurts_the_adversary(key, k, epsilon, seed):
    prior = stream(seed).dirichlet(np.ones(k))
    m = FREQUENCY[key].build(epsilon, k, np.arange(k) < k // 2)
    assert prior @ bayes.success(m, prior) >= prior.max() - 1e-9


@given(st.sampled_from(sorted(FREQUENCY)), st.integers(2, 200), st.floats(0.05, 8))
def test_ldp_bounds_the_adversary(key, k, epsilon):
    """Under ε-LDP nobody names a uniform value with more than e^ε/k, or e^ε/(k−1+e^ε) on average."""
    entry = FREQUENCY[key]
    m = entry.build(epsilon, k, np.ones(k, bool))
    assert np.mean(bayes.success(m)) <= np.exp(epsilon) / (k - 1 + np.exp(epsilon)) + 1e-9


def test_the_targeted_prior():
    assert bayes.targeted_prior(np.array([True, False, True])).tolist() == [0.5, 0, 0.5]
    with pytest.raises(ValueError, match="no value is marked sensitive, so there is nobody to target"):
        bayes.targeted_prior(np.zeros(3, bool))


def test_a_prior_is_a_distribution():
    m = FREQUENCY["GRR"].build(1.0, 3)
    with pytest.raises(ValueError, match="prior must be shares that are not negative and sum to 1, got a sum of 2"):
        bayes.success(m, [1, 1, 0])
    with pytest.raises(ValueError, match="prior must have one entry for each of the 3 values"):
        bayes.guess(m, m.outputs(), [0.5, 0.5], stream(1))


def test_blocks_do_not_matter(monkeypatch):
    m = FREQUENCY["OUE"].build(3.0, 40)
    reports = m.perturb(stream(1).integers(0, 40, 500), stream(2))
    prior = stream(3).dirichlet(np.ones(40))  # no ties, so no lots
    whole = bayes.guess(m, reports, prior, stream(4))
    monkeypatch.setattr(bayes, "BLOCK", 10)
    assert np.array_equal(bayes.guess(m, reports, prior, stream(4)), whole)
    assert len(bayes.guess(m, reports[:0], prior, stream(4))) == 0
