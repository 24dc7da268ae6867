"""What one basket moves, what noise is drawn, what a ledger says, and the leak of DFDP's candidates."""

import math
from itertools import combinations, pairwise

import numpy as np
import pytest
from scipy import stats

from ldpcore.itemsets import (
    apriori,
    baskets_of,
    dfdp,
    laplace_apriori,
    leak,
    local,
    private,
    privbasis,
    scores,
    smart_trunc,
)
from ldpcore.itemsets import smarttrunc as smart
from ldpcore.itemsets.candidates import _hinges
from ldpcore.itemsets.candidates_by_length import candidates
from ldpcore.itemsets.capped import capped_counts
from ldpcore.itemsets.dfdp import perturbed
from ldpcore.itemsets.ledger import Ledger, Spend, at_least, delta, laplace
from ldpcore.itemsets.local import oracle
from ldpcore.itemsets.private import CAPS, DEEPER, SHARES
from ldpcore.mechanisms.direct import GRR
from ldpcore.mechanisms.unary import OUE
from ldpcore.rng import stream
from tests.each import for_each
from tests.laws.test_miners import LISTS

DATA = baskets_of(LISTS[:120])


def neighbours():
    """The data without each of its baskets in turn."""
    for gone in range(DATA.n):
        yield DATA.select(np.arange(DATA.n) != gone)


def every_set(length):
    made = np.arange(DATA.k, dtype=np.int32)[:, None]
    for _ in range(length - 1):
        made = candidates(made)
    return made


def test_capped_counts_are_what_one_adds_up_basket_by_basket():
    """364 candidates, more than a byte counts; 700 baskets, more than a word has bits."""
    rng = np.random.default_rng(5)
    rows = [np.flatnonzero(rng.random(14) < share) for share in rng.uniform(0, 0.9, 700)]
    made = np.array(list(combinations(range(14), 3)))
    wanted, inside = np.zeros(len(made)), np.zeros(len(rows), int)
    for i, row in enumerate(rows):
        holds = np.isin(made, row).all(axis=1)
        inside[i] = holds.sum()
        wanted += holds * min(1.0, 2.5 / max(inside[i], 1))
    counts, whole, told = capped_counts(baskets_of(rows), made, 2.5)
    assert told.tolist() == inside.tolist()
    assert whole.tolist() == [sum({*some} <= {*row.tolist()} for row in rows) for some in made.tolist()]
    assert counts == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("cap", [1.0, 2.5, 6.0])
@pytest.mark.parametrize("length", [1, 2, 3])
@pytest.mark.parametrize("some", [1, 3], ids=["all candidates", "a third of them"])
def test_capped_counts_move_by_the_cap_at_most(length, cap, some):
    """Removing each basket in turn; the cap is reached, and without a cap these are the counts."""
    made = every_set(length)[::some]
    whole, _, inside = capped_counts(DATA, made, cap)
    moved = [np.abs(whole - capped_counts(less, made, cap)[0]).sum() for less in neighbours()]
    assert max(moved) <= cap * (1 + 1e-9)
    assert max(moved) == pytest.approx(min(cap, inside.max()))
    assert np.minimum(inside, cap).sum() == pytest.approx(whole.sum())
    held = [{*DATA.codes[a:b]} for a, b in zip(DATA.starts, DATA.starts[1:], strict=False)]
    counts = [sum(row >= {*items} for row in held) for items in made.tolist()]
    assert capped_counts(DATA, made, 1e9)[0] == pytest.approx(counts)
    assert capped_counts(DATA, made, cap)[1].tolist() == counts


@pytest.mark.parametrize("length", [2, 3])
def test_cut_counts_move_by_delta_at_most(length):
    """Baskets cut to 4 by the worth of their items: one basket moves at most C(4, length) counts by one."""
    made, worth = every_set(length), -np.arange(DATA.k, dtype=float)
    whole = smart._cut_counts(DATA, made, 4, worth, stream(0))
    moved = [np.abs(whole - smart._cut_counts(less, made, 4, worth, stream(0))) for less in neighbours()]
    assert max(map(np.max, moved)) == 1
    assert max(map(np.sum, moved)) == math.comb(4, length)


def test_smart_trunc_has_noise_for_what_a_basket_moves():
    spends = smart_trunc(DATA, 5, 6.0, stream(0), length=4, levels=3).ledger.spends
    assert [spend.epsilon for spend in spends] == [2.0, 2.0, 2.0]
    assert [spend.scale for spend in spends] == [2.0, 3.0, 2.0]  # C(4, j)/2
    few = smart_trunc([["a", "b"]] * 50, 5, 1e6, stream(0), length=4, levels=2).ledger.spends
    assert [spend.scale * 5e5 for spend in few] == [2.0, 1.0]  # no more than there are candidates
    alone = smart_trunc(DATA, 5, rng=stream(0), s=2.0, length=4, levels=3, moved=1).ledger.spends
    assert [(spend.scale, spend.epsilon) for spend in alone] == [(0.5, 8.0), (0.5, 12.0), (0.5, 8.0)]  # and it says so
    long = laplace_apriori(DATA, 5, 6.0, stream(0), longest=8).ledger.spends
    wanted = [min(count, s.numbers) for count, s in zip((8, 28, 56), long, strict=True)]
    assert [round(spend.scale * 2) for spend in long] == wanted


