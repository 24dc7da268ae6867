"""The itemsets task of a Study: its rows, its axes, its refusals."""

import gc
import re
from dataclasses import replace
from weakref import ref

import numpy as np
import pandas as pd
import pytest

from ldpcore import data
from ldpcore.itemsets import scores
from ldpcore.study import Marks, Source, Study, facts, fit, run
from ldpcore.study import itemsets as task
from ldpcore.study.fitting import Draft
from tests.each import for_each

TABLE = data.load("groceries")
STUDY = Study(
    Source("groceries"),
    "items",
    mechanisms=("Apriori", "DFDP", "SmartTrunc", "Capped"),
    task="itemsets",
    epsilon=5.0,
    grid=(1.0,),
    repetitions=2,
    options=(("min_count", 150),),
)
ROWS = run(STUDY, TABLE)
ALL = ROWS[ROWS["scope"] == "all"]


def at(study, **changes):
    """The same study along another axis or with other options."""
    fields = {key: changes.pop(key) for key in ("axis", "grid", "mechanisms") if key in changes}
    return replace(study, **fields).with_options(**changes)


def mean(rows, mechanism, metric, x):
    return rows[(rows["mechanism"] == mechanism) & (rows["metric"] == metric) & (rows["x"] == x)]["value"].mean()


def test_rows_are_tidy_and_repeat():
    assert set(ALL["metric"]) == set(task.MEASURES) - {"bits"}, "only who needs no curator gets reports"
    assert set(ROWS["x"]) == {1.0, 5.0}
    assert run(STUDY, TABLE).equals(ROWS)
    fewer = run(replace(STUDY, mechanisms=("Capped",)), TABLE)
    mine = ROWS[ROWS["mechanism"] == "Capped"].reset_index(drop=True)
    assert fewer.equals(mine), "other mechanisms change nobody's rows"


def test_a_run_can_be_had_again():
    """What the page shows is what was scored."""
    prepared = task.prepare(STUDY, TABLE)
    mined = task.mine(STUDY, prepared, "SmartTrunc", 5.0, 1)
    here = task.ground(STUDY, prepared, 5.0)
    row = ALL[(ALL["mechanism"] == "SmartTrunc") & (ALL["x"] == 5) & (ALL["repetition"] == 1) & (ALL["metric"] == "f")]
    assert row["value"].item() == scores(mined, here.truth).f


def test_what_is_counted_of_baskets_is_not_kept_with_the_table():
    prepared = task.prepare(STUDY, TABLE)
    here = task.ground(STUDY, prepared, 5.0)
    assert here is task.ground(STUDY, prepared, 5.0)
    assert prepared.codes is TABLE.baskets("items").codes
    left = ref(here)
    del prepared, here
    gc.collect()
    assert left() is None


def test_a_miner_that_drowns_in_noise_has_no_score():
    """Hundreds of items and few people, at a small ε: noise makes most pairs look frequent, and triples never end."""
    answers = np.where(np.random.default_rng(0).random((400, 300)) < 0.5, "1", "0")
    wide = data.read(pd.DataFrame(answers).add_prefix("q").to_csv(index=False).encode(), "wide.csv")
    asked = Study(Source("wide.csv"), "", mechanisms=("SmartTrunc", "Capped"), epsilon=5.0, grid=(0.2, 5.0),
                  repetitions=1, task="itemsets", options=(("max_length", 3), ("min_count", 120)))  # fmt: skip
    rows = run(replace(asked, column=next(iter(wide.sets))), wide)
    told = rows[rows["metric"] == "f"].set_index(["mechanism", "x"])["value"]
    assert told.isna().any()
    assert told.notna().any()
    assert set(rows[rows["value"].isna()]["metric"]) <= {*task.SCORES, *task.BILL}


def test_the_same_total_and_the_same_s():
    for mechanism in ("DFDP", "SmartTrunc", "Capped"):
        assert mean(ALL, mechanism, "total", 5.0) == pytest.approx(5)
    along = at(STUDY, axis="s", grid=(0.2,))
    rows = run(along, TABLE)
    rows = rows[rows["scope"] == "all"]
    assert mean(rows, "SmartTrunc", "total", 0.2) == pytest.approx(0.6)
    assert mean(rows, "Capped", "total", 0.2) == pytest.approx(5)
    assert mean(rows, "DFDP", "total", 0.2) > 100
    # The paper's ordering at the same s, and the reversal at the same total.
    assert mean(rows, "DFDP", "f", 0.2) > 0.9 > 0.5 > mean(rows, "SmartTrunc", "f", 0.2)
    assert mean(ALL, "DFDP", "f", 5.0) < 0.4 < 0.7 < mean(ALL, "SmartTrunc", "f", 5.0)


