"""Maximum likelihood of every oracle: nothing is likelier, and where there is a closed form it is that."""

import numpy as np
import pytest
from scipy import stats

from ldpcore.catalog import FREQUENCY
from ldpcore.estimators import consistency, likelihood
from ldpcore.rng import stream
from ldpcore.tally import Tally
from tests.each import for_each

K, N = 6, 3000
COUNTS = np.array([1500, 900, 450, 150, 0, 0])
LEFT = 1e-5 * N
"""Nats that may be left where EM stops: a step of less than 1e-8 per person, a thousand times."""


def built(key, epsilon=0.8):
    return FREQUENCY[key].build(epsilon, K, np.arange(K) < 3)


def exact(m, reports, freq):
    """ln Pr[these reports], from the mechanism's own log-likelihood and nothing else."""
    return float(np.log(np.maximum(np.exp(m.log_likelihood(reports)) @ freq, 1e-300)).sum())


def composite(m, tally, freq):
    if m.summed:  # normal, of one variance
        return -float(((tally.total - tally.n * m.support(freq)) ** 2).sum()) / tally.n / (2 * m.variance(freq, 1)[0])
    p = np.maximum(m.support(freq), 1e-300)
    return float(tally.total @ np.log(p) + (tally.n - tally.total) @ np.log(np.maximum(1 - p, 1e-300)))


@for_each("key", FREQUENCY)
def test_no_shares_are_likelier_given_the_reports(key):
    m = built(key)
    reports = m.perturb(np.repeat(np.arange(K), COUNTS), stream(1, key))
    found = likelihood.of_reports(m, reports).freq
    assert found.sum() == pytest.approx(1)
    assert found.min() >= 0
    rivals = [COUNTS / N, consistency.norm_sub(m.estimate(m.tally(reports)))]
    rivals += [0.98 * found + 0.02 * corner for corner in np.eye(K)]  # concave: a maximum here is one everywhere
    assert max(exact(m, reports, rival) for rival in rivals) <= exact(m, reports, found) + LEFT


@for_each("key", FREQUENCY)
def test_no_shares_are_likelier_given_the_counts(key):
    m = built(key)
    tally = Tally(N, m.draw(COUNTS, stream(2, key), 1)[0])
    found = likelihood.of_counts(m, tally).freq
    assert found.sum() == pytest.approx(1)
    assert found.min() >= 0

    def value(freq):
        if m.tally_is_histogram:
            return float(tally.total @ np.log(np.maximum(m.support(freq), 1e-300)))
        return composite(m, tally, freq)

    rivals = [COUNTS / N, consistency.norm_sub(m.estimate(tally))]
    rivals += [0.98 * found + 0.02 * corner for corner in np.eye(K)]
    assert max(map(value, rivals)) <= value(found) + LEFT


@pytest.mark.parametrize("key", [key for key, entry in FREQUENCY.items() if entry.factory.tally_is_histogram])
def test_of_a_histogram_both_are_the_same(key):
    m = built(key)
    reports = m.perturb(np.repeat(np.arange(K), COUNTS), stream(3, key))
    assert likelihood.is_exact(m)
    both = likelihood.of_reports(m, reports).freq, likelihood.of_counts(m, m.tally(reports)).freq
    assert both[0] == pytest.approx(both[1], abs=2e-3)


@pytest.mark.parametrize("key", ["GRR", "SS", "uRR", "uSS"])
def test_inside_the_simplex_the_unbiased_estimate_is_the_likeliest(key):
    """Where it sums to 1 and no share is negative, the expected counts are the observed ones: no p fits better."""
    m = FREQUENCY[key].build(3.0, 4, np.arange(4) < 2)
    tally = Tally(40_000, m.draw(np.array([16_000, 12_000, 8_000, 4_000]), stream(4, key), 1)[0])
    unbiased = m.estimate(tally)
    assert unbiased.min() > 0
    assert unbiased.sum() == pytest.approx(1)
    assert likelihood.of_counts(m, tally).freq == pytest.approx(unbiased, abs=2e-3)


def test_two_values_by_hand():
    """a seen 70 of 100 times, sent truly by 3 in 4: 0.7 = 1/4 + f/2. At 80 of 100 everybody holds it."""
    m = FREQUENCY["GRR"].build(np.log(3), 2)
    assert likelihood.of_counts(m, Tally(100, np.array([70, 30]))).freq == pytest.approx([0.9, 0.1], abs=1e-3)
    assert likelihood.of_counts(m, Tally(100, np.array([80, 20]))).freq == pytest.approx([1, 0], abs=1e-3)


def test_reports_and_how_often_each_came_are_the_same():
    m = built("OUE")
    reports = m.perturb(np.repeat(np.arange(K), COUNTS), stream(5))
    different, times = np.unique(reports, axis=0, return_counts=True)
    both = likelihood.of_reports(m, different, times).freq, likelihood.of_reports(m, reports).freq
    assert both[0] == pytest.approx(both[1], abs=1e-3)  # they start apart


def test_the_likelihood_of_a_sum_is_the_normal_one():
    """Against the density of a normal law with the shares found: but for what is there without any distance."""
    m = next(m for m in map(built, FREQUENCY) if m.summed)
    tally = Tally(N, m.draw(COUNTS, stream(7), 1)[0])
    found = likelihood.of_counts(m, tally)
    law = stats.norm(found.freq, np.sqrt(m.variance(found.freq, N)))
    wanted = law.logpdf(m.estimate(tally)).sum() - law.logpdf(found.freq).sum()
    assert found.log_likelihood == pytest.approx(wanted)
    assert wanted < -0.1


def test_the_reports_say_more_than_their_counts():
    """uOUE, whose open bits exclude all others: exact likelihood has a smaller error than the composite one."""
    m = FREQUENCY["uOUE"].build(1.0, K, np.arange(K) < 3)
    errors = []
    for survey in range(12):
        reports = m.perturb(np.repeat(np.arange(K), COUNTS), stream(6, survey))
        fits = likelihood.of_reports(m, reports), likelihood.of_counts(m, m.tally(reports))
        errors.append([np.mean((fit.freq - COUNTS / N) ** 2) for fit in fits])
    of_reports, of_counts = np.mean(errors, axis=0)
    assert of_reports < of_counts


def test_what_is_too_large_or_empty_is_said(monkeypatch):
    m = built("SS")
    with pytest.raises(ValueError, match="collect at least one"):
        likelihood.of_counts(m, Tally(0, np.zeros(K, np.int64)))
    with pytest.raises(ValueError, match="collect at least one"):
        likelihood.of_reports(m, m.perturb([], stream(0)))
    monkeypatch.setattr(likelihood, "MAX_CELLS", 10)
    with pytest.raises(likelihood.Unavailable, match="composite likelihood"):
        likelihood.of_reports(m, m.perturb(np.arange(K), stream(0)))
    monkeypatch.setattr(likelihood, "MAX_VALUES", 5)
    with pytest.raises(likelihood.Unavailable, match="norm-sub"):
        likelihood.of_counts(m, Tally(1, np.ones(K, np.int64)))
