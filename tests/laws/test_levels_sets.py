"""Sets in which every item has its own ε: the laws of sets, and what is new about levels.

Statistical laws are those of set_laws, at their rates, on fixed streams.
"""

from dataclasses import replace
from functools import cache
from math import e, exp, inf

import numpy as np
import pytest

from ldpcore.catalog import LEVELED_SETS, LEVELS, SETS, coverage
from ldpcore.catalog.entries import Coverage
from ldpcore.levels import Levels, SetLevels
from ldpcore.mechanisms.hit_weights import Hits, Shape
from ldpcore.policy import SULDPJoint
from ldpcore.rng import stream
from tests.laws import laws, set_laws

CASES = {
    "three": ((inf, 2.0, 0.5, 2.0, 0.5, inf), 2, 0),
    "crowded": ((inf, 2.0, 2.0, 0.5, 0.5), 3, 0),
    "no public": ((2.0, 2.0, 0.5, 0.5, 0.5), 2, 0),
    "one level": ((1.0, inf, 1.0, 1.0, inf), 2, 0),
    "all secret": ((1.0,) * 4, 2, 0),
    "padded": ((inf, 0.5, 2.0, 2.0), 2, 2),
    "one item": ((inf, 1.0, 0.3, 0.3), 1, 0),
    "all public": ((inf,) * 4, 2, 0),
    "one mark": ((inf, 1.0, inf, inf), 2, 0),
    "few marks": ((inf, inf, 2.0, 0.5), 3, 0),
}


@cache
def build(key, name):
    return LEVELED_SETS[key].build(*CASES[name])


crossed = [pytest.param(key, name, id=f"{key}-{name}") for key in LEVELED_SETS for name in CASES]


@pytest.mark.parametrize(("key", "name"), crossed)
def test_exact(key, name):
    for law in set_laws.ALL:
        law(build(key, name))


@pytest.mark.one_in(2)  # the exact laws look at all of them
@pytest.mark.parametrize("law", set_laws.SAMPLED, ids=lambda law: law.__name__)
@pytest.mark.parametrize("name", ["three", "padded"])
@pytest.mark.parametrize("key", LEVELED_SETS)
def test_sampled(key, name, law):
    law(build(key, name))


@pytest.mark.parametrize("key", LEVELED_SETS)
def test_many_items(key):
    m = LEVELED_SETS[key].build([inf] * 40 + [3.0] * 60 + [1.0] * 60, m=8)
    sets = np.array([stream(1, "sets", i).choice(160, 8, replace=False) for i in range(400)])
    found, freq = m.simulate(sets, stream(2, "many"), 40), set_laws.shares(m, np.sort(sets, axis=1))
    exact = m.variance(freq, 400, m.company(sets))
    z = (found.mean(axis=0) - freq) / np.sqrt(exact / 40)
    assert np.abs(z).max() < 5.5  # 160 values: a false alarm in 160 000 runs
    assert found.var(axis=0, ddof=1).sum() / exact.sum() == pytest.approx(1, abs=0.15)


@pytest.mark.parametrize("key", LEVELED_SETS)
def test_an_entry_promises_what_its_mechanism_keeps(key):
    entry, m = LEVELED_SETS[key], build(key, "three")
    assert m.policy.name == entry.promise
    assert coverage(entry.promise) is Coverage.MARKED
    assert isinstance(m, entry.factory)
    assert m.epsilon == m.policy.epsilon == 2.0
    assert all(caveat.endswith(".") for caveat in entry.caveats)
    assert m.policy.covers(6).any(axis=1).tolist() == m.sensitive.tolist()


# --- the promise ---


def losses(m):
    """Largest log ratio between any two sets that contain what a report discloses: (sets, sets)."""
    channel = m.channel()
    holds = channel.holds()
    out = np.full((channel.k, channel.k), -inf)
    for y, column in enumerate(channel.columns):
        able = holds[:, list(column.disclosed)].all(axis=1)
        p = channel.matrix[:, y]
        with np.errstate(divide="ignore"):
            out[np.ix_(able, able)] = np.maximum(out[np.ix_(able, able)], np.log(p[able])[:, None] - np.log(p[able]))
    return channel, holds, out


@pytest.mark.parametrize("name", ["three", "crowded", "no public", "padded"])
@pytest.mark.parametrize("key", LEVELED_SETS)
def test_by_brute_force(key, name):
    """Sets that differ in secret items by e^ε₂ at most, any two by e^ε₁; both to the last digit somewhere."""
    m = build(key, name)
    channel, holds, loss = losses(m)
    secret = m._own_epsilon == 0.5
    public = ~m.marked
    used = {0.5: 0.0, 2.0: 0.0}
    for one in range(channel.k):
        for other in range(channel.k):
            more = holds[one] & ~holds[other] & ~public
            if more.any():
                bound = 0.5 if secret[more].all() else 2.0
                assert loss[one, other] <= bound + 1e-12
                used[bound] = max(used[bound], loss[one, other])
    assert used[2.0] == pytest.approx(2.0, abs=1e-12)
    if name in ("three", "no public"):
        assert used[0.5] == pytest.approx(0.5, abs=1e-12)


