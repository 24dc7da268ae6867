"""The Clusters view's logic, without a browser."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from ldpapp import words
from ldpapp.export.report import front
from ldpapp.state import actions, column_actions
from ldpapp.state.model import table as kept_table
from ldpapp.views.clusters import sentences, sidebar
from ldpcore import data
from ldpcore.clusters import nearest
from ldpcore.study import Marks, Source, Study, run
from ldpcore.study import clusters as task
from ldpcore.study.clusters import curves
from ldpcore.study.clusters.compare import Limits, limits, started, untouched
from ldpcore.study.clusters.facts import ClustersFacts, facts

from .opening import (
    ask,
    boxes,
    charts,
    do,
    drawn,
    html,
    link,
    opened,
    panel,
    panels,
    plain,
    press,
    sentence,
    state,
    study,
    twin,
    upload,
)

USUAL = ["leak", "scores"]
FOLDS = {"fold_clusters_modes": "modes", "fold_clusters_rounds": "rounds"}
SIX = ("workclass", "education", "marital-status", "occupation", "relationship", "income")
FEW = b"colour,size\n" + b"red,small\nblue,large\ngreen,large\n" * 20
GAPS = b"a,b\n" + b"x,u\ny,v\nz,w\n" * 2 + b"x,\ny,\n" * 5
NUMBERS = b"a,b\n" + b"".join(b"%d.5,%d\n" % (i, 7 * i) for i in range(100))


@pytest.fixture(scope="module", autouse=True)
def two_points():
    """The curves are the engine's; two points of them are enough here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(curves, "EPSILONS", (1.0, 4.0))
        yield


@pytest.fixture(scope="module")
def first() -> AppTest:
    return opened("clusters")


@pytest.fixture
def view(first, still) -> AppTest:
    """Its twin, in which nothing more is simulated."""
    return twin(first, "clusters")


def unfolded(at: AppTest) -> AppTest:
    """The page with its folds open, as a link asks for them."""
    for key in FOLDS:
        at.session_state[key] = True
    return at.run()


def people() -> task.ClusterRecords:
    made = Study(Source("census"), "marital-status", task="clusters", grid=(), options=(("columns", SIX),))
    return task.prepare(made, data.load("census"))


def people_of(at: AppTest) -> task.ClusterRecords:
    made = study(at, "clusters")
    return ask(at, lambda: sidebar.data(made, kept_table()))


def test_the_view_opens(view) -> None:
    assert panels(view) == USUAL
    assert set(charts(view)) == {"chart_scores", "chart_leak"}
    assert "ε = 1" in plain(sentence(view))
    assert not set(link(view)) & set(FOLDS)


def test_modes_and_rounds_are_behind_folds(view) -> None:
    assert panels(unfolded(view)) == [*USUAL, *FOLDS.values()]
    assert "truth, <i>internal</i>" in html(view)
    assert set(link(view)) >= set(FOLDS), "the link opens them"


def test_the_sentence_is_what_the_study_computes(view) -> None:
    here = Study(
        Source("census"), "marital-status", mechanisms=("LDPK", "Fresh"), grid=(), repetitions=1, task="clusters",
        options=(("columns", SIX), ("k", 3)),
    )  # fmt: skip
    rows = run(here).set_index(["mechanism", "metric", "scope"])["value"]
    said = sentence(view)
    right, named = ([words.of_100(rows[key, metric, scope]) for key in ("LDPK", "Fresh")]
                    for metric, scope in (("ac", "all"), ("guessed", "marital-status")))  # fmt: skip
    claims = f"□ LDPK claims ε = 1, yet its messages tell the “marital-status” of {named[0]} of 100 people, "
    lands = f"{right[1]} of 100 land in the right cluster with ▲ Fresh, {right[0]} with □ LDPK: no difference shown. "
    assert plain(said).startswith(f"{claims}where ε allows 58. ▲ Fresh keeps to it: {named[1]}. {lands}")
    assert plain(said).endswith(f"The starts alone: {words.of_100(untouched(here, people()))}."), "of one start no gain"
    bounds = limits(people(), "marital-status", 1.0)
    assert f"allows {words.of_100(bounds.promised, most=True)}" in said
    assert (words.of_100(bounds.promised, most=True), words.of_100(bounds.blind)) == ("58", "46")


