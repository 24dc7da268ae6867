"""Presence: exact where the reports can be enumerated, simulated otherwise, and the two agree."""

import numpy as np
import pytest

from ldpcore.attacks import presence
from ldpcore.catalog import SETS
from ldpcore.randomizer import NotEnumerable
from ldpcore.rng import stream
from tests.laws import cases

MASK = cases.marks(6, 3)


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


@pytest.mark.parametrize("key", ["Wheel", "suWheel", "suWheel-J"])
def test_hashed_success_is_the_average_over_hashes(key):
    """200 hashes, exactly, against reports with their own; both within 5 standard deviations."""
    mech = SETS[key].build(1.0, 6, MASK, 2)
    each = np.array([presence.success(mech, MASK, public=seed).success for seed in range(200)])
    drawn = presence.success(mech, MASK, rng=stream(2, key))
    assert not drawn.exact
    spread = np.sqrt(each.var() / 200 + 0.25 / 4000)
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


def test_certain_decisions_have_their_interval():
    assert presence.interval(10, 10).high == 1.0
    assert presence.interval(0, 10).low == 0.0
    assert presence.interval(10, 10).low == pytest.approx(0.6915, abs=1e-4)
