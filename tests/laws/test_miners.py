"""The laws of miners, crossed with the catalogue: what is published, what it costs, what it must be without noise."""

import math
import random
import re
from itertools import combinations

import numpy as np
import pytest

from ldpcore.catalog import MINERS
from ldpcore.itemsets import baskets_of, scores
from ldpcore.itemsets.question import GroundTruth, MiningQuestion
from ldpcore.rng import stream


def baskets(seed=1, n=400, k=8):
    """Items of falling popularity, baskets of 0 to k items."""
    rng = stream(seed, "baskets")
    held = rng.random((n, k)) < np.linspace(0.6, 0.15, k)
    return [[f"i{item}" for item in np.flatnonzero(row)] for row in held]


LISTS = baskets()
DATA = baskets_of(LISTS)
SETS = [set(basket) for basket in LISTS]
QUESTIONS = {
    "total": MiningQuestion(4.0),
    "limited": MiningQuestion(4.0, clip=10.0),
    "s": MiningQuestion(4.0, s=0.5),
    "pairs at most": MiningQuestion(2.0, max_length=2),
    "items alone": MiningQuestion(2.0, max_length=1),
}
every = pytest.mark.parametrize("key", MINERS)
asked = pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)


def budget(key, wanted):
    """A local ε ends at 40."""
    return min(wanted, 40.0) if MINERS[key].promise == "LDP" else wanted


def ground(question, withheld=frozenset(), least=60):
    return GroundTruth(DATA, least, withheld, question.max_length)


def mined(key, question, seed=1, **fields):
    return MINERS[key].mine(ground(question, **fields), question, stream(seed, key))


@every
@asked
def test_what_is_published_is_what_it_says(key, question):
    """Each set once, true counts as counted one by one, noisy counts that reach min_count, and no longer set."""
    frame = mined(key, question).itemsets
    assert list(frame.columns) == ["itemset", "count", "noisy_count"]
    assert frame["itemset"].is_unique
    assert all(len(set(items)) == len(items) for items in frame["itemset"])
    assert all(len(items) <= (question.max_length or 99) for items in frame["itemset"])
    assert [sum(held.issuperset(items) for held in SETS) for items in frame["itemset"]] == frame["count"].tolist()
    assert (frame["noisy_count"] >= 60).all()
    assert len(frame) > 0, "the question is easy enough for every miner to find something"


@every
@asked
def test_the_ledger_adds_up(key, question):
    ledger = mined(key, question).ledger
    assert ledger.total == pytest.approx(math.fsum(spend.epsilon for spend in ledger.spends))
    assert ledger.table["epsilon"].sum() == pytest.approx(ledger.total)
    assert ledger.by_basket(8) <= ledger.total * (1 + 1e-12)
    assert (ledger.defended == math.inf) == bool(ledger.leak)
    assert (ledger.delta(8) > 0) == any(spend.clip is not None for spend in ledger.spends)


@every
def test_a_total_is_kept(key):
    """Under "same total ε" nobody spends more, and nobody less where all levels are reached."""
    ledger = mined(key, QUESTIONS["total"], least=30).ledger
    assert ledger.total == math.inf or ledger.total == pytest.approx(4.0)


@every
def test_a_promise_that_is_kept_has_a_finite_bill(key):
    finite = math.isfinite(mined(key, QUESTIONS["total"]).ledger.defended)
    assert finite == MINERS[key].kept.startswith("yes")


@every
def test_only_the_given_generator_is_used(key):
    def state():
        # np.random.get_state is the one that must not move.
        return repr(random.getstate()), repr(np.random.get_state())  # noqa: NPY002

    before = state()
    one, two, other = (mined(key, QUESTIONS["total"], seed).itemsets for seed in (1, 1, 2))
    assert state() == before
    assert one.equals(two)
    assert MINERS[key].promise == "none" or not one.equals(other)


@every
def test_withheld_items_are_never_published(key):
    """At every level, and the scores count what that costs."""
    question = QUESTIONS["total"]
    held = frozenset(DATA.encode(["i0", "i3"]).tolist())
    here = ground(question, withheld=held)
    result = MINERS[key].mine(here, question, stream(1, key))
    assert not any({"i0", "i3"} & set(items) for items in result.itemsets["itemset"])
    assert not any(np.isin(list(held), level.items).any() for level in result.levels)
    counts = [sum(held.issuperset(items) for held in SETS) for items in result.itemsets["itemset"]]
    assert counts == result.itemsets["count"].tolist()
    assert scores(result, here.truth).missed >= sum(
        bool({"i0", "i3"} & set(items)) for items in here.truth.itemsets["itemset"]
    )


@every
def test_without_noise_the_exact_sets(key):
    """ε → ∞; those that cut, correct or look at few items say that they are not exact then."""
    entry, question = MINERS[key], MiningQuestion(budget(key, 1e12), length=8, levels=8)
    here = ground(question)
    result = entry.mine(here, question, stream(1, key))
    exact = set(result.itemsets["itemset"]) == set(here.truth.itemsets["itemset"])
    assert exact or not entry.exact_at_infinity
    if entry.exact_at_infinity:
        assert np.allclose(result.itemsets["noisy_count"], result.itemsets["count"])


@every
def test_one_person_is_no_use(key):
    """One basket: an answer, or, where one report cannot be hidden among others, a sentence that says how many."""
    here = GroundTruth(baskets_of([["a", "b"]]), 1)
    try:
        result = MINERS[key].mine(here, MiningQuestion(1.0), stream(1))
    except ValueError as refusal:
        if MINERS[key].promise == "LDP" and re.search(r"at least \d+ baskets, got 1$", str(refusal)):
            return
        raise
    assert set(result.itemsets["itemset"]) <= {("a",), ("b",), ("a", "b")}


@every
def test_nothing_frequent_is_no_error(key):
    here = GroundTruth(baskets_of([[i] for i in range(50)]), 50)
    result = MINERS[key].mine(here, MiningQuestion(20.0), stream(1))
    assert here.truth.itemsets.empty
    assert math.isnan(scores(result, here.truth).f)


@every
def test_everything_frequent(key):
    """Five items in all of 200 baskets: 31 sets."""
    here = GroundTruth(baskets_of([list("abcde")] * 200), 100)
    result = MINERS[key].mine(here, MiningQuestion(budget(key, 1e6), length=5, levels=5), stream(1))
    subsets = {items for size in range(1, 6) for items in combinations("abcde", size)}
    assert set(result.itemsets["itemset"]) <= subsets
    assert set(here.truth.itemsets["itemset"]) == subsets
    if MINERS[key].exact_at_infinity:
        assert len(result.itemsets) == 31


@every
def test_a_budget_for_each_count_is_what_a_miner_has_that_says_so(key):
    """Under "same s" its noise follows s; everybody else runs at the total ε, as if no s were given."""
    total, *each = (mined(key, MiningQuestion(4.0, s=s)).ledger.table for s in (None, 0.1, 0.7))
    assert [not total.equals(other) for other in each] == [MINERS[key].per_count] * 2