@pytest.mark.parametrize("key", LEVELED_SETS)
def test_a_smaller_budget_is_broken_and_the_sentence_says_where(key):
    channel = build(key, "three").channel()
    for tighter, most in (((inf, 2.0, 0.4, 2.0, 0.4, inf), "0.4"), ((inf, 1.9, 0.5, 1.9, 0.5, inf), "1.9")):
        verdict = SetLevels(tighter).check(channel)
        assert not verdict.holds
        assert f"it may by {most}" in verdict.why
    with pytest.raises(TypeError, match="sets of items"):
        SetLevels((1.0, 1.0)).check(LEVELS["gRR"].build([1.0, 1.0]).channel())
    with pytest.raises(ValueError, match="there is one ε for each of 3 items, but the channel has 6"):
        SetLevels((1.0, 1.0, 1.0)).check(channel)


def test_no_mechanism_keeps_the_strict_promise_and_gains_of_it():
    """A secret item in a set with a private one: a report that speaks for the private one speaks for the set. Bounding
    that by the secret ε would make whoever holds one secret item secret altogether.
    """
    channel, _, loss = losses(build("gHit", "three"))
    sets = channel.sets.tolist()
    both, neither = sets.index([1, 2]), sets.index([3, 4])
    assert loss[both, neither] > 1.9
    assert loss[sets.index([1, 2]), sets.index([1, 4])] <= 0.5 + 1e-12


def test_a_report_for_each_level_breaks_the_secret_one():
    """The private items through their own channel at ε₁: that somebody holds none speaks for a secret item by e^ε₁."""
    private = LEVELS["gRR"].build([2.0, 2.0])  # 0: the private item, 1: none of them
    both = private.channel()
    assert Levels((2.0, 2.0)).check(both).holds
    assert not Levels((2.0, 0.5)).check(both).holds


@pytest.mark.parametrize("key", ["uPrivSet", "suWheel-J", "suRAP"])
def test_at_two_levels_it_is_the_joint_promise_one_sided(key):
    """What keeps SULDP-joint keeps it; and treating private items as secret keeps any levels."""
    mask = np.array([True, True, False, True, False])
    theirs = SETS[key].build(1.0, 5, mask, 2)
    channel = theirs.channel(set_laws.public(theirs))
    assert SetLevels(tuple(np.where(mask, 1.0, inf))).check(channel).holds
    assert SetLevels((1.0, 3.0, inf, 2.0, inf)).check(channel).holds
    assert not SetLevels(tuple(np.where(mask, 0.9, inf))).check(channel).holds


def test_at_two_levels_it_keeps_the_joint_promise():
    m = build("gHit", "one level")
    assert SULDPJoint(1.0, m.marked).check(m.channel()).holds


# --- what is there ---


def test_one_item_is_a_value():
    """m = 1: the channel of gSub at the same G, and its best."""
    m, value = build("gHit", "one item"), LEVELS["gSub"].build(CASES["one item"][0])
    even = np.full(4, 0.25)
    assert m.variance(even, 1).mean() == pytest.approx(value.variance(even, 1).mean(), rel=1e-5)
    value = LEVELS["gSub"].build(CASES["one item"][0])
    vars(value)["gain"] = m.hits.gain
    assert laws.close(m.channel().matrix, value.channel().matrix, 1e-4)


@pytest.mark.parametrize("name", ["one mark", "few marks"])
def test_sets_of_more_items_than_are_marked_are_measured(name):
    """Every set holds a public item, which the least G leaves no room to disclose."""
    m = build("gHit", name)
    assert m.hits.rho > 0.01
    assert m.variance(None, 1).max() < 100


@pytest.mark.parametrize(("k", "marked", "size", "epsilon", "most"), [(400, 100, 8, 1.0, 1.2), (60, 30, 3, 0.5, 1.3)])
def test_at_one_level_it_is_not_far_from_uprivset(k, marked, size, epsilon, most):
    """Bits by themselves cost more than subsets of one size: less the more items there are."""
    mask = np.arange(k) < marked
    mine = LEVELED_SETS["gHit"].build(np.where(mask, epsilon, inf), size)
    theirs = SETS["uPrivSet"].build(epsilon, k, mask, size)
    f = np.full(k, size / k)
    assert 1 < mine.variance(f, 1).mean() / theirs.variance(f, 1).mean() < most


