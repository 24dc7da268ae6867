"""The laws of sets, crossed with the catalogue; and what the mechanisms must be at the ends of their range."""

import itertools
import random
from functools import cache

import numpy as np
import pytest

from ldpcore.attacks import presence
from ldpcore.catalog import FREQUENCY, SETS
from ldpcore.mechanisms import ring
from ldpcore.policy import SULDPY0, SULDPJoint
from ldpcore.randomizer import NotEnumerable
from ldpcore.rng import stream
from tests.each import for_each
from tests.laws import cases, laws, set_laws

EPSILONS = (0.1, 1.0, 4.0)
SHAPES = ((5, 3, 2, 0), (6, 4, 3, 0), (6, 6, 2, 0), (5, 3, 1, 0), (4, 1, 2, 2))
"""k, marked, m, dummies."""
COVERING = (
    (0.1, (5, 3, 2, 0)),
    (0.1, (6, 6, 2, 0)),
    (0.1, (4, 1, 2, 2)),
    (1.0, (6, 4, 3, 0)),
    (1.0, (5, 3, 1, 0)),
    (4.0, (5, 3, 2, 0)),
    (4.0, (6, 6, 2, 0)),
    (4.0, (4, 1, 2, 2)),
)
"""Of their product: every shape, most at both ends of ε; for the law that draws 160 000 reports a case."""
DRAWN = ((1.0, (5, 3, 2, 0)), (4.0, (6, 4, 3, 0)), (0.1, (4, 1, 2, 2)))
keyed = {"argvalues": SETS.values(), "ids": lambda entry: entry.key}


@cache
def build(key, epsilon, shape):
    k, marked, m, dummies = shape
    return SETS[key].build(epsilon, k, cases.marks(k, marked), m, dummies)


@pytest.mark.parametrize("law", set_laws.ALL, ids=lambda law: law.__name__)
@pytest.mark.parametrize("key", SETS)
def test_exact(key, law):
    settings = COVERING if law is set_laws.perturb_follows_the_likelihood else itertools.product(EPSILONS, SHAPES)
    laws.obeyed(law, {f"ε = {epsilon}, {shape}": build(key, epsilon, shape) for epsilon, shape in settings})


@pytest.mark.one_in(2)  # the exact laws look at all of them
@pytest.mark.parametrize("law", set_laws.SAMPLED, ids=lambda law: law.__name__)
@pytest.mark.parametrize(("epsilon", "shape"), DRAWN, ids=str)
@pytest.mark.parametrize("key", SETS)
def test_sampled(key, epsilon, shape, law):
    law(build(key, epsilon, shape))


@pytest.mark.one_in(2)  # each mechanism at one of the two sizes
@pytest.mark.parametrize("key", SETS)
@pytest.mark.parametrize("m", [8, 64])
def test_large_sets_are_unbiased(key, m):
    """Mean of 20 surveys against the exact standard deviation, at ALPHA over all values whose counts are not rare."""
    mech = build(key, 4.0, (160, 110, m, 0))
    sets = set_laws.population(mech, 2000)
    freq, n = set_laws.shares(mech, sets), 2000 * 20
    exact = mech.variance(freq, n, mech.company(sets))
    rare = ~mech.marked & (freq**2 <= 100 * exact) | (exact < 1e-15)
    z = (mech.simulate(sets, stream(1), 20).mean(axis=0) - freq)[~rare] / np.sqrt(exact[~rare])
    assert np.abs(z).max() < 6


ORIGINALS = {
    "suGRR": "uRR",
    "suGRR-Sample": "uRR",
    "suRAP": "uRAP",
    "suRAP-Sample": "uRAP",
    "GRR": "GRR",
    "GRR-Sample": "GRR",
    "RAPPOR": "RAPPOR",
    "RAPPOR-Sample": "RAPPOR",
    "PrivSet": "SS",
    "uPrivSet": "uSS",
}


