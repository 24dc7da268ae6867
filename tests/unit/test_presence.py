"""Presence: exact where the reports can be enumerated, simulated otherwise, and the two agree."""

import numpy as np
import pytest
from scipy import stats

from ldpcore.attacks import presence
from ldpcore.catalog import SETS
from ldpcore.randomizer import NotEnumerable
from ldpcore.rng import stream
from tests.laws import cases

MASK = cases.marks(6, 3)


@pytest.mark.one_in(2)  # all of them, with an item: test_membership.py
@pytest.mark.parametrize("key", [key for key, entry in SETS.items() if not entry.factory.hashed])
def test_exact_and_simulated_agree(key):
    """All sets alike; the simulated success lies within 5 standard deviations of the exact one (6e-7)."""
    mech = SETS[key].build(1.0, 6, MASK, 2)
    exact = presence.success(mech, MASK)
    assert exact.exact
    assert exact.low == exact.high == exact.success
    assert exact.success >= 0.5
    drawn = presence._simulated(mech, MASK, None, stream(1, key), 4000)
    assert not drawn.exact
    assert drawn.low < drawn.success < drawn.high
    assert abs(drawn.success - exact.success) < 5 * 0.5 / np.sqrt(4000)


@pytest.mark.one_in(2)  # suWheel: test_membership.py, by the same average
@pytest.mark.parametrize("key", ["Wheel", "suWheel", "suWheel-J"])
def test_hashed_success_is_the_average_over_hashes(key):
    """50 hashes, exactly, against reports with their own; both within 5 standard deviations."""
    mech = SETS[key].build(1.0, 6, MASK, 2)
    each = np.array([presence.success(mech, MASK, public=seed).success for seed in range(50)])
    drawn = presence.success(mech, MASK, rng=stream(2, key))
    assert not drawn.exact
    spread = np.sqrt(each.var() / 50 + 0.25 / 4000)
    assert abs(each.mean() - drawn.success) < 5 * spread


def test_suwheel_leaks_what_suwheel_j_does_not():
    """The leak of theory/sets#undisclosed-slot at small ε: in a crowd with one sensitive item in eight, or none."""
    mask = np.arange(64) < 16
    rng = stream(3)
    sets = np.array([rng.choice(np.arange(16, 64), 8, replace=False) for _ in range(600)])
    sets[::2, 0] = rng.integers(0, 16, 300)
    leaky = presence.success(SETS["suWheel"].build(0.1, 64, mask, 8), mask, sets, stream(4), users=2000)
    mended = presence.success(SETS["suWheel-J"].build(0.1, 64, mask, 8), mask, sets, stream(4), users=2000)
    assert leaky.low > 0.6
    assert mended.high < 0.58


def test_a_population_weighs_the_sets():
    mech = SETS["suGRR"].build(1.0, 6, MASK, 2)
    every = mech.all_sets()
    assert presence.success(mech, MASK, every).success == pytest.approx(presence.success(mech, MASK).success)
    twice = presence.success(mech, MASK, np.repeat(every, 2, axis=0))
    assert twice.success == pytest.approx(presence.success(mech, MASK).success)
    other = np.r_[every, np.repeat(every[:1], 50, axis=0)]
    assert presence.success(mech, MASK, other).success != pytest.approx(twice.success)


def test_dummies_are_not_presence():
    mech = SETS["suGRR"].build(1.0, 4, np.array([True, False, False, False]), 2, dummies=2)
    assert presence.success(mech, mech.sensitive).success > 0.5
    with pytest.raises(ValueError, match="presence needs sets with and sets without a sensitive item, 0 of 1"):
        presence.success(mech, mech.sensitive, np.array([[4, 5]]))


def test_refusals():
    mech = SETS["suWheel"].build(1.0, 6, MASK, 2)
    with pytest.raises(ValueError, match=r"is simulated: pass rng \(or, for a hashed one, public\)"):
        presence.success(mech, MASK)
    with pytest.raises(ValueError, match="15 of 15 have one; mark other items or load other data"):
        presence.success(mech, np.ones(6, bool), public=1)
    with pytest.raises(NotEnumerable, match="sets of m = 8 among 64 items"):
        presence.success(SETS["suGRR"].build(1.0, 64, None, 8), np.arange(64) < 9)
    with pytest.raises(ValueError, match="users must be at least 2, got 1"):
        presence.success(mech, MASK, rng=stream(1), users=1)


def log_chances(mech, reports, crowd, mask, has):
    people = presence._crowd(mech, crowd, mask)
    return presence._log_chances(mech, presence._distinct(mech, reports), people, mask, has, stream(5))


def whole(sets):
    """A crowd of people with these sets, none of them merged."""
    return presence._Crowd(sets, np.zeros(len(sets)), len(sets))


