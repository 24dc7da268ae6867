"""What stands around every page: ε in its box and its slider, data that nobody foresaw, and parts that fail."""

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from ldpcore import data
from ldpcore.domain import Interval

MAIN = Path(__file__).parents[2] / "app" / "main.py"
WILD = "x,c\n" + "".join(
    f"{x},{'ab'[i % 2]}\n" for i, x in enumerate(["1e308", "-1e308", "nan", "inf", *(i + 0.5 for i in range(40))])
)


def opened(table: data.Table | None = None) -> AppTest:
    at = AppTest.from_file(MAIN, default_timeout=60).run()
    if table is not None:
        at.session_state["uploads"] = {table.name: table}
        at.run().session_state["data"] = table.name
        at.run()
    assert not at.exception
    return at


def said(at: AppTest) -> str:
    return "\n".join(element.proto.body for element in at.get("html"))


# ranges of numbers -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high"),
    [(-1e308, 1e308), (0, 5e-324), (1e150, 1e300), (1e17, 1e17 + 16), (0.1, 0.3), (-7, 90), (123456789012345.0,) * 2],
)
def test_every_column_of_numbers_has_a_proposal_that_can_be_binned(low, high):
    from ldpapp import state

    first, last, bins = state.round_range(low, high)
    edges, domain = Interval(first, last).bins(bins)
    assert domain.k == bins
    assert len(np.unique(edges)) == bins + 1
    assert first <= max(low, -1e149)
    assert last >= min(high, 1e149)


@pytest.mark.parametrize("page", ["data", "means", "ranges"])
def test_numbers_without_bound_are_no_obstacle(page):
    at = opened(data.read(WILD.encode(), "wild.csv"))
    at.selectbox(key="column").set_value("x").run()
    if page != "data":
        at.switch_page(f"views/{page}.py").run()
    assert not at.exception
    assert at.session_state["data"] == "wild.csv"
    assert at.session_state["column"] == "x"
    assert 'class="sentence"' in said(at)


# parts that fail -------------------------------------------------------------------------------------------------


def test_a_part_that_fails_leaves_a_sentence_and_loses_nothing(monkeypatch, caplog):
    from ldpapp import state

    at = opened(data.read(WILD.encode(), "wild.csv"))
    at.session_state["epsilon"] = 2.0
    at.run()

    def fail() -> None:
        raise OverflowError("an answer of a person")

    with monkeypatch.context() as broken:
        broken.setattr(state, "base", fail)
        for page in ("data", "frequency", "ranges"):
            at = at.run() if page == "data" else at.switch_page(f"views/{page}.py").run()
            told = [element.message for element in at.exception]
            assert 1 <= len(told) <= 2  # the Study and the page
            assert all("(OverflowError)" in text and "are still here" in text for text in told)
            assert not any("an answer of a person" in text for text in told)
            assert at.session_state["data"] == "wild.csv"  # and the way out is at hand
            assert at.selectbox(key="data").options
    assert "an answer of a person" in caplog.text  # the log has the defect itself
    at.run()
    assert not at.exception
    assert at.session_state["data"] == "wild.csv"
    assert at.session_state["epsilon"] == 2.0


def test_no_page_offers_other_peoples_services():
    config = (MAIN.parent / ".streamlit" / "config.toml").read_text()
    assert "showErrorLinks = false" in config


# the Study beside the page ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [20.0, 0.01, 1.234, 8.0])
def test_slider_and_box_agree(value):
    from ldpapp import words

    at = opened()
    at.number_input(key="epsilon").set_value(value).run()
    assert not at.exception
    assert at.select_slider(key="slider").value == value
    at.select_slider(key="slider").set_value(0.5).run()
    assert at.number_input(key="epsilon").value == 0.5
    assert words.epsilon(value) in at.select_slider(key="slider").options  # one can slide back


def test_a_study_that_changes_nothing_says_so():
    at = opened()
    line = "nothing here changes this page"
    assert line not in said(at)
    assert line in said(at.switch_page("views/papers.py").run())
