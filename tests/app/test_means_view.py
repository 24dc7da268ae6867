"""The Means view's logic, without a browser."""

from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from ldpapp import columns, session, words
from ldpapp.tasks.means import data as means_data
from ldpapp.tasks.means import findings
from ldpcore import catalog, data
from ldpcore.mechanisms.ternary import SWITCH
from ldpcore.study import means as task
from ldpcore.study.means import personal

from .opening import (
    alerts,
    ask,
    boxes,
    charts,
    do,
    drawn,
    kept,
    opened,
    panel,
    panels,
    plain,
    sentence,
    study,
    twin,
    upload,
)

USUAL = [
    "means_marks", "means_error", "means_adversary", "means_report", "means_bias", "means_distribution",
    "means_advantage", "means_personal", "means_repeat", "means_theorem",
]  # fmt: skip


@pytest.fixture(scope="module")
def first() -> AppTest:
    """One survey of three mechanisms."""
    return opened("means", task="means", m=["Duchi", "Laplace", "uTernary"])


@pytest.fixture
def view(first, still) -> AppTest:
    """Its twin, in which nothing more is simulated."""
    return twin(first, "means")


def numbers(at: AppTest) -> task.Numbers:
    return task.prepare(replace(study(at, "means"), grid=()), data.load("census"))


def typical(at: AppTest, mechanism: str) -> str:
    """The exact error of a mechanism's unbiased mean in the Study of the page, as it is written."""
    made = replace(study(at, "means"), mechanisms=(mechanism,), grid=()).with_options(estimates=("mean", "unbiased"))
    rows = task.theory(made, numbers(at))
    how = "mse:mean" if catalog.MEANS[mechanism].factory.unbiased else "mse:unbiased"
    return "±" + findings.quantity(float(rows[rows["metric"] == how]["theory"].iloc[0]) ** 0.5)


def click(at: AppTest, label: str) -> AppTest:
    return next(button for button in at.button if button.label.startswith(label)).click().run()


def test_the_page_opens_with_an_example(view):
    assert study(view, "means").column == "age"
    assert study(view, "means").arms[0].values == ("70..90",)
    assert panels(view) == USUAL
    assert len(charts(view)) == len(USUAL) - 2, "one is words, one has nothing to show without a fine mechanism"
    said = plain(sentence(view))
    assert f"{typical(view, 'uTernary')} with" in said
    assert typical(view, "Duchi") in said or typical(view, "Laplace") in said
    assert findings.span((70.0, 90.0)) in said


def test_the_main_controls_change_the_sentence(view):
    before = typical(view, "uTernary")
    view.select_slider(key="slider").set_value(0.2).run()
    assert typical(view, "uTernary") != before
    assert typical(view, "uTernary") in sentence(view)
    both = next(name for name in columns.EXAMPLES if name.startswith("both ends"))
    click(view, "both ends")
    public = study(view, "means").bins
    assert list(study(view, "means").arms[0].values) == columns.example(both, public)
    assert typical(view, "uTernary") in sentence(view)
    click(view, "nothing")
    assert study(view, "means").arms[0].values == ()
    assert min(typical(view, key) for key in ("Duchi", "Laplace")) in sentence(view)


@pytest.mark.parametrize(("answer", "marks"), [("Mark it sensitive", ("20..30", "70..90")), ("No", ("70..90",))])
def test_a_brushed_interval_waits_for_an_answer(view, answer, marks):
    view.session_state.means_pending = (20.0, 30.0)
    view.run()
    assert findings.span((20.0, 30.0)) in panel(view, "means_marks")
    assert study(view, "means").arms[0].values == ("70..90",)
    click(view, answer)
    assert study(view, "means").arms[0].values == marks
    assert not any(button.label == answer for button in view.button)


def test_one_survey_claims_no_more_than_it_tells(view):
    """Marks without lines, what to do for more, and a rough table of EM."""
    assert "1 survey" in panel(view, "means_error")
    without = findings.waiting(study(view, "means"))
    assert without in panel(view, "means_advantage")
    assert f"ε = {words.epsilon(SWITCH)}" in panel(view, "means_adversary")
    view.button_group(key="means_weaker").set_value(["SDPM"]).run()
    view.button_group(key="means_marked").set_value([]).run()
    assert study(view, "means").mechanisms == ("Laplace", "Duchi", "SDPM")
    once = findings.waiting(study(view, "means"))
    assert once != without
    assert "2" in once, "the remedy: so many repetitions"
    assert once in panel(view, "means_advantage")
    assert f"{personal.SURVEYS} simulated surveys" in panel(view, "means_personal")
    assert f"ε = {words.epsilon(SWITCH)}" not in panel(view, "means_adversary")