def test_what_the_limit_hides():
    """With ±10 DFDP stays good at any s; δ says what that costs."""
    rows = run(at(STUDY, clip=10.0, mechanisms=("DFDP",)), TABLE)
    rows = rows[rows["scope"] == "all"]
    assert mean(rows, "DFDP", "f", 5.0) > 0.9
    assert mean(rows, "DFDP", "delta", 5.0) > 0.99
    assert mean(ALL, "DFDP", "delta", 5.0) == 0


def test_along_min_count():
    rows = run(at(STUDY, axis="min_count", grid=(300,), mechanisms=("Apriori",)), TABLE)
    found = rows[(rows["metric"] == "found") & (rows["scope"] == "all")].groupby("x")["value"].mean()
    assert list(found.index) == [150.0, 300.0]
    assert found[150.0] > found[300.0] > 0
    assert task.same(at(STUDY, axis="min_count", same="s")) == "s"


def test_marks_withhold_and_cost():
    some = TABLE.baskets("items")
    top = some.labels[int(np.argmax(some.counts))]
    study = replace(STUDY, mechanisms=("Apriori",), grid=(), repetitions=1)
    missed = []
    for marks in (Marks(), Marks.of([top])):
        rows = run(replace(study, marks=marks), TABLE)
        (value,) = rows[(rows["scope"] == "all") & (rows["metric"] == "missed")]["value"]
        missed.append(value)
    assert missed[0] == 0
    assert missed[1] > 10


def test_length_limit():
    rows = run(at(STUDY, max_length=1), TABLE)
    assert set(rows["scope"]) == {"all", "1"}


@for_each(
    ("sentence", "changed"),
    {
        "leave n out": lambda: replace(STUDY, n=100),
        "no basket holds the marked unicorn": lambda: replace(STUDY, marks=Marks.of(["unicorn"])),
        "every item is withheld": lambda: replace(STUDY, marks=Marks.of(TABLE.baskets("items").labels)),
        'the option same is "epsilon"': lambda: at(STUDY, axis="min_count", grid=(5,), same="noise"),
        "s (the budget of one count) must be positive": lambda: at(STUDY, axis="s", grid=(0.0,)),
        "clip (the largest noise) must be positive": lambda: at(STUDY, clip=0),
        "min_count must be between 1 and": lambda: at(STUDY, min_count=0),
        "the option max_length": lambda: at(STUDY, max_length=0),
        "the option levels": lambda: at(STUDY, levels=0),
        "the option length": lambda: at(STUDY, length=0),
        "has no option cut": lambda: at(STUDY, cut=3),
        "belongs to the task frequency": lambda: replace(STUDY, mechanisms=("GRR",)),
    }.items(),
)
def test_refusals(sentence, changed):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        run(changed(), TABLE)


@pytest.mark.parametrize(("name", "meant"), [("census", "Tables"), ("groceries", "Capped")])
def test_the_usual_miners_are_those_that_run_and_the_best_that_keeps_its_promise_comes_first(name, meant):
    """Of those that are taken where nobody chooses none is refused; the one that is meant for such sets is among them,
    and has the largest F. What somebody chooses stays, whatever it is.
    """
    table = data.load(name)
    made, refused = fit(Draft(Source(name), "", grid=(), task="itemsets", options=task.OPTIONS()), table)
    assert refused == ()
    held = task.prepare(made, table)
    assert task.refused(made, held) == {}
    assert task.strong(held) == meant
    known = facts(made, table)
    assert next(iter(known.runs)) == known.best == meant
    assert [one.kept for one in known.runs.values()] == sorted((one.kept for one in known.runs.values()), reverse=True)
    for keys in (("DFDP", "Tables"), task.CATALOG.defaults, (*task.CATALOG.defaults, "Tables")):
        assert fit(replace(made, mechanisms=keys), table)[0].mechanisms == keys