@for_each("epsilon", EPSILONS)
@for_each("key", ORIGINALS)
def test_one_item_is_a_value(key, epsilon):
    """m = 1: the same reports with the same probabilities, the same error (at equal w)."""
    mask = cases.marks(6, 4)
    mech, original = SETS[key].build(epsilon, 6, mask, 1), FREQUENCY[ORIGINALS[key]].build(epsilon, 6, mask)
    if hasattr(mech, "w"):
        vars(original)["w"] = mech.w
    outputs = mech.outputs()
    reports = outputs[:, 0] if outputs.ndim == 2 and outputs.dtype != np.uint8 else outputs
    assert laws.close(
        np.exp(mech.log_likelihood(outputs, np.arange(6)[:, None])), np.exp(original.log_likelihood(reports))
    )
    freq = stream(1, "freq").dirichlet(np.ones(6))
    assert laws.close(mech.variance(freq, 10), original.variance(freq, 10))
    seen = freq @ np.arange(36).reshape(6, 6) / 36
    assert laws.close(mech.tally(outputs).total, original.tally(reports).total)
    if key != "uPrivSet":  # uSS centres its estimate on the share of S, uPrivSet on what is disclosed: equal on totals
        assert laws.close(mech.invert(seen), original.invert(seen))
    else:
        whole = mech.tally(outputs)
        assert laws.close(mech.estimate(whole), original.estimate(original.tally(reports)))


ENDS = {
    "suGRR": "GRR",
    "suGRR-Sample": "GRR-Sample",
    "suRAP": "RAPPOR",
    "suRAP-Sample": "RAPPOR-Sample",
    "suWheel": "Wheel",
    "suWheel-J": "Wheel",
    "uPrivSet": "PrivSet",
}


@for_each("epsilon", EPSILONS)
@for_each("key", ENDS)
def test_everything_marked_is_the_original(key, epsilon):
    everything = np.ones(6, bool)
    mech, original = SETS[key].build(epsilon, 6, everything, 2), SETS[ENDS[key]].build(epsilon, 6, everything, 2)
    if key == "suWheel-J":
        vars(mech)["arc"] = original.arc  # its own p is the best for other sets
    if hasattr(mech, "w"):
        assert mech.w == original.w
    public = set_laws.public(mech)
    assert laws.close(mech.channel(public).matrix, original.channel(public).matrix)
    freq = 2 * stream(1, "freq").dirichlet(np.full(6, 9.0))
    assert laws.close(mech.variance(freq, 10), original.variance(freq, 10))
    seen = stream(2, "seen").random(6)
    assert laws.close(mech.invert(seen), original.invert(seen))


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_suwheel_keeps_y0_only(epsilon):
    mech = build("suWheel", epsilon, (6, 3, 2, 0))
    for public in range(3):
        channel = mech.channel(public)
        assert SULDPY0(epsilon, mech.marked).check(channel).holds
        joint = SULDPJoint(epsilon, mech.marked).check(channel)
        assert not joint.holds
        assert joint.loss == float("inf"), "the hash known, an undisclosed slot excludes sets"


@pytest.mark.parametrize("key", ["suGRR", "suRAP"])
def test_the_per_item_mechanisms_fail_the_y0_form(key):
    """suGRR: a set without unmarked items never gives a short y₀ (theory/definitions#suldp)."""
    mech = build(key, 1.0, (6, 3, 2, 0))
    if key == "suGRR":
        assert not SULDPY0(1.0, mech.marked).check(mech.channel()).holds
    assert SULDPJoint(1.0, mech.marked).check(mech.channel()).holds


@pytest.mark.parametrize("key", [key for key, entry in SETS.items() if entry.factory.hashed])
def test_every_hash_keeps_the_promise(key):
    mech = build(key, 1.0, (6, 3, 2, 0))
    for public in range(20, 30):
        verdict = mech.policy.check(mech.channel(public))
        assert verdict.holds, verdict.why


@pytest.mark.parametrize("key", ["suRAP", "suWheel-J", "uPrivSet", "Wheel", "PrivSet"])
def test_the_whole_budget_is_used(key):
    mech = build(key, 1.0, (6, 4, 2, 0))
    assert mech.policy.check(mech.channel(set_laws.public(mech))).loss == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("key", ["Wheel", "suWheel", "suWheel-J"])
@pytest.mark.parametrize("epsilon", [1.0, 3.0])
def test_neighbours_of_adjacent_items_are_unbiased(key, epsilon):
    """The hash's real test (theory/sets#the-hash): eight adjacent items held by all. z below 6: 2e-9 for each of 40
    items.
    """
    assert worst_neighbour(key, epsilon) < 6


