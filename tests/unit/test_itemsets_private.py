"""The private miner's corrections and PrivBasis's groups, each computed in another way."""

from collections import Counter
from itertools import combinations, permutations

import numpy as np
import pytest
from scipy.stats import chisquare

from ldpcore.itemsets import baskets_of, private, privbasis
from ldpcore.itemsets.bases import WIDEST, covering
from ldpcore.itemsets.private import REACH, expected_length, posterior
from ldpcore.itemsets.privbasis import _top, combined
from ldpcore.rng import stream
from tests.each import for_each
from tests.laws.test_miners import LISTS

DATA = baskets_of(LISTS)
HELD = [{*DATA.codes[a:b].tolist()} for a, b in zip(DATA.starts, DATA.starts[1:], strict=False)]
SURE = 1e7
"""An ε at which noise is below a thousandth of a basket."""


# --- what the private miner makes of its counts ---


@for_each("sd", [0.5, 20.0, 400.0])
@for_each("factor", [0.1, 0.9, 2.0])
def test_the_posterior_weighs_count_and_guess_by_their_precision(sd, factor):
    """A normal prior around lift × independence, 40 % wide and one basket more, and a normal count."""
    independent = np.array([100.0, 40.0, 3.0, 0.0])
    noisy = factor * independent + np.array([5.0, -10.0, 5.0, 0.0])
    lift = max(0.3, factor)
    for found, count, guess in zip(posterior(noisy, sd, independent), noisy, lift * independent, strict=True):
        precision = 1 / np.array([sd**2, (0.4 * guess) ** 2 + 1])
        assert found == pytest.approx(np.average([count, guess], weights=precision), abs=1e-12)


def test_negative_counts_let_no_pair_be_expected():
    found = posterior(np.array([7.0, 5.0]), 2.0, np.array([-30.0, 10.0]))
    assert found[0] == pytest.approx(7 / (1 + 2.0**2))  # a prior of variance 1 around nothing
    assert np.isfinite(posterior(np.array([3.0]), 2.0, np.array([0.0]))).all()


@pytest.mark.parametrize(("shares", "least", "wanted"), [
    ((1.0, 1.0, 1.0, 1.0), 100, 4), ((0.5, 0.5, 0.5), 25, 2), ((0.5, 0.5, 0.5), 26, 1), ((0.2,), 21, 0),
    ((1.5, -0.2, 0.9), 90, 2),
])  # fmt: skip
def test_the_expected_length_is_that_of_independent_items(shares, least, wanted):
    """Of 100 baskets; a noisy count beyond n, or below 0, counts as n and 0."""
    assert expected_length(100 * np.array(shares), least, 100) == wanted


def held_by(items):
    return sum(row >= {*items} for row in HELD)


def test_without_noise_and_with_a_cap_all_counts_shrink_alike_and_are_put_right():
    """Capped at 2: a basket of c items adds min(1, 2/c) to each; what that leaves of all counts is divided out."""
    mined = private(DATA, 1, SURE, stream(1), caps=(2.0,), shares=(1.0,))
    lengths = np.array([len(row) for row in HELD])
    capped = np.array([
        sum(min(1.0, 2.0 / len(row)) for row in HELD if item in row) for item in range(DATA.k)
    ])  # fmt: skip
    left = capped.sum() / np.minimum(lengths, REACH * 2).sum()
    assert 0.3 < left < 0.95
    np.testing.assert_allclose(mined.levels[0].noisy, capped / left, atol=0.01)


def test_a_cap_below_a_twelfth_is_put_right_too():
    """Everybody holds one of two: capped at 0.05, a twentieth of all counts is left."""
    mined = private([["a"]] * 300 + [["b"]] * 100, 1, SURE, stream(7), caps=(0.05,), shares=(1.0,))
    np.testing.assert_allclose(mined.levels[0].noisy, [300, 100], rtol=1e-3)


def test_of_few_people_too_the_counts_are_about_right():
    """2000 people answer three questions, so that a cap of three loses nothing: over forty runs the commonest answer is
    found 1.06 times too large (the deviation of one run is 0.09), in none by half. By one noisy total, as it was done
    before, it was 1.7 on average, with a deviation of 0.9.
    """
    rng = stream(6, "few people")
    answers = np.stack([base + np.minimum(rng.geometric(0.4, 2000) - 1, 3) for base in (0, 4, 8)], axis=1)
    few = baskets_of([[f"a{answer:02}" for answer in row] for row in answers])
    true = np.bincount(answers.ravel()).max()
    runs = [private(few, 40, 1.0, stream(6, run)).levels[0].noisy.max() / true for run in range(40)]
    assert 0.9 < np.mean(runs) < 1.2
    assert min(runs) > 0.5
    assert max(runs) < 1.5


def test_sets_of_three_must_exceed_the_threshold_by_the_noise_and_pairs_need_not():
    """Of many threshold each: kept exactly from one standard deviation on, read from the ledger."""
    for least in range(20, 120, 5):
        levels = private(DATA, least, 40.0, stream(2, least), caps=(30.0, 60.0, 60.0), shares=(0.2, 0.2, 0.6))
        for level in levels.levels[:2]:
            np.testing.assert_array_equal(level.kept, level.noisy >= least)
    caps, shares = (30.0, 60.0, 60.0), (0.2, 0.2, 0.6)
    apart = []
    for run in range(60):
        mined = private(DATA, 40, 4.0, stream(3, run), caps=caps, shares=shares)
        if len(mined.levels) > 2:
            level, spend = mined.levels[2], mined.ledger.spends[5]
            over = (level.noisy - 40) / (np.sqrt(2) * spend.scale)
            assert not level.kept[over < 0.99].any()  # what capping leaves is at most 1, so the deviation no smaller
            apart += over[level.kept].tolist()
    assert min(apart) < 1.3