def test_a_difference_is_one_where_its_interval_says_so_and_harm_is_said() -> None:
    """Paired by start; what the starts have before anybody reports is said where a method has less."""
    made = Study(
        Source("census"), "marital-status", mechanisms=("LDPK", "Fresh"), grid=(), repetitions=4, task="clusters",
        options=(("columns", SIX), ("k", 3)),
    )  # fmt: skip
    records = task.prepare(made, data.load("census"))
    rows = run(made)
    for shift, is_shown in ((0.0, False), (0.5, True)):
        of_fresh = (rows["metric"] == "ac") & (rows["mechanism"] == "Fresh")
        moved = rows.assign(value=np.where(of_fresh, rows["value"] - shift, rows["value"]))
        known = facts(made, records, moved)
        ac = moved[moved["metric"] == "ac"].pivot(index="repetition", columns="mechanism", values="value")
        gains = (ac["LDPK"] - ac["Fresh"]).to_numpy()
        half = 3.182446 * gains.std(ddof=1) / 2  # Student's t, 3 degrees of freedom
        assert known.gained == pytest.approx(gains.mean())
        assert (known.gained_least, known.gained_most) == pytest.approx((gains.mean() - half, gains.mean() + half))
        assert known.shows_gain is (not known.gained_least <= 0 <= known.gained_most)
        assert known.shows_gain or not is_shown
        said = sentences.headline(known, str, "x")
        leaks = moved[(moved["metric"] == "guessed") & (moved["scope"] == made.column) & (moved["mechanism"] == "LDPK")]
        leaks = leaks["value"]
        span = f"</b> people ({words.of_100(leaks.min())}–{words.of_100(leaks.max())} by start)"
        assert span in said
        assert ("no difference shown" in said) is not known.shows_gain
        begun = started(made, records)
        idle = []
        for key in ("Fresh", "LDPK"):
            learned = ac[key].to_numpy() - begun
            half = 3.182446 * learned.std(ddof=1) / 2
            ends = known.parts[key].learned_least, known.parts[key].learned_most
            assert known.parts[key].learned == pytest.approx(learned.mean())
            assert ends == pytest.approx((learned.mean() - half, learned.mean() + half))
            idle += [key] if learned.mean() <= half else []
        assert ("Fresh" in idle) or not shift
        gain = f"; no gain shown by {words.listing(idle)}." if idle else "."
        assert f"The starts alone: {words.of_100(known.untouched)}{gain}" in said


def test_a_marked_column_is_in_the_record_and_attacked_first(view) -> None:
    """One of two answers, which no record had by itself; where a person chose the columns, a click adds it."""
    rows = "\n".join(f"{'xyz'[i % 3]},{'uvw'[i % 3]},{'yes' if i % 4 else 'no'}" for i in range(60))
    upload(view, data.read(f"a,b,harm\n{rows}".encode(), "mine.csv"))
    assert study(view, "clusters").option("columns") == ("a", "b")
    do(view, column_actions.set_marks, "harm", ["yes"])
    assert study(view, "clusters").option("columns") == ("a", "b", "harm")
    assert study(view, "clusters").column == "harm"
    view.multiselect(key="cluster_columns").set_value(["a", "b"]).run()
    assert study(view, "clusters").option("columns") == ("a", "b")
    assert "Marked, but not in the record: harm." in plain(html(view))
    press(view, "clusters_add_marked")
    assert study(view, "clusters").option("columns") == ("a", "b", "harm")
    assert "Marked, but not in the record" not in plain(html(view))