@pytest.mark.parametrize("key", [key for key, entry in SETS.items() if entry.factory.others_alike])
def test_sets_that_no_report_tells_apart_count_as_often_as_they_are_there(key, monkeypatch):
    """Whichever of a set's other items what is disclosed takes the place of: drawn, set by set, the chances of every
    report are those of one set of each kind.
    """
    mech, mask = SETS[key].build(1.0, 9, np.arange(9) < 4, 3), np.arange(9) == 6
    sets = mech.all_sets()[:, ::-1]
    crowd = np.sort(sets[mask[sets].any(axis=1)], axis=1)
    reports = mech.perturb(np.repeat(mech.all_sets(), 9, axis=0), stream(11))
    distinct, merged = presence._distinct(mech, reports), presence._crowd(mech, crowd, mask)
    few = presence._log_chances(mech, distinct, merged, mask, True, stream(12))
    monkeypatch.setattr(type(mech), "others_alike", False)
    every = presence._log_chances(mech, distinct, presence._crowd(mech, crowd, mask), mask, True, stream(13))
    np.testing.assert_allclose(few, every, rtol=1e-12)
    if mech.uses_marks:
        assert len(merged.sets) < len(crowd)
        assert any(column.disclosed for column in mech.describe(reports))


@pytest.mark.parametrize("key", ["suGRR", "suRAP", "RAPPOR"])
def test_a_report_that_discloses_nothing_has_the_crowd_s_mean_likelihood(key):
    mech = SETS[key].build(1.0, 6, MASK, 2)
    crowd = mech.all_sets()[::3]
    reports = mech.perturb(mech.all_sets(), stream(6))
    silent = [i for i, column in enumerate(mech.describe(reports)) if not column.disclosed]
    assert 0 < len(silent) <= len(reports)
    found = log_chances(mech, reports, crowd, MASK, True)[silent]
    mean = np.exp(mech.log_likelihood(reports, crowd)[silent]).mean(axis=1)
    np.testing.assert_allclose(found, np.log(mean), rtol=1e-12)


@pytest.mark.parametrize("key", ["suGRR", "suRAP", "suWheel-J"])
def test_a_disclosed_item_that_matters_is_proof(key):
    """Its bearer has an item that matters: certain in one crowd, impossible in the other."""
    mech = SETS[key].build(1.0, 6, MASK, 2)
    reports = mech.perturb(np.repeat(mech.all_sets(), 20, axis=0), stream(7))
    named = [i for i, column in enumerate(mech.describe(reports)) if column.disclosed]
    assert named
    everything = np.ones(6, bool)
    assert log_chances(mech, reports, mech.all_sets()[:7], everything, True)[named] == pytest.approx(0, abs=1e-12)
    assert np.isneginf(log_chances(mech, reports, mech.all_sets()[:7], everything, False)[named]).all()


@pytest.mark.parametrize("key", ["suGRR", "suRAP"])
def test_a_disclosed_item_beside_is_weighed_against_all_sets_that_have_it(key):
    """The crowds are all sets of either kind, 40 times: completing what is disclosed at random gives on average the
    exact odds, those of the sets that have the disclosed items. Each report within 5 standard errors (6e-7).
    """
    marked, mask = np.arange(6) < 2, np.arange(6) < 1
    mech = SETS[key].build(1.0, 6, marked, 3)
    sets = mech.all_sets()
    has = mask[sets].any(axis=1)
    reports = mech.perturb(sets, stream(8))
    some = [i for i, column in enumerate(mech.describe(reports)) if column.disclosed]
    assert some
    distinct = presence._distinct(mech, reports)
    exact = np.exp(mech.log_likelihood(reports, sets)[some])
    exact = np.log(exact[:, has].mean(axis=1)) - np.log(exact[:, ~has].mean(axis=1))
    chances = np.exp([
        [presence._log_chances(mech, distinct, whole(sets[part]), mask, part is has, stream(9, batch))[some]
         for part in (has, ~has)]
        for batch in range(40)
    ])  # fmt: skip
    mean, error = chances.mean(axis=0), chances.std(axis=0) / np.sqrt(40)
    spread = np.sqrt(((error / mean) ** 2).sum(axis=0))
    assert (np.abs(np.log(mean[0] / mean[1]) - exact) <= 5 * spread + 1e-9).all()


@pytest.mark.parametrize(("right", "users"), [(1, 3), (7, 10), (999, 2000)])
def test_the_interval_is_scipys(right, users):
    exact = stats.binomtest(right, users).proportion_ci(0.95, "exact")
    found = presence.interval(right, users)
    assert (found.success, found.low, found.high) == pytest.approx((right / users, exact.low, exact.high))


def test_certain_decisions_have_their_interval():
    assert presence.interval(10, 10).high == 1.0
    assert presence.interval(0, 10).low == 0.0
    assert presence.interval(10, 10).low == pytest.approx(0.6915, abs=1e-4)
