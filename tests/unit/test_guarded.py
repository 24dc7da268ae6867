"""Guarded SDLDP: the definition, its counterexample, SDSS at its limit, and what rare labels give away.

Statistical comparisons use fixed streams at a false-alarm rate of 1e-6 each.
"""

from math import e, inf

import numpy as np
import pytest

from ldpcore.attacks import labels
from ldpcore.catalog import FREQUENCY
from ldpcore.channel import Channel, ReportColumn
from ldpcore.limit import best, subset_errors
from ldpcore.mechanisms.guarded import SDSS
from ldpcore.policy import SDLDP, ULDP, GuardedSDLDP, counterexample
from tests.laws import cases, laws

MARKED = np.array([True, True, False, False])


class Fine(SDSS):
    """A label beside a subset counts 0 … 64, one alone 64: the tally no longer counts reports, the estimate is best."""

    unit = 64


def crowd(k, marked, shares):
    weights = np.where(cases.marks(k, marked), 0.0, shares)
    return tuple(weights / weights.sum())


# --- the definition ---


def test_the_counterexample_keeps_sdldp_and_nothing_more():
    channel = counterexample()
    kept, whole, guarded = (policy(1.0, MARKED).check(channel) for policy in (SDLDP, ULDP, GuardedSDLDP))
    assert kept.holds
    assert not whole.holds
    assert not guarded.holds
    assert guarded.loss > 19
    assert "against the average other" in guarded.why


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_a_low_label_of_the_counterexample_proves_that_the_user_is_high(epsilon):
    for truth in (0.0, 1e-9):
        channel = counterexample(epsilon, truth)
        posterior = channel.posterior()[:, 2:]
        assert (posterior[MARKED].sum(axis=0) >= 1 - 1e-6).all()
        assert [column.reveals for column in channel.columns] == [None, None, 2, 3]
        assert SDLDP(epsilon, MARKED).check(channel).holds
    with pytest.raises(ValueError, match="truth, how often a low value sends its own label"):
        counterexample(1.0, 1.0)


def test_the_guard_is_the_average_of_the_others():
    """Label 2 comes from 0 and 1 with 0.2, from 2 with p: the average over {2, 3} is p/2, with 3:1 for 2 it is 3p/4."""
    for p, others, holds in (
        (0.4 / e, None, True), (0.399 / e, None, False), (0.267 / e, (0, 0, 0.75, 0.25), True),
        (0.266 / e, (0, 0, 0.75, 0.25), False),
    ):  # fmt: skip
        matrix = np.array([[0.8, 0.2, 0], [0.8, 0.2, 0], [1 - p, p, 0], [1 - p, 0, p]])
        channel = Channel(matrix, (ReportColumn("high"), ReportColumn("2", False, 2), ReportColumn("3", False, 3)))
        policy = GuardedSDLDP(1.0, MARKED, None if others is None else np.array(others))
        assert policy.check(channel).holds is holds


def test_nothing_or_everything_marked_is_sdldp():
    channel = FREQUENCY["GRR"].build(1.0, 4).channel()
    assert GuardedSDLDP(1.0, np.ones(4, bool)).check(channel).holds
    assert not GuardedSDLDP(0.9, np.ones(4, bool)).check(channel).holds
    assert GuardedSDLDP(1.0, np.zeros(4, bool)).check(FREQUENCY["uRR"].build(1.0, 4).channel()).holds


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
def test_every_uldp_mechanism_is_guarded(epsilon):
    mask = cases.marks(5, 2)
    for key, entry in FREQUENCY.items():
        if entry.promise == "ULDP":
            m = entry.build(epsilon, 5, mask)
            channel = m.channel(public=7) if m.hashed else m.channel()
            assert GuardedSDLDP(epsilon, mask).check(channel).holds, key


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
def test_sdgrr_is_guarded_by_an_even_crowd_but_not_by_an_uneven_one(epsilon):
    """Its labels have P[v|s] = c₂ and mean c₂(τ+E−1)/τ: an even guard does not stop rare ones."""
    mask = np.arange(6) < 2
    channel = FREQUENCY["SDGRR"].build(epsilon, 6, mask).channel()
    assert GuardedSDLDP(epsilon, mask).check(channel).holds
    assert not GuardedSDLDP(epsilon, mask, np.array([0, 0, 0.001, 0.333, 0.333, 0.333])).check(channel).holds


# --- SDSS ---


@pytest.mark.parametrize("build", [SDSS, Fine])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_uneven_decoys_and_finer_points_obey_the_exact_laws(build, epsilon):
    mask = cases.marks(5, 2)
    uneven = crowd(5, 2, np.arange(1.0, 6.0))
    for mechanism in (build(epsilon, 5, mask, 0.5, uneven), build(epsilon, 5, mask), build(epsilon, 5, ~mask, 0.9)):
        for law in (*laws.EXACT, laws.simulate_has_the_right_moments):
            if laws.applies(law, mechanism) and law is not laws.a_mechanism_is_a_value:
                law(mechanism)