def test_the_capped_miner_has_noise_for_its_caps():
    ledger = private(DATA, 20, 2.0, stream(0), caps=CAPS, shares=SHARES).ledger
    scales = [spend.scale * spend.epsilon for spend in ledger.spends]
    assert scales == pytest.approx([1, 3, 1, 6, 1, 2])  # a histogram of baskets, and counts, in turn
    assert ledger.total == pytest.approx(2.0)
    assert [round(spend.epsilon, 4) for spend in ledger.spends] == [0.02, 0.38, 0.06, 1.14, 0.02, 0.38]


@pytest.mark.parametrize("clip", [None, 4.0, 0.5])
def test_noise_follows_its_law(clip):
    """KS over 300 000 draws at 1e-6, against the tail that the leak and δ use."""
    draws = laplace(300_000, 3.0, clip, stream(2, "noise"))
    assert clip is None or np.abs(draws).max() <= clip
    assert stats.kstest(draws, lambda x: 1 - at_least(np.asarray(x), 3.0, clip)).pvalue > 1e-6


def test_limited_noise_is_redrawn_not_clamped():
    """The law given |noise| ≤ 4, drawn by rejection, is the same; clamped it would have atoms at ±4."""
    plain = stream(3).laplace(0, 3.0, 60_000)
    kept = plain[np.abs(plain) <= 4]
    assert stats.ks_2samp(kept, laplace(len(kept), 3.0, 4.0, stream(4))).pvalue > 1e-6
    assert np.unique(np.abs(laplace(1000, 3.0, 4.0, stream(5)))).size == 1000


@pytest.mark.parametrize(("s", "clip", "value"), [(0.2, 10.0, 0.017), (0.0011, 10.0, 0.05), (1.0, 10.0, 3.9e-5)])
def test_delta_is_the_hockey_stick_of_two_limited_laws(s, clip, value):
    """∫ max(0, p(x) − e^s·q(x)) dx by quadrature, with q moved by one; 0.017 and 0.05:
    theory/itemsets#limited-noise.
    """
    grid = np.linspace(-clip, clip + 1, 2_000_001)
    weight = s / (2 * -math.expm1(-clip * s))
    p = np.where(np.abs(grid) <= clip, weight * np.exp(-s * np.abs(grid)), 0)
    q = np.where(np.abs(grid - 1) <= clip, weight * np.exp(-s * np.abs(grid - 1)), 0)
    stick = np.trapezoid(np.maximum(0, np.maximum(p - math.exp(s) * q, q - math.exp(s) * p) * (grid < 1 - clip)), grid)
    assert delta(1 / s, clip) == pytest.approx(stick, rel=1e-3)
    assert delta(1 / s, clip) == pytest.approx(value, rel=0.02)
    assert delta(1 / s, clip, 3) == pytest.approx(1 - (1 - delta(1 / s, clip)) ** 3)


def test_delta_at_its_ends():
    assert delta(5.0, None) == 0
    assert delta(5.0, 10.0, 0) == 0
    assert delta(5.0, 0.5) == 1
    assert Ledger((Spend("x", 1, 10, 5.0, 2.0, 0.5),)).delta(3) == 1
    assert Ledger((Spend("x", 1, 10, 5.0, 2.0),)).delta(3) == 0


def test_both_totals_of_dfdp():
    """theory/itemsets#ledger: |∪C_k|·s, and s·Σ min(|C_k|, C(L, k)) for baskets of at most L items."""
    result = dfdp(DATA, 20, 0.5, stream(0))
    sizes = [len(level.items) for level in result.levels]
    assert result.ledger.total == pytest.approx(0.5 * sum(sizes))
    assert result.ledger.by_basket(5) == pytest.approx(
        0.5 * sum(min(size, math.comb(5, place)) for place, size in enumerate(sizes, 1))
    )
    assert math.isinf(result.ledger.defended)


def test_dfdp_leaves_its_last_level_alone():
    """The true L₃ is empty: its candidates exist, and get no noise, so that nothing of three items is published."""
    baskets = [["a", "b"]] * 9 + [["b", "c"]] * 9 + [["a", "c"]] * 9
    result = dfdp(baskets, 9, 0.01, stream(1))
    assert [level.length for level in result.levels] == [1, 2]
    assert [level.length for level in dfdp([["a"], ["b"]], 2, 1.0, stream(1)).levels] == [1]


