"""The Sets view's own figure, and what it says in words, from tables and numbers."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from ldpapp import charts, words
from ldpapp.charts import ExposedColumn, palette
from ldpapp.views.sets import data as set_data
from ldpapp.views.sets import headline, promise
from ldpapp.views.sets import panels as set_panels
from ldpapp.views.sets import sentences as set_findings
from ldpcore import catalog, data
from ldpcore.data.baskets import collect
from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.study import Marks, Source, Study, run, simulated_shares, summary
from ldpcore.study import sets as task
from ldpcore.study.sets import facts as set_facts
from ldpcore.study.sets import point, tables, truncation, undisclosed
from ldpcore.study.sets.curves import SetsCurveOptions, grids
from ldpcore.study.skeleton import CELL

QUESTIONS = [ExposedColumn("any?", "presence", "low", "high"), ExposedColumn("this<br>one?", "item", "low", "high")]
ROWS = pd.DataFrame(
    {
        "mechanism": ["suWheel", "suWheel-J", "uPrivSet"],
        "presence": [64.2, 51.0, 50.0],
        "item": [np.nan, 55.0, 99.99],
        "low": [60.0, 46.0, 45.0],
        "high": [68.0, 56.0, 100.0],
    }
)


@pytest.fixture(scope="module")
def table():
    return data.load("groceries")


def study(table, *mechanisms, **options):
    return Study(
        Source(table.name),
        "items",
        Marks.of(table.card.default_marks),
        mechanisms or ("PrivSet", "suWheel", "suWheel-J", "uPrivSet"),
        task="sets",
        options=tuple(sorted(options.items())),
    )


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_exposed_shows_each_number_once(dark):
    figure = charts.exposed(ROWS, QUESTIONS, focus="uPrivSet", dark=dark)
    texts = [note.text for note in figure.layout.annotations]
    assert texts.count("64") == 1
    assert texts.count(">99") == 1
    assert any("<b>uPrivSet</b>" in text for text in texts)
    marks = [trace for trace in figure.data if trace.mode == "markers"]
    assert len(marks) == 5, "nobody could be attacked for one of six"
    colors = {trace.name: trace.marker.color for trace in marks}
    assert colors["suWheel"] == palette.mark("suWheel").color(dark)
    assert "64 of 100 (60–68)" in marks[0].hovertext
    assert "this one?: right in" in marks[4].hovertext
    assert [trace.x for trace in figure.data if trace.name == "blind"] == [(50, 50), (50, 50)]


@pytest.mark.parametrize(("m", "shown"), [(1, "no item"), (2, "one of two items"), (8, "exactly 7 of 8 items")])
@pytest.mark.parametrize("epsilon", [0.1, 4.0])
def test_the_claim_has_the_engines_numbers(epsilon, m, shown):
    """What is more than promised is said first; where the hash is needed to see more, that is."""
    leak = undisclosed.leak(catalog.SETS["suWheel"].build(epsilon, 64, np.arange(64) < 16, m))
    assert leak is not None
    promised, told = promise.claim(leak)
    assert words.times(leak.promised, most=True) in promised
    assert shown in told
    assert words.times(leak.times) in told
    assert told.startswith("with its hash known") == (leak.times <= leak.promised) == (epsilon == 4)


def test_nothing_is_called_covered_that_is_not(table):
    """Only those that promise the whole report cover it; those that know marks cover nothing without marks."""
    held, every = table.baskets("items"), study(table)
    bare = Study(**{**vars(every), "marks": Marks()})
    for chosen in (every, bare):
        for fact in point.every(chosen, held).values():
            said = promise.covered(fact)
            assert ("Covered:</b> the whole report" in said) == fact.whole
            assert ("that a report shows is held for sure" in said) == (
                fact.promise != "LDP" and fact.here.marked.any()
            )


def test_the_sentence_has_the_engines_numbers(table):
    held, chosen = table.baskets("items"), study(table)
    found = point.every(chosen, held)
    main = set_facts.focus(found, None)
    assert main.key == "uPrivSet"
    assert set_facts.focus(found, "suWheel").key == "suWheel"
    attacked = pd.DataFrame(
        [
            (key, 1.0, "success:presence", "all", value)
            for key, value in (("suWheel", 0.6), ("suWheel", 0.7), ("uPrivSet", 0.5), ("uPrivSet", 0.54))
        ],
        columns=[*CELL, "value"],
    )
    told = summary(chosen, held, attacked)
    said = headline.sentence(chosen, found, main, told, str, str)
    marked, by_chance = main.here.marked, main.variance  # nothing of the bias: it stands apart
    off = [words.decimals(100 * NORMAL_95 * np.sqrt(by_chance[part].mean())) for part in (marked, ~marked)]
    rare = sum(share < NORMAL_95 * np.sqrt(by_chance[marked].mean()) for share in main.here.freq[marked])
    assert f"{marked.sum()} sensitive items of {len(marked)} are known to ±{off[0]} " in said
    assert 0 < rare < marked.sum()
    assert f" points ({rare} too rare), others" in said
    assert f"others to ±{off[1]}, on average;" in said
    every = np.sqrt(found["PrivSet"].variance[marked].mean())
    assert f"By uPrivSet; PrivSet, without marks: ±{words.decimals(100 * NORMAL_95 * every)};" in said
    assert f"cuts take up to {words.decimals(100 * (held.counts / held.n - main.here.kept)[marked].max())} " in said
    assert "Who holds one is guessed in 52 of 100 (41–64; coin: 50)." in said
    assert "suWheel: 65 (54–75) of 100." in said
    filling = headline.sentence(chosen, found, main, told, str, str, filling=True)
    whole = said.replace(" (54–75)", "").replace(" (41–64; coin: 50)", "")
    assert filling.replace(" so far", "") == whole != filling
    itself = headline.sentence(chosen, found, found["suWheel"], told, str, str)
    assert "guessed in 65 of 100 (54–75), 15 above a coin." in itself
    worse = told.assign(
        **{end: 1 - told[other] for end, other in (("value", "value"), ("low", "high"), ("high", "low"))}
    )
    turned = headline.sentence(chosen, found, found["suWheel"], worse, str, str)
    assert "guessed in 35 of 100 (25–46), 15 below a coin." in turned
    first = set_facts.spoken(chosen, held, main).mechanisms
    assert set(first) == {"uPrivSet", "suWheel"} < set(chosen.mechanisms), "simulated before all others"
    quiet = headline.sentence(chosen, found, main, told.iloc[:0], str, str)
    assert "of 100" not in quiet
    rows = tables.attacks(told, list(found))
    row = rows.set_index("mechanism").loc["suWheel"]
    assert row["presence"] == pytest.approx(65)
    assert row["presence, low"] < 65 < row["presence, high"]
    assert rows["marked item"].isna().all()


def test_a_margin_with_its_bias_holds_95_of_100(table):
    """So many of the errors of simulated surveys, over all items; of the most biased item in all twenty.

    3380 estimates, those of a survey nearly independent: a right engine fails once in a million.
    """
    chosen, held = study(table, "uPrivSet", m=4, attacks=0), table.baskets("items")
    chosen = replace(chosen, repetitions=20, grid=())
    main, rows = point.every(chosen, held)["uPrivSet"], run(chosen, table)
    margin = NORMAL_95 * np.sqrt(main.squared)
    drawn = simulated_shares.estimates(rows, "uPrivSet", held.labels)
    inside = np.abs(drawn - main.here.freq) <= margin
    assert drawn.shape == (20, held.k)
    assert 0.93 < inside.mean() < 0.99
    assert inside[:, np.argmin(main.here.bias)].all()
    rows = tables.of_items(main, main.here.freq)
    assert rows["± 95 %"].to_numpy() == pytest.approx(NORMAL_95 * np.sqrt(main.variance))
    assert rows["bias, sets cut"].to_numpy() == pytest.approx(main.here.bias)


def test_padding_says_what_is_cut_and_which_m_is_better(table):
    held = table.baskets("items")
    chosen = study(table, "uPrivSet", m=1)
    main = point.every(chosen, held)["uPrivSet"]
    found = truncation.padding(chosen, held, "uPrivSet")
    said = set_findings.padding(found, main, str)
    assert f"{words.share(np.mean(held.lengths <= 1))} of the sets have at most 1 item and stay whole" in said
    assert found.item in said
    assert f"With m = {found.best} the error of uPrivSet would be" in said


def test_the_adversarys_items_are_called_as_they_are():
    """Labels are the data's: nobody's capitals are lost."""
    held = collect([0, 0, 1, 2, 3], [0, 1, 2, 2, 1], 4, ["DVD", "HIV test", "Milk"])
    chosen = Study(Source("baskets.csv"), "items", Marks.of(["HIV test"]), ("suRAP",), task="sets")
    said = set_panels.targets(chosen, held)
    assert said == {"sensitive": "HIV test?", "other": "Milk?"}
    labels = ["marital-status = Married-civ-spouse", "one of <b> some long names", "x"]
    held = collect([0, 0, 1, 2, 3], [0, 1, 2, 2, 1], 4, labels)
    said = set_panels.targets(replace(chosen, marks=Marks.of(labels[:1])), held)
    assert said == {"sensitive": "marital-sta…<br>= Married-c…?", "other": "one of &lt;b&gt;<br>some long…?"}


@pytest.mark.parametrize(("rows", "people", "what"), [(0, 40, "are being"), (1, 40, "Too few"), (1, 0, "Nobody is")])
def test_why_there_is_no_attack(rows, people, what):
    attacked = pd.DataFrame({"metric": ["mse"]}).iloc[:rows]
    assert what in set_findings.unattacked(attacked, people, 200).what


@pytest.mark.parametrize("axis", task.AXES)
@pytest.mark.parametrize("simulated", [None, 64])
def test_grids_lie_where_the_study_can_go(table, axis, simulated):
    held, chosen = table.baskets("items"), study(table, simulated=simulated) if simulated else study(table)
    grid, dense = grids(axis, chosen, held)
    assert max(grid) <= dense[-1]
    assert list(dense) == sorted(set(dense))
    tried = replace(chosen, axis=axis, grid=dense)
    for x in (dense[0], dense[-1]):
        here = task.setting(tried, held, x)
        assert here.m <= here.baskets.k + here.dummies


@pytest.mark.parametrize(("quantity", "times"), [("points", 1.959964), ("typical", 1.0)])
def test_the_floor_has_the_scale_of_the_curves(quantity, times, monkeypatch) -> None:
    """Drawn in margins under lines in typical errors, a limit would look twice as low as it is."""

    from ldpapp.views.sets import panels

    table = data.load("groceries")
    chosen = Study(Source("groceries"), "items", Marks.of(["milk"]), ("PrivSet", "uPrivSet"), grid=(), task="sets")
    held = task.prepare(chosen, table)
    main = point.every(chosen, held)["uPrivSet"]
    monkeypatch.setattr(set_data, "least_error", lambda *asked: 1e-4)
    view = SetsCurveOptions("all", quantity, "raw", "epsilon", "", "sensitive", (0.5, 1.0), (0.5, 1.0, 2.0))
    own = pd.DataFrame({"mechanism": ["Own"], "x": [1.0], "value": [1e-6]})  # which no catalogue knows
    below, text = panels.floor(view, chosen, held, main, own)
    assert below is not None
    assert below["value"].to_numpy() == pytest.approx(np.full(len(below), times))
    assert words.points(times * 0.01) in text