def test_more_marked_columns_than_a_record_has_are_named() -> None:
    columns = [f"c{j}" for j in range(8)]
    rows = [",".join("xyz"[(i + j) % 3] for j in range(8)) for i in range(60)]
    table = data.read("\n".join([",".join(columns), *rows]).encode(), "mine.csv")
    assert task.usual(table) == tuple(columns[:6])
    assert task.usual(table, ["c7", "c2"]) == ("c0", "c1", "c2", "c3", "c4", "c7")
    assert task.usual(table, columns[1:]) == tuple(columns[1:7])
    assert task.delicate(columns, ["c7", "c2"]) == "c2"
    assert (task.delicate(["a", "condition"]), task.delicate(["a", "condition"], ["a"])) == ("condition", "a")


def test_the_controls_change_the_study_and_what_is_said(view) -> None:
    before = sentence(view)
    view.selectbox(key="clusters_wanted").set_value("workclass").run()
    assert study(view, "clusters").column == "workclass"
    assert "“workclass”" in plain(sentence(view))
    view.number_input(key="epsilon").set_value(3.0).run()
    bounds = limits(people(), "workclass", 3.0)
    assert "no ε covers its messages, which tell the “workclass” of" in plain(sentence(view))
    assert f"(a blind guess: {words.of_100(bounds.blind)})" in plain(sentence(view))
    assert sentence(view) != before
    view.number_input(key="clusters_k").set_value(2).run()
    assert study(view, "clusters").option("k") == 2
    assert html(unfolded(view)).count('<tr class="head">') == 2
    before = drawn(view)["chart_scores"]
    view.radio(key="clusters_score").set_value("entropy").run()
    entropy = drawn(view)["chart_scores"]
    view.radio(key="clusters_axis").set_value("k").run()
    assert study(view, "clusters").axis == "k"
    assert len({before, entropy, drawn(view)["chart_scores"]}) == 3


def test_the_columns_of_a_record_are_chosen(view) -> None:
    view.multiselect(key="cluster_columns").set_value(["sex", "race"]).run()
    made = study(view, "clusters")
    assert made.option("columns") == ("sex", "race")
    assert made.column in ("sex", "race")
    assert plain(html(view)).count("workclass") == 0
    view.multiselect(key="cluster_columns").set_value([]).run()
    assert study(view, "clusters").option("columns") == SIX


def test_every_method_plays_its_rounds(view) -> None:
    said = {
        "LDPK": "as it is",
        "LDPK-split": f"all {len(SIX)} attributes",
        "Fresh": "A user of this round",
        "DPK": "hands over the whole record",
    }
    seen = set()
    unfolded(view)
    for key, text in said.items():
        view.radio(key="clusters_played").set_value(key).run()
        if key == "LDPK-split":
            next(box for box in view.select_slider if box.label == "Round").set_value(0).run()
        assert text in panel(view, "rounds"), key
        seen.add(panel(view, "rounds"))
    assert len(seen) == len(said)
    view.radio(key="clusters_played").set_value("Fresh").run()
    before = panel(view, "rounds")
    next(box for box in view.slider if box.label == "User").set_value(4242).run()
    assert f"User {words.count(4242)}" in panel(view, "rounds")
    assert panel(view, "rounds") != before


def test_another_start_is_another_run() -> None:
    at = opened("clusters", reps="3", m=["LDPK"], task="clusters")
    before, curve = panel(unfolded(at), "modes"), drawn(at)["chart_scores"]
    press(at, "clusters_again")
    assert panel(at, "modes") != before
    assert drawn(at)["chart_scores"] == curve