def published_by_dfdp(data, least):
    return {tuple(data.labels[code] for code in row) for level in perturbed(data, least) for row in level.items}


@pytest.mark.parametrize("clip", [None, 10.0])
@pytest.mark.parametrize("taken", [0, 40])
def test_the_leak_is_a_pair_of_neighbours_and_a_set_possible_under_one_only(taken, clip):
    least = 20 if taken else next(least for least in range(10, 60) if any(
        least in level.counts for level in perturbed(DATA, least)[:-1]))  # fmt: skip
    found = leak(DATA, least, 0.2, clip=clip, taken=taken)
    assert found.taken <= taken
    assert (found.before.n, found.after.n) == (DATA.n - found.taken, DATA.n - found.taken - 1)
    before, after = (published_by_dfdp(data, least) for data in (found.before, found.after))
    assert set(found.witnesses["itemset"]) <= before - after
    assert 0 < found.p <= 0.5
    assert found.p <= found.any <= 1
    assert found.witnesses["p"].is_monotonic_decreasing
    held = [{*basket} for basket in LISTS]
    assert sum(row >= {*found.hinge} for row in held[:120]) == least + found.taken
    assert {*found.hinge} <= {*found.removed}


def test_the_chance_of_a_witness_is_what_dfdp_does():
    """4000 runs of DFDP on both data sets; binomial at 1e-6."""
    found = leak(DATA, 20, 0.2, taken=40)
    z = set(found.witnesses["itemset"].iloc[0])
    levels = perturbed(found.before, 20)
    codes = found.before.encode(z)
    level = next(level for level in levels if level.length == len(z))
    row = int(np.flatnonzero((level.items == codes).all(axis=1))[0])
    rng = stream(8)
    hits = sum(bool(dfdp(found.before, 20, 0.2, rng, levels=levels).levels[len(z) - 1].kept[row]) for _ in range(4000))
    assert stats.binomtest(hits, 4000, found.p).pvalue > 1e-6
    assert not any(z == set(items) for _ in range(50) for items in dfdp(found.after, 20, 0.2, rng).itemsets["itemset"])


def test_a_pair_leaks_where_no_longer_set_is_a_candidate():
    """a is held three times, as often as it must be; its pairs, all candidates, once or never. cd alone is frequent."""
    found = leak([["a", "b"], ["a"], ["a"], *[["b"]] * 4, *[["c", "d"]] * 4], 3, 0.2)
    assert (found.hinge, found.removed, found.taken) == (("a",), ("a",), 0)
    assert found.witnesses["itemset"].tolist() == [("a", "b"), ("a", "c"), ("a", "d")]
    once, never = math.exp(-0.2 * 2) / 2, math.exp(-0.2 * 3) / 2
    assert (found.p, found.any) == (pytest.approx(once), pytest.approx(1 - (1 - once) * (1 - never) ** 2))


def test_no_leak_says_so():
    with pytest.raises(ValueError, match="no neighbours show the candidates' leak at min_count = 2"):
        leak([["a"], ["b"]], 2, 0.2)


def test_privbasis_moves_one_bin_of_each_group():
    ledger = privbasis(DATA, 20, 2.0, stream(0), items=4).ledger
    assert [spend.epsilon for spend in ledger.spends] == pytest.approx([0.8, 1.2])
    assert ledger.spends[1].numbers == 16
    assert ledger.spends[1].scale == pytest.approx(1 / 1.2)


def test_the_local_oracle_is_the_better_one():
    """SVIM: GRR at ln(ℓ(e^ε − 1) + 1) where d < ℓ(4ℓ − 1)e^ε + 1."""
    assert isinstance(oracle(10, 2, 1.0), GRR)
    assert oracle(10, 2, 1.0).epsilon == pytest.approx(math.log(2 * (math.e - 1) + 1))
    assert isinstance(oracle(10_000, 2, 1.0), OUE)
    d, ell, eps = 40, 2, 1.0
    e = math.exp(eps)
    assert (d < ell * (4 * ell - 1) * e + 1) == isinstance(oracle(d, ell, eps), GRR)


def test_the_local_miner_is_unbiased_for_short_baskets():
    """Baskets of at most two items, ℓ = 2: the mean of 200 runs within 5 standard errors of the truth."""
    rng = stream(4)
    data = baskets_of([["a", "b"]] * 600 + [["a"]] * 300 + [["c", "d"]] * 300)
    runs = np.array([local(data, 1, 3.0, rng).levels[0].noisy for _ in range(200)])
    off = runs.mean(axis=0) - data.counts
    assert np.all(np.abs(off) < 5 * runs.std(axis=0) / math.sqrt(200) + 1e-9)
    assert np.all(runs.std(axis=0) / math.sqrt(200) < 0.05 * 900)


