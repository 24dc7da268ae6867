"""What sampling m items keeps of small baskets, by listing all the sets that each of them can become."""

from itertools import combinations

import numpy as np
import pytest

from ldpcore.data import baskets
from ldpcore.study.sets import exposure, sample
from ldpcore.study.sets.options import SetOptions
from ldpcore.study.sets.sample import SetSample, SetSetting

LISTS = [[0, 1, 2, 3, 4], [0, 1], [2], [], [1, 3, 4, 5], [0, 2, 5], [0, 1, 2, 3, 4, 5], [5], [1, 2]]
K = 6
RANKS = np.array([2, 1, 0, 0, 1, 0])
LABELS = [f"item {code}" for code in range(K)]


def held(lists=LISTS):
    codes = np.array([code for row in lists for code in row], np.int32)
    starts = np.concatenate([[0], np.cumsum([len(row) for row in lists])]).astype(np.int64)
    return baskets.of_lists(codes, starts, LABELS)


def listed(m):
    """(person, chance, set) of all that the baskets can become."""
    for person, row in enumerate(LISTS):
        sets = list(combinations(row, min(m, len(row))))
        yield from ((person, 1 / len(sets), {*some}) for some in sets)


@pytest.mark.parametrize("m", [1, 2, 3, 6])
def test_what_is_kept_and_how_it_wobbles(m):
    found, n = SetSample(held(), RANKS, m), len(LISTS)
    chance = np.zeros((n, K))
    for person, p, some in listed(m):
        chance[person, sorted(some)] += p
    np.testing.assert_allclose(found.kept, chance.mean(axis=0), atol=1e-12)
    np.testing.assert_allclose(found.wobble, (chance * (1 - chance)).sum(axis=0) / n**2, atol=1e-12)
    np.testing.assert_allclose(found.freq, [sum(code in row for row in LISTS) / n for code in range(K)])


@pytest.mark.parametrize("m", [1, 2, 3, 6])
def test_how_many_marked_items_and_dummies_a_set_has_and_how_many_unmarked_a_holder(m):
    found, n = SetSample(held(), RANKS, m), len(LISTS)
    layers, company = np.zeros((m + 1, m + 1)), np.zeros((K, m + 1))
    for _, p, some in listed(m):
        marked = sum(RANKS[code] > 0 for code in some)
        layers[marked, m - len(some)] += p / n
        company[sorted(some), len(some) - marked] += p
    np.testing.assert_allclose(found.layers, layers, atol=1e-12)
    np.testing.assert_allclose(found.company, company / company.sum(axis=1, keepdims=True), atol=1e-12)


def setting(m=2, epsilon=1.0, secret=0.5, ranks=RANKS, lists=LISTS):
    return SetSetting(1.0, epsilon, SetSample(held(lists), ranks, m), m, secret)


def test_a_setting_knows_its_levels():
    here = setting()
    assert here.epsilons.tolist() == [0.5, 1.0, np.inf, np.inf, 1.0, np.inf]
    assert (here.least_epsilon, here.leveled) == (0.5, True)
    assert (setting(secret=1.0).leveled, setting(ranks=np.minimum(RANKS, 1)).least_epsilon) == (False, 1.0)
    assert setting(epsilon=3.0, ranks=RANKS * 0).least_epsilon == 3.0
    assert {name: np.flatnonzero(part).tolist() for name, part in here.scopes} == {
        "all": [0, 1, 2, 3, 4, 5], "sensitive": [0, 1, 4], "other": [2, 3, 5], "private": [1, 4], "secret": [0]
    }  # fmt: skip
    assert [name for name, _ in setting(ranks=RANKS * 0).scopes] == ["all", "other"]
    np.testing.assert_allclose(here.bias, here.kept - here.freq)
    assert (here.bias <= 0).all()


def test_membership_is_decided_of_the_commonest_that_not_all_hold():
    """Held by 4, 5, 5, 3, 3, 4 of nine; where all, or nobody, hold an item there is nothing to decide."""
    found = {name: items.tolist() for name, items in setting().targets(2).items()}
    assert found == {"sensitive": [1, 0], "other": [2, 5], "private": [1, 4], "secret": [0]}
    assert setting().targets(9)["other"].tolist() == [2, 5, 3]
    everybody = setting(lists=[[*{*row, 0}] for row in LISTS if row != [5]], ranks=np.array([1, 0, 0, 0, 0, 0]))
    assert "sensitive" not in everybody.targets(3)


def test_of_many_items_the_marked_and_the_commonest_have_rows(monkeypatch):
    assert setting().shown.tolist() == list(range(K))
    monkeypatch.setattr(sample, "DETAIL", 5)
    assert setting().shown.tolist() == [0, 1, 2, 4, 5]  # of the others 2 is held by five, 5 by four, 3 by three
    monkeypatch.setattr(sample, "DETAIL", 6)
    assert setting().shown.tolist() == list(range(K))


@pytest.mark.parametrize(("copies", "wanted"), [(1, 1), (13, 1), (20, 3)])
def test_decisions_count_items_with_a_sure_crowd(copies, wanted):
    """60 expected holders, and as many others: held by 4, 5 and 3 of nine are the marked items."""
    here = setting(m=6, lists=LISTS * copies)
    assert exposure.CROWD == 30
    assert exposure.decisions(SetOptions(attacks=100, targets=9), here, "sensitive") == 100 * wanted
    assert exposure.decisions(SetOptions(attacks=100, targets=9), here, "nowhere") == 100


@pytest.mark.parametrize(("holders", "enough"), [(29, False), (30, True), (70, True), (71, False)])
def test_thirty_of_either_kind_are_a_crowd(holders, enough):
    assert exposure._crowds(np.arange(100) < holders, 100) == enough


def test_more_people_are_whole_copies_and_some_once_more():
    data = held()
    assert sample.resampled(data, data.n, 3) is data
    more = sample.resampled(data, 2 * data.n + 4, 3)
    rows = [row.tolist() for row in more.lists()]
    assert rows[: 2 * data.n] == [row.tolist() for row in data.lists()] * 2
    extra = rows[2 * data.n :]
    places = [[row.tolist() for row in data.lists()].index(row) for row in extra]
    assert len(extra) == 4
    assert places == sorted(set(places))
    fewer = sample.resampled(data, 5, 3)
    assert fewer.n == 5
    assert sample.resampled(data, 5, 4) is not fewer


@pytest.mark.parametrize("dummies", [0, 3])
def test_sets_have_m_items_each_of_their_basket(dummies):
    lists = LISTS if dummies else [some for row in LISTS for some in combinations(row, 3)]
    data = held([[*row] for row in lists])
    drawn = sample.sets(1, data, 3, dummies, 0)
    assert drawn.shape == (len(lists), 3)
    for row, some in zip(lists, drawn, strict=True):
        items = [code for code in some if code < K]
        assert {*items} <= {*row}
        assert len(items) == min(3, len(row))
