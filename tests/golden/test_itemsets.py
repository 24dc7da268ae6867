"""Printed numbers about itemsets, on the real data they were printed for; skipped where these are absent."""

import numpy as np
import pytest

from ldpcore.itemsets import apriori, baskets_of, dfdp, private, scores, smart_trunc
from ldpcore.itemsets.dfdp import candidate_count, perturbed
from ldpcore.rng import stream
from tests.real import baskets


def groceries():
    return baskets_of(baskets("groceries.csv.gz", ","))


@pytest.mark.parametrize(
    ("name", "separator", "support", "sets"),
    [
        ("groceries.csv.gz", ",", 0.003, 2226),
        ("mushroom.dat.gz", None, 0.2, 53_583),
        ("retail.dat.gz", None, 0.002, 2691),
        ("bms-webview-1.dat.gz", None, 0.001, 3991),
    ],
)
def test_how_many_sets(name, separator, support, sets):
    """theory/itemsets#exact-mining; pyfim, mlxtend and efficient-apriori agree (pyfim but for one item that all
    mushrooms have).
    """
    assert apriori(baskets(name, separator), support).published == sets


def mean_f(mine, truth, runs=5):
    return float(np.mean([scores(mine(stream(place)), truth).f for place in range(runs)]))


def test_groceries_at_one_hundred():
    """theory/itemsets#ledger: 326 sets, 4545 candidates; the same s, and the same total."""
    data = groceries()
    truth, levels = apriori(data, 100), perturbed(data, 100)
    assert truth.published == 326
    assert candidate_count(levels) == 4545
    ledger = dfdp(data, 100, 0.2, stream(0), levels=levels).ledger
    assert ledger.total == pytest.approx(909)
    assert ledger.by_basket(int(data.lengths.max())) == pytest.approx(215.2)  # 216 there, for a basket of 32 items

    def same(s, clip=None):
        return mean_f(lambda rng: dfdp(data, 100, s, rng, clip=clip, levels=levels), truth, 10)

    assert same(0.2) == pytest.approx(0.96, abs=0.01)
    assert same(5 / 4545) == pytest.approx(0.15, abs=0.01)
    assert same(5 / 4545, 10.0) > 0.9
    assert 0.09 <= mean_f(lambda rng: smart_trunc(data, 100, s=0.2, rng=rng), truth) <= 0.25
    assert mean_f(lambda rng: smart_trunc(data, 100, 5.0, rng), truth) == pytest.approx(0.79, abs=0.04)


@pytest.mark.parametrize(("epsilon", "least"), [(1.0, 0.60), (2.0, 0.75), (5.0, 0.80)])
def test_the_private_miner(epsilon, least):
    """Issue 12: over 20 repetitions with the defaults. Here also on both halves of the baskets, at the same share."""
    data = groceries()
    assert mean_f(lambda rng: private(data, 100, epsilon, rng), apriori(data, 100), 20) >= least
    half = stream(9).random(data.n) < 0.5
    for some in (data.select(half), data.select(~half)):
        assert (
            mean_f(lambda rng, some=some: private(some, 100 / 9835, epsilon, rng), apriori(some, 100 / 9835))
            >= least - 0.1
        )


def paper():
    """Shaped like the DFDP paper's data: 300 baskets of 50 items, three on average, short ones more often."""
    rng = stream(2017, "dfdp")
    worth = 1 / np.arange(1, 51) ** 0.8
    sizes = 1 + np.minimum(rng.geometric(1 / 3, 300) - 1, 14)
    return [rng.choice(50, size, replace=False, p=worth / worth.sum()) for size in sizes]


def test_the_papers_shape():
    """Its ordering at every s (threshold 4, candidates from 2, cut to 7, noise within ±10), and the reversal."""
    data = baskets_of(paper())
    assert data.lengths.mean() == pytest.approx(3, abs=0.3)
    truth, levels = apriori(data, 4), perturbed(data, 4)
    before = 0.0
    for s in (0.2, 0.4, 0.6, 0.8, 1.0):
        mine = mean_f(lambda rng, s=s: dfdp(data, 4, s, rng, clip=10.0, levels=levels), truth, 10)
        other = mean_f(
            lambda rng, s=s: smart_trunc(data, 4, s=s, rng=rng, length=7, candidate_count=2, clip=10.0), truth, 10
        )
        assert mine > other
        assert mine > before - 0.02
        before = mine
    total = 5.0
    s = total / candidate_count(levels)
    assert mean_f(lambda rng: dfdp(data, 4, s, rng, levels=levels), truth, 10) < mean_f(
        lambda rng: smart_trunc(data, 4, total, rng, length=7), truth, 10
    )
