"""Data asks whether 999 is a number or a hole; one click answers, stays with the data, and is taken back by another."""

import pytest
from streamlit.testing.v1 import AppTest

from ldpapp.export import links
from ldpapp.state import column_actions, column_settings
from ldpcore import data
from ldpcore.study import from_toml, to_toml

from .opening import (
    ask,
    do,
    link,
    of_columns,
    opened,
    press,
    state,
    studies,
    study,
    twin,
)

AGES = [*range(18, 90)] * 3
SEXES = ["f", "m", "x"] * 100
FILE = "\n".join(["age,sex", *(f"{age},{sex}" for age, sex in zip([*AGES, 999, 999, 999], SEXES, strict=False))])
NAME = "people.csv"


@pytest.fixture(scope="module")
def asked() -> AppTest:
    """An upload with a sentinel, and something marked."""
    at = opened("data", data.read(FILE.encode(), NAME))
    return do(at, column_actions.set_marks, "sex", ["x"])


def keys(at: AppTest) -> set[str]:
    return {button.key for button in at.button if (button.key or "").startswith("sentinel")}


def test_one_click_makes_it_missing_and_another_takes_it_back(asked):
    at = twin(asked)
    assert keys(at) == {"sentinel_missing_999", "sentinel_answer_999"}
    before = state(at).uploads[NAME]
    press(at, "sentinel_missing_999")
    told = state(at).uploads[NAME]
    assert told.missing == {"age": ("999",)}
    assert told.numbers("age", "column").max() == 89
    assert {made.data.missing for made in studies(at).values()} == {(("age", ("999",)),)}
    assert ask(at, of_columns(column_settings.label_marks), "sex").values == ("x",), "what was marked stays marked"
    assert study(at, "frequency").column == study(asked, "frequency").column
    assert keys(at) == {"sentinels_back"}
    press(at, "sentinels_back")
    assert state(at).uploads[NAME] is before
    assert keys(at) == set(), "it was answered: not asked again"


def test_who_says_it_is_an_answer_is_not_asked_again(asked):
    at = twin(asked)
    press(at, "sentinel_answer_999")
    assert keys(at) == set()
    assert state(at).uploads[NAME].missing == {}


def test_a_study_file_brings_it_along_and_the_link_tells_nothing(asked):
    at = press(twin(asked), "sentinel_missing_999")
    written = to_toml(study(at, "frequency"))
    assert from_toml(written).data == study(at, "frequency").data
    other = opened("data", data.read(FILE.encode(), NAME))
    ask(other, links.load, written.encode())
    other.run()
    assert state(other).uploads[NAME].missing == {"age": ("999",)}
    assert study(other, "frequency").data == study(at, "frequency").data
    assert "999" not in str(link(at))


def test_marks_of_the_value_itself_go(asked):
    at = do(twin(asked), column_actions.describe, "age", binned=False)
    do(at, column_actions.set_marks, "age", ["18", "999"])
    press(at, "sentinel_missing_999")
    assert ask(at, of_columns(column_settings.label_marks), "age").values == ("18",)


def test_bundled_data_are_not_asked_about():
    assert keys(opened("data")) == set()
