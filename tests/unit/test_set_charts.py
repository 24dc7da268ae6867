"""The Sets view's own figure, and what it says in words, from tables and numbers."""

import numpy as np
import pandas as pd
import pytest

from ldpapp import charts, palette
from ldpapp.charts import Question
from ldpapp.tasks.sets import data as set_data
from ldpapp.tasks.sets import findings as set_findings
from ldpcore import data
from ldpcore.study import Arm, Source, Study, summary
from ldpcore.study import sets as task
from ldpcore.study.skeleton import CELL

QUESTIONS = [Question("any?", "presence", "low", "high"), Question("this<br>one?", "item", "low", "high")]
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
        (Arm.of("A", table.card.default_marks),),
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


def test_the_leak_is_the_published_one(table):
    """theory/sets#undisclosed-slot: m = 8, ε = 0.1, exactly seven shown is 2.7 times likelier with one marked item than
    none.
    """
    chosen = Study(**{**vars(study(table, "suWheel", m=8)), "epsilon": 0.1})
    found = set_data.facts(chosen, table.baskets("items"))
    leak = set_data.leak(found["suWheel"])
    assert leak is not None
    assert (leak.with_one, leak.with_none) == pytest.approx((0.724, 0.266), abs=1e-3)
    promised, shown = set_findings.claim(leak, 0.1, np.exp(0.1))
    assert "over 1.1 times" in promised
    assert "shows exactly 7 of 8 items is 2.7 times likelier" in shown
    assert set_data.leak(set_data.facts(study(table, "suRAP"), table.baskets("items"))["suRAP"]) is None


def test_the_sentence_has_the_engines_numbers(table):
    held, chosen = table.baskets("items"), study(table)
    found = set_data.facts(chosen, held)
    main = set_data.focus(found, None)
    assert main.key == "uPrivSet"
    assert set_data.focus(found, "suWheel").key == "suWheel"
    attacked = pd.DataFrame(
        [("A", "suWheel", 1.0, "success:presence", "all", 0.6), ("A", "suWheel", 1.0, "success:presence", "all", 0.7)],
        columns=[*CELL, "value"],
    )
    told = summary(chosen, held, attacked)
    said = set_findings.sentence(1.0, found, main, told, str, "sensitive")
    error = 100 * np.sqrt(np.mean(main.variance + main.here.bias**2))
    assert f"uPrivSet is off by ±{error:.2f} points" in said
    assert "suWheel’s reports tell whether someone holds a sensitive item in 65 (54–75) of 100 cases" in said
    quiet = set_findings.sentence(1.0, found, main, told.iloc[:0], str, "sensitive")
    assert "reports" not in quiet
    rows = set_findings.attack_rows(told, list(found))
    row = rows.set_index("mechanism").loc["suWheel"]
    assert row["presence"] == pytest.approx(65)
    assert row["presence, low"] < 65 < row["presence, high"]
    assert rows["marked item"].isna().all()


def test_padding_says_what_is_cut_and_which_m_is_better(table):
    held = table.baskets("items")
    chosen = study(table, "uPrivSet", m=1)
    main = set_data.facts(chosen, held)["uPrivSet"]
    found = set_data.padding(chosen, held, main)
    assert found.whole == pytest.approx(np.mean(held.lengths <= 1))
    assert found.loss == pytest.approx(-main.here.bias.min())
    errors = set_data.errors_by_m(chosen, held, "uPrivSet")
    assert found.best == min(errors, key=lambda m: errors[m]) != 1
    assert errors[1] == pytest.approx(main.error())
    said = set_findings.padding(found, main, str)
    assert "22.0\u00a0% of the baskets have at most 1 item and stay whole" in said
    assert f"With m = {found.best} the error of uPrivSet would be" in said


def test_refused_mechanisms_say_why(table):
    chosen = Study(**{**vars(study(table)), "arms": (Arm("A"),)})
    reasons = set_data.refused(chosen, table.baskets("items"))
    assert list(reasons) == ["uPrivSet"]
    assert "uPrivSet" not in set_data.facts(chosen, table.baskets("items"))


@pytest.mark.parametrize("axis", set_data.AXES)
@pytest.mark.parametrize("simulated", [None, 64])
def test_grids_lie_where_the_study_can_go(table, axis, simulated):
    held, chosen = table.baskets("items"), study(table, simulated=simulated) if simulated else study(table)
    grid, dense = set_data.grids(axis, chosen, held)
    assert max(grid) <= dense[-1]
    assert list(dense) == sorted(set(dense))
    tried = Study(**{**vars(chosen), "axis": axis, "grid": dense})
    for x in (dense[0], dense[-1]):
        here = task.setting(tried, held, "A", x)
        assert here.m <= here.baskets.k + here.dummies
