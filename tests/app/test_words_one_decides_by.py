"""Small words that a decision hangs on: nothing says more than is known."""

import numpy as np
import pytest

from ldpapp.compute import bundled
from ldpapp.views.clusters import sentences as of_clusters
from ldpapp.views.frequency import changes
from ldpapp.views.itemsets import sentences as of_itemsets
from ldpcore.data import read
from ldpcore.study import Marks, Source, Study, clusters, fit, frequency, itemsets, run
from ldpcore.study.clusters import facts as cluster_facts
from ldpcore.study.frequency.facts import facts
from ldpcore.study.frequency.facts.change import between
from ldpcore.study.itemsets.facts import run as mined

from .opening import html, opened, plain


def plainly(key: str) -> str:
    return key


@pytest.mark.parametrize("marks", [("HIV",), ()])
def test_settings_that_do_not_differ_do_not_go_from_one_number_to_the_same(marks) -> None:
    study = Study(Source("health"), "condition", Marks.of(marks), ("SS", "uSS"), grid=())
    counted = frequency.prepare(study, bundled("health"))
    listed = facts(study, counted).listed
    said = changes.sentence(between(listed, listed, None), counted.domain.labels, plainly)
    assert "do not differ so far" in said
    assert "from" not in said
    assert said.count("±") == 1


def test_a_bill_below_the_budget_says_where_the_rest_is() -> None:
    """At 984 of 9 835 baskets no pair is frequent: whoever planned three lengths pays for those it counts."""
    bare = Study(Source("groceries"), "items", grid=(), repetitions=1, task="itemsets").with_options(min_count=0.1)
    study, _ = fit(bare, bundled("groceries"))
    baskets = itemsets.prepare(study, bundled("groceries"))
    bills = {key: mined(study, baskets, key) for key in ("DFDP", "SmartTrunc", "Capped")}
    for key, one in bills.items():
        total, said = one.mined.ledger.total, of_itemsets.unspent(one)
        assert bool(said) == (total < 0.99), (key, total)
        assert not said or "of 1: the rest is for longer sets" in said
        assert sum(spend.epsilon for spend in one.mined.ledger.spends) == pytest.approx(total)
    assert {key for key, one in bills.items() if of_itemsets.unspent(one)} == {"SmartTrunc", "Capped"}


def test_a_headline_that_fills_says_so_far() -> None:
    study, _ = fit(Study(Source("census"), "", grid=(), repetitions=1, task="clusters"), bundled("census"))
    people = clusters.prepare(study, bundled("census"))
    known = cluster_facts.facts(study, people, run(study, bundled("census")))
    still, filling = (of_clusters.headline(known, plainly, "x", more) for more in (False, True))
    assert "so far" in filling
    assert filling.replace(", so far", "") == still
    assert len(plain(still)) < 232, "two lines of 1280 px"


def test_what_is_proposed_for_rarity_says_so_and_is_no_black_button(still) -> None:
    rng = np.random.default_rng(1)
    towns = rng.choice(["north", "south", "isle"], 900, p=[0.6, 0.396, 0.004])
    rare = opened(table=read(("town\n" + "\n".join(towns)).encode(), "towns.csv"))
    said = plain(html(rare))
    assert "rare, not because they are delicate" in said
    button = rare.button(key="start_proposed")
    assert "rarer than 1 %" in button.label
    assert button.proto.type == "secondary"
    assert not [each.key for each in rare.main.button if each.key.startswith("start_") and each.proto.type == "primary"]
