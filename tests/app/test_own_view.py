"""A mechanism of one's own on Frequency, and the families of the plane, without a browser."""

import base64
import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from ldpapp import words
from ldpapp.charts import palette
from ldpapp.export import links
from ldpapp.state import actions, column_actions, comparisons
from ldpapp.views.tasks import TASKS
from ldpcore import custom, data
from ldpcore.catalog import Construction
from ldpcore.study import Marks, invented, tasks, to_toml

from .opening import (
    ask,
    bodies,
    charts,
    do,
    link,
    opened,
    panel,
    panels,
    plain,
    press,
    sentence,
    study,
    twin,
)

LABELS = data.load("census").categorical("education").domain.labels
MARKS = data.BUNDLED["census"].default_marks


@pytest.fixture(scope="module")
def first() -> AppTest:
    return opened("frequency", fold_own="True", m=["SS", "uSS"])


@pytest.fixture
def view(first, still) -> AppTest:
    return twin(first, "frequency")


def table(key: str, epsilon: float = 0.5) -> str:
    mask = np.isin(LABELS, MARKS)
    return custom.to_csv(custom.channel_of(key, epsilon, len(LABELS), mask), LABELS)


def given(at: AppTest, text: str) -> AppTest:
    return at.text_area(key="own_text").set_value(text).run()


def test_a_table_is_measured_beside_the_best_and_drawn(view) -> None:
    before = sentence(view)
    at = given(view, table("uRR"))
    said = panel(at, "own_mechanism")
    assert "ULDP" in said
    assert "0.5" in said
    basis = r"common it is by ±([\d.]+), the least with this promise at this ε by ±([\d.]+): ([\d.]+) times"
    mean, least, times = map(float, re.search(basis, plain(said)).groups())
    assert (mean / least) ** 2 == pytest.approx(times, rel=0.02), "both numbers of one comparison"
    assert "guessed no more often" in said
    names = [trace["name"] for trace in charts(at)["chart_error"]["data"]]
    assert "Own" in names
    star = next(trace for trace in charts(at)["chart_error"]["data"] if trace["name"] == "Own")
    assert star["mode"] == "markers"
    assert np.frombuffer(base64.b64decode(star["x"]["bdata"])).tolist() == [0.5]  # at its own ε
    assert sentence(at) == before  # the headline is about the Study's ε and the catalogue
    # The Study file has the table, a link of this length has not.
    assert study(at, "frequency").option("own") == table("uRR")
    assert "o.own" not in link(at)


def test_its_cards_speak_of_its_own_epsilon(view) -> None:
    at = given(view, table("uRR"))
    press(at, "own_focus")
    assert "Own, ε = 0.5" in panel(at, "odds")
    assert "1.65 times" in panel(at, "risk")  # e^0.5
    assert "uSS, ε = 1" in panel(press(at, "own_focus"), "odds")


@pytest.mark.one_in(2)  # every reason: tests/unit/test_own.py
@pytest.mark.parametrize("text", ["0.5 0.5\n0.5 0.5", "not a table", "-1 2\n0 1", "\n".join(["0.5 0.5"] * 16)])
def test_what_is_no_mechanism_is_told_why_and_waits(view, text) -> None:
    at = given(view, text)
    assert plain(panel(at, "own_mechanism"))
    assert "Own" not in [trace["name"] for trace in charts(at)["chart_error"]["data"]]
    assert at.text_area(key="own_text").value == text
    assert not panel(given(at, ""), "own_mechanism").count("no mechanism")


def test_a_button_begins_with_one_of_the_catalogue_and_another_takes_it_away(view) -> None:
    at = press(view, "own_begin_GRR")
    assert "LDP" in panel(at, "own_mechanism")
    assert study(press(at, "own_drop"), "frequency").option("own") is None


def test_a_table_that_promises_nothing_says_so(view) -> None:
    at = given(view, "\n".join(",".join(str(int(x == y)) for y in range(16)) for x in range(16)))
    assert "It keeps no promise" in panel(at, "own_mechanism")


def test_marks_decide_what_it_promises(view) -> None:
    at = given(view, table("uRR"))
    do(at, column_actions.set_marks, "education", ())
    assert "ULDP" not in panel(at, "own_mechanism")
    assert "an ε of their own" in panel(at, "own_mechanism")


