"""A table of chances is a mechanism like any other: the catalogue's own, written down and read back."""

import numpy as np
import pytest

from ldpcore import catalog, custom
from ldpcore.catalog.entries import Construction
from ldpcore.limit import Limit, best
from ldpcore.mechanisms.unary import OUE
from ldpcore.rng import stream
from tests.each import for_each
from tests.laws import cases, laws

FREQ = np.array([0.4, 0.3, 0.2, 0.1])
EXACT = [
    laws.likelihood_is_a_distribution,
    laws.outputs_are_all_the_reports,
    laws.keeps_its_policy,
    laws.privacy_loss_is_the_channels,
    laws.disclosure_is_the_channels,
    laws.support_is_the_channels,
    laws.naming_is_the_channels,
    laws.estimate_is_unbiased,
    laws.estimate_inverts_support,
    laws.variance_is_the_channels,
    laws.step_is_the_channels,
    laws.success_is_the_channels,
]


def read_back(key: str, epsilon: float = 1.0, k: int = 4, marked: int = 2) -> custom.CustomMechanism:
    mask = cases.marks(k, marked)
    text = custom.to_csv(custom.channel_of(key, epsilon, k, mask))
    return custom.CustomMechanism(custom.read(text).matrix, mask)


@for_each("law", EXACT)
@for_each("key", ["GRR", "uSS", "SDSS", "uOUE"])
def test_a_table_keeps_the_exact_laws(law, key):
    law(read_back(key))


def test_a_table_is_sampled_by_its_chances():
    mine, rng = read_back("uHR"), stream(5, "own")
    values = rng.permutation(np.repeat(np.arange(4), 20_000))
    sent = mine.perturb(values, rng)
    for x in range(4):
        assert laws.fits(np.bincount(sent[values == x], minlength=mine.count_outputs()), mine.channel().matrix[x])
    laws.simulate_has_the_right_moments(mine)


def test_tallies_merge():
    laws.tallies_merge(read_back("uSS"))


@for_each("epsilon", cases.EPSILONS)
@for_each("key", cases.TABLED)
def test_the_catalogue_read_back_says_the_same(key, epsilon):
    entry, mask = catalog.FREQUENCY[key], cases.marks(4, 2)
    theirs, mine = entry.build(epsilon, 4, mask), read_back(key, epsilon)
    # SDGRR's low reports never come from marked values: it keeps more than SDLDP.
    assert custom.ORDER.index(mine.promise.definition) <= custom.ORDER.index(entry.promise)
    spent = epsilon if theirs.spends_all else theirs.privacy_loss().max()
    assert mine.kept[entry.promise].epsilon == pytest.approx(spent, abs=1e-9)
    assert mine.epsilon == pytest.approx(spent, abs=1e-9)
    assert laws.close(mine.privacy_loss(), theirs.privacy_loss())
    assert laws.close(mine.disclosure(), theirs.disclosure())
    for prior in (FREQ, np.full(4, 0.25), mask / mask.sum()):
        assert laws.close(mine.success(prior), theirs.success(prior))
    for freq in laws.populations(theirs):
        symbols = entry.construction in (Construction.SYMBOL, Construction.SUBSET) and key != "SDSS"
        if symbols:  # whose estimate is the best that there is
            assert laws.close(mine.variance(freq, 9), theirs.variance(freq, 9))
    even = np.full(4, 0.25)
    assert mine.variance(even, 1).mean() <= theirs.variance(even, 1).mean() * (1 + 1e-9)


def test_equal_reports_give_equal_estimates():
    mask = cases.marks(5, 2)
    theirs = catalog.FREQUENCY["uSS"].build(1.0, 5, mask)
    mine, rng = custom.CustomMechanism(theirs.channel().matrix, mask), stream(3, "own")
    reports = theirs.perturb(rng.integers(0, 5, 500), rng)
    codes = theirs.column(reports)
    assert laws.close(mine.estimate(mine.tally(codes)), theirs.estimate(theirs.tally(reports)))


@pytest.mark.parametrize("policy", ["LDP", "ULDP", "guarded SDLDP"])
def test_the_limits_own_channel_is_at_no_distance(policy):
    mask = np.arange(6) < 3
    found: Limit = best(policy, 6, 0 if policy == "LDP" else 3, 1.0)
    mine = custom.CustomMechanism(found.mechanism(mask if policy != "LDP" else None).channel().matrix, mask)
    assert mine.promise.definition == policy
    distance = custom.distance(mine)
    assert distance is not None
    assert distance.times == pytest.approx(1, abs=1e-5)


def test_the_limits_own_channel_for_levels_is_at_no_distance():
    table = catalog.LEVELS["gTable"].build([np.inf, np.inf, 2.0, 2.0, 0.5]).channel().matrix
    mine = custom.CustomMechanism(table)
    assert mine.promise.definition == "levels"
    distance = custom.distance(mine)
    assert distance is not None
    assert distance.times == pytest.approx(1, abs=1e-4)


def test_no_table_is_below_the_limit():
    rng = stream(5, "own")
    for _ in range(20):
        table = rng.dirichlet(np.ones(7), 4)
        distance = custom.distance(custom.CustomMechanism(table), rng.dirichlet(np.ones(4)))
        assert distance is not None
        assert distance.times >= 1 - 1e-9


def test_the_distance_is_averaged_over_which_values_are_common():
    table = stream(6, "own").dirichlet(np.ones(6), 4)
    marks = np.array([True, True, False, False])
    there, back = (
        custom.distance(custom.CustomMechanism(table, marks), f) for f in ([0.5, 0.1, 0.3, 0.1], [0.1, 0.5, 0.1, 0.3])
    )
    assert there is not None
    assert back is not None
    assert there.times == pytest.approx(back.times)


def test_unary_encodings_are_estimated_better_from_the_whole_report():
    usual, whole = OUE(1.0, 4), read_back("OUE")
    assert whole.variance(None, 1).mean() < 0.75 * usual.variance(np.full(4, 0.25), 1).mean()


def test_knowing_the_shares_helps_and_never_hurts():
    mine = read_back("uOUE")
    known = custom.error_for(mine, FREQ)
    assert np.all(known <= mine.variance(FREQ, 1) * (1 + 1e-9))
    assert known.sum() < 0.999 * mine.variance(FREQ, 1).sum()
