"""The limit's own channel as a mechanism: it reaches the limit, keeps the promise and obeys the laws.

Statistical comparisons use fixed streams at a false-alarm rate of 1e-6 each.
"""

import numpy as np
import pytest
from scipy import stats

from ldpcore.limit import best
from ldpcore.randomizer import BLOCK
from ldpcore.rng import stream
from ldpcore.tally import Tally
from tests.each import for_each
from tests.laws import cases, laws

POLICIES = ("LDP", "ULDP", "guarded SDLDP")
SHAPES = ((2, 1), (4, 3), (5, 1), (5, 2), (5, 4), (5, 5))


def build(policy, k, marked, epsilon=1.0, share=None, **options):
    limit = best(policy, k, marked, epsilon, share, **options)
    return limit, limit.mechanism(cases.marks(k, marked))


def even(limit, mask):
    k, marked = limit.k, limit.marked
    return np.where(mask, limit.share / max(marked, 1), (1 - limit.share) / max(k - marked, 1))


@for_each("policy", POLICIES)
@for_each("epsilon", [0.1, 1.0, 3.0])
@for_each(("k", "marked", "share"), [(5, 2, None), (18, 4, None), (18, 4, 0.6), (300, 80, 0.05), (9, 9, None)])
def test_its_error_is_the_limit(policy, epsilon, k, marked, share):
    limit, mechanism = build(policy, k, marked, epsilon, share)
    variance = mechanism.variance(even(limit, mechanism.sensitive), 1)
    assert variance.mean() == pytest.approx(limit.mse, rel=1e-9)
    if marked < k:
        assert variance[~mechanism.sensitive] == pytest.approx(np.full(k - marked, limit.other), rel=1e-7)
    assert variance[mechanism.sensitive] == pytest.approx(np.full(marked, limit.sensitive), rel=1e-7)
    assert mechanism.policy.name == policy


def test_the_printed_limits_are_reached():
    for policy, printed in (("LDP", 3.234), ("ULDP", 0.4286), ("guarded SDLDP", 0.38559)):
        limit, mechanism = build(policy, 18, 4)
        mse = mechanism.variance(even(limit, mechanism.sensitive), 1).mean()
        assert round(mse, len(str(printed)) - 2) == printed


# Every shape at one ε, and one mark and all marks at the others.
@pytest.mark.one_in(2)  # each policy at every second of these
@pytest.mark.parametrize(
    ("epsilon", "k", "marked"),
    [
        (1.0, 5, 0),
        *((1.0, *shape) for shape in SHAPES),
        *((e, *s) for e in (0.1, 3.0) for s in ((2, 1), (5, 2), (5, 5))),
    ],
)
@pytest.mark.parametrize("policy", POLICIES)
def test_exact_laws(policy, epsilon, k, marked):
    for share in (None, 0.6) if 0 < marked < k else (None,):
        mechanism = build(policy, k, marked, epsilon, share)[1]
        for law in laws.EXACT:
            # That law builds (ε, k, marks) alone, which do not determine a mixture.
            if laws.applies(law, mechanism) and law is not laws.a_mechanism_is_a_value:
                law(mechanism)


@pytest.mark.one_in(2)  # the exact laws look at all policies, each at half of the shapes
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(("k", "marked"), [(5, 2), (5, 1), (5, 5)])
def test_sampled_laws(policy, k, marked):
    mechanism = build(policy, k, marked)[1]
    laws.simulate_has_the_right_moments(mechanism)
    laws.guess_shares_ties_evenly(mechanism)
    laws.success_is_what_the_attack_gets(mechanism)
    values = stream(1, "values").permutation(np.repeat(np.arange(k), 40_000))
    sent = mechanism.column(mechanism.perturb(values, stream(2, "sent")))
    matrix = mechanism.channel().matrix
    for x in range(k):
        assert laws.fits(np.bincount(sent[values == x], minlength=matrix.shape[1]), matrix[x])


@pytest.mark.parametrize("policy", POLICIES)
def test_a_drawn_survey_of_one_is_a_report(policy):
    """The joint law of the totals of one user (χ²): correlations within a report, and nothing else, are drawn."""
    mechanism = build(policy, 5, 2)[1]
    reports = mechanism.outputs()
    totals = np.array([mechanism.tally(reports[i : i + 1]).total for i in range(len(reports))])
    matrix = mechanism.channel().matrix
    for x in range(5):
        drawn = mechanism.draw(np.eye(5, dtype=int)[x], stream(3, "one", x), 40_000)
        known, place = np.unique(np.vstack([totals, drawn]), axis=0, return_inverse=True)
        law = np.bincount(place[: len(totals)], matrix[x], len(known))
        assert laws.fits(np.bincount(place[len(totals) :], minlength=len(known)), law)


@pytest.mark.parametrize("policy", POLICIES)
def test_many_values_and_people(policy):
    """Estimates of 200 values: of blocks of users, and of 10⁹ people at no cost in memory."""
    mechanism = build(policy, 200, 50, 0.5)[1]
    laws.estimates_hold_at_scale(mechanism)
    laws.tallies_merge(mechanism)
    laws.reports_are_canonical_and_sliceable(mechanism)
    counts = np.full(200, 5_000_000)
    estimates, peak = laws.traced(lambda: mechanism.simulate(counts, stream(4, "large"), 3))
    z = (estimates - 1 / 200) / np.sqrt(mechanism.variance(counts / counts.sum(), 10**9))
    assert np.abs(z).max() < stats.norm.isf(laws.ALPHA / 2 / z.size)
    assert peak < 50e6
    assert mechanism.tally(mechanism.perturb(np.zeros(BLOCK, int), stream(5, "n"))).n == BLOCK


def test_a_bounded_exposure_is_kept():
    limit, mechanism = build("ULDP", 12, 4, 1.0, exposure=0.3)
    prior = mechanism.sensitive / 4
    assert prior @ mechanism.success(prior) == pytest.approx(limit.exposure, abs=1e-9)
    assert mechanism.variance(even(limit, mechanism.sensitive), 1).mean() == pytest.approx(limit.mse, rel=1e-9)


def test_nothing_marked_is_the_identity():
    mechanism = best("ULDP", 4, 0, 1.0).mechanism()
    values = np.array([0, 1, 1, 3])
    estimate = mechanism.estimate(mechanism.tally(mechanism.perturb(values, stream(6, "id"))))
    assert estimate == pytest.approx([0.25, 0.5, 0, 0.25])
    assert mechanism.success(np.full(4, 0.25)) == pytest.approx(np.ones(4))
    assert mechanism.variance(np.full(4, 0.25), 1) == pytest.approx(np.zeros(4))


def test_refusals():
    with pytest.raises(ValueError, match="this limit is for 2 marked values, got a mask with 3"):
        best("ULDP", 5, 2, 1.0).mechanism(cases.marks(5, 3))
    blind = best("ULDP", 6, 3, 1.0, exposure=1 / 3, weight="other").mechanism(cases.marks(6, 3))
    with pytest.raises(ValueError, match="does not tell all values apart"):
        blind.estimate(Tally(1, np.ones(6, np.int64)))