def worst_neighbour(key, epsilon, n=400_000):
    mech = SETS[key].build(epsilon, 40, np.ones(40, bool), 8)
    reports = mech.perturb(np.tile(np.arange(10, 18), (n, 1)), stream(3, key))
    freq = np.r_[np.zeros(10), np.ones(8), np.zeros(22)]
    return np.abs((mech.estimate(mech.tally(reports)) - freq) / np.sqrt(mech.variance(freq, n))).max()


def test_that_test_fails_a_linear_hash(monkeypatch):
    """h = a·v + b is pairwise uniform and still biases the neighbours."""
    monkeypatch.setattr(ring, "multipliers", lambda k: np.arange(k, dtype=np.uint64))
    assert worst_neighbour("Wheel", 1.0) > 8


@for_each("key", SETS)
def test_only_the_given_generator_is_used(key):
    mech = build(key, 1.0, (6, 4, 2, 0))
    sets, before = set_laws.population(mech), (random.getstate(), np.random.get_state()[1].tobytes())  # noqa: NPY002
    one = [mech.perturb(sets, stream(5)).tobytes(), mech.simulate(sets, stream(5), 2).tobytes()]
    assert (random.getstate(), np.random.get_state()[1].tobytes()) == before  # noqa: NPY002
    assert one == [mech.perturb(sets, stream(5)).tobytes(), mech.simulate(sets, stream(5), 2).tobytes()]


@pytest.mark.parametrize("key", ["suGRR", "suRAP", "suGRR-Sample", "suWheel", "suWheel-J"])
def test_nothing_marked_still_estimates(key):
    mech = build(key, 1.0, (6, 0, 2, 0))
    set_laws.simulate_has_the_law(mech)
    set_laws.perturb_follows_the_likelihood(mech)


@pytest.mark.parametrize("entry", **keyed)
def test_an_entry_is_complete(entry):
    assert SETS[entry.key] is entry
    assert entry.label
    assert entry.source
    assert entry.construction
    assert entry.factory.__doc__
    assert all(caveat.endswith(".") for caveat in entry.caveats)
    mech = entry.build(1.0, 6, cases.marks(6, 4), m=2)
    assert mech.policy.name == entry.promise
    assert mech.policy.epsilon == 1.0
    assert (entry.promise != "LDP") == entry.uses_marks
    if entry.takes_share:
        assert entry.build(1.0, 6, cases.marks(6, 4), m=2, share=0.9).share == 0.9
    assert mech.policy.covers(6).shape == (6, 6)


@pytest.mark.parametrize("key", ["suWheel-J", "uPrivSet"])
def test_a_guess_is_asked_for_where_it_sets_the_error(key):
    assert SETS[key].takes_share


@pytest.mark.parametrize("entry", **keyed)
def test_too_large_a_channel_says_its_size(entry):
    mech = entry.build(1.0, 64, cases.marks(64, 40), m=8)
    with pytest.raises(NotEnumerable, match=r"there are 4.426e\+09 sets of m = 8 among 64 items, more than the 10000"):
        mech.channel(7)
    many = entry.build(1.0, 120, cases.marks(120, 60), m=2)
    if many.count_outputs() > 16_384 or many.count_outputs() * 7140 > 1 << 25:
        with pytest.raises(NotEnumerable, match="different reports for 7140 sets, more than an exact channel may have"):
            many.channel(7)