def test_levels_of_the_study_are_held_against_it(view) -> None:
    at = given(view, table("uRR"))
    assert "levels of this Study" not in panel(at, "own_mechanism")
    secret = Marks(tuple((value, "secret" if value == MARKS[0] else "sensitive") for value in MARKS))
    do(at, column_actions.describe, "education", marks=secret)
    do(at, actions.change, "frequency", secret_epsilon=0.3)
    assert "does not keep the levels of this Study" in panel(at, "own_mechanism")


def test_another_column_has_another_mechanism(view) -> None:
    at = given(view, table("uRR"))
    do(at, actions.choose_column, "sex")
    assert study(at, "frequency").option("own") is None
    assert "own_mechanism" in panels(at)


def test_the_study_file_runs_with_it(view) -> None:
    at = given(view, table("uRR"))
    made = ask(at, links.full, TASKS["frequency"])
    assert "Own" in made.mechanisms
    assert "Preschool" in to_toml(made)
    do(at, actions.adopt, made, data.load("census"))
    assert study(at, "frequency").mechanisms == ("SS", "uSS")
    assert panel(at, "own_mechanism").count("ULDP")


def test_the_plane_has_it_too(view) -> None:
    at = given(view, table("uRR"))
    at.session_state["plane"] = True
    at.run()
    assert "Own here" in [trace["name"] for trace in charts(at)["chart_plane"]["data"]]


def test_what_an_empty_text_gives_is_nothing(view) -> None:
    at = given(view, "  ")
    assert study(at, "frequency").option("own") is None


def test_families_stand_on_the_plane_with_the_adaptive_protocols(view) -> None:
    for key, value in (("plane", True), ("fold_families", True)):
        view.session_state[key] = value
    view.run()
    traces = {trace["name"]: trace for trace in charts(view)["chart_families"]["data"]}
    assert {"subset", "unary", "threshold", "hash members", "ASS", "AUE", "ALH", "ATHE", "GRR", "limit"} <= set(traces)
    said = panel(view, "families")
    assert "SS with" in said
    before = traces["ASS"]["x"]
    view.radio(key="plane_weight").set_value(0.99).run()
    moved = {trace["name"]: trace for trace in charts(view)["chart_families"]["data"]}["ASS"]["x"]
    assert moved != before


def test_families_need_no_marks(view) -> None:
    do(view, column_actions.set_marks, "education", ())
    view.session_state["plane"] = True
    view.run()
    assert "families" in panels(view)


def test_two_settings_compare_it_too(view) -> None:
    before = study(view, "frequency").mechanisms
    at = given(view, table("uRR"))
    do(at, comparisons.keep, "frequency")
    do(at, column_actions.set_marks, "education", [*MARKS, "9th"])
    at.session_state["fold_measures"] = True
    at.run()
    assert not at.exception
    drawn = charts(at)
    for letter in "AB":
        assert "Own" in [trace["name"] for trace in drawn[f"chart_curves_{letter}"]["data"]]
    rows = drawn["chart_dumbbells"]["layout"]["annotations"]
    assert any("Own" in str(note.get("text")) for note in rows)
    assert study(at, "frequency").mechanisms == before
    assert "Own" not in sentence(at)


@pytest.mark.parametrize(("key", "like"), [("GRR", "SS"), ("uRR", "uSS")])
def test_its_mark_is_that_of_its_promise(view, key, like) -> None:
    at = given(view, table(key))
    at.session_state["plane"] = True
    at.run()
    marks = {trace["name"]: trace["marker"] for trace in charts(at)["chart_plane"]["data"] if "marker" in trace}
    mine = marks["Own here"]
    assert mine["symbol"] == "star"
    covered = palette.mark(like).promise
    hues = [palette.face("x", covered, Construction.SYMBOL, shift).light for shift in range(4)]
    assert mine["color"] in hues
    assert mine["color"] != palette.LIGHT.ink


@pytest.mark.parametrize("address", ["itemsets", "clusters", "ranges", "relations"])
def test_a_page_that_compares_no_mechanism_of_ones_own_names_those_that_do(address, still) -> None:
    """In the terminal's words, a click away, with the way there."""
    able = tasks.comparing(invented.KEY)
    assert able
    assert address not in able
    at = opened(address)
    sentence = f"is compared on {words.listing(TASKS[each].title for each in able)}."
    assert not any(sentence in each for each in bodies(at))
    at.session_state["own_elsewhere"] = True
    at.run()
    assert sum(sentence in each for each in bodies(at)) == 1
    links = [each.proto.page for each in at.get("page_link")]
    assert [page for page in links if page in able] == list(able)