@pytest.mark.parametrize(("k", "marked", "epsilon", "share"), [
    (18, 4, 1.0, 4 / 18), (18, 4, 0.5, 0.6), (18, 4, 4.0, 0.3), (18, 4, 2.0, 0.5), (64, 16, 1.0, 0.25),
])  # fmt: skip
def test_distance_to_the_limit(k, marked, epsilon, share):
    """Counting labels all, or only alone, costs up to 9 % in all; with weights SDSS is the best of its subset size."""
    mask = np.arange(k) < marked
    freq = np.where(mask, share / marked, (1 - share) / (k - marked))
    plain, fine = (build(epsilon, k, mask, share) for build in (SDSS, Fine))
    limit = best("guarded SDLDP", k, marked, epsilon, share)
    closed = sum(subset_errors("guarded SDLDP", marked, k - marked, epsilon, share, fine.w)) / k
    assert limit.mse * (1 - 1e-7) <= closed
    assert fine.variance(freq, 1).mean() == pytest.approx(closed, rel=1e-5)
    assert 1 - 1e-9 <= plain.variance(freq, 1).mean() / closed <= 1.09
    if (k, marked, epsilon, share) == (18, 4, 1.0, 4 / 18):
        assert round(plain.variance(freq, 1).mean(), 4) == 0.3881
        assert round(limit.mse, 5) == 0.38559


def test_a_wrong_guess_of_the_share_biases_nothing():
    for share in (0.0, 0.5, 1.0):
        mechanism = SDSS(1.0, 5, cases.marks(5, 2), share)
        laws.estimate_is_unbiased(mechanism)
        laws.variance_is_the_channels(mechanism)


def test_decoys_are_checked():
    mask = np.array([True, False, False])
    with pytest.raises(ValueError, match="decoys must be positive for every value that is not sensitive"):
        SDSS(1.0, 3, mask, None, (0.5, 0.25, 0.25))
    with pytest.raises(ValueError, match="decoys must be positive"):
        SDSS(1.0, 3, mask, None, (0.0, 1.0, 0.0))
    with pytest.raises(ValueError, match="share, the guess of how many"):
        SDSS(1.0, 3, mask, 1.5)


# --- rare labels ---


def test_a_rare_low_label_of_sdgrr_is_64_fold():
    """theory/definitions#low-labels: 1/(f_{v|N}(d − σ + E − 1)), k = 18, 4 marked, ε = 1, f_{v|N} = 0.001."""
    mask = np.arange(18) < 4
    inside = np.r_[0.001, np.full(13, 0.999 / 13)]
    freq = np.r_[np.full(4, 0.3 / 4), 0.7 * inside]
    mechanism = FREQUENCY["SDGRR"].build(1.0, 18, mask)
    found = labels.odds(mechanism, mask, freq)
    assert np.isnan(found[mask]).all()
    assert found[~mask] == pytest.approx(1 / (inside * (18 - 4 + e - 1)))
    assert round(found[4]) == 64
    posterior = mechanism.channel().posterior(freq)[mask, 4].sum()
    assert posterior / (1 - posterior) / (0.3 / 0.7) == pytest.approx(found[4])


def test_decoys_drawn_from_the_crowd_are_never_telling():
    """SDSS with even decoys is as telling as SDGRR on a rare label; with decoys of the crowd's own shares at most E."""
    mask = cases.marks(6, 2)
    shares = crowd(6, 2, np.array([1, 1, 0.001, 1, 1, 1.0]) if not mask[2] else np.array([1, 1, 1, 0.001, 1, 1.0]))
    freq = np.where(mask, 0.15, 0.7 * np.array(shares))
    rare = int(np.argmin(np.where(mask, 1, freq)))
    even, crowded = SDSS(1.0, 6, mask), SDSS(1.0, 6, mask, None, shares)
    assert labels.odds(even, mask, freq)[rare] > 100
    assert (labels.odds(crowded, mask, freq)[~mask] <= e * (1 + 1e-9)).all()
    assert crowded.policy.check(crowded.channel()).holds


def test_labels_that_prove_or_do_not_exist():
    mask = np.array([True, True, False, False])
    freq = np.array([0.2, 0.3, 0.5, 0.0])
    assert labels.odds(FREQUENCY["uRR"].build(1.0, 4, mask), mask, freq)[2] == 0
    assert labels.odds(FREQUENCY["SDGRR"].build(1.0, 4, mask), mask, freq)[3] == inf
    assert np.isnan(labels.odds(FREQUENCY["GRR"].build(1.0, 4), mask, freq)).all()
    for nobody in (~mask & mask, mask | ~mask):
        assert np.isnan(labels.odds(FREQUENCY["SDGRR"].build(1.0, 4, nobody), nobody, freq)).all()
    only_marked = labels.odds(FREQUENCY["SDGRR"].build(1.0, 4, mask), mask, np.array([0.5, 0.5, 0, 0]))
    assert np.isfinite(only_marked[~mask]).all()
