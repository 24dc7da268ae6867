"""Baskets, their bits, and exact counts: against counting one by one."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldpcore import itemsets
from ldpcore.baskets import Baskets
from ldpcore.itemsets import TooManyCandidates, apriori, baskets_of, capped, counting, few_holders, frequent
from ldpcore.itemsets import given as given_forms
from ldpcore.itemsets.candidates_by_length import candidates, explore
from ldpcore.itemsets.given import threshold
from ldpcore.itemsets.mined import exact_counts
from ldpcore.itemsets.question import GroundTruth
from ldpcore.itemsets.truncation import cut
from ldpcore.rng import stream
from tests.each import for_each

lists = st.lists(st.lists(st.integers(0, 6), max_size=7), min_size=1, max_size=40)


def brute(baskets, least):
    """Every frequent set with its count."""
    held = [set(basket) for basket in baskets]
    items = sorted(set().union(*held))
    counts = {
        some: sum(basket.issuperset(some) for basket in held)
        for size in range(1, len(items) + 1)
        for some in combinations(items, size)
    }
    return {some: count for some, count in counts.items() if count >= least}


@given(lists, st.integers(1, 6))
def test_apriori_is_a_count_of_everything(baskets, least):
    least = min(least, len(baskets))
    frame = apriori(baskets, least).itemsets
    assert dict(zip(frame["itemset"], frame["count"], strict=True)) == brute(baskets, least)


@given(lists, st.integers(1, 6), st.integers(1, 3))
def test_a_length_limit_cuts_nothing_else(baskets, least, longest):
    least = min(least, len(baskets))
    frame = apriori(baskets, least, max_length=longest).itemsets
    expected = {some: count for some, count in brute(baskets, least).items() if len(some) <= longest}
    assert dict(zip(frame["itemset"], frame["count"], strict=True)) == expected


@given(lists, st.integers(1, 5))
def test_candidates_are_all_sets_whose_subsets_are_frequent(baskets, least):
    data = baskets_of(baskets)
    least = min(least, data.n)
    true = brute(baskets, least)
    for level in explore(data, least):
        sets = {tuple(data.labels[code] for code in row) for row in level.items}
        size = level.length
        wanted = {
            some
            for some in combinations(data.labels, size)
            if size == 1 or all(subset in true for subset in combinations(some, size - 1))
        }
        assert sets == wanted
        rows = [{data.labels[code] for code in row} for row in level.items]
        assert [sum(row <= set(basket) for basket in baskets) for row in rows] == level.counts.tolist()


def long_baskets():
    """Sparse and dense parts, more baskets than one block of bits, long ones too."""
    rng = stream(3, "baskets")
    held = rng.random((1500, 30)) < rng.beta(0.6, 3, 30)
    held[:5] = True
    return [np.flatnonzero(row) for row in held]


@pytest.mark.parametrize(
    ("words", "narrow"), [(0, 1 << 31), (0, 0), (10**9, 1 << 31)], ids=["by basket", "wide numbers", "by bits"]
)
def test_pairs_are_counted_alike_both_ways(monkeypatch, words, narrow):
    monkeypatch.setattr(counting, "_WORDS_PER_PAIR", words)
    monkeypatch.setattr(counting, "_NARROW", narrow)
    data = baskets_of(long_baskets())
    held = np.zeros((data.n, data.k), np.int64)
    held[data.people, data.codes] = 1
    gram = held.T @ held
    np.fill_diagonal(gram, 0)
    assert np.array_equal(counting.pair_counts(data), gram)


def test_weighted_pairs_are_a_weighted_gram_matrix():
    data = baskets_of(long_baskets())
    held = np.zeros((data.n, data.k))
    held[data.people, data.codes] = 1
    weights = stream(1).random(data.n)
    weighted, alike = counting.weighted_pairs(data, weights, None)
    assert np.allclose(weighted, np.triu(held.T @ (held * weights[:, None]), 1))
    assert np.array_equal(alike, np.triu(held.T @ held, 1))


@pytest.mark.parametrize("memory", [0, frequent.MAX_BITS], ids=["bits made anew", "bits kept"])
def test_the_fast_miner_finds_what_the_candidates_hold(monkeypatch, memory):
    monkeypatch.setattr(frequent, "MAX_BITS", memory)
    monkeypatch.setattr(counting, "_CHUNK", 1 << 12)
    data = baskets_of(long_baskets())
    fast = {tuple(sorted(row)): count for level in frequent.frequent(data, 40)
            for row, count in zip(level.items.tolist(), level.counts.tolist(), strict=True)}  # fmt: skip
    slow = {tuple(row): count for level in explore(data, 40)
            for row, count in zip(level.items.tolist(), level.counts.tolist(), strict=True) if count >= 40}  # fmt: skip
    assert fast == slow
    assert max(map(len, fast)) > 3


def test_ones_beyond_one_accumulator():
    """Sixteen-bit lanes would overflow on a row of a million bits that are all set."""
    rows = np.full((2, 2**15), ~np.uint64(0))
    rows[1, 7] = 1
    assert counting.ones(rows).tolist() == [2**21, 2**21 - 63]


def test_many_items_have_keys_too():
    """Where base^length leaves 62 bits, sets are compared by their bytes."""
    rows = np.array([[1, 2, 3, 4, 5], [1, 2, 3, 4, 6], [1, 2, 3, 5, 6], [1, 2, 4, 5, 6], [1, 3, 4, 5, 6],
                     [2, 3, 4, 5, 6], [2, 3, 4, 5, 9]], np.int32)  # fmt: skip
    small = candidates(rows)
    assert small.tolist() == [[1, 2, 3, 4, 5, 6]]
    shifted = candidates(rows + np.array([1_000_000] * 5, np.int32))
    assert (shifted - 1_000_000).tolist() == small.tolist()


@pytest.mark.parametrize(
    "given",
    [
        [["b", "a", "a"], [], ["a", "c"]],
        [np.array([1, 0, 0]), np.array([], int), np.array([0, 2])],
        [(1, 0), (), {0, 2}],
        iter([[1, 0], [], [2, 0]]),
        [[10**15, -5], [], [-5, 10**16]],
        [[0, 1 << 63], [], [0, -1]],
        [[1, 2.5], [], [2.5, 3]],
        [[2, 1], np.array([], int), np.array([0, 2])],
        [[("x", 1), "a"], [], ["a", 3]],
    ],
    ids=[
        "labels",
        "arrays",
        "tuples",
        "an iterator",
        "large numbers",
        "too large for 64 bits",
        "fractions",
        "lists and arrays",
        "mixed labels",
    ],
)
def test_every_way_to_write_baskets(given):
    data = baskets_of(given)
    assert data.lengths.tolist() == [2, 0, 2]
    assert data.k == 3
    assert sorted(data.counts.tolist()) == [1, 1, 2]
    assert all(np.all(np.diff(data.codes[a:b]) > 0) for a, b in zip(data.starts, data.starts[1:], strict=False))


def test_long_lists_of_numbers_are_packed_piece_by_piece(monkeypatch):
    monkeypatch.setattr(given_forms, "_AT_ONCE", 7)
    baskets = [[*range(n, 2 * n)] for n in range(9)]
    data = baskets_of(baskets)
    assert [[data.labels[code] for code in row] for row in data.lists()] == baskets


def test_baskets_stay_as_they_are():
    data = baskets_of([["a", "b"], ["b"]])
    assert apriori(data, 2).itemsets["itemset"].tolist() == [("b",)]
    assert baskets_of(data) is data


REFUSED = {
    "there are no baskets": lambda: baskets_of([]),
    "one list of items per person, got str": lambda: baskets_of("milk"),
    "one list of items per person, got int": lambda: baskets_of(3),
    "a basket is a list of items, got 'milk'": lambda: baskets_of([["a"], "milk"]),
    "a basket is a list of items, got 7": lambda: baskets_of([7]),
    "an item without a name": lambda: baskets_of([["a", None]]),
    "an item without a name (None or NaN)": lambda: baskets_of([[1.0, float("nan")]]),
    "flatten the baskets": lambda: baskets_of([[["a"]]]),
    "min_count must be between 1 and 2, got 0": lambda: apriori([["a"], ["b"]], 0),
    "min_count must be between 1 and 2, got 3": lambda: apriori([["a"], ["b"]], 3),
    "min_count must be a whole number, got 1.5": lambda: apriori([["a"], ["b"]], 1.5),
    "a share such as 0.01": lambda: apriori([["a"], ["b"]], -1),
    "max_length (items per set) must be at least 1": lambda: apriori([["a"], ["b"]], 1, max_length=0),
    "no basket holds 'x'": lambda: baskets_of([["a"]]).encode(["x"]),
}


@for_each("sentence", REFUSED)
def test_refusals(sentence):
    with pytest.raises((ValueError, TypeError)) as refused:
        REFUSED[sentence]()
    assert sentence in str(refused.value)


def test_a_stop_before_too_many_candidates():
    """Forty items in every basket: 2^40 sets. The sentence says how many, of how many items, and what to do."""
    baskets = [list(range(40))] * 3
    for search in (lambda: apriori(baskets, 3, max_candidates=5000),
                   lambda: list(explore(baskets_of(baskets), 3, None, 5000))):  # fmt: skip
        with pytest.raises(TooManyCandidates, match=r"9,880 candidates of 3 items, more than the 5,000 .* max_length"):
            search()
    with pytest.raises(TooManyCandidates, match="780 candidates of 2 items"):
        apriori(baskets, 3, max_candidates=700)
    assert len(apriori(baskets, 3, max_length=2).itemsets) == 40 + 780


@pytest.mark.parametrize(("given", "n", "least"), [(0.01, 9835, 99), (0.003, 9835, 30), (0.5, 4, 2), (1, 4, 1),
                                                   (1.0, 4, 1), (0.1, 3, 1), (4, 4, 4)])  # fmt: skip
def test_a_threshold_is_a_number_or_a_share(given, n, least):
    assert threshold(given, n) == least


def test_a_search_tells_how_far_it_is_and_can_be_ended():
    """What the callback raises goes through, and nothing half counted is kept; then the search can be done again."""
    ground, seen = GroundTruth(baskets_of(long_baskets()), 40), []

    def tick(length, done, total):
        seen.append((length, done, total))
        if len(seen) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ground.search(tick)
    assert not {"truth", "candidates"} & set(vars(ground))
    assert all(done <= total for _, done, total in seen)
    ground.search(lambda *_: None)
    assert ground.truth.published == apriori(ground.data, 40).published
    with pytest.raises(TooManyCandidates, match=r"sets are frequent, more than the 10 that are compared at most"):
        ground.search(lambda *_: None, 10)


def test_empty_baskets_count():
    frame = apriori([[], ["a"], ["a"], []], 0.5).itemsets
    assert frame["count"].tolist() == [2]
    assert apriori([[], []], 1).itemsets.empty


@pytest.mark.parametrize("other", [2.5, "a", 1 << 70, True])
def test_numbers_with_something_else_among_them_are_labels(other):
    data = baskets_of([[3, other], [3]])
    assert {label: int(count) for label, count in zip(data.labels, data.counts, strict=True)} == {3: 2, other: 1}


@pytest.mark.parametrize("k", [(1 << 16) - 1, 1 << 16, (1 << 16) + 1, (1 << 17) + 1])
def test_bits_are_who_holds_what_around_the_numbers_that_fit_two_bytes(k):
    codes = np.array([0, k - 2, k - 1, 1, k - 1], np.int32)
    bits = Baskets(tuple(range(k)), codes, np.array([0, 3, 3, 5])).bits()
    held = {0: [0], 1: [2], k - 2: [0], k - 1: [0, 2]}
    assert {*np.flatnonzero(bits.any(axis=1)).tolist()} == {*held}
    for item, baskets in held.items():
        assert np.flatnonzero(np.unpackbits(bits[item].view(np.uint8), bitorder="little")).tolist() == baskets


def test_baskets_cut_by_worth_and_restricted():
    data = baskets_of([["a", "b", "c"], ["b"], ["a", "c"]])
    short = cut(data, 2, np.array([1.0, 3.0, 2.0])[data.codes])
    assert [row.tolist() for row in np.split(short.codes, short.starts[1:-1])] == [[1, 2], [1], [0, 2]]
    assert cut(data, 2, np.ones(6)).codes.tolist() == [0, 1, 1, 0, 2]  # of what is worth as much the first
    assert data.onto(np.arange(3)) is data
    onto = data.onto(np.array([2, 1]))
    assert onto.labels == ("c", "b")
    assert onto.lengths.tolist() == [2, 1, 1]
    assert exact_counts(onto, np.array([[0, 1]])).tolist() == [1]
    assert data.select(np.array([True, False, True])).lengths.tolist() == [3, 2]


def test_a_random_cut_keeps_every_subset_alike():
    """ℓ = 2 of 4 items: all six pairs, χ² at 1e-6 over 6000 baskets."""
    data = Baskets(tuple("abcd"), np.tile(np.arange(4, dtype=np.int32), 6000), np.arange(6001) * 4)
    short = cut(data, 2, stream(5).random(len(data.codes)))
    table = counting.pair_counts(short)[np.triu_indices(4, 1)]
    assert table.sum() == 6000
    assert ((table - 1000) ** 2 / 1000).sum() < 38.0  # χ²(5), 1e-6 … 36.9


def test_the_room_exports_what_is_promised():
    assert {"apriori", "dfdp", "smart_trunc", "private"} <= set(itemsets.__all__)


def rare_sets(length, rng):
    """Baskets of items that hardly anybody holds, and sets of so many of these, in order, many alike at first."""
    items = 900 if length == 2 else 24
    drawn = [sorted(rng.choice(items, rng.integers(0, 4), replace=False).tolist()) for _ in range(900)]
    data = baskets_of([*drawn, *[[0, 1, 2, 3, 4, 7]] * 3, list(range(items))])
    return data, np.array(list(combinations(range(20), length)), np.int32)


@pytest.mark.parametrize("length", [2, 3])
def test_the_few_holders_of_rare_sets_are_those_of_the_bits(length, monkeypatch):
    monkeypatch.setattr(few_holders, "_BLOCK", 50)
    data, sets = rare_sets(length, stream(5, "rare sets", length))
    few = few_holders.few_holders(data.bits(), sets)
    assert few is not None
    pairs = {(int(which), int(basket)) for some in few.each() for which, basket in zip(*some, strict=True)}
    truly = [set(data.codes[data.starts[each] : data.starts[each + 1]].tolist()) for each in range(data.n)]
    assert pairs == {
        (i, j) for i, some in enumerate(sets.tolist()) for j, has in enumerate(truly) if has.issuperset(some)
    }
    assert few_holders.few_supports(data.bits(), sets).tolist() == counting.supports(data.bits(), sets).tolist()
    by_bits = capped._by_bits(data, sets, 1.5)
    for kept in (len(pairs), len(pairs) - 1):  # who holds which is kept, or looked up again
        monkeypatch.setattr(capped, "_HOLDERS", kept)
        for one, other in zip(capped._by_holders(few, data.n, 1.5), by_bits, strict=True):
            assert one == pytest.approx(other, rel=1e-12)
    assert len(few.sets) < len(pairs) < 10 * len(few.sets)


def test_sets_that_many_hold_are_counted_by_their_bits():
    data = baskets_of([[0, 1, 2, 3, 4, 5, 6, 7]] * 2000)
    sets = np.array(list(combinations(range(8), 3)))
    assert few_holders.few_holders(data.bits(), sets) is None
    assert few_holders.few_supports(data.bits(), sets).tolist() == [2000] * len(sets)
