"""Runs of miners beside the truth: tables hold every set, coins toss what chance finds, and promises are told apart."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from ldpcore import data
from ldpcore.catalog import MINERS
from ldpcore.itemsets.question import CLIP, GroundTruth, MiningQuestion
from ldpcore.itemsets.scores import hits
from ldpcore.rng import stream
from ldpcore.study import Source, Study, itemsets, run
from ldpcore.study.itemsets import compare
from tests.laws.test_miners import DATA


def mined(key, least=60, withheld=frozenset(), **fields):
    ground, question = GroundTruth(DATA, least, withheld), MiningQuestion(4.0, **fields)
    return compare.Outcome(key, MINERS[key].mine(ground, question, stream(1, key)), ground, question)


def test_the_table_holds_every_set_that_is_true_or_published():
    each = {key: mined(key) for key in ("DFDP", "Capped")}
    table = compare.side_by_side(each["DFDP"].ground.truth, each)
    for key, one in each.items():
        published = table[key].notna()
        assert int((published & table["frequent"]).sum()) == one.scores.found
        assert int((published & ~table["frequent"]).sum()) == one.scores.false
        assert int((~published & table["frequent"]).sum()) == one.scores.missed
    assert table["true"].is_monotonic_decreasing
    for rows in (3, 11, 40):
        some = compare.example(table, rows)
        assert len(some) <= rows
        assert some.index.is_unique
    ranked = compare.ranked(each["DFDP"].ground.truth)
    assert ranked["count"].tolist() == table.loc[table["frequent"], "true"].tolist()


def test_coins_toss_what_they_are_said_to_toss():
    one = mined("DFDP", s=1e-6)
    rng, tossed = np.random.default_rng(3), []
    for _ in range(4000):
        kept = [rng.random(len(level.items)) < 0.5 for level in one.mined.levels]
        right = [hits(one.ground.truth, level) for level in one.mined.levels]
        both = list(zip(kept, right, strict=True))
        tossed.append((sum((k & r).sum() for k, r in both), sum((k & ~r).sum() for k, r in both)))
    # Four standard errors of the mean: a right engine fails once in 8 000 times.
    off = 4 * np.std(tossed, axis=0) / np.sqrt(len(tossed))
    assert (np.abs(np.mean(tossed, axis=0) - one.coins) < off).all()
    assert one.by_chance
    assert not mined("DFDP", s=50.0).by_chance
    assert not mined("DFDP", s=1e-6, clip=CLIP).by_chance, "limited noise is no toss"


@pytest.mark.parametrize(("hit", "a_toss"), [(4, True), (5, False), (6, False)])
def test_a_quarter_more_than_coins_find_is_a_finding(hit, a_toss):
    """Of eight sets coins find four; five are no fewer than 1.25 times as many."""
    scores = SimpleNamespace(found=hit)
    one = SimpleNamespace(coins=(4.0, 9.0), scores=scores, on_paper=True, delta=0.0)
    assert compare.Outcome.by_chance.fget(one) is a_toss


def test_promises_are_told_apart():
    plain, limited = (mined("SmartTrunc", clip=clip) for clip in (None, CLIP))
    assert plain.kept
    assert limited.delta > 0
    assert not limited.kept
    assert not limited.on_paper
    assert mined("DFDP").on_paper
    assert not mined("Apriori").on_paper, "it books no ε"
    assert not mined("Apriori").kept
    each = {"DFDP": mined("DFDP", s=50.0), "SmartTrunc": limited, "Capped": mined("Capped")}
    assert compare.best(each) == "Capped"
    assert compare.best({"DFDP": each["DFDP"], "SmartTrunc": limited}) is None


def test_withheld_items_give_up_the_sets_that_hold_them():
    withheld = frozenset({0, 3})
    one = mined("Apriori", withheld=withheld)
    labels = {one.ground.data.labels[code] for code in withheld}
    lost = sum(bool(labels & set(items)) for items in one.ground.truth.itemsets["itemset"])
    assert compare.given_up(one.ground) == lost == one.scores.missed > 0
    assert compare.given_up(mined("Apriori").ground) == 0


@pytest.mark.parametrize("axis", ["epsilon", "s"])
def test_an_outcome_is_what_the_study_scores(axis):
    study = Study(Source("groceries"), "items", mechanisms=("DFDP", "Capped"), grid=(), repetitions=2, task="itemsets")
    study = replace(study, axis=axis).with_options(min_count=200)
    held, rows = itemsets.prepare(study, data.load("groceries")), run(study)
    rows = rows[rows["scope"] == "all"].set_index(["mechanism", "repetition", "metric"])["value"]
    for key in study.mechanisms:
        for repetition in (0, 1):
            one = compare.outcome(study, held, key, repetition)
            assert one.f == rows[key, repetition, "f"]
            assert one.scores.false == rows[key, repetition, "false"]
            assert one.delta == rows[key, repetition, "delta"]
