"""The Means view's logic, without a browser."""

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from ldpcore import data

MAIN = Path(__file__).parents[2] / "app" / "main.py"


@pytest.fixture
def view() -> AppTest:
    """One survey of three mechanisms, without the lines over ε: the simulation is stopped at once."""
    app = AppTest.from_file(MAIN, default_timeout=120).run()
    app.session_state.repetitions = 1
    app.session_state.means_weaker = []
    app.session_state.means_every = ["Duchi", "Laplace"]
    return app.switch_page("views/means.py").run()


def html(app: AppTest) -> str:
    return " ".join(block.proto.body for block in app.get("html"))


def sentence(app: AppTest) -> str:
    return next(block.proto.body for block in app.get("html") if 'class="sentence"' in block.proto.body)


def press(app: AppTest, label: str) -> None:
    next(button for button in app.button if button.label.startswith(label)).click().run()


def upload(app: AppTest, name: str, text: str) -> data.Table:
    app.session_state.uploads = {name: data.read(text.encode(), name)}
    app.run()
    app.selectbox(key="data").set_value(name).run()
    return app.session_state.uploads[name]


def test_the_page_opens_with_an_example(view):
    assert not view.exception
    assert view.session_state.column == "age"
    assert "the mean of age is off by" in sentence(view)
    assert "70 to 90" in sentence(view)
    for title in ("Where it is sensitive", "Error against ε", "One report", "Bias and spread apart",
                  "Distribution recovered", "Adversary", "Each marks their own",
                  "The exact repeat", "The paper’s Theorem 4"):  # fmt: skip
        assert f">{title}</div>" in html(view), title


def test_the_main_controls_change_the_sentence(view):
    before = sentence(view)
    view.select_slider(key="slider").set_value(0.2).run()
    assert not view.exception
    assert sentence(view) != before
    assert "At ε = 0.2" in sentence(view)
    press(view, "both ends")
    assert "Marks at two ends span the whole range" in sentence(view)
    press(view, "nothing")
    assert "Nothing is marked" in sentence(view)


def test_a_brushed_interval_waits_to_be_added(view):
    view.session_state.means_pending = (20.0, 30.0)
    view.run()
    assert "Chosen: 20 to 30." in html(view)
    press(view, "Mark it sensitive")
    assert not view.exception
    marks = view.session_state.means_marks
    assert next(iter(marks.values())) == [(20.0, 30.0), (70.0, 90.0)]


def test_one_survey_claims_no_more_than_it_tells(view):
    """Marks without lines, what to do for more, and a rough table of EM."""
    assert "Choose SDPM in the sidebar" in html(view)
    assert "uTernary changes its construction at ε = 2" in html(view)
    view.session_state.means_weaker = ["SDPM"]
    view.session_state.means_marked = []
    view.run()
    assert not view.exception
    assert "Set Repetitions to 2 or more" in html(view)
    assert "In 4 simulated surveys: a rough guide." in html(view)
    assert "Lines: theory alone. Marks: 1 survey." in html(view) or "of 1 surveys" in html(view)
    assert "changes its construction" not in html(view)


def test_the_input_can_be_dragged(view):
    before = html(view)
    view.slider[0].set_value(80.0).run()
    assert not view.exception
    assert "Mean 80" in html(view)
    assert "Mean 80" not in before


def test_the_adversary_and_those_who_choose(view):
    """A wider δ is said; where people hide their own answer there is no survey by EM."""
    before = html(view)
    view.number_input(key="means_delta_age_10_90").set_value(20.0).run()
    assert not view.exception
    assert "within ±8, of 100" in before
    assert "within ±20, of 100" in html(view)
    assert "40 / 30 / 30 % of people mark" in html(view)
    view.radio(key="means_choice_who").set_value("own").run()
    assert not view.exception
    assert "EM*" in before
    assert "EM*" not in html(view)


def test_a_refusal_stands_beside_the_table(view):
    view.session_state.means_problem = "an interval needs a start below its end, got '60..50'"
    view.run()
    assert 'role="alert"><b>an interval needs a start below its end' in html(view)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("arm.A", "30..20", "The study's intervals were left out."),
        ("bins", "50", "makes no sense and was left out"),
        ("column", "workclass", "The data has no column “workclass”"),
    ],
)
def test_a_link_that_makes_no_sense(name, value, said):
    app = AppTest.from_file(MAIN, default_timeout=120)
    for key, text in {"task": "means", "data": "census", "column": "age", "bins": "10", name: value}.items():
        app.query_params[key] = ["10.0", "90.0", "64"] if key == "bins" and text == "10" else text
    app.run()
    assert not app.exception
    assert any(said in problem.what for problem in app.session_state.problems) or said in html(app)


def test_no_mechanism_and_no_numbers_get_a_sentence(view):
    for group in ("every", "marked", "weaker"):
        view.session_state[f"means_{group}"] = []
    view.run()
    assert "Choose at least one mechanism" in sentence(view)
    upload(view, "words.csv", "text\n" + "a\nb\n" * 20)
    assert not view.exception
    assert "There are no numbers to average." in sentence(view)
    assert "no column of numbers" in html(view)


def test_a_constant_column_is_told_so(view):
    ages = "\n".join(str(a) for a in np.r_[np.full(40, 200), np.arange(201, 240)])
    digest = upload(view, "ages.csv", f"age\n{ages}\n").digest
    assert not view.exception
    view.session_state.ranges = {(digest, "age"): (0.0, 100.0, 10)}
    view.run()
    assert "These numbers cannot be averaged so." in sentence(view)
    assert "Every number of “age” is 100 within the public range" in html(view)
