"""Item membership: exact where the reports can be enumerated, simulated otherwise, and the two agree."""

from functools import cache

import numpy as np
import pytest

from ldpcore.attacks import membership, presence
from ldpcore.catalog import SETS
from ldpcore.rng import stream
from tests.laws import cases

MASK = cases.marks(6, 3)
ITEMS = {"marked": int(np.flatnonzero(MASK)[0]), "other": int(np.flatnonzero(~MASK)[0])}


@pytest.mark.one_in(2)  # each mechanism with every second item
@pytest.mark.parametrize("item", ITEMS.values(), ids=ITEMS)
@pytest.mark.parametrize("key", [key for key, entry in SETS.items() if not entry.factory.hashed])
def test_exact_and_simulated_agree(key, item):
    """All sets alike; within 5 standard deviations (6e-7) of the exact success."""
    mech = SETS[key].build(1.0, 6, MASK, 2)
    exact = membership.success(mech, item)
    assert exact.exact
    assert exact.success > 0.5
    drawn = presence._simulated(mech, np.arange(6) == item, None, stream(1, key), 4000)
    assert abs(drawn.success - exact.success) < 5 * 0.5 / np.sqrt(4000)


@pytest.mark.one_in(2)  # suWheel-J: test_presence.py, by the same average
@pytest.mark.parametrize("key", ["suWheel", "suWheel-J"])
def test_hashed_success_is_the_average_over_hashes(key, monkeypatch):
    mech = SETS[key].build(1.0, 6, MASK, 2)
    made = cache(mech.channel)  # both items are asked of the same 50 channels
    monkeypatch.setattr(type(mech), "channel", lambda _, public=None: made(public))
    for name, item in ITEMS.items():
        each = np.array([membership.success(mech, item, public=seed).success for seed in range(50)])
        drawn = membership.success(mech, item, rng=stream(2, key))
        assert not drawn.exact
        assert abs(each.mean() - drawn.success) < 5 * np.sqrt(each.var() / 50 + 0.25 / 2000), name


def test_a_mechanism_that_hides_everything_gives_e_over_e_plus_one_at_most():
    """LDP: the likelihood ratio of any report is at most e^ε, so the success is at most e^ε/(1 + e^ε)."""
    for entry in SETS.values():
        if entry.promise == "LDP" and not entry.factory.hashed:
            mech = entry.build(1.0, 6, None, 2)
            assert membership.success(mech, 0).success <= 1 / (1 + np.exp(-1.0))


def test_suwheel_discloses_nearly_every_unmarked_item():
    """Held unmarked items are disclosed with chance E/… close to 1 at large ε: membership is then certain."""
    mech = SETS["suWheel"].build(4.0, 64, np.arange(64) < 16, 4)
    sets = np.array([stream(3, i).choice(64, 4, replace=False) for i in range(800)])
    assert membership.success(mech, 40, sets, stream(4), users=400).low > 0.9


def test_a_disclosed_item_is_proof():
    mech = SETS["suGRR-Sample"].build(3.0, 6, MASK, 2)
    item = ITEMS["other"]
    mask = np.arange(6) == item
    crowd = presence._crowd(mech, mech.all_sets()[:3], mask)
    scores = presence._log_chances(mech, presence._distinct(mech, np.array([item])), crowd, mask, False, stream(5))
    assert scores.tolist() == [-np.inf]


def test_large_disclosures_have_a_likelihood():
    """A disclosure of 180 items: its factorial is no float."""
    mech = SETS["uPrivSet"].build(1.0, 200, np.arange(200) < 5, 200, dummies=200)
    held = np.arange(200)[None]
    report = mech.perturb(held, stream(6))[:1].copy()
    report[:] = np.packbits(np.r_[np.zeros(5), np.ones(180), np.zeros(215)].astype(bool), bitorder="little")
    assert np.isfinite(mech.log_likelihood(report, held)).all()


def test_refusals():
    mech = SETS["suGRR"].build(1.0, 6, MASK, 2)
    with pytest.raises(ValueError, match=r"item \(a code\) must be between 0 and 5, got 6"):
        membership.success(mech, 6)
    with pytest.raises(ValueError, match="2 of 2 have one"):
        membership.success(mech, 0, np.array([[0, 1], [0, 2]]))
