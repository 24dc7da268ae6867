"""The Frequency view's logic, without a browser."""

import re
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

MAIN = Path(__file__).parents[2] / "app" / "main.py"
PAGE = "views/frequency.py"


@pytest.fixture
def view() -> AppTest:
    return AppTest.from_file(MAIN, default_timeout=120).run().switch_page(PAGE).run()


def sentence(app: AppTest) -> str:
    """The view's finding; the page's own words prove that this page ran."""
    return next(block.proto.body for block in app.get("html") if 'class="sentence"' in block.proto.body)


def panels(app: AppTest) -> str:
    return " ".join(block.proto.body for block in app.get("html"))


def test_the_view_opens_on_bundled_data(view) -> None:
    assert not view.exception
    assert "At ε = 1" in sentence(view)
    assert "Error against ε" in panels(view)
    assert "Who learns the raw answer?" in panels(view)


@pytest.mark.parametrize("typed", [0.0, -1.0, float("nan"), 1000.0])
def test_an_impossible_epsilon_gets_a_sentence_and_the_view_stays(view, typed) -> None:
    view.session_state["epsilon"] = typed
    view.run()
    assert not view.exception
    assert "epsilon must be" in panels(view)
    assert "At ε = 1," in sentence(view)


EVERY = ["GRR", "RAPPOR", "OUE", "OLH", "SS", "HR", "uRR", "uRAP", "uOUE", "uSS", "uHR", "SDGRR", "SDSS"]


@pytest.mark.parametrize(("typed", "taken"), [("40", 40.0), ("1e-300", 1.0)])
def test_a_link_with_an_extreme_epsilon_opens(typed, taken) -> None:
    app = AppTest.from_file(MAIN, default_timeout=120)
    app.query_params["eps"] = typed
    app.query_params["m"] = EVERY
    app.run()
    refused = [problem.what for problem in app.session_state["problems"]]
    app.switch_page(PAGE).run()
    assert not app.exception
    assert app.session_state["epsilon"] == taken
    assert f"At ε = {taken:g}" in re.sub("<[^>]+>", "", sentence(app))
    assert refused == (["The link's eps (1e-300) makes no sense and was left out."] if taken == 1.0 else [])


def test_the_limit_says_what_it_is_about_and_what_shares_known_in_advance_change(view) -> None:
    """The limit is about what is fixed beforehand; the one for these very shares is lower, and called that."""
    import words
    from ldpcore import data, limit

    view.radio(key="focus").set_value("SS").run()
    assert not view.exception
    assert words.BEFOREHAND in panels(view)
    assert words.ON_AVERAGE in panels(view)
    counted = data.load("census").categorical("education")
    found = limit.best_for("LDP", counted.counts / counted.n, None, 1.0)
    known = words.points(np.sqrt(found.least / counted.n))
    assert known < words.points(np.sqrt(limit.best("LDP", counted.domain.k, 0, 1.0).mse / counted.n))
    assert f"Made for these very shares, if they were known, none gets below {known}" in panels(view)


def test_every_choice_of_the_error_menu_draws(view) -> None:
    for key, choices in {
        "view_scope": ["sensitive", "other", "all"],
        "view_quantity": ["mse", "largest", "points"],
        "view_estimator": ["clip", "norm-sub", "em", "raw"],
        "view_axis": ["n", "share", "k", "epsilon"],
        "view_prior": ["uniform", "population", "targeted"],
    }.items():
        for choice in choices:
            view.radio(key=key).set_value(choice).run()
            assert not view.exception, (key, choice)
            assert len(view.get("plotly_chart")) >= 3, (key, choice)


def test_no_mechanism_is_a_state_not_an_error(view) -> None:
    for group in ("every", "marked", "weaker"):
        view.session_state[f"pills_{group}"] = []
    view.run()
    assert not view.exception
    assert "No mechanism is chosen" in panels(view)


def test_nothing_marked_and_everything_marked(view) -> None:
    import state

    labels = [f"{v}" for v in ("Preschool", "Doctorate")]
    for marks in ([], labels):
        view.session_state["arms"] = {key: [state.Arm.of("A", marks)] for key in view.session_state["arms"]}
        view.run()
        assert not view.exception
        assert ("No value is marked" in sentence(view)) == (not marks)


def test_two_settings_are_compared(view) -> None:
    import state

    view.session_state["arms"] = {
        key: [state.Arm.of("A", ["Preschool"]), state.Arm.of("B", ["Preschool", "9th", "10th"])]
        for key in view.session_state["arms"]
    }
    view.session_state["compare"] = True
    view.run()
    assert not view.exception
    assert "Going from A to B" in sentence(view)
    assert "If everyone chooses A or B" in panels(view)


def test_the_page_shows_the_numbers_of_the_engine(view) -> None:
    """The sentence's error of uSS is the exact one, to the printed digits."""
    import words
    from ldpcore import catalog, data

    counted = data.load("census").categorical("education")
    marked = counted.domain.mask(data.BUNDLED["census"].default_marks)
    mechanism = catalog.FREQUENCY["uSS"].build(1.0, counted.domain.k, marked)
    error = np.sqrt(mechanism.variance(counted.counts / counted.n, counted.n).mean())
    assert words.points(error) in sentence(view)


def test_the_plane_draws_and_names_the_gap(view) -> None:
    view.session_state["plane"] = True
    view.run()
    assert not view.exception
    assert "Error against exposure" in panels(view)
    assert "less error for the same risk" in sentence(view)


def test_the_plane_needs_two_marked_values(view) -> None:
    import state

    view.session_state["arms"] = {key: [state.Arm.of("A", ["Preschool"])] for key in view.session_state["arms"]}
    view.session_state["plane"] = True
    view.run()
    assert not view.exception
    assert "Fewer than two values are marked" in panels(view)


def test_the_weaker_promise_is_explained_with_its_numbers(view) -> None:
    """With SDGRR in focus: the counterexample, and the rarest label of these data, as the engine computes it."""
    import words
    from ldpcore import catalog, data
    from ldpcore.attacks import labels

    view.radio(key="focus").set_value("SDGRR").run()
    assert not view.exception
    counted = data.load("census").categorical("education")
    marked = counted.domain.mask(data.BUNDLED["census"].default_marks)
    odds = labels.odds(
        catalog.FREQUENCY["SDGRR"].build(1.0, counted.domain.k, marked), marked, counted.counts / counted.n
    )
    assert words.times(float(np.nanmax(odds))) in panels(view)
    assert "The definition allows more than it says" in panels(view)


def test_an_error_worse_than_not_asking_is_called_so(view) -> None:
    assert "worse than not asking" not in sentence(view)
    view.session_state["epsilon"] = 0.01
    view.run()
    assert "both worse than not asking: the guess that all values are equally common is off by ±8.9" in sentence(view)
    assert "equal shares for all would be closer" in panels(view)


def test_a_high_epsilon_says_one_thing(view) -> None:
    view.session_state["epsilon"] = 20.0
    view.run()
    said = panels(view)
    assert "100\u00a0%" not in said
    assert "at most <b>more" not in said
    assert "more than 99 of 100</b> tries" in said or "more than 99 of 100 tries" in said
    assert "never for sure; guesses <b>more than 99" not in said