def test_the_input_can_be_dragged(view):
    box = next(slider for slider in view.slider if slider.label == "Answer")
    before = drawn(view)
    assert "Mean 80" not in panel(view, "means_report")
    box.set_value(80.0).run()
    assert "Mean 80" in panel(view, "means_report"), "the mechanism in focus is unbiased"
    changed = {key for key, figure in drawn(view).items() if figure != before[key]}
    assert changed == {"chart_means_report"}


def test_the_adversary_guesses_within_delta(view):
    for delta in (8.0, 20.0):
        if delta == 20.0:
            view.number_input(key="means_delta_age_10_90").set_value(delta).run()
        made = replace(study(view, "means"), epsilon=1.0, grid=(), mechanisms=("SDPM",))
        _, blind = personal.blind(made, numbers(view), delta)
        said = panel(view, "means_adversary")
        assert f"±{findings.quantity(delta)}" in said
        assert f"blind {words.of_100(blind['sensitive'])}" in said
        assert f"blind {words.of_100(blind['other'])}" in said


def test_those_who_choose(view):
    before = drawn(view)["chart_means_personal"]
    for key, value in (("means_choice_mix", "few"), ("means_choice_place", "upper")):
        view.radio(key=key).set_value(value).run()
        now = drawn(view)["chart_means_personal"]
        assert now != before, key
        before = now


def test_those_who_hide_their_own_answer(view):
    """Others' errors, and no survey by EM."""
    before, table = drawn(view)["chart_means_personal"], panel(view, "means_personal")
    view.radio(key="means_choice_who").set_value("own").run()
    assert "EM*" in table
    assert "EM*" not in panel(view, "means_personal")
    assert drawn(view)["chart_means_personal"] != before


def test_marks_that_make_no_sense_are_refused_beside_the_table(view):
    before = study(view, "means")
    said = ask(view, session.set_intervals, "age", [(60.0, 50.0)])
    assert "60..50" in said
    assert study(view, "means") == before
    view.session_state.means_problem = said
    view.run()
    assert said in alerts(view)


def test_the_public_range_is_stated(view):
    next(box for box in view.number_input if box.label == "To").set_value(80.0).run()
    assert study(view, "means").bins[:2] == (10.0, 80.0)
    assert study(view, "means").arms[0].values == ("70..80",), "marks are cut to the range"
    found = numbers(view)
    assert found.clipped
    assert words.count(found.clipped) in panel(view, "means_marks")
    assert typical(view, "uTernary") in sentence(view)


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("arm.A", "30..20", "30..20"),
        ("bins", "50", "bins"),
        ("column", "workclass", "“workclass”"),
    ],
)
def test_a_link_that_makes_no_sense(still, name, value, told):
    query = {"column": "age", "bins": ["10.0", "90.0", "64"]} | {name: value}
    at = opened(task="means", data="census", m=["Duchi"], **query)
    assert any(told in f"{problem.what} {problem.why}" for problem in kept(at).problems)
    assert all(problem.what in boxes(at) for problem in kept(at).problems)
    assert study(at, "means").column == "age"
    assert study(at, "means").bins[:2] == (10.0, 90.0)


def test_no_mechanism_is_a_state_not_an_error(view):
    for group in ("every", "marked", "weaker"):
        view.button_group(key=f"means_{group}").set_value([]).run()
    assert kept(view).unchosen == {"means"}
    assert panels(view) == []
    assert boxes(view)


def test_words_have_no_mean(view):
    upload(view, data.read(b"text\n" + b"a\nb\n" * 20, "words.csv"))
    assert study(view, "means").column == ""
    assert panels(view) == []
    assert "“words.csv”" in boxes(view)
    assert view.selectbox(key="data").value == "words.csv"


def test_a_constant_column_is_told_so(view):
    ages = "\n".join(str(a) for a in np.r_[np.full(40, 200), np.arange(201, 240)])
    upload(view, data.read(f"age\n{ages}\n".encode(), "ages.csv"))
    assert panels(view) == USUAL
    do(view, session.set_range, "age", 0.0, 100.0, 10)
    assert panels(view) == []
    assert "“age”" in boxes(view)
    assert "100" in boxes(view)


def test_the_distribution_needs_fine_reports(view):
    assert not catalog.MEANS["Duchi"].factory.recovers
    view.button_group(key="means_every").set_value(["Duchi"]).run()
    view.button_group(key="means_marked").set_value([]).run()
    assert "chart_means_distribution" not in charts(view)
    assert "Duchi" in boxes(view)
    view.button_group(key="means_every").set_value(["Duchi", "PM"]).run()
    assert "chart_means_distribution" in charts(view)
    assert means_data.pairs(study(view, "means"))[-1][0] == "PM"
