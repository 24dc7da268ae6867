"""What stands around every page: ε in its box and its slider, data that nobody foresaw, and parts that fail."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from ldpapp import words
from ldpcore import data
from ldpcore.domain import Interval
from ldpcore.study import fitting

from .opening import (
    MAIN,
    go,
    link,
    opened,
    panels,
    press,
    sentence,
    state,
    studies,
    study,
    twin,
)

WILD = "x,c\n" + "".join(
    f"{x},{'ab'[i % 2]}\n" for i, x in enumerate(["1e308", "-1e308", "nan", "inf", *(i + 0.5 for i in range(40))])
)


@pytest.fixture(scope="module")
def first() -> AppTest:
    return opened()


@pytest.fixture(scope="module")
def wild() -> AppTest:
    return opened(table=data.read(WILD.encode(), "wild.csv"))


# ranges of numbers -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high"),
    [(-1e308, 1e308), (0, 5e-324), (1e150, 1e300), (1e17, 1e17 + 16), (0.1, 0.3), (-7, 90), (123456789012345.0,) * 2],
)
def test_every_column_of_numbers_has_a_proposal_that_can_be_binned(low, high):
    first, last, bins = fitting.round_range(low, high)
    edges, domain = Interval(first, last).bins(bins)
    assert domain.k == bins
    assert len(np.unique(edges)) == bins + 1
    assert first <= max(low, -1e149)
    assert last >= min(high, 1e149)


@pytest.mark.one_in(2)  # all ask the same table; what it reads as a number: tests/unit/test_data_numbers.py
@pytest.mark.parametrize("page", ["data", "frequency", "means", "ranges"])
def test_numbers_without_bound_are_no_obstacle(wild, page):
    at = twin(wild)
    at.selectbox(key="column").set_value("x").run()
    if page != "data":
        go(at, page)
        assert study(at, page).column == "x"
    assert sentence(at)
    assert state(at).workspace.table.name == "wild.csv"
    assert at.selectbox(key="column").value == "x"


# parts that fail -------------------------------------------------------------------------------------------------


def test_a_part_that_fails_leaves_a_sentence_and_loses_nothing(wild, monkeypatch, caplog):
    at = twin(wild)
    at.number_input(key="epsilon").set_value(2.0).run()
    before, secret = studies(at), "an answer " + "of a person"

    def fail(*_: object) -> None:
        raise OverflowError(secret)

    with monkeypatch.context() as broken:
        broken.setattr("ldpapp.compute.histogram", fail)
        broken.setattr("ldpapp.views.ranges.cached.cells", fail)
        for page in ("data", "frequency", "ranges"):
            go(at, page)
            told = [element.message for element in at.exception]
            assert 1 <= len(told) <= 2  # the Study and the page
            assert all("(OverflowError)" in text and "are still here" in text for text in told)
            assert not any(secret in text for text in told)
            assert state(at).workspace.table.name == "wild.csv"  # and the way out is at hand
            assert at.selectbox(key="data").options
    assert "OverflowError" in caplog.text
    assert "raise OverflowError(secret)" in caplog.text, "the log says where"
    assert secret not in caplog.text, "the log quotes nobody"
    go(at, "data")
    assert sentence(at)
    assert studies(at) == before
    assert at.number_input(key="epsilon").value == 2.0


def test_no_page_offers_other_peoples_services():
    config = (MAIN.parent / ".streamlit" / "config.toml").read_text()
    assert "showErrorLinks = false" in config


# the Study beside the page ---------------------------------------------------------------------------------------


@pytest.mark.one_in(2)  # one beyond the slider's end, one between its stops; the others are of these kinds
@pytest.mark.parametrize("value", [20.0, 0.01, 1.234, 8.0])
def test_slider_and_box_agree(first, value):
    at = twin(first)
    at.number_input(key="epsilon").set_value(value).run()
    assert sentence(at)
    assert at.select_slider(key="slider").value == value
    assert {made.epsilon for made in studies(at).values()} == {value}
    assert words.epsilon(value) in at.select_slider(key="slider").options
    at.select_slider(key="slider").set_value(0.5).run()
    assert at.number_input(key="epsilon").value == 0.5
    assert {made.epsilon for made in studies(at).values()} == {0.5}


def test_a_study_that_changes_nothing_stands_aside(first):
    """It is back as it was left, wherever it matters again."""
    at = twin(first)
    at.number_input(key="epsilon").set_value(0.7).run()
    assert len(at.sidebar)
    assert not len(go(at, "papers").sidebar)
    assert not at.exception
    go(at, "frequency")
    assert at.number_input(key="epsilon").value == 0.7


# how large it is drawn ---------------------------------------------------------------------------------------------


def test_the_projector_is_in_the_link_of_every_page(first, still):
    at = twin(first)
    press(at, "projector_on")
    for page in ("data", "frequency", "papers"):
        go(at, page)
        assert link(at)["projector"] == ["True"], page
        assert at.button(key="projector_off").label
    again = opened("frequency", **link(at))
    assert again.session_state.projector is True
    press(again, "projector_off")
    assert "projector" not in link(again)
    assert not any(button.key == "projector_off" for button in again.button)


def test_one_panel_alone_is_in_the_link(still):
    at = opened("frequency")
    press(at, "alone_error")
    assert panels(at) == ["error"]
    asked = link(at)
    assert asked["alone"] == ["error"]
    again = AppTest.from_file(MAIN, default_timeout=200)
    for name, value in asked.items():
        again.query_params[name] = value
    go(again, "frequency")
    assert panels(again) == ["error"]
    press(again, "alone_error")
    assert len(panels(again)) > 1
    assert "alone" not in link(again)


@pytest.mark.parametrize("alone", ["no_such_panel", "<b>", "x" * 99])
def test_a_panel_that_is_not_there_leaves_the_whole_page(alone, still):
    at = opened("data", alone=alone)
    assert len(panels(at)) > 1
    assert "alone" not in link(at)


def test_a_panel_alone_does_not_empty_another_page(still):
    at = opened("frequency")
    press(at, "alone_error")
    assert len(panels(go(at, "overview"))) > 1
