"""Scores at their corners, and what is expected of DFDP without running it."""

import itertools
import math

import numpy as np
import pytest

from ldpcore.itemsets import MiningResult, apriori, baskets_of, dfdp, scores
from ldpcore.itemsets.expected import dfdp as expected
from ldpcore.itemsets.ledger import Ledger
from ldpcore.itemsets.mined import ReleasedCandidates, exact_counts
from ldpcore.itemsets.question import GroundTruth, MiningQuestion
from ldpcore.itemsets.scores import by_length, hits
from ldpcore.rng import stream
from tests.laws.test_miners import LISTS

DATA = baskets_of([["a", "b"]] * 6 + [["a"]] * 2 + [["c"]] * 3)
TRUTH = apriori(DATA, 6)  # a 8, b 6, ab 6


def result(items, noisy, kept):
    items = np.array(items, np.int32)
    counts = exact_counts(DATA, items)
    return ReleasedCandidates(items, counts, np.array(noisy, float), np.array(kept, bool))


def mined(*levels):
    return MiningResult(DATA.labels, 6, levels, Ledger(()))


def test_by_hand():
    """a found (off by 1), b missed (off by 2), c false (off by 4); ab found, exact."""
    got = mined(result([[0], [1], [2]], [9, 4, 7], [True, False, True]), result([[0, 1]], [6], [True]))
    all_of_it = scores(got, TRUTH)
    assert (all_of_it.found, all_of_it.missed, all_of_it.false) == (2, 1, 1)
    assert (all_of_it.precision, all_of_it.recall, all_of_it.f) == pytest.approx((2 / 3, 2 / 3, 2 / 3))
    assert all_of_it.mae_found == pytest.approx(0.5)
    assert all_of_it.mae_candidates == pytest.approx(7 / 4)
    single, pair = by_length(got, TRUTH).values()
    assert (single.found, single.missed, single.false, pair.f) == (1, 1, 1, 1.0)


def test_nothing_returned_though_something_is_frequent():
    empty = scores(mined(), TRUTH)
    assert empty.f == 0
    assert empty.recall == 0
    assert math.isnan(empty.precision)
    assert math.isnan(empty.mae_found)
    assert math.isnan(empty.mae_candidates)
    assert by_length(mined(), TRUTH)[2].missed == 1


def test_nothing_is_frequent():
    """F and recall are undefined, never 0: with nothing returned, and with false sets."""
    nothing = apriori(DATA, 11)
    assert nothing.itemsets.empty
    for got in (mined(), mined(result([[0]], [12], [True]))):
        assert math.isnan(scores(got, nothing).f)
        assert math.isnan(scores(got, nothing).recall)
    assert scores(mined(result([[0]], [12], [True])), nothing).precision == 0


def test_f_is_the_harmonic_mean():
    got = scores(mined(result([[0], [1], [2]], [9, 4, 7], [True, True, True])), TRUTH)
    assert got.f == pytest.approx(2 * got.precision * got.recall / (got.precision + got.recall))


def test_the_exact_result_scores_one():
    perfect = scores(TRUTH, TRUTH)
    assert (perfect.f, perfect.missed, perfect.false, perfect.mae_found) == (1, 0, 0, 0)


def test_other_baskets_are_refused():
    with pytest.raises(ValueError, match="mine both from the same baskets"):
        scores(mined(result([[2]], [7], [True])), apriori([["a"]], 1))


@pytest.mark.parametrize(
    "question", [MiningQuestion(1.0, s=0.1), MiningQuestion(1.0, s=0.1, clip=10.0), MiningQuestion(3.0)], ids=str
)
def test_dfdp_does_what_is_expected(question):
    """Means of 600 runs within 5 standard errors."""
    ground = GroundTruth(baskets_of(LISTS), 60)
    forecast, rng = expected(ground, question), stream(6)
    s = question.s or ground.each(question.epsilon)
    runs = [scores(dfdp(ground.released, 60, s, rng, clip=question.clip, levels=ground.candidates), ground.truth)
            for _ in range(600)]  # fmt: skip
    for metric, value in forecast.items():
        seen = np.array([getattr(run, metric) for run in runs])
        assert abs(seen.mean() - value) < 5 * seen.std() / math.sqrt(600) + 1e-9, metric
        assert seen.std() / math.sqrt(600) < 0.05 * value


@pytest.mark.parametrize("order", [slice(None), slice(None, None, -1)], ids=["in order", "out of order"])
def test_few_true_sets_among_many_candidates(order):
    """45 candidates of which 3 are true: looked up among the candidates where these are in order."""
    data = baskets_of([["a0", "a9"], ["a0", "a9"], ["a3", "a4"], ["a3", "a4"], ["a7", "a8"], ["a7", "a8"],
                       [f"a{i}" for i in range(10)]])  # fmt: skip
    truth = apriori(data, 3)
    made = np.array(list(itertools.combinations(range(10), 2)), np.int32)[order]
    true = [{0, 9}, {3, 4}, {7, 8}]
    level = ReleasedCandidates(made, exact_counts(data, made), np.zeros(len(made)), np.ones(len(made), bool))
    assert hits(truth, level).tolist() == [{*some} in true for some in made.tolist()]
    left = made[made.sum(axis=1) != 9]  # without 0 and 9, which are true, and some others
    absent = ReleasedCandidates(left, exact_counts(data, left), np.zeros(len(left)), np.ones(len(left), bool))
    assert hits(truth, absent).tolist() == [{*some} in true for some in left.tolist()]
