"""The task of two questions: its curves, its floor, and what a page shows. It is listed here alone."""

import numpy as np
import pandas as pd
import pytest

from ldpcore import Marks, Source, Study, data, run
from ldpcore.study import relations, tasks
from ldpcore.study.relations.facts import RelationFacts
from ldpcore.study.relations.people import counted

BROKEN = ("Divorced", "Separated", "Widowed", "Married-spouse-absent")
MARKS = Marks.of([*(f"marital-status = {label}" for label in BROKEN), "income = >50K"])
OPTIONS = (("groups", "marital-status"), ("setting", "apart"), ("versus", ("Married-civ-spouse",)))


@pytest.fixture(autouse=True, scope="module")
def listed():
    tasks.add("relations", relations, relations.limits)
    yield
    tasks.remove("relations")


def study(**changes):
    fields = {"mechanisms": ("uSS",), "grid": (0.5, 4.0), "repetitions": 3, "task": "relations", "options": OPTIONS}
    options = {name: changes.pop(name) for name in list(changes) if name in relations.OPTIONS.names()}
    return Study(Source("census"), "income", MARKS, **(fields | changes)).with_options(**options)


@pytest.fixture(scope="module")
def people():
    return counted(data.load("census"), "marital-status", "income")


def test_its_run_has_theory_and_surveys_and_they_agree(people):
    asked = study(repetitions=60, grid=())
    rows = run(asked)
    error = rows[rows["metric"] == "squared error of the difference"]
    times = error["value"].mean() / error["theory"].iloc[0]
    assert 0.45 < times < 1.9  # a mean of 60 squares: once in a million a right engine is outside
    theory = relations.theory(asked, people)
    assert theory[theory["metric"] == "half-width"]["theory"].item() == pytest.approx(0.1224, abs=1e-4)
    told = theory[theory["metric"] == "told apart"].set_index("scope")["theory"].round(3).to_dict()
    assert told == {
        "income: all reports": 0.751, "income: own report": 0.697,
        "marital-status: all reports": 0.663, "marital-status: own report": 0.649,
    }  # fmt: skip
    assert run(asked.with_options(about="these"))["value"].notna().any()


def test_along_people_errors_fall_as_their_root(people):
    rows = relations.theory(study(axis="n", grid=(1000.0, 4000.0)), people)
    half = rows[rows["metric"] == "half-width"].set_index("x")["theory"]
    assert half[1000] == pytest.approx(2 * half[4000])


def test_the_floor_is_of_a_pair_asked_as_one(people):
    assert relations.limits(study(), people).empty
    found = relations.limits(study(setting="as one", about="these", grid=()), people)
    assert found["times the limit"].round(2).tolist() == [2.54]  # the root of 6.47
    joined = relations.limits(study(setting="as one", join=True, mechanisms=("uSS", "SS")), people)
    assert (joined["times the limit"] >= 1).all()
    assert set(joined["mechanism"]) == {"uSS", "SS"}
    assert not relations.limits(study(join=True, mechanisms=("GRR",)), people).empty  # all marked: apart too


def test_what_a_page_shows(people):
    page = RelationFacts.of(study(), people, "uSS")
    said = page.headline()
    assert (said.n, said.people) == (32_561, 10_038)
    assert said.truth == pytest.approx(-0.3206, abs=1e-4)
    assert said.difference.low < said.difference.value < said.difference.high
    assert {(setting, joined) for setting, joined, _ in said.others} == {
        ("as one", False), ("open", False), ("apart", True), ("as one", True), ("open", True)
    }  # fmt: skip
    assert {(setting, joined): half for setting, joined, half in said.others}["as one", True] < said.half_width
    rows = page.groups()
    assert sum(row.people for row in rows) == said.n
    assert {row.label for row in rows if row.marked} == set(BROKEN)
    assert all(row.share.low <= row.share.value <= row.share.high for row in rows)
    assert [row.label for row in rows if not row.share.told][:1] != []
    assert page.together(0).people == 6754
    assert page.test().p < 0.001
    estimated, truth, raw = page.odds_ratios()
    assert truth == pytest.approx(0.16, abs=0.005)
    assert estimated.low <= estimated.value <= estimated.high
    assert 0.5 < raw < 0.85
    assert page.floor(1.0) < page.half_width("as one", 1.0)
    assert page.half_width("open", 1.0) == pytest.approx(0.0223, abs=1e-4)
    assert page.people("apart", 0.05) > page.people("as one", 0.05, joined=True) > page.people("open", 0.05)
    assert page.exposure("open", 1).all_reports == pytest.approx(0.905, abs=0.001)
    assert page.exposure("as one", 0).own_report == pytest.approx(0.691, abs=0.001)
    assert np.isclose(page.raw.sum(), 1)


def test_a_study_fits_what_the_data_have(people):
    health = data.load("health")
    made, refused = relations.fit(study(), health)
    assert made.data.name == "health"
    assert made.column in relations.columns(health)
    assert made.option("groups") in relations.columns(health)
    assert made.option("groups") != made.column
    assert refused
    assert relations.prepare(made, health).n > 0
    again, refused = relations.fit(study(), data.load("census"))
    assert not refused
    assert again.marks == MARKS


def table(**columns):
    return data.read(pd.DataFrame(columns).to_csv(index=False).encode(), "mine.csv")


@pytest.mark.parametrize(
    ("columns", "pair", "sentence"),
    [
        ({"a": ["x", "y"] * 20, "b": ["u", "v"] * 20}, ("a", "a"), "Choose two different questions."),
        ({"a": ["x", "y"] * 10 + [None] * 20, "b": [None] * 20 + ["u", "v"] * 10}, ("a", "b"), "No one answered both"),
        ({"a": ["x", "y"] * 20, "b": ["u"] * 20 + [None, "v"] * 10}, ("a", "c"), "“c” is no question with a list"),
    ],
)
def test_what_makes_no_relation_is_refused_in_a_sentence(columns, pair, sentence):
    with pytest.raises(ValueError, match=sentence):
        counted(table(**columns), *pair)


def test_one_answer_that_is_left_is_refused_and_who_left_one_out_is_counted():
    columns = {"a": ["x", "y"] * 20, "b": ["u", None] * 10 + ["u", "v"] * 10}
    found = counted(table(**columns), "a", "b")
    assert (found.n, found.left_out) == (30, 10)
    with pytest.raises(ValueError, match="“a” has one answer here; a relation needs two"):
        counted(table(a=["x", "y"] * 20, b=["u", None, "v", None] * 10), "a", "b")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"setting": "sampled"}, "the option setting is 'apart' or 'as one' or 'open'"),
        ({"compare": ("Divorced",), "versus": ("Divorced",)}, "A group stands on one side only"),
        ({"compare": ("nobody",)}, "“marital-status” has no answer 'nobody'"),
    ],
)
def test_options_that_make_no_sense_are_refused(people, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        relations.theory(study(**options), people)


def test_a_pair_with_an_unmarked_question_is_not_asked_as_one(people):
    marks = Marks.of(["income = >50K"])
    asked = Study(Source("census"), "income", marks, ("uSS",), task="relations", options=OPTIONS)
    with pytest.raises(
        ValueError, match="“marital-status” is not marked; asking it with the other hides it for nothing"
    ):
        relations.theory(asked.with_options(setting="as one"), people)
    apart = RelationFacts.of(asked, people, "uSS")
    assert apart.design.epsilons[1] == 1.0  # all of ε for the one that is hidden
    assert "sampled" not in relations.SAMPLED
    assert "no relation can be estimated" in relations.SAMPLED