@pytest.mark.parametrize("entry", **keyed)
def test_wrong_input_is_refused(entry):
    mech, rng = entry.build(1.0, 6, cases.marks(6, 4), m=2), stream(1)
    with pytest.raises(ValueError, match=r"one row of m = 2 codes per user, got shape \(2,\); bring other lengths"):
        mech.perturb(np.array([0, 1]), rng)
    with pytest.raises(TypeError, match="sets must hold integer codes, got dtype float64; encode labels first"):
        mech.perturb(np.array([[0.0, 1.0]]), rng)
    with pytest.raises(ValueError, match="codes from 0 to 5, got 0 to 6; padded sets need a mechanism built with dumm"):
        mech.simulate(np.array([[0, 6]]), rng, 1)
    with pytest.raises(ValueError, match="the items of a set must be distinct, user 1 has one twice; remove duplicate"):
        mech.perturb(np.array([[0, 1], [3, 3]]), rng)
    with pytest.raises(ValueError, match=r"freq must have one entry for each of the 6 items, got shape \(5,\)"):
        mech.variance(np.ones(5), 1)
    with pytest.raises(ValueError, match=r"between 0 and 1 with sum m = 2 .*, got a sum of 1"):
        mech.variance(np.full(6, 1 / 6), 1)
    with pytest.raises(ValueError, match=r"m \(items per set\) must be between 1 and 6, got 7"):
        entry.build(1.0, 6, cases.marks(6, 4), m=7)
    with pytest.raises(ValueError, match=r"dummies .* must be at least 0, got -1"):
        entry.build(1.0, 6, cases.marks(6, 4), m=2, dummies=-1)
    with pytest.raises(ValueError, match="a tally without reports has no estimate; collect at least one"):
        mech.estimate(mech.tally(mech.perturb(np.zeros((0, 2), int), rng)))
    if entry.takes_share:
        with pytest.raises(ValueError, match=r"company must have shape \(6, 3\), as company\(sets\) returns"):
            mech.variance(np.full(6, 1 / 3), 1, np.ones(6))
        with pytest.raises(ValueError, match=r"share, the guessed share of marked items, lies in \[0, 1\], got 2"):
            entry.build(1.0, 6, cases.marks(6, 4), m=2, share=2)
    if entry.factory.hashed:
        with pytest.raises(ValueError, match=r"pass its seed, as in channel\(public=7\)"):
            mech.channel()


@pytest.mark.parametrize("key", ["PrivSet", "uPrivSet"])
def test_subsets_need_room(key):
    said = rf"^{key} draws its .* needs more than m = 4 sensitive items .*, got 4; choose a smaller m, or mark more"
    with pytest.raises(ValueError, match=said):
        SETS[key].build(1.0, 4, np.ones(4, bool), m=4)


def test_a_foreign_report_is_refused():
    mech = build("suGRR", 1.0, (6, 4, 2, 0))
    with pytest.raises(ValueError, match="these reports hold one that this mechanism cannot send"):
        mech.column(np.array([[90, 91]], np.int32))


@pytest.mark.parametrize("key", SETS)
def test_one_item_in_every_basket_and_the_whole_universe(key):
    """f = 1 for one item; m = k where the mechanism allows it."""
    mech = build(key, 1.0, (5, 4, 2, 0))
    sets = np.array([[0, 1 + i % 4] for i in range(set_laws.USERS)])
    set_laws._agree(mech, sets, mech.simulate(sets, stream(6), 400))
    try:
        full = build(key, 1.0, (4, 2, 4, 0))
    except ValueError as refusal:
        if "choose a smaller m" in str(refusal):
            return
        raise
    sets = np.tile(np.arange(4), (set_laws.USERS, 1))
    set_laws._agree(full, sets, full.simulate(sets, stream(7), 400))


@pytest.mark.parametrize("key", ["suWheel-J", "uPrivSet"])
def test_company_defaults_to_uniform_sets(key):
    mech = build(key, 1.0, (6, 4, 2, 0))
    every = mech.all_sets()
    freq = set_laws.shares(mech, every)
    assert laws.close(mech.variance(freq, 1), mech.variance(freq, 1, mech.company(every)))
    assert mech.open_law(0.7) @ np.arange(3) == pytest.approx(0.7)
    assert mech.open_law(0.0).tolist() == [1, 0, 0]
    many = mech.open_law(np.array([[-1.0, 0.0, 1e-7], [0.7, 1.9999, 2.5]]))
    assert many @ np.arange(3) == pytest.approx(np.array([[0, 0, 1e-7], [0.7, 1.9999, 2]]), rel=1e-9)
    assert np.array_equal(many[1, 0], mech.open_law(0.7))


def test_presence_is_bounded_where_the_promise_is_joint_and_ldp():
    for key in ("GRR", "RAPPOR", "PrivSet"):
        mech = build(key, 1.0, (6, 3, 2, 0))
        assert presence.success(mech, cases.marks(6, 3)).success <= np.e / (np.e + 1) + 1e-9