@pytest.mark.parametrize(
    ("content", "changes", "told"),
    [
        (NUMBERS, {}, ["“mine.csv”"]),
        (FEW[:-200], {"k": 50}, ["50 clusters", "at most 42 clusters"]),
        (GAPS, {"k": 8}, ["8 clusters", "at most 6 clusters", "missing answer"]),
        (b"a,b\n" + b"x,\n,y\nz,\n,w\n" * 20, {}, ["“a”"]),
        (FEW, {"n": 2}, ["3 clusters", "at most 2 clusters"]),
        (b"a\n" + b"x\ny\nz\n" * 30, {"mechanisms": ("Pairs",)}, ["two columns", "switch Pairs off"]),
    ],
    ids=["numbers", "few", "gaps", "all gaps", "few asked", "one column"],
)
def test_bad_data_gets_a_sentence_that_says_what_to_do(view, content, changes, told) -> None:
    upload(view, data.read(content, "mine.csv"))
    fields = dict(changes)
    options = {"options": study(view, "clusters").with_options(k=fields.pop("k")).options} if "k" in fields else {}
    do(view, actions.change, "clusters", **fields, **options)
    assert panels(view) == []
    assert all(text in boxes(view) for text in told)
    assert not re.search(r"\b([KNkn]|X|start|levels|[Aa]ttributes?|epsilon)\b", boxes(view)), "words of the engine"
    assert state(view).workspace.table.name == "mine.csv"


def test_rows_left_out_make_no_clusters(view) -> None:
    """The curve against k once went to as many clusters as there were rows, whole or not."""
    upload(view, data.read(GAPS, "mine.csv"))
    do(view, actions.change, "clusters", axis="k")
    assert panels(view) == USUAL
    assert max(sidebar.full(study(view, "clusters"), people_of(view)).grid) <= 6


def test_means_are_of_the_same_starts_and_say_how_many() -> None:
    at = opened("clusters", reps="3", m=["LDPK", "Fresh"], task="clusters")
    assert "of 100 people, by one who knows half of them. Dot: one of 3 starts." in panel(at, "leak")
    assert "One start" in panel(unfolded(at), "modes")
    made = study(at, "clusters").at_point()
    mean = untouched(made, people_of(at))
    assert f"start {words.of_100(mean)}" in drawn(at)["chart_scores"], "as many starts as the curves"
    at.radio(key="clusters_axis").set_value("k").run()
    assert "start " not in drawn(at)["chart_scores"], "what a start scores depends on k"


def test_one_start_has_no_other(view) -> None:
    assert "by one who knows half of them, from one start." in panel(unfolded(view), "leak")
    assert "by start" not in sentence(view)
    assert not [button for button in view.button if button.key == "clusters_again"]


@pytest.mark.parametrize("chosen", [("DPK",), ("Pairs",), ("LDPK", "DPK"), ("Fresh", "Marginals")])
def test_any_choice_of_methods_has_a_finding(view, chosen) -> None:
    do(view, actions.change, "clusters", mechanisms=chosen)
    assert panels(view) == USUAL
    said = plain(sentence(view))
    assert "ε = 1" in said
    assert ("curator" in said) == (chosen == ("DPK",))
    assert ("all they send is protected" in said) == bool({"Pairs", "Fresh"} & set(chosen))
    assert said.endswith(f"{chosen[0]}.") or len(chosen) > 1
    assert said.startswith("□ LDPK claims ε = 1, ") == ("LDPK" in chosen)


@pytest.mark.parametrize(
    ("leak", "word"), [(0.9, "where ε allows"), (0.5, "no ε covers its messages"), (None, "no ε covers what follows")]
)
def test_a_leak_is_held_against_what_epsilon_allows(leak, word) -> None:
    rows = [("LDPK", 1.0, "ac", "all", 0, 0.8)] + ([("LDPK", 1.0, "guessed", "a", 0, leak)] if leak else [])
    table = pd.DataFrame(rows, columns=["mechanism", "x", "metric", "scope", "repetition", "value"])
    study = Study(Source("t"), "a", mechanisms=("LDPK",), grid=(), task="clusters")
    known = ClustersFacts(study, None, table)  # type: ignore[arg-type]
    vars(known).update(bounds=Limits(0.4, 0.7), untouched=0.6)
    said = sentences.headline(known, str, "a")
    assert word in said
    given = sentences.given_away(known, str)
    assert ("covers none of it" in given) == (leak == 0.5)
    assert "average" not in given, "it is one start"


