"""The first question that is proposed: the least change with which few enough sets are frequent."""

import numpy as np
import pytest

from ldpcore import Source, Study, data
from ldpcore.baskets import Baskets
from ldpcore.itemsets import apriori, baskets_of, propose
from ldpcore.itemsets import proposal as module
from ldpcore.rng import stream
from ldpcore.study import fit
from ldpcore.study import itemsets as task
from tests import real


def dense(n: int, k: int, *names: object) -> Baskets:
    """Items that nearly everybody holds, and some that few do."""
    held = stream(5, "dense", n, k, *names).random((n, k)) < np.linspace(0.97, 0.05, k)
    return baskets_of([np.flatnonzero(row) for row in held])


def found(held: Baskets, least: int, length: int | None) -> int:
    return apriori(held, least, max_length=length).published


@pytest.mark.parametrize("sets", [30, 300, 2_000, 100_000])
@pytest.mark.parametrize("length", [None, 1, 2, 3, 5])
def test_no_smaller_change_leaves_so_few_sets(sets, length):
    held = dense(400, 30)
    got = propose(held, 40, length, sets=sets)
    assert found(held, got.min_count, got.max_length) <= sets
    whole = found(held, 40, length)
    assert got.bounded == (whole > sets)
    if not got.bounded:
        assert (got.min_count, got.max_length) == (40, length)
        return
    assert got.max_length == min(3, length or 3)
    below = [step for step in [40, *module._round(40, held.n)] if step < got.min_count]
    assert all(found(held, step, got.max_length) > sets for step in below)


def test_candidates_are_bounded_as_sets_are(monkeypatch: pytest.MonkeyPatch):
    """Few sets may be frequent among very many candidates, half of which DFDP would publish."""
    held = dense(400, 60)
    monkeypatch.setattr(module, "CANDIDATES", 100)
    got = propose(held, 40)
    assert got.bounded
    assert np.count_nonzero(held.counts >= got.min_count) ** 2 / 2 < 150
    monkeypatch.setattr(module, "CANDIDATES", 100_000)
    monkeypatch.setattr(module, "WORDS", 1)
    assert propose(held, 40).min_count < got.min_count, "a thousand candidates can always be counted"


def test_what_everybody_holds_leaves_shorter_sets():
    everybody = [list(range(40))] * 20
    assert propose(everybody, 2, sets=1_000) == module.MiningProposal(2, 2, True)
    assert propose(everybody, 2, sets=50) == module.MiningProposal(2, 1, True)
    assert propose(everybody, 2, sets=5) == module.MiningProposal(20, 1, True), "there is nothing less"


@pytest.mark.parametrize("bad", [0, -1, 21])
def test_a_threshold_that_makes_no_sense_gets_a_sentence(bad):
    with pytest.raises(ValueError, match="min_count"):
        propose([[1]] * 20, bad)
    with pytest.raises(ValueError, match="max_length"):
        propose([[1]] * 20, 2, 0)


def test_a_study_is_fitted_with_it_unless_it_says_how_many():
    content = "a,b,c,d,e,f,g,h,i,j,k,l,m,n\n" + "".join(
        ",".join("xyz"[min(2, value)] for value in row) + "\n"
        for row in stream(1, "table").geometric(0.8, (300, 14)) - 1
    )
    table = data.read(content.encode(), "answers.csv")
    held = table.baskets("all columns")
    bare, _ = fit(Study(Source(table.name), "", task="itemsets", grid=()), table)
    got = task.proposed(held)
    assert got.bounded
    assert (bare.option("min_count"), bare.option("max_length")) == (got.min_count, got.max_length)
    asked, _ = fit(bare.with_options(min_count=50, max_length=None), table)
    assert (asked.option("min_count"), asked.option("max_length")) == (50, None)
    short, _ = fit(bare.with_options(min_count=None, max_length=2), table)
    assert short.option("max_length") == 2, "what was asked for stays"


@pytest.mark.parametrize(
    ("name", "bounded"),
    [
        ("retail.dat.gz", False),
        ("bms-webview-1.dat.gz", False),
        ("mushroom.dat.gz", True),
        ("chess.dat.gz", True),
        ("acs2019-nist.csv.gz", True),
    ],
)
def test_real_data_get_a_question_that_can_be_answered(name, bounded):
    table = real.opened(name)
    held = table.baskets(next(iter(table.sets)))
    got = task.proposed(held)
    assert got.bounded == bounded
    sets = found(baskets_of(held), got.min_count, got.max_length)
    assert 50 < sets <= module.SETS, "few, and not nothing"