REFUSED = {
    "s (the budget of one count) must be positive": lambda: dfdp(DATA, 5, 0.0, stream(0)),
    "s (the budget of one count) must be a number": lambda: dfdp(DATA, 5, "much", stream(0)),
    "clip (the largest noise) must be positive": lambda: dfdp(DATA, 5, 1.0, stream(0), clip=-1),
    "epsilon must be positive and finite, got inf": lambda: private(DATA, 5, math.inf, stream(0)),
    "either epsilon, the total, or s": lambda: smart_trunc(DATA, 5, rng=stream(0)),
    "give one of them": lambda: smart_trunc(DATA, 5, 1.0, stream(0), s=1.0),
    "needs rng, a numpy Generator": lambda: smart_trunc(DATA, 5, 1.0),
    "levels (declared beforehand) must be between 1 and 64": lambda: smart_trunc(DATA, 5, 1.0, stream(0), levels=0),
    "length (items per basket after cutting)": lambda: smart_trunc(DATA, 5, 1.0, stream(0), length=0),
    "one entry for each level, got 2 and 3": lambda: private(DATA, 5, 1.0, stream(0), caps=(1, 2)),
    "shares sum to 1": lambda: private(DATA, 5, 1.0, stream(0), shares=(1, 1, 1)),
    "items (how many are chosen) must be at least 1": lambda: privbasis(DATA, 5, 1.0, stream(0), items=0),
    "lies between 0 and 1, got 1": lambda: privbasis(DATA, 5, 1.0, stream(0), choice=1.0),
    "needs at least 40 baskets, got 39": lambda: local(DATA.select(np.arange(DATA.n) < 39), 5, 1.0, stream(0)),
    "epsilon must be at most 40": lambda: local(DATA, 5, 41.0, stream(0)),
    "pairs (how many are tried) must be at least 0": lambda: local(DATA, 5, 1.0, stream(0), pairs=-1),
    "taken (baskets left out first) must be at least 0": lambda: leak(DATA, 5, 1.0, taken=-1),
}  # fmt: skip


@for_each("sentence", REFUSED)
def test_refusals(sentence):
    with pytest.raises((ValueError, TypeError)) as refused:
        REFUSED[sentence]()
    assert sentence in str(refused.value)


DENSE = baskets_of([[v for v in "abcdefg" if (7 * i + ord(v)) % 10] for i in range(2000)])
"""Seven items, each in nine baskets of ten, but not independently."""


def test_capped_looks_deeper_where_single_items_let_it_expect_longer_sets():
    deep, shallow = private(DENSE, 600, 6.0, stream(1)), private(DATA, 20, 6.0, stream(1))
    assert max(level.length for level in deep.levels) > 3
    assert max(level.length for level in shallow.levels) <= 3
    assert deep.ledger.total <= 6.0 + 1e-9
    assert deep.ledger.defended <= 6.0 + 1e-9
    short = private(DENSE, 600, 6.0, stream(1), max_length=3)
    assert max(level.length for level in short.levels) == 3
    truth = apriori(DENSE, 600)
    three = private(DENSE, 600, 6.0, stream(1), caps=CAPS, shares=SHARES)
    assert scores(deep, truth).f > scores(three, truth).f


def test_the_deeper_levels_share_what_the_others_would():
    """The choice follows from the first level: behind it both plans cost the same ε."""
    caps, shares = DEEPER
    assert len(caps) == len(shares)
    assert sum(shares) == pytest.approx(sum(SHARES[1:]))


@pytest.mark.parametrize("least", [4, 8, 15])
def test_each_set_within_reach_hinges_on_its_commonest_candidate(least):
    """Against all pairs, one by one; some items are in a frequent pair and in no candidate of three."""
    alone = [["i0", "j1"], ["i0", "j2"], ["i0", "j3"]] * least
    levels, most = perturbed(baskets_of(LISTS[:120] + alone), least), 9
    assert levels[2].items.max() < levels[1].items.max()
    wanted = {}
    for place, (level, after) in enumerate(pairwise(levels)):
        for row, (items, count) in enumerate(zip(level.items.tolist(), level.counts, strict=True)):
            held = [n for child, n in zip(after.items.tolist(), after.counts, strict=True) if {*items} < {*child}]
            if least <= count <= least + most and held:
                wanted[place, row] = max(held)
    found = _hinges(levels, least, most)
    assert {(hinge.place, hinge.row): levels[hinge.place + 1].counts[hinge.child] for hinge in found} == wanted
    for hinge in found:
        assert {*levels[hinge.place].items[hinge.row]} < {*levels[hinge.place + 1].items[hinge.child]}