def test_the_nearest_mode_is_shown_and_marked(view) -> None:
    view.number_input(key="clusters_k").set_value(12).run()
    unfolded(view)
    view.radio(key="clusters_played").set_value("LDPK").run()
    here = task.cell(study(view, "clusters").at_point(), people_of(view), 1.0, 0)
    answers = here.records.everyone(nearest(here.records, here.start)) + 1
    for told in (1, 4, 7):
        user = int((answers == told).argmax()) + 1
        next(box for box in view.slider if box.label == "User").set_value(user).run()
        said = panel(view, "rounds")
        assert f"User {words.count(user)} answers {told}." in said
        assert f"mode {told} ◂" in said


def test_few_records_are_clustered(view) -> None:
    upload(view, data.read(FEW, "few.csv"))
    view.number_input(key="clusters_k").set_value(2).run()
    assert panels(view) == USUAL
    assert study(view, "clusters").column == "colour"
    assert "“colour”" in plain(sentence(view))


def test_the_link_brings_the_view_back(view) -> None:
    view.number_input(key="clusters_k").set_value(4).run()
    view.selectbox(key="clusters_wanted").set_value("occupation").run()
    unfolded(view)
    again = opened("clusters", **link(view))
    assert study(again, "clusters") == study(view, "clusters")
    assert sentence(again) == sentence(view)
    assert html(again).count('<tr class="head">') == 4


def test_marked_columns_are_chosen_and_the_others_are_open(view) -> None:
    """What marks do is said in one sentence; the leak of a graded method is that of its open columns, and more."""
    does = "Graded methods leave the others open."
    assert "3 columns marked sensitive" in plain(html(view))
    assert plain(html(view)).count(does) == 1
    view.multiselect(key="clusters_marked").set_value(["marital-status"]).run()
    marks = study(view, "clusters").marks
    assert {mark.partition(" = ")[0] for mark in marks.values} == {"marital-status"}
    do(view, actions.change, "clusters", mechanisms=("LDPK", "Graded"))
    assert "land in the right cluster with ▲ Graded (only marked columns protected), " in plain(sentence(view))
    known = facts(study(view, "clusters").at_point(), people_of(view))
    told = plain(panel(view, "leak"))
    assert f"the open columns alone name {words.of_100(known.seen)} of 100, which no ε covers" in told
    assert f"with its report {words.of_100(known.parts['Graded'].named)}, and ε allows " in told
    assert f"ε allows {words.of_100(known.seen_promised, most=True)}." in told
    assert link(view)["marks"] == list(marks.values)
    do(view, actions.change, "clusters", mechanisms=("Graded",))
    assert f"from the open columns alone of {words.of_100(known.seen)}." in plain(sentence(view))
    view.selectbox(key="clusters_wanted").set_value("workclass").run()
    assert "“workclass” is sent as it is." in plain(sentence(view))
    assert "this column is not marked and is sent as it is" in plain(panel(view, "leak"))
    view.multiselect(key="clusters_marked").set_value([]).run()
    assert "Nothing is marked: " in plain(sentence(view))
    assert "No column marked sensitive" in plain(html(view))
    do(view, actions.adopt, replace(study(view, "clusters"), marks=marks), state(view).workspace.table)
    assert study(view, "clusters").marks == marks, "a link brings them back"


def test_a_report_says_whom_a_graded_method_protects() -> None:
    marks = Marks.of(["marital-status = Divorced"])
    made = Study(Source("census"), "marital-status", marks, ("Graded",), grid=(), task="clusters")
    said = plain(front.promised(made))
    assert "Marked columns (ε = 1). ▲ Graded: between two people with the same open answers" in said
    assert "more than 2.72 times" in said
    assert "what they say of the marked ones no ε covers" in plain(front.not_promised(made))