@pytest.mark.parametrize("name", ["three", "crowded", "no public", "padded"])
def test_no_other_chances_have_a_smaller_error(name):
    m = build("gHit", name)
    own, f = m._errors(m.hits, m.shares(None)).sum(), m.shares(None)
    rng = stream(3, "others")
    sizes = tuple(int(np.count_nonzero(of)) for of in (m._private, m._secret, ~m.marked))
    shape = Shape.of((np.expm1(2.0), np.expm1(0.5)), sizes, m.m)
    for private, secret in np.exp(rng.uniform(-7, -0.2, (1500, 2))):
        other = Hits.best(private, secret, shape)
        if other is not None:
            assert m._errors(other, f).sum() >= own * (1 - 1e-6)


# --- what it buys: the table of docs/theory/levels.md, to the printed digits ---

PRINTED = {
    (8, 5, 5, 2, 2.0, 0.5): (10.5, 1.22),
    (8, 5, 5, 4, 2.0, 0.5): (24.6, 0.77),
    (32, 16, 16, 2, 2.0, 0.5): (8.75, 1.65),
    (32, 16, 16, 4, 2.0, 0.5): (19.2, 1.45),
    (32, 16, 16, 8, 2.0, 0.5): (42.1, 1.17),
    (512, 256, 256, 2, 4.0, 1.0): (1.73, 1.94),
    (512, 256, 256, 8, 2.0, 0.5): (37.0, 1.83),
    (512, 256, 256, 8, 4.0, 2.0): (1.43, 1.65),
}


def measured(public, private, secret, m, e1, e2):
    """gHit's mean n·Var at uniform sets, and uPrivSet's with private items as secret ones over that."""
    k = public + private + secret
    f = np.full(k, m / k)
    mine = LEVELED_SETS["gHit"].build([inf] * public + [e1] * private + [e2] * secret, m)
    theirs = SETS["uPrivSet"].build(e2, k, np.arange(k) >= public, m).variance(f, 1).mean()
    return mine.variance(f, 1).mean(), theirs / mine.variance(f, 1).mean()


@pytest.mark.parametrize("row", PRINTED, ids=str)
def test_the_table(row):
    mean, gain = measured(*row)
    assert [f"{mean:.3g}", f"{gain:.2f}"] == [f"{PRINTED[row][0]:.3g}", f"{PRINTED[row][1]:.2f}"]


# --- planted bugs ---

BUGS = {
    "private hits too loud": ({"loud": 1.1 * (e**2 - 1)}, set_laws.keeps_its_policy),
    "secret hits too loud": ({"low": 1.1 * (exp(0.5) - 1)}, set_laws.keeps_its_policy),
    "a different noise": ({"private": 0.05}, set_laws.keeps_its_policy),
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_channel_beyond_its_levels_is_noticed(bug):
    m = LEVELED_SETS["gHit"].build(*CASES["three"])
    changed, law = BUGS[bug]
    vars(m)["hits"] = replace(m.hits, **changed)
    with pytest.raises(AssertionError):
        law(m)


def test_a_sampler_without_the_private_hits_is_noticed(monkeypatch):
    m = LEVELED_SETS["gHit"].build(*CASES["three"])
    monkeypatch.setattr(type(m), "_some", staticmethod(lambda items, chance, wanted, rng: items & False))
    with pytest.raises(AssertionError):
        set_laws.perturb_follows_the_likelihood(m)


# --- refusals ---


def test_wrong_input_is_refused():
    entry = LEVELED_SETS["gHit"]
    with pytest.raises(ValueError, match=r"at most 2 levels that are not public, got ε of 0.5, 1, 2; give items of"):
        entry.build([0.5, 1.0, 2.0, inf], 2)
    with pytest.raises(ValueError, match="dummies hide how many items somebody has: give at least one item a finite ε"):
        entry.build([inf, inf, inf], 2, dummies=2)
    with pytest.raises(ValueError, match=r"m \(items per set\) must be between 1 and 3, got 4"):
        entry.build([0.5, 1.0, inf], 4)
    with pytest.raises(ValueError, match="between 0 and 1 with sum m = 2"):
        entry.build([0.5, 1.0, inf], 2, share=[0.1, 0.2, 0.3])
    guessed = entry.build(CASES["three"][0], 2, share=[0.9, 0.05, 0.05, 0.05, 0.05, 0.9])
    set_laws.keeps_its_policy(guessed)
    set_laws.estimate_and_variance_are_the_channels(guessed)
    even = build("gHit", "three")
    assert guessed.variance(guessed.share, 1).sum() < even.variance(guessed.share, 1).sum()


@pytest.mark.parametrize("epsilons", [(inf, 1e-6, 1e-3, 1e-6), (inf, 40.0, 20.0, 20.0), (30.0, 30.0, 1e-3, 1e-3)])
def test_at_the_ends_of_epsilon(epsilons):
    m = LEVELED_SETS["gHit"].build(epsilons, 2)
    set_laws.likelihood_is_a_distribution(m)
    set_laws.keeps_its_policy(m)