# --- PrivBasis ---


def weight(groups, sets):
    """What the variances are in proportion to: w groups share the budget, a set's bins in B add up 2^(|B| − |X|)."""
    alone = [[2.0 ** (len(group) - len(some)) for group in groups if some <= group] for some in sets]
    return np.mean([len(groups) ** 2 / sum(1 / bins for bins in found) for found in alone])


@pytest.mark.one_in(2)  # every number of items with one or two of three draws
@pytest.mark.parametrize("items", [5, 12, 13, 20, 30])
@pytest.mark.parametrize("draw", range(3))
def test_groups_cover_all_and_no_merge_is_better(items, draw):
    rng = stream(4, "covering", items, draw)
    every = list(combinations(range(items), 2))
    pairs = [every[i] for i in rng.choice(len(every), min(4 + 6 * draw, len(every)), replace=False)]
    groups = covering(items, pairs)
    assert max(map(len, groups)) <= WIDEST
    sets = [frozenset([item]) for item in range(items)] + [frozenset(pair) for pair in pairs]
    assert all(any(some <= group for group in groups) for some in sets)
    for left, right in combinations(groups, 2):
        if len(left | right) <= WIDEST:
            merged = [group for group in groups if group not in (left, right)] + [left | right]
            assert weight(merged, sets) >= weight(groups, sets) * (1 - 1e-12)
    assert items <= WIDEST or weight(groups, sets) < weight(sets, sets)


def test_a_clique_wider_than_a_group_is_split_into_few_that_hold_its_pairs():
    """Three parts of at most six, two by two."""
    pairs = list(combinations(range(15), 2))
    groups = covering(15, pairs)
    assert sorted(map(len, groups)) == [9, 9, 12]
    assert all(any({*pair} <= group for group in groups) for pair in pairs)


def test_counts_of_combinations_are_exact_without_noise_and_join_groups_by_precision():
    groups = [frozenset({0, 1, 2}), frozenset({1, 2, 3, 5})]
    found = combined(DATA, groups, 1e-9, stream(5))
    assert set(found) == {key for group in groups for size in range(1, 5) for key in combinations(sorted(group), size)}
    for key, count in found.items():
        assert count == pytest.approx(held_by(key), abs=1e-5)
    # The noise of {1}: from 4 bins of one group, from 8 of the other; variance 2b² per bin.
    draws = np.array([combined(DATA, groups, 3.0, stream(6, run))[1,] for run in range(1500)]) - held_by((1,))
    exact = 2 * 3.0**2 / (1 / 4 + 1 / 8)
    assert abs(draws.mean()) < 5 * np.sqrt(exact / 1500)
    assert draws.var() / exact == pytest.approx(1, abs=5 * np.sqrt(3 / 1500))  # kurtosis below that of one Laplace


@pytest.mark.parametrize("epsilon", [0.1, 0.7, 2.0])
def test_items_are_chosen_by_the_exponential_mechanism_without_replacement(epsilon):
    """χ² of 20 000 choices of two in order, at 0.1 % false alarms: e^(ε·count), then the same among what is left."""
    counts, draws = np.array([3, 1, 2, 3]), 20_000
    weight = np.exp(epsilon * counts)
    law = {
        (i, j): weight[i] / weight.sum() * weight[j] / (weight.sum() - weight[i]) for i, j in permutations(range(4), 2)
    }
    rng = stream(11, epsilon)
    seen = Counter(tuple(_top(counts, 2, epsilon, rng).tolist()) for _ in range(draws))
    assert chisquare([seen[pair] for pair in law], [draws * chance for chance in law.values()]).pvalue > 1e-3


@pytest.mark.parametrize(("items", "pairs"), [(3, 12), (8, 0), (13, 2)])
def test_privbasis_without_noise_publishes_the_frequent_sets_among_its_items(items, pairs):
    """The most frequent items are chosen; what is published is exactly what is frequent in a group."""
    wide = baskets_of([[*row, f"z{i % 9}", f"y{i % 5}"] for i, row in enumerate(LISTS)])
    mined = privbasis(wide, 60, SURE, stream(7), items=items, pairs=pairs)
    level = mined.levels[0]
    best = np.sort(np.argsort(-wide.counts, kind="stable")[:items])
    assert np.sort(wide.counts[level.items[:, 0]]).tolist() == np.sort(wide.counts[best]).tolist()
    for level in mined.levels:
        np.testing.assert_allclose(level.noisy, level.counts, atol=0.01)
        np.testing.assert_array_equal(level.kept, level.counts >= 60)
    chosen, wanted = items, pairs if items > WIDEST else 0
    assert mined.ledger.spends[0].numbers == chosen + min(wanted, chosen * (chosen - 1) // 2)
    assert mined.ledger.total == pytest.approx(SURE)
